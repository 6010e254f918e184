"""The commands that make joints: arguments, CONSTRAINT objects, results. Their motions are in test_mechanisms.py."""


import math

import pytest
from commands import CORNERS
from conftest import cube
from pytest import approx

from solfec import *
from solfec.results import Results


def test_members(free):
    center = free.ball.center
    joint = FIX_POINT(free.ball, center)
    assert (joint.kind, joint.area, joint.gap, joint.matlab, joint.spair) == ('FIXPNT', 0, 0, None, None)
    assert joint.base == (1, 0, 0, 0, 1, 0, 0, 0, 1) and joint.point == center and joint.adjbod.id == free.ball.id
    assert free.solfec.ncon == free.ball.ncon == 1
    assert free.solfec.constraints == free.ball.constraints == [joint] and len({joint, free.ball.constraints[0]}) == 1
    assert joint != FIX_POINT(free.ball, center)
    rail = FIX_DIRECTION(free.ball, center, (0, 3, 4))
    assert rail.kind == 'FIXDIR' and rail.base[2::3] == approx((0, 0.6, 0.8))


def test_reaction_acts_on_the_first_body(free):
    """A force of 100 N along y pushes the first of two bodies against the second one, which is held."""
    x, y, z = free.ball.center
    other = BODY(free.solfec, 'RIGID', SPHERE((x, y + 3, z), 1, 1, 1), free.material)
    FIX_POINT(other, other.center)
    FORCE(free.ball, 'SPATIAL', free.ball.center, (0, 1, 0), 100)
    link = PUT_RIGID_LINK(free.ball, other, free.ball.center, other.center)
    free.run(2)
    assert link.point == approx((x, y, z, x, y + 3, z), abs=1E-6)
    assert link.base[2::3] == approx((0, -1, 0), abs=1E-6) and link.R == approx((0, 0, 100), rel=1E-5)
    DELETE(free.solfec, link)
    free.run(2)
    assert free.ball.velo[4] > 0 and free.solfec.ncon == 1


def test_coincident_points_are_one(free):
    corner = (1, 2, 3)
    other = BODY(free.solfec, 'RIGID', SPHERE((5, 5, 5), 1, 1, 1), free.material)
    assert PUT_RIGID_LINK(free.ball, other, corner, corner).kind == 'FIXPNT'
    assert PUT_RIGID_LINK(free.ball, other, corner, (1, 2, 3 + 2E-6)).kind == 'RIGLNK'
    assert PUT_RIGID_LINK(None, other, corner, corner).adjbod.id == other.id


def test_points_move_with_a_body_that_has_moved(free):
    """A joint made after a motion takes points where they are."""
    INITIAL_VELOCITY(free.ball, (1, 0, 0), (0, 0, 0))
    free.run(100)
    center = free.ball.center
    joint = FIX_POINT(free.ball, center)
    assert joint.point == approx((center[0] + 0.1, *center[1:]))
    INITIAL_VELOCITY(free.ball, (0, 0, 0), (0, 0, 0))
    free.run(10)
    assert free.ball.conf[9:] == approx((center[0] + 0.1, *center[1:]), abs=1E-12)


def test_link_takes_points_where_they_are(free):
    """Bodies have moved since they were made: present positions count, not coordinates."""
    other = BODY(free.solfec, 'RIGID', SPHERE((5, 5, 5), 1, 1, 1), free.material)
    INITIAL_VELOCITY(free.ball, (1, 0, 0), (0, 0, 0))
    free.run(100)
    INITIAL_VELOCITY(free.ball, (0, 0, 0), (0, 0, 0))
    corner = (1, 2, 3)
    link = PUT_RIGID_LINK(free.ball, other, corner, corner)
    assert link.kind == 'RIGLNK' and link.point == approx((1.1, 2, 3, 1, 2, 3))
    pin = PUT_RIGID_LINK(free.ball, other, (0.9, 7, 7), (1, 7, 7))
    assert pin.kind == 'FIXPNT' and pin.point == approx((1, 7, 7))
    held = PUT_RIGID_LINK(free.ball, None, corner, corner)
    assert held.kind == 'RIGLNK'
    free.run(10)
    assert other.conf[9:] == approx((5, 5, 5), abs=1E-9) and free.ball.conf[9] == approx(free.ball.center[0] + 0.1)


def test_nothing_is_made_in_the_middle_of_a_step(free):
    def force(q, u, t, h):
        FIX_POINT(free.ball, (0, 0, 0))
    FORCE(free.ball, 'SPATIAL', (0, 0, 0), (1, 0, 0), force)
    with pytest.raises(RuntimeError,
                       match='^FIX_POINT: cannot be called in the middle of a step, by the function of a FORCE'):
        free.run()
    assert free.solfec.ncon == 0


def test_joint_that_breaks_in_a_step_that_fails_is_still_there(free):
    FORCE(free.ball, 'SPATIAL', free.ball.center, (1, 0, 0), 100)
    joint = FIX_POINT(free.ball, free.ball.center, 10)
    stone = BODY(free.solfec, 'RIGID', SPHERE((0, 9, 9), 1, 1, 1), free.material)
    BODY_CHARS(stone, 1E-10, 1, stone.center, (1, 0, 0, 0, 1, 0, 0, 0, 1))
    huge = [1E305]
    FORCE(stone, 'SPATIAL', stone.center, (1, 0, 0), lambda q, u, t, h: [0, 0, huge[0], 0, 0, 0, 0, 0, 0])
    with pytest.raises(RuntimeError, match='has a state that is not finite'):
        free.run()
    huge[0] = 0
    assert joint.kind == 'FIXPNT' and free.ball.constraints == [joint]
    free.run()
    assert joint.R[0] == approx(-100)
    free.run()
    assert free.ball.constraints == []


def test_obstacle_moves_as_prescribed(free):
    """Motions add up, with INITIAL_VELOCITY too; contacts feel the velocity; DELETE ends one of them."""
    floor, point = free.floor, (0, 0, 0)
    joint = SET_VELOCITY(floor, point, (1, 0, 0), 2)
    SET_ACCELERATION(floor, point, (0, 0, 3), TIME_SERIES([0, 1, 10, 1]))
    INITIAL_VELOCITY(floor, (0, 5, 0), (0, 0, 0))
    free.run(100)
    assert DISPLACEMENT(floor, point) == approx((0.2, 0.5, 0.005))
    assert VELOCITY(floor, point) == approx((2, 5, 0.1))
    assert joint.kind == 'VELODIR' and joint.R == (0, 0, 0) and joint.point == approx((0.2, 0.5, 0.005))
    INITIAL_VELOCITY(floor, (0, 0, 0), (0, 0, 0))
    DELETE(free.solfec, joint)
    free.run(100)
    assert DISPLACEMENT(floor, point) == approx((0.2, 0.5, 0.02)) and VELOCITY(floor, point) == approx((0, 0, 0.2))


def test_driven_floor_carries_a_block(new_model):
    model = new_model(drop=0)
    SET_VELOCITY(model.floor, (0, 0, 0), (1, 0, 0), TIME_SERIES([0, 0, 1, 1]))
    block = BODY(model.solfec, 'RIGID', cube(-3, -3, 0, 0.5, 2), model.material)
    model.solfec.contact_points = 'MANY'
    model.run(200)
    assert VELOCITY(block, block.center)[0] == approx(0.2, abs=1E-6)
    assert DISPLACEMENT(block, block.center)[0] == approx(DISPLACEMENT(model.floor, (0, 0, 0))[0], abs=1E-3)


def velocities_with_all_joints(model, diagsolver='SEMISMOOTH_NEWTON', reverse='OFF'):
    """Of a ball that slides on the floor and, joined to it in three ways, two more in a row, one of them soft."""
    balls = [model.ball]
    for k, kind in ((1, 'RIGID'), (2, 'PSEUDO_RIGID')):
        balls.append(BODY(model.solfec, kind, SPHERE((2.1 * k, 0.3 * k, 0.999), 1, 3, 2), model.material))
    balls[2].scheme, balls[2].damping = 'DEF_LIM', 1E-3
    INITIAL_VELOCITY(balls[0], (1, 2, 0), (0, 0, 0))
    one, two, three = (ball.center for ball in balls)
    pin = tuple((a + b) / 2 for a, b in zip(two, three))
    joints = (PUT_RIGID_LINK(balls[0], balls[1], one, two), PUT_RIGID_LINK(balls[1], balls[2], pin, pin),
              FIX_DIRECTION(balls[0], one, (0, 0, 1), balls[2], three))
    assert [joint.kind for joint in joints] == ['RIGLNK', 'FIXPNT', 'FIXDIR']
    model.solver = GAUSS_SEIDEL_SOLVER(1E-12, 10000, 1E-18, diagsolver=diagsolver)
    model.solver.reverse = reverse
    model.solver.itershist = 'ON'
    model.run(50)
    assert sum(con.kind == 'CONTACT' for con in model.solfec.constraints) >= 2
    assert model.solver.error == 'OK' and max(model.solver.itershist) > 20
    return [v for ball in balls for v in ball.velo]


@pytest.mark.parametrize('diagsolver, reverse', (
    ('PROJECTED_GRADIENT', 'OFF'), ('DE_SAXCE_FENG', 'OFF'), ('PROJECTED_NEWTON', 'OFF'), ('SEMISMOOTH_NEWTON', 'ON')))
def test_joints_beside_contacts_of_all_solvers(diagsolver, reverse, new_model):
    """The diagonal solver is one of contacts, the order of rows that of the sweep: neither changes the motion."""
    wanted = velocities_with_all_joints(new_model())
    found = velocities_with_all_joints(new_model(), diagsolver, reverse)
    assert found == approx(wanted, rel=0, abs=1E-8)


def test_joint_ends_with_its_body(free):
    other = BODY(free.solfec, 'RIGID', SPHERE((5, 5, 5), 1, 1, 1), free.material)
    for first, second in ((free.ball, other), (other, free.ball)):
        PUT_RIGID_LINK(first, second, first.center, second.center)
    held = FIX_POINT(free.ball, free.ball.center)
    free.run()
    DELETE(free.solfec, other)
    assert free.solfec.constraints == [held]
    free.run(2)
    assert free.solfec.constraints == [held]


MECHANISM = """
import math
def mechanism(output):
    solfec = SOLFEC('DYNAMIC', 1E-3, output)
    solfec.verbose = 'OFF'
    stuff = BULK_MATERIAL(solfec)
    SURFACE_MATERIAL(solfec)
    GRAVITY(solfec, (0, 0, -10))
    one, two = (BODY(solfec, 'RIGID', SPHERE((x, 0, 0), 0.1, 1, 1), stuff) for x in (1, 2))
    driven = BODY(solfec, 'OBSTACLE', SPHERE((9, 0, 0), 0.1, 1, 1), stuff)
    shaken = BODY(solfec, 'PSEUDO_RIGID', SPHERE((5, 0, 0), 0.1, 1, 1), stuff)
    shaken.scheme = 'DEF_LIM'
    sine = TIME_SERIES([x for k in range(500) for x in (1E-3 * k, math.sin(1E-2 * k))])
    FIX_POINT(one, (0, 0, 0), 1E9)
    SET_DISPLACEMENT(shaken, (5, 0, 0), (1, 0, 0), sine)
    SET_VELOCITY(driven, (9, 0, 0), (0, 1, 0), 1)
    PUT_RIGID_LINK(one, two, one.center, two.center)
    FIX_DIRECTION(shaken, (5, 0, 0), (0, 0, 1))
    return solfec
solver = GAUSS_SEIDEL_SOLVER(1E-10, 1000, 1E-12)
"""


def test_results_hold_joints(program):
    """They are read back, and a run goes on from them to the same state."""
    script = MECHANISM + """
        import os, signal, sys
        s = mechanism('out')
        def late():
            if s.time > 0.05 and s.ncon == 4:
                FIX_DIRECTION(s.bodies[3], s.bodies[3].center, (0, 1, 0))
            if s.time > 0.1 and 'kill' in sys.argv:
                HISTORY(s, 'STEP', 0, 1)
                os.kill(os.getpid(), signal.SIGKILL)
        CALLBACK(s, 0.01, (), late)
        RUN(s, solver, 0.2)
        if s.mode == 'READ':
            SEEK(s, 0.2)
            t, R, n, gap = HISTORY(s, [(s.bodies[0], (0, 0, 1), None, 'R'), 'CONS', (s, 'GAP')], 0, 1)
            print(sorted(c.kind for c in s.constraints), round(R[-1], 3), n[0], n[-1], gap[-1])
        else:
            print([round(x, 3) for x in s.constraints[0].R])
        """
    script = '\n'.join(line.removeprefix('        ') for line in script.splitlines())
    whole = program.run(script)
    assert whole.returncode == 0, whole.stderr
    results = Results(str(program.directory / 'out'))
    last = results.frame(-1)
    assert sorted(last.joints['kind']) == [1, 2, 2, 3, 4]
    assert len(last.contacts['gap']) == 0 and len(results.frame(0).joints['kind']) == 4
    read = program.run(script)
    assert read.returncode == 0, read.stderr
    kinds, rest = read.stdout.split(']')
    assert kinds == "['FIXDIR', 'FIXDIR', 'FIXPNT', 'RIGLNK', 'VELODIR'"
    assert rest.split()[1:] == ['4.0', '5.0', '0.0']
    program.kill_and_resume(script)


@pytest.mark.parametrize('call, message', [
    (lambda m: FIX_POINT(m.ball, (0, 0)), r"FIX_POINT: 'point' must be .*; got \(0, 0\)"),
    (lambda m: FIX_POINT(m.ball, (0, 0, 0), 0), r"FIX_POINT: 'strength' must be .*; got 0"),
    (lambda m: FIX_POINT(m.ball), r"FIX_POINT: 'point' is missing"),
    (lambda m: FIX_DIRECTION(m.ball, (0, 0, 0), (0, 0, 0)), r"FIX_DIRECTION: 'direction' must be .* non-zero"),
    (lambda m: FIX_DIRECTION(m.ball, (0, 0, 0), (0, 0, 1), m.floor),
     r"FIX_DIRECTION: 'point2': body2 and point2 are given together"),
    (lambda m: SET_DISPLACEMENT(m.ball, (0, 0, 0), (0, 0, 1), 1),
     r"SET_DISPLACEMENT: 'tms' must be a TIME_SERIES object"),
    (lambda m: SET_VELOCITY(m.ball, (0, 0, 0), (0, 0, 1), 'fast'), r"SET_VELOCITY: 'value' must be a number or a TIME"),
    (lambda m: SET_ACCELERATION(m.ball, (0, 0, 0), 1, 1), r"SET_ACCELERATION: 'direction' must be"),
    (lambda m: PUT_RIGID_LINK(None, None, (0, 0, 0), (0, 0, 1)),
     r"PUT_RIGID_LINK: 'body1': one of the two must be a BODY"),
    (lambda m: PUT_RIGID_LINK(m.floor, None, (0, 0, 0), (0, 0, 1)),
     r"PUT_RIGID_LINK: 'body1': one of the two must be a"),
    (lambda m: PUT_RIGID_LINK(m.ball, m.ball, (0, 0, 0), (0, 0, 1)), r"PUT_RIGID_LINK: 'body2': .*one and the same"),
    (lambda m: PUT_RIGID_LINK(m.ball, 3, (0, 0, 0), (0, 0, 1)),
     r"PUT_RIGID_LINK: 'body2' must be a BODY object; got 3"),
    (lambda m: setattr(m.solfec, 'joint_correction', 'MAYBE'), r"SOLFEC.joint_correction must be one of 'ON', 'OFF'")])
def test_wrong_arguments(call, message, free):
    with pytest.raises((ValueError, TypeError), match=message):
        call(free)
    assert free.solfec.ncon == 0


def test_joints_of_obstacles_are_left_out(free, capfd):
    """They hold a body where it stays anyway: scripts that make them run."""
    for name, call in (('FIX_POINT', lambda: FIX_POINT(free.floor, (0, 0, 0))),
                       ('FIX_DIRECTION', lambda: FIX_DIRECTION(free.floor, (0, 0, 0), (0, 0, 1)))):
        assert call() is None
        lines = [line for line in capfd.readouterr().err.splitlines() if 'warning' in line]
        assert len(lines) == 1 and f"{name}: 'body' is an OBSTACLE" in lines[0] and 'no joint is made' in lines[0]
    free.run()
    assert free.solfec.ncon == 0


BASE = (1, 0, 0, 0, 1, 0, 0, 0, 1)
OUTSIDE, INSIDE, BESIDE = (9, 9.5, 1.5), (9, 9.5, 0.5), (13, 9.5, 0.5)  # of the first body, in it, in the second one
SERIES = (0, 0, 1, 1)


@pytest.mark.parametrize('call, command, point', [
    (lambda a, b: FIX_POINT(a, OUTSIDE), 'FIX_POINT', 'point'),
    (lambda a, b: FIX_DIRECTION(a, OUTSIDE, (0, 0, 1)), 'FIX_DIRECTION', 'point'),
    (lambda a, b: FIX_DIRECTION(a, INSIDE, (0, 0, 1), b, OUTSIDE), 'FIX_DIRECTION', 'point2'),
    (lambda a, b: SET_DISPLACEMENT(a, OUTSIDE, (0, 0, 1), TIME_SERIES(SERIES)), 'SET_DISPLACEMENT', 'point'),
    (lambda a, b: SET_VELOCITY(a, OUTSIDE, (0, 0, 1), 1), 'SET_VELOCITY', 'point'),
    (lambda a, b: SET_ACCELERATION(a, OUTSIDE, (0, 0, 1), 1), 'SET_ACCELERATION', 'point'),
    (lambda a, b: SET_DISPLACEMENT3(a, OUTSIDE, BASE, (TIME_SERIES(SERIES), 0, 0)), 'SET_DISPLACEMENT3', 'point'),
    (lambda a, b: SET_VELOCITY3(a, OUTSIDE, BASE, (1, 0, 0)), 'SET_VELOCITY3', 'point'),
    (lambda a, b: SET_ACCELERATION3(a, OUTSIDE, BASE, (1, 0, 0)), 'SET_ACCELERATION3', 'point'),
    (lambda a, b: PUT_RIGID_LINK(a, b, OUTSIDE, BESIDE), 'PUT_RIGID_LINK', 'point1'),
    (lambda a, b: PUT_RIGID_LINK(a, b, INSIDE, OUTSIDE), 'PUT_RIGID_LINK', 'point2'),
    (lambda a, b: PUT_RIGID_LINK(None, b, INSIDE, OUTSIDE), 'PUT_RIGID_LINK', 'point2'),
    (lambda a, b: PUT_SPRING(a, OUTSIDE, b, BESIDE, min, None), 'PUT_SPRING', 'point1'),
    (lambda a, b: PUT_SPRING(a, INSIDE, b, OUTSIDE, min, None), 'PUT_SPRING', 'point2')])
def test_points_that_no_element_holds(call, command, point, free):
    bodies = [BODY(free.solfec, 'FINITE_ELEMENT', TRANSLATE(HEX(CORNERS, 1, 1, 1, 1, [1] * 6), (x, 9, 0)),
                   free.material) for x in (9, 13)]
    with pytest.raises(ValueError, match=f"^{command}: '{point}' must be a point of the body; got "):
        call(*bodies)
    assert free.solfec.ncon == 0


PAIRS = {'PUT_RIGID_LINK': lambda a, b: PUT_RIGID_LINK(a, b, (0, 0, 0), (0, 0, 1)),
         'FIX_DIRECTION': lambda a, b: FIX_DIRECTION(a, (0, 0, 0), (0, 0, 1), b, (0, 0, 1)),
         'PUT_SPRING': lambda a, b: PUT_SPRING(a, (0, 0, 0), b, (0, 0, 1), min, None)}


@pytest.mark.parametrize('command', PAIRS)
def test_pairs_that_are_none(command, new_model):
    one, two = new_model(), new_model()
    for body, reason in ((two.ball, 'the two bodies belong to different SOLFEC objects'),
                         (one.ball, 'the two bodies are one and the same')):
        with pytest.raises(ValueError, match=f"^{command}: 'body2': {reason}"):
            PAIRS[command](one.ball, body)
    assert one.solfec.ncon == two.solfec.ncon == 0


@pytest.mark.parametrize('kind, scheme',
                         (('RIGID', 'RIG_IMP'), ('PSEUDO_RIGID', 'DEF_IMP'), ('FINITE_ELEMENT', 'DEF_IMP')))
def test_a_joint_that_breaks_is_as_one_that_is_deleted(kind, scheme, new_model):
    """Among others, of bodies made before and after: all that follows is the same."""
    def run(breaks):
        model = new_model()
        s, material = model.solfec, BULK_MATERIAL(model.solfec, young=1E7, density=1000, label='soft')
        bodies, weak = [], None
        for k in range(4):
            x = 10 + 3 * k
            corners = [c + d for c, d in zip(([x, 0, 0, x + 2, 0, 0, x + 2, 1, 0, x, 1, 0, x, 0, 1, x + 2, 0, 1, x + 2,
                                               1, 1, x, 1, 1]),
                                             [0, 0, 5] * 8)]
            shape = HEX(corners, 2, 1, 1) if kind == 'FINITE_ELEMENT' else HULL(corners)
            body = BODY(s, kind, shape, material)
            body.scheme = scheme
            strength = 1 if breaks and k == 1 else 1E12
            joints = [FIX_POINT(body, (x, 0, 6), strength), FIX_POINT(body, (x, 1, 6))]
            weak = joints[0] if k == 1 else weak
            bodies.append(body)
        GRAVITY(s, (0, 0, -10))
        if not breaks:
            CALLBACK(s, s.step, None, lambda: DELETE(s, weak) if abs(s.time - s.step) < 1E-9 else None)
        model.run(40)
        assert [b.ncon for b in bodies] == [2, 1, 2, 2]
        return [x for b in bodies for x in (*b.conf, *b.velo)]

    assert run(True) == approx(run(False), abs=1E-7)


@pytest.mark.parametrize('correction', ('ON', 'AHEAD'))
@pytest.mark.parametrize('phase', (0, 1E-9, 0.3))
def test_a_sampled_displacement_carries_what_rests_on_it(correction, phase):
    """Lifted by a smooth motion sampled once a step: wherever steps lie between the samples, N = m (g + a). Slopes of
    the polygon jump, and with those at the ends of steps the box lost contact in every other one."""
    step = 1E-3
    solfec = SOLFEC('DYNAMIC', step, 'lift-%s-%g' % (correction, phase))
    solfec.verbose, solfec.contact_correction = 'OFF', correction
    GRAVITY(solfec, (0, 0, -10))
    material = BULK_MATERIAL(solfec, density=1000)
    SURFACE_MATERIAL(solfec, friction=0.5)
    plate = BODY(solfec, 'OBSTACLE', BOX((0, 0, -0.05), (1, 1, 0.1)), material)
    load = BODY(solfec, 'RIGID', BOX((0, 0, 0.1), (0.2, 0.2, 0.2)), material)
    times = [step * (k - 10 + phase) for k in range(1020)]
    series = [v for t in times for v in (t, 0.5 * (1 - math.cos(2 * t)))]
    SET_DISPLACEMENT(plate, (0, 0, 0), (0, 0, 1), TIME_SERIES(series))
    ratios = []

    def look():
        force = sum(c.R[2] for c in solfec.constraints if c.kind == 'CONTACT')
        ratios.append(force / load.mass - 10 - 2 * math.cos(2 * (solfec.time - 0.5 * step)))
        return 1

    CALLBACK(solfec, step, None, look)
    RUN(solfec, AUTO_SOLVER(1E-12), 1)
    assert ratios[3:] == approx([0] * len(ratios[3:]), abs=5E-3)
