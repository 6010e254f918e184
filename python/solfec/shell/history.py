"""Time histories as CSV: python3 -m solfec history RESULTS ITEM ..."""

import csv
import sys

from solfec.histories import history
from solfec.items import HELP, ItemError
from solfec.results import frames_between, no_frames
from solfec.shell.command import Failure, Parser, check_output, check_times, count, results_in
from solfec.whole_files import whole_file


def _parser():
    parser = Parser('history', description='Writes time histories as CSV: a line of names, then one line per frame.',
                    epilog=HELP)
    parser.add_results()
    parser.add_argument('items', nargs='+', metavar='ITEM', help='for example KINETIC, ball.VX, 3.CRZ')
    parser.add_argument('--out', metavar='FILE', help='file to write (default: standard output)')
    parser.add_argument('--digits', type=count, metavar='N', help='significant digits (default: all)')
    parser.add_times()
    return parser


def read(given):
    """What the arguments of a command ask for."""
    check_times(given)
    with results_in(RESULTS=given.RESULTS) as results:
        if not frames_between(results.times, given.start, given.stop):
            raise Failure(no_frames(results.times, given.start, given.stop))
        try:
            return history(results, given.items, given.start, given.stop, given.every)
        except ItemError as error:
            raise Failure(str(error)) from error


def write(values, stream, digits=None):
    columns = [column.tolist() for column in values.values()]
    if digits:
        columns = [['%.*g' % (digits, value) if isinstance(value, float) else value for value in column]
                   for column in columns]
    writer = csv.writer(stream, lineterminator='\n')
    writer.writerow(values)
    writer.writerows(zip(*columns))


def main(arguments):
    given = _parser().parse_args(arguments)
    if given.out:
        check_output(given.out)
    values = read(given)
    if not given.out:
        write(values, sys.stdout, given.digits)
        return 0
    try:
        with whole_file(given.out, encoding='utf-8', newline='') as stream:
            write(values, stream, given.digits)
    except OSError as error:
        raise Failure("argument --out: '%s' cannot be written: %s" % (given.out, error.strerror)) from error
    return 0
