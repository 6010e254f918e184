"""Convergence of the elements, as tables and pictures (needs matplotlib):

    /usr/bin/python3 docs/evidence/convergence.py [program]

Runs build/tests/test_analytic, or the program given, stores what it prints in
docs/evidence/convergence.csv and draws docs/images/convergence.png and convergence-incompressible.png.
"""

import csv
import pathlib
import re
import subprocess
import sys

import matplotlib
matplotlib.use('Agg')
import matplotlib.pyplot as plt  # noqa: E402
from PIL import Image  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
RECORDS = ROOT / 'docs/evidence/convergence.csv'
QUANTITIES = ('displacement', 'stress', 'quadrature', 'center', 'mean')
STYLES = {'hexahedra': 'C0o-', 'hexahedra, plain': 'C0o--', 'wedges': 'C1s-', 'wedges, plain': 'C1s--',
          'pyramids': 'C2^-', 'pyramids, plain': 'C2^--', 'tetrahedra': 'C3v-', 'tetrahedra, plain': 'C3v--',
          'mixed': 'kx-'}


def records(printed):
    """A row for each mesh: body, elements, Poisson's ratio, size of elements over that of the first mesh, unknowns, and
    relative errors. Each mesh is twice as fine as the one before."""
    rows, study = [], None
    for line in printed.splitlines():
        title = re.fullmatch(r"(cylinder|sphere|plate with a hole|distorted cube), (.+), Poisson's ratio (\S+)", line)
        if title:
            study, size = title.groups(), 1.0
        elif study and re.match(r' +\d+ ', line):
            rows.append([*study, size, *line.split()])
            size /= 2
    return rows


def draw(rows, poisson, path):
    bodies = list(dict.fromkeys(row[0] for row in rows))
    figure, axes = plt.subplots(2, len(bodies), figsize=(11, 5.2), sharex='col')
    for column, body in enumerate(bodies):
        for axis, quantity, order in zip(axes[:, column], ('displacement', 'stress'), (2, 1)):
            for elements, style in STYLES.items():
                line = [(row[3], float(row[5 + QUANTITIES.index(quantity)]))
                        for row in rows if row[:3] == [body, elements, poisson]]
                if line:
                    axis.loglog(*zip(*line), style, label=elements, ms=4, lw=1)
            sizes = [row[3] for row in rows if row[0] == body]
            best = min(float(row[5 + QUANTITIES.index(quantity)]) for row in rows
                       if row[0] == body and row[2] == poisson and row[3] == max(sizes))
            axis.loglog([min(sizes), 1], [0.5 * best * min(sizes)**order, 0.5 * best], color='0.6', lw=1,
                        label='order 2 above, 1 below')
            ticks = sorted(set(sizes))
            axis.set_xticks([], minor=True)
            axis.set_xticks(ticks, ['1/%d' % (1 / size) if size < 1 else '1' for size in ticks])
            if column == 0:
                axis.set_ylabel('relative error of ' + quantity)
        axes[0, column].set_title(body)
        axes[1, column].set_xlabel('size of elements')
    handles = {label: handle for axis in axes.flat for handle, label in zip(*axis.get_legend_handles_labels())}
    figure.legend(handles.values(), handles.keys(), loc='lower center', ncol=(len(handles) + 1) // 2)
    figure.tight_layout(rect=(0, 0.09, 1, 1))
    figure.savefig(path, dpi=80)
    plt.close(figure)
    Image.open(path).convert('RGB').quantize(32).save(path, optimize=True)  # a third of the size


program = sys.argv[1] if len(sys.argv) > 1 else ROOT / 'build/tests/test_analytic'
printed = subprocess.run([program, '--gtest_also_run_disabled_tests', '--gtest_filter=*Tables'], check=True,
                         stdout=subprocess.PIPE, text=True).stdout
rows = records(printed)
if len(rows) < 100:
    raise SystemExit('convergence: %s printed %d records only' % (program, len(rows)))
with RECORDS.open('w', newline='') as file:
    writer = csv.writer(file, lineterminator='\n')
    writer.writerow(['body', 'elements', 'poisson', 'size', 'unknowns', *QUANTITIES])
    writer.writerows(rows)
draw(rows, '0.3', ROOT / 'docs/images/convergence.png')
draw(rows, '0.4999', ROOT / 'docs/images/convergence-incompressible.png')
