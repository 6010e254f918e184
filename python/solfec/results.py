"""Reads directories of results with numpy and h5py alone.

    from solfec.results import Results
    results = Results('out/hopper')
    frame = results.frame(-1)                   # or results.at(1.5), the last frame not after 1.5 s
    for body in frame.bodies:
        print(body.label, body.center)
    print(frame.contacts['R'])                  # (contacts, 3): T1, T2, N

This file needs nothing else of the package: copied beside a script it works where Solfec is not installed. The
layout of the files is described in docs/running.md; every array in them carries its unit and meaning.
"""

from __future__ import annotations

import contextlib
import functools
import math
import mmap
import operator
import os
import re
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import h5py
import numpy as np

if TYPE_CHECKING:  # it takes longer to import than the rest
    from numpy.typing import ArrayLike

FORMAT = 12
INDEX, SEGMENT = 'Solfec results: index of segments', 'Solfec results: consecutive frames'  # attribute 'content'
SEGMENT_NAME = re.compile(r'[^/]{1,230}\.frames-[0-9]{8,20}-[0-9]{8,20}\.h5')
LARGEST_CHUNK = 1 << 26  # [bytes]: HDF5 holds it in memory
MOST_COMPRESSION = 1032  # of deflate
SHORT_SEGMENT = 4 << 20  # [bytes] longer ones are never joined, nor removed while the results last
BODY_KINDS = ('OBSTACLE', 'RIGID', 'PSEUDO_RIGID', 'FINITE_ELEMENT')
CONSTRAINT_KINDS = ('CONTACT', 'FIXPNT', 'FIXDIR', 'VELODIR', 'RIGLNK', 'GLUE', 'VELODIR3', 'SPRING')
SPACE = 0xFFFFFFFF  # as the second body of a joint
SOLID_KINDS = ('polyhedron', 'mesh', 'sphere', 'ellipsoid')

# How many rows of another array belong to each row of this one.
COUNTS = {'frame/layout': 'layout/id', 'frame/bodies': 'body/energy', 'frame/constraints': 'constraint/kind',
          'frame/definitions': 'definition/id', 'definition/solids': 'solid/kind',
          'definition/label_size': 'definition/label_text', 'definition/volume_materials': 'definition/volume_material',
          'solid/points': 'solid/point', 'solid/reals': 'solid/real', 'solid/integers': 'solid/integer'}

# What arrays hold: the least type that takes their numbers, and how many stand in a row where that is not one.
COLUMNS = {
    'frame': 'time f8, step f8, number i8, merit f8, solver u1, iterations i4, new_bodies i4, deleted_bodies i4, '
             'sparsified i4, timing f8 6, energy f8 5, gs_colors i4, gs_rows i8 4, gs_seconds f8 4, ranks i4, run i4, '
             'run_ended u1, run_start f8, next_output f8, next_callback f8, next_body u4, bodies u4, constraints u4, '
             'bonds u4, layout u4, partition u4, definitions u4',
    'layout': 'id u4, freedom u4, nodes u4',
    'partition': 'axes f8 9, direction i4, at f8',
    'body': 'q f8, u f8, x f8, energy f8 5',
    'constraint': 'kind u1, body1 u4, body2 u4, feature1 u4, feature2 u4, number u4, element1 i4, element2 i4, '
                  'point f8 3, normal f8 3, arm f8 3, gap f8, area f8, R f8 3, U f8 3, V f8 3, drift f8 3, merit f8, '
                  'determinacy u1, surface1 i4, surface2 i4, material i4, friction f8',
    'bond': 'constraint u4, offsets f8 6, normal f8 3, gap f8, area f8, work f8',
    'definition': 'id u4, kind u1, scheme u1, label_size u4, material i4, density f8, damping f8, mass f8, volume f8, '
                  'center f8 3, tensor f8 9, form u1, plain_elements u1, self_contact u1, node_contact u1, '
                  'background u1, nodes u4, volume_materials u4, solids u4, loads u4, joints u4, label_text u1, '
                  'volume_material i4 2, volume_density f8',
    'solid': 'kind u1, volume i4, points u4, reals u4, integers u4, point f8 3, real f8, integer i4',
    'load': 'kind u1, frame u1, function i4, surface i4, point f8 3, direction f8 3, series_points u4, series f8 2',
    'joint': 'kind u1, number u4, other u4, second u1, point f8 3, other_point f8 3, direction f8 3, strength f8, '
             'start f8, measured u1, rest f8, given u1, window f8, series_points u4, across u4, function i4, axis u1, '
             'limits f8 2, series f8 2',
    'across': 'direction f8 3, series_points u4, series f8 2',
    'segment': 'first i8, frames i8', 'bulk_material': 'young f8, poisson f8'}


def _column_types():
    """{path: (type, numbers in a row)}"""
    words = {group + '/' + column.split()[0]: column.split()[1:]
             for group, columns in COLUMNS.items() for column in columns.split(', ')}
    return {path: (np.dtype(type), int(width[0]) if width else 1) for path, (type, *width) in words.items()}


COLUMN_TYPES = _column_types()

# Faces of an element by its number of nodes, as loops of local node numbers, outward.
ELEMENT_FACES = {
    4: ((0, 2, 1), (0, 1, 3), (1, 2, 3), (2, 0, 3)),
    5: ((0, 3, 2, 1), (0, 1, 4), (1, 2, 4), (2, 3, 4), (3, 0, 4)),
    6: ((0, 2, 1), (3, 4, 5), (0, 1, 4, 3), (1, 2, 5, 4), (2, 0, 3, 5)),
    8: ((0, 3, 2, 1), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7))}


@dataclass
class Solid:
    """One solid of a body's shape, in the reference configuration."""
    kind: str            # one of SOLID_KINDS
    points: np.ndarray   # (n, 3): vertices, nodes, or the centre
    faces: list[list[int]]  # loops of point numbers, outward (polyhedron, boundary of a mesh)
    surfaces: list[int]  # surface identifier of each face, or the one of a sphere or an ellipsoid
    map: np.ndarray | None  # (3, 3), sphere and ellipsoid: points are centre + map s with |s| <= 1; else None
    elements: list[list[int]]  # node numbers of each element (mesh), else empty
    # (n, 9), polyhedron that a background mesh moves: of each point the element of that mesh and the shares of its
    # nodes (zero beyond their number); else None
    places: np.ndarray | None


@dataclass
class Definition:
    """What is known of a body besides its state."""
    id: int
    kind: str            # one of BODY_KINDS
    label: str
    mass: float          # [kg]
    volume: float        # [m^3]
    center: np.ndarray   # reference mass centre [m]
    tensor: np.ndarray   # (3, 3) inertia or Euler tensor [kg m^2]
    solids: list[Solid]
    background: Solid | None  # the mesh that moves the solids of a finite-element body; None if its shape is its mesh


@dataclass
class Body:
    """A body in one frame."""
    definition: Definition
    gradient: np.ndarray  # (3, 3) rotation or deformation gradient
    center: np.ndarray    # current mass centre [m]
    velocity: np.ndarray  # the numbers of BODY.velo
    nodes: np.ndarray     # (n, 3) of a finite-element body [m], else (0, 3)

    @property
    def id(self) -> int:
        return self.definition.id

    @property
    def kind(self) -> str:
        return self.definition.kind

    @property
    def label(self) -> str:
        return self.definition.label

    def place(self, points: ArrayLike) -> np.ndarray:
        """Current positions of reference points, (n, 3); of a finite-element body without its deformation."""
        return self.center + (np.asarray(points) - self.definition.center) @ self.gradient.T

    def points_of(self, solid: Solid) -> np.ndarray:
        """Current positions of a solid's points, (n, 3)."""
        background = self.definition.background
        if solid.places is None or background is None:
            return self.nodes if len(self.nodes) else self.place(solid.points)
        elements = background.elements
        return np.array([place[1:1 + len(nodes)] @ self.nodes[nodes]
                         for place, nodes in ((place, elements[int(place[0])]) for place in solid.places)])


@dataclass
class Frame:
    time: float      # [s]
    bodies: list[Body]
    contacts: dict[str, np.ndarray]  # columns of the group /constraint, one row per contact
    joints: dict[str, np.ndarray]    # the same columns, one row per joint


@dataclass
class FrameArrays:
    """A frame as plain arrays, without an object for each body."""
    time: float            # [s]
    ids: np.ndarray        # (n,) identifiers of bodies, rising
    freedom: np.ndarray    # (n,) numbers of each body in u
    nodes: np.ndarray      # (n,) rows of each body in x
    q: np.ndarray          # (n, 12): rotation or deformation gradient column-wise, mass centre [m]
    u: np.ndarray          # the numbers of BODY.velo, body after body
    x: np.ndarray          # (m, 3) nodes of finite-element bodies, body after body [m]
    energy: np.ndarray     # (n, 5): kinetic, internal, external, contact, friction [J]
    constraints: Mapping[str, np.ndarray]  # columns of the group /constraint, one row per contact or joint
    figures: Mapping[str, Any]             # columns of the group /frame, of this frame

    def of_body(self, id: int) -> FrameArrays:
        """What belongs to one body, with its contacts and joints; nothing when it is not there."""
        body, u, x = _part_of(id, self.ids, self.freedom, self.nodes)
        touches = (self.constraints['body1'] == id) | (self.constraints['body2'] == id)
        return FrameArrays(self.time, self.ids[body], self.freedom[body], self.nodes[body], self.q[body], self.u[u],
                           self.x[x], self.energy[body],
                           {name: column[touches] for name, column in self.constraints.items()}, self.figures)


class StoredColumns(Mapping):
    """Rows of the columns of a group in a file, read when they are asked for."""

    def __init__(self, file, group, names, rows):
        self.file, self.group, self.names, self.rows, self._known = file, group, names, rows, {}

    def __getitem__(self, name):
        if name not in self.names:
            raise KeyError(name)
        if name not in self._known:
            self._known[name] = self.file[self.group][name][self.rows]
        return self._known[name]

    def __iter__(self):
        return iter(self.names)

    def __len__(self):
        return len(self.names)


class StoredFrame(FrameArrays):
    """Of a file, which stays open with it: velocities, energies and constraints are read when they are asked for."""

    def __init__(self, segment, k, file):
        bodies = slice(segment.body_begin[k], segment.body_begin[k + 1])
        layout = slice(segment.layout_begin[k], segment.layout_begin[k] + segment.bodies[k])
        x = slice(segment.x_begin[k], segment.x_begin[k + 1])
        self.time, self.ids = float(segment.time[k]), segment.layout_id[layout]
        self.freedom, self.nodes = segment.layout_freedom[layout], segment.layout_nodes[layout]
        self.q = file['body/q'][12 * bodies.start:12 * bodies.stop].reshape(-1, 12)
        self.x = file['body/x'][x].reshape(-1, 3)
        rows = slice(segment.constraint_begin[k], segment.constraint_begin[k + 1])
        self.constraints = StoredColumns(file, 'constraint', segment.constraint_names, rows)
        self.figures = {name: column[k] for name, column in file['frame'].items()}
        self._file, self._bodies, self._u = file, bodies, slice(segment.u_begin[k], segment.u_begin[k + 1])

    @functools.cached_property
    def u(self):
        return self._file['body/u'][self._u]

    @functools.cached_property
    def energy(self):
        return self._file['body/energy'][self._bodies]


class Segment:
    """A file of consecutive frames, with the offsets that follow from its counts."""

    def __init__(self, path, first, frames):
        self.path, self.first, self.opened = path, first, None
        with contextlib.ExitStack() as stack:
            file = stack.enter_context(open_file(path, SEGMENT))
            _check_arrays(file, path)
            _check_counts(file, path)
            self.time = file['frame/time'][:]
            if len(self.time) != frames:
                raise ValueError('%s is damaged: it has %d frames, %d in the index' % (path, len(self.time), frames))
            self.bodies, self.constraints = file['frame/bodies'][:], file['frame/constraints'][:]
            layout, self.definitions = file['frame/layout'][:], file['frame/definitions'][:]
            self.layout_id = file['layout/id'][:]
            self.constraint_names = list(file['constraint'])
            self.layout_freedom, self.layout_nodes = file['layout/freedom'][:], file['layout/nodes'][:]
            sizes = len(file['body/u']), len(file['body/x'])
            if file.id.get_filesize() <= SHORT_SEGMENT:
                # The writing process may join and remove it: it stays open.
                stack.pop_all()
                self.opened, self.size = file, file.id.get_filesize()
        self.body_begin = begins(self.bodies)
        self.constraint_begin = begins(self.constraints)
        # A layout holds until the next one.
        starts = begins(layout)[:-1]
        newest = np.maximum.accumulate(np.where(layout > 0, np.arange(len(layout)), 0))
        self.layout_begin = starts[newest]
        self.u_begin, self.x_begin = (
            begins(np.array([counts[b:b + n].sum(dtype=int) for b, n in zip(self.layout_begin, self.bodies)],
                            dtype=int))
            for counts in (self.layout_freedom, 3 * self.layout_nodes.astype(int)))
        ends = self.layout_begin + self.bodies
        if (ends > len(self.layout_id)).any() or (self.u_begin[-1], self.x_begin[-1]) != sizes:
            raise ValueError('%s is damaged: bodies of a frame have other numbers of velocities or nodes' % path)

    def __len__(self):
        return len(self.time)

    def file(self):
        """The open file."""
        # HDF5 reads zeros beyond the end of an open file.
        if self.opened and os.fstat(self.opened.id.get_vfd_handle()).st_size < self.size:
            raise OSError('%s has been cut short' % self.path)
        return self.opened or open_file(self.path, SEGMENT)

    def open(self):
        """For a with statement: the file."""
        return contextlib.nullcontext(self.file()) if self.opened else self.file()


class Results:
    """The results in a directory; opened once, it stays with the frames that were there then, until update().

    The run that writes them may still be going on."""

    def __init__(self, directory: str | os.PathLike[str]) -> None:
        self.directory = os.path.normpath(directory)
        self.segments: list[Segment] = []
        self._stress: Any = None
        self.started, index = _read_index(self.directory)
        self._open(index)

    def _open(self, index):
        known = {segment.path: segment for segment in self.segments}
        for attempt in range(100):
            try:
                paths = [(os.path.join(self.directory, name), first, frames) for name, first, frames in index]
                self.segments = [known.get(path) or Segment(path, first, frames) for path, first, frames in paths]
                break
            except OSError:  # removed after it was joined to others, or while HDF5 opens it: the index is newer then
                started, newer = _read_index(self.directory)
                if newer == index or started != self.started:
                    raise
                index = newer
        else:
            raise OSError('%s: segments are joined faster than they can be read' % self.directory)
        self.times = np.concatenate([segment.time for segment in self.segments])

    def update(self) -> bool:
        """Takes over the frames that a run has added meanwhile; returns whether there are any. ValueError when the
        results are those of another run now; these stay as they were then."""
        started, index = _read_index(self.directory)
        if started != self.started:
            raise ValueError('%s: the results are those of another run now' % self.directory)
        if [(os.path.basename(segment.path), segment.first, len(segment)) for segment in self.segments] == index:
            return False
        count = len(self.times)
        self._open(index)
        return len(self.times) > count

    def __len__(self) -> int:
        return len(self.times)

    def column(self, path: str) -> np.ndarray:
        """All rows of an array, over all frames; for example 'frame/energy'."""
        parts = []
        for segment in self.segments:
            with segment.open() as file:
                parts.append(file[path][:])
        return np.concatenate(parts)

    def at(self, time: float) -> Frame:
        """The last frame not after a time (the first one when all are later); times are sums and carry round-off."""
        return self.frame(frame_at(self.times, checked_time("Results.at: 'time'", time)))

    def segment_of(self, number: int) -> tuple[Segment, int]:
        """The segment with a frame, and the number of the frame in it."""
        return self._segment_of('segment_of', number)

    def _segment_of(self, method, number):
        number = self._checked_number(method, number)
        segment = next(s for s in reversed(self.segments) if s.first <= number)
        return segment, number - segment.first

    def _checked_number(self, method, number):
        return checked_number("Results.%s: 'number'" % method, number, len(self))

    def arrays(self, number: int) -> FrameArrays:
        """A frame as plain arrays, by its number; negative ones count from the end."""
        segment, k = self._segment_of('arrays', number)
        return StoredFrame(segment, k, segment.file())

    def body_arrays(self, number: int, id: int) -> FrameArrays:
        """arrays(number).of_body(id), without reading the other bodies and the figures: for histories."""
        segment, k = self._segment_of('body_arrays', number)
        layout = slice(segment.layout_begin[k], segment.layout_begin[k] + segment.bodies[k])
        ids, freedom, nodes = (a[layout] for a in (segment.layout_id, segment.layout_freedom, segment.layout_nodes))
        body, u, x = _part_of(id, ids, freedom, nodes)
        begin = segment.body_begin[k]
        file = segment.file()
        q = file['body/q'][12 * (begin + body.start):12 * (begin + body.stop)].reshape(-1, 12)
        energy = file['body/energy'][begin + body.start:begin + body.stop]
        u = file['body/u'][segment.u_begin[k] + u.start:segment.u_begin[k] + u.stop]
        x = file['body/x'][segment.x_begin[k] + 3 * x.start:segment.x_begin[k] + 3 * x.stop].reshape(-1, 3)
        first = segment.constraint_begin[k]
        rows = slice(first, segment.constraint_begin[k + 1])
        ends = (file['constraint/' + name][rows] == id for name in ('body1', 'body2'))
        touches = first + np.flatnonzero(np.logical_or(*ends))
        # Most histories ask for none of them, or for a few.
        constraints = StoredColumns(file, 'constraint', segment.constraint_names, touches)
        return FrameArrays(float(self.times[number]), ids[body], freedom[body], nodes[body], q, u, x, energy,
                           constraints, {})

    def frame(self, number: int) -> Frame:
        """A frame by its number; negative ones count from the end."""
        number = self._checked_number('frame', number)
        arrays = self.arrays(number)
        definitions = self.definitions(number)

        def of_each(values, counts):
            return np.split(values, np.cumsum(counts, dtype=int)[:-1])

        bodies = [Body(definitions[int(i)], row[:9].reshape(3, 3).T, row[9:], velocity, nodes)
                  for i, row, velocity, nodes in zip(arrays.ids, arrays.q, of_each(arrays.u, arrays.freedom),
                                                     of_each(arrays.x, arrays.nodes))]
        is_contact = arrays.constraints['kind'] == 0
        contacts, joints = ({name: column[rows] for name, column in arrays.constraints.items()}
                            for rows in (is_contact, ~is_contact))
        return Frame(arrays.time, bodies, contacts, joints)

    def bulk_materials(self) -> dict[str, Any]:
        """Labels, Young's moduli [Pa] and Poisson's ratios of bulk materials by their index, as they were last."""
        with open_file(index_of(self.directory), INDEX) as file:
            group = file['bulk_material']
            return {'label': texts_in(file, 'bulk_material/label'), 'young': group['young'][:],
                    'poisson': group['poisson'][:]}

    def rank_of(self, number: int, points: np.ndarray) -> np.ndarray:
        """Ranks that had points (n, 3) when a frame was written: each rank had a region of space."""
        segment, k = self._segment_of('rank_of', number)
        with segment.open() as file:
            counts = file['frame/partition'][:k + 1]
            named = np.flatnonzero(counts)
            if not len(named):
                return np.zeros(len(points), dtype=int)
            rows = slice(int(counts[:named[-1]].sum(dtype=int)), int(counts[:named[-1] + 1].sum(dtype=int)))
            axes, direction, at = (file['partition/' + name][rows] for name in ('axes', 'direction', 'at'))
        local = np.asarray(points) @ axes[0].reshape(3, 3).T
        first, last = np.zeros(len(local), dtype=int), np.full(len(local), len(at) + 1)
        # Down a tree of cuts: the ranks first <= rank < last are divided at a middle one by cut number middle - 1.
        while (last - first > 1).any():
            middle = first + (last - first + 1) // 2
            cut = np.minimum(middle, len(at)) - 1
            divided = last - first > 1
            above = ~(local[np.arange(len(local)), direction[cut]] <= at[cut])
            first = np.where(divided & above, middle, first)
            last = np.where(divided & ~above, middle, last)
        return first

    def nodal_stress(self, number: int) -> np.ndarray:
        """(m, 6) Cauchy stress x, y, z, xy, xz, yz at the nodes of finite-element bodies (rows of FrameArrays.x), means
        of the elements around each, with the materials as they were last [Pa]. Needs the whole package."""
        from solfec import _core
        number = self._checked_number('nodal_stress', number)
        arrays, key = self.arrays(number), self.definitions_until(number)
        if self._stress is None or self._stress[0] != key or not np.array_equal(self._stress[1], arrays.ids):
            self._stress = key, arrays.ids, _core._NodalStress(self.directory, number)
        return self._stress[2].at(arrays.q, arrays.x)

    def definitions_until(self, number: int) -> int:
        """How many definitions of bodies there are until a frame; those of definition_columns()."""
        return sum(int(segment.definitions[:max(0, number - segment.first + 1)].sum(dtype=int))
                   for segment in self.segments)

    def definition_columns(self, begin: int = 0) -> dict[str, np.ndarray]:
        """Columns of the groups /definition and /solid, of all definitions but the first `begin`; by 'group/name'."""
        def read(k):
            with self.segments[k].open() as file:
                return {group + '/' + name: column[:] for group in ('definition', 'solid')
                        for name, column in file[group].items()}

        return joined_rows([int(segment.definitions.sum(dtype=int)) for segment in self.segments], read, begin)

    def definitions(self, number: int) -> dict[int, Definition]:
        """The newest definitions of bodies made until a frame, by body identifier."""
        newest: dict[int, Definition] = {}
        for segment in self.segments:
            if segment.first > number:
                break
            frames = min(len(segment), number - segment.first + 1)
            count = int(segment.definitions[:frames].sum(dtype=int))
            try:
                newest.update((d.id, d) for d in _read_definitions(segment, count))
            except (StopIteration, RuntimeError, IndexError, KeyError) as error:
                raise ValueError('%s is damaged: a body has a shape that is none' % segment.path) from error
        return newest


def checked_time(where: str, time: Any) -> float:
    """A time [s] that somebody gave, which may be infinite."""
    try:
        if isinstance(time, (str, bytes)):  # which float() would read
            raise TypeError
        time = float(time)
    except TypeError:
        raise TypeError('%s must be a number; got %r (%s)' % (where, time, type(time).__name__)) from None
    if math.isnan(time):
        raise ValueError('%s must be a number; got nan' % where)
    return time


def checked_number(where: str, number: Any, count: int) -> int:
    """The number of one of so many frames, as somebody gave it; negative ones count from the end."""
    try:
        index = operator.index(number)
    except TypeError:
        raise TypeError('%s must be a whole number; got %r (%s)' % (where, number, type(number).__name__)) from None
    if not -count <= index < count:
        raise IndexError('%s must be in %d ... %d; got %d' % (where, -count, count - 1, index))
    return index % count


def frame_at(times: np.ndarray, time: float) -> int:
    """Number of the last frame not after a time (0 when all are later); times are sums and carry round-off."""
    return max(0, int(np.searchsorted(times, time + _slack(times), side='right')) - 1)


def frames_between(times: np.ndarray, start: float | None = None, stop: float | None = None, every: int = 1) -> range:
    """Numbers of the frames in a time interval, both ends included, as a range; None: no end. The range may be
    empty."""
    begin = 0 if start is None else int(np.searchsorted(times, start - _slack(times), side='left'))
    end = len(times) if stop is None else int(np.searchsorted(times, stop + _slack(times), side='right'))
    return range(begin, end, every)


def no_frames(times, start, stop):
    """What to say of an interval without frames."""
    ends = ['%s %g' % end for end in (('from', start), ('to', stop)) if end[1] is not None]
    return 'there is no frame %s s; results reach from %g to %g s' % (' '.join(ends), times[0], times[-1])


def _slack(times):
    return 1E-9 * (times[-1] - times[0])


def begins(counts):
    """Where groups of so many rows start, and where the last one ends."""
    return np.concatenate([[0], np.cumsum(counts, dtype=int)])


def _part_of(id, ids, freedom, nodes):
    """Slices of a body in arrays of bodies, of u and of x; empty ones when it is not there."""
    at = int(np.searchsorted(ids, id))
    body = slice(at, at + (at < len(ids) and ids[at] == id))
    u, x = (int(counts[:at].sum(dtype=int)) for counts in (freedom, nodes))
    return body, slice(u, u + int(freedom[body].sum(dtype=int))), slice(x, x + int(nodes[body].sum(dtype=int)))


def index_of(directory: str | os.PathLike[str]) -> str:
    """The index of a directory of results: the file with the directory's name; after the directory was renamed, the
    only one with files of frames."""
    name = os.path.basename(os.path.abspath(directory)) + '.h5'
    if os.path.isdir(directory) and not os.path.lexists(os.path.join(directory, name)):
        files = os.listdir(directory)
        indices = {file.split('.frames-')[0] + '.h5' for file in files if SEGMENT_NAME.fullmatch(file)} & set(files)
        if len(indices) == 1:
            name = indices.pop()
    return os.path.join(directory, name)


def is_of_results(path: str | os.PathLike[str]) -> bool:
    """Whether a file is one of those that a run keeps in its directory: nothing else may replace it."""
    folder, file = os.path.split(os.path.realpath(path))
    index = index_of(folder)
    name = os.path.basename(index)[:-3]
    return os.path.isfile(index) and (file in (name + '.h5', name + '.py', 'STATE') or
                                      SEGMENT_NAME.fullmatch(file) is not None)


def _read_index(directory):
    """When the results were begun, which tells them from those of another run; of each segment name, first frame and
    number of frames."""
    index = index_of(directory)
    if not os.path.isfile(index):
        raise FileNotFoundError('no results in %s: there is no file %s' % (directory, index))
    with open_file(index, INDEX) as file:
        _check_arrays(file, index)
        names = texts_in(file, 'segment/file')
        for name in names:  # somebody else may have made the file
            if not SEGMENT_NAME.fullmatch(name):
                raise ValueError('%s names a file outside of its directory, or not of frames: %.100r' % (index, name))
        return file.attrs['started'], list(zip(names, file['segment/first'][:].tolist(),
                                               file['segment/frames'][:].tolist()))


def open_file(path, content):
    """A file of results, for a with statement; ValueError for another one. A pipe would never open."""
    if os.path.exists(path) and not os.path.isfile(path):
        raise OSError('%s is not a regular file' % path)
    with contextlib.ExitStack() as stack:
        file = stack.enter_context(h5py.File(path, 'r'))
        _check_attributes(file, path)
        told, format = file.attrs.get('content'), file.attrs.get('format')
        if not isinstance(told, bytes) or told != content.encode() or not isinstance(format, np.integer):
            raise ValueError("%s is not a file of Solfec's results" % path)
        if format != FORMAT:
            raise ValueError('%s holds results in format %d; this reader knows format %d' % (path, format, FORMAT))
        stack.pop_all()
    return file


def _check_attributes(file, path):
    """ValueError for a text of variable length, which is none of ours (see texts_in)."""
    group = file['/'].id
    for k in range(h5py.h5a.get_num_attrs(group)):
        type = h5py.h5a.open(group, index=k).get_type()
        if type.get_class() not in (h5py.h5t.INTEGER, h5py.h5t.FLOAT, h5py.h5t.STRING) or \
                isinstance(type, h5py.h5t.TypeStringID) and type.is_variable_str():
            raise ValueError("%s is not a file of Solfec's results" % path)


def _check_arrays(file, path):
    """ValueError unless all that a file, which anybody may have made, holds are arrays of its own, of numbers or texts,
    for which it has room: so memory is asked for in proportion to the file. Those that are known are of their type."""
    size = file.id.get_filesize()

    def members(group, kind, where=''):
        for name in group:
            shown = where + name.decode('utf-8', 'replace')
            if group.links.get_info(name).type != h5py.h5l.TYPE_HARD:
                raise ValueError('%s is damaged: %s is a link to another place' % (path, shown))
            member = h5py.h5o.open(group, name)
            if not isinstance(member, kind):
                raise ValueError('%s is damaged: %s is of another kind' % (path, shown))
            yield shown, member

    rows = set()
    try:
        for group_name, group in members(file.id, h5py.h5g.GroupID):
            for name, array in members(group, h5py.h5d.DatasetID, group_name + '/'):
                why = _why_not_plain(array, size) or _why_of_other_type(array, name)
                if why:
                    raise ValueError('%s is damaged: %s %s' % (path, name, why))
                if group_name == 'frame':
                    rows.add(array.shape[0])
    except RuntimeError as error:  # lists of names that lead nowhere
        raise ValueError('%s is damaged: %s' % (path, error)) from error
    if len(rows) > 1:
        raise ValueError('%s is damaged: arrays of frames have %s rows' % (path, ' or '.join(map(str, sorted(rows)))))


def texts_in(file, name):
    """An array of texts. Those of variable length stand in a heap that the HDF5 library follows without a look at it
    (and reads outside of its memory): they are read here."""
    array = file[name].id
    type = array.get_type()
    if not isinstance(type, h5py.h5t.TypeStringID) or not type.is_variable_str():
        return [text.decode(errors='backslashreplace') if isinstance(text, bytes) else str(text)
                for text in file[name][:]]
    try:
        with open(file.filename, 'rb') as raw, mmap.mmap(raw.fileno(), 0, access=mmap.ACCESS_READ) as data:
            return _heap_texts(data, array.get_offset(), math.prod(array.shape))
    except (struct.error, KeyError, TypeError, ValueError):
        raise ValueError("%s is damaged: '%s' holds texts that are not where it says" % (file.filename, name)) from None


def _heap_texts(data, begin, count):
    """Texts by length (4 bytes), address (8) and number in the collection there (4): HDF5 File Format Specification
    3.0, III.E, with addresses and lengths of eight bytes, the usual ones."""
    collections, texts, left, room = {}, [], len(data), len(data)
    for k in range(count):
        length, address, number = struct.unpack_from('<IQI', data, begin + 16 * k)
        if not length:
            texts.append('')
            continue
        room -= length  # texts do not share their bytes: together they are no longer than the file
        if room < 0 or address > len(data):
            raise ValueError
        if address not in collections:
            mark, size = struct.unpack_from('<5s3xQ', data, address)
            if mark != b'GCOL\x01' or not 16 <= size <= min(left, len(data) - address):
                raise ValueError
            left -= size  # they do not overlap: together they are no longer than the file
            collections[address] = dict(_heap_objects(data, address + 16, address + size))
        text = collections[address][number]
        if length > len(text):
            raise ValueError
        texts.append(text[:length].split(b'\0')[0].decode(errors='backslashreplace'))
    return texts


def _heap_objects(data, at, end):
    while end - at >= 16:
        number, size = struct.unpack_from('<H6xQ', data, at)
        if number == 0:  # what is free
            return
        if size > end - at - 16:
            raise ValueError
        yield number, data[at + 16:at + 16 + size]
        at += 16 + (size + 7) // 8 * 8


def _check_counts(file, path):
    """ValueError unless there are as many rows as others say: who reads them takes memory for so many."""
    for counts, rows in COUNTS.items():
        said, there = int(file[counts][:].sum(dtype=int)), len(file[rows])
        if said != there:
            raise ValueError('%s is damaged: %s has %d rows, and %s says %d' % (path, rows, there, counts, said))


def _why_not_plain(array, size):
    creation, space, entry = array.get_create_plist(), array.get_space(), array.get_type()
    layout = creation.get_layout()
    filters = {creation.get_filter(k)[0] for k in range(creation.get_nfilters())}
    if creation.get_external_count() > 0:
        return 'is stored outside of the file'
    if layout not in (h5py.h5d.CONTIGUOUS, h5py.h5d.CHUNKED, h5py.h5d.COMPACT):
        return 'is put together from elsewhere'
    if not filters <= {h5py.h5z.FILTER_DEFLATE, h5py.h5z.FILTER_SHUFFLE}:
        return 'is compressed in a way that is not known here'
    if space.get_simple_extent_type() != h5py.h5s.SIMPLE or space.get_simple_extent_ndims() > 2:
        return 'is neither a row nor a table'
    if entry.get_class() not in (h5py.h5t.INTEGER, h5py.h5t.FLOAT, h5py.h5t.STRING):
        return 'holds neither numbers nor texts'
    if layout == h5py.h5d.CHUNKED:
        size = min(size, array.get_storage_size())
        if entry.get_size() * math.prod(creation.get_chunk()) > LARGEST_CHUNK:
            return 'has chunks that are too large'
    entries = math.prod(space.get_simple_extent_dims())
    if entries * entry.get_size() > size * (MOST_COMPRESSION if filters else 1):
        return 'has %d entries, more than the file can hold' % entries
    return None


def _why_of_other_type(array, name):
    if name not in COLUMN_TYPES:
        return None
    type, width = COLUMN_TYPES[name]
    if not np.can_cast(array.dtype, type):
        return 'holds %s where %s is expected' % (_type_name(array.dtype), type)
    shape = array.get_space().get_simple_extent_dims()
    if shape[1:] != (() if width == 1 else (width,)):
        return 'has rows of %d, not of %d' % (shape[1] if len(shape) > 1 else 1, width)
    return None


def _type_name(type):
    return 'texts' if type.kind in 'OSU' else str(type)


def joined_rows(counts, part, begin):
    """Columns of definitions that come in parts, without the first so many bodies: part(k) has those of counts[k]."""
    parts = []
    for k, count in enumerate(counts):
        if count > begin or k + 1 == len(counts) and not parts:
            parts.append(_rows_from(part(k), min(begin, count)))
        begin = max(0, begin - count)
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def _rows_from(columns, begin):
    """Columns of definitions without those of the first so many bodies."""
    solids = int(columns['definition/solids'][:begin].sum(dtype=int))
    starts = {'definition/label_text': columns['definition/label_size'][:begin].sum(dtype=int)}
    for name, counts in (('volume_material', 'volume_materials'), ('volume_density', 'volume_materials')):
        starts['definition/' + name] = columns['definition/' + counts][:begin].sum(dtype=int)
    for name, counts in (('point', 'points'), ('real', 'reals'), ('integer', 'integers')):
        starts['solid/' + name] = columns['solid/' + counts][:solids].sum(dtype=int)
    return {name: column[starts.get(name, begin if name.startswith('definition/') else solids):]
            for name, column in columns.items()}


def _read_definitions(segment, count):
    """The first so many definitions of a segment."""
    if count == 0:
        return []
    with segment.open() as file:
        column = {name: file['definition/' + name][:] for name in file['definition']}
        solid = {name: file['solid/' + name][:] for name in file['solid']}
    label_end, solid_end = np.cumsum(column['label_size'], dtype=int), np.cumsum(column['solids'], dtype=int)
    points, reals, integers = (begins(solid[name]) for name in ('points', 'reals', 'integers'))
    result = []
    for row in range(count):
        solids = [_solid(SOLID_KINDS[solid['kind'][k]], solid['point'][points[k]:points[k + 1]],
                         solid['real'][reals[k]:reals[k + 1]], solid['integer'][integers[k]:integers[k + 1]].tolist())
                  for k in range(solid_end[row] - column['solids'][row], solid_end[row])]
        background = solids.pop() if column['background'][row] else None
        label = bytes(column['label_text'][label_end[row] - column['label_size'][row]:label_end[row]])
        result.append(Definition(int(column['id'][row]), BODY_KINDS[column['kind'][row]],
                                 label.decode(errors='backslashreplace'), float(column['mass'][row]),
                                 float(column['volume'][row]), column['center'][row],
                                 column['tensor'][row].reshape(3, 3).T, solids, background))
    return result


def _solid(kind, points, reals, integers):
    faces, surfaces, map, elements, places = [], [], None, [], None
    if kind == 'sphere':
        surfaces, map = integers, reals[0] * np.eye(3)
    elif kind == 'ellipsoid':
        surfaces, map = integers, reals[3:].reshape(3, 3).T * reals[:3]
    elif kind == 'polyhedron':
        places = reals.reshape(-1, 9) if len(reals) else None
        numbers = iter(integers)
        for n in numbers:
            faces.append([next(numbers) for k in range(n)])
            surfaces.append(next(numbers))
    else:
        numbers = iter(integers)
        for k in range(next(numbers)):
            elements.append([next(numbers) for node in range(next(numbers))])
            next(numbers)  # volume identifier
        for element in numbers:
            nodes, side = elements[element], next(numbers)
            faces.append([nodes[local] for local in ELEMENT_FACES[len(nodes)][side]])
            surfaces.append(next(numbers))
    return Solid(kind, points, faces, surfaces, map, elements, places)
