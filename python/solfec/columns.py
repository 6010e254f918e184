"""Columns of results, read over many frames at once (numpy and h5py, by way of solfec.results).

A result may have 100,000 bodies and 1000 frames. So what concerns one body is read as strided rows of a column, what
concerns contacts in blocks of frames, and nothing loops over bodies.
"""

from __future__ import annotations

import contextlib
import functools
import os
from collections.abc import Iterator, Sequence

import h5py
import numpy as np

from solfec.results import BODY_KINDS, SPACE, Results, Segment, index_of

BLOCK_ROWS = 1 << 20  # of constraints, read together
SOLVERS = ('none', 'GAUSS_SEIDEL_SOLVER', 'PENALTY_SOLVER', 'NEWTON_SOLVER', 'AUTO_SOLVER', 'NONSMOOTH_SOLVER',
           'CONVEX_SOLVER')


def parts(results: Results, frames: range) -> Iterator[tuple[Segment, range]]:
    """For each segment with some of the frames: the segment and a range of its own frame numbers."""
    for segment in results.segments:
        if not len(frames):
            return
        first = max(0, -((frames.start - segment.first) // frames.step))
        begin = frames.start + first * frames.step - segment.first
        end = min(frames.stop - segment.first, len(segment))
        if begin < end:
            yield segment, range(begin, end, frames.step)


def spans(segment: Segment, frames: range) -> Iterator[range]:
    """Pieces of a range of frames of a segment whose bodies are the same ones."""
    numbers = np.arange(frames.start, frames.stop, frames.step)
    begin, count = segment.layout_begin[numbers], segment.bodies[numbers]
    cuts = np.flatnonzero((np.diff(begin) != 0) | (np.diff(count) != 0)) + 1
    for a, b in zip([0, *cuts.tolist()], [*cuts.tolist(), len(numbers)]):
        yield frames[a:b]


def layout_of(segment: Segment, frame: int) -> slice:
    """Rows of the layout with the bodies of a frame, as a slice."""
    begin = int(segment.layout_begin[frame])
    return slice(begin, begin + int(segment.bodies[frame]))


def body_rows(results: Results, frames: range, id: int, name: str) -> np.ndarray:
    """Rows of a body in the column body/`name` ('q', 'u', 'x', 'energy'): (frames, width), NaN while it is absent."""
    rows, width = [], 0
    for segment, numbers in parts(results, frames):
        with segment.open() as file:
            for span in spans(segment, numbers):
                values = _rows_of_span(segment, file['body/' + name], span, id, name)
                width = max(width, 0 if values is None else values.shape[1])
                rows.append((len(span), values))
    nothing = [np.full((n, width), np.nan) if values is None else values for n, values in rows]
    return np.concatenate(nothing) if nothing else np.zeros((0, 0))


def _rows_of_span(segment, column, span, id, name):
    layout = layout_of(segment, span[0])
    ids = segment.layout_id[layout]
    row = int(np.searchsorted(ids, id))
    if row == len(ids) or ids[row] != id:
        return None
    if name == 'energy':
        rows = _strided(column, segment.body_begin[span[0]] + row, len(span), span.step * len(ids), 1)
        return rows.reshape(len(span), -1)
    before, width, all, begin = _place_in_frame(segment, layout, row, name)
    rows = _strided(column, begin[span[0]] + before, len(span), span.step * all, width)
    return rows.reshape(len(span), width)


def _place_in_frame(segment, layout, row, name):
    """Numbers before those of a body in its frame, of it, of all bodies; where frames begin."""
    if name == 'q':
        return 12 * row, 12, 12 * (layout.stop - layout.start), 12 * segment.body_begin
    counts, begin = ((segment.layout_freedom, segment.u_begin) if name == 'u' else
                     (3 * segment.layout_nodes, segment.x_begin))
    counts = counts[layout].astype(int)
    return counts[:row].sum(), counts[row], counts.sum(), begin


def _strided(column, start, count, stride, block):
    if count == 0 or block == 0:
        return np.zeros((0, *column.shape[1:]))
    if count == 1 or stride == block:
        return column[start:start + count * block]
    return column[h5py.MultiBlockSlice(start=int(start), count=int(count), stride=int(stride), block=int(block))]


def constraint_blocks(results: Results, frames: range, names: Sequence[str],
                      ) -> Iterator[tuple[np.ndarray, np.ndarray, dict[str, np.ndarray]]]:
    """Columns of constraint/..., in blocks of frames: (numbers of frames, frame of each row, {name: rows})."""
    for segment, numbers in parts(results, frames):
        counts = segment.constraints.astype(int)
        with segment.open() as file:
            for span in _blocks(numbers, counts):
                begin, end = segment.constraint_begin[span[0]], segment.constraint_begin[span[-1] + 1]
                owner = np.repeat(np.arange(len(span)), counts[span.start:span[-1] + 1:span.step])
                yield (np.arange(len(span)) * span.step + span[0] + segment.first, owner,
                       {name: file['constraint/' + name][begin:end] for name in names})


def _blocks(numbers, counts):
    """Frames that stand side by side are read together, up to a number of rows."""
    if numbers.step > 1:
        yield from (numbers[k:k + 1] for k in range(len(numbers)))
        return
    begin, rows = 0, 0
    for k, frame in enumerate(numbers):
        if rows and rows + counts[frame] > BLOCK_ROWS:
            yield numbers[begin:k]
            begin, rows = k, 0
        rows += counts[frame]
    yield numbers[begin:]


class Bodies:
    """All bodies of some results: one entry per identifier, in ascending order, as they were defined last."""

    def __init__(self, results: Results, names: Sequence[str] = ()) -> None:
        """`names`: further columns of the group definition, for `of_each`."""
        self.results = results
        names = ('id', 'kind', 'center', *names)
        segments = [segment for segment in results.segments if segment.definitions.any()] or results.segments[:1]
        parts = [self._columns(segment, names) for segment in segments]
        self.rows = {name: np.concatenate([part[name] for part in parts]) for name in ('frame', 'label', *names)}
        ids = self.rows['id']
        # The first of the reversed rows is the newest one.
        self.id, newest = np.unique(ids[::-1], return_index=True)
        self.newest = len(ids) - 1 - newest
        self.kind, self.label = self.of_each('kind'), self.of_each('label')

    def of_each(self, name: str) -> np.ndarray:
        """A column of the newest definitions."""
        return self.rows[name][self.newest]

    @staticmethod
    def _columns(segment, names):
        with segment.open() as file:
            group = file['definition']
            columns = {name: group[name][:] for name in names}
            sizes, text = group['label_size'][:].astype(int), group['label_text'][:].tobytes()
        columns['frame'] = segment.first + np.repeat(np.arange(len(segment)), segment.definitions)
        columns['label'] = np.full(len(sizes), '', dtype=object)
        ends = np.cumsum(sizes)
        for row in np.flatnonzero(sizes).tolist():
            columns['label'][row] = text[ends[row] - sizes[row]:ends[row]].decode(errors='backslashreplace')
        return columns

    def __len__(self):
        return len(self.id)

    def row(self, id: int) -> int | None:
        """The entry of an identifier, or None."""
        row = int(np.searchsorted(self.id, id))
        return row if row < len(self.id) and self.id[row] == id else None

    def kind_of(self, id: int) -> str:
        return BODY_KINDS[self.kind[self.row(id)]]

    def name(self, id: int) -> str:
        """How to call a body in a message."""
        if id == SPACE:
            return 'space'
        row = self.row(id)
        label = self.label[row] if row is not None else ''
        return "body %d '%s'" % (id, label) if label else 'body %d' % id

    def centers(self, id: int, frames: range) -> np.ndarray:
        """Reference mass centre of a body in each frame: a body may be defined anew."""
        rows = np.flatnonzero(self.rows['id'] == id)
        numbers = np.arange(frames.start, frames.stop, frames.step)
        newest = np.searchsorted(self.rows['frame'][rows], numbers, side='right') - 1
        return self.rows['center'][rows[np.maximum(newest, 0)]]

    def nodes(self, id: int) -> np.ndarray:
        """Reference positions of the nodes of a finite-element body."""
        for segment in reversed(self.results.segments):
            with segment.open() as file:
                rows = np.flatnonzero(file['definition/id'][:] == id)
                if not len(rows):
                    continue
                # The mesh is the last solid, whether it is the shape or moves it.
                mesh = file['definition/solids'][:rows[-1] + 1].sum(dtype=int) - 1
                points = file['solid/points'][:mesh + 1]
                end = points.sum(dtype=int)
                return file['solid/point'][end - points[-1]:end]
        return np.zeros((0, 3))

    def present(self, frame: int) -> np.ndarray:
        """Identifiers in a frame, ascending."""
        segment, k = self.results.segment_of(frame)
        return segment.layout_id[layout_of(segment, k)]


class Frames:
    """Rows of single frames, read in order: the file of the frame before stays open."""

    def __init__(self, results):
        self.results, self.segment, self.opened = results, None, contextlib.ExitStack()

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.opened.close()

    def __getitem__(self, number):
        segment, k = self.results.segment_of(number)
        if segment is not self.segment:
            self.opened.close()
            self.segment, file = segment, self.opened.enter_context(segment.open())
            # To open a column takes as long as to read it.
            self.column = functools.lru_cache(maxsize=None)(file.__getitem__)
        return FrameRows(segment, self.column, k)


class FrameRows:
    """Columns of one frame; each is read when it is asked for."""

    def __init__(self, segment, column, k):
        self.segment, self.column, self.k = segment, column, k
        layout = layout_of(segment, k)
        self.id, self.freedom = segment.layout_id[layout], segment.layout_freedom[layout].astype(int)
        self.nodes = segment.layout_nodes[layout].astype(int)

    def _between(self, path, begin, width=1):
        return self.column(path)[width * begin[self.k]:width * begin[self.k + 1]]

    @functools.cached_property
    def q(self) -> np.ndarray:
        return self._between('body/q', self.segment.body_begin, 12).reshape(-1, 12)

    @functools.cached_property
    def u(self) -> np.ndarray:
        return self._between('body/u', self.segment.u_begin)

    @functools.cached_property
    def x(self) -> np.ndarray:
        return self._between('body/x', self.segment.x_begin)

    @functools.cached_property
    def energy(self) -> np.ndarray:
        return self._between('body/energy', self.segment.body_begin)

    def constraint(self, name: str) -> np.ndarray:
        return self._between('constraint/' + name, self.segment.constraint_begin)


def storage(results: Results) -> dict[str, int]:
    """Bytes of each array in the files, by path. ValueError if a name is damaged."""
    sizes: dict[str, int] = {}
    for segment in results.segments:
        with segment.open() as file:
            for group in file:
                for name, column in file[group].items():
                    if not isinstance(group, str) or not isinstance(name, str):  # bytes: no text
                        raise ValueError('%s is damaged: the name of an array is no text' % segment.path)
                    path = group + '/' + name
                    sizes[path] = sizes.get(path, 0) + column.id.get_storage_size()
    return sizes


def files_of(results: Results) -> dict[str, int]:
    """Bytes of the index and of the files of frames."""
    paths = [index_of(results.directory), *(segment.path for segment in results.segments)]
    return {os.path.basename(path): os.path.getsize(path) for path in paths if os.path.exists(path)}
