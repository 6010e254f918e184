"""A pile that settles, and is then watched for 10,000 steps.

    solfec -w settled_pile.py spheres|mixed [steps]

With `steps` the run ends after so many: the line 'state at step 1000' serves to compare two runs.
"""

import pathlib
import statistics
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / 'benchmark'))
import scenes  # noqa: E402

FRICTION = 0.3
WATCHED = 10000
G = 10.0  # of the scenes
HEIGHT = 11  # of the mass centre, in BODY.conf

words = NON_SOLFEC_ARGV()
kind, last = words[0], int(words[1]) if len(words) > 1 else None
name = 'settled_%s_%s' % (kind, last)
if kind == 'spheres':
    smallest, settling = 1.0, 2.0
    solfec, _, _, _ = scenes.bed_of_spheres(16, 16, 4, name=name)
else:
    smallest, settling = 0.4, 8.0  # at 6 s a grain may still roll off
    solfec, _, _, _ = scenes.mixed_shapes(9, 3, step=3.5E-4, name=name)
movers = [body for body in solfec.bodies if body.kind != 'OBSTACLE']
steps, fastest, peak = 0, 0.0, 0.0


def while_settling():
    global steps, fastest, peak
    steps += 1
    if steps == 1000:
        print('state at step 1000', scenes.state_hash(solfec), flush=True)
    if steps % 20 == 0:
        fastest = max([fastest] + [abs(v) for body in movers for v in body.velo[3:]])
        peak = max(peak, ENERGY(solfec)[0])
    return steps != last


def look():
    """Deepest contact, kinetic and total energy; every reaction lies in the cone."""
    depth = 0.0
    for contact in solfec.constraints:
        T1, T2, N = contact.R
        assert N >= 0 and (T1**2 + T2**2)**0.5 <= FRICTION * N + 1E-12 * N, contact.R
        depth = max(depth, -contact.gap)
    kinetic = ENERGY(solfec)[0]
    return depth, kinetic, kinetic + sum(body.mass * G * body.conf[HEIGHT] for body in movers)


def while_watched():
    global steps
    steps += 1
    assert solver.merhist[-1] < solver.meritval, 'merit %g at step %d' % (solver.merhist[-1], steps)
    if steps % 100 == 0:
        seen.append(look())
    return True


CALLBACK(solfec, 0.5 * solfec.step, (), while_settling)
RUN(solfec, GAUSS_SEIDEL_SOLVER(1.0, 50, 1E-4), settling)
if last is None:
    solver = GAUSS_SEIDEL_SOLVER(1.0, 5000, 1E-6)
    seen = [look()]
    CALLBACK(solfec, 0.5 * solfec.step, (), while_watched)
    first = steps
    RUN(solfec, solver, (WATCHED + 0.5) * solfec.step)
    depths, energies, totals = zip(*seen)
    # Of quarters: the deepest contact of a moment may be one that comes and goes.
    quarter = len(depths) // 4
    growth = statistics.median(depths[-quarter:]) - statistics.median(depths[:quarter])
    gained = max(after - before for before, after in zip(totals, totals[1:]))
    print('%d bodies, %d contacts, %d steps watched' % (len(movers), solfec.ncon, steps - first))
    print('way per step / smallest size: %.4f' % (fastest * solfec.step / smallest))
    print('depth / smallest size: %.5f, growth %.2g' % (max(depths) / smallest,
                                                        growth / smallest))
    print('kinetic energy: largest %.3g, at the start of the watch %.3g, at its end %.3g'
          % (peak, energies[0], energies[-1]))
    print('total energy: lost %.4g, gained most between two looks %.3g' % (totals[0] - totals[-1], gained))
    assert steps - first >= WATCHED
    assert fastest * solfec.step <= 0.005 * smallest
    assert max(depths) <= 0.01 * smallest
    assert growth <= 0.001 * smallest
    assert max(energies) < 1E-3 * peak
    # A grain may yet roll off, and kinetic energy rise by that; the total one does not, but for what
    # lifts bodies that overlap.
    assert gained <= 1E-5 * peak
