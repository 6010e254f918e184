"""What there is to see of a model: shapes where they are, and fields on them; from results or from a running
simulation.

    from solfec.scene import Scene
    scene = Scene('out/hopper')                 # a directory of results, or a SOLFEC object
    scene.at(1.5)                               # the last frame not after 1.5 s
    scene.points                                # (n, 3) corners of faces, where they are
    scene.field('speed').on('points')           # one number each
    scene.contacts.point, scene.contacts.force  # (m, 3) each

Pictures, the window, the page and exports draw from this alone. All is numpy arrays; nothing loops over bodies.

`scene.model` (model_table.ModelTable) has what does not change: definitions of bodies, faces, balls, elements. In a
frame `scene.rows` picks the definition of each of its bodies; `scene.faces`, `scene.balls`, `scene.elements` are the
rows of those tables that belong to them, with the number of the body in place of the definition.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Union

import numpy as np

from solfec import scene_fields
from solfec.body_names import matching
from solfec.contact_table import ContactTable
from solfec.model_table import Lists, ModelTable
from solfec.results import BODY_KINDS, FrameArrays, Results, begins, checked_number, checked_time, frame_at

if TYPE_CHECKING:
    from solfec import SOLFEC
    from solfec.live import LiveSource
    Source = Union[str, os.PathLike[str], Results, SOLFEC, LiveSource]


@dataclass
class SceneFaces:
    """Faces of polyhedra and of the boundaries of meshes in a frame."""
    body: np.ndarray      # number of the body within the frame
    solid: np.ndarray     # number of the solid within its body
    surface: np.ndarray   # surface identifier
    volume: np.ndarray    # volume identifier
    corners: Lists        # of each face, outward: rows of scene.points
    kind: np.ndarray      # of the solid: index into results.SOLID_KINDS

    def triangles(self) -> tuple[np.ndarray, np.ndarray]:
        """Rows of points of the triangles that the faces are made of, (n, 3), and the face of each."""
        return self.corners.fans()


class SceneBalls:
    """Spheres and ellipsoids in a frame: points center + map s with |s| <= 1.

    body, solid, surface, volume, kind  as of SceneFaces
    center, map                         (n, 3) and (n, 3, 3) [m]
    """

    def __init__(self, scene):
        self.body, self.kind = scene.ball_body, scene.ball_kind
        self.solid, self.surface, self.volume = scene.ball_labels
        self.center = scene.center[self.body] + scene.turned(self.body, scene.ball_offsets)
        self._gradient, self._maps, self._rows = scene.gradient, scene.model.balls.map, scene.ball_rows

    @functools.cached_property
    def map(self) -> np.ndarray:
        return self.maps(slice(None))

    def maps(self, which: np.ndarray | slice) -> np.ndarray:
        """Of some balls only."""
        return self._gradient[self.body[which]] @ self._maps[self._rows[which]]


@dataclass
class SceneElements:
    """Elements of the meshes that move finite-element bodies; nodes are rows of scene.nodes."""
    body: np.ndarray
    volume: np.ndarray
    nodes: Lists


class Scene:
    """A model at a time. Made with its first frame shown; frame(), at() and update() change it.

    source  a directory of results, a Results object, a SOLFEC object (its results in READ mode, its present state in
            WRITE mode), or an object with `times`, `arrays`, `definition_columns` and `definitions_until` as Results
            has
    number  of the first frame to show
    model   its ModelTable when that is known already
    """

    time: float          # of the frame shown [s]
    number: int | None   # of the frame shown
    state: FrameArrays   # of the frame shown
    rows: Any            # definition of each of its bodies: rows of model.bodies
    faces: SceneFaces
    elements: SceneElements
    _cache: dict[Any, Any]
    _defined: int

    def __init__(self, source: Source, number: int = 0, model: ModelTable | None = None) -> None:
        self.source = _source(source)
        self.model = ModelTable(self.source.definition_columns(0)) if model is None else model
        self.rows, self.number = None, None
        self.topology = 0  # counts sets of bodies shown: while it is the same, faces, elements, numbers of points are
        self.frame(number)

    @property
    def times(self) -> np.ndarray:
        """Of the frames [s]."""
        return self.source.times

    def frame(self, number: int) -> Scene:
        """Shows a frame by its number; negative ones count from the end."""
        number = checked_number("Scene.frame: 'number'", number, len(self.times))
        state, defined = self.source.arrays(number), self.source.definitions_until(number)
        if self.rows is not None and defined == self._defined and np.array_equal(state.ids, self.state.ids):
            rows = self.rows
        else:
            rows = self.model.newest(state.ids, defined)
        self.number = None  # until all is of this frame
        self.state, self.time, self._cache, self._defined = state, state.time, {}, defined
        if rows is not self.rows and not np.array_equal(rows, self.rows):
            self.rows = None
            self._select(rows)
            self.rows = rows
            self.topology += 1
        self.number = number
        return self

    def at(self, time: float) -> Scene:
        """Shows the last frame not after a time (the first one when all are later)."""
        return self.frame(frame_at(self.times, checked_time("Scene.at: 'time'", time)))

    def update(self) -> bool:
        """Takes over the frames that a run has added; the frame shown stays (of a SOLFEC object in WRITE mode, whose
        only frame is its present state: until frame(0) is called). Returns whether there are any."""
        if not self.source.update():
            return False
        new = self.source.definition_columns(len(self.model))
        if len(new['definition/id']):
            self.model.append(new)
        return True

    def _select(self, rows):
        """The rows of tables that belong to the bodies of the frame, by their definitions."""
        model = self.model

        which, count = model.rows_of('points', rows)
        self.point_body = np.repeat(np.arange(len(rows)), count)
        point_begin = begins(count)
        self._reference = model.points.X[which]
        self._point_offsets = self._reference - model.bodies.center[rows][self.point_body]  # from the mass centre
        self._point_node, self._point_blend = model.points.node[which], model.points.blend[which]
        nodes = np.where(model.bodies.kind[rows] == BODY_KINDS.index('FINITE_ELEMENT'), self.state.nodes, 0)
        self.node_begin = begins(nodes)

        which, count = model.rows_of('faces', rows)
        body = np.repeat(np.arange(len(rows)), count)
        corners = model.faces.corners.take(which)
        corners.numbers = corners.numbers + np.repeat(point_begin[body], corners.count)
        self.faces = SceneFaces(body, model.faces.solid[which], model.faces.surface[which],
                                model.faces.volume[which], corners, model.faces.kind[which])

        which, count = model.rows_of('balls', rows)
        balls = model.balls
        self.ball_rows = which
        self.ball_body = np.repeat(np.arange(len(rows)), count)
        self.ball_labels = balls.solid[which], balls.surface[which], balls.volume[which]
        self.ball_kind = balls.kind[which]
        self.ball_offsets = balls.center[which] - model.bodies.center[rows][self.ball_body]  # from the mass centre

        which, count = model.rows_of('elements', rows)
        body = np.repeat(np.arange(len(rows)), count)
        nodes = model.elements.nodes.take(which)
        nodes.numbers = nodes.numbers + np.repeat(self.node_begin[body], nodes.count)
        self.elements = SceneElements(body, model.elements.volume[which], nodes)

        which, count = model.rows_of('nodes', rows)
        self.node_body = np.repeat(np.arange(len(rows)), count)
        self.reference_nodes = model.nodes.X[which]

    def _once(self, name, make):
        if name not in self._cache:
            self._cache[name] = make()
        return self._cache[name]

    # Bodies

    @property
    def ids(self) -> np.ndarray:
        return self.state.ids

    @property
    def kind(self) -> np.ndarray:
        """Index into results.BODY_KINDS."""
        return self.model.bodies.kind[self.rows]

    @property
    def is_obstacle(self) -> np.ndarray:
        return self.kind == BODY_KINDS.index('OBSTACLE')

    @property
    def label(self) -> np.ndarray:
        return self.model.bodies.label[self.rows]

    @property
    def center(self) -> np.ndarray:
        """(n, 3) mass centres [m]."""
        return self.state.q[:, 9:]

    @property
    def nodes(self) -> np.ndarray:
        """(m, 3) of finite-element bodies [m]."""
        return self.state.x

    @property
    def gradient(self) -> np.ndarray:
        """(n, 3, 3) rotations or deformation gradients."""
        # Not a view: numbers side by side are gathered and multiplied three times as fast.
        return self._once('gradient', lambda: np.ascontiguousarray(
            self.state.q[:, :9].reshape(-1, 3, 3).transpose(0, 2, 1)))

    def bodies_labelled(self, label: str) -> np.ndarray:
        """Numbers of the bodies with a label, which may be a regular expression; ValueError when there is none."""
        return np.flatnonzero(matching(self.label, label))

    @property
    def reference_center(self) -> np.ndarray:
        return self.model.bodies.center[self.rows]

    # Points of faces, and balls

    @property
    def reference_points(self) -> np.ndarray:
        """(n, 3) corners of faces in the reference configuration [m]."""
        return self._reference

    @property
    def points(self) -> np.ndarray:
        """(n, 3) corners of faces where they are [m]."""
        return self._once('points', lambda: self.on_points(
            self.nodes, lambda body, X: self.center[body] + self.turned(body, self._point_offsets)))

    @property
    def balls(self) -> SceneBalls:
        """SceneBalls where they are."""
        return self._once('balls', lambda: SceneBalls(self))

    @property
    def reference_ball_centers(self) -> np.ndarray:
        return self.model.balls.center[self.ball_rows]

    def turned(self, body: np.ndarray, vectors: np.ndarray) -> np.ndarray:
        """Vectors (n, 3) turned and stretched by the gradients of bodies (n)."""
        if not vectors.any():  # centres of balls, for the most part
            return vectors
        return np.einsum('nij,nj->ni', self.gradient[body], vectors)

    def on_points(self, of_nodes: np.ndarray, elsewhere: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> np.ndarray:
        """Values on corners of faces: `of_nodes` (m, ...) at the nodes of finite-element bodies, on all other bodies
        elsewhere(body, X)."""
        at_node, blended = self._point_node >= 0, self._point_blend >= 0
        result = elsewhere(self.point_body, self._reference)
        begin = self.node_begin[self.point_body]
        if at_node.any():
            result[at_node] = of_nodes[(begin + self._point_node)[at_node]]
        if blended.any():
            blends, which = self.model.blends, self._point_blend[blended]
            of = of_nodes[blends.nodes[which] + begin[blended][:, None]]
            result[blended] = np.einsum('nk,nk...->n...', blends.shares[which], of)
        return result

    # Fields, contacts

    def fields(self) -> list[str]:
        """Names of the fields that field() knows here."""
        return scene_fields.names(self)

    def field(self, name: str) -> scene_fields.Field:
        """A Field (scene_fields.Field) by its name; ValueError names those that there are."""
        return self._once(('field', name), lambda: scene_fields.make(self, name))

    @property
    def contacts(self) -> ContactTable:
        """ContactTable of the contacts."""
        return self._once('contacts', lambda: ContactTable.of(self, joints=False))

    @property
    def joints(self) -> ContactTable:
        """ContactTable of the joints."""
        return self._once('joints', lambda: ContactTable.of(self, joints=True))

    # What results say of materials and ranks

    def material_labels(self) -> list[str]:
        """Labels of bulk materials, by their index."""
        return self.source.bulk_materials()['label']

    def elasticity(self) -> tuple[np.ndarray, np.ndarray]:
        """Young's modulus [Pa] and Poisson's ratio of each body; zero for those without material."""
        materials, index = self.source.bulk_materials(), self.model.bodies.material[self.rows]
        young, poisson = (np.append(materials[name], 0.0)[index] for name in ('young', 'poisson'))
        return young, poisson

    def nodal_stress(self) -> np.ndarray:
        """(m, 6) Cauchy stress at the nodes of finite-element bodies, means of the elements around [Pa]."""
        return self.source.nodal_stress(self.number) if len(self.nodes) else np.zeros((0, 6))

    def ranks(self) -> np.ndarray:
        """Rank that had each body when the frame was written; obstacles, which all have, count as the first one's."""
        rank = self.source.rank_of(self.number, self.center)
        return np.where(self.is_obstacle, 0, rank)

    def bounds(self, bodies: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Lowest and highest corner of the box around the shapes of bodies (a mask; default: all) [m]."""
        bodies = np.ones(len(self.ids), dtype=bool) if bodies is None else bodies
        points, seen = self.points[bodies[self.point_body]], bodies[self.ball_body]
        center, reach = self.balls.center[seen], np.linalg.norm(self.balls.map[seen], axis=2)
        low, high = np.concatenate([points, center - reach]), np.concatenate([points, center + reach])
        if not len(low):
            raise ValueError('there is nothing to see')
        return low.min(axis=0), high.max(axis=0)


def _source(source):
    if hasattr(source, 'definition_columns'):
        return source
    if hasattr(source, 'outpath') and hasattr(source, 'mode'):
        from solfec.live import PresentState
        return Results(source.outpath) if source.mode == 'READ' else PresentState(source)
    return Results(source)
