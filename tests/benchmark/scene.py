"""Runs one scene and prints its record, a line of JSON; of many ranks each its own (run by bench.py).

    solfec -w scene.py NAME [steps]
"""

import json
import pathlib
import resource
import runpy
import sys
import time

import scenes
import solfec as package

PHASES = {'integration': 'TIMINT', 'detection': 'CONDET', 'local_dynamics': 'LOCDYN', 'solution': 'CONSOL',
          'balancing': 'PARBAL'}
DRUM = pathlib.Path(__file__).resolve().parents[2] / 'inp' / 'rotating-drum.py'
DRUMS = {'drum_rigid': 'RG', 'drum_pseudo_rigid': 'PR'}


def run_scene(name, steps):
    """Makes and runs a scene of scenes.py; returns (SOLFEC object, steps, solver, phase times, traffic)."""
    solfec, solver, first, default_steps = scenes.SCENES[name]()
    steps = steps or default_steps
    seconds = dict.fromkeys(PHASES, 0.0)
    moments = []  # steps, time and traffic at the end of every fifth step: ranks sum up energies for a callback
    if first:
        RUN(solfec, solver, (first - 0.5) * solfec.step)

    def look():
        moments.append((round(solfec.time / solfec.step), time.perf_counter(), *solfec.traffic))
        for phase, kind in PHASES.items():
            seconds[phase] += TIMING(solfec, kind)
        return True

    CALLBACK(solfec, min(5, steps // 2) * solfec.step, (), look)  # twice at least
    solver.itershist = 'ON'
    RUN(solfec, solver, (steps - 0.5) * solfec.step)
    seconds = {phase: steps * sum_of / len(moments) for phase, sum_of in seconds.items()}
    count, *amounts = (b - a for a, b in zip(moments[0], moments[-1]))
    seconds['step'], messages, size, collectives = (amount / count for amount in amounts)
    return solfec, steps, solver, seconds, {'messages': messages, 'bytes': size, 'collectives': collectives}


def run_drum(name, steps):
    """The same for the drum of inp/: it is run as it stands; its phase times are sampled at its frames."""
    steps = steps or 2000
    words = ['-kifo', DRUMS[name], '-stop', str(steps * 1E-3), '-prfx', 'benchmark_']
    names = {command: getattr(package, command) for command in package.__all__}
    names['NON_SOLFEC_ARGV'] = lambda: words
    output, sys.stdout = sys.stdout, sys.stderr
    try:
        model = runpy.run_path(str(DRUM), names)
    finally:
        sys.stdout = output
    solfec, solver = model['solfec'], model['solver']
    times, *samples = HISTORY(solfec, list(PHASES.values()), 0, steps * 1E-3)
    seconds = {phase: steps * sum(sample) / len(sample) for phase, sample in zip(PHASES, samples)}
    return solfec, steps, solver, seconds, None


def record_of(name, steps=None):
    """Record of a run: counts, sweeps, seconds of the phases and of the whole, bytes, state hash; of a scene of
    scenes.py also the seconds of a step, and what was sent in it."""
    start = time.perf_counter()
    solfec, steps, solver, seconds, traffic = (run_drum if name in DRUMS else run_scene)(name, steps)
    seconds['all'] = time.perf_counter() - start
    results = pathlib.Path(solfec.outpath)
    sweeps = solver.itershist
    return {
        'scene': name, 'steps': steps, 'rank': RANK(), 'ranks': NCPU(), 'contacts': solfec.ncon,
        'bodies': sum(body.kind != 'OBSTACLE' for body in solfec.bodies), 'traffic': traffic,
        'sweeps': {'mean': sum(sweeps) / len(sweeps), 'most': max(sweeps),
                   'steps_at_the_bound': sum(n >= solver.maxiter for n in sweeps)},
        'seconds': seconds,
        'bytes': {'results': sum(f.stat().st_size for f in results.rglob('*') if f.is_file()),
                  'memory': resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024},
        'state': scenes.state_hash(solfec)}


words = NON_SOLFEC_ARGV()
if not words or words[0] not in {*scenes.SCENES, *DRUMS}:
    sys.exit('scene.py NAME [steps], with a name of: ' + ' '.join([*scenes.SCENES, *DRUMS]))
print(json.dumps(record_of(words[0], int(words[1]) if len(words) > 1 else None)))
