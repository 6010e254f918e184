"""A wall of bricks of all kinds, pushed by a plate, in quasi-static steps on ranks."""

import pytest
from models import TELL, assert_goes_on, merged, start_model
from ranks import start

WALL = f"""\
import json, math, os, signal, sys
{TELL}
s = SOLFEC('QUASI_STATIC', 1E-2, 'out')
s.verbose, s.contact_points = 'OFF', 'MANY'
OUTPUT(s, 0.05)
IMBALANCE_TOLERANCE(s, 1.05)
GRAVITY(s, (0, 0, -10))
m = BULK_MATERIAL(s, young=1E7, poisson=0.2, density=1000)
SURFACE_MATERIAL(s, friction=0.4)
solver = GAUSS_SEIDEL_SOLVER(1E-11, 5000, 1E-18)
def corners(x, y, z, a, b, c):
    return [x, y, z, x+a, y, z, x+a, y+b, z, x, y+b, z, x, y, z+c, x+a, y, z+c, x+a, y+b, z+c, x, y+b, z+c]
BODY(s, 'OBSTACLE', HULL(corners(-9, -9, -1, 18, 18, 1), 1, 1), m)
plate = BODY(s, 'OBSTACLE', HULL(corners(-0.3, -0.1, 0.02, 0.29, 0.4, 0.16), 1, 1), m)
SET_VELOCITY(plate, plate.center, (1, 0, 0), 0.05)
bodies = []
for row in range(3):
    for n in range(3):
        brick = corners(0.41 * n + 0.2 * (row % 2), 0, 0.2 * row - 1E-5 * (row + 1), 0.4, 0.2, 0.2)
        kind = ('RIGID', 'PSEUDO_RIGID', 'FINITE_ELEMENT')[(row + n) % 3]
        shape = HEX(brick, 2, 1, 1, 1, [1] * 6) if kind == 'FINITE_ELEMENT' else HULL(brick, 1, 1)
        bodies.append(BODY(s, kind, shape, m, form=('TL', 'BC')[n % 2]))
joints = [PUT_RIGID_LINK(bodies[0], bodies[5], bodies[0].center, bodies[5].center)]
def states():
    return {{body.id: body.conf for body in bodies if HERE(s, body)}}
"""


def test_local_dynamics_are_the_same_to_the_last_bit(tmp_path):
    texts = []
    for ranks in (1, 2, 3, 4):
        directory = tmp_path / str(ranks)
        directory.mkdir()
        start(directory, ranks, "RUN(s, solver, s.step); LOCDYN_DUMP(s, 'dump')", head=WALL).well()
        lines = (directory / 'dump').read_text().splitlines()
        texts.append('\n'.join(line for line in lines if line[:3] not in ('  U', '  R')))
    assert texts[0].count('row ') > 20
    assert all(text == texts[0] for text in texts)


def test_states_are_those_of_one_rank(tmp_path):
    wanted = None
    for ranks in (1, 2, 3, 4):
        directory = tmp_path / str(ranks)
        directory.mkdir()
        told = start_model(directory, ranks, WALL + 'RUN(s, solver, 0.3)\ntell(states=states(), ncon=s.ncon)\n').well()
        states = merged(told, 'states')
        assert len(states) == 9 and told[0]['ncon'] > 20
        wanted = wanted or states
        for body, conf in states.items():
            assert conf == pytest.approx(wanted[body], abs=1E-6)


def test_goes_on(tmp_path):
    script = WALL + """
RUN(s, solver, 0.1)
if 'half' in sys.argv:
    sys.exit(0)
RUN(s, solver, 0.05)
tell(states=states())
"""
    assert_goes_on(script, 2, (2, 3), tmp_path, 1E-6)
