"""The data sets of XDMF and VTKHDF: unstructured grids of a frame.

meshes      surfaces of bodies, and the elements of finite-element bodies whose shape is their mesh
background  elements of the meshes around shapes, of other finite-element bodies
bodies      a point for each body
contacts    a point for each contact
joints      a point for each joint
"""

import os
from dataclasses import dataclass, field

import numpy as np

from solfec.export.shapes import FINITE_ELEMENT
from solfec.export.tessellation import ball_surfaces, unit_sphere
from solfec.model_table import Lists
from solfec.rotations import quaternions

ALL_SETS = ('meshes', 'background', 'bodies', 'contacts', 'joints', 'shapes')
VERTEX, TRIANGLE, POLYGON, QUAD = 1, 5, 7, 9          # cell types of VTK
ELEMENT_TYPES = {4: 10, 5: 14, 6: 13, 8: 12}          # by the number of nodes: tetrahedron, pyramid, wedge, hexahedron
FACE_TYPES = {3: TRIANGLE, 4: QUAD}
WEDGE_ORDER = (0, 2, 1, 3, 5, 4)                      # VTK turns the normal of the first triangle outward
TENSOR_ORDER = (0, 1, 2, 3, 5, 4)                     # VTK: xx, yy, zz, xy, yz, xz

# Fields that are the same in each frame are stored once, whatever their size.
DEFAULT_FIELDS = ('displacement', 'velocity', 'body', 'kind', 'label', 'material', 'surface', 'volume')
STRESS_FIELDS = ('stress', 'mises')
BODY_FIELDS = ('angular velocity', 'mass')            # further ones, of the grid of bodies


@dataclass
class Grid:
    """An unstructured grid, in the terms of VTK."""
    name: str
    points: np.ndarray                              # (n, 3) [m]
    types: np.ndarray                               # of cells
    cells: Lists                                    # rows of points of each
    point_data: dict = field(default_factory=dict)  # name: (n,) or (n, k)
    cell_data: dict = field(default_factory=dict)


def set_path(path, name):
    """The file of a set: `path` is that of meshes."""
    stem, suffix = os.path.splitext(path)
    return stem + ('' if name == 'meshes' else '-' + name) + suffix


def points_grid(name, points, data):
    """A grid of points; each is a cell."""
    count = len(points)
    return Grid(name, single(points), np.full(count, VERTEX, dtype=np.uint8),
                Lists(np.arange(count), np.ones(count, dtype=int)), {key: plain(value) for key, value in data.items()})


def single(values):
    return np.ascontiguousarray(values, dtype=np.float32)


def plain(values):
    """Numbers as they are stored: single precision, and whole numbers of four bytes."""
    values = np.asarray(values)
    return single(values) if values.dtype.kind == 'f' else np.ascontiguousarray(values, dtype=np.int32)


def _stored(name, values):
    return plain(values[:, TENSOR_ORDER] if name == 'stress' else values)


class MeshGrids:
    """Makes the grids `meshes` and `background` of frames.

    bodies  mask of the definitions that are taken
    detail  of the tessellation of balls (tessellation.unit_sphere)
    names   of fields
    deformable_only   leaves out what is not of finite elements
    """

    def __init__(self, scene, bodies, names, detail, deformable_only=False):
        self.scene, self.bodies, self.names, self.detail = scene, bodies, names, detail
        self.deformable_only, self.topology = deformable_only, None

    def grids(self):
        if self.topology != self.scene.topology:
            self._select()
            self.topology = self.scene.topology
        return [self._meshes(), *([self._background()] if self.has_background else [])]

    def _select(self):
        """What of the scene is shown, and the cells; these hold while the topology of the scene does."""
        scene = self.scene
        chosen = self.bodies[scene.rows]
        has_elements = scene.kind == FINITE_ELEMENT
        around = scene.model.bodies.background[scene.rows]
        self.has_background = bool((self.bodies & scene.model.bodies.background).any())
        as_elements = chosen & has_elements & ~around
        as_faces = chosen & (~has_elements | around)
        if self.deformable_only:
            as_faces &= has_elements
        faces, elements = scene.faces, scene.elements
        self.points, self.nodes = as_faces[scene.point_body], as_elements[scene.node_body]
        self.faces, self.elements = as_faces[faces.body], as_elements[elements.body]
        self.balls = as_faces[scene.balls.body]
        self.elements_around = (chosen & has_elements & around)[elements.body]
        self.nodes_around = (chosen & has_elements & around)[scene.node_body]

        counts = self.points.sum(), self.nodes.sum()
        surface = _some(faces.corners, self.faces, self.points, 0)
        inside = _some(elements.nodes, self.elements, self.nodes, counts[0])
        sphere, triangles = unit_sphere(self.detail)
        self.sphere_points, self.sphere_faces = len(sphere), len(triangles)
        first = counts[0] + counts[1] + len(sphere) * np.arange(self.balls.sum())
        balls = (first[:, None] + triangles.ravel()).ravel()
        self.types = np.concatenate([_types(surface.count, FACE_TYPES), _types(inside.count, ELEMENT_TYPES),
                                     np.full(len(balls) // 3, TRIANGLE, dtype=np.uint8)])
        self.cells = Lists(np.concatenate([surface.numbers, _wedges(inside), balls]),
                           np.concatenate([surface.count, inside.count, np.full(len(balls) // 3, 3)]).astype(int))
        around = _some(elements.nodes, self.elements_around, self.nodes_around, 0)
        self.cells_around = Lists(_wedges(around), around.count)
        self.types_around = _types(around.count, ELEMENT_TYPES)

    def _meshes(self):
        scene = self.scene
        surfaces, _ = ball_surfaces(scene.balls, self.balls, self.detail)
        grid = Grid('meshes', single(np.concatenate([scene.points[self.points], scene.nodes[self.nodes],
                                                     surfaces.reshape(-1, 3)])), self.types, self.cells)
        for name in self.names:
            of = scene.field(name)
            if of.per_point:
                grid.point_data[name] = _stored(name, np.concatenate([
                    of.on('points')[self.points], of.on('nodes')[self.nodes], self._on_balls(of)]))
            else:
                grid.cell_data[name] = _stored(name, np.concatenate([
                    of.on('faces')[self.faces], of.on('elements')[self.elements],
                    np.repeat(of.on('balls')[self.balls], self.sphere_faces, axis=0)]))
        return grid

    def _on_balls(self, of):
        """Values at the points of the surfaces of balls."""
        scene = self.scene
        center = scene.reference_ball_centers[self.balls]
        sphere, _ = unit_sphere(self.detail)
        map = scene.model.balls.map[scene.ball_rows[self.balls]]
        X = center[:, None] + np.einsum('kij,nj->kni', map, sphere)
        return of.at(np.repeat(scene.balls.body[self.balls], len(sphere)), X.reshape(-1, 3))

    def _background(self):
        scene = self.scene
        grid = Grid('background', single(scene.nodes[self.nodes_around]), self.types_around, self.cells_around)
        for name in self.names:
            of = scene.field(name)
            data, place, which = (grid.point_data, 'nodes', self.nodes_around) if of.per_point else (
                grid.cell_data, 'elements', self.elements_around)
            data[name] = _stored(name, of.on(place)[which])
        return grid


def _some(lists, which, points, first):
    """Some of the lists, with their points numbered among those of a mask, from `first` on."""
    number = np.cumsum(points) - 1 + first
    taken = lists.take(np.flatnonzero(which))
    return Lists(number[taken.numbers], taken.count)


def _types(counts, types):
    """Cell types by the number of corners; POLYGON where there is none."""
    table = np.full(max([*types, counts.max(initial=0)]) + 1, POLYGON, dtype=np.uint8)
    table[list(types)] = list(types.values())
    return table[counts]


def _wedges(elements):
    """Numbers of nodes with those of wedges in the order of VTK."""
    numbers = elements.numbers.copy()
    at = elements.begin()[elements.count == 6][:, None]
    numbers[at + np.arange(6)] = numbers[at + np.array(WEDGE_ORDER)]
    return numbers


def bodies_grid(scene, bodies, names, shapes):
    """A point for each body, with what "3D Glyphs" of ParaView needs to draw its shape there: quaternion, scale and the
    number of the shape. Also the part of stretches that scales do not have."""
    chosen = bodies[scene.rows]
    position, rotation, scale, lost = shapes.placement(scene)
    data = {name: _stored(name, scene.field(name).on('bodies')[chosen]) for name in (*names, *BODY_FIELDS)}
    data['quaternion'] = quaternions(rotation[chosen])[:, [3, 0, 1, 2]]  # as glyphs want them: w x y z
    data['scale'] = scale[chosen]
    data['shape'] = np.maximum(shapes.number[scene.rows][chosen], 0)
    return points_grid('bodies', position[chosen], data), lost


def shape_grid(number, shape):
    """A shape of shapes.ShapeTable."""
    return Grid('shape %d' % number, single(shape.points), _types(shape.faces.count, FACE_TYPES), shape.faces)


CONTACT_DATA = {
    'force': lambda c: c.force,
    'force size': lambda c: c.size,
    'normal force': lambda c: c.R[:, 2],
    'tangential force': lambda c: c.tangential,
    'relative velocity': lambda c: np.einsum('nij,nj->ni', c.base, c.U),
    'slip': lambda c: c.slip,
    'normal': lambda c: c.normal,
    'gap': lambda c: c.gap,
    'area': lambda c: c.area,
    'state': lambda c: c.state,
    'merit': lambda c: c.merit,
    'determinacy': lambda c: c.determinacy,
    'body1': lambda c: _identifier(c, 0),
    'body2': lambda c: _identifier(c, 1),
    'surface1': lambda c: c.surfaces[:, 0],
    'surface2': lambda c: c.surfaces[:, 1],
}
JOINT_DATA = {name: CONTACT_DATA[name] for name in ('force', 'force size', 'relative velocity', 'determinacy', 'body1',
                                                 'body2')}
JOINT_DATA['kind'] = lambda c: c.kind


def _identifier(contacts, side):
    """-1 for space."""
    return np.where(contacts.bodies[:, side] < 0, -1, contacts.ids[:, side].astype(int))


def contacts_grid(scene, bodies, data=CONTACT_DATA):
    """Contacts of chosen bodies, also with others."""
    return _constraints_grid('contacts', scene, scene.contacts, bodies, data)


def joints_grid(scene, bodies, data=JOINT_DATA):
    """Joints of chosen bodies, also with others."""
    return _constraints_grid('joints', scene, scene.joints, bodies, data)


def _constraints_grid(name, scene, table, bodies, data):
    chosen = np.append(bodies[scene.rows], False)[table.bodies].any(axis=1)
    return points_grid(name, table.point[chosen], {key: plain(get(table)[chosen]) for key, get in data.items()})


def default_fields(scene, bodies):
    """Names of the fields of bodies that are exported when none are named: stresses where a body has them."""
    deforms = scene.model.bodies.kind[bodies] >= 2  # PSEUDO_RIGID, FINITE_ELEMENT
    return DEFAULT_FIELDS + (STRESS_FIELDS if deforms.any() else ())
