"""Rotating drum of rigid or pseudo-rigid ellipsoids (technical report of 2019, section 8.1).

What it shows
    Particles dropped layer by layer by a CALLBACK into a drum with two fins; when all are in, the drum, an
    OBSTACLE, starts to rotate. What is left to insert is derived from the model, not from variables of the
    script, so that a continued run goes on as if it had never stopped.

How to run it
    solfec -w inp/rotating-drum.py [options]

    -npar number       particles (default: 100)
    -kifo RG|PR        RIGID or PSEUDO_RIGID particles (default: PR)
    -solv GS|NS|AS     Gauss-Seidel (default), Newton or automatic solver
    -maxi number       bound on its iterations (default: 10000)
    -meri number       merit at which a step has converged (default: 1E-8)
    -nsdl number       Newton solver: delta (default: 0)
    -rldl word         delta is absolute (OFF, default) or relative to W (avgWii, minWii or maxWii)
    -leps number       accuracy of its linear steps (default: 0.25)
    -lmxi number       bound on the iterations of a linear step (default: 10)
    -step number       time step (default: 0.001)
    -stop number       duration (default: 10)
    -outi number       output interval (default: 0.03)
    -fric number       friction coefficient (default: 0.3)
    -dens number       density of the particles (default: 100)
    -angv number       angular velocity of the drum (default: 1)
    -sphs              balls instead of ellipsoids
    -init directory    goes on from the last frame of another run of the same particles, with this solver
    -xdmf              exports all frames for ParaView, to <output>/xdmf: after a run, or of results that are there
    -prfx word         prefix of the output directory's name
    -subd word         sub-directory of the output directory
    -sumf file         writes a summary of the steps to a JSON file (solfec.run_summary tells what is in it)

What to expect
    Of 100 particles 96 are dropped in the first step, in three layers of 8 by 4, and the rest 0.6 s later when
    there is room again; then the drum starts to turn and carries them up one side, where they avalanche. At the
    end it is checked that all particles are in the drum and that it has turned as far as it should; the mean and
    the largest number of iterations per step, steps that did not converge and the wall time of each phase of a
    step, sampled at the frames, are printed. Run it again to read the same from the results (iterations are then
    those of the frames).
"""

from math import atan2, pi, sin, sqrt

from solfec import solver_options
from solfec.export.command import export_all
from solfec.options import read_options
from solfec.run_summary import StepRecord


def options(words):
    """Values of the options, checked."""
    numbers = {**solver_options.NUMBERS, '-npar': 100, '-step': 0.001, '-stop': 10.0, '-outi': 0.03, '-fric': 0.3,
               '-dens': 100.0, '-angv': 1.0}
    texts = {**solver_options.TEXTS, '-kifo': 'PR', '-prfx': '', '-subd': '', '-sumf': '', '-init': ''}
    later = {'-weak': 'weak scaling'}
    values = read_options('rotating-drum', words, {**numbers, **texts, '-sphs': False, '-xdmf': False},
                          positive=(*solver_options.POSITIVE, '-npar', '-step', '-stop', '-dens'),
                          not_negative=solver_options.NOT_NEGATIVE, later=later)
    if values['-kifo'] == 'FE':
        raise SystemExit('rotating-drum: -kifo FE needs finite element bodies with a mesh around their shape, which '
                         'are not available yet')
    if values['-kifo'] not in ('RG', 'PR'):
        raise SystemExit('rotating-drum: -kifo must be RG or PR, got %s' % values['-kifo'])
    solver_options.check('rotating-drum', values)
    return values


option = options(NON_SOLFEC_ARGV())
npar, step, stop = option['-npar'], option['-step'], option['-stop']
kinds = {'RG': 'RIGID', 'PR': 'PSEUDO_RIGID'}
shape = 'sph' if option['-sphs'] else 'ell'

output = 'out/rotating-drum/%s%s_%s_N%d_s%g_f%g_d%g_%s%s' % (
    option['-prfx'], shape, option['-kifo'], npar, step, option['-fric'], option['-dens'],
    solver_options.label(option), '_init' if option['-init'] else '')
if option['-subd']:
    output += '/' + option['-subd']

solfec = SOLFEC('DYNAMIC', step, output)
OUTPUT(solfec, option['-outi'])
GRAVITY(solfec, (0, 0, -10))
SURFACE_MATERIAL(solfec, model='SIGNORINI_COULOMB', friction=option['-fric'])
steel = BULK_MATERIAL(solfec, model='KIRCHHOFF', label='drum', young=1E6, poisson=0.25, density=100)
grain = BULK_MATERIAL(solfec, model='KIRCHHOFF', label='particle', young=1E6, poisson=0.25,
                      density=option['-dens'])


def box(center, size):
    """A block given by its centre and size."""
    corners = []
    for i in range(8):
        for c, s, high in zip(center, size, (i & 1, i & 2, i & 4)):
            corners.append(c + (s / 2 if high else -s / 2))
    return HULL(corners, 1, 1)


def disc(y0, y1, radius):
    """A wall across the axis of the drum."""
    pipe = PIPE((0, y0, 0), (0, y1 - y0, 0), 0.5 * radius, 0.5 * radius, 1, 32, 1, 1, [1, 1, 1, 1])
    corners = [x for n in range(pipe.nnod) for x in pipe.node(n)]
    return HULL(corners, 1, 1)


drum = BODY(solfec, 'OBSTACLE',
            [PIPE((0, 0, 0), (0, 0.5, 0), 1, 0.05, 1, 32, 1, 1, [1, 1, 1, 1]),
             box((-0.9, 0.25, 0), (0.2, 0.5, 0.2)), box((0.9, 0.25, 0), (0.2, 0.5, 0.2))],
            steel, label='drum')
BODY(solfec, 'OBSTACLE', disc(-0.05, 0, 1.05), steel)
BODY(solfec, 'OBSTACLE', disc(0.5, 0.55, 1.05), steel)
obstacles = solfec.nbod

# sizes of the particles and of the layers in which they are dropped
r0 = (0.1 / npar) ** (1.0 / 3.0)
rx, ry, rz = 0.9 * r0, 0.5 * r0, r0
if option['-sphs']:
    rx = ry = rz = (rx + ry + rz) / 3.0
layers = max(1, int(0.75 / (2 * rz)))
fall_time = layers * sqrt(2 * (2 * rz + 0.1 * rz) / 10.0)


def positions():
    """Places of one insertion: layers from the top down, each filled along x and y."""
    z = 0.25
    for layer in range(layers):
        x = -0.7
        while x < 0.7 and x + 2 * rx <= 0.8:  # none into the fin
            y = 0.05
            while y < 0.45 and y + 2 * ry <= 0.5:  # nor into the wall
                yield x + rx, y + ry, z - rz
                y += 2 * ry
            x += 2 * rx
        z -= 2 * rz


def insert():
    """Drops further particles; starts the drum when all are in."""
    inserted = solfec.nbod - obstacles
    if inserted == npar:
        if not any(VELOCITY(drum, (1, 0.25, 0))):
            INITIAL_VELOCITY(drum, (0, 0, 0), (0, option['-angv'], 0))
        return 1
    for (x, y, z), number in zip(positions(), range(inserted, npar)):
        if option['-sphs']:
            particle = SPHERE((x, y, z), rx, 1, 1)
        else:
            particle = ELLIP((x, y, z), (rx, ry, rz), 1, 1)
        body = BODY(solfec, kinds[option['-kifo']], particle, grain)
        if option['-kifo'] == 'PR':
            body.scheme = 'DEF_LIM'
            body.damping = step
    return 1


def turned():
    """Angle of the drum [rad], from 0 to 2 pi."""
    edge = DISPLACEMENT(drum, (1, 0.25, 0))
    return atan2(-edge[2], 1 + edge[0]) % (2 * pi)


insertions = -(-npar // len(list(positions())))
turns_from = insertions * fall_time  # the call after the last insertion starts it
if option['-init']:
    for _ in range(insertions):
        insert()
    INITIALIZE_STATE(solfec, option['-init'], 1E9)
    turns_from = 0

solver = solver_options.solver(option)
if option['-sumf']:
    steps = StepRecord(solfec, solver, fall_time, insert)
else:
    CALLBACK(solfec, fall_time, None, insert)
SEEK(solfec, 0)  # READ mode: the first frame
first_angle = turned()
RUN(solfec, solver, stop)
if option['-sumf']:
    steps.write(option['-sumf'])

SEEK(solfec, stop)  # READ mode: the last frame

# Outcome: all are in, and the drum has turned since then.
for body in solfec.bodies[obstacles:]:  # on several ranks: those that are here
    x, y, z = (c + d for c, d in zip(body.center, DISPLACEMENT(body, body.center)))
    assert x * x + z * z < 1 and 0 < y < 0.5, 'particles got lost'
inside = solfec.nbod - obstacles
angle = turned()
print('%d of %d particles are inserted, %d are in the drum, which has turned by %.3f radians' % (
    solfec.nbod - obstacles, npar, inside, angle))
expected = (first_angle + option['-angv'] * max(0.0, stop - turns_from)) % (2 * pi)
assert abs(sin(0.5 * (angle - expected))) < abs(option['-angv']) * 2 * step + 1E-6, 'the drum turns'

names = ['TIMINT', 'CONDET', 'LOCDYN', 'CONSOL', 'CONS', solver_options.history(option)]
times, *columns = HISTORY(solfec, names, 0, stop)
means = [1000 * sum(column) / len(column) for column in columns[:4]]
if solfec.mode == 'WRITE':
    print('wall time of a step [ms]:', ', '.join('%s %.3f' % pair for pair in zip(names, means)))
    counts = solver.itershist
else:
    counts = [int(count) for count in columns[5][1:]]
diverged = sum(count >= option['-maxi'] for count in counts)
converged = [count for count in counts if count < option['-maxi']]
print('constraints: mean %.1f, largest %d' % (sum(columns[4]) / len(times), max(columns[4])))
print('iterations per step: mean %.1f, of converged steps %.1f, largest %d; diverged steps %d of %d' % (
    sum(counts) / len(counts), sum(converged) / max(1, len(converged)), max(counts), diverged, len(counts)))
if option['-xdmf']:
    export_all(solfec)
