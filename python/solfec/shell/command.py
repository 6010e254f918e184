"""What the commands share: arguments, opening of results, errors of one line."""

import argparse
import contextlib
import os

import h5py

from solfec.items import did_you_mean  # noqa: F401, for the commands
from solfec.results import Results, index_of, is_of_results, texts_in


class Failure(Exception):
    """Ends a command: one line, without its name."""


class Parser(argparse.ArgumentParser):
    """Wrong arguments are told in one line."""

    def __init__(self, name, **options):
        super().__init__(prog='python3 -m solfec ' + name,
                         formatter_class=argparse.RawDescriptionHelpFormatter, **options)

    def error(self, message):
        raise Failure(message)

    def add_results(self, name='RESULTS', help='directory of results', **options):
        self.add_argument(name, help=help, type=without_index, **options)

    def add_times(self):
        self.add_argument('--from', dest='start', type=number, metavar='T', help='first time [s]')
        self.add_argument('--to', dest='stop', type=number, metavar='T', help='last time [s]')
        self.add_argument('--every', type=count, default=1, metavar='N', help='take every N-th frame')


def check_times(given):
    if given.start is not None and given.stop is not None and given.stop < given.start:
        raise Failure('argument --to: expected a time not before that of --from, %g; got %g' % (
            given.start, given.stop))


def number(text):
    try:
        value = float(text)
    except ValueError:
        value = float('nan')
    if value != value:
        raise argparse.ArgumentTypeError("expected a number; got '%s'" % text)
    return value


def count(text):
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError("expected a whole number > 0; got '%s'" % text)
    return int(text)


def not_negative(text):
    value = number(text)
    if value < 0:
        raise argparse.ArgumentTypeError("expected a number >= 0; got '%s'" % text)
    return value


@contextlib.contextmanager
def results_in(**directories):
    """Opens results for a with statement, by the names of their arguments; damage that is found later is told in one
    line too."""
    checked = {argument: _directory_of(path, argument) for argument, path in directories.items()}
    try:
        opened = []
        for argument, directory in checked.items():
            reading = {argument: directory}
            opened.append(Results(directory))
        reading = checked
        yield opened[0] if len(opened) == 1 else opened
    except (OSError, KeyError, ValueError, IndexError, RuntimeError) as error:  # all that h5py raises
        raise Failure('argument %s: %s' % _damage(reading, line_of(error))) from error


def line_of(error):
    """What an error says, in one line."""
    return ' '.join(str(error).strip('\'"').split())


def check_output(path, *suffixes, argument='--out'):
    """Failure for a file that is not to be written: of another kind, or of results."""
    if suffixes and not path.lower().endswith(suffixes):
        raise Failure("argument %s: expected a file %s; got '%s'" % (argument, ' or '.join('*' + s for s in suffixes),
                                                                     path))
    if is_of_results(path):
        raise Failure("argument %s: '%s' belongs to results, and is not replaced" % (argument, path))


def check_place(path, argument):
    """Failure for a file that cannot be there, before what takes long is done."""
    folder = os.path.dirname(path) or '.'
    if not os.path.isdir(folder):
        raise Failure("argument %s: expected a file in a folder that exists; got '%s'" % (argument, path))
    if os.path.isdir(path):
        raise Failure("argument %s: expected a file; got the folder '%s'" % (argument, path))


def _directory_of(path, argument):
    try:
        return _readable(path, argument)
    except PermissionError as error:
        raise Failure("argument %s: '%s' cannot be read: %s" % (argument, path, error.strerror)) from error


def without_index(path):
    """Results may be given by their index, too."""
    return os.path.dirname(path) or '.' if path.endswith('.h5') and os.path.isfile(path) else path


def _readable(path, argument):
    if os.path.isdir(path):
        os.listdir(path)  # PermissionError
        if os.path.isfile(index_of(path)):
            return path
    raise Failure("argument %s: expected a directory of results; got '%s', %s" % (argument, path, _what_it_is(path)))


def _what_it_is(path):
    if not os.path.exists(path):
        return 'which does not exist'
    if not os.path.isdir(path):
        return 'which is a file'
    names = sorted(os.listdir(path))
    if not names:
        return 'which is empty'
    inside = [os.path.join(path, name) for name in names if os.path.isfile(index_of(os.path.join(path, name)))]
    if inside:
        return 'in which there are results: %s%s' % (', '.join(inside[:3]), ', ...' if len(inside) > 3 else '')
    return 'in which there is no file %s' % os.path.basename(index_of(path))


def _damage(directories, text):
    """The argument with a file that is damaged, if that can be told, and what is wrong."""
    for argument, directory in directories.items():
        if text.startswith(os.path.join(os.path.normpath(directory), '')):  # the file, as Results says it
            return argument, text
    for argument, directory in directories.items():
        reason = damaged_file(directory, text)
        if reason:
            return argument, reason
    where = ' or '.join(directories.values())
    return ' or '.join(directories), text if where in text else '%s cannot be read: %s' % (where, text)


def damaged_file(directory, text):
    """The first file of results that cannot be read, and why; None when all can."""
    index = index_of(directory)
    try:
        with h5py.File(index, 'r') as file:
            names = texts_in(file, 'segment/file')
    except PermissionError:
        return '%s cannot be read: Permission denied' % index
    except (OSError, KeyError, ValueError):
        return '%s is no index of results, or damaged: %s' % (index, text)
    for path in (os.path.join(directory, name) for name in names):
        if not os.path.isfile(path):
            return path + (' is not a regular file' if os.path.exists(path) else ' is missing')
        try:
            h5py.File(path, 'r').close()
        except PermissionError:
            return '%s cannot be read: Permission denied' % path
        except OSError as problem:
            return '%s is damaged: %s' % (path, problem)
    return None if names else '%s lists no frames' % index


def table(rows, right=()):
    """Rows of words as aligned lines; columns in `right` are aligned to the right."""
    rows = [[str(word) for word in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*rows)]
    return '\n'.join('  '.join(word.rjust(width) if k in right else word.ljust(width)
                               for k, (word, width) in enumerate(zip(row, widths))).rstrip() for row in rows)


def plural(number, thing):
    return '%s %s%s' % (format(number, ','), thing, '' if number == 1 else 's')


def size(bytes):
    for unit in ('bytes', 'kB', 'MB', 'GB'):
        if bytes < 1000 or unit == 'GB':
            return '%.3g %s' % (bytes, unit) if bytes < 1000 else '%.0f %s' % (bytes, unit)
        bytes /= 1000
