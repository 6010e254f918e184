"""Commands on directories of results: python3 -m solfec COMMAND ...

A command is a module with a function main(arguments), which returns the exit code: 0, 1 (diff: they differ), or 2 with
one line that tells what was wrong. To add one takes a line in COMMANDS.
"""

import errno
import importlib
import importlib.util
import sys

NEEDED = 'numpy', 'h5py'  # by all commands; nothing that needs them is imported before they have been looked for

# Name: module, what it does. Those whose modules are not there are not offered.
COMMANDS = {
    'info': ('solfec.shell.info', 'what is in a directory of results'),
    'history': ('solfec.shell.history', 'time histories, as CSV'),
    'plot': ('solfec.shell.plot', 'an overview, or histories, as a plot'),
    'diff': ('solfec.shell.diff', 'how two results differ'),
    'picture': ('solfec.picture', 'draws a frame'),
    'page': ('solfec.page', 'a page for the browser'),
    'export': ('solfec.export', 'files for ParaView'),
}


def available():
    return {name: entry for name, entry in COMMANDS.items() if importlib.util.find_spec(entry[0])}


def usage():
    lines = ['  %-9s %s' % (name, what) for name, (_, what) in available().items()]
    return '\n'.join(['usage: python3 -m solfec COMMAND RESULTS ...', '', 'Commands on directories of results:', *lines,
                      '', 'python3 -m solfec COMMAND --help tells about one.'])


def missing_modules():
    """What to say of a Python that has not all that is needed; else None."""
    missing = [module for module in NEEDED if importlib.util.find_spec(module) is None]
    if not missing:
        return None
    return "numpy and h5py are needed, and %s has no %s; take another Python, as Debian's /usr/bin/python3 " \
        '(packages python3-numpy, python3-h5py)' % (sys.executable, ' and no '.join(missing))


def main(arguments=None):
    """The exit code of a command line."""
    words = sys.argv[1:] if arguments is None else list(arguments)
    if not words or words[0] in ('-h', '--help', 'help'):
        print(usage())
        return 0
    name, known = words[0], available()
    missing = missing_modules()
    if missing:
        print('solfec: ' + missing, file=sys.stderr)
        return 2
    from solfec.shell.command import Failure, did_you_mean
    if name not in known:
        print("solfec: expected a command: %s; got '%s'%s" % (', '.join(known), name, did_you_mean(name, known)),
              file=sys.stderr)
        return 2
    try:
        code = importlib.import_module(known[name][0]).main(words[1:])
        sys.stdout.flush()
        return code
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        print('solfec %s: the output cannot be written: %s' % (name, error.strerror), file=sys.stderr)
        sys.stdout = None  # which would be written to once more
        return 2
    except Failure as failure:
        print('solfec %s: %s' % (name, failure), file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
