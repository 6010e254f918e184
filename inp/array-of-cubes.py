"""Array of cubes in a shaken box (technical report of 2019, section 8.2).

What it shows
    M x M x M cubes with small gaps between them, in a box of six OBSTACLE walls that SET_VELOCITY drives sideways, all
    in the same way: a sine dwell whose velocity comes from its acceleration (solfec.signals). Finite elements, affine
    deformation or none: the mesh is the same, for what is rigid it means more contact points.

How to run it
    solfec -w inp/array-of-cubes.py [options]

    -M number          cubes along an edge of the array (default: 5)
    -N number          elements along an edge of a cube (default: 2)
    -kifo BC|TL|PR|RG  finite elements, co-rotated or total Lagrangian, PSEUDO_RIGID or RIGID cubes (default: BC)
    -solv GS|NS|AS     Gauss-Seidel (default), Newton or automatic solver
    -maxi number       bound on its iterations (default: 10000)
    -meri number       merit at which a step has converged (default: 1E-8)
    -nsdl number       Newton solver: delta (default: 0)
    -rldl word         delta is absolute (OFF, default) or relative to W (avgWii, minWii or maxWii)
    -leps number       accuracy of its linear steps (default: 0.25)
    -lmxi number       bound on the iterations of a linear step (default: 10)
    -step number       time step (default: 0.0005)
    -stop number       duration; the box rests during the last fifth of it (default: 3)
    -outi number       output interval (default: 0.003)
    -fric number       friction coefficient (default: 0.1)
    -dens number       density of the cubes (default: 1000)
    -weak              M x M x M cubes for each rank: edges of the array grow by the factors of the number of ranks;
                       results are read again on as many ranks
    -xdmf              exports all frames for ParaView, to <output>/xdmf: after a run, or of results that are there
    -prfx word         prefix of the output directory's name
    -subd word         sub-directory of the output directory
    -sumf file         writes a summary of the steps to a JSON file (solfec.run_summary tells what is in it)

What to expect
    The cubes fall through their gaps, and the box is shaken with 5 m/s^2 at 2 Hz, five times what friction can hold:
    they slide to and fro between the walls and bump into them. The motion ends with the last half cycle before 0.8 of
    the duration (in a run too short for one it is weaker), and friction stops the cubes. At the end it is checked that
    the walls are where their velocity takes them and that all cubes are between them; the mean and the largest number
    of iterations per step, steps that did not converge, the largest merit and the wall time of each phase of a step,
    sampled at the frames, are printed. Run it again to read the same from the results (iterations are then those of
    the frames).
"""

from solfec import solver_options
from solfec.export.command import export_all
from solfec.options import read_options
from solfec.run_summary import StepRecord
from solfec.signals import interleave, sine_sweep


def options(words):
    """Values of the options, checked."""
    numbers = {**solver_options.NUMBERS, '-M': 5, '-N': 2, '-step': 0.0005, '-stop': 3.0, '-outi': 0.003,
               '-fric': 0.1, '-dens': 1000.0}
    texts = {**solver_options.TEXTS, '-kifo': 'BC', '-prfx': '', '-subd': '', '-sumf': ''}
    values = read_options('array-of-cubes', words, {**numbers, **texts, '-weak': False, '-xdmf': False},
                          positive=(*solver_options.POSITIVE, '-M', '-N', '-step', '-stop', '-dens'),
                          not_negative=(*solver_options.NOT_NEGATIVE, '-outi', '-fric'))
    if values['-stop'] < 5 * values['-step']:
        raise SystemExit('array-of-cubes: -stop must be 5 steps at least')
    if values['-kifo'] not in ('BC', 'TL', 'PR', 'RG'):
        raise SystemExit('array-of-cubes: -kifo must be BC, TL, PR or RG, got %s' % values['-kifo'])
    solver_options.check('array-of-cubes', values)
    return values


option = options(NON_SOLFEC_ARGV())
M, N, step, stop, kinematics = (option[name] for name in ('-M', '-N', '-step', '-stop', '-kifo'))

output = 'out/array-of-cubes/%s%s_M%d_N%d_s%g_f%g_d%g_%s%s' % (
    option['-prfx'], kinematics, M, N, step, option['-fric'], option['-dens'], solver_options.label(option),
    '_weak' if option['-weak'] else '')
if option['-subd']:
    output += '/' + option['-subd']

solfec = SOLFEC('DYNAMIC', step, output)
solfec.contact_points = 'ONE'  # one per pair of elements, as in the report
OUTPUT(solfec, option['-outi'])
GRAVITY(solfec, (0, 0, -10))
SURFACE_MATERIAL(solfec, model='SIGNORINI_COULOMB', friction=option['-fric'])
material = BULK_MATERIAL(solfec, model='KIRCHHOFF', young=1E9, poisson=0.25, density=option['-dens'])

edge, gap, thickness = 0.1, 0.01 / M, 0.1  # of a cube, between neighbours, of a wall [m]


def array_size(ranks):
    """Cubes along x, y and z: M of them, and the shortest edge times each prime factor of the number of ranks."""
    counts, factor = [M, M, M], 2
    while ranks > 1:
        if ranks % factor == 0:
            counts[counts.index(min(counts))] *= factor
            ranks //= factor
        else:
            factor += 1
    return counts


def block(low, high, elements):
    """A mesh of n x n x n elements between two opposite corners."""
    (x0, y0, z0), (x1, y1, z1) = low, high
    corners = [x0, y0, z0, x1, y0, z0, x1, y1, z0, x0, y1, z0, x0, y0, z1, x1, y0, z1, x1, y1, z1, x0, y1, z1]
    return HEX(corners, elements, elements, elements, 1, [1, 1, 1, 1, 1, 1])


def cube(shape):
    if kinematics in ('BC', 'TL'):
        body = BODY(solfec, 'FINITE_ELEMENT', shape, material, form=kinematics)
    else:
        body = BODY(solfec, {'PR': 'PSEUDO_RIGID', 'RG': 'RIGID'}[kinematics], shape, material)
    if kinematics != 'RG':
        body.scheme = 'DEF_LIM'
        body.damping = step


# The inside of the box starts at the origin, its walls meet outside of it.
counts = array_size(NCPU(solfec) if option['-weak'] else 1)
inside = [n * edge + (n + 1) * gap for n in counts]
shaking = sine_sweep(step, 0.8 * stop, 2, 2, 5)
velocity = TIME_SERIES(interleave(shaking.times, shaking.velocity))
walls = []
for axis in range(3):
    for start in (-thickness, inside[axis]):
        low, high = [-thickness] * 3, [size + thickness for size in inside]
        low[axis], high[axis] = start, start + thickness
        walls.append(BODY(solfec, 'OBSTACLE', block(low, high, 1), material, label='wall %d' % (len(walls) + 1)))
        SET_VELOCITY(walls[-1], walls[-1].center, (1, 1, 0), velocity)

for k in range(counts[2]):
    for j in range(counts[1]):
        for i in range(counts[0]):
            low = [gap + n * (edge + gap) for n in (i, j, k)]
            cube(block(low, [x + edge for x in low], N))

solver = solver_options.solver(option)
if option['-sumf']:
    steps = StepRecord(solfec, solver)
RUN(solfec, solver, stop)
if option['-sumf']:
    steps.write(option['-sumf'])

SEEK(solfec, stop)  # READ mode: the last frame

# Outcome: the walls have gone the way of the signal, and the cubes are between them.
way = shaking.displacement[-1] / 2**0.5
moves = [DISPLACEMENT(wall, wall.center) for wall in walls]
assert all(abs(move[axis] - (way, way, 0)[axis]) < 1E-9 for move in moves for axis in range(3)), 'the box moves'
for body in solfec.bodies[len(walls):]:  # on several ranks: those that are here
    place = [c + d - m for c, d, m in zip(body.center, DISPLACEMENT(body, body.center), moves[0])]
    assert all(0.49 * edge < x < size - 0.49 * edge for x, size in zip(place, inside)), 'cubes got lost'

names = ['TIMINT', 'CONDET', 'LOCDYN', 'CONSOL', 'CONS', solver_options.history(option), 'MERIT', (solfec, 'KINETIC')]
times, *columns = HISTORY(solfec, names, 0, stop)
if solfec.mode == 'WRITE':
    numbers = solver.itershist
else:
    numbers = [int(number) for number in columns[5][1:]]
if RANK() == 0:
    print('%d cubes are in the box, which has been moved to %.6f m along x and y; kinetic energy: largest %.4g J, at '
          'the end %.3g J' % (counts[0] * counts[1] * counts[2], moves[0][0], max(columns[7]), columns[7][-1]))
    if solfec.mode == 'WRITE':
        print('wall time of a step [ms]:', ', '.join('%s %.3f' % (name, 1000 * sum(column) / len(column))
                                                     for name, column in zip(names[:4], columns)))
    print('constraints: mean %.1f, largest %d; merit: largest %.1e' % (
        sum(columns[4]) / len(times), max(columns[4]), max(columns[6])))
    print('iterations per step: mean %.1f, largest %d; diverged steps %d of %d' % (
        sum(numbers) / len(numbers), max(numbers), sum(number >= option['-maxi'] for number in numbers), len(numbers)))
if option['-xdmf']:
    export_all(solfec)
