"""Compares two results: their models, the bodies and contacts in frames at the same times.

Numbers are the same when their bits are, or within a tolerance. All bodies of a frame are compared at once.
"""

import numpy as np

from solfec import columns
from solfec.contact_table import forces_in_space
from solfec.model_table import ranges
from solfec.results import BODY_KINDS

DEFINITION = ('scheme', 'material', 'density', 'damping', 'mass', 'volume', 'tensor', 'form', 'plain_elements',
              'self_contact', 'node_contact')
GROUPS = {'loads': 'load', 'joints': 'joint', 'motions of joints': 'across'}
FRAME = ('step', 'number', 'merit', 'solver', 'iterations', 'sparsified', 'energy', 'run', 'bodies', 'constraints',
         'bonds')
KEYS = ('kind', 'body1', 'body2', 'feature1', 'feature2', 'number')
CONSTRAINT = ('element1', 'element2', 'point', 'normal', 'arm', 'gap', 'area', 'R', 'U', 'V', 'surface1', 'surface2',
              'material')
# Of a body: position of the centre and of nodes, rotation or deformation gradient, velocity of the centre or of nodes,
# angular velocity or rate of the gradient; its energies, which a tolerance does not ask for.
MOTION = {'position': 'm', 'gradient': '', 'velocity': 'm/s', 'rate': '1/s'}
MEASURES = {**MOTION, 'energy': 'J'}


def bits(values):
    return np.ascontiguousarray(values).view('u%d' % values.dtype.itemsize)


def same_bits(a, b):
    return a.shape == b.shape and a.dtype == b.dtype and np.array_equal(bits(a), bits(b))


def distance(a, b):
    """Of numbers; infinite where one alone is none."""
    with np.errstate(invalid='ignore'):
        d = np.abs(np.asarray(a, dtype=float) - b)
    d[np.isnan(d)] = np.inf
    d[(a == b) | np.isnan(a) & np.isnan(b)] = 0
    return d


def _of_rows(function, values, **options):
    """One value for each entry along the first axis."""
    return function(values, axis=tuple(range(1, values.ndim)), **options)


def compare(a, b, tolerance=0.0):
    """All that differs, as a dictionary of plain values."""
    pairs, only_a, only_b, same_times = pairs_of_frames(a.times, b.times)
    bodies = BodyComparison(a, b, tolerance)
    contacts = ContactComparison()
    with columns.Frames(a) as frames_a, columns.Frames(b) as frames_b:
        for i, j in pairs.tolist():
            one, other = frames_a[i], frames_b[j]
            bodies.add(float(a.times[i]), one, other)
            contacts.add(float(a.times[i]), one, other)
    return {'tolerance': tolerance, 'model': compare_models(a, b, tolerance),
            'frames': {'common': len(pairs), 'only_in_a': only_a, 'only_in_b': only_b, 'same_to_the_bit': same_times},
            'bodies': bodies.told(), 'contacts': contacts.told(), 'columns': compare_columns(a, b, pairs)}


def pairs_of_frames(times, others):
    """Frames at the same times: pairs of numbers, how many are left of both, whether the times are equal."""
    slack = 1E-9 * max(np.ptp(times), np.ptp(others))
    if len(times) == len(others) and (np.abs(times - others) <= slack).all():
        pairs = np.stack([np.arange(len(times))] * 2, axis=1)  # also where a time comes twice
    else:
        j = np.clip(np.searchsorted(others, times), 1, max(1, len(others) - 1))
        nearest = np.where(np.abs(others[j - 1] - times) <= np.abs(others[np.minimum(j, len(others) - 1)] - times),
                           j - 1, np.minimum(j, len(others) - 1))
        i = np.flatnonzero(np.abs(others[nearest] - times) <= slack)
        j, first = np.unique(nearest[i], return_index=True)
        pairs = np.stack([i[first], j], axis=1)
    same = same_bits(times[pairs[:, 0]], others[pairs[:, 1]])
    return pairs, len(times) - len(pairs), len(others) - len(pairs), same


# Models


def compare_models(a, b, tolerance):
    one, other = columns.Bodies(a, DEFINITION + ('solids',)), columns.Bodies(b, DEFINITION + ('solids',))
    common = np.intersect1d(one.id, other.id, assume_unique=True)
    owner, rows, others = _common_definitions(common, one.rows['id'], other.rows['id'])
    unlike = {}
    for name in ('kind', 'label', 'center', *DEFINITION):
        x, y = one.rows[name][rows], other.rows[name][others]
        unlike[name] = _of_rows(np.any, x != y if name == 'label' else distance(x, y) > tolerance)
    unlike['shape'] = _unlike_shapes(a, b, one, other, rows, others, tolerance)
    differ = {name: np.unique(owner[which]).tolist() for name, which in unlike.items() if which.any()}
    return {'only_in_a': np.setdiff1d(one.id, common).tolist(), 'only_in_b': np.setdiff1d(other.id, common).tolist(),
            'differ': differ, 'groups': [name for name, group in GROUPS.items() if not _same_group(a, b, group)]}


def _common_definitions(common, ids, others):
    """Rows of the definitions of common bodies, and whose they are. A body may have been defined anew: all definitions
    when both have as many of it, else the newest ones."""
    order, order_b = np.argsort(ids, kind='stable'), np.argsort(others, kind='stable')
    (begin, n), (begin_b, m) = (_groups(given[rows], common) for given, rows in ((ids, order), (others, order_b)))
    taken = np.where(n == m, n, 1)
    rows, rows_b = (arranged[ranges(np.where(n == m, first, first + count - 1), taken)]
                    for arranged, first, count in ((order, begin, n), (order_b, begin_b, m)))
    return np.repeat(common, taken), rows, rows_b


def _groups(ascending, values):
    """Where equal values begin, and how many there are."""
    begin = np.searchsorted(ascending, values, side='left')
    return begin, np.searchsorted(ascending, values, side='right') - begin


def _same_group(a, b, group):
    names = _names(a, group)
    return names == _names(b, group) and all(
        same_bits(a.column(group + '/' + name), b.column(group + '/' + name)) for name in names)


def _names(results, group):
    with results.segments[0].open() as file:
        return sorted(file[group])


def _unlike_shapes(a, b, one, other, rows, others, tolerance):
    """Which of some definitions have other solids."""
    unlike = np.zeros(len(rows), dtype=bool)
    for (count, values), (count_b, values_b) in zip(_shapes(a, one, rows), _shapes(b, other, others)):
        unlike |= count != count_b
        alike = ~unlike
        x, y = (data[ranges(np.cumsum(n) - n, np.where(alike, n, 0))]
                for n, data in ((count, values), (count_b, values_b)))
        owner = np.repeat(np.arange(len(rows)), np.where(alike, count, 0))
        apart = _of_rows(np.max, distance(x, y), initial=0) > tolerance
        unlike[owner[apart]] = True
    return unlike


def _shapes(results, bodies, rows):
    """Of definitions, one after the other: how many, and which, kinds of solids, points, numbers."""
    solids = bodies.rows['solids'].astype(int)
    begin, count = (np.cumsum(solids) - solids)[rows], solids[rows]
    which = ranges(begin, count)
    yield count, results.column('solid/kind')[which]
    for many, values in (('points', 'point'), ('reals', 'real'), ('integers', 'integer')):
        sizes = results.column('solid/' + many).astype(int)
        starts = np.cumsum(sizes) - sizes
        owner = np.repeat(np.arange(len(rows)), count)
        yield (np.bincount(owner, sizes[which], len(rows)).astype(int),
               results.column('solid/' + values)[ranges(starts[which], sizes[which])])


# Bodies


class BodyComparison:
    """Which bodies differ, when first, by how much at most."""

    def __init__(self, a, b, tolerance):
        self.names, other = columns.Bodies(a), columns.Bodies(b)
        self.id = np.union1d(self.names.id, other.id)
        self.kind = np.zeros(len(self.id), dtype=int)
        for bodies in (other, self.names):
            self.kind[np.searchsorted(self.id, bodies.id)] = bodies.kind
        self.tolerance = tolerance
        self.first = np.full(len(self.id), np.inf)    # time
        self.most = {name: np.zeros(len(self.id)) for name in MEASURES}
        self.when = {name: np.zeros(len(self.id)) for name in MEASURES}
        self.in_one_only = 0                          # bodies in one of two frames, summed over frames
        self.in_one_only_first = None

    def add(self, time, one, other):
        if not same_bits(one.id, other.id):
            alone = len(np.setxor1d(one.id, other.id, assume_unique=True))
            if alone and self.in_one_only_first is None:
                self.in_one_only_first = time
            self.in_one_only += alone
        elif all(same_bits(getattr(one, name), getattr(other, name)) for name in ('q', 'u', 'x', 'energy')):
            return
        common, rows, others = np.intersect1d(one.id, other.id, assume_unique=True, return_indices=True)
        place = np.searchsorted(self.id, common)
        deforms = self.kind[place] == BODY_KINDS.index('FINITE_ELEMENT')
        measures, unlike = self._measures(one, other, rows, others, deforms)
        if self.tolerance > 0:
            unlike = np.any([measures[name] > self.tolerance for name in MOTION], axis=0)
        self.first[place[unlike]] = np.minimum(self.first[place[unlike]], time)
        for name, values in measures.items():
            larger = values > self.most[name][place]
            self.most[name][place[larger]] = values[larger]
            self.when[name][place[larger]] = time

    @staticmethod
    def _measures(one, other, rows, others, deforms):
        """By how much common bodies differ, and whether any bit does."""
        q, q_b = one.q[rows], other.q[others]
        u, u_b, owner, back, unlike = _common_numbers(one.u, other.u, one.freedom, other.freedom, rows, others)
        apart, count = distance(u, u_b), len(rows)
        of_center = deforms[owner] | (back < 3)
        x, x_b, owner_x, _, unlike_x = _common_numbers(one.x, other.x, 3 * one.nodes, 3 * other.nodes, rows, others)
        unlike = unlike | unlike_x | (bits(q) != bits(q_b)).any(axis=1)
        energy, energy_b = one.energy[rows], other.energy[others]
        unlike |= (bits(energy) != bits(energy_b)).any(axis=1)
        return {'position': np.maximum(distance(q[:, 9:], q_b[:, 9:]).max(axis=1, initial=0),
                                       _largest(distance(x, x_b), owner_x, count)),
                'gradient': distance(q[:, :9], q_b[:, :9]).max(axis=1, initial=0),
                'velocity': _largest(apart[of_center], owner[of_center], count),
                'rate': _largest(apart[~of_center], owner[~of_center], count),
                'energy': distance(energy, energy_b).max(axis=1, initial=0)}, unlike

    def told(self):
        differ = np.flatnonzero(np.isfinite(self.first))
        order = differ[np.lexsort((-self.most['position'][differ], self.first[differ]))]
        told = {'compared': len(self.id), 'differ': len(differ), 'in_one_only': self.in_one_only,
                'in_one_only_first': self.in_one_only_first, 'first': None, 'most': {}, 'each': []}
        if len(order):
            told['first'] = float(self.first[order[0]])
        for name in MEASURES:
            if self.most[name].any():
                row = int(np.argmax(self.most[name]))
                told['most'][name] = {'value': float(self.most[name][row]), 'body': int(self.id[row]),
                                      'time': float(self.when[name][row])}
        for row in order.tolist():
            told['each'].append({'body': int(self.id[row]), 'first': float(self.first[row]),
                                 **{name: float(self.most[name][row]) for name in MEASURES}})
        return told


def _common_numbers(values, others, counts, counts_b, rows, rows_b):
    """Of common bodies with as many numbers: those of both, whose they are, how many follow of the same body; and
    which bodies have a bit that differs."""
    n, m = counts[rows], counts_b[rows_b]
    taken = np.where(n == m, n, 0)
    x = values[ranges((np.cumsum(counts) - counts)[rows], taken)]
    y = others[ranges((np.cumsum(counts_b) - counts_b)[rows_b], taken)]
    owner = np.repeat(np.arange(len(rows)), taken)
    back = np.repeat(np.cumsum(taken), taken) - 1 - np.arange(len(owner))
    unlike = n != m
    unlike[owner[bits(x) != bits(y)]] = True
    return x, y, owner, back, unlike


def _largest(values, owner, count):
    """Of the values of each owner, which ascend."""
    result = np.zeros(count)
    starts = np.flatnonzero(np.diff(owner, prepend=-1))
    if len(starts):
        result[owner[starts]] = np.maximum.reduceat(values, starts)
    return result


# Contacts and joints


class ContactComparison:
    """When contacts differ, and by how much their reactions and gaps."""

    def __init__(self):
        self.first = self.other_set_first = None
        self.frames = self.other_sets = 0
        self.most = {'reaction': {'value': 0.0}, 'gap': {'value': 0.0}}
        self.columns = {}  # those that differ, and by how much at most

    def add(self, time, one, other):
        keys, keys_b = ([rows.constraint(name) for name in KEYS] for rows in (one, other))
        rows = others = slice(None)
        left = 0
        if not all(map(same_bits, keys, keys_b)):
            rows, others, left = _common_rows(keys, keys_b)
        unlike = {}
        for name in CONSTRAINT:
            x, y = one.constraint(name)[rows], other.constraint(name)[others]
            if not same_bits(x, y):
                unlike[name] = float(distance(x, y).max(initial=0))
        if not left and not unlike:
            return
        for name, most in unlike.items():
            self.columns[name] = max(most, self.columns.get(name, 0.0))
        self.frames += 1
        self.first = time if self.first is None else self.first
        if left:
            self.other_sets += 1
            self.other_set_first = time if self.other_set_first is None else self.other_set_first
        bodies = keys[1][rows], keys[2][rows]
        force, force_b = (forces_in_space({name: frame.constraint(name)[chosen] for name in
                                             ('kind', 'R', 'normal', 'arm')})
                          for frame, chosen in ((one, rows), (other, others)))
        self._note('reaction', time, np.sqrt((distance(force, force_b)**2).sum(axis=1)), bodies)
        self._note('gap', time, distance(one.constraint('gap')[rows], other.constraint('gap')[others]), bodies)

    def _note(self, name, time, values, bodies):
        if len(values) and values.max() > self.most[name]['value']:
            row = int(np.argmax(values))
            self.most[name] = {'value': float(values[row]), 'time': time,
                               'bodies': [int(bodies[0][row]), int(bodies[1][row])]}

    def told(self):
        return {'frames': self.frames, 'first': self.first, 'columns': self.columns,
                'frames_with_other_contacts': self.other_sets,
                'other_contacts_first': self.other_set_first,
                'most': {name: entry for name, entry in self.most.items() if entry['value'] > 0}}


def _common_rows(keys, keys_b):
    """Rows of contacts that both have, and the number of those that one alone has."""
    _, rows, others = np.intersect1d(_mixed(keys), _mixed(keys_b), return_indices=True)
    alike = np.all([x[rows] == y[others] for x, y in zip(keys, keys_b)], axis=0)
    rows, others = rows[alike], others[alike]
    return rows, others, len(keys[0]) + len(keys_b[0]) - 2 * len(rows)


def _mixed(keys):
    """One number of 64 bits for each key; equal ones of unequal keys are sorted out."""
    mixed = np.zeros(len(keys[0]), dtype=np.uint64)
    for column in keys:
        mixed = (mixed ^ column.astype(np.uint64)) * np.uint64(0x9E3779B97F4A7C15)
        mixed ^= mixed >> np.uint64(29)
    return mixed


# Columns of the frames


def compare_columns(a, b, pairs):
    told = {}
    for name in FRAME:
        x, y = a.column('frame/' + name)[pairs[:, 0]], b.column('frame/' + name)[pairs[:, 1]]
        unlike = _of_rows(np.any, bits(x) != bits(y))
        if unlike.any():
            told[name] = {'frames': int(unlike.sum()), 'first': float(a.times[pairs[np.argmax(unlike), 0]]),
                          'most': float(distance(x, y).max())}
    return told
