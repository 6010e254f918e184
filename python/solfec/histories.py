"""Time histories from a directory of results, as numpy arrays.

    from solfec.histories import history
    values = history('out/first', ['KINETIC', 'ball.VX', 'ball.CRZ'], stop=1.0)
    plt.plot(values['time'], values['ball.VX'])
    table = pandas.DataFrame(values)

Items are those of `python3 -m solfec history --help`. The results may be those of a run that is still going on; what
was there when they were opened is read. Of a body or a name that is not known ItemError is raised.
"""

from __future__ import annotations

import os
from collections.abc import Iterable

import numpy as np

from solfec import columns, items as item_names
from solfec.contact_table import forces_in_space
from solfec.items import CONSTRAINT, ENERGIES, FRAME, POINT, ItemError
from solfec.results import Results, checked_time, frames_between
from solfec.scene_fields import axial, skew

__all__ = ['history', 'ItemError']

NODE_SLACK = 1E-6  # of the size of a mesh: a point this near to a node is the node


def history(results: Results | str | os.PathLike[str], items: str | Iterable[str] = (), start: float | None = None,
            stop: float | None = None, every: int = 1) -> dict[str, np.ndarray]:
    """A dictionary of arrays, one value per frame: 'time' [s], then each item by its text.

    results      solfec.results.Results, or a directory
    items        a list of items, or one
    start, stop  time interval, both ends included [s] (default: all)
    every        take every so many-th frame
    """
    if not isinstance(results, Results):
        results = Results(results)
    start, stop = (None if time is None else checked_time("history: '%s'" % name, time)
                   for name, time in (('start', start), ('stop', stop)))
    _check_every(every)
    texts = _texts(items)
    bodies = columns.Bodies(results) if texts else None
    parsed = [item_names.parse(text, bodies) for text in texts]
    return values_of(results, bodies, parsed, frames_between(results.times, start, stop, every))


def _check_every(every):
    if not isinstance(every, (int, np.integer)):
        raise TypeError("history: 'every' must be a whole number > 0; got %r (%s)" % (every, type(every).__name__))
    if every < 1:
        raise ValueError("history: 'every' must be a whole number > 0; got %d" % every)


def _texts(items):
    texts = [items] if isinstance(items, str) or not isinstance(items, Iterable) else list(items)
    for text in texts:
        if not isinstance(text, str):
            raise TypeError("history: 'items' must be a text or a list of texts; got %r (%s)" % (
                text, type(text).__name__))
    return texts


def values_of(results, bodies, parsed, frames):
    """The same of items that are parsed, in a range of frames."""
    values = {'time': _of_frames(results.times, frames)}
    if not len(values['time']):
        return {**values, **{item.text: np.zeros(0) for item in parsed}}
    constraints = _constraint_values(results, [item for item in parsed if item.name in CONSTRAINT], frames)
    states = _States(results, bodies, frames)
    for item in parsed:
        if item.name in FRAME:
            values[item.text] = _frame_values(results, item, frames)
        elif item.name in ENERGIES:
            values[item.text] = _energies(results, item, frames, states)
        elif item.name in CONSTRAINT:
            values[item.text] = constraints[item.text]
        else:
            values[item.text] = _point_values(item, bodies, states)
    return values


def _of_frames(column, frames):
    return column[frames.start:frames.stop:frames.step]


def _frame_values(results, item, frames):
    name, entry, _, solver = FRAME[item.name]
    values = _of_frames(results.column('frame/' + name), frames)
    values = values[:, entry] if values.ndim > 1 else values
    if solver is not None:
        values = np.where(_of_frames(results.column('frame/solver'), frames) == solver, values, 0)
    return values.astype(np.int64) if values.dtype.kind in 'iu' else values


def _energies(results, item, frames, states):
    entry = ENERGIES.index(item.name)
    if item.ids is None:
        return _of_frames(results.column('frame/energy'), frames)[:, entry]
    if len(item.ids) == 1:
        return np.nan_to_num(states.rows(item.ids[0], 'energy')[:, entry])
    return _summed_energies(results, item.ids, frames)[:, entry]


def _summed_energies(results, ids, frames):
    """Of several bodies: whole frames are read."""
    sums = []
    for segment, numbers in columns.parts(results, frames):
        with segment.open() as file:
            for span in columns.spans(segment, numbers):
                chosen = np.isin(segment.layout_id[columns.layout_of(segment, span[0])], ids)
                for frame in span:
                    begin, end = segment.body_begin[frame:frame + 2]
                    sums.append(file['body/energy'][begin:end][chosen].sum(axis=0))
    return np.array(sums).reshape(-1, 5)


class _States:
    """Rows of bodies, each read once for all items."""

    def __init__(self, results, bodies, frames):
        self.results, self.bodies, self.frames, self.known = results, bodies, frames, {}

    def rows(self, id, name):
        if (id, name) not in self.known:
            rows = columns.body_rows(self.results, self.frames, id, name)
            # Of a body that is in none of these frames no width is known.
            self.known[id, name] = rows if rows.shape[1] else np.full((len(rows), self._width(id, name)), np.nan)
        return self.known[id, name]

    def _width(self, id, name):
        if name == 'u' and self.bodies.kind_of(id) != 'FINITE_ELEMENT':
            return 12 if self.bodies.kind_of(id) == 'PSEUDO_RIGID' else 6
        return {'q': 12, 'energy': 5}.get(name) or 3 * len(self.bodies.nodes(id))

    def gradient(self, id):
        """(frames, 3, 3); they are stored column by column."""
        return self.rows(id, 'q')[:, :9].reshape(-1, 3, 3).transpose(0, 2, 1)

    def center(self, id):
        return self.rows(id, 'q')[:, 9:]

    def velocity_gradient(self, id, kind):
        """dF/dt, (frames, 3, 3)."""
        if kind == 'PSEUDO_RIGID':
            return self.rows(id, 'u')[:, :9].reshape(-1, 3, 3).transpose(0, 2, 1)
        return skew(self.spin(id, kind)) @ self.gradient(id)

    def spin(self, id, kind):
        """Angular velocity along the axes of space; of a body that deforms that of the mean rotation."""
        if kind == 'PSEUDO_RIGID':
            gradient = self.gradient(id)
            there = ~np.isnan(gradient[:, 0, 0])
            L = np.full(gradient.shape, np.nan)
            L[there] = self.velocity_gradient(id, kind)[there] @ np.linalg.inv(gradient[there])
            return axial(L)
        return np.einsum('kij,kj->ki', self.gradient(id), self.rows(id, 'u')[:, :3])


def _point_values(item, bodies, states):
    quantity, axis, _ = POINT[item.name]
    id = int(item.ids[0])
    kind = bodies.kind_of(id)
    function = _of_finite_elements if kind == 'FINITE_ELEMENT' else _of_gradient
    return function(item, quantity, id, kind, bodies, states)[:, axis]


def _of_gradient(item, quantity, id, kind, bodies, states):
    """Of obstacles, rigid and pseudo-rigid bodies: x = centre + F (X - reference centre)."""
    if quantity == 'W':
        return states.spin(id, kind)
    centers = bodies.centers(id, states.frames)
    arm = np.zeros(3) if item.point is None else item.point - centers
    if quantity == 'V':
        velocity = states.rows(id, 'u')[:, -3:]
        return velocity if item.point is None else velocity + np.einsum(
            'kij,kj->ki', states.velocity_gradient(id, kind), arm)
    position = states.center(id)
    if item.point is not None:
        position = position + np.einsum('kij,kj->ki', states.gradient(id), arm)
    return position - (centers if item.point is None else item.point) if quantity == 'D' else position


def _of_finite_elements(item, quantity, id, kind, bodies, states):
    if quantity == 'W':
        raise ItemError("item '%s': a finite-element body has no angular velocity; that of a node is BODY@X,Y,Z.%s" % (
            item.text, item.name.replace('W', 'V')))
    if quantity == 'V' and item.point is None:
        raise ItemError("item '%s': of a finite-element body expected the velocity of a node, BODY@X,Y,Z.%s" % (
            item.text, item.name))
    if item.point is None:
        return states.center(id) - (bodies.centers(id, states.frames) if quantity == 'D' else 0)
    node = _node(item, bodies.nodes(id))
    values = states.rows(id, 'u' if quantity == 'V' else 'x')[:, 3 * node:3 * node + 3]
    return values - item.point if quantity == 'D' else values


def _node(item, nodes):
    distances = np.linalg.norm(nodes - item.point, axis=1)
    node = int(np.argmin(distances))
    if distances[node] > NODE_SLACK * np.ptp(nodes, axis=0).max():
        raise ItemError("item '%s': expected a node of the finite-element body; the nearest one is at %s" % (
            item.text, ','.join('%.9g' % x for x in nodes[node])))
    return node


def _constraint_values(results, parsed, frames):
    """Items of contacts and joints, all in one pass over the frames."""
    values = {item.text: np.zeros(len(frames)) for item in parsed}
    if not parsed:
        return values
    entities = {CONSTRAINT[item.name][0].replace('C', '') for item in parsed}
    names = {'kind', 'body1', 'body2'} | {{'GAP': 'gap'}.get(name, name) for name in entities}
    if any(CONSTRAINT[item.name][1] is not None for item in parsed):
        names |= {'normal', 'arm'}
    at = 0
    for numbers, owner, rows in columns.constraint_blocks(results, frames, sorted(names)):
        forces = forces_in_space(rows) if 'normal' in rows else None
        for item in parsed:
            values[item.text][at:at + len(numbers)] = _of_block(item, owner, rows, forces, len(numbers))
        at += len(numbers)
    return values


def _of_block(item, owner, rows, forces, count):
    entity, axis, _ = CONSTRAINT[item.name]
    first = np.ones(len(owner), dtype=bool) if item.ids is None else np.isin(rows['body1'], item.ids)
    second = np.zeros(len(owner), dtype=bool) if item.ids is None else np.isin(rows['body2'], item.ids)
    chosen = first | second
    if entity not in ('R', 'U'):
        chosen &= rows['kind'] == 0
    owner = owner[chosen]
    if entity == 'GAP':
        return _smallest(owner, rows['gap'][chosen], count)
    if axis is not None:  # +R acts on the first body of a pair, -R on the second one
        sign = first[chosen].astype(float) - second[chosen]
        return np.bincount(owner, sign * forces[chosen, axis], count)
    sums = np.bincount(owner, rows[entity[-1]][chosen, 2], count)
    return sums if entity in ('R', 'CR') else sums / np.maximum(np.bincount(owner, minlength=count), 1)


def _smallest(owner, gaps, count):
    values = np.zeros(count)
    starts = np.flatnonzero(np.diff(owner, prepend=-1))
    if len(starts):
        values[owner[starts]] = np.minimum.reduceat(gaps, starts)
    return values
