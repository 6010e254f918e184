"""Fields of a scene: one number or vector for each body, point, ball, face, node or element.

FIELDS has them all: name, unit, what it means, and how it is found.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Callable

import numpy as np

from solfec.results import BODY_KINDS

STRESSES = ('sx', 'sy', 'sz', 'sxy', 'sxz', 'syz')  # order of the six numbers of a Cauchy stress
ENERGIES = ('kinetic', 'internal', 'external', 'contact', 'friction')


class Field:
    """Values of a field in the frame of a scene.

    name, unit, meaning   texts
    categories            names of the whole numbers that values are, or None
    """

    def __init__(self, scene, name, unit, meaning, values, categories=None):
        self.scene, self.name, self.unit, self.meaning, self.categories = scene, name, unit, meaning, categories
        self._values, self._known = values, {}

    def on(self, place: str) -> np.ndarray:
        """Values (n,) or (n, 3) on 'bodies', 'points', 'balls', 'faces', 'nodes' or 'elements' of the scene."""
        if place not in self._known:
            self._known[place] = getattr(self._values, 'on_' + place)(self.scene)
        return self._known[place]

    @property
    def place(self) -> str:
        """'bodies' when values are the same all over a body, 'faces' when they are all over a face, else 'points'."""
        return self._values.place

    @property
    def per_point(self) -> bool:
        """Whether values differ from point to point of a body, or are the same on each body or face."""
        return self.place == 'points'

    def at(self, body: np.ndarray, X: np.ndarray) -> np.ndarray:
        """Values at referential points X (n, 3) of bodies (n), none of them of finite elements."""
        return self._values.at(self.scene, body, X)

    def _drawn(self, hidden):
        """Finite values, or sizes of vectors, on points and balls, and their bodies, without those of a mask."""
        values = np.concatenate([scalars(self.on(place)) for place in ('points', 'balls')])
        body = np.concatenate([self.scene.point_body, self.scene.ball_body])
        drawn = np.isfinite(values)
        if hidden is not None:
            drawn &= ~hidden[body]
        return values[drawn], body[drawn]

    def range(self, hidden: np.ndarray | None = None) -> tuple[float, float]:
        """Least and largest finite value of what is drawn, without the bodies of a mask; (0, 0) without any."""
        values, body = self._drawn(hidden)
        return (float(values.min()), float(values.max())) if len(values) else (0.0, 0.0)

    def body_of_largest(self, hidden: np.ndarray | None = None) -> int | None:
        """Number of the body with the largest of these values; None without any."""
        values, body = self._drawn(hidden)
        return int(body[values.argmax()]) if len(values) else None

    def least_positive(self, hidden: np.ndarray | None = None) -> float:
        """Of the same values; infinite without any."""
        values, body = self._drawn(hidden)
        return float(values[values > 0].astype(float).min(initial=np.inf))  # also of whole numbers


def scalars(values):
    """Sizes of vectors, numbers as they are."""
    return np.linalg.norm(values, axis=1) if values.ndim > 1 else values


class OfBodies:
    """The same all over a body."""
    place = 'bodies'

    def __init__(self, values):
        self.values = np.asarray(values)

    def at(self, scene, body, X):
        return self.values[body]

    def on_bodies(self, scene):
        return self.values

    def on_points(self, scene):
        return self.values[scene.point_body]

    def on_balls(self, scene):
        return self.values[scene.ball_body]

    def on_faces(self, scene):
        return self.values[scene.faces.body]

    def on_nodes(self, scene):
        return self.values[scene.node_body]

    def on_elements(self, scene):
        return self.values[scene.elements.body]


class OfPlaces:
    """Different from point to point: at nodes, and as elsewhere(body, X) on bodies without."""
    place = 'points'

    def __init__(self, at_nodes, elsewhere):
        self.at_nodes, self.elsewhere = at_nodes, elsewhere

    def at(self, scene, body, X):
        return self.elsewhere(body, X)

    def on_bodies(self, scene):
        """At the mass centre; of finite-element bodies the mean over the nodes."""
        body = np.arange(len(scene.ids))
        values = self.elsewhere(body, scene.reference_center)
        count = np.diff(scene.node_begin)
        has = count > 0
        if has.any():
            sums = np.add.reduceat(self.at_nodes, scene.node_begin[:-1][has], axis=0)
            values[has] = sums / (count[has] if sums.ndim == 1 else count[has][:, None])
        return values

    def on_points(self, scene):
        return scene.on_points(self.at_nodes, self.elsewhere)

    def on_balls(self, scene):
        return self.elsewhere(scene.ball_body, scene.reference_ball_centers)

    def on_faces(self, scene):
        """Mean over the corners."""
        return _means(self.on_points(scene), scene.faces.corners)

    def on_nodes(self, scene):
        return self.at_nodes

    def on_elements(self, scene):
        return _means(self.at_nodes, scene.elements.nodes)


class OfFaces:
    """Identifiers of faces, balls and elements."""
    place = 'faces'

    def __init__(self, name):
        self.name = name

    def on_bodies(self, scene):
        """Of the first face or ball of each body; -1 without any."""
        result = np.full(len(scene.ids), -1)
        for table in (scene.faces, scene.balls):
            bodies, first = np.unique(table.body, return_index=True)
            result[bodies] = getattr(table, self.name)[first]
        return result

    def on_points(self, scene):
        result = np.zeros(len(scene.points), dtype=int)
        result[scene.faces.corners.numbers] = np.repeat(self.on_faces(scene), scene.faces.corners.count)
        return result

    def on_faces(self, scene):
        return getattr(scene.faces, self.name)

    def on_balls(self, scene):
        return getattr(scene.balls, self.name)

    def on_nodes(self, scene):
        return self.on_bodies(scene)[scene.node_body]

    def on_elements(self, scene):
        return scene.elements.volume if self.name == 'volume' else self.on_bodies(scene)[scene.elements.body]


class Derived:
    """A function of the values of another field."""

    def __init__(self, field, function):
        self.field, self.function = field, function

    place = property(lambda self: self.field.place)

    def at(self, scene, body, X):
        return self.function(self.field.at(body, X))

    def __getattr__(self, name):
        if not name.startswith('on_'):
            raise AttributeError(name)
        return lambda scene: self.function(self.field.on(name[3:]))


def _means(values, lists):
    if not len(lists):
        return np.zeros((0,) + values.shape[1:])
    sums = np.add.reduceat(values[lists.numbers], lists.begin(), axis=0)
    return sums / lists.count.reshape((-1,) + (1,) * (sums.ndim - 1))


# Motion

def displacement(scene):
    return OfPlaces(scene.nodes - scene.reference_nodes, lambda body, X: scene.center[body] - X + scene.turned(
        body, X - scene.reference_center[body]))


def velocity(scene):
    """v + w x r of a rigid body, v + F' R of a pseudo-rigid one, of nodes."""
    linear = center_velocity(scene)
    rate = functools.cache(lambda: gradient_rate(scene))

    def elsewhere(body, X):
        offset = X - scene.reference_center[body]
        at_center = linear[body]
        # Of balls the centre is what counts.
        return at_center + np.einsum('nij,nj->ni', rate()[body], offset) if offset.any() else at_center

    return OfPlaces(_node_velocities(scene), elsewhere)


def _body_velocities(scene):
    """Numbers of rigid and of pseudo-rigid bodies, and their velocities (n, 6) and (m, 12) as BODY.velo has them."""
    freedom, kind = scene.state.freedom, scene.kind
    rigid = (freedom == 6) & (kind != BODY_KINDS.index('FINITE_ELEMENT'))
    pseudo = kind == BODY_KINDS.index('PSEUDO_RIGID')
    return ((np.flatnonzero(bodies), _velocities(scene, bodies).reshape(-1, count))
            for bodies, count in ((rigid, 6), (pseudo, 12)))


def _velocities(scene, bodies):
    """Numbers in u of bodies of a mask."""
    return scene.state.u[np.repeat(bodies, scene.state.freedom)]


def center_velocity(scene):
    """(n, 3) of bodies; zero for nodes' bodies."""
    result = np.zeros((len(scene.kind), 3))
    for bodies, u in _body_velocities(scene):
        result[bodies] = u[:, -3:]
    return result


def gradient_rate(scene):
    """(n, 3, 3) rates of the gradients of bodies; zero for nodes' bodies."""
    result = np.zeros((len(scene.kind), 3, 3))
    (rigid, w), (pseudo, u) = _body_velocities(scene)
    result[rigid] = scene.gradient[rigid] @ skew(w[:, :3])  # angular velocities are in the body's axes
    result[pseudo] = u[:, :9].reshape(-1, 3, 3).transpose(0, 2, 1)
    return result


def _node_velocities(scene):
    return _velocities(scene, scene.kind == BODY_KINDS.index('FINITE_ELEMENT')).reshape(-1, 3)


def angular_velocity(scene):
    """In the axes of space: of a deformable body the skew part of F' F^-1; of a finite-element body that of the rigid
    motion nearest to the velocities of its nodes."""
    L = gradient_rate(scene) @ np.linalg.inv(scene.gradient)
    w = axial(L)
    count = np.diff(scene.node_begin)
    has = count > 0
    if has.any():
        starts, body = scene.node_begin[:-1][has], scene.node_body

        def sums(values):
            result = np.zeros((len(count),) + values.shape[1:])
            result[has] = np.add.reduceat(values, starts, axis=0)
            return result

        per_body = np.maximum(count, 1)[:, None]
        v = _node_velocities(scene)
        r = scene.nodes - (sums(scene.nodes) / per_body)[body]
        v = v - (sums(v) / per_body)[body]
        moment = sums(np.cross(r, v))
        square = np.einsum('ni,ni->n', r, r)
        inertia = sums(square[:, None, None] * np.eye(3) - r[:, :, None] * r[:, None, :])
        w[has] = np.einsum('nij,nj->ni', np.linalg.pinv(inertia[has]), moment[has])
    return OfBodies(w)


def skew(w):
    """(n, 3, 3) matrices with skew(w) x = w x x."""
    result = np.zeros((len(w), 3, 3))
    result[:, 0, 1], result[:, 0, 2], result[:, 1, 2] = -w[:, 2], w[:, 1], -w[:, 0]
    return result - result.transpose(0, 2, 1)


def axial(L):
    """(n, 3) w of the skew parts of matrices: skew(w) = (L - L^T) / 2."""
    return 0.5 * np.stack([L[:, 2, 1] - L[:, 1, 2], L[:, 0, 2] - L[:, 2, 0], L[:, 1, 0] - L[:, 0, 1]], axis=1)


# Stress

def stress(scene):
    """Cauchy stress, six numbers in the order of STRESSES: at nodes the mean of the elements around (as STRESS has it),
    of a pseudo-rigid body F S F^T / det F with S = lambda tr E + 2 mu E, of others zero."""
    young, poisson = scene.elasticity()
    F = scene.gradient
    E = 0.5 * (F.transpose(0, 2, 1) @ F - np.eye(3))
    pseudo = scene.kind == BODY_KINDS.index('PSEUDO_RIGID')
    mu = young / (2 + 2 * poisson)
    lame = young * poisson / ((1 + poisson) * np.where(pseudo, 1 - 2 * poisson, 1))
    S = (lame * np.trace(E, axis1=1, axis2=2))[:, None, None] * np.eye(3) + 2 * mu[:, None, None] * E
    sigma = F @ S @ F.transpose(0, 2, 1) / np.linalg.det(F)[:, None, None]
    of_body = np.where(pseudo[:, None], sigma[:, (0, 1, 2, 0, 0, 1), (0, 1, 2, 1, 2, 2)], 0.0)
    return OfPlaces(scene.nodal_stress(), lambda body, X: of_body[body])


def mises(s):
    a, b, c = s[:, 0] - s[:, 1], s[:, 1] - s[:, 2], s[:, 2] - s[:, 0]
    shear = np.einsum('ni,ni->n', s[:, 3:], s[:, 3:])
    return np.sqrt(0.5 * (a * a + b * b + c * c) + 3 * shear)


def principal(s):
    """(n, 3), the largest first."""
    tensor = s[:, [[0, 3, 4], [3, 1, 5], [4, 5, 2]]]
    return np.linalg.eigvalsh(tensor)[:, ::-1]


# The list

@dataclass
class _Entry:
    unit: str
    meaning: str
    make: Callable             # of a scene: OfBodies, OfPlaces, OfFaces, Derived
    categories: Callable | None = None


def _component(name, k):
    return lambda scene: Derived(scene.field(name), lambda values: values[:, k])


def _norm(name):
    return lambda scene: Derived(scene.field(name), lambda values: np.linalg.norm(values, axis=1))


def _labels(scene):
    """Of all bodies of the model, so that numbers mean the same in each frame."""
    return sorted(set(scene.model.bodies.label) - {''})


def _label_numbers(scene):
    names = np.array(_labels(scene) or [''], dtype=object)
    number = np.searchsorted(names, scene.label)
    return np.where(scene.label == '', -1, number)


FIELDS = {
    'displacement': _Entry('m', 'from the reference configuration (vector)', displacement),
    'velocity': _Entry('m/s', 'of material points (vector)', velocity),
    'angular velocity': _Entry('1/s', 'of bodies, in the axes of space (vector)', angular_velocity),
    'distance moved': _Entry('m', 'size of the displacement', _norm('displacement')),
    'dx': _Entry('m', 'displacement along x', _component('displacement', 0)),
    'dy': _Entry('m', 'displacement along y', _component('displacement', 1)),
    'dz': _Entry('m', 'displacement along z', _component('displacement', 2)),
    'speed': _Entry('m/s', 'size of the velocity', _norm('velocity')),
    'vx': _Entry('m/s', 'velocity along x', _component('velocity', 0)),
    'vy': _Entry('m/s', 'velocity along y', _component('velocity', 1)),
    'vz': _Entry('m/s', 'velocity along z', _component('velocity', 2)),
    'spin': _Entry('1/s', 'size of the angular velocity', _norm('angular velocity')),
    'stress': _Entry('Pa', 'Cauchy stress: ' + ', '.join(STRESSES), stress),
    **{name: _Entry('Pa', f'component {name} of the Cauchy stress', _component('stress', k))
       for k, name in enumerate(STRESSES)},
    'mises': _Entry('Pa', 'von Mises norm of the Cauchy stress', lambda scene: Derived(scene.field('stress'), mises)),
    **{f's{k + 1}': _Entry('Pa', f'principal stress number {k + 1}, the largest first',
                           lambda scene, k=k: Derived(scene.field('stress'), lambda s: principal(s)[:, k]))
       for k in range(3)},
    'pressure': _Entry('Pa', 'minus a third of the trace of the Cauchy stress',
                       lambda scene: Derived(scene.field('stress'), lambda s: -s[:, :3].mean(axis=1))),
    **{name + ' energy': _Entry('J', f'{name} energy of the body (as ENERGY has it)',
                                lambda scene, k=k: OfBodies(scene.state.energy[:, k]))
       for k, name in enumerate(ENERGIES)},
    'mass': _Entry('kg', 'of the body', lambda scene: OfBodies(scene.model.bodies.mass[scene.rows])),
    'body': _Entry('', 'identifier of the body', lambda scene: OfBodies(scene.ids.astype(int))),
    'kind': _Entry('', 'of the body', lambda scene: OfBodies(scene.kind), lambda scene: BODY_KINDS),
    'material': _Entry('', 'bulk material of the body', lambda scene: OfBodies(
        scene.model.bodies.material[scene.rows]), lambda scene: scene.material_labels()),
    'label': _Entry('', 'of the body', lambda scene: OfBodies(_label_numbers(scene)), _labels),
    'surface': _Entry('', 'surface identifier', lambda scene: OfFaces('surface')),
    'volume': _Entry('', 'volume identifier', lambda scene: OfFaces('volume')),
    'rank': _Entry('', 'that had the body when the frame was written', lambda scene: OfBodies(scene.ranks())),
}

VECTORS = ('displacement', 'velocity', 'angular velocity')


def names(scene):
    """All scalar fields."""
    return [name for name in FIELDS if name not in VECTORS and name != 'stress']


def make(scene, name):
    if name not in FIELDS:
        raise ValueError(f'unknown field {name!r}; there are: ' + ', '.join(FIELDS))
    entry = FIELDS[name]
    return Field(scene, name, entry.unit, entry.meaning, entry.make(scene),
                 entry.categories(scene) if entry.categories else None)
