"""Glued parts on ranks: a row of beams that fall on a floor, one of them held, each in parts."""

import pytest
from models import BEGINNING, assert_goes_on, assert_same_rows, merged, start_model
from ranks import start

RANKS = (1, 2, 4)

BEAMS = BEGINNING + """\
s = SOLFEC('DYNAMIC', 1E-3, 'out')
s.verbose = 'OFF'
OUTPUT(s, 0.005)
IMBALANCE_TOLERANCE(s, 1.05)
GRAVITY(s, (0, 0, -10))
m = BULK_MATERIAL(s, young=1E6, poisson=0.3, density=1000)
SURFACE_MATERIAL(s, friction=0.3)
solver = GAUSS_SEIDEL_SOLVER(float(tolerance), 20000, 1E-16 if tolerance == '1E-12' else 1)
BODY(s, 'OBSTACLE', HULL(corners(-9, -9, -1, 18, 18, 1), 1, 1), m)
ball = BODY(s, 'RIGID', SPHERE((1.5, 1.1, 0.6), 0.1, 1, 1), m)
bodies = []
for n in range(2):
    y, z = 0.4 * n, 0.3 * n - 1E-5
    beam = BODY(s, 'FINITE_ELEMENT', HEX(corners(0, y, z, 2, .2, .2), 8, 1, 1, 1, [1] * 6), m, f'beam{n}')
    beam.scheme, beam.damping = 'DEF_LIM', s.step
    INITIAL_VELOCITY(beam, (0.5, 0, 0), (0, 0, 0.2))
    bodies.append(beam)
for y in (0.4, 0.6):
    FIX_POINT(bodies[1], (0, y, 0.3))
FORCE(bodies[0], 'SPATIAL', (2, 0.1, 0.1), (0, 0, 1), 100)
PUT_RIGID_LINK(ball, bodies[1], ball.center, (1.5, 0.6, 0.4))
parts = bodies if 'whole' in words else PARTITION(bodies[0], 4) + PARTITION(bodies[1], 3)
def states():
    return {body.id: body.conf for body in [*parts, ball] if HERE(s, body)}
def displacements():
    result = {}
    for n, i, j, k in itertools.product((0, 1), range(9), (0, 1), (0, 1)):
        point = (i / 4, 0.4 * n + 0.2 * j, 0.3 * n - 1E-5 + 0.2 * k)
        for part in parts:
            try:
                if HERE(s, part):
                    result[f'{n} {i} {j} {k}'] = DISPLACEMENT(part, point)
            except ValueError:
                pass  # of another part
    return result
"""


def test_local_dynamics_are_the_same_to_the_last_bit(tmp_path):
    assert_same_rows(BEAMS, RANKS, tmp_path, 23, 60, '1E-1')


def test_motion_is_that_of_the_whole(tmp_path):
    """On any number of ranks that of bodies in one piece, up to what implicit steps of parts find by themselves
    (theory, section 9, Glue); parts are on several of them."""
    script = BEAMS + """
RUN(s, solver, 0.02)
glue = [con for con in s.constraints if con.kind == 'GLUE']
tell(displacements=displacements(), glue=len(glue), ncon=s.ncon, nbod=s.nbod, energy=ENERGY(s),
     labels=[part.label for part in parts], mass=sum(part.mass for part in parts),
     here=sum(HERE(s, part) for part in parts))
"""
    (tmp_path / 'whole').mkdir()
    whole, = start_model(tmp_path / 'whole', 1, script, '1E-12', 'whole').well()
    assert len(whole['displacements']) == 72 and whole['glue'] == 0
    for ranks in RANKS:
        directory = tmp_path / str(ranks)
        directory.mkdir()
        told = start_model(directory, ranks, script).well()
        seen = set()
        for rank in told:
            seen.update(rank['displacements'])
            for point, way in rank['displacements'].items():
                assert way == pytest.approx(whole['displacements'][point], abs=1E-7)
            # 20 glued nodes; one of the six on the floor at cuts touches once for each of its parts.
            assert rank['nbod'] == 9 and rank['ncon'] - whole['ncon'] == 20 + 6
            assert rank['mass'] == pytest.approx(160)
            assert rank['labels'] == [f'beam0_PART{k}' for k in (1, 2, 3, 4)] + [f'beam1_PART{k}' for k in (1, 2, 3)]
            assert rank['energy'] == pytest.approx(whole['energy'], rel=1E-5, abs=1E-6)
        assert len(seen) == 72 and sum(rank['glue'] for rank in told) == 5 * 4
        # One of four ranks may be left with the ball alone.
        assert sum(rank['here'] for rank in told) == 7 and sum(rank['here'] > 0 for rank in told) >= min(ranks, 3)


@pytest.mark.parametrize('ranks, others', ((3, (3, 'serial')),))
def test_goes_on(ranks, others, tmp_path):
    assert_goes_on(BEAMS, ranks, others, tmp_path, 0.01, 0.005)


def test_results_are_read(tmp_path):
    """Written on two ranks, read on three and on one."""
    script = BEAMS + "RUN(s, solver, 0.01)\nif s.mode == 'READ': SEEK(s, 1)\ntell(states=states(), mode=s.mode)\n"
    written = start_model(tmp_path, 2, script, '1E-6').well()
    for ranks in (3, 'serial'):
        read = start_model(tmp_path, ranks, script, '1E-6').well()
        assert all(rank['mode'] == 'READ' for rank in read)
        assert merged(read, 'states') == merged(written, 'states')


def test_errors_are_those_of_all_ranks(tmp_path):
    """And leave the model as it was; who comes alone, or with other values, is told so."""
    script = """
        corners = [0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1]
        body = BODY(s, 'FINITE_ELEMENT', HEX(corners, 3, 1, 1, 1, [1] * 6), m)
        other = BODY(s, 'FINITE_ELEMENT', HEX(corners, 3, 1, 1, 1, [1] * 6), m)
        FORCE(other, 'SPATIAL', (0, 0, 0), (0, 0, 1), lambda q, u, t, h: [0] * len(q))
        errors = []
        def attempt(*arguments):
            try:
                PARTITION(*arguments)
            except Exception as error:
                errors.append(f'{type(error).__name__}: {error}')
        attempt(ball(3), 2)
        attempt(body, 4)
        attempt(other, 2)
        attempt(body, 2 + RANK())
        parts = PARTITION(body, 2)
        attempt(parts[0], 2)
        tell(errors=errors, nbod=s.nbod)
        """
    told = start(tmp_path, 2, script).alike()
    assert told['nbod'] == 4
    wanted = ("ValueError: PARTITION: 'body': only a FINITE_ELEMENT body can be divided",
              "ValueError: PARTITION: 'parts' must be at most 3, the number of elements of the mesh; got 4",
              "ValueError: PARTITION: 'body': the callback of a FORCE acts on the whole body",
              'RuntimeError: PARTITION: every rank must run the same script with the same values',
              "ValueError: PARTITION: 'body': this BODY is a part already")
    assert len(told['errors']) == len(wanted)
    for error, beginning in zip(told['errors'], wanted):
        assert error.startswith(beginning)
    alone = start(tmp_path, 2, """
        body = BODY(s, 'FINITE_ELEMENT', HEX([0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1],
                                             3, 1, 1, 1, [1] * 6), m)
        if RANK() == 1:
            PARTITION(body, 2)
        run()
        """)
    assert alone.code != 0 and 'rank 0 is about to RUN while rank 1 is at PARTITION' in alone.err


def test_exclusions_of_the_body(tmp_path):
    """Pieces are known to their owners only: what was excluded of the body is excluded of its parts."""
    script = """
        GRAVITY(s, (0, 0, -10))
        corners = [0, 0, 0, 4, 0, 0, 4, 1, 0, 0, 1, 0, 0, 0, 1, 4, 0, 1, 4, 1, 1, 0, 1, 1]
        body = BODY(s, 'FINITE_ELEMENT', HEX(corners, 4, 1, 1, 1, [1] * 6), m)
        balls = [BODY(s, 'RIGID', SPHERE((x, 0.5, 1.09), 0.1, 1, 1), m) for x in (0.5, 1.5, 2.5, 3.5)]
        CONTACT_EXCLUDE_OBJECTS(balls[0], balls[0].center, body, (0.5, 0.5, 0.5))
        CONTACT_EXCLUDE_OBJECTS(body, (3.5, 0.5, 0.5), balls[3], balls[3].center)
        CONTACT_EXCLUDE_BODIES(body, balls[2])
        parts = PARTITION(body, 3)
        run()
        tell(bodies=[[b.id for b in con.adjbod] for con in s.constraints if con.kind == 'CONTACT'], touched=balls[1].id)
        """
    for ranks in (1, 3):
        directory = tmp_path / str(ranks)
        directory.mkdir()
        told = start(directory, ranks, script).well()
        pairs = [pair for rank in told for pair in rank['bodies']]
        assert pairs and all(told[0]['touched'] in pair for pair in pairs)
