"""Shape arguments: one object or nested lists of them, emptied only when all is well."""

import pytest
from conftest import cube
from pytest import approx

from solfec import *


def test_nested_lists(model):
    shape = [cube(0), (cube(2), [cube(4), SPHERE((9, 0, 0), 1, 1, 1)])]
    body = BODY(model.solfec, 'RIGID', shape, model.material)
    assert body.volume == approx(3 + 4.18879020478639)
    for emptied in (shape[0], shape[1][0], shape[1][1][0]):
        with pytest.raises(ValueError, match='emptied'):
            emptied.nver


def test_a_failure_empties_nothing(model):
    spent = cube()
    BODY(model.solfec, 'OBSTACLE', spent, model.material)
    fresh = cube()
    for shape in ([fresh, spent], [fresh, 'x'], [fresh, []], [fresh, fresh], [fresh, None]):
        with pytest.raises((TypeError, ValueError), match="^BODY: 'shape'"):
            BODY(model.solfec, 'RIGID', shape, model.material)
        assert fresh.nver == 8
    bodies = model.solfec.nbod
    with pytest.raises(ValueError):
        BODY(model.solfec, 'RIGID', fresh, 'no such material')
    assert fresh.nver == 8 and model.solfec.nbod == bodies


def test_a_list_that_holds_itself(model):
    one, endless, ring = cube(), [], [[]]
    endless += [one, endless]
    ring[0].append(ring)
    deep = one
    for _ in range(10000):
        deep = [deep]
    for shape in (endless, ring, deep):
        for call in (lambda: BODY(model.solfec, 'RIGID', shape, model.material), lambda: COPY(shape),
                     lambda: TRANSLATE(shape, (1, 0, 0)), lambda: MASS_CENTER(shape),
                     lambda: ROUGH_HEX(shape, 1, 1, 1)):
            with pytest.raises(ValueError, match="^[A-Z_]*: 'shape': the list holds itself, or is nested more"):
                call()
    assert one.nver == 8
    while type(deep) is list:  # Python itself would recurse too deeply
        deep = deep.pop()


def test_messages(model):
    spent = cube()
    BODY(model.solfec, 'OBSTACLE', spent, model.material)
    with pytest.raises(ValueError, match=r'this CONVEX object has been emptied: .* \(COPY keeps one\)'):
        COPY(spent)
    one = cube()
    with pytest.raises(ValueError, match='the same CONVEX object stands in the list twice'):
        COPY([one, [one]])
