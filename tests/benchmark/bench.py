"""Runs benchmark scenes and keeps their records.

    python3 tests/benchmark/bench.py [--repeat N] [--against PROGRAM] [--records FILE] [SCENE...]

Each scene runs N times (default 3) in a process of its own; each run appends its record, a line of JSON, to the
file of records (out/benchmark/records.jsonl). A table of medians is printed: machines are shared, so compare
programs by turns (--against), never by one absolute time. `--scaling` runs the beds of 1,000 to 100,000 spheres
instead and draws time per step and body against the number of bodies (out/benchmark/scaling.png). `--ranks N`
compares, by turns, one run on N ranks with N copies of the serial program at once, which is the ceiling: what N
cores of this machine can do. It prints for each part of a step how much of the ceiling is reached, per sweep where
it sweeps. `--threads N` does so with one run on N threads, which must end in the same state.
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
         'wall_of_bricks', 'cubes_27']
PARALLEL = ['bed_20000', 'cube_8000', 'drum_1000', 'drum_10000', 'cubes_216']
BEDS = ['bed_1000', 'bed_3000', 'bed_10000', 'bed_30000', 'bed_100000']
PHASES = ['integration', 'detection', 'local_dynamics', 'solution']


def start(command, scene, steps, folder):
    """Starts a scene in a process of its own; results go below the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    words = [scene] if steps is None else [scene, str(steps)]
    return subprocess.Popen([*command, '-w', HERE / 'scene.py', *words], cwd=folder, stdout=subprocess.PIPE, text=True)


def records_of(process):
    """Records that a process leaves, one per rank, when it has ended."""
    text = process.communicate()[0]
    if process.returncode != 0:
        sys.exit('bench: failed: ' + ' '.join(map(str, process.args)))
    records = []
    while '{' in text:  # of ranks they may stand in one line
        record, end = json.JSONDecoder().raw_decode(text := text[text.index('{'):])
        records.append(record)
        text = text[end:]
    return sorted(records, key=lambda record: record['rank'])


def run(program, scene, steps, folder):
    """Record of one run of a scene on one rank."""
    return records_of(start([program], scene, steps, folder))[0]


def on_ranks(ranks):
    """How a program is started on several ranks, by anybody on any number of cores."""
    return ['env', 'OMPI_ALLOW_RUN_AS_ROOT=1', 'OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1',
            'OMPI_MCA_rmaps_base_oversubscribe=1',
            'mpiexec', '-np', str(ranks)]


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


def mean_over(records, pick):
    return statistics.mean(pick(record) for record in records)


def step_parts(records):
    """Milliseconds of a step and of its parts, mean over the runs given; the solution per 100 sweeps."""
    sweeps = records[0]['sweeps']['mean']
    parts = {phase: mean_over(records, lambda r: 1000 * r['seconds'][phase] / r['steps'])
             for phase in [*PHASES, 'balancing']}
    parts['step'] = mean_over(records, lambda r: 1000 * r['seconds']['step'])
    parts['solution of 100 sweeps'] = 100 * parts['solution'] / sweeps
    return parts


def compare_shared(scene, options, file):
    """A scene on ranks, or by threads, and as many serial copies at once, by turns; one line per part of a step."""
    program, n = options.program.resolve(), options.ranks or options.threads
    kind = 'ranks' if options.ranks else 'threads'
    many = [*on_ranks(n), program.with_name('solfec-mpi')] if options.ranks else [program, '-j', str(n)]
    folder = options.records.parent
    ceiling, reached, traffic = [], [], []
    for _ in range(options.repeat):
        copies = [start([program], scene, options.steps, folder / ('copy_%d' % k)) for k in range(n)]
        together = [records_of(copy)[0] for copy in copies]
        reports = records_of(start(many, scene, options.steps, folder))
        for record in together + reports:
            file.write(json.dumps(record) + '\n')
        file.flush()
        ceiling.append(step_parts(together))
        reached.append(step_parts(reports))
        traffic = [r['traffic'] for r in reports]
    if options.threads and reports[0]['state'] != together[0]['state']:
        sys.exit('bench: %s ends in another state with threads' % scene)
    print('%s: %d bodies, %d contacts, sweeps %.1f (one copy) and %.1f' % (
        scene, together[0]['bodies'], together[0]['contacts'], together[0]['sweeps']['mean'],
        reports[0]['sweeps']['mean']))
    if options.ranks:
        print('  a rank sends %.1f messages and %.0f bytes a step, and takes part in %.1f collective operations' % (
            mean_over(traffic, lambda t: t['messages']), mean_over(traffic, lambda t: t['bytes']),
            mean_over(traffic, lambda t: t['collectives'])))
    for part in reached[0]:
        one, shared = (statistics.median(run[part] for run in runs) for runs in (ceiling, reached))
        print('  %-24s %10.3f ms in %d copies %10.3f ms on %d %s   %.2f of the ceiling' % (
            part, one, n, shared, n, kind, one / n / shared if shared > 0 else 0), flush=True)


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
    parser.add_argument('scenes', nargs='*', choices=[[], *FIXED, *BEDS, *PARALLEL], metavar='SCENE')
    parser.add_argument('--repeat', type=int, default=3)
    parser.add_argument('--steps', type=int, help="instead of the scene's own number")
    parser.add_argument('--program', type=pathlib.Path, default=ROOT / 'build' / 'bin' / 'solfec')
    parser.add_argument('--against', type=pathlib.Path, help='another program, run in turns with the first')
    parser.add_argument('--records', type=pathlib.Path, default=ROOT / 'out' / 'benchmark' / 'records.jsonl')
    parser.add_argument('--scaling', action='store_true', help='cost per step and body of growing beds')
    shared = parser.add_mutually_exclusive_group()
    shared.add_argument('--ranks', type=int, help='efficiency on so many ranks')
    shared.add_argument('--threads', type=int, help='efficiency of so many threads')
    options = parser.parse_args()
    programs = [options.program] + ([options.against] if options.against else [])
    options.records.parent.mkdir(parents=True, exist_ok=True)
    if options.ranks or options.threads:
        with open(options.records, 'a') as file:
            for scene in options.scenes or PARALLEL:
                compare_shared(scene, options, file)
        return
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
