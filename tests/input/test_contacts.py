"""CONSTRAINT objects, exclusions, sparsification, UNPHYSICAL_PENETRATION, GEOMETRIC_EPSILON, LOCDYN_DUMP."""

import re

import numpy
import pytest
from commands import CORNERS
from conftest import cube
from pytest import approx

from solfec import *

NUMBER = re.compile(r'-?\d+(\.\d*)?(e[-+]\d+)?', re.IGNORECASE)


def test_members(model):
    weight = 10 * model.ball.mass
    model.solfec.contact_correction = 'OFF'  # the overlap stays
    model.run(5)
    contact, = model.solfec.constraints
    assert contact.kind == 'CONTACT' and contact.matlab == 'skin' and contact.spair == (2, 1)
    assert contact.adjbod == (model.ball, model.floor)
    base = numpy.array(contact.base).reshape(3, 3)  # row by row: columns are T1, T2, N
    assert base.T @ base == approx(numpy.eye(3)) and numpy.linalg.det(base) == approx(1)
    assert base[:, 2] == approx([0, 0, 1])  # outward of the floor, the second body
    assert contact.R == approx((0, 0, weight)) and contact.U == approx((0, 0, 0), abs=1E-9)
    assert contact.V == approx((0, 0, 0), abs=1E-9)
    assert contact.point[:2] == approx((0, 0), abs=1E-9) and -0.001 <= contact.point[2] <= 0
    assert contact.gap == approx(-0.001, rel=1E-3) and contact.area > 0
    assert 0 <= contact.merit < 1E-10


def test_a_contact_that_ended(model):
    contact = model.contact
    INITIAL_VELOCITY(model.ball, (0, 0, 10), (0, 0, 0))
    model.run(2)
    assert model.solfec.ncon == 0
    with pytest.raises(ValueError, match='CONSTRAINT.gap: this constraint has ended'):
        contact.gap


@pytest.mark.parametrize('exclude', [
    lambda m: CONTACT_EXCLUDE_BODIES(m.ball, m.floor), lambda m: CONTACT_EXCLUDE_BODIES(m.floor, m.ball),
    lambda m: CONTACT_EXCLUDE_SURFACES(m.solfec, 1, 2), lambda m: CONTACT_EXCLUDE_SURFACES(m.solfec, 2, 1),
    lambda m: CONTACT_EXCLUDE_OBJECTS(m.ball, (0, 0, 0.5), m.floor, (0, 0, -1)),
    lambda m: CONTACT_EXCLUDE_OBJECTS(m.floor, (0, 0, -1), m.ball, (0, 0, 0.5))])
def test_exclusions(exclude, model):
    other = BODY(model.solfec, 'RIGID', SPHERE((3, 3, 0.999), 1, 1, 3), model.material)
    exclude(model)
    model.run()
    assert [c.adjbod[0] for c in model.solfec.constraints] == [other]


def test_one_object_of_many(model):
    """Of a row of two cubes only one is excluded."""
    row = BODY(model.solfec, 'RIGID', [cube(2, 2, -0.001), cube(3.5, 2, -0.001)], model.material)
    CONTACT_EXCLUDE_BODIES(model.ball, model.floor)
    CONTACT_EXCLUDE_OBJECTS(row, (2.5, 2.5, 0.5), model.floor, (0, 0, -1))
    model.run()
    assert sorted(contact.point[0] for contact in model.solfec.constraints) == approx([3.5, 3.5, 4.5, 4.5])


def test_bodies_of_different_models(new_model):
    one, two = new_model(), new_model()
    for call in (lambda: CONTACT_EXCLUDE_BODIES(one.ball, two.ball),
                 lambda: CONTACT_EXCLUDE_OBJECTS(one.ball, (0, 0, 1), two.ball, (0, 0, 1))):
        with pytest.raises(ValueError, match="'body2': the two bodies belong to different SOLFEC objects"):
            call()


def two_columns(model, **sparsify):
    """A mesh of a thick and a thin element side by side on the floor; its contacts, one of each element."""
    model.solfec.contact_points = 'ONE'
    CONTACT_SPARSIFY(model.solfec, **sparsify)
    nodes = TRANSLATE(HEX(CORNERS, 2, 1, 1, 1, [2] * 6, dx=[1000, 1]), (2, 2, -0.001))
    BODY(model.solfec, 'RIGID', nodes, model.material)
    DELETE(model.solfec, model.ball)
    model.run()
    return model.solfec.ncon


def test_sparsification(new_model):
    assert two_columns(new_model(), threshold=0) == 2
    assert two_columns(new_model(), threshold=0.01) == 1  # the thin one has 1/1000 of the area of its neighbour
    assert two_columns(new_model(), threshold=0, minarea=0.5) == 1
    assert two_columns(new_model(), threshold=0, minarea=2) == 0
    assert two_columns(new_model(), threshold=0, mindist=1) == 1  # the points are 0.5 apart


def test_unphysical_penetration(model):
    UNPHYSICAL_PENETRATION(model.solfec, 0.01)
    model.run()
    BODY(model.solfec, 'RIGID', SPHERE((3, 3, 0.95), 1, 1, 2), model.material)
    with pytest.raises(RuntimeError, match='RUN: unphysical penetration at time 0.001: bodies 1? and 2 overlap by '
                                           '0.05|RUN: unphysical penetration at time 0.001: bodies 2 and 0 overlap'):
        model.run()
    assert model.solfec.time == 1E-3


def test_geometric_epsilon(model):
    """A gap below epsilon is a contact."""
    def count(epsilon):
        GEOMETRIC_EPSILON(epsilon)  # also of existing models
        model.run()
        return model.solfec.ncon

    GRAVITY(model.solfec, (0, 0, 0))
    DELETE(model.solfec, model.ball)
    BODY(model.solfec, 'RIGID', SPHERE((0, 0, 1 + 1E-4), 1, 1, 2), model.material)
    assert count(1E-6) == 0 and count(1E-2) == 1


def test_locdyn_dump(model, tmp_path):
    with pytest.raises(ValueError, match="LOCDYN_DUMP: 'solfec': no step has been made yet"):
        LOCDYN_DUMP(model.solfec, 'dump.txt')
    model.run()
    LOCDYN_DUMP(model.solfec, 'dump.txt')
    text = (tmp_path / 'dump.txt').read_text()
    numbers = [float(word) for word in text.split() if NUMBER.fullmatch(word)]
    contact = model.solfec.constraints[0]
    for value in contact.R + contact.U + contact.V:
        assert any(number == approx(value, rel=1E-6, abs=1E-12) for number in numbers), text
    # The block of W in the normal direction: h / m.
    assert any(number == approx(1E-3 / model.ball.mass, rel=1E-6) for number in numbers)
    with pytest.raises(RuntimeError, match="LOCDYN_DUMP: cannot write 'no/such/dump.txt': No such file or directory"):
        LOCDYN_DUMP(model.solfec, 'no/such/dump.txt')
    read = type(model)(model.solfec.outpath).run()
    for dump in (LOCDYN_DUMP, FCLIB_DUMP):
        with pytest.raises(ValueError, match=f"{dump.__name__}: 'solfec': results do not hold the local dynamics"):
            dump(read.solfec, 'dump.txt')
    DELETE(model.solfec, model.ball)
    with pytest.raises(ValueError, match='bodies or constraints were made or deleted since the last step'):
        LOCDYN_DUMP(model.solfec, 'dump.txt')
