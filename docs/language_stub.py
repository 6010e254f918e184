"""The text of python/solfec/_core.pyi: what editors and type checkers know of the commands, made from their signatures
and their documentation. docs/make_language.py writes it.

Arguments have the type that their description tells (RULES), members the types that they have in a small model. An
argument of which no rule tells the type is an error. The second names of some arguments (surfids/surids) are left to
scripts of the original program.
"""

import inspect
import re
import tempfile

from solfec import _core as core

HEAD = '''\
# Made from the documentation of the commands by docs/make_language.py: change it there.

from collections.abc import Callable, Sequence
from typing import Any, Literal, TypeVar, Union, overload

from numpy.typing import NDArray

__version__: str

# Lists, tuples and arrays: numbers; points or rows of numbers, nested or not; integers in the same way.
_Vector = Union[Sequence[float], NDArray[Any]]
_Points = Union[Sequence[Union[float, _Vector]], NDArray[Any]]
_Integers = Union[Sequence[Union[int, Sequence[int], NDArray[Any]]], NDArray[Any]]
_Shape = Union['CONVEX', 'MESH', 'SPHERE', 'ELLIP', Sequence['_Shape']]
_Solver = Union['GAUSS_SEIDEL_SOLVER', 'NEWTON_SOLVER', 'AUTO_SOLVER', 'NONSMOOTH_SOLVER', 'CONVEX_SOLVER',
                'PENALTY_SOLVER']
_AnyShape = TypeVar('_AnyShape', bound=_Shape)
_Solid = TypeVar('_Solid', 'CONVEX', 'MESH', 'SPHERE', 'ELLIP')
'''

CLASSES = [name for name, thing in vars(core).items() if inspect.isclass(thing) and not name.startswith('_')]
OBJECTS = re.compile(r'((?:(?:%s)(?:, | or |, or )?)+) objects?\b' % '|'.join(sorted(CLASSES, key=len, reverse=True)))
CHOICES = re.compile(r"(?<!\ba )'([\w-]+|%)'")

# What a description says, and the type of the argument then; the first one that fits counts.
RULES = [
    (r'number or (?:a )?TIME_SERIES object .*or a callback:', 'float | TIME_SERIES | Callable[..., Any]'),
    (r'^force = function', 'Callable[[float, float], float]'),
    (r'= callback \(', 'Callable[..., Any]'),
    (r'\bdata for the callback|passed to the callback', 'Any'),
    (r'each (?:a number or )?a TIME_SERIES object', '_Vector | Sequence[float | TIME_SERIES]'),
    (r'^number or TIME_SERIES object', 'float | TIME_SERIES'),
    (r'^SOLFEC object \(default\), BODY object, or list of BODY objects', 'SOLFEC | BODY | Sequence[BODY]'),
    (r'^solver object.*RUN \(solfec, duration\)', '_Solver | float'),
    (r'or a list of them', '_Shape'),
    (r'^object, list of objects, or a BODY', '_Shape | BODY'),
    (r'^list of items, or one item', 'str | Sequence[Any]'),
    (r'^list \[.*the path of a text file', '_Points | str'),
    (r'identifier.*(?:or one for all|or a list \[surf,)', 'int | _Integers'),
    (r'^list \[[kn],', '_Integers'),
    (r'^list (?:\[|of \d+ numbers)', '_Points'),
    (r'^list of strings', 'Sequence[str]'),
    (r'identifier', 'int'),
    (r'^(?:string|label|path|file path|output directory|of output directories|directory)\b', 'str'),
    (r'^True:', 'bool'),
    (r'^list of one to three directions', 'Sequence[_Vector]'),
    (r'^relative sizes|^nine numbers|\bpoint\b|\bdirections?\b|^axis', '_Vector'),
    (r'\([a-z]{1,4}, [a-z]{1,4}, [a-z]{1,4}[,)]|^\(smin, smax\)', '_Vector'),
    (r'^(?:numbers? of|elements|bound on|take every|Gauss-Seidel sweeps)\b', 'int'),
    (r'\[[^\]]*\]|(?:>=?|above|at least|from) -?\d|\bratio\b|relative accuracy|in degrees', 'float'),
]
# Rules that know better than the object with which the description begins.
WITH_OBJECTS = ('_Shape', 'SOLFEC | BODY | Sequence[BODY]')
WITH_NONE = re.compile(r'\bor None|of None\b|; None: ')
DEFAULT = re.compile(r"\bdefault: (-?\d[\d.E+-]*|False)[),;]|('\w+') \(default\)")
RETURNS = [
    (r'Returns the same shape', '_AnyShape'),
    (r'Returns (?:a|an) (%s) object[^.]*, or None' % '|'.join(CLASSES), r'\1 | None'),
    (r'Returns (?:a|an)\s+(%s) object' % '|'.join(CLASSES), r'\1'),
    (r'Returns the list of (BODY|CONSTRAINT) objects', r'list[\1]'),
    (r'Returns the object, or None', 'SURFACE_MATERIAL | BULK_MATERIAL | BODY | None'),
    (r'Returns \(t0, t1\)', 'tuple[float, float] | float'),
    (r'Returns \(([\w ]+(?:, [\w ]+)*)\)', lambda match: numbers(match[1].count(',') + 1)),
    (r'Returns a tuple of lists', 'tuple[list[float], ...]'),
    (r'Returns a list of strings, or None', 'list[str] | None'),
    (r'Returns a dictionary', 'dict[str, Any]'),
    (r'Returns True or False|^True when', 'bool'),
    (r'Returns seconds', 'float'),
    (r'^The argument of the switch', 'str | None'),
    (r'^(?:Rank|Number) of', 'int'),
]
# What depends on an argument: (the type of the shape, that of the result) in each case.
OVERLOADS = {
    'COPY': [('_Solid', '_Solid'), ('_Shape', 'Any')],
    **{name: [('_AnyShape', '_AnyShape'), ('_Vector', 'tuple[float, float, float]')]
       for name in ('SCALE', 'TRANSLATE', 'ROTATE')},
}
MEMBERS = {'itershist': 'Any'}  # it is given 'ON' or 'OFF', and gives a list
SOME_NUMBERS = 'tuple[float, ...]'  # how many may depend on what it is of


def literal(text):
    """One of the words in quotes."""
    return 'Literal[%s]' % ', '.join(map(repr, dict.fromkeys(CHOICES.findall(text))))


def numbers(count):
    return 'tuple[%s]' % ', '.join(['float'] * count)


def descriptions(text, names):
    """What the documentation of a command says of each argument."""
    result, current = {}, []
    for line in text.splitlines():
        start = re.match(r'(\w+(?:, \w+)*)(?:  +(.*))?$', line)
        if start and set(start[1].split(', ')) <= set(names) - result.keys():
            current = start[1].split(', ')
            result.update(dict.fromkeys(current, start[2] or ''))
        elif line.startswith('  ') and current:
            for name in current:
                result[name] = (result[name] + ' ' + line.strip()).strip()
        else:
            current = []
    return result


def argument_type(where, text):
    objects = OBJECTS.match(re.sub(r'^(?:\(emptied\) |another )', '', text))
    rule = next((found for pattern, found in RULES if re.search(pattern, text)), None)
    if objects and rule not in WITH_OBJECTS:
        rule = ' | '.join(re.findall(r'\w+', objects[1].replace(' or ', ' '))) + ' | str' * ('or its label' in text)
    elif text.startswith("'") or rule is None and CHOICES.search(text):
        rule = literal(text)
    assert rule, '%s: no rule tells its type; it is: %s' % (where, text)
    return rule + ' | None' * bool(WITH_NONE.search(text))


def parameters(name, thing):
    """(name, type, default or None) of each argument."""
    signature = inspect.signature(thing).parameters
    told = descriptions(inspect.getdoc(thing), signature)
    for argument, parameter in signature.items():
        found = argument_type('%s: %s' % (name, argument), told[argument])
        if parameter.default is parameter.empty:
            yield argument, found, None
            continue
        default = DEFAULT.search(told[argument])
        default = default and (default[1] or default[2])
        if default is None and found != 'Any' and not found.endswith('None'):
            found += ' | None'
        yield argument, found, default or 'None'


def returned(text):
    for pattern, found in RETURNS:
        match = re.search(pattern, text, re.M)
        if match:
            return found(match) if callable(found) else match.expand(found)
    return 'None'


def quoted(text, indent):
    text = text.replace('\\', '\\\\').strip()
    lines = [(indent + line).rstrip() for line in text.split('\n')]
    return indent + '"""' + '\n'.join(lines).strip() + ('\n' + indent if len(lines) > 1 else '') + '"""\n'


def function(name, arguments, result, text, indent=''):
    """A definition; its arguments may take several lines."""
    words = [argument if not found else '%s: %s' % (argument, found) if default is None
             else '%s: %s = %s' % (argument, found, default) for argument, found, default in arguments]
    head = '%sdef %s(' % (indent, name)
    lines = [head]
    for number, word in enumerate(words):
        word += ', ' * (number + 1 < len(words))
        if len(lines[-1] + word) > 100:
            lines.append(' ' * len(head))
        lines[-1] += word
    head = '\n'.join(line.rstrip() for line in lines) + ') -> %s:' % result
    return head + ('\n' + quoted(text, indent + '    ') if text else ' ...\n')


def command(name, thing):
    text = inspect.getdoc(thing).partition('\n\n')[2]
    arguments = list(parameters(name, thing))
    if name not in OVERLOADS:
        return function(name, arguments, returned(text), text)
    return ''.join('@overload\n' + function(name, [('shape', shape, None), *arguments[1:]], result, text)
                   for shape, result in OVERLOADS[name])


def examples(directory):
    """Objects of all classes, in a model with what their members may have."""
    core.configure(overwrite=True)
    simulation = core.SOLFEC('DYNAMIC', 1E-3, directory)
    simulation.verbose = 'OFF'
    bulk = core.BULK_MATERIAL(simulation)
    surface = core.SURFACE_MATERIAL(simulation, 1, 1)
    core.GRAVITY(simulation, (0, 0, -10))
    mesh = core.HEX([0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1], 1, 1, 1, 1, 1)
    floor = core.BODY(simulation, 'OBSTACLE', core.BOX((0, 0, -1), (9, 9, 2)), bulk)
    block = core.BODY(simulation, 'FINITE_ELEMENT', core.COPY(mesh), bulk)
    joints = [core.FIX_POINT(block, (0, 0, 1)), core.PUT_RIGID_LINK(block, None, (1, 0, 1), (1, 0, 3))]
    solvers = [core.GAUSS_SEIDEL_SOLVER(), core.NEWTON_SOLVER(), core.AUTO_SOLVER(),
               core.NONSMOOTH_SOLVER('EG-VI-UPK'), core.NONSMOOTH_SOLVER('FP-DS'),
               core.CONVEX_SOLVER('GS'), core.CONVEX_SOLVER(), core.PENALTY_SOLVER()]
    for solver in solvers[:3]:
        core.RUN(simulation, solver, 2E-3)
    return [simulation, bulk, surface, core.SURFACE_MATERIAL(simulation), core.TIME_SERIES([0, 0, 1, 1]), mesh,
            core.BOX((0, 0, 0), (1, 1, 1)), core.SPHERE((0, 0, 0), 1), core.ELLIP((0, 0, 0), (1, 1, 1)), floor, block,
            *joints, *simulation.constraints, *solvers]


def value_type(value):
    """The type of a member with this value."""
    if value is None:
        return 'None'
    kind = type(value).__name__
    if isinstance(value, tuple):
        if {*map(type, value)} == {float} and len(value) != 3:
            return SOME_NUMBERS
        return 'tuple[%s]' % ', '.join(map(value_type, value))
    if isinstance(value, list):
        return 'list[%s]' % value_type(value[0])
    return kind


def is_read_only(thing, member):
    try:
        setattr(thing, member, getattr(thing, member))
    except AttributeError:
        return True
    except TypeError:
        pass  # one that reads as something else than is assigned
    return False


def member(name, things, documentation, choices):
    values = [getattr(thing, name) for thing in things]
    types = {value_type(value) for value in values if value != []}
    if name in MEMBERS:
        types = {MEMBERS[name]}
    elif types == {'str'}:
        types = {choices or (literal(documentation) if len(CHOICES.findall(documentation)) > 1 else 'str')}
    elif SOME_NUMBERS in types:
        types.discard(numbers(3))
    assert types, 'the model has no %s' % name
    types = sorted(types, key=lambda text: (text == 'None', text))
    found = ' | '.join(types)
    if is_read_only(things[0], name):
        return '    @property\n' + function(name, [('self', '', None)], found, documentation, '    ')
    return '    %s: %s\n' % (name, found) + quoted(documentation, '    ')


def class_text(name, thing, objects):
    """The class of an object that a command makes: documentation, arguments, members."""
    things = [one for one in objects if type(one) is thing]
    text, made = inspect.getdoc(thing), []
    if thing.__text_signature__:
        text = text.partition('\n\n')[2]
        made = list(parameters(name, thing))
    choices = {argument: found for argument, found, _ in made if found.startswith('Literal')}
    result = 'class %s:\n' % name + quoted(text, '    ')
    if made:
        result += function('__init__', [('self', '', None), *made], 'None', '', '    ')
    for key, value in vars(thing).items():
        if isinstance(value, property):
            result += member(key, things, value.__doc__, choices.get(key))
        elif not key.startswith('_'):
            signature, _, documentation = value.__doc__.partition(': ')
            result += function(key, [('self', '', None), (re.search(r'\((\w+)\)', signature)[1], 'int', None)],
                               'list[int] | None' if documentation.startswith('list') else numbers(3),
                               documentation, '    ')
    return result


def stub():
    with tempfile.TemporaryDirectory() as directory:
        objects = examples(directory + '/model')
        parts = [HEAD]
        for name, thing in sorted(vars(core).items()):
            if name.startswith('__'):
                continue
            if name.startswith('_'):  # for the package alone
                parts.append('%s: Any\n' % name)
            else:
                parts.append(class_text(name, thing, objects) if inspect.isclass(thing) else command(name, thing))
    return '\n\n'.join(parts)
