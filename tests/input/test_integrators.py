"""Schemes of finite-element bodies: energy over 100,000 steps, steps far above the explicit limit, orders in time."""

import itertools
import math

import pytest

from solfec import *

LIMIT = 0.0249  # explicit limit of the step of this block at rest, form 'TL' [s]; of 'BC' it is 0.0253
OUTPUTS = (f'out{number}' for number in itertools.count())


def block(scheme, form, step, spin=(0, 0, 0), poisson=0.3, elements=2):
    """Soft hexahedra in a row."""
    solfec = SOLFEC('DYNAMIC', step, next(OUTPUTS))
    solfec.verbose = 'OFF'
    OUTPUT(solfec, 1E9)
    material = BULK_MATERIAL(solfec, young=1E5, poisson=poisson, density=1000)
    SURFACE_MATERIAL(solfec)
    corners = [c for z in (0, 0.4) for x, y in ((0, 0), (1, 0), (1, 0.6), (0, 0.6)) for c in (x, y, z)]
    body = BODY(solfec, 'FINITE_ELEMENT', HEX(corners, elements, 1, 1, 1, [1] * 6), material, form=form)
    body.scheme = scheme
    INITIAL_VELOCITY(body, (0, 0, 0), spin)
    return solfec, body


def run(solfec, duration):
    RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-6, 10, 1E-6), duration)


def energy(scheme, form, factor, steps, pull, spin):
    """Change of energy in time, relative to that of the start: spinning, and let go after it was drawn out. The step is
    given in explicit limits."""
    solfec, body = block('DEF_EXP', form, 0.4 * LIMIT, spin)
    end = 20 * LIMIT
    for x, sign in ((0, -1), (1, 1)):
        FORCE(body, 'CONVECTED', (x, 0.3, 0.2), (sign, 0, 0), TIME_SERIES([0, pull, end, pull, 1.001 * end, 0]))
    run(solfec, 2 * end)
    start, begin = sum(ENERGY(solfec)[:2]), solfec.time
    body.scheme, solfec.step = scheme, factor * LIMIT
    OUTPUT(solfec, steps / 500 * solfec.step)
    run(solfec, steps * solfec.step)
    assert solfec.time - begin > 0.99 * steps * solfec.step
    _, kinetic, internal = HISTORY(solfec, [(solfec, 'KINETIC'), (solfec, 'INTERNAL')], begin, solfec.time)
    changes = [(k + i) / start - 1 for k, i in zip(kinetic, internal)]
    assert len(changes) > 490
    return changes


@pytest.mark.parametrize('scheme, form, bound, drift', (
    ('DEF_IMP', 'TL', 1E-11, 1E-11), ('DEF_EXP', 'TL', 0.02, 1E-3), ('DEF_EXP', 'BC', 0.01, 1E-3)))
def test_energy_over_100000_steps(scheme, form, bound, drift):
    """A tumbling, swinging block, a quarter of its energy stored: DEF_IMP keeps the energy (measured: 3E-12), that of
    DEF_EXP swings (by 1 %, 0.4 %) and does not drift, in steps that stay the same."""
    changes = energy(scheme, form, 0.4, 100000, 3000, (1, 2, 3))
    tenth = len(changes) // 10
    assert max(map(abs, changes)) < bound
    assert abs(sum(changes[-tenth:]) - sum(changes[:tenth])) / tenth < drift


TUMBLING = (0.1, 0.2, 0.3)  # 0.09 in a step of ten explicit limits


@pytest.mark.parametrize('spin', ((0, 0, 0), TUMBLING))
def test_conserving_scheme_at_ten_times_the_explicit_limit(spin):
    """Vibrations that the step does not resolve, over 10,000 steps."""
    assert max(map(abs, energy('DEF_IMP', 'TL', 10, 10000, 300, spin))) < 1E-9


@pytest.mark.parametrize('scheme', ('DEF_LIM', 'DEF_LIM2'))
@pytest.mark.parametrize('form', ('TL', 'BC'))
def test_dissipative_schemes_at_ten_times_the_explicit_limit(scheme, form):
    """Vibrations that the step does not resolve die out; with a spin the energy never exceeds that of the start."""
    changes = energy(scheme, form, 10, 1000, 300, (0, 0, 0))
    if scheme == 'DEF_LIM2':
        assert all(after <= before + 1E-12 for before, after in zip(changes, changes[1:]))
    assert changes[-1] == pytest.approx(-1, abs=1E-12)
    assert max(energy(scheme, form, 10, 10000, 300, TUMBLING)) <= 1E-12


def place(scheme, form, steps):
    """Nodes after 1 s: pushed and drawn from the start on while they turn."""
    solfec, body = block(scheme, form, 1 / steps, (1, 2, 3))
    FORCE(body, 'CONVECTED', (1, 0.3, 0.2), (1, 0, 1), 300)
    FORCE(body, 'CONVECTED', (0, 0.3, 0.2), (-1, 0, 1), 300)
    run(solfec, 1 - 0.5 / steps)
    assert solfec.time == pytest.approx(1)
    return body.conf


@pytest.mark.parametrize('form', ('TL', 'BC'))
def test_orders_in_time(form):
    """Of second order against a tiny step; DEF_LIM2 of first."""
    exact = place('DEF_EXP', form, 25600)
    schemes = ('DEF_EXP', 'DEF_LIM', 'DEF_IMP') if form == 'TL' else ('DEF_EXP', 'DEF_LIM')
    for scheme, steps, order in [(scheme, 800, 2) for scheme in schemes] + [('DEF_LIM2', 6400, 1)]:
        coarse, fine = (math.dist(place(scheme, form, n), exact) for n in (steps, 2 * steps))
        assert math.log2(coarse / fine) == pytest.approx(order, abs=0.1), scheme


def ahead(solfec, body, settings):
    """Nodes and velocities 20 steps after the settings were made."""
    solfec.step = settings.pop('step', solfec.step)
    for name, value in settings.items():
        setattr(body, name, value)
    run(solfec, 19.5 * solfec.step)
    return body.conf + body.velo


@pytest.mark.parametrize('form', ('TL', 'BC'))
@pytest.mark.parametrize('settings', ({'step': 0.004}, {'damping': 0.01}, {'scheme': 'DEF_LIM2'},
                                      {'scheme': 'DEF_EXP'}))
def test_settings_that_change_during_a_run(form, settings):
    """A body that has moved goes on as one does that had the new settings from the start: no factor is left over."""
    (solfec, body), others = block('DEF_LIM', form, 0.01, (1, 2, 3)), []
    OUTPUT(solfec, 0)
    FORCE(body, 'CONVECTED', (1, 0.3, 0.2), (1, 0, 1), TIME_SERIES([0, 300, 0.05, 300, 0.051, 0]))
    run(solfec, 9.5 * solfec.step)
    for new in (settings, {}):
        others.append(block('DEF_LIM', form, 0.01))
        INITIALIZE_STATE(others[-1][0], solfec.outpath, solfec.time)
        others[-1] = ahead(*others[-1], dict(new))
    found = ahead(solfec, body, dict(settings))
    assert math.dist(found, others[0]) < 1E-10
    assert math.dist(found, others[1]) > 1E-4


def stretched_bar(scheme, form, turn):
    """Velocities of one mode along a bar of one element, w^2 = 4 E / (rho length^2) = 20^2, and places by w in the
    middle of the next step, where forces are taken: of four steps after it was let go. A step is `turn` / w."""
    frequency = 20.0
    step = turn / frequency
    solfec, body = block(scheme, form, step, poisson=0, elements=1)
    for x, sign in ((0, -1), (1, 1)):
        FORCE(body, 'SPATIAL', (x, 0.3, 0.2), (sign, 0, 0), TIME_SERIES([0, 0.1, 5 * step, 0.1, 5.01 * step, 0]))
    run(solfec, 6 * step)  # one step without the force: what is left is small enough for the linear law
    for _ in range(4):
        run(solfec, step)
        stretch, rate = (values[3] - values[0] for values in (body.conf, body.velo))
        yield rate, frequency * (stretch - 1 + step / 2 * rate)


@pytest.mark.parametrize('form', ('TL', 'BC'))
@pytest.mark.parametrize('turn', (0.1, 1, 10))
def test_decay_by_the_dissipative_scheme(form, turn):
    """Each step leaves (1 + h^2 w^2)^(-1/2)."""
    amplitudes = [math.hypot(*state) for state in list(stretched_bar('DEF_LIM2', form, turn))[:3]]
    for before, after in zip(amplitudes, amplitudes[1:]):
        assert after / before == pytest.approx((1 + turn**2)**-0.5, rel=1E-5)


@pytest.mark.parametrize('form', ('TL', 'BC'))
@pytest.mark.parametrize('turn', (0.1, 1, 10))
def test_decay_of_what_a_step_does_not_resolve(form, turn):
    """DEF_LIM is a linear map of determinant 1 - (2 sqrt(3) - 3) q^4, q = h^2 w^2 / (3 + h^2 w^2): of steps that are
    short the energy falls with their eighth power, of long ones 0.54 is left of it."""
    states = list(stretched_bar('DEF_LIM', form, turn))
    areas = [a[0] * b[1] - a[1] * b[0] for a, b in zip(states, states[1:])]
    q = turn**2 / (3 + turn**2)
    for before, after in zip(areas, areas[1:]):
        assert after / before == pytest.approx(1 - (2 * math.sqrt(3) - 3) * q**4, rel=1E-4)


def test_a_stable_step_that_would_never_end(free):
    """As of a material that is far too stiff; such a run went on for ever."""
    stiff = BULK_MATERIAL(free.solfec, young=1E45, label='stiff')
    body = BODY(free.solfec, 'PSEUDO_RIGID', SPHERE((9, 0, 0), 1), stiff)
    with pytest.raises(RuntimeError,
                       match=r'^RUN: a step of \S+ s at time 0, .* stable for the bodies of the scheme DEF_EXP'):
        free.run()
    body.scheme = 'DEF_LIM'
    free.run()
    assert free.solfec.time == free.solfec.step
