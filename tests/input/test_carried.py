"""Bodies that turn with what carries them: they stay, their reactions do not grow; docs/evidence/rolling.py has long
runs."""

import math

import numpy
import pytest
from conftest import box, cube
from pytest import approx
from table import Table

from solfec import *

OMEGA = 2.0


def turning_table(name, step, correction='ON', friction=1.0, omega=OMEGA):
    table = Table(name, step, correction, friction)
    INITIAL_VELOCITY(table.table, (0, 0, 0), (0, 0, omega))
    table.solver = AUTO_SOLVER(1E-12)
    return table


def carry(body, omega=OMEGA):
    x, y, _ = body.center
    INITIAL_VELOCITY(body, (-omega * y, omega * x, 0), (0, 0, omega))
    return body


def weight(*bodies):
    return 10 * sum(body.mass for body in bodies)


class Largest:
    """Of the reactions, over all steps from now on."""

    def __init__(self, table):
        self.reaction, self.table = 0, table
        CALLBACK(table.solfec, table.solfec.step, None, self.look)

    def look(self):
        self.reaction = max([self.reaction] + [math.hypot(*c.R) for c in self.table.solfec.constraints])
        return True


@pytest.mark.parametrize('correction', ('ON', 'AHEAD'))
@pytest.mark.parametrize('count', (1, 2))
def test_blocks_that_stick_to_a_turntable_stay(correction, count):
    """With the velocities of mid-step they go out by exp(omega^2 h t / 2): 4E-3 m in 4 s."""
    table = turning_table('carried', 1E-3, correction)
    blocks = [carry(table.put(cube(0.4, -0.1, 0.2 * k, 0.2))) for k in range(count)]
    table.run(2.0)
    early = [math.hypot(*block.conf[9:11]) for block in blocks]
    t = table.run(2.0).solfec.time
    for block, before in zip(blocks, early):
        x, y = block.conf[9:11]
        assert before == approx(0.5, abs=2E-6)  # the first step knows of no contact
        assert math.hypot(x, y) == approx(before, abs=1E-7)
        assert math.dist((x, y), (0.5 * math.cos(OMEGA * t), 0.5 * math.sin(OMEGA * t))) < 2E-5
    on_table = [c for c in table.solfec.constraints if table.table in c.adjbod]
    force = sum(numpy.array(c.base).reshape(3, 3) @ c.R for c in on_table)
    assert math.hypot(*force[:2]) == approx(sum(b.mass for b in blocks) * OMEGA**2 * 0.5, rel=1E-4)


def tipped_edge(step):
    """How far the edge that sticks has moved while a plank falls about it."""
    table = Table('tipping%g' % step, step, 'AHEAD', friction=5.0)
    edge = (0.05, 0, 0)
    plank = table.put(ROTATE(box((-0.05, -0.1, 0), (0.05, 0.1, 1)), edge, (0, 1, 0), 30))
    table.run(0.3)
    return math.hypot(*DISPLACEMENT(plank, edge))


def test_the_edge_about_which_a_plank_tips_stays():
    fine, coarse = tipped_edge(5E-4), tipped_edge(1E-3)
    assert coarse < 3E-6
    assert math.log2(coarse / fine) > 1.8


def wedge_between_walls(table, omega):
    slope = math.tan(math.radians(15))

    def prism(centre, *corners):  # in x and z
        return HULL([v for x, z in corners for y in (-0.1, 0.1) for v in (centre + x, y, z)], 1, 1)

    # Two pairs, so that the mass centre is on the axis.
    walls = [prism(centre, *((side * (z * slope + d), z) for z in (0, 0.45) for d in (0, 0.1)))
             for centre in (-0.5, 0.5) for side in (-1, 1)]
    INITIAL_VELOCITY(table.put(walls, 'OBSTACLE'), (0, 0, 0), (0, 0, omega))
    return carry(table.put(prism(0.5, *((side * z * slope, z) for z in (0.1, 0.3) for side in (-1, 1)))), omega)


def test_a_jammed_wedge_that_goes_round_has_reactions_of_its_weight():
    """Reactions that balance each other grew by e in two seconds, while they were kept in space from step to step."""
    omega = 3.0
    table = turning_table('wedge', 4E-3, friction=0.5, omega=omega)
    wedge = wedge_between_walls(table, omega)
    largest = Largest(table)
    table.run(5.0)
    assert largest.reaction < weight(wedge)
    assert math.hypot(*wedge.conf[9:11]) == approx(math.hypot(*wedge.center[:2]), abs=5E-5)
    assert table.solver.iters <= 3


def test_a_glued_wall_that_goes_round_has_reactions_of_its_weight():
    table = turning_table('glued', 4E-3, friction=0.8)
    SURFACE_MATERIAL(table.solfec, 2, 2, friction=0.8, cohesion=1E12)
    bricks = []
    for z in range(3):
        for k in range(3):
            x = (k - 2 + 0.25 * (z % 2)) * 0.2
            bricks.append(carry(table.put(box((x, 0.3, z * 0.1), (x + 0.2, 0.4, z * 0.1 + 0.1), 2))))
    largest = Largest(table)
    table.run(6.0)
    assert largest.reaction < 0.25 * weight(*bricks)  # 0.17; 5 with reactions kept in space
    for brick in bricks:
        assert math.hypot(*brick.conf[9:11]) == approx(math.hypot(*brick.center[:2]), abs=5E-5)
