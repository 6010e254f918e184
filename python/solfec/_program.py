"""Runs a script for the programs solfec and solfec-mpi."""

import builtins
import difflib
import os
import re
import signal
import sys
import time
import traceback
import types

import solfec
from solfec import _command

# Statements that were right in Python 2: what the parser says of them, or how their lines look.
_PYTHON_2 = ('Missing parentheses in call to', 'multiple exception types must be parenthesized',
             'leading zeros in decimal integer literals')
_PYTHON_2_LINE = re.compile(r'(^|[:;])\s*(print|exec)\s+[^=(]|\braise\s+\w+\s*,|<>|`|\b\d+[lL]\b')

# Commands of the manual that this version does not have.
_TO_COME = ('TETRAHEDRALIZE', 'SPLIT', 'BEND', 'OVERLAPPING', 'SIMPLIFIED_CRACK', 'MBFCP_EXPORT')


def run_script(script, overwrite, subdirectory, words, resume, window=None, threads=1):
    """Runs the script with the commands in its name space; returns the exit code.

    window   with -v: size of the window, WIDTHxHEIGHT or empty
    threads  of each rank"""
    try:
        solfec.configure(script=script, overwrite=overwrite, subdirectory=subdirectory, words=words, resume=resume,
                         threads=threads)
    except (TypeError, ValueError) as error:  # of a switch
        return _leave_together(2, 'solfec: %s\n' % str(error).replace("configure: 'subdirectory'", '-s'))
    sys.argv = [script, *words]
    sys.path.insert(1, os.path.dirname(os.path.abspath(script)))
    interruption = _Interruption()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, interruption)
    main = types.ModuleType('__main__')
    main.__file__ = script
    main.__dict__.update({name: getattr(solfec, name) for name in solfec.__all__})
    sys.modules['__main__'] = main
    if window is None:
        return _leave_together(*_execute(script, main.__dict__))
    from solfec._viewer import Viewer, open_window
    viewer = Viewer(*open_window(window))
    solfec._core._put_off_runs(viewer.put_off, viewer.wait)
    code, message = _execute(script, main.__dict__)
    return _leave_together(viewer.stay(code, message), message)


def _execute(script, names):
    """Exit code, and what to say on standard error, or None."""
    try:
        with open(script, 'rb') as file:
            source = file.read()
        if b'\0' in source:
            return 1, _no_script(script, source)
        exec(compile(source, script, 'exec'), names)
    except SystemExit as request:
        return _exit_code(request)
    except KeyboardInterrupt:
        return 130, 'solfec: interrupted\n'
    except SyntaxError as error:
        message = ''.join(traceback.format_exception(error, limit=0))
        if error.filename == script and _is_python_2(error):
            message += (f'solfec: line {error.lineno} of {script} looks like Python 2; '
                        'scripts are written in Python 3\n')
        return 1, message
    except BaseException as error:
        # The script's own lines, without those of this file.
        own = error.__traceback__.tb_next
        message = ''.join(_report(error, own)) + _suggestion(error, names)
        if isinstance(error, NameError) and getattr(error, 'name', None) in _TO_COME:
            message += f'solfec: {error.name} is not available in this version\n'
        return 1, message
    return 0, None


def _no_script(path, content):
    hint = ': solfec-solve is the program for problem files' if content.startswith(b'\x89HDF') else ''
    return f'solfec: {path} is no Python script{hint}\n'


def _report(error, own):
    """Lines of a traceback; commands that are written in Python look like those that are not."""
    report = traceback.TracebackException(type(error), error, own)
    report.stack[:] = [frame for frame in report.stack if frame.filename != _command.__file__]
    return report.format()


def _suggestion(error, names):
    """For a name that is not there, one that is nearly the same; Python itself looks for it only where it prints."""
    name = getattr(error, 'name', None)
    if not name or not isinstance(error, (NameError, AttributeError)):
        return ''
    known = (*names, *dir(builtins)) if isinstance(error, NameError) else dir(error.obj)
    near = difflib.get_close_matches(name, known, 1)
    return f'solfec: did you mean {near[0]}?\n' if near else ''


def _leave_together(code, message):
    """A rank does not leave alone. Returns the exit code."""
    if message is None:
        try:
            solfec._core._end_of_script()
        except RuntimeError as error:
            code, message = 1, f'solfec: {error}\n'
    code = _flush() or code
    # Python at its end gives signals back their defaults, by which a second one would kill the process.
    alone = solfec.NCPU() == 1
    if alone or message is not None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        for number in (signal.SIGTERM, signal.SIGHUP):  # by their defaults another rank takes this one along
            signal.signal(number, signal.SIG_IGN if alone else signal.SIG_DFL)
    if message is None:
        return code
    return solfec._core._collective_exit(message.encode(errors='backslashreplace'), code)


def _is_python_2(error):
    return error.msg.startswith(_PYTHON_2) or _PYTHON_2_LINE.search(error.text or '') is not None


def _exit_code(request):
    nothing = '' if hasattr(request, 'has_ended_run') else None  # then the other ranks leave with an error
    if request.code is None:
        return 0, nothing
    if isinstance(request.code, int):
        return request.code, nothing
    return 1, f'{request.code}\n'


def _flush():
    """Nothing, or an exit code: there is nobody who reads the output any more, or the disk is full."""
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except OSError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())  # where Python tries again at its end
        return 1


class _Interruption:
    """Handles signals that end the program. One that comes soon after another asks for the same: what that one has
    ended is still being put in order, and must not be torn by it."""

    SOON = 1  # [s]

    def __init__(self):
        self.last = -self.SOON

    def __call__(self, number, frame):
        now = time.monotonic()
        if now - self.last < self.SOON:
            return
        self.last = now
        raise KeyboardInterrupt if number == signal.SIGINT else SystemExit(128 + number)
