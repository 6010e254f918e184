"""Springs between bodies of different ranks, points on given paths, and pressures."""

import pytest
from models import BEGINNING, assert_goes_on, assert_motion_of_one_rank, assert_same_rows
from ranks import start

RANKS = (1, 2, 4)

# Chains of boxes of all kinds whose neighbours live on other ranks, blown about by pressure.
CHAINS = BEGINNING + """\
s = SOLFEC(sys.argv[1] if len(sys.argv) > 1 and sys.argv[1] == 'QUASI_STATIC' else 'DYNAMIC', 1E-3, 'out')
s.verbose = 'OFF'
OUTPUT(s, 0.01)
IMBALANCE_TOLERANCE(s, 1.05)
GRAVITY(s, (0, 0, -10))
m = BULK_MATERIAL(s, young=1E7, density=1000)
SURFACE_MATERIAL(s, friction=0.3)
solver = GAUSS_SEIDEL_SOLVER(1E-12, 5000, 1E-16)
UNIT = (1, 0, 0, 0, 1, 0, 0, 0, 1)
driven = BODY(s, 'OBSTACLE', SPHERE((-5, 0, 0), 0.1, 1, 1), m)
SET_VELOCITY3(driven, driven.center, UNIT, (TIME_SERIES([0, 0, 1, 1]), 0, 0.5))
bodies, joints = [], []
for row in range(4):
    for n in range(4):
        x, y = 1.5 * n, 1.5 * row
        kind = ('RIGID', 'PSEUDO_RIGID', 'FINITE_ELEMENT')[(row + n) % 3]
        shape = HEX(corners(x-.2, y-.2, -.2, .4, .4, .4), 1, 1, 1, 1, [1, 2, 3, 4, 5, 6])
        body = BODY(s, kind, shape, m, form=('TL', 'BC')[row % 2])
        if kind != 'RIGID' and s.analysis == 'DYNAMIC':
            body.scheme, body.damping = 'DEF_LIM', s.step
        PRESSURE(body, 4, TIME_SERIES([0, 0, 1, 4E3 * (n - 1.5)]))
        if s.analysis == 'DYNAMIC':
            INITIAL_VELOCITY(body, (0.1 * row, 0.2 * n, 0.3), (row, n, 1))
        if n == 0:
            joints.append(SET_VELOCITY3(body, (x, y, 0), (0, 0, 1, 1, 0, 0, 0, 1, 0), (0, 0.1 * row, 0.2)))
        else:
            far = (x - 1.5 + 0.2, y, 0)
            joints.append(PUT_SPRING(bodies[-1], far, body, (x - .2, y, 0), lambda d, v: -2E4 * d - 50 * v,
                                     (-0.2, 0.1)))
        bodies.append(body)
joints.append(PUT_SPRING(bodies[1], (1.5, 0, 0), bodies[14], (3, 4.5, 0), lambda d, v: -500 * math.tanh(d), None,
                         (0, 1, 1), 'CONV2'))
joints.append(PUT_SPRING(driven, driven.center, bodies[7], (4.5, 1.5, 0), lambda d, v: -1E3 * d, (-1, 1), (1, 0, 0),
                         'FIXED'))
"""


def test_local_dynamics_are_the_same_to_the_last_bit(tmp_path):
    assert_same_rows(CHAINS, RANKS, tmp_path, 17, 18)


@pytest.mark.parametrize('analysis', ('DYNAMIC', 'QUASI_STATIC'))
def test_motion_is_that_of_one_rank(analysis, tmp_path):
    script = CHAINS + """
RUN(s, solver, 0.2)
tell(states=states(), ncon=s.ncon, moved=DISPLACEMENT(driven, driven.center))
"""
    for told in assert_motion_of_one_rank(script, RANKS, tmp_path, analysis, bodies=16, constraints=17):
        assert all(rank['ncon'] == 18 for rank in told)
        assert all(rank['moved'] == pytest.approx([0.02, 0, 0.1], abs=1E-12) for rank in told)


@pytest.mark.parametrize('ranks, others', ((2, (2, 3, 1)), (3, ('serial', 4))))
def test_goes_on(ranks, others, tmp_path):
    """On as many ranks to the last bit, on others within the solver's tolerance."""
    assert_goes_on(CHAINS, ranks, others, tmp_path, 0.1, 0.05)


def test_spring_of_a_callback(tmp_path):
    """Made by all ranks between bodies of which none knows both: its stroke counts from there. One rank deletes it."""
    script = """
        left, right = ball(-1), ball(1)
        INITIAL_VELOCITY(left, (1, 0, 0), (0, 0, 0))
        strokes, made = [], []
        def force(stroke, velocity):
            strokes.append((stroke, velocity))
            return 0
        def call():
            if abs(s.time - 0.01) < 1E-6:
                made.append(PUT_SPRING(left, left.center, right, right.center, force, None))
                made.append(PUT_SPRING(right, right.center, left, left.center, force, (-1, 1), (1, 0, 0), 'CONV1'))
            if abs(s.time - 0.02) < 1E-6 and RANK() == 0:
                for spring in made:
                    DELETE(s, spring)
        CALLBACK(s, 1E-3, (), call)
        run(30)
        tell(strokes=strokes, ncon=s.ncon)
        """
    for ranks in (1, 2, 3):
        directory = tmp_path / str(ranks)
        directory.mkdir()
        told = start(directory, ranks, script).well()
        assert all(rank['ncon'] == 0 for rank in told)
        strokes = sorted(pair for rank in told for pair in rank['strokes'])
        # Both become shorter by the way of the body: the second one points against its direction.
        assert [pair[0] for pair in strokes] == pytest.approx(
            sorted(-1E-3 * (k + 0.5) for k in range(10) for spring in range(2)), abs=1E-9)
        assert all(pair[1] == pytest.approx(-1, abs=1E-9) for pair in strokes)


@pytest.mark.parametrize('wrong, message', (
    ('1 / 0', 'PUT_SPRING: the function has raised ZeroDivisionError: division by zero'),
    ("'x'", "PUT_SPRING: what the function returned must be a number; got 'x' (str)")))
def test_function_that_fails_on_one_rank(wrong, message, tmp_path):
    """All ranks get an error that names the command, and may go on."""
    script = f"""
        left, right, far = ball(-1), ball(1), ball(3)
        failing = [True]
        def force(stroke, velocity):
            return {wrong} if failing[0] and s.time > 2.5E-3 else 0
        PUT_SPRING(left, left.center, right, right.center, force, None)
        PUT_SPRING(far, far.center, None, (30, 0, 1), lambda d, v: 0, None)
        try:
            run(10)
        except Exception as error:
            text = str(error)
        failing[0] = False
        failed = s.time
        run(2)
        tell(text=text, failed=failed, time=s.time)
        """
    for ranks in (1, 3):
        directory = tmp_path / str(ranks)
        directory.mkdir()
        for rank in start(directory, ranks, script).well():
            assert message in rank['text']
            assert rank['failed'] == pytest.approx(3E-3) and rank['time'] == pytest.approx(5E-3)


def test_springs_made_on_one_rank_only(tmp_path):
    script = """
        balls = [ball(k) for k in range(3)]
        if RANK() == 1:
            PUT_SPRING(balls[0], balls[0].center, balls[1], balls[1].center, lambda d, v: 0, None)
        run()
        """
    done = start(tmp_path, 3, script)
    assert done.code == 1 and any('PUT_SPRING' in line for line in done.errors()), done.err


def test_parts_under_pressure(tmp_path):
    """A partitioned beam on ranks bends as the whole does on one."""
    script = """
        s.step = 5E-4
        corners = [0, 0, 0, 6, 0, 0, 6, 1, 0, 0, 1, 0, 0, 0, 1, 6, 0, 1, 6, 1, 1, 0, 1, 1]
        soft = BULK_MATERIAL(s, young=1E6, density=1000, label='soft')
        beam = BODY(s, 'FINITE_ELEMENT', HEX(corners, 6, 2, 2, 1, [1, 2, 3, 4, 5, 6]), soft)
        beam.scheme = 'DEF_LIM'
        PRESSURE(beam, 6, TIME_SERIES([0, -1000, 1, -3000]))
        parts = PARTITION(beam, 4) if NCPU() > 1 else [beam]
        solver = GAUSS_SEIDEL_SOLVER(1E-12, 5000, 1E-18)
        run(40)
        places = {}
        for body in parts:
            if HERE(s, body):
                for x in range(7):
                    try:
                        places[x] = DISPLACEMENT(body, (x, 1, 1))
                    except ValueError:
                        pass  # of another part
        tell(places=places)
        """
    places = []
    for ranks in (1, 3):
        directory = tmp_path / str(ranks)
        directory.mkdir()
        told = start(directory, ranks, script).well()
        places.append({x: u for rank in told for x, u in rank['places'].items()})
    assert len(places[0]) == 7 and places[0]['6'][2] < -1E-4
    for x, u in places[0].items():
        assert places[1][x] == pytest.approx(u, abs=1E-8)
