"""What editors and type checkers are told of the commands (_core.pyi): each argument admits what the command takes and
nothing of what it refuses for its type, so do results; members have the types that they have, and are read-only where
they are."""

import __future__
import ast
import collections.abc
import inspect
import pathlib
import types
import typing

import numpy
import pytest
from commands import COMMANDS
from conftest import Model
from test_arguments import READ_ONLY, READ_WRITE

import solfec

PACKAGE = pathlib.Path(solfec.__file__).parent
TEXT = (PACKAGE / '_core.pyi').read_text()
# A module of the stub, in which the classes are the true ones.
STUB = {}
exec(compile(TEXT, '_core.pyi', 'exec', flags=__future__.annotations.compiler_flag), STUB)
TOLD = dict(STUB)
STUB.update({name: getattr(solfec, name) for name in solfec.__all__ if inspect.isclass(getattr(solfec, name))})
# What is wrong there is not wrong by its type: numbers of entries, an item of a list, the duration in another place.
RIGHT_IN_TYPE = {'GRAVITY.vector': [(1, 2)], 'RUN.solver': [1], 'HISTORY.list': [[1]],
                 **{f'SET_{name}3.tms': [(1, 2)] for name in ('DISPLACEMENT', 'VELOCITY', 'ACCELERATION')}}


def admits(kind, value):
    """Whether a value has a type, entries included."""
    if isinstance(kind, str):
        kind = eval(kind, STUB)
    if isinstance(kind, typing.ForwardRef):
        return admits(kind.__forward_arg__, value)
    if kind is typing.Any:
        return True
    if kind in (None, type(None)):
        return value is None
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin in (typing.Union, types.UnionType):
        return any(admits(one, value) for one in arguments)
    if origin is typing.Literal:
        return isinstance(value, str) and value in arguments
    if origin is numpy.ndarray:
        return isinstance(value, numpy.ndarray)
    if origin is collections.abc.Callable:
        return callable(value)
    if origin is tuple and arguments[-1] is not Ellipsis:
        return isinstance(value, tuple) and len(value) == len(arguments) and all(map(admits, arguments, value))
    if origin in (collections.abc.Sequence, list, tuple):
        return isinstance(value, origin) and not isinstance(value, str) and all(admits(arguments[0], v) for v in value)
    if isinstance(kind, typing.TypeVar):
        return any(admits(one, value) for one in kind.__constraints__ or [kind.__bound__])
    return isinstance(value, (int, float) if kind is float else origin or kind)


def definitions(parent, name):
    return [node for node in parent.body if getattr(node, 'name', None) == name]


def annotations(name):
    """Types of the arguments of a command, and those of its result, over all its overloads."""
    found = definitions(ast.parse(TEXT), name)
    results = [name]
    if isinstance(found[0], ast.ClassDef):
        found = definitions(found[0], '__init__')
    else:
        results = [ast.unparse(one.returns) for one in found]
    arguments = {}
    for one in found:
        for argument in one.args.args:
            if argument.annotation:
                arguments.setdefault(argument.arg, []).append(ast.unparse(argument.annotation))
    return arguments, results


@pytest.mark.parametrize('command', [one for one in COMMANDS if one.name in TOLD], ids=str)
def test_arguments_and_results(command):
    model = Model('out/stub')
    told, results = annotations(command.name)
    assert list(told) == [argument.name for argument in command.arguments]
    for argument in command.arguments:
        kinds = told[argument.name]
        value = argument.valid(model)
        not_given = value is None and argument.kind != 'data'
        assert not_given or any(admits(kind, value) for kind in kinds), argument.name
        # Arrays have one type for all shapes.
        admitted = [value for value in argument.wrong if not isinstance(value, numpy.ndarray)
                    and any(admits(kind, value) for kind in kinds)]
        assert admitted == RIGHT_IN_TYPE.get(f'{command}.{argument.name}', []), argument.name
    model = Model('out/call')
    result = command.call({argument.name: argument.valid(model) for argument in command.arguments})
    assert any(admits(kind, result) for kind in results), f'{result!r} is none of {results}'


def member(thing, name):
    """(type, whether it is read-only) as the stub tells."""
    for one in definitions(ast.parse(TEXT), type(thing).__name__)[0].body:
        if isinstance(one, ast.AnnAssign) and one.target.id == name:
            return ast.unparse(one.annotation), False
        if isinstance(one, ast.FunctionDef) and one.name == name:
            assert [d.id for d in one.decorator_list] == ['property']
            return ast.unparse(one.returns), True
    raise AssertionError(f'{type(thing).__name__} has no {name} in the stub')


@pytest.mark.parametrize('make, names', READ_ONLY)
def test_read_only_members(make, names, model):
    thing = make(model)
    for name in names:
        kind, read_only = member(thing, name)
        assert read_only and admits(kind, getattr(thing, name)), f'{name}: {kind}'


@pytest.mark.parametrize('make, name, good, wrong, out', READ_WRITE)
def test_writable_members(make, name, good, wrong, out, model):
    thing = make(model)
    kind, read_only = member(thing, name)
    assert not read_only and admits(kind, getattr(thing, name)) and admits(kind, good)
    assert not any(admits(kind, value) for value in wrong)


def test_no_name_is_forgotten():
    names = {name for name in TOLD if name.isupper() or name == 'configure'}
    assert names | {'XDMF_EXPORT'} == set(solfec.__all__)
    imported = {alias.name for node in ast.parse((PACKAGE / '__init__.pyi').read_text()).body
                if isinstance(node, ast.ImportFrom) for alias in node.names}
    assert imported == {'*', '__version__', 'XDMF_EXPORT'}
