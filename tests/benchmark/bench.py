"""Runs benchmark scenes and keeps their records.

    python3 tests/benchmark/bench.py [--repeat N] [--against PROGRAM] [--records FILE] [SCENE...]

Each scene runs N times (default 3) in a process of its own; each run appends its record, a line of JSON, to the
file of records (out/benchmark/records.jsonl). A table of medians is printed: machines are shared, so compare
programs by turns (--against), never by one absolute time. `--scaling` runs the beds of 1,000 to 100,000 spheres
instead and draws time per step and body against the number of bodies (out/benchmark/scaling.png).
"""

import argparse
import json
import pathlib
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
FIXED = ['dropped_spheres', 'drum_rigid', 'drum_pseudo_rigid', 'pile_1000', 'pile_10000', 'mixed_shapes',
         'wall_of_bricks']
BEDS = ['bed_1000', 'bed_3000', 'bed_10000', 'bed_30000', 'bed_100000']
PHASES = ['integration', 'detection', 'local_dynamics', 'solution']


def run(program, scene, steps, folder):
    """Record of one run of a scene in its own process; results go below the folder."""
    words = [scene] if steps is None else [scene, str(steps)]
    done = subprocess.run([program, '-w', HERE / 'scene.py', *words], cwd=folder, stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit('bench: %s failed in scene %s' % (program, scene))
    return json.loads(done.stdout.splitlines()[-1])


def medians(records):
    """Median seconds of each phase, and of the whole run."""
    return {phase: statistics.median(r['seconds'][phase] for r in records) for phase in [*PHASES, 'all']}


def compare(scene, programs, options, file):
    """Runs a scene by turns with all programs; one line of the table per program."""
    records = {program: [] for program in programs}
    for _ in range(options.repeat):
        for program in programs:
            record = run(program.resolve(), scene, options.steps, options.records.parent)
            records[program].append(record)
            file.write(json.dumps({'program': str(program), **record}) + '\n')
            file.flush()
    for program in programs:
        if len({r['state'] for r in records[program]}) > 1:
            sys.exit('bench: runs of %s end in different states' % scene)
    first = medians(records[programs[0]])
    for program in programs:
        last, seconds = records[program][-1], medians(records[program])
        ratio = '' if program == programs[0] else ' (first / this %.2f)' % (first['all'] / seconds['all'])
        print('%-18s %7d %8d %7.1f %5d | ' % (scene, last['bodies'], last['contacts'], last['sweeps']['mean'],
                                             last['sweeps']['steps_at_the_bound'])
              + ' '.join('%8.3f' % (1000 * seconds[phase] / last['steps']) for phase in PHASES)
              + ' | %8.2f s %6.0f MB%s' % (seconds['all'], last['bytes']['memory'] / 1E6, ratio), flush=True)
    return records[programs[0]]


def draw_scaling(records, path):
    """Microseconds per step and body against bodies; returns largest / smallest of the sums of the phases."""
    import matplotlib
    matplotlib.use('Agg')
    from matplotlib import pyplot
    bodies = [runs[0]['bodies'] for runs in records]
    costs = [{phase: 1E6 * s / runs[0]['steps'] / runs[0]['bodies'] for phase, s in medians(runs).items()}
             for runs in records]
    sums = [sum(cost[phase] for phase in PHASES) for cost in costs]
    figure, axes = pyplot.subplots(figsize=(6, 4))
    for phase in PHASES:
        axes.plot(bodies, [cost[phase] for cost in costs], 'o-', label=phase.replace('_', ' '))
    axes.plot(bodies, sums, 'ks-', label='step')
    axes.set(xscale='log', xlabel='spheres', ylabel='microseconds per step and body', ylim=(0, 1.3 * max(sums)),
             title='Bed of four layers, ten sweeps a step')
    axes.legend(ncol=3, loc='upper center')
    axes.grid(alpha=0.3)
    figure.tight_layout()
    figure.savefig(path, dpi=100)
    return max(sums) / min(sums)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('scenes', nargs='*', choices=[[], *FIXED, *BEDS], metavar='SCENE')
    parser.add_argument('--repeat', type=int, default=3)
    parser.add_argument('--steps', type=int, help="instead of the scene's own number")
    parser.add_argument('--program', type=pathlib.Path, default=ROOT / 'build' / 'bin' / 'solfec')
    parser.add_argument('--against', type=pathlib.Path, help='another program, run in turns with the first')
    parser.add_argument('--records', type=pathlib.Path, default=ROOT / 'out' / 'benchmark' / 'records.jsonl')
    parser.add_argument('--scaling', action='store_true', help='cost per step and body of growing beds')
    options = parser.parse_args()
    programs = [options.program] + ([options.against] if options.against else [])
    options.records.parent.mkdir(parents=True, exist_ok=True)
    print('%-18s %7s %8s %7s %5s | %s | whole run' % (
        'scene', 'bodies', 'contacts', 'sweeps', 'bound', ' '.join('%8s' % p[:8] for p in PHASES)))
    print('%18s %7s %8s %7s %5s | %s' % ('', '', '', 'mean', '', 'milliseconds per step (medians)'))
    with open(options.records, 'a') as file:
        records = [compare(scene, programs, options, file)
                   for scene in (BEDS if options.scaling else options.scenes or FIXED)]
    if options.scaling:
        path = options.records.parent / 'scaling.png'
        print('largest / smallest cost per step and body: %.2f; drawn in %s' % (draw_scaling(records, path), path))


main()
