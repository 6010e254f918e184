"""Commands of the input language that are written in Python: they take arguments, and complain, like those in C++."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any, TypeVar, cast

Command = TypeVar('Command', bound=Callable[..., Any])


def command(function: Command) -> Command:
    """A decorator. The documentation starts with the signature as the manual has it, 'NAME (a, b | c)'; errors that
    start with the name are raised at the script's line."""
    name, code = function.__name__, function.__code__
    names = code.co_varnames[:code.co_argcount]
    required = names[:len(names) - len(function.__defaults__ or ())]
    documentation = function.__doc__ or ''
    usage = '; usage: ' + ' '.join(documentation.partition('\n\n')[0].split())

    @functools.wraps(function)
    def called(*given, **named):
        if len(given) > len(names):
            raise TypeError(f'{name}: takes at most {len(names)} arguments, got {len(given)}{usage}')
        values = dict(zip(names, given))
        for key, value in named.items():
            if key not in names:
                raise TypeError(f'{name}: has no argument {key!r}{usage}')
            if key in values:
                raise TypeError(f'{name}: {key!r} is given twice{usage}')
            values[key] = value
        for key in required:
            if key not in values:
                raise TypeError(f'{name}: {key!r} is missing{usage}')
        try:
            return function(**values)
        except (TypeError, ValueError, RuntimeError) as error:
            if not str(error).startswith(name + ':'):
                raise
            problem = error
        raise problem.with_traceback(None) from None

    called.__doc__ = '\n'.join(line.removeprefix('    ') for line in documentation.rstrip().split('\n'))
    text = '(%s)' % ', '.join(key if key in required else key + '=None' for key in names)
    called.__text_signature__ = text  # type: ignore[attr-defined]
    return cast(Command, called)


def fail_type(where, expected, value):
    raise TypeError(f'{where} must be {expected}; got {shown(value)} ({type(value).__name__})')


def fail_value(where, expected, value):
    raise ValueError(f'{where} must be {expected}; got {shown(value)}')


def shown(value):
    """Short form of an object."""
    text = repr(value)
    return text if len(text) <= 70 else text[:67] + '...'


def is_list(value):
    """A list, a tuple or an array: something with a length and entries that is no text."""
    if isinstance(value, (str, bytes, dict)) or not hasattr(value, '__getitem__'):
        return False
    try:
        len(value)
    except TypeError:  # an array without dimensions
        return False
    return True


def real(where, value):
    """A finite number."""
    if isinstance(value, str) or not (hasattr(value, '__float__') or hasattr(value, '__index__')):
        fail_type(where, 'a number', value)
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        fail_type(where, 'a number', value)
    if not math.isfinite(number):
        fail_value(where, 'a finite number', value)
    return number


def path(where, value):
    """Text that can name a file."""
    if not isinstance(value, str):
        fail_type(where, 'a string', value)
    if not value or '\0' in value:
        fail_value(where, 'a path, without NUL characters', value)
    if len(value.encode()) > 4095 or max(len(name.encode()) for name in value.split('/')) > 240:
        fail_value(where, 'a path of at most 4095 bytes, in names of at most 240', value)
    return value
