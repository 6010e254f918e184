"""Plots of results: python3 -m solfec plot RESULTS [ITEM ...]"""

import io
import os

import numpy as np

from solfec.items import ENERGIES, HELP, KNOWN, TIMINGS
from solfec.shell.command import Failure, Parser
from solfec.shell.history import read
from solfec.whole_files import whole_file

# Without items: title, unit, items, how they are drawn.
OVERVIEW = (('energies', 'J', ENERGIES, 'lines'), ('bodies, contacts and joints', '', ('BODS', 'CONS'), 'lines'),
            ('smallest gap', 'm', ('GAP',), 'lines'), ('iterations of the solver', '', ('ITERS',), 'dots'),
            ('merit', '', ('MERIT',), 'log'), ('wall time of a step', 's', TIMINGS, 'stack'))
LABELS = {'BODS': 'bodies', 'CONS': 'contacts and joints', **{name: name.lower() for name in ENERGIES},
          'TIMINT': 'time integration', 'CONUPD': 'constraint update', 'CONDET': 'contact detection',
          'LOCDYN': 'local dynamics', 'CONSOL': 'solver', 'PARBAL': 'balancing'}
QUANTITIES = {'J': 'energy', 'N': 'force', 'm/s': 'velocity', '1/s': 'angular velocity', 's': 'time', 'm': 'length'}
MOST_DOTS = 2000  # above, dots become lines
STYLES = '-', '--', '-.', ':'  # in turns, whole lines below: those that coincide are seen through each other


def _parser():
    parser = Parser('plot', description='Plots histories. Without items: energies, contacts, smallest gap,\n'
                    'iterations, merit and wall times. Items of one unit share a diagram.', epilog=HELP)
    parser.add_results()
    parser.add_argument('items', nargs='*', metavar='ITEM', help='for example KINETIC, ball.VX, 3.CRZ')
    parser.add_argument('--out', default='plot.png', metavar='FILE', help='.png, .pdf or .svg (default: plot.png)')
    parser.add_argument('--log', action='store_true', help='values on a logarithmic scale')
    parser.add_times()
    return parser


def draw(figure, values, diagrams, columns):
    """Diagrams (title, unit, items, style) of a history on a figure of matplotlib."""
    rows = -(-len(diagrams) // columns)
    axes = figure.subplots(rows, columns, squeeze=False, sharex=True).ravel()
    for ax, (title, unit, items, style) in zip(axes, diagrams):
        _draw_one(ax, values, items, style)
        ax.set_title(title, fontsize='medium')
        ax.set_ylabel(_axis(title, unit))
        ax.grid(alpha=0.3)
    for ax in axes[len(diagrams):]:
        ax.set_visible(False)
    for ax in axes[max(0, len(diagrams) - columns):len(diagrams)]:
        ax.set_xlabel('time [s]')
        ax.tick_params(labelbottom=True)


def _axis(title, unit):
    """What values are: the unit alone where the title says the rest."""
    return ' '.join(([] if title else [QUANTITIES.get(unit, '')]) + ['[%s]' % unit] * bool(unit)).strip()


def _draw_one(ax, values, items, style):
    times = values['time']
    if style == 'stack':
        items = [item for item in items if values[item].any()]
        ax.stackplot(times, *(values[item] for item in items), labels=[LABELS.get(item, item) for item in items],
                     step='pre' if len(times) > 1 else None)
    else:
        dots = style == 'dots' and len(times) <= MOST_DOTS or len(times) == 1
        for k, item in enumerate(items):
            drawn = values[item] if style != 'log' else np.where(values[item] > 0, values[item], np.nan)
            style_number = k % len(STYLES)
            ax.plot(times, drawn, '.' if dots else STYLES[style_number], markersize=3, linewidth=1,
                    label=LABELS.get(item, item), zorder=2 + 0.1 * style_number)
    if style == 'log' and any((values[item] > 0).any() for item in items):
        ax.set_yscale('log')
    if len(items) > 1:
        if style == 'stack':  # 'best' does not see it
            ax.set_ylim(top=1.45 * ax.get_ylim()[1])
        ax.legend(fontsize='small', loc='upper left' if style == 'stack' else 'best', framealpha=0.6,
                  ncol=2 if style == 'stack' else 1)


def diagrams_of(items, log):
    """Items of one unit share a diagram; those without a unit have one each."""
    groups = {}
    for item in dict.fromkeys(items):
        unit = KNOWN[item.rpartition('.')[2].strip().upper()]
        groups.setdefault(unit or item, (unit, []))[1].append(item)
    style = 'log' if log else 'lines'
    return [(items[0] if len(items) == 1 else '', unit, items, style) for unit, items in groups.values()]


def _save(values, diagrams, columns, title, path):
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    rows = -(-len(diagrams) // columns)
    figure = Figure(figsize=(5.5 * columns if columns > 1 else 8, max(4, 2.9 * rows)), layout='constrained')
    canvas = FigureCanvasAgg(figure)
    kinds = canvas.get_supported_filetypes()
    kind = os.path.splitext(path)[1].lower().lstrip('.')
    if kind not in kinds:
        raise Failure("argument --out: expected a file .png, .pdf or .svg; got '%s'" % path)
    draw(figure, values, diagrams, columns)
    figure.suptitle(title)
    try:
        drawn = io.BytesIO()  # matplotlib's files of some kinds cannot tell why they were not written
        figure.savefig(drawn, dpi=120, format=kind)
        with whole_file(path, 'wb') as file:
            file.write(drawn.getvalue())
    except OSError as error:
        raise Failure("argument --out: '%s' cannot be written: %s" % (path, error.strerror)) from error


def main(arguments):
    given = _parser().parse_args(arguments)
    try:
        import matplotlib  # noqa: F401
    except ImportError as error:
        raise Failure('matplotlib is needed (package python3-matplotlib)') from error
    overview = not given.items
    if overview and given.log:
        raise Failure('argument --log: is for items; the overview has scales of its own')
    if overview:
        given.items = [item for _, _, items, _ in OVERVIEW for item in items]
    values = read(given)
    diagrams, columns = (OVERVIEW, 2) if overview else (diagrams_of(given.items, given.log), 1)
    _save(values, diagrams, columns, given.RESULTS, given.out)
    print('%s: %d frames, %g to %g s' % (given.out, len(values['time']), values['time'][0], values['time'][-1]))
    return 0
