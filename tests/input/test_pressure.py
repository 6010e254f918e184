"""PRESSURE: exact stresses, follower loads, closed surfaces, parts."""

import itertools
import math

import pytest
from conftest import cube
from pytest import approx

from solfec import *

OUTPUTS = (f'pressure{number}' for number in itertools.count())


def model(analysis='DYNAMIC', step=1E-3, young=1E6, poisson=0.25):
    solfec = SOLFEC(analysis, step, next(OUTPUTS))
    solfec.verbose = 'OFF'
    BULK_MATERIAL(solfec, young=young, poisson=poisson, density=1000)
    SURFACE_MATERIAL(solfec)
    return solfec


def run(solfec, steps):
    OUTPUT(solfec, 1E6)
    RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-12, 5000, 1E-16), steps * solfec.step)


# Faces of HEX: bottom 1, x- 2, y+ 3, x+ 4, y- 5, top 6.
def block(sizes=(1, 1, 1), divisions=(1, 1, 1), low=(0, 0, 0)):
    (x, y, z), (X, Y, Z) = low, [a + s for a, s in zip(low, sizes)]
    corners = [x, y, z, X, y, z, X, Y, z, x, Y, z, x, y, Z, X, y, Z, X, Y, Z, x, Y, Z]
    return HEX(corners, *divisions, 1, [1, 2, 3, 4, 5, 6])


def hold(body):
    """Six motions of a rigid body, and no strain."""
    for point, axes in (((0, 0, 0), (0, 1, 2)), ((1, 0, 0), (1, 2)), ((0, 1, 0), (2,))):
        for axis in axes:
            FIX_DIRECTION(body, point, [float(k == axis) for k in range(3)])


@pytest.mark.parametrize('form, value, exact', (('TL', -1E5, 1E-6), ('TL', 1E5, 1E-6), ('BC', -100, 1E-3)))
def test_stress_under_pressure_is_that_pressure(form, value, exact):
    """By current areas: at a strain of 10 % a dead load would miss it by 5 %."""
    solfec = model('QUASI_STATIC', 10)
    body = BODY(solfec, 'FINITE_ELEMENT', block(divisions=(2, 2, 2)), 'BULK_MATERIAL_0', form=form)
    hold(body)
    for surface in (1, 6):
        PRESSURE(body, surface, value)
    run(solfec, 50)
    for point in ((0.3, 0.6, 0.2), (0.9, 0.1, 0.7)):
        stress = STRESS(body, point)
        assert stress[2] == approx(value, rel=exact)
        assert [stress[k] for k in (0, 1, 3, 4, 5)] == approx([0] * 5, abs=exact * abs(value))


def test_pseudo_rigid_stress():
    """Steps are short: nothing holds the body but its inertia."""
    solfec = model('QUASI_STATIC', 0.02)
    body = BODY(solfec, 'PSEUDO_RIGID', block(), 'BULK_MATERIAL_0')
    for surface in (1, 6):
        PRESSURE(body, surface, TIME_SERIES([0, 0, 2, -2E5]))
    run(solfec, 300)
    assert STRESS(body, (0.5, 0.5, 0.5))[:6] == approx((0, 0, -2E5, 0, 0, 0), abs=1)


def hollow_sphere(inner, outer, divisions, layers):
    """Hexahedra on the rays through the six faces of a cube; its inner surface is 2, the outer one 1."""
    number, nodes, elements, faces = {}, [], [], []

    def node(face, i, j, layer):
        a, b = (math.tan(math.pi / 4 * (2 * k / divisions - 1)) for k in (i, j))
        axis, sign = face % 3, 1 if face < 3 else -1
        ray = [0, 0, 0]
        ray[axis], ray[(axis + 1) % 3], ray[(axis + 2) % 3] = sign, a, sign * b
        radius = inner * (outer / inner)**(layer / layers)
        place = [radius * x / math.hypot(*ray) for x in ray]
        key = tuple(round(x, 9) for x in place)
        if key not in number:
            number[key] = len(number)
            nodes.extend(place)
        return number[key]
    for face, i, j, layer in itertools.product(range(6), range(divisions), range(divisions), range(layers)):
        loops = [[node(face, i + p, j + q, k) for p, q in ((0, 0), (1, 0), (1, 1), (0, 1))] for k in (layer, layer + 1)]
        elements.extend([8, *loops[0], *loops[1], 1])
        if layer == 0:
            faces.extend([4, *loops[0], 2])
    return MESH(nodes, elements, [1, *faces])


def test_hollow_sphere_under_inner_pressure():
    """Lame's solution, with errors of second order in the size of elements; nothing holds the sphere."""
    young, poisson, inner, outer, p = 1E6, 0.3, 1.0, 2.0, 100.0

    def exact(r):
        factor = p * inner**3 / (outer**3 - inner**3) / young
        return factor * ((1 - 2 * poisson) * r + (1 + poisson) / 2 * outer**3 / r**2)

    def error(divisions, layers):
        solfec = model('QUASI_STATIC', 1.0, young, poisson)
        mesh = hollow_sphere(inner, outer, divisions, layers)
        at = [mesh.node(k) for k in range(mesh.nnod)]
        body = BODY(solfec, 'FINITE_ELEMENT', mesh, 'BULK_MATERIAL_0')
        PRESSURE(body, 2, -p)  # the fluid pushes at the wall, against its outward normal
        run(solfec, 4)
        radial = [(math.hypot(*x), sum(a * b for a, b in zip(DISPLACEMENT(body, x), x)) / math.hypot(*x)) for x in at]
        return max(abs(u / exact(r) - 1) for r, u in radial)
    coarse, fine = error(3, 2), error(6, 4)
    assert fine < 0.055 and coarse / fine > 2.5


@pytest.mark.parametrize('kind', ('RIGID', 'PSEUDO_RIGID', 'FINITE_ELEMENT'))
def test_closed_surface(kind):
    """Uniform pressure all around neither moves nor turns a body, whatever its rotation."""
    solfec = model(step=1E-4, young=1E8)
    shape = MESH([0, 0, 0, 2, 0, 0, 2.2, 1, .3, 0, 1, 0, .1, 0, 1, 1.5, .2, 1.3, 2, 1.4, 1, 0, 1, 1.1, 1, .5, 3],
                 [8, 0, 1, 2, 3, 4, 5, 6, 7, 1, 5, 4, 5, 6, 7, 8, 1], 7)
    ROTATE(shape, (0, 0, 0), (1, 2, 3), 77)
    body = BODY(solfec, kind, shape, 'BULK_MATERIAL_0')
    if kind != 'RIGID':
        body.scheme, body.damping = 'DEF_LIM', 1E-3
    PRESSURE(body, 7, -1E5)
    INITIAL_VELOCITY(body, (1, 2, 3), (0, 0, 0))
    before = list(body.conf)
    run(solfec, 200)
    if kind == 'FINITE_ELEMENT':
        way = DISPLACEMENT(body, body.center)
        # It does not turn: a strain along any line is below p / E (and the mesh is no ball).
        for point in ((0, 0, 0), (2, 0, 0)):
            ROTATED = ROTATE(point, (0, 0, 0), (1, 2, 3), 77)
            assert DISPLACEMENT(body, ROTATED) == approx(way, abs=4E-3)
        assert way == approx([0.02 * v for v in (1, 2, 3)], abs=1E-3)
        return
    center = [c + 0.02 * v for c, v in zip(body.center, (1, 2, 3))]
    assert body.conf[9:] == approx(center, abs=1E-12) and body.velo[-3:] == approx((1, 2, 3), abs=1E-12)
    if kind == 'RIGID':
        assert body.conf[:9] == approx(before[:9], abs=1E-12)
    else:
        F = body.conf
        assert [F[1] - F[3], F[2] - F[6], F[5] - F[7]] == approx([0] * 3, abs=1E-6)
        assert F[0] < 0.9999


def test_acceleration_of_a_rigid_body_follows_its_face():
    """It turns about z while its x+ face is pressed upon; a dead load keeps its direction."""
    sizes, p, spin = (1, 2, 3), -4000.0, 2.0
    velocities = []
    for follows in (True, False):
        solfec = model(step=1E-3)
        body = BODY(solfec, 'RIGID', block(sizes), 'BULK_MATERIAL_0')
        INITIAL_VELOCITY(body, (0, 0, 0), (0, 0, spin))
        if follows:
            PRESSURE(body, 4, p)
        else:
            FORCE(body, 'SPATIAL', body.center, (1, 0, 0), p * 6)
        run(solfec, 500)
        velocities.append(body.velo[3:])
        kinetic, _, external, _, _ = ENERGY(solfec, body)
        assert kinetic - 0.5 * body.tensor[8] * spin**2 == approx(external, rel=1E-6)
    a, angle = p * 6 / 6000, 0.5 * spin
    turned = (a / spin * math.sin(angle), a / spin * (1 - math.cos(angle)), 0)
    assert velocities[0] == approx(turned, rel=1E-5, abs=1E-9)
    assert velocities[1] == approx((a * 0.5, 0, 0), rel=1E-9, abs=1E-9)


@pytest.mark.parametrize('kind', ('RIGID', 'PSEUDO_RIGID', 'FINITE_ELEMENT'))
def test_pressure_on_a_part_of_a_face_turns(kind):
    """Of two elements one is pressed upon: force and torque; positive values pull."""
    solfec = model(step=1E-5, young=1E9)
    mesh = MESH([c for z in (0, 1) for y in (0, 1) for x in (0, 1, 2) for c in (x, y, z)],
                [8, 0, 1, 4, 3, 6, 7, 10, 9, 1, 8, 1, 2, 5, 4, 7, 8, 11, 10, 1], [1, 4, 7, 8, 11, 10, 9])
    body = BODY(solfec, kind, mesh, 'BULK_MATERIAL_0')
    if kind != 'RIGID':
        body.scheme = 'DEF_LIM'
    PRESSURE(body, 9, 1000)
    run(solfec, 10)
    if kind == 'FINITE_ELEMENT':
        kinetic, internal, external, _, _ = ENERGY(solfec, body)
        assert kinetic + internal == approx(external, rel=1E-2) and external > 0
        return
    assert body.velo[-3:] == approx((0, 0, 1000 / 2000 * solfec.time), abs=1E-12)
    if kind == 'RIGID':  # 1000 N at x = 1.5, the centre at x = 1
        assert body.velo[1] == approx(-500 / body.tensor[4] * solfec.time, rel=1E-9)


def test_work_is_external_work():
    """A block swells under suction: all that is stored and moves comes from the pressure."""
    solfec = model(step=1E-3, young=1E5)
    body = BODY(solfec, 'FINITE_ELEMENT', block(divisions=(2, 2, 2)), 'BULK_MATERIAL_0')
    body.scheme = 'DEF_LIM'
    for surface in range(1, 7):
        PRESSURE(body, surface, 1E4)
    energies = []
    CALLBACK(solfec, 0.01, (), lambda: energies.append(ENERGY(solfec, body)))
    run(solfec, 300)
    assert max(e[1] for e in energies) > 100
    for kinetic, internal, external, _, _ in energies:
        assert kinetic + internal == approx(external, abs=2)


def test_parts_take_their_faces():
    """PARTITION: the parts move as the whole."""
    points, tips = ((6, 1, 1), (0, 0, 0), (3, 0.5, 1)), []
    for parts in (1, 3):
        solfec = model(step=1E-3)
        beam = BODY(solfec, 'FINITE_ELEMENT', block((6, 1, 1), (6, 2, 2)), 'BULK_MATERIAL_0')
        beam.scheme = 'DEF_LIM'
        PRESSURE(beam, 6, TIME_SERIES([0, -100, 1, -300]))
        PRESSURE(beam, 4, -50)
        bodies = PARTITION(beam, parts) if parts > 1 else [beam]
        run(solfec, 50)
        tips.append([next(filter(None, (displacement(body, point) for body in bodies))) for point in points])
    for one, other in zip(*tips):
        assert other == approx(one, abs=1E-8) and one != approx((0, 0, 0), abs=1E-6)


def displacement(body, point):
    """None of a body that does not have the point."""
    try:
        return DISPLACEMENT(body, point)
    except ValueError:
        return None


def test_results_and_a_run_that_goes_on(program):
    script = """
        s = SOLFEC('DYNAMIC', 1E-3, 'out')
        s.verbose = 'OFF'
        m = BULK_MATERIAL(s)
        SURFACE_MATERIAL(s)
        corners = [0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1]
        for k, kind in enumerate(('RIGID', 'PSEUDO_RIGID', 'FINITE_ELEMENT')):
            body = BODY(s, kind, TRANSLATE(HEX(corners, 1, 1, 1, 1, [1, 2, 3, 4, 5, 6]), (0, 5 * k, 0)), m)
            if kind != 'RIGID':
                body.scheme = 'DEF_LIM'
            PRESSURE(body, 4, TIME_SERIES([0, 1000, 1, 3000]))
            PRESSURE(body, 6, -500)
            INITIAL_VELOCITY(body, (0, 0, 0), (1, 2, 3))
        CALLBACK(s, 0.01, s, killed)
        RUN(s, GAUSS_SEIDEL_SOLVER(1E-10, 100, 1E-12), 0.1)
        """
    assert program.run(script).returncode == 0
    assert program.run(script).returncode == 0  # READ
    program.kill_and_resume(script)


@pytest.mark.parametrize('call, message', [
    (lambda s: PRESSURE(BODY(s, 'OBSTACLE', block(), 'BULK_MATERIAL_0'), 1, 1),
     "'body': a pressure does not move an OBSTACLE"),
    (lambda s: PRESSURE(BODY(s, 'RIGID', cube(), 'BULK_MATERIAL_0'), 1, 1),
     "'body': a pressure acts on a BODY whose shape is one MESH"),
    (lambda s: PRESSURE(BODY(s, 'RIGID', [block(), block(low=(5, 5, 5))], 'BULK_MATERIAL_0'), 1, 1),
     "'body': a pressure acts on a BODY whose shape is one MESH"),
    (lambda s: PRESSURE(BODY(s, 'FINITE_ELEMENT', cube(), 'BULK_MATERIAL_0', mesh=block()), 1, 1),
     "'body': a pressure acts on a BODY whose shape is one MESH"),
    (lambda s: PRESSURE(BODY(s, 'RIGID', block(), 'BULK_MATERIAL_0'), 7, 1),
     r"'surfid' must be a surface identifier of that MESH \(1, 2, 3, 4, 5, 6\); got 7"),
    (lambda s: PRESSURE(BODY(s, 'RIGID', block(), 'BULK_MATERIAL_0'), 1, 'high'), "'value' must be a number or a")])
def test_wrong_arguments(call, message):
    solfec = model()
    with pytest.raises((ValueError, TypeError), match='PRESSURE: ' + message):
        call(solfec)
