"""Time histories as CSV: python3 -m solfec history RESULTS ITEM ..."""

import csv
import sys

from solfec.histories import history
from solfec.items import HELP, ItemError
from solfec.shell.command import Failure, Parser, check_times, results_in


def _parser():
    parser = Parser('history', description='Writes time histories as CSV: a line of names, then one line per frame.',
                    epilog=HELP)
    parser.add_results()
    parser.add_argument('items', nargs='+', metavar='ITEM', help='for example KINETIC, ball.VX, 3.CRZ')
    parser.add_argument('--out', metavar='FILE', help='file to write (default: standard output)')
    parser.add_times()
    return parser


def read(given):
    """What the arguments of a command ask for."""
    check_times(given)
    with results_in(given.RESULTS) as results:
        try:
            return history(results, given.items, given.start, given.stop, given.every)
        except ItemError as error:
            raise Failure(str(error)) from error


def write(values, stream):
    writer = csv.writer(stream, lineterminator='\n')
    writer.writerow(values)
    writer.writerows(zip(*(column.tolist() for column in values.values())))


def main(arguments):
    given = _parser().parse_args(arguments)
    values = read(given)
    if not given.out:
        write(values, sys.stdout)
        return 0
    try:
        with open(given.out, 'w', encoding='utf-8', newline='') as stream:
            write(values, stream)
    except OSError as error:
        raise Failure("argument --out: '%s' cannot be written: %s" % (given.out, error.strerror)) from error
    return 0
