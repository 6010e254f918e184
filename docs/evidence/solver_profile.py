"""Performance profiles of solvers on files of contact problems, and a table of times.

Run: /usr/bin/python3 docs/evidence/solver_profile.py [options] [--] FILE...

Runs solfec-solve on the files (FCLib layout) with each solver and tolerance, and draws which share of the problems a
solver has solved within so many times the time of the quickest one (Acary, Bremond, Huber 2018, equations 133 to 135;
Dolan, More 2002). With --others, times of other programs take part: a CSV file with the columns problem (name of the
file without its ending), tolerance, solver, solved (1 or 0), seconds. With --keep, our times are written to such a file
as they are measured, and those that it has are not measured again: after an interruption, the same command goes on.

A second table compares all solvers by kind of problem: the kinds are read from library.csv beside a file, where
tests/benchmark/problem_library.py writes it; other files are of the kind '-'. For each kind and tolerance it has how
many problems a solver solves; the geometric mean and the largest of its times over those of the quickest solver, of the
problems that it solves; and the share of all problems in which it is within 1.5 times of the quickest.
"""
import argparse
import csv
import itertools
import json
import pathlib
import subprocess
import sys

import matplotlib
import numpy

matplotlib.use('svg')
import matplotlib.pyplot as plt  # noqa: E402


def options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('files', nargs='+', metavar='FILE', help='problems in FCLib files')
    parser.add_argument('--program', default='build/bin/solfec-solve')
    parser.add_argument('--solvers', nargs='+', default=['AUTO', 'GS', 'PQN'], help='of solfec-solve')
    parser.add_argument('--tolerances', nargs='+', type=float, default=[1E-4, 1E-8])
    parser.add_argument('--time-limit', type=float, default=10, help='seconds for a solve (default: 10)')
    parser.add_argument('--others', help='CSV file with times of other programs')
    parser.add_argument('--keep', help='CSV file that keeps our times')
    parser.add_argument('--scale', type=float, default=1,
                        help='multiplies our times: speed of this machine over that of the others (default: 1)')
    parser.add_argument('--figure', default='out/solver-profile.svg')
    return parser.parse_args()


class UnreadableFile(Exception):
    """A file that solfec-solve cannot read, with what it says."""


def seconds_of(option, path, tolerance, solver):
    """Of a solve, or infinity where the error was not reached."""
    command = [option.program, '--cold', '--solver', solver, '--tol', repr(tolerance), '--time-limit',
               repr(option.time_limit), path]
    try:
        done = subprocess.run(command, capture_output=True, text=True)
    except OSError as error:
        end("argument --program: '%s' cannot be run: %s" % (option.program, error.strerror))
    if done.returncode not in (0, 1):  # its command line is wrong for all files alike, or it was killed
        end('--solver %s on %s: %s' % (solver, path, done.stderr.strip() or 'ended with %d' % done.returncode))
    answer = json.loads(done.stdout)
    if done.returncode == 1:
        raise UnreadableFile(answer['message'])
    return answer['seconds'] if answer['status'] == 'OK' else numpy.inf


def end(message):
    sys.exit('solver_profile.py: ' + message)


KEPT = ['problem', 'tolerance', 'solver', 'solved', 'seconds']


def kept_times(path):
    """Lines of a file of times: {(problem, tolerance, solver): seconds, or inf}."""
    with open(path, newline='', encoding='utf-8') as file:
        return {(row['problem'], float(row['tolerance']), row['solver']):
                float(row['seconds']) if row['solved'] == '1' else numpy.inf for row in csv.DictReader(file)}


def our_times(option):
    """{(problem, tolerance): {solver: seconds, or inf}}; solvers take turns on each problem, as other programs may use
    the machine."""
    times = {}
    kept = kept_times(option.keep) if option.keep and pathlib.Path(option.keep).exists() else {}
    for path in option.files:
        try:
            times.update(times_of_file(option, path, kept))
        except UnreadableFile as error:
            print('solver_profile.py: %s is left out: %s' % (path, error), file=sys.stderr)
    return times


def times_of_file(option, path, kept):
    times = {}
    problem = pathlib.Path(path).stem
    for tolerance, solver in itertools.product(option.tolerances, option.solvers):
        case = problem, tolerance, solver
        if case not in kept:
            kept[case] = seconds_of(option, path, tolerance, solver)
            if option.keep:
                keep(option.keep, case, kept[case])
        times.setdefault((problem, tolerance), {})[solver] = option.scale * kept[case]
    return times


def keep(path, case, seconds):
    """Adds a line to a file of times."""
    new = not pathlib.Path(path).exists()
    with open(path, 'a', newline='', encoding='utf-8') as file:
        writer = csv.writer(file, lineterminator='\n')
        if new:
            writer.writerow(KEPT)
        solved = numpy.isfinite(seconds)
        writer.writerow([*case, int(solved), '%.4g' % seconds if solved else ''])


def kinds_of(files):
    """{problem: kind}"""
    kinds = {pathlib.Path(path).stem: '-' for path in files}
    for folder in {pathlib.Path(path).parent for path in files}:
        if (folder / 'library.csv').exists():
            with open(folder / 'library.csv', newline='', encoding='utf-8') as file:
                kinds.update((row['name'], row['kind']) for row in csv.DictReader(file) if row['name'] in kinds)
    return kinds


def add_others(times, path):
    for (problem, tolerance, solver), seconds in kept_times(path).items():
        if (problem, tolerance) in times:
            times[problem, tolerance][solver] = seconds


LARGEST_RATIO = 1E3  # shown


def profile(times, solver):
    """Ratios to the quickest solver, sorted, and the share of cases up to each; to the end of the picture."""
    ratios = [case.get(solver, numpy.inf) / min(case.values()) for case in times.values()
              if numpy.isfinite(min(case.values()))]
    ratios = numpy.sort([ratio for ratio in ratios if ratio < LARGEST_RATIO])
    shares = numpy.arange(1, len(ratios) + 1) / max(len(times), 1)
    return [1, *ratios, LARGEST_RATIO], [0, *shares, shares[-1] if len(shares) else 0]


def draw(times, ours, tolerances, path):
    figure, axes = plt.subplots(1, len(tolerances), figsize=(4 * len(tolerances) + 2.2, 4), sharey=True, squeeze=False)
    for axis, tolerance in zip(axes[0], tolerances):
        cases = {case: t for case, t in times.items() if case[1] == tolerance}
        solvers = sorted({solver for t in cases.values() for solver in t} - set(ours))
        for solver in solvers:
            axis.step(*profile(cases, solver), where='post', color='0.75', linewidth=0.8,
                      label='others' if solver == solvers[0] else None)
        for place, solver in enumerate(ours):
            axis.step(*profile(cases, solver), where='post', linewidth=2, label=solver, color='C%d' % (place % 10),
                      linestyle=('-', '--', ':')[place // 10 % 3])
        axis.set(xscale='log', xlim=(1, LARGEST_RATIO), ylim=(0, 1.02), title='error %g' % tolerance,
                 xlabel='time over that of the quickest')
    axes[0][0].set_ylabel('share of problems')
    axes[0][-1].legend(loc='upper left', bbox_to_anchor=(1, 1.02), frameon=False)
    figure.tight_layout()
    pathlib.Path(path).parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, metadata={'Date': None})


def table(times, ours):
    """Lines of Markdown: seconds of our solvers, and of the quickest of the others."""
    lines = ['| problem | error | ' + ' | '.join(ours) + ' | quickest of the others |',
             '|---|---|' + '---|' * (len(ours) + 1)]
    for (problem, tolerance), t in sorted(times.items(), key=lambda item: (item[0][1] * -1, item[0][0])):
        others = {solver: s for solver, s in t.items() if solver not in ours and numpy.isfinite(s)}
        best = min(others, key=others.get) if others else None
        cells = ['%.2g' % t[solver] if numpy.isfinite(t[solver]) else '-' for solver in ours]
        cells.append('%.2g (%s)' % (others[best], best) if best else '-')
        lines.append('| %s | %g | %s |' % (problem, tolerance, ' | '.join(cells)))
    return lines


def summary(times, ours):
    """For each of our solvers: how many cases it solves, is quickest in, and is within five times of the others in."""
    lines = []
    for solver in ours:
        best = {case: min((s for name, s in t.items() if name not in ours), default=numpy.inf)
                for case, t in times.items()}
        mine = {case: t[solver] for case, t in times.items()}
        solved = [case for case, s in mine.items() if numpy.isfinite(s)]
        lines.append('%s solves %d of %d; as fast as all others in %d, within five times or 1 ms of them in %d' % (
            solver, len(solved), len(times), sum(mine[c] <= best[c] for c in solved),
            sum(mine[c] <= max(5 * best[c], best[c] + 1E-3) for c in solved)))
    return lines


NEAR = 1.5  # times of the quickest


def by_kind(times, kinds):
    """Lines of Markdown: all solvers on the problems of each kind, and on all."""
    lines = ['| kind | error | solver | solved | mean ratio | largest ratio | within %g times |' % NEAR,
             '|---|---|---|---|---|---|---|']
    names = sorted(set(kinds.values()))
    for kind, tolerance in itertools.product(names + ['all'] * (len(names) > 1),
                                             sorted({tolerance for _, tolerance in times}, reverse=True)):
        cases = [t for (problem, tol), t in times.items() if tol == tolerance and kind in ('all', kinds[problem])]
        for solver in dict.fromkeys(solver for t in cases for solver in t):
            solved = [t for t in cases if numpy.isfinite(t.get(solver, numpy.inf))]
            ratios = numpy.array([t[solver] / min(t.values()) for t in solved])
            told = ('%.2f' % numpy.exp(numpy.log(ratios).mean()), '%.3g' % ratios.max()) if len(ratios) else ('-', '-')
            lines.append('| %s | %g | %s | %d of %d | %s | %s | %.0f%% |' % (
                kind, tolerance, solver, len(ratios), len(cases), *told, 100 * (ratios <= NEAR).sum() / len(cases)))
    return lines


def main():
    option = options()
    times = our_times(option)
    if not times:
        end('no file could be read')
    if option.others:
        add_others(times, option.others)
    draw(times, option.solvers, option.tolerances, option.figure)
    read = {problem for problem, _ in times}
    kinds = kinds_of([path for path in option.files if pathlib.Path(path).stem in read])
    lines = [*table(times, option.solvers), '', *by_kind(times, kinds), '']
    if option.others:
        lines += summary(times, option.solvers)
    print('\n'.join(lines + [option.figure]))


if __name__ == '__main__':
    main()
