"""Forces of contacts and joints as arrows or as a network, points of contact, vectors of bodies.

They are drawn over the bodies.
"""

from dataclasses import dataclass

import numpy as np

from solfec.rendering.balls import CONE, ROUND_TUBE, TUBE, Solids
from solfec.colours import JOINT_COLOUR, STATE_COLOURS
from solfec.results import BODY_KINDS, CONSTRAINT_KINDS
from solfec.scene_fields import OfPlaces

LONGEST_ARROW = 0.15  # of the size of the scene
MOST_POINTS = 500  # of finite-element bodies that have vectors
_SHAFT, _HEAD, _HEAD_LENGTH = 0.022, 0.06, 0.25  # radii and length, of the length of the arrow
_THICKEST_TUBE, _POINT = 0.25, 0.12  # radii, of the size of a typical body
VECTOR_COLOUR = np.array([40, 44, 52], dtype=np.uint8)


class Arrows:
    """Arrows from points along vectors."""

    def __init__(self):
        self.shafts, self.heads = Solids(TUBE), Solids(CONE)
        self.parts = self.shafts, self.heads
        self.ends = np.zeros((0, 3))

    def set(self, starts, vectors, colours):
        length = np.linalg.norm(vectors, axis=1)
        keep = length > 1E-3 * length.max(initial=0)
        starts, vectors, length, colours = starts[keep], vectors[keep], length[keep, None], colours[keep]
        self.ends = starts + vectors
        neck = (1 - _HEAD_LENGTH) * vectors
        self.shafts.set_places(*tubes(starts, starts + neck, _SHAFT * length[:, 0]))
        self.heads.set_places(*tubes(starts + neck, self.ends, _HEAD * length[:, 0]))
        for part in self.parts:
            part.colour(colours)

    def clear(self):
        self.set(np.zeros((0, 3)), np.zeros((0, 3)), np.zeros((0, 3), dtype=np.uint8))


def tubes(starts, ends, radius):
    """Centres and maps of tubes between points."""
    half = 0.5 * (ends - starts)
    length = np.linalg.norm(half, axis=1, keepdims=True)
    axis = half / np.maximum(length, 1E-300)
    other = np.where(np.abs(axis[:, :1]) < 0.7, [[1.0, 0, 0]], [[0, 1.0, 0]])
    one = np.cross(axis, other)
    one *= (radius / np.linalg.norm(one, axis=1))[:, None]
    return starts + half, np.stack([one, np.cross(axis, one), half], axis=2)


@dataclass
class Loads:
    """Forces of contacts and joints that are drawn."""
    point: np.ndarray     # (n, 3) [m]
    force: np.ndarray     # (n, 3) on the first body [N]
    size: np.ndarray      # (n) [N]
    bodies: np.ndarray    # (n, 2) numbers within the frame; -1: space
    colour: np.ndarray    # (n, 3) uint8
    of_joint: np.ndarray  # (n) bool

    @classmethod
    def of(cls, scene, contacts, visible):
        """Those of some contacts (numbers), and of all joints of visible bodies but glue, in which a body is one."""
        table, joints = scene.contacts, scene.joints
        contacts = contacts[table.size[contacts] > 0]
        held = drawn_contacts(joints, visible)
        held = held[(joints.size[held] > 0) & (joints.kind[held] != CONSTRAINT_KINDS.index('GLUE'))]
        columns = [np.concatenate([getattr(table, name)[contacts], getattr(joints, name)[held]])
                   for name in ('point', 'force', 'size', 'bodies')]
        colour = np.concatenate([STATE_COLOURS[table.state[contacts]], np.tile(JOINT_COLOUR, (len(held), 1))])
        return cls(*columns, colour, np.arange(len(colour)) >= len(contacts))

    def only(self, rows):
        return Loads(*(column[rows] for column in vars(self).values()))


class ContactDrawing:
    """Forces and points of contacts, and vectors of bodies, of the frame that a scene shows."""

    def __init__(self):
        self.arrows, self.network, self.points, self.vectors = Arrows(), Solids(ROUND_TUBE), Solids(), Arrows()
        self.parts = (*self.arrows.parts, self.network, self.points, *self.vectors.parts)
        self.numbers, self.largest, self.kinds = np.zeros(0, dtype=int), None, {}
        self.thickest = 0.0  # radius of the tube of the largest force [m]

    def update(self, scene, settings, visible, size, largest, contact_scale, points):
        """size: a function that returns the size of the scene [m]; largest: force that has the longest arrow or the
        thickest tube, None: that of the frame; contact_scale: colours of points from values of contacts, None: without
        points; points: where corners of faces are drawn"""
        self._vectors(scene, settings, visible, size, points)
        self.numbers = np.zeros(0, dtype=int)
        if settings.forces == 'none' and contact_scale is None:
            for part in (self.arrows, self.network, self.points):
                part.clear()
            return
        contacts = scene.contacts
        self.numbers = drawn_contacts(contacts, visible)
        loads = Loads.of(scene, self.numbers, visible)
        self.kinds = {'contact': len(self.numbers) > 0, 'joint': loads.of_joint.any()}
        self.largest = loads.size.max(initial=0) if largest is None else largest
        none = loads.only(slice(0))
        self._arrows(loads if settings.forces == 'arrows' else none, settings.force_scale, size)
        self._network(scene, loads if settings.forces == 'network' else none, settings.force_scale)
        self._points(scene, contact_scale)

    def ends(self):
        """(n, 3) where arrows end."""
        return np.concatenate([self.arrows.ends, self.vectors.ends])

    def _arrows(self, loads, factor, size):
        length = factor * LONGEST_ARROW * size() / (self.largest or 1) if len(loads.size) else 0.0
        self.arrows.set(loads.point, length * loads.force, loads.colour)

    def _network(self, scene, loads, factor):
        """From the centres of both bodies to the point; centres of obstacles would tell nothing."""
        centers = body_centers(scene)
        self.thickest = factor * _THICKEST_TUBE * typical_size(scene)
        radius = self.thickest * loads.size / (self.largest or 1)
        parts = []
        for side in (0, 1):
            body = loads.bodies[:, side]
            keep = (body >= 0) & ~scene.is_obstacle[body]
            parts.append((*tubes(centers[body[keep]], loads.point[keep], radius[keep]), loads.colour[keep]))
        center, map, colour = (np.concatenate(values) for values in zip(*parts))
        self.network.set_places(center, map)
        self.network.colour(colour)

    def _points(self, scene, contact_scale):
        drawn = self.numbers if contact_scale is not None else self.numbers[:0]
        radius = _POINT * typical_size(scene)
        self.points.set_places(scene.contacts.point[drawn], np.tile(radius * np.eye(3), (len(drawn), 1, 1)))
        if len(drawn):
            self.points.colour(contact_scale(drawn))

    @staticmethod
    def _origins(scene, field, visible, points):
        """Where vectors start and their values: at mass centres, of finite-element bodies at points of the surface."""
        values = field.on('bodies')
        deforms = scene.kind == BODY_KINDS.index('FINITE_ELEMENT')
        shown = visible.bodies & np.isfinite(values).all(axis=1)
        bodies = np.flatnonzero(shown & ~deforms)
        starts, vectors = [body_centers(scene)[bodies]], [values[bodies]]
        if (shown & deforms).any():
            chosen = np.flatnonzero((shown & deforms)[scene.point_body])
            chosen = chosen[::-(-len(chosen) // MOST_POINTS)]
            starts.append(points[chosen])
            vectors.append(field.on('points')[chosen])
        return np.concatenate(starts), np.concatenate(vectors)

    def _vectors(self, scene, settings, visible, size, points):
        starts = vectors = np.zeros((0, 3))
        if settings.vectors:
            starts, vectors = self._origins(scene, scene.field(settings.vectors), visible, points)
            longest = np.linalg.norm(vectors, axis=1).max(initial=0)
            vectors = vectors * settings.vector_scale * LONGEST_ARROW * size() / (longest or 1)
            self.longest = longest
        self.vectors.set(starts, vectors, np.tile(VECTOR_COLOUR, (len(starts), 1)))


def drawn_contacts(contacts, visible):
    """Numbers of the contacts of which a body is seen."""
    bodies = contacts.bodies
    seen = visible.bodies[bodies] & (bodies >= 0)
    return np.flatnonzero(seen.any(axis=1))


def body_centers(scene):
    """(n, 3) mass centres; of finite-element bodies the mean of their nodes."""
    return OfPlaces(scene.nodes, lambda body, X: scene.center[body].copy()).on_bodies(scene)


def typical_size(scene):
    """Side of a cube as large as the median of the bodies that move [m]."""
    moving = ~scene.is_obstacle
    volume = scene.model.bodies.volume[scene.rows]
    volume = volume[moving] if moving.any() else volume
    return float(np.median(volume)) ** (1 / 3) if len(volume) else 1.0
