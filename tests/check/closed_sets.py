"""Checks that the compiler names what a new member of a closed set needs (docs/developer.md, "How to add").

A switch over an enum of the sources has no `default`: with -Wall and -Werror one that misses a value does not compile.
Kinds of bodies and constraints are named where they are made and where they are computed only: others ask for a
property of the kind (src/body/body_kind.hpp, constraint_kind.hpp). What says which value of an enum is the last names
the last one.
"""

import pathlib
import re
import sys

from new_member import MEMBERS

KINDS_NAMED_IN = ('body', 'input')
SAID_LAST = r'(?:last_of<.*\n  return |kLast\w+ = )(?:\w+::)*(\w+)::(\w+);'


def enums(source):
    """The last value of each enum of the sources."""
    result = {}
    for path in source.rglob('*.[ch]pp'):
        text = re.sub(r'//.*', '', path.read_text())
        for name, body in re.findall(r'enum class (\w+)[^{;]*\{([^}]*)\}', text):
            result[name] = re.findall(r'\w+', re.sub(r'=[^,]*', '', body))[-1]
    return result


def switches(text):
    """Line and body of each switch."""
    for found in re.finditer(r'\bswitch \(', text):
        begin = at = text.index('{', found.end()) + 1
        depth = 1
        while depth:
            depth += {'{': 1, '}': -1}.get(text[at], 0)
            at += 1
        yield text.count('\n', 0, found.start()) + 1, text[begin:at]


def main():
    source = pathlib.Path(__file__).resolve().parents[2] / 'src'
    last = enums(source)
    problems, count = [], 0
    for path in sorted(source.rglob('*.[ch]pp')):
        text = path.read_text()
        for line, body in switches(text):
            over = set(re.findall(r'\bcase (?:\w+::)*(\w+)::\w+:', body)) & set(last)
            count += bool(over)
            if over and re.search(r'\bdefault:', body):
                problems.append(f'{path}:{line}: a default hides new values of {", ".join(over)}')
        for name, value in re.findall(SAID_LAST, text):
            if last[name] != value:
                problems.append(f'{path}: {name}::{value} is not the last value of {name}')
        if path.relative_to(source).parts[0] not in KINDS_NAMED_IN:
            problems += [f'{path}:{number}: a kind named outside of {", ".join(KINDS_NAMED_IN)}'
                         for number, line in enumerate(text.splitlines(), start=1)
                         if re.search(r'\b(?:Body|Constraint)Kind::', line)]
    problems += [f'new_member.py: {name} does not hold {before!r} once'
                 for name, before, after in MEMBERS.values() if (source / name).read_text().count(before) != 1]
    print('\n'.join(problems) or f'{count} switches over {len(last)} enums, all of them complete')
    return 1 if problems or count == 0 else 0


if __name__ == '__main__':
    sys.exit(main())
