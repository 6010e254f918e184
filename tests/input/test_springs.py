"""PUT_SPRING: oscillators, dampers, stops, directions, statics."""

import itertools
import math

import pytest
from pytest import approx

from solfec import *
from solfec.results import Results

OUTPUTS = (f'spring{number}' for number in itertools.count())
inf = math.inf


def model(step=1E-3, gravity=(0, 0, 0), analysis='DYNAMIC'):
    solfec = SOLFEC(analysis, step, next(OUTPUTS))
    solfec.verbose = 'OFF'
    BULK_MATERIAL(solfec, density=1000)
    SURFACE_MATERIAL(solfec)
    GRAVITY(solfec, gravity)
    return solfec


def mass(solfec, center, m=1.0, kind='RIGID'):
    """A small body of this mass, and inertia m."""
    body = BODY(solfec, kind, SPHERE(center, 0.01, 1, 1), 'BULK_MATERIAL_0')
    if kind != 'OBSTACLE':
        BODY_CHARS(body, m, 1, center, (m, 0, 0, 0, m, 0, 0, 0, m))
    return body


def run(solfec, time):
    RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-10, 1000, 1E-14), time)


def each_step(solfec, look, time):
    CALLBACK(solfec, 1E-9, (), look)
    run(solfec, time)


def linear(k, c=0):
    return lambda stroke, velocity: -k * stroke - c * velocity


def test_oscillator_of_second_order():
    def error(step):
        solfec = model(step)
        body = mass(solfec, (1, 0, 0), 2.0)
        INITIAL_VELOCITY(body, (0.3, 0, 0), (0, 0, 0))
        spring = PUT_SPRING(body, (1, 0, 0), None, (0, 0, 0), linear(50), None)
        assert spring.kind == 'SPRING'
        worst = []
        each_step(solfec, lambda: worst.append(abs(body.conf[9] - 1 - 0.06 * math.sin(5 * solfec.time))), 2.0)
        assert spring.R[2] == approx(-50 * (body.conf[9] - 1), abs=0.5 * 50 * 0.31 * step)
        return max(worst)
    errors = [error(4E-3 / 2**n) for n in range(3)]
    assert errors[0] < 1E-4
    assert all(3.8 < a / b < 4.2 for a, b in zip(errors, errors[1:]))


def test_damper():
    """v = v0 exp(-c t / m), to first order."""
    def error(step):
        solfec = model(step)
        body = mass(solfec, (1, 0, 0), 2.0)
        INITIAL_VELOCITY(body, (1, 0, 0), (0, 0, 0))
        PUT_SPRING(body, (1, 0, 0), None, (0, 0, 0), linear(0, 4), None)
        run(solfec, 1.0)
        return abs(body.velo[3] - math.exp(-2))
    errors = [error(1E-2 / 2**n) for n in range(3)]
    assert errors[0] < 3E-3 and all(1.9 < a / b < 2.1 for a, b in zip(errors, errors[1:]))


def test_stability_limit():
    """h^2 k / m + 2 h c / m < 4."""
    for factor, stable in ((0.99, True), (1.01, False)):
        for k, c in ((4E6, 0), (2E6, 1000), (0, 2000)):
            solfec = model(1E-3)
            body = mass(solfec, (1, 0, 0))
            INITIAL_VELOCITY(body, (1E-6, 0, 0), (0, 0, 0))
            PUT_SPRING(body, (1, 0, 0), None, (0, 0, 0), linear(factor * k, factor * c), None)
            run(solfec, 2.0)
            assert (abs(body.velo[3]) < 1E-4) == stable, (factor, k, c)


def test_energy_of_a_nonlinear_spring():
    """force = -a s^3: what the motion loses the spring has; the work that it does is EXTERNAL."""
    solfec = model(5E-4)
    body = mass(solfec, (0, 2, 0))
    INITIAL_VELOCITY(body, (0, 1, 0), (0, 0, 0))
    PUT_SPRING(body, (0, 2, 0), None, (0, 0, 0), lambda s, v: -30 * s**3, None)
    energies, strokes = [], []

    def look():
        stroke = body.conf[10] - 2
        strokes.append(stroke)
        kinetic, _, external, _, _ = ENERGY(solfec, body)
        assert kinetic - 0.5 == approx(external, abs=1E-12)
        energies.append(kinetic + 30 * stroke**4 / 4)
    each_step(solfec, look, 5.0)
    assert max(abs(e - 0.5) for e in energies) < 1E-5
    assert max(strokes) == approx((2 / 30)**0.25, abs=1E-4) and min(strokes) == approx(-(2 / 30)**0.25, abs=1E-4)


@pytest.mark.parametrize('kinds', (('RIGID', 'RIGID'), ('PSEUDO_RIGID', 'RIGID'), ('OBSTACLE', 'RIGID')))
def test_two_bodies(kinds):
    """They swing about each other: momenta are conserved. An obstacle that is first is held by nobody."""
    solfec = model()
    one = BODY(solfec, kinds[0], SPHERE((0, 0, 0), 0.1, 1, 1), 'BULK_MATERIAL_0')
    two = BODY(solfec, kinds[1], SPHERE((1, 0, 0), 0.1, 1, 1), 'BULK_MATERIAL_0')
    if kinds[0] == 'PSEUDO_RIGID':
        one.scheme = 'DEF_LIM'
    m = two.mass
    INITIAL_VELOCITY(two, (0.2, 0.5, 0), (1, 0, 0))
    spring = PUT_SPRING(one, (0, 0.05, 0), two, (1, 0, 0.05), linear(100, 1), (-0.5, 0.5))
    assert [b.id for b in spring.adjbod] == [one.id, two.id]
    each_step(solfec, lambda: None, 0.5)
    p, q = spring.point[:3], spring.point[3:]
    assert spring.base[2::3] == approx([(a - b) / math.dist(p, q) for a, b in zip(p, q)])
    if kinds[0] == 'OBSTACLE':
        assert two.velo[4] != approx(0.5)
        return
    momentum = [a + b for a, b in zip(one.velo[-3:], two.velo[-3:])]
    assert momentum == approx((0.2, 0.5, 0), abs=1E-12)
    if kinds[0] == 'RIGID':
        turning = sum(m * (b.conf[9] * b.velo[4] - b.conf[10] * b.velo[3])
                      + sum(b.conf[3 * k + 2] * b.tensor[0] * b.velo[k] for k in range(3)) for b in (one, two))
        assert turning == approx(m * 0.5, rel=1E-5)


@pytest.mark.parametrize('direction', (None, (2, 0, 0), (-1, 0, 0)))
@pytest.mark.parametrize('speed', (1, -1, 0.7371, -0.7371))
def test_stops(speed, direction):
    """A body runs on a stop: it never passes it, stays there without bouncing, and a force that pulls it back does so
    at once."""
    solfec = model()
    body = mass(solfec, (1, 0, 0))
    INITIAL_VELOCITY(body, (speed, 0, 0), (0, 0, 0))
    back = [0.0]
    limits = (-0.03, 0.05) if direction is None or direction[0] > 0 else (-0.05, 0.03)
    spring = PUT_SPRING(body, (1, 0, 0), None, (0, 0, 0), lambda s, v: back[0], limits, direction)
    end = 1.05 if speed > 0 else 0.97
    places = []
    each_step(solfec, lambda: places.append(body.conf[9]), 0.1)
    assert 0.97 - 1E-12 <= min(places) and max(places) <= 1.05 + 1E-12
    assert body.conf[9] == approx(end, abs=1E-12) and body.velo[3] == approx(0, abs=1E-9)
    assert spring.R == approx((0, 0, 0), abs=1E-9)
    # Pressed against the stop, which bears the force; then away from it.
    sign = 1 if direction is None or direction[0] > 0 else -1
    back[0] = sign * math.copysign(3, speed)
    run(solfec, 0.1)
    assert body.conf[9] == approx(end, abs=1E-12) and spring.R[2] == approx(0, abs=1E-9)
    back[0] *= -1
    run(solfec, 0.01)
    assert spring.R[2] == approx(back[0]) and body.velo[3] == approx(-math.copysign(0.03, speed))


def test_stops_may_be_at_once_and_one_sided():
    solfec = model(gravity=(0, 0, -10))
    held, hung = mass(solfec, (0, 0, 0)), mass(solfec, (1, 0, 0))
    for body, limits in ((held, (0, 0)), (hung, (-inf, 0))):
        PUT_SPRING(body, body.center, None, (body.center[0], 0, 1), linear(0), limits)
    INITIAL_VELOCITY(hung, (0, 0, 1), (0, 0, 0))
    highest = []
    each_step(solfec, lambda: highest.append(hung.conf[11]), 1.0)
    assert held.conf[11] == approx(0, abs=1E-9) and hung.conf[11] == approx(0, abs=1E-9)
    assert max(highest) == approx(0.05, abs=1E-3)
    assert hung.constraints[0].R[2] == approx(10, rel=1E-6) or hung.constraints[0].R[2] == approx(-10, rel=1E-6)


def test_direction_stays_or_turns():
    """A body turns by a right angle; the force is along the direction that is asked for."""
    pushes = {}
    for update in (None, 'FIXED', 'CONV1', 'CONV2'):
        solfec = model()
        one, two = mass(solfec, (0, 0, 0), 1.0), mass(solfec, (1, 2, 0), 1.0)
        INITIAL_VELOCITY(one, (0, 0, 0), (0, 0, math.pi / 2 * 10))
        INITIAL_VELOCITY(two, (0, 0, 0), (0, 0, -math.pi / 2 * 10))
        force = [0.0]
        strokes = []
        spring = PUT_SPRING(one, (0, 0, 0), two, (1, 2, 0), lambda s, v: strokes.append(s) or force[0], (-inf, inf),
                            (1, 0, 0), update)
        run(solfec, 0.1)
        n = spring.base[2::3]
        # n (x1 - x2) - (-1) with x1 - x2 = (-1, -2, 0)
        assert strokes[-1] == approx(-n[0] - 2 * n[1] + 1, abs=1E-9)
        pushes[update] = n
        force[0] = 5.0
        run(solfec, 1E-3)
        n = spring.base[2::3]
        assert one.velo[3:] == approx([5E-3 * x for x in n]) and two.velo[3:] == approx([-5E-3 * x for x in n])
    late = math.pi / 2 * 0.995  # that of mid-step
    assert pushes[None] == pushes['FIXED'] == (1, 0, 0)
    assert pushes['CONV1'] == approx((math.cos(late), math.sin(late), 0), abs=1E-9)
    assert pushes['CONV2'] == approx((math.cos(late), -math.sin(late), 0), abs=1E-9)


def test_direction_of_deformable_bodies_and_obstacles():
    solfec = model()
    corners = [0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1]
    bodies = [BODY(solfec, kind, HEX(corners, 1, 1, 1, 1, [1] * 6), 'BULK_MATERIAL_0')
              for kind in ('PSEUDO_RIGID', 'FINITE_ELEMENT', 'OBSTACLE')]
    CONTACT_EXCLUDE_SURFACES(solfec, 1, 1)
    other = mass(solfec, (3, 3, 3))
    springs = []
    for body in bodies:
        if body.kind != 'OBSTACLE':
            body.scheme = 'DEF_LIM'
        INITIAL_VELOCITY(body, (0, 0, 0), (0, 0, 1))
        springs.append(PUT_SPRING(body, (0.5, 0.5, 0.5), other, (3, 3, 3), linear(0), None, (1, 0, 0), 'CONV1'))
    run(solfec, 0.1)
    for spring in springs:
        assert spring.base[2::3] == approx((math.cos(0.0995), math.sin(0.0995), 0), abs=1E-3)


@pytest.mark.parametrize('kind', ('RIGID', 'PSEUDO_RIGID', 'FINITE_ELEMENT'))
def test_statics(kind):
    """A weight hangs on a spring, in a few steps; another one stands on its stop."""
    solfec = model(0.05, (0, 0, -10), 'QUASI_STATIC')
    weights = []
    for x in (0, 5):
        corners = [x, 0, 0, x + 1, 0, 0, x + 1, 1, 0, x, 1, 0, x, 0, 1, x + 1, 0, 1, x + 1, 1, 1, x, 1, 1]
        body = BODY(solfec, kind, HEX(corners, 1, 1, 1, 1, [1] * 6), 'BULK_MATERIAL_0')
        weights.append(body)
    hung, stopped = ([PUT_SPRING(body, (px + x, py, 1), None, (px + x, py, 3), linear(5E4), limits)
                      for px, py in ((0, 0), (1, 0), (1, 1), (0, 1))]
                     for body, x, limits in ((weights[0], 0, None), (weights[1], 5, (-1, 0.02))))
    run(solfec, 10)
    for body, springs, way in ((weights[0], hung, 10000 / 2E5), (weights[1], stopped, 0.02)):
        assert sum(spring.R[2] for spring in springs) == approx(-10000, rel=1E-3)
        for spring in springs:
            assert springs is stopped or spring.R[2] == approx(-2500, rel=1E-3)
            assert math.dist(spring.point[:3], spring.point[3:]) == approx(2 + way, abs=1E-5)
        assert body.mass == approx(1000)


SCRIPT = """
    import math
    s = SOLFEC('DYNAMIC', 1E-3, 'out')
    s.verbose = 'OFF'
    m = BULK_MATERIAL(s)
    SURFACE_MATERIAL(s)
    GRAVITY(s, (0, 0, -10))
    one, two = (BODY(s, 'RIGID', SPHERE((x, 0, 0), 0.1, 1, 1), m) for x in (1, 2))
    wall = BODY(s, 'OBSTACLE', SPHERE((-1, 0, 0), 0.1, 1, 1), m)
    springs = [PUT_SPRING(wall, wall.center, one, one.center, lambda s, v: -100 * s - v, None),
               PUT_SPRING(one, one.center, two, two.center, lambda s, v: -300 * s, (-0.1, 0.2)),
               PUT_SPRING(two, two.center, None, (2, 0, 1), lambda s, v: -100 * math.tanh(s), (-math.inf, 0.5),
                          (0, 1, 1)),
               PUT_SPRING(one, one.center, two, two.center, lambda s, v: 10, None, (0, 1, 0), 'CONV2')]
    INITIAL_VELOCITY(one, (0, 1, 0), (3, 2, 1))
    INITIAL_VELOCITY(two, (1, 0, 0), (1, 2, 3))
    CALLBACK(s, 0.01, s, killed)
    RUN(s, GAUSS_SEIDEL_SOLVER(1E-12, 1000, 1E-16), 0.1)
    SEEK(s, 0.1)
    print([s.kind for s in springs], [[round(x, 9) for x in (*s.R, *s.base, *s.point)] for s in springs])
    print(HISTORY(s, (one, (0, 0, 1), None, 'R'), 0.1, 1)[1])
    """


def test_results_and_a_run_that_goes_on(program):
    whole = program.run(SCRIPT)
    assert whole.returncode == 0, whole.stderr
    read = program.run(SCRIPT)
    assert read.returncode == 0 and read.stdout == whole.stdout, read.stderr
    wanted = Results(str(program.directory / 'out')).frame(-1)
    assert list(wanted.joints['kind']) == [7] * 4
    program.kill_and_resume(SCRIPT)


def test_a_function_that_the_script_has_not_made(program):
    """It was made by a CALLBACK: results know its number only."""
    script = """
        import os, signal, sys
        s = SOLFEC('DYNAMIC', 1E-3, 'out')
        s.verbose = 'OFF'
        ball = BODY(s, 'RIGID', SPHERE((0, 0, 0), 1, 1, 1), BULK_MATERIAL(s))
        SURFACE_MATERIAL(s)
        def call():
            if s.ncon == 0:
                PUT_SPRING(ball, (0, 0, 0), None, (0, 0, 1), lambda s, v: -s, None)
            elif s.time > 0.05:
                HISTORY(s, 'STEP', 0, 1)
                os.kill(os.getpid(), signal.SIGKILL)
        CALLBACK(s, 0.01, (), call)
        RUN(s, GAUSS_SEIDEL_SOLVER(1E-6, 100), 0.1)
        """
    assert program.run(script).returncode == -9
    resumed = program.run(script, before=['-c'])
    assert resumed.returncode == 1
    assert 'has a spring by function number 0 of the script in the results' in resumed.stderr


def test_deleted(free):
    spring = PUT_SPRING(free.ball, free.ball.center, None, (0, 0, 0), lambda s, v: 1E6, None)
    free.run()
    assert free.ball.velo[5] > 0
    before = free.ball.velo
    DELETE(free.solfec, spring)
    free.run()
    assert free.ball.velo == before and free.solfec.ncon == 0


def test_beside_joints_that_break(free):
    """The rows after them move up."""
    ball = free.ball
    for k in range(3):
        FIX_POINT(ball, (0, k, 0), strength=1E-3)
    FORCE(ball, 'SPATIAL', ball.center, (1, 0, 0), 100)
    springs = [PUT_SPRING(ball, (k, 0, 0), None, (k, 0, 7), lambda s, v, k=k: k, None, (0, 0, 1)) for k in range(5)]
    free.run(3)
    assert free.solfec.ncon == 5 and [spring.R[2] for spring in springs] == [0, 1, 2, 3, 4]


def test_springs_that_differ_by_their_function_only(free):
    one, two = (PUT_SPRING(free.ball, free.ball.center, None, (0, 0, 0), lambda s, v, f=f: f, None) for f in (1, 2))
    assert one != two and free.solfec.ncon == 2
    free.run()
    assert (one.R[2], two.R[2]) == (1, 2)
    assert free.ball.velo[5] == approx(3E-3 / free.ball.mass)


def test_penalty_solver(free):
    ball = free.ball
    PUT_SPRING(ball, ball.center, None, (0, 0, 0), lambda s, v: ball.mass, None)
    RUN(free.solfec, PENALTY_SOLVER(), 0.01)
    assert ball.velo[3:] == approx((0, 0, 0.01))


@pytest.mark.parametrize('result, message', [(None, "a number; got None"), ('x', "a number; got 'x'"),
                                             (math.nan, 'a finite number; got nan'), ((1, 2), 'a number')])
def test_wrong_results_of_the_function(result, message, free):
    PUT_SPRING(free.ball, free.ball.center, None, (0, 0, 0), lambda s, v: result, None)
    with pytest.raises((TypeError, ValueError), match='PUT_SPRING: what the function returned must be ' + message):
        free.run()


def test_errors_of_the_function_name_the_command(free):
    before = free.ball.conf
    PUT_SPRING(free.ball, free.ball.center, None, (0, 0, 0), lambda s, v: 1 / 0, None)
    with pytest.raises(RuntimeError, match='PUT_SPRING: the function has raised ZeroDivisionError: division') as caught:
        free.run()
    assert isinstance(caught.value.__cause__, ZeroDivisionError)
    assert free.solfec.time == 0 and free.ball.conf == before


def test_interruption_is_not_an_error_of_the_function(free):
    def stop(s, v):
        raise KeyboardInterrupt
    PUT_SPRING(free.ball, free.ball.center, None, (0, 0, 0), stop, None)
    with pytest.raises(KeyboardInterrupt):
        free.run()


def test_nothing_is_made_in_the_middle_of_a_step(free):
    PUT_SPRING(free.ball, free.ball.center, None, (0, 0, 0), lambda s, v: FIX_POINT(free.ball, (0, 0, 0)), None)
    with pytest.raises(RuntimeError, match='^PUT_SPRING: .*FIX_POINT: cannot be called in the middle of a step, by'):
        free.run()


def force(s, v):
    return 0


@pytest.mark.parametrize('call, message', [
    (lambda m: PUT_SPRING(None, (0, 0, 0), m.ball, (0, 0, 1), force, None), "'body1' must be a BODY object; got None"),
    (lambda m: PUT_SPRING(m.floor, (0, 0, 0), None, (0, 0, 1), force, None), "'body1': one of the two must be"),
    (lambda m: PUT_SPRING(m.ball, (0, 0, 0), m.ball, (0, 0, 1), force, None), "'body2': .* one and the same"),
    (lambda m: PUT_SPRING(m.ball, (0, 0), None, (0, 0, 1), force, None), "'point1' must be"),
    (lambda m: PUT_SPRING(m.ball, (0, 0, 0), None, (0, 0, 1), 5, None), "'function' must be .*; got 5"),
    (lambda m: PUT_SPRING(m.ball, (0, 0, 0), None, (0, 0, 1), force, 5), r"'limits' must be None, or a pair \(smin"),
    (lambda m: PUT_SPRING(m.ball, (0, 0, 0), None, (0, 0, 1), force, (1, 2)), "'limits' must be None, or a pair"),
    (lambda m: PUT_SPRING(m.ball, (0, 0, 0), None, (0, 0, 1), force, (-1, 'x')), r"'limits', entry 1 must be a number"),
    (lambda m: PUT_SPRING(m.ball, (0, 0, 50), None, (0, 0, 50), force, None), "'point2': the points coincide"),
    (lambda m: PUT_SPRING(m.ball, (0, 0, 0), None, (0, 0, 1), force, None, (0, 0, 0)), "'direction' must be"),
    (lambda m: PUT_SPRING(m.ball, (0, 0, 0), None, (0, 0, 1), force, None, update='CONV1'),
     "'update': it tells how a direction moves; none is given"),
    (lambda m: PUT_SPRING(m.ball, (0, 0, 0), None, (0, 0, 1), force, None, (1, 0, 0), 'CONV2'),
     "'update': 'CONV2' turns the direction with body2, which is None"),
    (lambda m: PUT_SPRING(m.ball, (0, 0, 0), None, (0, 0, 1), force, None, (1, 0, 0), 'TURNS'),
     "'update' must be one of 'FIXED', 'CONV1', 'CONV2'; got 'TURNS'")])
def test_wrong_arguments(call, message, free):
    with pytest.raises((ValueError, TypeError), match='PUT_SPRING: ' + message):
        call(free)
    assert free.solfec.ncon == 0
