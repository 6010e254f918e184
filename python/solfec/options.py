"""Options of a script, from the words behind its name: `-name value`, or `-name` alone."""

from __future__ import annotations

from collections.abc import Container, Iterable
from typing import Any, NoReturn


def read_options(script: str, words: Iterable[str] | None, values: dict[str, Any], positive: Container[str] = (),
                 not_negative: Container[str] = (), later: dict[str, str] | None = None) -> dict[str, Any]:
    """The values of options; ends the program with one line that names the script for anything wrong.

    script        its name, for that line
    words         as NON_SOLFEC_ARGV gives them: a list of strings, or None
    values        every option with its default, which tells its type; one of False stands alone and becomes True
    positive      options with numbers that must be above 0
    not_negative  options with numbers that must not be below 0
    later         options that are known but not to be had yet, each with what it needs

    Returns a dictionary like `values`.
    """
    values, left, later = dict(values), list(words or []), later or {}

    def fail(message: str) -> NoReturn:
        raise SystemExit('%s: %s' % (script, message))

    while left:
        name = left.pop(0)
        if name in later:
            fail('%s needs %s, which is not available yet' % (name, later[name]))
        if name not in values:
            fail('unknown option %s' % name)
        if isinstance(values[name], bool):
            values[name] = True
            continue
        if not left:
            fail('%s needs a value' % name)
        word = left.pop(0)
        try:
            values[name] = type(values[name])(word)
        except ValueError:
            fail('%s needs a number, got %s' % (name, word))
        if name in positive and not values[name] > 0:
            fail('%s needs a number above 0, got %s' % (name, word))
        if name in not_negative and not values[name] >= 0:
            fail('%s needs a number not below 0, got %s' % (name, word))
    return values
