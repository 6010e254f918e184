"""Whole simulations with AUTO_SOLVER at its defaults, and with single methods: processor time, steps that do not
converge, for docs/solver-comparison.md.

    /usr/bin/python3 docs/evidence/simulations.py [--repeat N] [CASE...]

Runs the examples (but ball-impact, which is about springs) and some scenes of tests/benchmark/scenes.py, each in a
process of its own, solvers in turns: one line of a table for each case, with the medians. All solvers go on to a merit
of 1E-8, with at most 1,000 iterations.

    build/bin/solfec -w docs/evidence/simulations.py CASE SOLVER

is one of these runs.
"""

import argparse
import pathlib
import re
import resource
import runpy
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
MERIT, BOUND = 1E-8, 1000
DRUM = ['-npar', '100', '-maxi', str(BOUND), '-stop', '2', '-kifo']
CUBES = ['-M', '3', '-maxi', str(BOUND), '-stop', '0.3', '-kifo']
# Name: the script and its options; or the name of a scene and its steps.
CASES = {
    'three-basic-geometric-objects': ('inp/tutorial/three-basic-geometric-objects.py',),
    'sliding-block': ('inp/sliding-block.py',),
    'newtons-cradle': ('inp/newtons-cradle.py',),
    'articulated-pendulum': ('inp/articulated-pendulum.py',),
    'bar-impact': ('inp/bar-impact.py',),
    'leaf-spring': ('inp/leaf-spring.py',),
    'dominoes': ('inp/dominoes.py',),
    'arch': ('inp/arch.py',),
    'hopper': ('inp/hopper.py',),
    **{'drum, ' + kind: ('inp/rotating-drum.py', *DRUM, kind) for kind in ('RG', 'PR')},
    **{'cubes, ' + kind: ('inp/array-of-cubes.py', *CUBES, kind) for kind in ('RG', 'PR', 'BC', 'TL')},
    'wall of bricks': ('wall_of_bricks', 500),
    'mixed shapes': ('mixed_shapes', 1000),
    'pile of 1,000 balls': ('dropped_spheres', 1000),
    'bed of 1,000 balls': ('pile_1000', 500),
    'bed of 10,000 balls': ('pile_10000', 400),
    'bed of 100,000 balls': ('pile_100000', 200)}
SOLVERS = ('AUTO', 'GS', 'GS-AA', 'PQN', 'BB', 'IPM')
SUMMARY = re.compile(r'^(\d+) steps in [^;\n]*(?:; (\d+) have not converged, largest merit ([^:]+):)?', re.M)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('cases', nargs='*', metavar='CASE', help=', '.join(CASES))
    parser.add_argument('--repeat', type=int, default=1)
    parser.add_argument('--limit', type=float, default=300, help='seconds of a run (default: 300)')
    parser.add_argument('--program', default=str(ROOT / 'build/bin/solfec'))
    option = parser.parse_args()
    unknown = [name for name in option.cases if name not in CASES]
    if unknown:
        parser.error('unknown case: ' + ', '.join(unknown))
    print('| case | steps | %s | AUTO over the quickest |\n|%s' % (' | '.join(SOLVERS), '---|' * (len(SOLVERS) + 3)))
    for name in option.cases or CASES:
        print(line(option, name), flush=True)


def line(option, name):
    runs = {solver: [] for solver in SOLVERS}
    for _ in range(option.repeat):
        for solver in SOLVERS:
            if None not in runs[solver]:
                runs[solver].append(run(option, name, solver))
    done = {solver: middle(found) for solver, found in runs.items() if None not in found}
    if 'AUTO' not in done:
        return '| %s | AUTO did not end |' % name
    # A method is compared where no more of its steps fail than those of AUTO_SOLVER.
    equal = [seconds for _, failed, _, seconds in done.values() if failed <= done['AUTO'][1]]
    cells = [cell(done.get(solver)) for solver in SOLVERS]
    return '| %s | %d | %s | %.2f |' % (name, done['AUTO'][0], ' | '.join(cells), done['AUTO'][3] / min(equal))


def middle(runs):
    """Of runs that differ in time alone."""
    return (*runs[0][:3], statistics.median(seconds for *_, seconds in runs))


def cell(found):
    if found is None:
        return '-'
    _, failed, worst, seconds = found
    return '%.2f s' % seconds + (' (%d: %.0e)' % (failed, worst) if failed else '')


def run(option, name, solver):
    """(steps, failed ones, largest merit of these, processor seconds), or None where it fails or takes too long."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            done = subprocess.run([option.program, '-w', __file__, name, solver], cwd=folder, text=True,
                                  timeout=option.limit, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        except subprocess.TimeoutExpired:
            return None
    found = SUMMARY.findall(done.stdout)
    if done.returncode or not found:
        said = done.stderr.strip().splitlines() or ['nothing said']
        print('%s, %s: %s' % (name, solver, said[-1]), file=sys.stderr)
        return None
    seconds = float(re.search(r'^processor time: (\S+)', done.stdout, re.M).group(1))
    return (sum(int(steps) for steps, _, _ in found), sum(int(failed or 0) for _, failed, _ in found),
            max(float(merit or 0) for _, _, merit in found), seconds)


def one_run(name, solver):
    """In the program: the case as it stands, but for its solvers."""
    import solfec as package
    from solfec import solver_options
    makers = {
        'AUTO': lambda: package.AUTO_SOLVER(),
        'GS': lambda: package.GAUSS_SEIDEL_SOLVER(1.0, BOUND, MERIT),
        'GS-AA': lambda: accelerated(package.GAUSS_SEIDEL_SOLVER(1.0, BOUND, MERIT)),
        'PQN': lambda: package.NEWTON_SOLVER(MERIT, BOUND, delta=0.01, reldelta='avgWii', gsflag='OFF'),
        'BB': lambda: package.NONSMOOTH_SOLVER('BB', meritval=MERIT, maxiter=BOUND),
        'IPM': lambda: package.NONSMOOTH_SOLVER('IPM', meritval=MERIT, maxiter=BOUND)}

    def maker(*_, **__):
        made = makers[solver]()
        made.itershist = 'ON'
        return made

    what, *words = CASES[name]
    if what.endswith('.py'):
        solver_options.solver = maker
        names = {command: getattr(package, command) for command in package.__all__}
        names |= {command: maker for command in names if command.endswith('_SOLVER')}
        names['NON_SOLFEC_ARGV'] = lambda: words
        runpy.run_path(str(ROOT / what), names)
    else:
        sys.path.insert(0, str(ROOT / 'tests/benchmark'))
        import scenes
        made = scenes.SCENES[what]()[0]
        made.verbose = 'ON'  # for the summary
        package.RUN(made, maker(), words[0] * made.step)
    used = resource.getrusage(resource.RUSAGE_SELF)
    print('processor time: %.3f s' % (used.ru_utime + used.ru_stime))


def accelerated(solver):
    solver.memory = 5
    return solver


if 'NON_SOLFEC_ARGV' in globals():
    one_run(*NON_SOLFEC_ARGV())  # noqa: F821
else:
    main()
