"""Solver objects: defaults, members, failure actions."""

import math
import re

import pytest
from conftest import cube
from pytest import approx

from solfec import *


def test_defaults():
    gs = GAUSS_SEIDEL_SOLVER(1E-3, 200)
    assert (gs.epsilon, gs.maxiter, gs.meritval, gs.failure) == (1E-3, 200, 1E-3, 'CONTINUE')
    assert gs.diagepsilon == 1E-14 and gs.diagmaxiter == 100 and gs.diagsolver == 'SEMISMOOTH_NEWTON'
    assert (gs.error, gs.iters, gs.rerhist, gs.merhist, gs.itershist) == ('OK', 0, [], [], None)
    assert (gs.reverse, gs.variant, gs.innerloops, gs.memory) == ('OFF', 'FULL', 1, 0)
    assert GAUSS_SEIDEL_SOLVER(1E-9, 1, diagsolver='DE_SAXCE_FENG').diagepsilon == approx(1E-11)
    assert GAUSS_SEIDEL_SOLVER(1E-300, 1, diagsolver='DE_SAXCE_FENG').diagepsilon == 1E-14
    plain = GAUSS_SEIDEL_SOLVER()
    assert (plain.epsilon, plain.maxiter, plain.meritval) == (1, 1000, 1E-6)
    assert GAUSS_SEIDEL_SOLVER(1, 10**5).diagmaxiter == 1000
    nt = NEWTON_SOLVER()
    assert (nt.meritval, nt.maxiter, nt.linmaxiter, nt.maxmatvec, nt.epsilon) == (1E-8, 1000, 10, 100000, 0.25)
    assert (nt.delta, nt.theta, nt.omega, nt.smooth) == (0, 0.25, approx(1E-11), 0)
    assert (nt.locdyn, nt.linver, nt.gsflag) == ('ON', 'GMRES', 'ON')
    assert (nt.error, nt.iters, nt.merhist, nt.mvhist, nt.gssweeps, nt.itershist) == ('OK', 0, [], [], 0, None)
    assert NEWTON_SOLVER(1E-4).omega == approx(1E-7) and NEWTON_SOLVER(presmooth=2).smooth == 2
    auto = AUTO_SOLVER()
    assert (auto.meritval, auto.maxiter) == (1E-8, 1000)
    assert (auto.error, auto.iters, auto.ntsteps, auto.path, auto.itershist) == ('OK', 0, 0, [], None)
    assert nt.failure == auto.failure == 'CONTINUE'
    eg = NONSMOOTH_SOLVER('EG-VI-UPK', L=0.2)
    assert (eg.method, eg.meritval, eg.maxiter, eg.failure) == ('EG-VI-UPK', 1E-8, 10000, 'CONTINUE')
    assert (eg.error, eg.iters, eg.itershist) == ('OK', 0, None)
    assert PENALTY_SOLVER().variant == 'IMPLICIT' and PENALTY_SOLVER('EXPLICIT').variant == 'EXPLICIT'


def pile(model, boxes=4):
    """A tower of boxes: needs some sweeps, about as many as the square of the number of boxes."""
    DELETE(model.solfec, model.ball)
    model.solfec.contact_points = 'MANY'
    for i in range(boxes):
        BODY(model.solfec, 'RIGID', cube(0, 0, 0.999 * i - 0.001), model.material)
    return model


def test_figures_of_a_step(new_model):
    model = pile(new_model())
    model.solver.itershist = 'ON'
    model.run(3)
    gs = model.solver
    assert gs.error == 'OK' and gs.iters == len(gs.rerhist) == len(gs.merhist) > 0 and sum(gs.itershist) > 3
    assert gs.rerhist[-1] <= gs.epsilon and gs.merhist[-1] <= gs.meritval
    assert len(gs.itershist) == 3 and gs.itershist[-1] == gs.iters
    gs.itershist = 'OFF'
    model.run()
    assert len(gs.itershist) == 3
    gs.itershist = 'ON'
    assert gs.itershist == []
    assert gs.itershist == HISTORY(model.solfec, 'GSITERS', 1, 0.5 + 1)[1] == []
    assert HISTORY(model.solfec, 'GSITERS', 0, 1)[1][-1] == gs.iters


@pytest.mark.parametrize('diagsolver', ['SEMISMOOTH_NEWTON', 'PROJECTED_GRADIENT', 'DE_SAXCE_FENG',
                                        'PROJECTED_NEWTON'])
@pytest.mark.parametrize('reverse', ['ON', 'OFF'])
def test_all_diagonal_solvers_find_the_same_reactions(diagsolver, reverse, new_model):
    model = pile(new_model())
    model.solver = GAUSS_SEIDEL_SOLVER(1E-9, 10000, 1E-14, diagsolver=diagsolver)
    model.solver.reverse = reverse
    model.run(3)
    assert model.solver.error == 'OK' and model.solver.diagsolver == diagsolver
    # Resultants do not depend on the solver: each box carries those above it.
    weight = 10 * 1000.0
    for level, body in enumerate(model.solfec.bodies[1:]):
        below = sum(c.R[2] for c in body.constraints if c.point[2] < level + 0.1)
        assert below == approx((4 - level) * weight, rel=1E-5)


def failing(model, failure, callback=None, data=None):
    pile(model)
    model.solver = GAUSS_SEIDEL_SOLVER(1E-12, 1, 1E-15, failure, callback=callback, data=data)
    return model


def test_failure_continue(model):
    failing(model, 'CONTINUE').run(3)
    assert model.solver.error == 'DIVERGED' and model.solfec.time == approx(3E-3)


def test_failure_exit(model):
    with pytest.raises(RuntimeError, match=r'^RUN: .*has not converged at time 0.001: DIVERGED, merit \S+ '
                       'after 1 iterations; AUTO_SOLVER, a larger maxiter or shorter steps may help$'):
        failing(model, 'EXIT').run(3)
    assert model.solfec.time == approx(1E-3)
    assert HISTORY(model.solfec, 'STEP', 0, 1)[0] == [0, 1E-3]  # the last state is written


@pytest.mark.parametrize('answer, steps', [(0, 1), (False, 1), (1, 3), (None, 3), ('', 3)])
def test_failure_callback(answer, steps, model):
    seen = []

    def callback(solver, *data):
        seen.append((solver.error, solver.iters, data))
        return answer

    failing(model, 'CALLBACK', callback, (1, 'two')).run(3)
    assert seen == [('DIVERGED', 1, (1, 'two'))] * steps and model.solfec.time == approx(steps * 1E-3)


@pytest.mark.parametrize('make', [lambda **more: AUTO_SOLVER(1E-15, 1, **more),
                                  lambda **more: NEWTON_SOLVER(1E-15, 1, gsflag='OFF', **more)], ids=['AUTO', 'NEWTON'])
def test_failure_of_the_other_solvers(make, new_model):
    seen = []
    model = pile(new_model())
    model.solver = make(failure='CALLBACK', data=7,
                        callback=lambda solver, data: seen.append((solver.error, data)) or 0)
    model.run(3)
    assert seen == [('DIVERGED', 7)] and model.solver.failure == 'CALLBACK' and model.solfec.time == approx(1E-3)
    model = pile(new_model())
    model.solver = make(failure='EXIT')
    with pytest.raises(RuntimeError, match='has not converged at time 0.001: DIVERGED'):
        model.run(3)


def test_steps_that_reach_the_merit_have_converged(model):
    """Whatever the change of reactions in the last sweep."""
    pile(model)
    model.solver = GAUSS_SEIDEL_SOLVER(1E-300, 30, 1E-3, 'EXIT')
    model.run(3)
    assert model.solver.error == 'OK' and model.solver.iters == 30 and model.solver.merhist[-1] <= 1E-3


def test_one_contact_that_slides_converges(new_model):
    """Also a heavy one that slips slowly, and with a diagonal solver that ends far from round-off: the merit takes
    reactions as velocities."""
    for more in ({}, {'diagepsilon': 1E-6}, {'diagsolver': 'DE_SAXCE_FENG'}):
        model = new_model()
        BODY_CHARS(model.ball, 1E9, 1, model.ball.center, (1E18, 0, 0, 0, 1E18, 0, 0, 0, 1E18))  # does not roll
        GRAVITY(model.solfec, (5.001, 1E-3, -10))
        model.solver = GAUSS_SEIDEL_SOLVER(1E-3, 1000, 1E-9, failure='EXIT', **more)
        model.run(50)
        contact, = model.solfec.constraints
        assert math.hypot(*contact.R[:2]) == approx(0.5 * contact.R[2], rel=1E-6)
        # 0.001 m/s^2 are left for the slip.
        assert model.ball.velo[3] == approx(5E-5, rel=1E-2)


def test_many_steps_that_fail_are_told_once(new_model, capfd):
    model = failing(new_model(), 'CONTINUE')
    model.solfec.verbose = 'OFF'
    for _ in range(3):
        model.run(8)  # in several RUNs
    told = capfd.readouterr()
    assert told.out == '' and len(told.err.splitlines()) == 1
    assert re.search(r'warning: .*: 10 of 10 steps have not converged by time 0.01, the last one with a merit of \S+; '
                     'AUTO_SOLVER, a larger maxiter', told.err)


def test_failure_callback_is_required():
    with pytest.raises(ValueError, match="'callback': failure = 'CALLBACK' needs a callback"):
        GAUSS_SEIDEL_SOLVER(1E-3, 100, failure='CALLBACK')
    with pytest.raises(ValueError, match="'callback': a callback goes with failure = 'CALLBACK' only"):
        AUTO_SOLVER(callback=lambda solver: 0)
    with pytest.raises(ValueError, match="'data': data goes with a callback only"):
        GAUSS_SEIDEL_SOLVER(1E-3, 100, data=(1, 2))


def test_errors_of_the_failure_callback_reach_the_script(model):
    with pytest.raises(ZeroDivisionError):
        failing(model, 'CALLBACK', lambda solver: 1 / 0).run()


@pytest.mark.parametrize('variant', ['IMPLICIT', 'EXPLICIT'])
def test_penalty_solver(variant, model):
    """At rest on a damped spring: the penetration carries the weight."""
    SURFACE_MATERIAL(model.solfec, 1, 2, 'SPRING_DASHPOT', spring=1E8, dashpot=1E6)
    model.solver = PENALTY_SOLVER(variant)
    model.run(500)
    contact, = model.solfec.constraints
    weight = 10 * model.ball.mass
    assert contact.R[2] == approx(weight, rel=1E-4) and contact.gap == approx(-weight / 1E8, rel=1E-3)


NEWTON = {'default': {}, 'relative': {'delta': 0.01, 'reldelta': 'avgWii'},
          'least': {'delta': 0.1, 'reldelta': 'minWii'},
          'largest': {'delta': 0.01, 'reldelta': 'maxWii'}, 'without blocks': {'delta': 1E-5, 'locdyn': 'OFF'},
          'row by row': {'linver': 'DIAG', 'theta': 0.5}, 'smooth': {'delta': 1E-5, 'smooth': 3}}


def check_weights(model):
    """Each box of the pile carries those above it."""
    boxes = model.solfec.bodies[1:]
    for level, body in enumerate(boxes):
        below = sum(c.R[2] for c in body.constraints if c.point[2] < level + 0.1)
        assert abs(below) == approx((len(boxes) - level) * 10 * 1000.0, rel=1E-4)


@pytest.mark.parametrize('options', NEWTON.values(), ids=NEWTON)
def test_newton_finds_the_weights_of_a_tower(options, new_model):
    """Where the iterations fail, Gauss-Seidel ends the step."""
    model = pile(new_model())
    model.solver = NEWTON_SOLVER(1E-12, 200, **options)
    model.solver.itershist = 'ON'
    model.run(3)
    nt = model.solver
    assert nt.error == 'OK' and nt.iters == len(nt.merhist) == len(nt.mvhist) == nt.itershist[-1] > 0
    assert (nt.merhist[-1] <= 1E-12) == (nt.gssweeps == 0)
    assert all(count <= nt.linmaxiter + 1 for count in nt.mvhist)
    assert HISTORY(model.solfec, ['NTITERS', 'GSITERS'], 0, 1)[1:] == ([0] + nt.itershist, [0] * 4)
    check_weights(model)


@pytest.mark.parametrize('sweeps', (1, 3))
def test_sweeps_after_newton_do_not_spoil_what_it_has_reached(sweeps, tmp_path):
    """A leaning tower, whose sweeps reach a merit slowly."""
    solfec = SOLFEC('DYNAMIC', 1E-3, str(tmp_path / 'out'))
    solfec.verbose = 'OFF'
    GRAVITY(solfec, (0, 0, -9.81))
    SURFACE_MATERIAL(solfec, friction=0.5)
    material = BULK_MATERIAL(solfec, density=1000)
    BODY(solfec, 'OBSTACLE', BOX((0, 0, -0.5), (20, 20, 1)), material)
    for k in range(8):
        BODY(solfec, 'RIGID', BOX((0.05 * k, 0, k + 0.5), (1, 1, 1)), material)
    RUN(solfec, NEWTON_SOLVER(1E-8, smooth=sweeps, failure='EXIT'), 0.06)


@pytest.mark.parametrize('height', (0.1, 1.0))
@pytest.mark.parametrize('make', (PENALTY_SOLVER, AUTO_SOLVER))
def test_friction_of_springs_is_that_of_the_material(make, height, tmp_path):
    """Of all corners of a block together, whatever its shape: a sliding one slows down by mu g."""
    friction, weight = 0.3, 1000 * height * 10
    solfec = SOLFEC('DYNAMIC', 1E-4, str(tmp_path / 'out'))
    solfec.verbose = 'OFF'
    GRAVITY(solfec, (0, 0, -10))
    spring = weight / 4 / 1E-4  # of each corner
    SURFACE_MATERIAL(solfec, model='SPRING_DASHPOT', spring=spring, dashpot=math.sqrt(spring * weight / 40),
                     friction=friction)
    material = BULK_MATERIAL(solfec, density=1000)
    BODY(solfec, 'OBSTACLE', BOX((0, 0, -0.5), (50, 50, 1)), material)
    block = BODY(solfec, 'RIGID', BOX((0, 0, height / 2 - 1E-4), (1, 1, height)), material)
    INITIAL_VELOCITY(block, (2, 0, 0), (0, 0, 0))
    RUN(solfec, make(), 0.1)
    before = block.velo[3]
    RUN(solfec, make(), 0.1)
    assert (before - block.velo[3]) / (10 * 0.1) == approx(friction, rel=1E-3)


def test_newton_that_fails_says_so(new_model):
    """Without help it keeps the best reactions; with it Gauss-Seidel goes on from them."""
    model = pile(new_model())
    model.solver = NEWTON_SOLVER(1E-20, 3, gsflag='OFF', delta=1, reldelta='maxWii')
    model.run(1)
    assert model.solver.error == 'DIVERGED' and model.solver.iters == 3 and model.solver.gssweeps == 0
    model.solver.gsflag, model.solver.maxiter, model.solver.meritval = 'ON', 500, 1E-14
    model.solver.maxmatvec = 1
    model.run(1)
    assert model.solver.error == 'OK' and model.solver.iters == 1 and model.solver.gssweeps > 0


def test_automatic_solver_finds_the_weights_of_a_tower(new_model):
    """Sweeps for low ones, Newton steps for a high one."""
    for boxes in (2, 30):
        model = pile(new_model(), boxes)
        model.solver = AUTO_SOLVER(1E-12)
        model.solver.itershist = 'ON'
        model.run(2)
        auto = model.solver
        assert auto.error == 'OK' and (sum(auto.itershist) > 2) and auto.iters == auto.itershist[-1]
        assert HISTORY(model.solfec, ['ASITERS', 'GSITERS', 'NTITERS'], 0, 1)[1:] == \
            ([0] + auto.itershist, [0] * 3, [0] * 3)
        check_weights(model)
    first = pile(new_model(), 100)
    first.solver = auto
    first.run(1)
    assert auto.ntsteps > 0 and auto.error == 'OK'
    assert sum(iterations for _, iterations, _ in auto.path) == auto.iters
    assert auto.path[0][0] == 'GS-AA' and auto.path[1][0] in ('PQN', 'PROXIMAL', 'IPM')
    assert auto.path[-1][2] <= auto.meritval


def test_last_line_of_a_run_tells_of_steps_that_failed(new_model, capfd):
    model = pile(new_model(), 30)
    model.solfec.verbose = 'ON'

    def last_line(solver):
        model.solver = solver
        model.run(2)
        return capfd.readouterr().out.splitlines()[-1]
    told = r'2 steps in \S+ s; 2 have not converged, largest merit \S+: '
    assert re.fullmatch(told + 'a larger maxiter or shorter steps may help; overlap .*',
                        last_line(AUTO_SOLVER(1E-14, 5)))
    assert re.fullmatch(told + 'AUTO_SOLVER, a larger maxiter or shorter steps may help; overlap .*',
                        last_line(GAUSS_SEIDEL_SOLVER(1E-9, 2)))
    assert re.fullmatch(r'2 steps in \S+ s; overlap .*', last_line(AUTO_SOLVER(1E-6)))


def test_automatic_solver_that_fails_says_so(new_model):
    model = pile(new_model(), 30)
    model.solver = AUTO_SOLVER(1E-14, 10)
    model.run(1)
    assert model.solver.error == 'DIVERGED' and model.solver.iters == 10
    merit = HISTORY(model.solfec, ['MERIT'], 0, 1)[1][-1]
    assert 1E-14 < merit < 1
    model.solver.maxiter = 1000
    model.run(1)
    assert model.solver.error == 'OK'


@pytest.mark.parametrize('speed, merit', [(0.5, 1E-8), (0.5, 1E-12), (1.0, 1E-8)])
def test_automatic_solver_keeps_reactions_small_where_none_meets_the_laws(speed, merit, tmp_path):
    """A link asks for what contacts forbid. Reactions that grow from step to step, balance each other but for rounding,
    and move bodies by that, gave thousands of joules to them."""
    solfec = SOLFEC('DYNAMIC', 1E-3, str(tmp_path / 'out'))
    material = BULK_MATERIAL(solfec, density=2000)
    SURFACE_MATERIAL(solfec, friction=0.4)
    GRAVITY(solfec, (0, 0, -9.81))
    BODY(solfec, 'OBSTACLE', BOX((0, 0, -0.5), (30, 30, 1)), material)
    lower = BODY(solfec, 'RIGID', BOX((0, 0, 0.1), (0.2, 0.2, 0.2)), material)
    upper = BODY(solfec, 'RIGID', BOX((0.004, 0, 0.3), (0.2, 0.2, 0.2)), material)
    INITIAL_VELOCITY(lower, (speed, 0, -speed), (0, 0, 0))
    INITIAL_VELOCITY(upper, (-speed, 0, 0), (0, 0, 0))
    PUT_RIGID_LINK(lower, upper, lower.center, upper.center)
    start = 0.5 * lower.mass * 3 * speed**2
    for _ in range(50):
        RUN(solfec, AUTO_SOLVER(merit), solfec.step)
        assert sum(ENERGY(solfec, b)[0] for b in (lower, upper)) < 1.001 * start
        assert max(abs(x) for c in solfec.constraints for x in c.R) < 1E8


def test_solvers_move_a_model_alike(new_model):
    """Balls that fall, bounce, slide and roll, and one on a link: the same state after 300 steps. Where bodies have
    more contacts than they need, friction leaves a choice, and solvers part."""
    def end(solver):
        model = new_model()
        SURFACE_MATERIAL(model.solfec, friction=0.4, restitution=0.2)
        for k in range(3):
            ball = SPHERE((2 + 1.5 * k, 0, 0.52), 0.5, 3, 3)
            body = BODY(model.solfec, 'PSEUDO_RIGID' if k == 1 else 'RIGID', ball, model.material)
            INITIAL_VELOCITY(body, (-1 - k, 0.3, 0), (0, 0, 0.1))
            if k == 1:
                body.scheme = 'DEF_LIM'
        hanging = BODY(model.solfec, 'RIGID', cube(9, 0, 3), model.material)
        FIX_POINT(hanging, (9, 0, 4))
        PUT_RIGID_LINK(model.solfec.bodies[-2], hanging, (5, 0, 0.9), (9.5, 0.5, 3))
        model.solver = solver
        model.run(300)
        assert model.solver.error == 'OK'
        return [x for body in model.solfec.bodies[1:] for x in body.conf]
    first = end(GAUSS_SEIDEL_SOLVER(1, 100000, 1E-16))
    assert end(NEWTON_SOLVER(1E-16, delta=0.01, reldelta='avgWii', omega=1E-13)) == approx(first, abs=1E-5)
    assert end(AUTO_SOLVER(1E-16, 100000)) == approx(first, abs=1E-5)
    assert end(NONSMOOTH_SOLVER('FP-VI-UPK', 1E-16, 100000)) == approx(first, abs=1E-5)
    accelerated = GAUSS_SEIDEL_SOLVER(1, 100000, 1E-16)
    accelerated.memory = 5
    assert end(accelerated) == approx(first, abs=1E-5)


def test_parameters_are_those_of_the_method():
    with pytest.raises(ValueError, match=r"NONSMOOTH_SOLVER: 'nu': FP-DS has no parameter nu, only rho"):
        NONSMOOTH_SOLVER('FP-DS', nu=0.5)
    with pytest.raises(ValueError, match=r"'Lmin' must be a number less than L = 0.2; got 0.25"):
        NONSMOOTH_SOLVER('EG-VI-UPK', L=0.2, Lmin=0.25)
    with pytest.raises(ValueError, match=r"'nu' must be a number > 0 and < 1; got 1"):
        NONSMOOTH_SOLVER('EG-VI-UPK', nu=1)
    fixed = NONSMOOTH_SOLVER('FP-DS', rho=0.5)
    assert (fixed.rho, fixed.nu, fixed.L, fixed.Lmin) == (0.5, None, None, None)
    extragradient = NONSMOOTH_SOLVER('EG-VI-UPK', L=0.6)
    assert (extragradient.nu, extragradient.L, extragradient.Lmin) == (2 / 3, 0.6, approx(0.2))
    assert repr(fixed) == '<NONSMOOTH_SOLVER FP-DS, meritval 1e-08, maxiter 10000>'
    with pytest.raises(ValueError, match="'omega': NSN-AC has no parameters"):
        NONSMOOTH_SOLVER('NSN-AC', omega=1)
    with pytest.raises(ValueError, match=r"'alpha': PSOR-AC has no parameter alpha, only tollocal, omega"):
        NONSMOOTH_SOLVER('PSOR-AC', alpha=1)
    relaxed = NONSMOOTH_SOLVER('PSOR-AC', tollocal=1E-6, omega=1.5)
    assert (relaxed.tollocal, relaxed.omega, relaxed.alpha) == (1E-6, 1.5, None)
    proximal = NONSMOOTH_SOLVER('PPA-NSN-AC', alpha=10)
    assert (proximal.alpha, proximal.sigma, proximal.tollocal) == (10, None, None)
    by_error = NONSMOOTH_SOLVER('PPA-NSGS-AC-SIGMA', sigma=2, exponent=0.5)
    assert (by_error.alpha, by_error.sigma, by_error.exponent) == (None, 2, 0.5)


@pytest.mark.parametrize('method', ['NSN-FB-GP', 'NSGS-JM-GP', 'PSOR-AC-GP', 'PPA-NSN-AC-GP', 'PANA-PGS-FP-VI-UPK',
                                    'TRESCA-NSGS-FP-VI-UPK', 'ACLM-FP-VI-UPK'])
def test_methods_of_all_families_solve_steps(model, method):
    model.solver = NONSMOOTH_SOLVER(method, 1E-12)
    for _ in range(20):
        model.run(5)
        assert model.solver.error == 'OK'
        assert model.solver.iters < 1000


def test_nonsmooth_refuses_springs(model):
    PUT_SPRING(model.ball, (0, 0, 1), None, (0, 0, 3), lambda stroke, velocity: -stroke, None)
    model.solver = NONSMOOTH_SOLVER('FP-VI-UPK')
    with pytest.raises(RuntimeError, match='NONSMOOTH_SOLVER takes contacts of model SIGNORINI_COULOMB, .* no springs'):
        model.run()


def test_nonsmooth_takes_links_that_steps_close(model):
    PUT_RIGID_LINK(model.ball, None, (0, 0, 1), (0.3, 0, 3))
    model.solver = NONSMOOTH_SOLVER('FP-VI-UPK')
    model.run(5)
    assert model.solver.error == 'OK'
    model.solfec.joint_correction = 'OFF'
    with pytest.raises(RuntimeError, match="no links .PUT_RIGID_LINK. that joint_correction has not closed"):
        model.run()


@pytest.mark.parametrize('make, most', [(PENALTY_SOLVER, 0.05), (AUTO_SOLVER, 1E-6)], ids=['PENALTY', 'AUTO'])
def test_creep_of_springs_on_a_slope(make, most, tmp_path):
    """One that friction should hold: PENALTY_SOLVER lets it creep by a few percent of h g, others do not."""
    step, slope = 1E-3, math.radians(20)
    solfec = SOLFEC('DYNAMIC', step, str(tmp_path / 'out'))
    solfec.verbose = 'OFF'
    GRAVITY(solfec, (10 * math.sin(slope), 0, -10 * math.cos(slope)))
    SURFACE_MATERIAL(solfec, model='SPRING_DASHPOT', friction=0.6, spring=1E5, dashpot=1E3)
    material = BULK_MATERIAL(solfec, density=1000)
    BODY(solfec, 'OBSTACLE', BOX((0, 0, -0.5), (10, 10, 1)), material)
    block = BODY(solfec, 'RIGID', BOX((0, 0, 0.1), (0.2, 0.2, 0.2)), material)
    RUN(solfec, make(), 0.5)
    before = block.conf[9]
    RUN(solfec, make(), 1)
    assert abs(block.conf[9] - before) < most * 10 * step


@pytest.mark.parametrize('most', (50, 100))
def test_automatic_sweeps_leave_iterations_to_what_follows(most):
    """A pyramid of cubes: to sweeps the goal always seems near, and they would spend all that is allowed."""
    solfec = SOLFEC('DYNAMIC', 1E-3, 'out/solvers-pyramid-%d' % most)
    GRAVITY(solfec, (0, 0, -10))
    SURFACE_MATERIAL(solfec, friction=0.5)
    material = BULK_MATERIAL(solfec, density=1000)
    BODY(solfec, 'OBSTACLE', BOX((0, 0, -0.5), (9, 9, 1)), material)
    for k in range(7):
        for j in range(7 - k):
            BODY(solfec, 'RIGID', BOX((j - (7 - k) / 2, 0, k + 0.5), (1, 1, 1)), material)
    solver = AUTO_SOLVER(maxiter=most)
    RUN(solfec, solver, solfec.step)
    assert len(solver.path) > 1 and solver.path[0][0] == 'GS-AA'
    assert solver.error == 'OK' and solver.iters <= most
