"""Figures of the page, from the records: maps of delta against the other parameters, as the report has them.

A cell has its number in it. Cells of cases that were stopped (too expensive) are hatched; where nothing diverged the
map of diverged steps is empty, as in the report.
"""

import matplotlib

matplotlib.use('Agg')
import matplotlib.pyplot as plt  # noqa: E402
from matplotlib.colors import LogNorm  # noqa: E402
from matplotlib.patches import Rectangle  # noqa: E402

from solfec.studies import cases, tables  # noqa: E402
from solfec.studies.cases import DRUM_KINDS, GAUSS_SEIDEL, NORMS  # noqa: E402

# The same records give the same bytes.
STYLE = {'svg.hashsalt': 'solfec', 'svg.fonttype': 'none', 'font.size': 7, 'axes.titlesize': 8, 'figure.dpi': 100}
PANEL = 2.9, 2.1  # width and height of a map [inches]


class Panel:
    """One map: a value for each delta and each row."""

    def __init__(self, title, data, study, deltas, rows, value):
        """rows: (label, a case per delta, case of Gauss-Seidel); value: (record, that of Gauss-Seidel) -> number."""
        self.title, self.deltas, self.rows = title, deltas, rows
        self.values, self.stopped = [], []
        for _, row, reference in rows:
            reference = data.finished(study, reference)
            records = [data.finished(study, case) for case in row]
            self.values.append([None if record is None else value(record, reference) for record in records])
            self.stopped.append([data.was_stopped(study, case) for case in row])

    def draw(self, axes):
        shown = [value for row in self.values for value in row if value]
        low, high = (min(shown), max(shown)) if shown else (1, 1)
        norm, colours = LogNorm(low, max(high, 1.01 * low)), plt.get_cmap('viridis')
        for y, row in enumerate(self.values):
            for x, value in enumerate(row):
                if self.stopped[y][x]:
                    axes.add_patch(Rectangle((x - 0.5, y - 0.5), 1, 1, facecolor='0.9', edgecolor='0.7', hatch='////'))
                elif value:
                    colour = colours(norm(value))
                    axes.add_patch(Rectangle((x - 0.5, y - 0.5), 1, 1, facecolor=colour, linewidth=0))
                    axes.text(x, y, short(value), ha='center', va='center', fontsize=6,
                              color='black' if sum(colour[:3]) > 1.4 else 'white')
        axes.set_xlim(-0.5, len(self.deltas) - 0.5)
        axes.set_ylim(-0.5, len(self.rows) - 0.5)
        axes.set_xticks(range(len(self.deltas)), ['%g' % delta for delta in self.deltas])
        axes.set_yticks(range(len(self.rows)), [label for label, *_ in self.rows])
        axes.set_title(self.title)


def short(value):
    """A number in four characters or so."""
    if value >= 1E4:
        return '%.0fk' % (value / 1000)
    return '%.0f' % value if value >= 100 else '%.2g' % value


def save(panels, path):
    """A figure of rows of panels."""
    with plt.rc_context(STYLE):
        figure, grid = plt.subplots(len(panels), len(panels[0]), squeeze=False,
                                    figsize=(PANEL[0] * len(panels[0]), PANEL[1] * len(panels)))
        for row, line in zip(grid, panels):
            for axes, panel in zip(row, line):
                panel.draw(axes)
        for axes in grid[-1]:
            axes.set_xlabel('delta')
        figure.tight_layout()
        figure.savefig(path, metadata={'Date': None})
        plt.close(figure)


def total(record, reference):
    return record['iterations'] * record['steps']


def mean(record, reference):
    return record['iterations_converged']


def diverged(record, reference):
    return record['diverged']


def time(record, reference):
    """Processor time over that of Gauss-Seidel."""
    return tables.ratio(record, reference)


def share(record, reference):
    return tables.solver_share(record)


TITLES = {total: 'iterations', mean: 'iterations per converged step', diverged: 'diverged steps',
          time: 'time over that of Gauss-Seidel', share: 'solver time / time of a step'}


def grid_rows(data, kind, norm):
    """Rows of each grid, with its letter: epsilon, m, or both."""
    reference = cases.grid_drum(data.size, kind, GAUSS_SEIDEL)
    labels = {'a': 'eps {0:g}', 'b': 'm {1:d}', 'c': '{0:g}, {1:d}'}
    for letter, points in cases.grid(data.size).items():
        yield letter, [(labels[letter].format(*point),
                        [cases.grid_drum(data.size, kind, cases.newton(delta, *point, norm))
                         for delta in cases.deltas(data.size, norm)], reference) for point in points]


def grid_panels(data, kind, norm, values):
    """A row of panels for each grid, a column for each value."""
    deltas, study = cases.deltas(data.size, norm), tables.NORM_STUDIES[norm]
    return [[Panel('(%s) %s' % (letter, TITLES[value]), data, study, deltas, rows, value) for value in values]
            for letter, rows in grid_rows(data, kind, norm)]


def varied_panels(data, study, name, values, wanted):
    """A row of panels for each kind of body: an option of the drum against delta."""
    def case(kind, value, solver):
        return cases.drum(data.size, kind, solver, **{name: value})

    rows = {kind: [('%g' % value, [case(kind, value, cases.tuned(kind, delta=delta)) for delta in data.size.relative],
                    case(kind, value, GAUSS_SEIDEL)) for value in values] for kind in DRUM_KINDS}
    return [[Panel('(%s) %s' % (letter, TITLES[value]), data, study, data.size.relative, rows[kind], value)
             for value in wanted] for letter, kind in zip('ab', DRUM_KINDS)]


def make(data, folder):
    """All figures; returns their names."""
    size, made = data.size, {}
    for number, kind in zip((2, 3), DRUM_KINDS):
        made['figure-%02d' % number] = grid_panels(data, kind, 'OFF', (total, mean, diverged))
        made['figure-%02d' % (number + 2)] = grid_panels(data, kind, 'OFF', (time, share))
    number = 6
    for kind in DRUM_KINDS:
        for norm in NORMS[1:]:
            made['figure-%02d' % number] = grid_panels(data, kind, norm, (time, mean, diverged))
            number += 1
    made['figure-12'] = varied_panels(data, 'drum-density', 'dens', size.drum_densities, (total, mean, diverged))
    made['figure-13'] = [sum(varied_panels(data, 'drum-density', 'dens', size.drum_densities, (time,)), [])]
    made['friction'] = varied_panels(data, 'drum-friction', 'fric', size.drum_frictions, (time, mean, diverged))
    folder.mkdir(parents=True, exist_ok=True)
    for name, panels in made.items():
        save(panels, folder / (name + '.svg'))
    return list(made)
