"""Finite-element bodies on ranks: rows of cubes that fall, touch, slide and are joined."""

import pytest
from models import (BEGINNING, assert_goes_on, assert_motion_of_one_rank, assert_same_rows, merged, start_model)

RANKS = (1, 2, 3, 4)

CUBES = BEGINNING + """\
s = SOLFEC('DYNAMIC', 5E-4, 'out')
s.verbose, s.contact_points = 'OFF', 'ONE'
OUTPUT(s, 0.005)
IMBALANCE_TOLERANCE(s, 1.05)
GRAVITY(s, (0, 0, -10))
m = BULK_MATERIAL(s, young=1E6, poisson=0.3, density=1000)
SURFACE_MATERIAL(s, friction=0.3)
solver = GAUSS_SEIDEL_SOLVER(float(tolerance), 5000, {'1E-12': 1E-10, '1E-6': 1E-6}.get(tolerance, 1))
BODY(s, 'OBSTACLE', HULL(corners(-9, -9, -1, 18, 18, 1), 1, 1), m)
bodies = []
for row in range(4):
    for n in range(3):
        x, y, z = 0.0999 * row, 0.3 * n + 0.01 * row, 0.03 * (row % 2) - 1E-5
        cube = HEX(corners(x, y, z, .1, .1, .1), 2, 2, 1 + n, 1, [1] * 6)
        bodies.append(BODY(s, 'FINITE_ELEMENT', cube, m, form=('TL', 'BC')[row % 2]))
        bodies[-1].scheme, bodies[-1].damping = 'DEF_LIM', s.step
        INITIAL_VELOCITY(bodies[-1], (0.5 * n - 0.5, 0.3 * row - 0.5, 0), (row, n, 0))
joints = []
for row in range(1, 4):
    one, two = bodies[3 * row - 3], bodies[3 * row]
    between = [(a + b) / 2 for a, b in zip(one.center, two.center)]
    nearest = lambda body: [min(max(v, c - 0.03), c + 0.03) for v, c in zip(between, body.center)]
    joints.append(PUT_RIGID_LINK(one, two, nearest(one), nearest(two)))
far = bodies[1], bodies[11]
joints.append(PUT_RIGID_LINK(*far, far[0].center, far[1].center))
joints.append(FIX_DIRECTION(bodies[2], bodies[2].center, (1, 0, 0)))
"""


def test_local_dynamics_are_the_same_to_the_last_bit(tmp_path):
    assert_same_rows(CUBES, RANKS, tmp_path, 30, 200, '1E-1')


def test_motion_is_that_of_one_rank(tmp_path):
    script = CUBES + 'RUN(s, solver, 0.01)\ntell(states=states(), ncon=s.ncon)\n'
    assert_motion_of_one_rank(script, RANKS, tmp_path, bodies=12, constraints=30)


def test_migration(tmp_path):
    """Bodies slide from rank to rank and stay as many as they were, with their joints."""
    script = """
homes = None
def look():
    global homes, moves
    here = {body.id for body in bodies if HERE(s, body)}
    homes = homes or here
    moves += len(here - homes)
moves = 0
CALLBACK(s, 0.005, (), look)
RUN(s, solver, 0.15)
kept = [abs(math.dist(j.point[:3], j.point[3:]) - length) for j, length in
        zip(joints[3:4], [math.dist(far[0].center, far[1].center)]) if HERE(s, j)]
tell(states=states(), moves=moves, kept=kept, nbod=s.nbod)
"""
    told = start_model(tmp_path, 3, CUBES + script, '1E-6').well()
    assert len(merged(told, 'states')) == 12 and all(rank['nbod'] == 13 for rank in told)
    assert sum(rank['moves'] for rank in told) > 0
    kept, = (kept for rank in told for kept in rank['kept'])
    assert kept < 1E-3


@pytest.mark.parametrize('ranks, others', ((2, (2, 3, 1)), (3, ('serial', 4))))
def test_goes_on(ranks, others, tmp_path):
    """On as many ranks to the last bit, on others within the solver's tolerance."""
    assert_goes_on(CUBES, ranks, others, tmp_path, 0.01, 0.005)


def test_initial_state(tmp_path):
    script = CUBES + """
if 'second' in sys.argv:
    INITIALIZE_STATE(s, 'first/out', 1)
else:
    RUN(s, solver, 0.01)
tell(states=states(), velocities={body.id: body.velo for body in bodies if HERE(s, body)})
"""
    for ranks in (1, 3):
        directory = tmp_path / str(ranks)
        (directory / 'first').mkdir(parents=True)
        first = start_model(directory / 'first', ranks, script, '1E-6').well()
        second = start_model(directory, ranks, script, '1E-6', 'second').well()
        for name in ('states', 'velocities'):
            assert merged(first, name) == merged(second, name)


TONGS = BEGINNING + """\
s = SOLFEC('DYNAMIC', 5E-4, 'out')
s.verbose, s.contact_points = 'OFF', 'ONE'
IMBALANCE_TOLERANCE(s, 1.05)
m = BULK_MATERIAL(s, young=1E6, poisson=0.2, density=1000)
SURFACE_MATERIAL(s, friction=0.3)
solver = GAUSS_SEIDEL_SOLVER(1E-12, 5000, 1E-12)
def tongs(y):
    # Two arms on a common base whose tips overlap a little.
    xs, cells = (0, 0.1, 0.12, 0.22), [(x, 0) for x in range(3)] + [(x, z) for z in range(1, 5) for x in (0, 2)]
    numbers, nodes, elements = {}, [], []
    for cell in cells:
        element = []
        for dx, dy, dz in ((0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)):
            corner = (cell[0] + dx, dy, cell[1] + dz)
            if corner not in numbers:
                numbers[corner] = len(nodes) // 3
                lean = max(corner[2] - 1, 0) * 0.01005 / 4
                nodes += [xs[corner[0]] + (lean if corner[0] < 2 else -lean), y + 0.1 * dy, 0.1 * corner[2]]
            element.append(numbers[corner])
        elements += [8, *element, 1]
    return MESH(nodes, elements, 1)
bodies = []
for n in range(4):
    bodies.append(BODY(s, 'FINITE_ELEMENT', tongs(0.09999 * n), m, form=('TL', 'BC')[n % 2]))
    bodies[-1].scheme, bodies[-1].selfcontact = 'DEF_LIM', 'ON'
    INITIAL_VELOCITY(bodies[-1], (0, 0.4 - 0.2 * n, 0), (0, 0.5 * n, 0))
"""


def test_contact_of_bodies_with_themselves(tmp_path):
    """The same rows on any number of ranks, and the same motion."""
    (tmp_path / 'rows').mkdir()
    assert_same_rows(TONGS, RANKS, tmp_path / 'rows', 3, 3)
    script = """
RUN(s, solver, s.step)
own = [con for con in s.constraints if con.adjbod[0] == con.adjbod[1]]
RUN(s, solver, 0.01)
tell(states=states(), ncon=s.ncon, own=len(own))
"""
    for told in assert_motion_of_one_rank(TONGS + script, RANKS, tmp_path, bodies=4, constraints=3):
        assert sum(rank['own'] for rank in told) >= 4


def test_contact_at_nodes(tmp_path):
    """Cubes of both forms, some touched at nodes, some not: bodies of either kind are ghosts."""
    script = CUBES + """
for n, body in enumerate(bodies):
    body.nodecontact = ('ON', 'OFF')[n % 3 // 2]
"""
    (tmp_path / 'rows').mkdir()
    assert_same_rows(script, RANKS, tmp_path / 'rows', 100, 400, '1E-1')
    script += 'RUN(s, solver, 0.01)\ntell(states=states(), ncon=s.ncon)\n'
    assert_motion_of_one_rank(script, RANKS, tmp_path, bodies=12, constraints=40)
