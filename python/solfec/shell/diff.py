"""How two results differ: python3 -m solfec diff A B"""

import json

from solfec import columns
from solfec.shell import compare
from solfec.shell.command import Parser, count, not_negative, plural, results_in, table

LISTED = 10
AFTER = '''\
Exit code: 0 when they are the same to the bit (or within the tolerance), 1 when
they differ, 2 when something was wrong. Wall times, ranks and files do not
count. Frames at the same times are compared.

With a tolerance the models, positions [m], rotations and gradients,
velocities [m/s] and angular velocities [1/s] have to agree within it; contacts
are compared too but do not decide, since reactions need not be unique.
'''


def differs(told, common):
    """Whether the exit code is 1."""
    model, frames, bodies = told['model'], told['frames'], told['bodies']
    unlike = [model['only_in_a'], model['only_in_b'], model['differ'], bodies['differ'], bodies['in_one_only'],
              not frames['common']]
    if not common:
        unlike += [frames['only_in_a'], frames['only_in_b']]
    if told['tolerance'] == 0:
        unlike += [model['groups'], not frames['same_to_the_bit'], told['contacts']['frames'], told['columns']]
    return any(unlike)


def text(told, a, b, listed):
    names = columns.Bodies(a), columns.Bodies(b)
    lines = [*_of_results('A', a), *_of_results('B', b), *_model_lines(told['model']), *_frame_lines(told['frames']),
             *_body_lines(told, names), *_contact_lines(told['contacts'], names, told['frames']['common']),
             *_column_lines(told['columns'], told['tolerance'])]
    each = told['bodies']['each']
    end = '' if not each or not listed else '\n\n' + _table_of_bodies(each, names, listed)
    return table(lines) + end


def _of_results(letter, results):
    yield letter, '%s: %s from %g to %g s' % (results.directory, plural(len(results), 'frame'), results.times[0],
                                              results.times[-1])


def _name(names, id):
    return names[0 if names[0].row(id) is not None else 1].name(id)


def _ids(ids):
    return plural(len(ids), 'body').replace('bodys', 'bodies') + ' (%s%s)' % (
        ', '.join(map(str, ids[:5])), ', ...' if len(ids) > 5 else '')


def _model_lines(model):
    lines = ['%s only in %s' % (_ids(model['only_in_' + letter.lower()]), letter) for letter in 'AB'
             if model['only_in_' + letter.lower()]]
    lines += ['%s: %s' % (name, _ids(ids)) for name, ids in model['differ'].items()]
    lines += ['%s differ' % name for name in model['groups']]
    yield from _named('model', lines or ['the same'])


def _frame_lines(frames):
    line = '%s at the same times' % format(frames['common'], ',')
    if not frames['common']:
        line = 'none at the same times'
    for letter in 'AB':
        if frames['only_in_' + letter.lower()]:
            line += ', %s only in %s' % (format(frames['only_in_' + letter.lower()], ','), letter)
    if frames['common'] and not frames['same_to_the_bit']:
        line += ' (but for round-off)'
    yield 'frames', line


def _body_lines(told, names):
    bodies, lines = told['bodies'], []
    if not bodies['differ'] and told['frames']['common'] and not bodies['in_one_only']:
        lines.append('the same within %g' % told['tolerance'] if bodies['most'] else 'the same')
    if bodies['differ']:
        first = bodies['each'][0]
        lines.append('%s of %s differ, first %s at %g s' % (
            format(bodies['differ'], ','), format(bodies['compared'], ','), _name(names, first['body']),
            first['first']))
    for name, entry in bodies['most'].items():
        if bodies['differ'] and name in compare.MOTION and entry['value'] <= told['tolerance']:
            continue
        lines.append('%s by %.3g%s at most: %s at %g s' % (
            name, entry['value'], (' ' + compare.MEASURES[name]).rstrip(), _name(names, entry['body']), entry['time']))
    if bodies['in_one_only']:
        lines.append('from %g s on some bodies are in A or in B alone' % bodies['in_one_only_first'])
    yield from _named('bodies', lines)


def _contact_lines(contacts, names, common):
    lines = []
    if contacts['frames']:
        lines.append('differ from %g s on, in %s of %s%s' % (contacts['first'], format(contacts['frames'], ','),
                                                             plural(common, 'frame'), _of_columns(contacts)))
    if contacts['frames_with_other_contacts']:
        lines.append('not the same ones from %g s on, in %s' % (
            contacts['other_contacts_first'], plural(contacts['frames_with_other_contacts'], 'frame')))
    for name, unit in (('reaction', 'N'), ('gap', 'm')):
        entry = contacts['most'].get(name)
        if entry:
            lines.append('%s by %.3g %s at most: %s on %s at %g s' % (
                name, entry['value'], unit, *(_name(names, id) for id in entry['bodies']), entry['time']))
    yield from _named('contacts', lines or (['the same'] if common else []))


def _of_columns(contacts):
    """Which columns differ, where neither reactions nor gaps do."""
    if contacts['most'] or contacts['frames_with_other_contacts']:
        return ''
    if not any(contacts['columns'].values()):
        return ': only the signs of zeros of ' + ', '.join(contacts['columns'])
    return ': ' + ', '.join('%s by %.3g at most' % (name, most) for name, most in contacts['columns'].items() if most)


def _column_lines(told, tolerance):
    lines = ['%s from %g s on, by %.3g at most' % (name, entry['first'], entry['most']) for name, entry in told.items()
             if not entry['most'] <= tolerance or tolerance == 0]
    yield from _named('of frames', lines)


def _named(name, lines):
    for k, line in enumerate(lines):
        yield ('' if k else name), line


def _table_of_bodies(each, names, listed):
    rows = [('BODY', 'first [s]', *('%s%s' % (name, ' [%s]' % unit if unit else '')
                                    for name, unit in compare.MEASURES.items()))]
    for entry in each[:listed]:
        rows.append((_name(names, entry['body']).replace('body ', '', 1), '%g' % entry['first'],
                     *('%.3g' % entry[name] for name in compare.MEASURES)))
    more = len(each) - listed
    columns_at_right = range(1, 2 + len(compare.MEASURES))
    return table(rows, right=columns_at_right) + ('\nand %s more (--bodies)' % format(more, ',') if more > 0 else '')


def main(arguments):
    parser = Parser('diff', description='Tells how two results differ.', epilog=AFTER)
    parser.add_results('A', 'directory of results')
    parser.add_results('B', 'directory of other results')
    parser.add_argument('--tolerance', type=not_negative, default=0.0, metavar='T',
                        help='smaller differences do not count (default: 0)')
    parser.add_argument('--common', action='store_true', help='frames that only one of them has do not count')
    parser.add_argument('--bodies', type=count, default=LISTED, metavar='N',
                        help='list the first N bodies that differ (default: %d)' % LISTED)
    parser.add_argument('--json', action='store_true', help='as JSON, for scripts')
    given = parser.parse_args(arguments)
    with results_in(A=given.A, B=given.B) as (a, b):
        told = compare.compare(a, b, given.tolerance)
        told['differ'] = differs(told, given.common)
        print(json.dumps(told, indent=1) if given.json else text(told, a, b, given.bodies))
    return 1 if told['differ'] else 0
