"""Runs with several threads are those with one, to the last bit, whatever takes part."""

import multiprocessing

import pytest

import solfec
from conftest import cube
from solfec import *


def bodies_of(model):
    """All that a step changes, as it is."""
    return [(b.conf, b.velo, b.id) for b in model.bodies]


def bed(name, nx=12, ny=12, nz=8):
    """Layers of balls, each above the gaps of the one below: more than 2,000 contacts, so sweeps are in blocks."""
    model = SOLFEC('DYNAMIC', 1E-3, f'out/{name}')
    model.verbose = 'OFF'
    material = BULK_MATERIAL(model, density=1000)
    SURFACE_MATERIAL(model, friction=0.4, restitution=0.1)
    GRAVITY(model, (0, 0, -10))
    BODY(model, 'OBSTACLE', cube(-2, -2, -30, 30), material)
    for wall in ((-2.015, 0), (0, -2.015), (nx * 0.03, 0), (0, ny * 0.03)):
        BODY(model, 'OBSTACLE', cube(wall[0], wall[1], -0.5, 2), material)
    for k in range(nz):
        for j in range(ny):
            for i in range(nx):
                shift = 0.015 * (k % 2)
                BODY(model, 'RIGID', SPHERE((0.03 * i + shift, 0.03 * j + shift, 0.015 + 0.0212 * k), 0.015, 1, 1),
                     material)
    return model


def mixture(name):
    """Every kind of body, scheme and row, a load by a function of the script among them."""
    model = SOLFEC('DYNAMIC', 1E-3, f'out/{name}')
    model.verbose = 'OFF'
    material = BULK_MATERIAL(model, young=1E6, poisson=0.3, density=1000)
    SURFACE_MATERIAL(model, friction=0.5)
    GRAVITY(model, (1, 0, -10))
    BODY(model, 'OBSTACLE', cube(-50, -50, -100, 100), material)
    corners = [0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1]
    last = None
    for i in range(12):
        x = 1.5 * i
        node = [x + c if k % 3 == 0 else c for k, c in enumerate(corners)]
        for scheme, form, z in (('DEF_LIM', 'TL', 0), ('DEF_LIM2', 'BC', 1.001)):
            shape = HEX([(node[k], node[k + 1], node[k + 2] + z) for k in range(0, 24, 3)], 2, 2, 2, 1, [1] * 6)
            BODY(model, 'FINITE_ELEMENT', shape, material, form=form).scheme = scheme
        BODY(model, 'PSEUDO_RIGID', cube(x, 3, 0), material).scheme = 'DEF_LIM' if i % 2 else 'DEF_EXP'
        brick = BODY(model, 'RIGID', cube(x, 5, 0), material)
        BODY(model, 'RIGID', ELLIP((x, 7, 0.5), (0.4, 0.4, 0.5), 1, 1), material)
        if last is not None:
            PUT_RIGID_LINK(brick, last, (x, 5.5, 0.5), (x - 0.5, 5.5, 0.5))
        last = brick
        if i % 5 == 0:
            FORCE(brick, 'SPATIAL', (0, 0, 0), (0, 0, 0), lambda q, u, time, h: (0, 100 * time, 0, 0, 0, 0, 0, 0, 0))
    return model


SOLVERS = {'gauss_seidel': lambda: GAUSS_SEIDEL_SOLVER(1E-3, 20, 1E-4),
           'automatic': lambda: AUTO_SOLVER(1E-3, 20),
           'newton': lambda: NEWTON_SOLVER(1E-3, 5),
           'penalty': lambda: PENALTY_SOLVER(),
           'convex': lambda: CONVEX_SOLVER('GS', meritval=1E-3, maxiter=20)}


@pytest.mark.parametrize('make, solver, steps', [(bed, 'gauss_seidel', 8), (bed, 'automatic', 3), (bed, 'newton', 2),
                                                 (bed, 'convex', 2), (mixture, 'gauss_seidel', 8),
                                                 (mixture, 'automatic', 4), (mixture, 'penalty', 8)])
def test_number_of_threads(make, solver, steps):
    states = []
    for threads in (1, 2, 5):
        solfec.configure(threads=threads)
        model = make(f'{threads}')
        RUN(model, SOLVERS[solver](), steps * model.step)
        states.append(([(c.point, c.R, c.U) for c in model.constraints], bodies_of(model)))
    assert states[0] == states[1] == states[2]
    assert model.ncon > (2000 if make is bed else 40)


def fall(directory):
    model = bed(directory, 8, 8, 3)
    RUN(model, SOLVERS['gauss_seidel'](), 5E-3)
    return bodies_of(model)


def test_copies_of_the_process():
    """That Python's multiprocessing makes: they have none of the threads, and start their own."""
    solfec.configure(threads=2)
    here = fall('here')
    with multiprocessing.get_context('fork').Pool(2) as pool:
        assert pool.map(fall, ['first', 'second']) == [here, here]
