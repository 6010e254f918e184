"""The bodies of results as tables: what is known of them besides their state, and all of their shapes.

Arrays only, without an object for each body, so that 100,000 of them are read in a second. A row is a definition: a
body has one or more, the newest one holds. Scene (scene.py) puts the shapes where a frame has them.
"""

from dataclasses import dataclass, fields

import numpy as np

from solfec.results import ELEMENT_FACES, begins

POLYHEDRON, MESH, SPHERE, ELLIPSOID = range(4)
ELEMENT_NODES = 8  # at most


def ranges(begin, count):
    """The numbers begin[0], begin[0] + 1, ... (count[0] of them), begin[1], ... in one array."""
    begin, count = np.asarray(begin, dtype=int), np.asarray(count, dtype=int)
    ends = np.cumsum(count)
    return np.arange(ends[-1] if len(ends) else 0) + np.repeat(begin - (ends - count), count)


@dataclass
class Lists:
    """Lists of numbers of different lengths, one after the other."""
    numbers: np.ndarray
    count: np.ndarray   # of each list

    def begin(self):
        return begins(self.count)[:-1]

    def take(self, which):
        """Some of the lists, in that order."""
        count = self.count[which]
        return Lists(self.numbers[ranges(self.begin()[which], count)], count)

    def fans(self):
        """Of lists that are corners of faces: the triangles (n, 3) that each is made of, and the list of each."""
        begin, numbers = self.begin(), self.numbers
        face = np.repeat(np.arange(len(self.count)), self.count - 2)
        k = 1 + ranges(np.zeros(len(self.count)), self.count - 2)
        return np.stack([numbers[begin[face]], numbers[begin[face] + k], numbers[begin[face] + k + 1]], axis=1), face

    def __len__(self):
        return len(self.count)


@dataclass
class Bodies:
    """One row per definition."""
    id: np.ndarray
    kind: np.ndarray          # index into results.BODY_KINDS
    label: np.ndarray         # of str
    material: np.ndarray      # index of the bulk material, -1: none
    mass: np.ndarray          # [kg]
    volume: np.ndarray        # [m^3]
    center: np.ndarray        # (n, 3) reference mass centre [m]
    tensor: np.ndarray        # (n, 3, 3) inertia or Euler tensor [kg m^2]
    background: np.ndarray    # the shape is moved by a mesh that is no part of it


@dataclass
class Points:
    """Corners of faces, in the reference configuration."""
    row: np.ndarray      # definition
    X: np.ndarray        # (n, 3) [m]
    node: np.ndarray     # of the mesh of its finite-element body, -1: none
    blend: np.ndarray    # row of Blends, -1: none


@dataclass
class Blends:
    """Corners that move with an element of a background mesh."""
    nodes: np.ndarray    # (n, 8) nodes of the element
    shares: np.ndarray   # (n, 8) their shares


@dataclass
class Faces:
    row: np.ndarray      # definition
    solid: np.ndarray    # number of the solid within its body
    surface: np.ndarray  # surface identifier
    volume: np.ndarray   # volume identifier
    corners: Lists       # rows of Points, within their definition
    kind: np.ndarray     # index into results.SOLID_KINDS


@dataclass
class Balls:
    """Spheres and ellipsoids: points center + map s with |s| <= 1."""
    row: np.ndarray      # definition
    solid: np.ndarray
    surface: np.ndarray
    volume: np.ndarray
    center: np.ndarray   # (n, 3) [m]
    map: np.ndarray      # (n, 3, 3) [m]
    kind: np.ndarray     # index into results.SOLID_KINDS


@dataclass
class Elements:
    """Of the meshes that move finite-element bodies."""
    row: np.ndarray      # definition
    volume: np.ndarray   # volume identifier
    nodes: Lists         # within the body


@dataclass
class Nodes:
    """Of the meshes that move finite-element bodies."""
    row: np.ndarray      # definition
    X: np.ndarray        # (n, 3) [m]


def _join(one, two):
    """A table with the rows of both."""
    if isinstance(one, np.ndarray):
        return np.concatenate([one, two])
    return type(one)(*(_join(getattr(one, f.name), getattr(two, f.name)) for f in fields(one)))


def _take(table, rows):
    """A table of some rows."""
    return type(table)(*(column.take(rows) if isinstance(column, Lists) else column[rows] for column in
                         (getattr(table, f.name) for f in fields(table))))


class ModelTable:
    """Tables of all definitions in results; rows of definitions that come later are appended."""

    bodies: Bodies
    points: Points
    blends: Blends
    faces: Faces
    balls: Balls
    elements: Elements
    nodes: Nodes

    TABLES = ('bodies', 'points', 'blends', 'faces', 'balls', 'elements', 'nodes')

    def __init__(self, columns):
        for name, table in _read(columns).items():
            setattr(self, name, table)
        self._count()

    def append(self, columns):
        """Adds the definitions of further columns (Results.definition_columns)."""
        rows, blends = len(self), len(self.blends.nodes)
        for name, table in _read(columns).items():
            if hasattr(table, 'row'):
                table.row += rows
            if name == 'points':
                table.blend[table.blend >= 0] += blends
            setattr(self, name, _join(getattr(self, name), table))
        self._count()

    def part(self, definitions):
        """A ModelTable of some definitions, by their rows."""
        part = object.__new__(ModelTable)
        for name in self.TABLES:
            table = getattr(self, name)
            if hasattr(table, 'row'):
                which, count = self.rows_of(name, definitions)
                table = _take(table, which)
                table.row = np.repeat(np.arange(len(definitions)), count)
            elif name == 'bodies':
                table = _take(table, np.asarray(definitions))
            setattr(part, name, table)  # of `blends` all: points name them by their rows
        part._count()
        return part

    def _count(self):
        """Where the rows of a definition are in each table: they stand in the order of definitions."""
        self.begin = {name: np.searchsorted(getattr(self, name).row, np.arange(len(self) + 1))
                      for name in self.TABLES if hasattr(getattr(self, name), 'row')}

    def __len__(self):
        return len(self.bodies.id)

    def newest(self, ids, rows):
        """The newest definition of each of the bodies `ids`, among the first so many rows."""
        known = self.bodies.id[:rows]
        order = np.argsort(known, kind='stable')
        found = np.searchsorted(known[order], ids, side='right') - 1
        if len(ids) and (found.min() < 0 or (known[order][found] != ids).any()):
            raise ValueError('results name a body that they do not define')
        return order[found]

    def rows_of(self, name, definitions):
        """Rows of a table that belong to definitions, in their order, and how many each has."""
        begin = self.begin[name][definitions]
        count = self.begin[name][np.asarray(definitions) + 1] - begin
        return ranges(begin, count), count


def _read(columns):
    solids = _Solids(columns)
    points, blends, faces = _faces(solids)
    return {'bodies': _bodies(columns), 'points': points, 'blends': blends, 'faces': faces, 'balls': _balls(solids),
            'elements': _elements(solids), 'nodes': _nodes(solids)}


def _bodies(columns):
    def column(name):
        return columns['definition/' + name]

    text, ends = bytes(column('label_text')), np.cumsum(column('label_size'), dtype=int)
    labels = [text[end - size:end].decode(errors='backslashreplace')
              for end, size in zip(ends.tolist(), column('label_size').tolist())]
    return Bodies(column('id'), column('kind'), np.array(labels, dtype=object), column('material'), column('mass'),
                  column('volume'), column('center').reshape(-1, 3),
                  column('tensor').reshape(-1, 3, 3).transpose(0, 2, 1), column('background') != 0)


class _Solids:
    """Rows of /solid, and the meshes among them taken apart."""

    def __init__(self, columns):
        def column(name):
            return columns['solid/' + name]

        counts = columns['definition/solids'].astype(int)
        self.row = np.repeat(np.arange(len(counts)), counts)
        self.number = ranges(np.zeros(len(counts)), counts)
        self.kind, self.volume = column('kind'), column('volume')
        self.points, self.reals, self.integers = (column(name).astype(int) for name in ('points', 'reals', 'integers'))
        self.point_begin, self.real_begin, self.integer_begin = (
            begins(n)[:-1] for n in (self.points, self.reals, self.integers))
        self.point, self.real, self.integer = column('point').reshape(-1, 3), column('real'), column('integer')
        has_background = columns['definition/background'] != 0
        is_last = self.number == counts[self.row] - 1
        self.is_background = is_last & has_background[self.row]
        # The mesh whose nodes a finite-element body has: the background, or its shape.
        is_finite_element = columns['definition/kind'][self.row] == 3
        self.moves = is_finite_element & (self.is_background | ~has_background[self.row])
        self.meshes = self._meshes()

    def of_kind(self, *kinds):
        """Solids that are part of a shape."""
        return np.flatnonzero(np.isin(self.kind, kinds) & ~self.is_background)

    def _meshes(self):
        """Of each mesh its elements and boundary faces; meshes that are numbered alike are read once."""
        known, result = {}, {}
        for k in np.flatnonzero(self.kind == MESH):
            numbers = self.integer[self.integer_begin[k]:self.integer_begin[k] + self.integers[k]]
            key = numbers.tobytes()
            if key not in known:
                known[key] = _Mesh(numbers)
            result[int(k)] = known[key]
        return result


class _Mesh:
    """[number of elements], [n, nodes, volume] per element, [element, side, surface] per boundary face."""

    def __init__(self, numbers):
        count = int(numbers[0]) if len(numbers) else 0
        _demand(0 < count < len(numbers), 'a mesh has no elements')
        starts, sizes, end = _element_starts(numbers, count)
        _demand(np.isin(sizes, tuple(ELEMENT_FACES)).all() and end <= len(numbers) and (len(numbers) - end) % 3 == 0,
                'a mesh has elements of unknown kinds')
        self.nodes = Lists(numbers[ranges(starts + 1, sizes)].astype(int), sizes)
        self.volume = numbers[starts + 1 + sizes]
        faces = numbers[end:].reshape(-1, 3)
        _demand(((faces[:, 0] >= 0) & (faces[:, 0] < count)).all(), 'a face of a mesh is of no element')
        self.surface, self.face_volume = faces[:, 2], self.volume[faces[:, 0]]
        corners, order, counts = [], [], []
        for size in np.unique(sizes[faces[:, 0]]):
            for side, local in enumerate(ELEMENT_FACES[int(size)]):
                which = np.flatnonzero((sizes[faces[:, 0]] == size) & (faces[:, 1] == side))
                first = self.nodes.begin()[faces[which, 0]]
                corners.append(self.nodes.numbers[first[:, None] + np.array(local)].ravel())
                counts.append(np.full(len(which), len(local)))
                order.append(which)
        back = np.argsort(np.concatenate(order)) if order else np.zeros(0, dtype=int)
        sides = Lists(np.concatenate(corners), np.concatenate(counts)).take(back) if order else Lists(back, back)
        # Nodes inside of the mesh are no corners.
        self.used, inverse = np.unique(sides.numbers, return_inverse=True)
        self.corners = Lists(inverse, sides.count)


def _demand(good, what):
    """Anybody may have made the file: memory and indices follow its numbers."""
    if not good:
        raise ValueError('the shapes of bodies are damaged: ' + what)


def _element_starts(numbers, count):
    """Where elements start, their numbers of nodes, and where the last one ends."""
    size = int(numbers[1]) if count else 0
    table = numbers[1:1 + count * (size + 2)]
    if len(table) == count * (size + 2) and (table[::size + 2] == size).all():
        return 1 + (size + 2) * np.arange(count), np.full(count, size), 1 + count * (size + 2)
    starts, sizes, at = np.empty(count, dtype=int), np.empty(count, dtype=int), 1
    for k in range(count):
        _demand(at < len(numbers) and numbers[at] in ELEMENT_FACES, 'a mesh has elements of unknown kinds')
        starts[k], sizes[k] = at, numbers[at]
        at += int(numbers[at]) + 2
    return starts, sizes, at


def _polyhedron_faces(solids, which):
    """Of each face its solid, where its corners start in the integers, their number and its surface; in the order of
    solids. All polyhedra are read at once, one face of each at a time."""
    at, end = solids.integer_begin[which], (solids.integer_begin + solids.integers)[which]
    parts = []
    while len(which := which[at < end]):
        at, end = at[at < end], end[at < end]
        count = solids.integer[at].astype(int)
        _demand(((count >= 3) & (at + 1 + count < end)).all(), 'a face of a polyhedron has no corners')
        parts.append(np.stack([which, at + 1, count, solids.integer[at + 1 + count]], axis=1))
        at = at + count + 2
    faces = np.concatenate(parts) if parts else np.zeros((0, 4), dtype=int)
    return faces[np.argsort(faces[:, 0], kind='stable')].T


def _faces(solids):
    """Points, Blends and Faces of polyhedra and meshes."""
    polyhedra, meshes = solids.of_kind(POLYHEDRON), solids.of_kind(MESH)
    own = [solids.meshes[int(k)] for k in meshes]

    # Corners: all points of polyhedra, of meshes those on the boundary.
    for k, mesh in zip(meshes, own):
        _demand((mesh.nodes.numbers >= 0).all() and (mesh.nodes.numbers < solids.points[k]).all(),
                'an element has a node that is not there')
    counts = np.array([len(mesh.used) for mesh in own], dtype=int)
    used = np.concatenate([mesh.used for mesh in own]) if own else np.zeros(0, dtype=int)
    solid = np.concatenate([np.repeat(polyhedra, solids.points[polyhedra]), np.repeat(meshes, counts)])
    number = np.concatenate([ranges(np.zeros(len(polyhedra)), solids.points[polyhedra]), used])
    order = np.argsort(solid, kind='stable')
    solid, number = solid[order], number[order]
    node = np.where(solids.moves[solid] & (solids.kind[solid] == MESH), number, -1)
    blend, blends = _blends(solids, polyhedra, solid, number)
    points = Points(solids.row[solid], solids.point[solids.point_begin[solid] + number], node, blend)

    # Faces, with corners numbered within the solid at first.
    of, start, count, surface = _polyhedron_faces(solids, polyhedra)
    sides = [mesh.corners for mesh in own]
    flat = solids.integer[ranges(start, count)].astype(int)
    _demand(((flat >= 0) & (flat < np.repeat(solids.points[of], count))).all(), 'a face has a corner that is not there')
    corners = Lists(np.concatenate([flat, *(s.numbers for s in sides)]),
                    np.concatenate([count, *(s.count for s in sides)]))
    face_solid = np.concatenate([of, np.repeat(meshes, [len(s) for s in sides])]).astype(int)
    surface = np.concatenate([surface, *(mesh.surface for mesh in own)])
    volume = np.concatenate([solids.volume[of.astype(int)], *(mesh.face_volume for mesh in own)])
    order = np.argsort(face_solid, kind='stable')
    corners, face_solid = corners.take(order), face_solid[order]
    solid_begin = np.searchsorted(solid, np.arange(len(solids.row)))
    row_begin = np.searchsorted(points.row, solids.row)
    corners.numbers += np.repeat((solid_begin - row_begin)[face_solid], corners.count)
    return points, blends, Faces(solids.row[face_solid], solids.number[face_solid], surface[order], volume[order],
                                 corners, solids.kind[face_solid])


def _blends(solids, polyhedra, solid, number):
    """Of each corner its row of Blends or -1, and the Blends."""
    moved = np.zeros(len(solids.row), dtype=bool)
    moved[polyhedra[solids.reals[polyhedra] > 0]] = True
    corner = np.flatnonzero(moved[solid])
    blend = np.full(len(solid), -1)
    blend[corner] = np.arange(len(corner))
    nodes = np.zeros((len(corner), ELEMENT_NODES), dtype=int)
    shares = np.zeros((len(corner), ELEMENT_NODES))
    if len(corner):
        start = solids.real_begin[solid[corner]] + 9 * number[corner]
        table = solids.real[start[:, None] + np.arange(9)]
        element = table[:, 0].astype(int)
        background = {int(solids.row[k]): solids.meshes[int(k)] for k in np.flatnonzero(solids.is_background)}
        rows = solids.row[solid[corner]]
        for row in np.unique(rows):
            here = np.flatnonzero(rows == row)
            lists = background[int(row)].nodes
            count = lists.count[element[here]]
            inside = np.arange(ELEMENT_NODES) < count[:, None]
            at = lists.begin()[element[here]][:, None] + np.arange(ELEMENT_NODES)
            nodes[here] = np.where(inside, lists.numbers[np.where(inside, at, 0)], 0)
            shares[here] = np.where(inside, table[here, 1:], 0)
    return blend, Blends(nodes, shares)


def _balls(solids):
    which = solids.of_kind(SPHERE, ELLIPSOID)
    begin = solids.real_begin[which]
    is_sphere = solids.kind[which] == SPHERE
    map = np.zeros((len(which), 3, 3))
    map[is_sphere] = solids.real[begin[is_sphere], None, None] * np.eye(3)
    table = solids.real[begin[~is_sphere, None] + np.arange(12)]
    map[~is_sphere] = table[:, 3:].reshape(-1, 3, 3).transpose(0, 2, 1) * table[:, None, :3]
    return Balls(solids.row[which], solids.number[which], solids.integer[solids.integer_begin[which]],
                 solids.volume[which], solids.point[solids.point_begin[which]], map, solids.kind[which])


def _elements(solids):
    which = np.flatnonzero(solids.moves & (solids.kind == MESH))
    meshes = [solids.meshes[int(k)] for k in which]
    none = np.zeros(0, dtype=int)
    return Elements(np.repeat(solids.row[which], [len(mesh.nodes) for mesh in meshes]).astype(int),
                    np.concatenate([none, *(mesh.volume for mesh in meshes)]),
                    Lists(np.concatenate([none, *(mesh.nodes.numbers for mesh in meshes)]),
                          np.concatenate([none, *(mesh.nodes.count for mesh in meshes)])))


def _nodes(solids):
    which = np.flatnonzero(solids.moves & (solids.kind == MESH))
    count = solids.points[which]
    return Nodes(np.repeat(solids.row[which], count), solids.point[ranges(solids.point_begin[which], count)])
