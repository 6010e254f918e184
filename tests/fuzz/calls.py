"""Any command with any values, on a model that runs between them."""

import math
import pathlib
import sys

import numpy

import solfec
from solfec import *

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / 'input'))

from commands import COMMANDS  # noqa: E402
from conftest import Model  # noqa: E402

NUMBERS = (0, 1, -1, 2, 3, 7, 0.5, 1E-3, -0.0, 1E-300, 1E300, -1E300, 1E50, 1E100, 5E-324, 2**31, -2**31, 2**63, 2**64,
           10**400, math.nan,
           math.inf, -math.inf, True)
OTHERS = (None, '', 'x', 'a\0b', 'x' * 10000, b'x', [], (), {}, [[]], [None], object(), 1j, numpy.zeros(0),
          numpy.zeros((3, 3)),
          numpy.array(1), numpy.array(['x']), range(10**6), lambda *_: None, lambda *_: 1 / 0, int, iter(()))
SLOW = {'RUN', 'HISTORY'}  # their durations are bounded here


def some_list(random, depth=0):
    return [some_value(random, None, depth + 1) for _ in range(random.choice((1, 2, 3, 3, 4, 6, 9, 12, 24)))]


def some_value(random, model, depth=0):
    choice = random.random()
    if choice < 0.35:
        return random.choice(NUMBERS)
    if choice < 0.5:
        return random.uniform(-3, 3)
    if choice < 0.6 and depth < 2:
        values = some_list(random, depth)
        return random.choice((list, tuple))(values)
    if choice < 0.75 and depth < 2:
        count = random.choice((2, 3, 3, 6, 9, 24))
        return [random.choice(NUMBERS) if random.random() < 0.05 else random.uniform(-2, 2) for _ in range(count)]
    if model is not None and choice < 0.9:
        return random.choice((model.solfec, model.ball, model.floor, model.material, model.solver))
    return random.choice(OTHERS)


def changed(random, value, model):
    """A value that is nearly right."""
    if isinstance(value, (list, tuple)) and value and random.random() < 0.6:
        values = list(value)
        for _ in range(random.choice((1, 1, 3))):
            k = random.randrange(len(values))
            values[k] = random.choice((random.choice(NUMBERS), some_value(random, model), values[0]))
        return values[:random.randrange(len(values) + 1)] if random.random() < 0.2 else values
    return some_value(random, model)


def call(random, model, command):
    arguments = [a for a in command.arguments if a in command.required or random.random() < 0.5]
    values = {a.name: a.valid(model) for a in arguments}
    for _ in range(random.choice((0, 1, 1, 1, 2))):
        name = random.choice(list(values) or ['x'])
        values[name] = changed(random, values.get(name), model)
    if command.name in SLOW:
        for name in ('duration', 't1'):
            if isinstance(values.get(name), (int, float)):
                values[name] = min(values[name], 0.02)
    if command.name == 'RUN' and isinstance(values.get('solver'), (int, float)):
        values['solver'] = min(values['solver'], 0.02)
    return command.call(values)


def set_member(random, model, made):
    target = random.choice((model.solfec, model.ball, model.floor, model.material, model.solver, *made))
    members = [name for name, member in vars(type(target)).items() if isinstance(member, property)]
    try:
        setattr(target, random.choice(members or ['x']),
                random.choice((some_value(random, model), random.choice(('ON', 'OFF', 'RIG_NEG', 'DEF_LIM')))))
    except AttributeError:  # it is for reading
        pass


def case(random):
    solfec.configure()
    model, made = Model('out'), []
    for k in range(150):
        command = random.choice(COMMANDS)

        results = []

        def act():
            results.append(call(random, model, command))
            repr(results[0])

        if (yield f'{k}: {command.name}', act) and results[0] is not None and command.name != 'SOLFEC':
            made.append(results[0])
        if k % 5 == 0:
            yield f'{k}: member', lambda: set_member(random, model, made)
        if k % 10 == 9:
            model.solfec.step = 1E-3
            yield f'{k}: RUN', lambda: RUN(model.solfec, GAUSS_SEIDEL_SOLVER(1E-3, 20), 3E-3)
