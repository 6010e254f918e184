"""What is in a directory of results: python3 -m solfec info RESULTS"""

import json
import os
import re

import h5py
import numpy as np

from solfec import columns
from solfec.results import BODY_KINDS, CONSTRAINT_KINDS, index_of
from solfec.shell.command import Parser, plural, results_in, size, table

SCRIPT_MARK = re.compile(rb'# Copy made by Solfec for the results beside it \([0-9a-f]{16}\)\n\Z')
FRAME_COLUMNS = ('number', 'step', 'merit', 'solver', 'iterations', 'ranks', 'run', 'run_ended', 'run_start', 'bodies',
                 'constraints', 'new_bodies', 'deleted_bodies', 'sparsified')


NOTE = '''
Iterations (mean, most) and merit (largest) are of the steps before frames. How
many steps did not converge is not in results: the last line of a run tells it.'''


def collect(results, quick=False):
    """All that there is to tell, as a dictionary of plain values."""
    frame = {name: results.column('frame/' + name) for name in FRAME_COLUMNS}
    bodies = columns.Bodies(results)
    told = {'directory': results.directory, **_origin(results), 'script': _script(results.directory),
            **_state(results, frame), **_frames(results, frame), 'runs': _runs(results, frame),
            'bodies': _bodies(results, frame, bodies), 'constraints': _constraints(results, frame)}
    if not quick:
        told['contacts'] = _contacts(results, bodies)
    return {**told, 'size': _sizes(results)}


def _origin(results):
    with h5py.File(index_of(results.directory), 'r') as index:
        text = {key: value.decode() if isinstance(value, bytes) else value for key, value in index.attrs.items()}
    return {'analysis': str(text.get('analysis', '')), 'program': str(text.get('program', '')),
            'written': str(text.get('written', '')), 'format': int(text['format'])}


def _script(directory):
    path = os.path.splitext(index_of(directory))[0] + '.py'
    if not os.path.isfile(path):
        return None
    with open(path, 'rb') as file:
        text = file.read()
    mark = SCRIPT_MARK.search(text)
    return {'file': path, 'lines': text.count(b'\n') - bool(mark), 'copied_by_solfec': bool(mark)}


def is_being_written(directory):
    """Whether a run holds the lock of the directory; None when that cannot be told here."""
    try:
        import fcntl
        handle = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
    except (ImportError, AttributeError, OSError):
        return None
    try:
        # Held for a moment only: a run that starts just then would be refused.
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
        return False
    except BlockingIOError:
        return True
    except OSError:
        return None
    finally:
        os.close(handle)


def _state(results, frame):
    """Of the last RUN: 'complete', 'going on', 'ended early' or 'not known'."""
    writing = is_being_written(results.directory)
    if frame['run_ended'][-1] and len(results) > 1 and frame['number'][-1] > 0:
        state = 'complete'
    else:
        state = {True: 'going on', False: 'ended early', None: 'not known'}[writing]
    return {'state': state, 'being_written': writing}


def _frames(results, frame):
    times = results.times
    return {'frames': len(results), 'first_time': float(times[0]), 'last_time': float(times[-1]),
            'steps': int(frame['number'][-1]), 'smallest_step': float(frame['step'].min()),
            'largest_step': float(frame['step'].max()), 'ranks': int(frame['ranks'][-1])}


def _runs(results, frame):
    """One entry per RUN. A frame at its start belongs to no step of it, if it was made before it."""
    told = []
    for run in np.unique(frame['run']).tolist():
        rows = np.flatnonzero(frame['run'] == run)
        last, worst = rows[-1], rows[np.argmax(frame['merit'][rows])]
        before = frame['number'][rows[0] - 1] if rows[0] > 0 else 0
        solvers = [columns.SOLVERS[kind] if kind < len(columns.SOLVERS) else 'solver %d' % kind
                   for kind in np.unique(frame['solver'][rows]).tolist() if kind > 0]
        told.append({'run': run, 'start': float(frame['run_start'][last]), 'end': float(results.times[last]),
                     'frames': len(rows), 'steps': int(frame['number'][last] - before), 'solvers': solvers,
                     'iterations_mean': float(frame['iterations'][rows].mean()),
                     'iterations_largest': int(frame['iterations'][rows].max()),
                     'merit_largest': float(frame['merit'][worst]), 'merit_largest_time': float(results.times[worst]),
                     'ranks': sorted(set(frame['ranks'][rows].tolist())),
                     'ended': bool(frame['run_ended'][last] or last + 1 < len(results))})
    return told


def _count_kinds(kinds):
    counts = np.bincount(kinds.astype(int), minlength=len(BODY_KINDS))
    return {BODY_KINDS[kind]: int(counts[kind]) for kind in np.flatnonzero(counts)}


def _bodies(results, frame, bodies):
    present = bodies.present(-1)
    first = bodies.present(0)
    return {'last_frame': len(present), 'kinds': _count_kinds(bodies.kind[np.searchsorted(bodies.id, present)]),
            'first_frame': len(first), 'most': int(frame['bodies'].max()), 'in_all': len(bodies),
            'made_later': len(np.setdiff1d(bodies.id, first, assume_unique=True)),
            'deleted': len(np.setdiff1d(bodies.id, present, assume_unique=True)),
            'labels': int((bodies.label != '').sum())}


def _constraints(results, frame):
    most = int(np.argmax(frame['constraints']))
    return {'last_frame': int(frame['constraints'][-1]), 'most': int(frame['constraints'][most]),
            'most_time': float(results.times[most]), 'sparsified_most': int(frame['sparsified'].max())}


def _contacts(results, bodies):
    """What only the rows of the contacts tell: kinds of joints, contacts, the smallest gap."""
    last = np.zeros(len(CONSTRAINT_KINDS), dtype=int)
    most, most_time, deepest = 0, float(results.times[0]), None
    for numbers, owner, rows in columns.constraint_blocks(results, range(len(results)), ('kind', 'gap')):
        is_contact = rows['kind'] == 0
        counts = np.bincount(owner[is_contact], minlength=len(numbers))
        k = int(np.argmax(counts))
        if counts[k] > most:
            most, most_time = int(counts[k]), float(results.times[numbers[k]])
        if numbers[-1] == len(results) - 1:
            last = np.bincount(rows['kind'][owner == len(numbers) - 1], minlength=len(last))
        gaps = np.where(is_contact, rows['gap'], np.inf)
        if len(gaps) and gaps.min() < (deepest[0] if deepest else np.inf):
            row = int(np.argmin(gaps))
            deepest = float(gaps[row]), int(numbers[owner[row]]), int((owner[:row] == owner[row]).sum())
    return {'last_frame': int(last[0]), 'most': most, 'most_time': most_time,
            'joints_in_last_frame': {CONSTRAINT_KINDS[kind]: int(last[kind])
                                     for kind in np.flatnonzero(last[1:]) + 1 if kind < len(CONSTRAINT_KINDS)},
            'smallest_gap': _place_of_gap(results, bodies, deepest)}


def _place_of_gap(results, bodies, deepest):
    if deepest is None:
        return None
    gap, frame, row = deepest
    segment = next(s for s in reversed(results.segments) if s.first <= frame)
    row += int(segment.constraint_begin[frame - segment.first])
    with segment.open() as file:
        pair = [int(file['constraint/' + name][row]) for name in ('body1', 'body2')]
        point = file['constraint/point'][row].tolist()
    return {'gap': gap, 'time': float(results.times[frame]), 'frame': frame, 'bodies': pair, 'point': point,
            'names': [bodies.name(id) for id in pair]}


def _sizes(results):
    arrays, files = columns.storage(results), columns.files_of(results)
    groups = {}
    for path, bytes in arrays.items():
        group = path.split('/')[0]
        groups[group] = groups.get(group, 0) + bytes
    total = sum(files.values())
    return {'total': total, 'files': len(files), 'per_frame': total / len(results), 'groups': groups, 'arrays': arrays}


# The same as text.


def text(told):
    return '\n'.join([table(list(_lines(told))), '', _table_of_runs(told['runs']), '', _table_of_sizes(told)])


def _lines(told):
    yield 'results', told['directory']
    yield 'written', '%s by %s, %s, format %d' % (told['written'] or 'at a time not told', told['program'] or 'Solfec',
                                                  told['analysis'], told['format'])
    yield 'script', _script_text(told['script'])
    yield 'state', _state_text(told)
    yield 'frames', '%s, from %g to %g s' % (format(told['frames'], ','), told['first_time'], told['last_time'])
    step = '%g' % told['smallest_step']
    if told['largest_step'] > (1 + 1E-9) * told['smallest_step']:
        step += ' to %g' % told['largest_step']
    yield 'steps', '%s of %s s, on %s' % (format(told['steps'], ','), step, plural(told['ranks'], 'rank'))
    yield from _body_lines(told['bodies'])
    yield from _contact_lines(told)


def _script_text(script):
    if script is None:
        return 'there is no copy'
    return '%s, %s%s' % (script['file'], plural(script['lines'], 'line'),
                         '' if script['copied_by_solfec'] else ', changed since Solfec copied it')


def _state_text(told):
    last = told['runs'][-1]
    if told['state'] == 'complete':
        return 'complete: RUN %d has ended%s' % (last['run'], ', the script has not' if told['being_written'] else '')
    return {'going on': 'RUN %d is going on',
            'ended early': 'RUN %d ended early (-c goes on from its last frame)',
            'not known': 'RUN %d is going on or ended early'}[told['state']] % last['run']


def _body_lines(bodies):
    kinds = ', '.join('%s %s' % (format(count, ','), kind) for kind, count in bodies['kinds'].items())
    yield 'bodies', '%s in the last frame' % format(bodies['last_frame'], ',')
    if kinds:
        yield '', kinds
    if bodies['made_later'] or bodies['deleted']:
        yield '', '%s made and %s deleted on the way; at most %s at once' % tuple(
            format(bodies[name], ',') for name in ('made_later', 'deleted', 'most'))


def _contact_lines(told):
    contacts = told.get('contacts')
    if contacts is None:
        rows = told['constraints']
        yield 'contacts', '%s with joints in the last frame, at most %s (at %g s)' % (
            format(rows['last_frame'], ','), format(rows['most'], ','), rows['most_time'])
        return
    yield 'contacts', '%s in the last frame, at most %s (at %g s)' % (
        format(contacts['last_frame'], ','), format(contacts['most'], ','), contacts['most_time'])
    joints = contacts['joints_in_last_frame']
    if joints:
        yield 'joints', ', '.join('%s %s' % (format(count, ','), kind) for kind, count in joints.items())
    gap = contacts['smallest_gap']
    if gap:
        if gap['gap'] < 0:
            yield 'overlap', '%.3g m at most, in the frame at %g s:' % (-gap['gap'], gap['time'])
            yield '', '%s in %s' % tuple(gap['names'])
        else:
            yield 'overlap', 'none; the smallest gap was %.3g m, at %g s' % (gap['gap'], gap['time'])


def _table_of_runs(runs):
    rows = [('RUN', 'from', 'to', 'frames', 'steps', 'iter.', 'most', 'merit', 'at', 'ranks', 'solver')]
    for run in runs:
        rows.append((run['run'], '%g' % run['start'], '%g' % run['end'], run['frames'], run['steps'],
                     '%.1f' % run['iterations_mean'], run['iterations_largest'], '%.0e' % run['merit_largest'],
                     '%g' % run['merit_largest_time'], ','.join(map(str, run['ranks'])),
                     ', '.join(solver.replace('_SOLVER', '') for solver in run['solvers']) or 'none'))
    return table(rows, right=range(10)) + NOTE


def _table_of_sizes(told):
    sizes, frames = told['size'], told['frames']
    rows = [('SIZE', 'share', '', 'per frame')]
    rows.append(('all %s' % plural(sizes['files'], 'file'), '', size(sizes['total']), size(sizes['per_frame'])))
    named = sorted(sizes['groups'].items(), key=lambda entry: -entry[1])
    for name, bytes in named:
        if bytes >= 0.005 * sizes['total']:
            rows.append((name, '%.0f%%' % (100 * bytes / sizes['total']), size(bytes), size(bytes / frames)))
    return table(rows, right=(1, 2, 3))


def main(arguments):
    parser = Parser('info', description='Tells what is in a directory of results.')
    parser.add_results()
    parser.add_argument('--json', action='store_true', help='as JSON, for scripts')
    parser.add_argument('--quick', action='store_true',
                        help='without what only the rows of all contacts tell (deepest overlap, kinds of joints)')
    given = parser.parse_args(arguments)
    with results_in(RESULTS=given.RESULTS) as results:
        told = collect(results, given.quick)
    print(json.dumps(told, indent=1) if given.json else text(told))
    return 0
