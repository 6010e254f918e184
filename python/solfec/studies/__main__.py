"""Command line of the studies: python3 -m solfec.studies (the package tells what there is)."""

import argparse
import pathlib
import signal
import sys

import solfec
from solfec.studies import runner
from solfec.studies.cases import FULL, SHORT, studies
from solfec.studies.records import Records

ROOT = pathlib.Path(__file__).resolve().parents[3]   # of the sources
BUILD = pathlib.Path(solfec.__file__).parents[2]     # where this package was found


def arguments():
    parser = argparse.ArgumentParser(prog='studies', description='The solver studies of the report of 2019.')
    parser.add_argument('--records', type=pathlib.Path, default=ROOT / 'docs/studies/records',
                        help='folder of the records (default: docs/studies/records)')
    parser.add_argument('--short', action='store_true', help='the short versions that tests run')
    actions = parser.add_subparsers(dest='action', required=True)
    actions.add_parser('list', help='studies, and how many of their cases have records')
    run = actions.add_parser('run', help='run the cases that have no record yet')
    run.add_argument('study', nargs='*', help='names of studies (default: all)')
    run.add_argument('--jobs', type=int, default=1, help='cases to run side by side (default: 1)')
    make = actions.add_parser('page', help='make the page from the records')
    make.add_argument('--output', type=pathlib.Path, default=ROOT / 'docs/studies',
                      help='folder of the page (default: docs/studies)')
    return parser.parse_args()


def run(options, known, records):
    unknown = [name for name in options.study if name not in known]
    if unknown:
        raise SystemExit('studies: no study %s; there are %s' % (unknown[0], ', '.join(known)))
    if options.jobs < 1:
        raise SystemExit('studies: --jobs must be above 0, got %d' % options.jobs)
    program, failures = runner.program_of(BUILD), []
    for name in options.study or known:
        failures += runner.run(name, known[name], records[name], program, str(ROOT), options.jobs)
    if failures:
        raise SystemExit('studies: %d cases failed\n%s' % (len(failures), '\n'.join(failures)))


def main():
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    options = arguments()
    size = SHORT if options.short else FULL
    known = studies(size)
    records = {name: Records(options.records, name) for name in known}
    if options.action == 'run':
        run(options, known, records)
    elif options.action == 'list':
        for name, study in known.items():
            print('%-16s %d of %d cases' % (name, sum(case in records[name] for case in study.cases), len(study.cases)))
    else:
        from solfec.studies import page  # matplotlib takes a second
        page.make(records, known, size, ROOT / 'docs/studies/page.md.in', options.output)


if __name__ == '__main__':
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
