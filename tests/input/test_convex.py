"""CONVEX_SOLVER: what its law does to a cube that slides, against closed forms; contacts ahead, joints, energy; what
it tells. docs/evidence/convex.py has long runs."""

import math

import pytest
from conftest import cube
from pytest import approx

from solfec import *

METHODS = ('APGD', 'GS', 'SSOR', 'JACOBI', 'IPM', 'BB')
G = 10.0


class Floor:
    """A floor with its top at z = 0."""

    def __init__(self, name, step, friction, correction='AHEAD'):
        self.solfec = SOLFEC('DYNAMIC', step, name)
        self.solfec.verbose, self.solfec.contact_correction = 'OFF', correction
        OUTPUT(self.solfec, 1E6)
        GRAVITY(self.solfec, (0, 0, -G))
        self.material = BULK_MATERIAL(self.solfec, density=1000)
        SURFACE_MATERIAL(self.solfec, friction=friction)
        self.floor = BODY(self.solfec, 'OBSTACLE', cube(-50, -50, -100, 100, 1), self.material)

    def put(self, shape):
        return BODY(self.solfec, 'RIGID', shape, self.material)


def sliding(name, solver, friction, gap, runs, step=1E-3, speed=6.0):
    """A cube of 1 m that slides, over the gap: its heights above the floor, and speeds, after one step and then every
    tenth one."""
    scene = Floor(name, step, friction)
    body = scene.put(cube(0, 0, gap, 1, 1))
    INITIAL_VELOCITY(body, (speed, 0, 0), (0, 0, 0))
    rows = []
    for k in range(runs):
        RUN(scene.solfec, solver, 10 * step if k else step)
        rows.append((body.conf[11] - 0.5, body.velo[3], body.velo[5]))
    return rows


@pytest.mark.parametrize('method', METHODS)
def test_cube_that_slides_is_thrown_up(method):
    """With M the mass, the velocity next to (v, 0, -g h) in the dual cone: U_T = (v + mu q_N) / (1 + mu^2)."""
    mu, v, h = 0.5, 6.0, 1E-3
    rows = sliding('thrown' + method, CONVEX_SOLVER(method, meritval=1E-20), mu, 0, 41, h)
    first = rows[0]
    # The first step is a millionth of h, in which gravity does nothing.
    assert first[1] == approx(v / (1 + mu**2), rel=1E-5) and first[2] == approx(mu * first[1] - G * h, rel=1E-3)
    assert max(z for z, _, _ in rows) == approx((mu * v / (1 + mu**2))**2 / (2 * G), rel=5E-3)


def test_cube_that_slides_stays_down_by_the_law_of_coulomb():
    mu, v, h = 0.5, 6.0, 1E-3
    rows = sliding('down', AUTO_SOLVER(1E-20), mu, 0, 41, h)
    assert max(abs(z) for z, _, _ in rows) < 1E-9
    assert rows[-1][1] == approx(v - mu * G * 0.401, rel=1E-3)


def test_cube_hovers_at_a_gap_of_h_mu_v():
    """Where it starts there, it stays at the height that its speed has, slows down as by friction, and comes down."""
    mu, v, h = 0.4, 6.0, 1E-3
    rows = sliding('hovering', CONVEX_SOLVER(meritval=1E-24), mu, h * mu * v, 171, h)
    for z, speed, _ in rows[1:140]:
        assert z == approx(h * mu * speed, abs=0.01 * h * mu * v)
    assert rows[100][1] == approx(v - mu * G * 1.0, rel=0.01)
    assert abs(rows[-1][0]) < 1E-5 and abs(rows[-1][1]) < 1E-6


def test_without_friction_both_laws_are_one():
    ends = [sliding('smooth%s' % k, solver, 0, 0.01, 11)[-1]
            for k, solver in enumerate((CONVEX_SOLVER(meritval=1E-24), AUTO_SOLVER(1E-24)))]
    assert ends[0] == approx(ends[1], abs=1E-9)


def test_nothing_passes_a_plate():
    """Contacts ahead: a ball of 0.2 m at 100 m/s, steps of 20 ms, a plate of 1 mm."""
    for k in range(20):
        scene = Floor('shot%d' % k, 0.02, 0.5)
        BODY(scene.solfec, 'OBSTACLE', BOX((0, 0, 4), (9, 9, 0.001)), scene.material)
        ball = scene.put(SPHERE((0, 0, 4.2 + 0.1 * k), 0.1, 1, 1))
        INITIAL_VELOCITY(ball, (0, 0, -100), (0, 0, 0))
        RUN(scene.solfec, CONVEX_SOLVER(), 0.2)
        assert ball.conf[11] == approx(4.1005, abs=1E-4)


def pile(name, solver, count=12):
    scene = Floor(name, 2E-3, 0.4)
    bodies = [scene.put(SPHERE((0.11 * (k % 2) + 0.01 * (k % 3), 0.02 * (k % 5), 0.1 + 0.21 * k), 0.1, 1, 1))
              for k in range(count)]
    return scene, bodies, solver


@pytest.mark.parametrize('method', METHODS)
def test_energy_never_grows(method):
    scene, bodies, solver = pile('energy' + method, CONVEX_SOLVER(method, meritval=1E-12, maxiter=20000))

    def energy():
        total = 0
        for b in bodies:
            w, v, J = b.velo[:3], b.velo[3:], b.tensor
            total += 0.5 * b.mass * sum(x * x for x in v) + b.mass * G * b.conf[11]
            total += 0.5 * sum(w[i] * J[3 * i + j] * w[j] for i in range(3) for j in range(3))
        return total
    last = energy()
    for k in range(100):
        RUN(scene.solfec, solver, 0.006)
        assert solver.error == 'OK'
        assert energy() <= last * (1 + 1E-6)
        last = energy()


def test_methods_agree_in_a_run():
    ends = []
    for method in METHODS:
        scene, bodies, solver = pile('agree' + method, CONVEX_SOLVER(method, meritval=1E-20, maxiter=100000), 8)
        RUN(scene.solfec, solver, 0.3)
        ends.append([x for b in bodies for x in b.conf])
    for end in ends[1:]:
        assert end == approx(ends[0], abs=1E-5)


def test_joints_are_rows_of_the_same_problem():
    """A pendulum of a cube on an axis of two fixed points (redundant), and its weight on them; a link."""
    scene = Floor('joints', 1E-3, 0.5)
    body = scene.put(cube(0, 0, 5, 1, 1))
    points = [FIX_POINT(body, (x, 0.5, 6)) for x in (0, 1)]
    hung = scene.put(cube(4, 0, 5, 1, 1))
    PUT_RIGID_LINK(hung, None, (4.5, 0.5, 6), (4.5, 0.5, 8))
    RUN(scene.solfec, CONVEX_SOLVER(meritval=1E-20), 0.05)
    assert [c.R[2] for c in points] == approx([500 * G] * 2, rel=1E-6)
    assert hung.conf[11] == approx(5.5, abs=1E-6)


def test_results_say_the_law(capfd):
    scene = Floor('said', 1E-3, 0.5)
    scene.solfec.verbose = 'ON'
    scene.put(cube(0, 0, 0, 1, 1))
    solver = CONVEX_SOLVER()
    RUN(scene.solfec, solver, 3E-3)
    RUN(scene.solfec, solver, 3E-3)
    out, err = capfd.readouterr()
    assert (out + err).count('CONVEX_SOLVER gives contacts the convex law: those that slide open') == 1
    assert HISTORY(scene.solfec, ['CVITERS', 'ASITERS'], 0, 1)[2][-1] == 0


def test_arguments():
    convex = CONVEX_SOLVER()
    assert (convex.method, convex.omega, convex.lam) == ('APGD', None, None)
    assert (convex.meritval, convex.maxiter) == (1E-8, 10000)
    assert (convex.error, convex.iters, convex.itershist, convex.failure) == ('OK', 0, None, 'CONTINUE')
    assert [CONVEX_SOLVER(m).omega for m in METHODS[1:]] == [1, 1, 0.2, None, None]
    assert (CONVEX_SOLVER('GS', 1.3, 0.5).omega, CONVEX_SOLVER('GS', 1.3, 0.5).lam) == (1.3, 0.5)
    with pytest.raises(ValueError, match="CONVEX_SOLVER: 'omega': APGD has no such parameter"):
        CONVEX_SOLVER(omega=1)
    with pytest.raises(ValueError, match="CONVEX_SOLVER: 'lam': APGD has no such parameter"):
        CONVEX_SOLVER('APGD', lam=1)
    with pytest.raises(ValueError, match="'lam' must be a number > 0 and <= 1; got 1.5"):
        CONVEX_SOLVER('GS', lam=1.5)
    with pytest.raises(ValueError,
                       match="'method' must be one of 'APGD', 'GS', 'SSOR', 'JACOBI', 'IPM', 'BB'; got 'SOR'"):
        CONVEX_SOLVER('SOR')


def test_springs_are_refused(model):
    PUT_SPRING(model.ball, (0, 0, 1), None, (0, 0, 3), lambda stroke, velocity: -stroke, None)
    model.solver = CONVEX_SOLVER()
    with pytest.raises(RuntimeError, match='CONVEX_SOLVER takes contacts of model SIGNORINI_COULOMB, .* no springs'):
        model.run()


def test_steps_that_fail_are_told(model):
    model.solver = CONVEX_SOLVER('GS', meritval=1E-25, maxiter=1, failure='EXIT')
    scene, bodies, solver = pile('fails', model.solver, 6)
    with pytest.raises(RuntimeError):
        RUN(scene.solfec, solver, 1.0)
    assert solver.error == 'DIVERGED' and math.isfinite(bodies[0].conf[11])
