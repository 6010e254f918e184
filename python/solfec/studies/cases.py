"""What the studies run: cases, each of them one run of an example, in lists that follow the report's section 8."""

from __future__ import annotations

from dataclasses import dataclass, replace

NORMS = ('OFF', 'minWii', 'avgWii', 'maxWii')
DRUM, CUBES = 'inp/rotating-drum.py', 'inp/array-of-cubes.py'
DRUM_KINDS = ('RG', 'PR')
CUBE_KINDS = ('RG', 'PR', 'BC', 'TL')


@dataclass(frozen=True)
class Case:
    """One run of an example."""
    script: str
    words: tuple   # its options, as on the command line
    ranks: int = 1
    bed: Case | None = None  # run before, it goes on from the results of that
    results: str = ''        # the output directory, where others go on from them

    @property
    def command(self):
        """The command, without `-w` and without options that change nothing but output; it names the case."""
        start = 'solfec' if self.ranks == 1 else 'mpiexec -np %d solfec-mpi' % self.ranks
        return ' '.join((start, self.script, *self.words))


@dataclass(frozen=True)
class Study:
    """A list of cases that belong together."""
    cases: list
    limit: int | None = None  # processor time after which a case is stopped [s]
    alone: bool = False       # its cases are timed: one at a time


@dataclass(frozen=True)
class Size:
    """How large the studies are: those of the page, or short ones for tests."""
    particles: int = 100
    drum_stop: float = 10      # simulated time [s]
    grid_stop: float = 10      # of the grids of parameters [s]
    grid_limit: int = 30       # processor time of a case of a grid [s]
    absolute: tuple = (1E-13, 1E-5, 1E-4, 1E-3, 1E-2)
    relative: tuple = (0.001, 0.005, 0.01, 0.025, 0.1)
    epsilons: tuple = (0.001, 0.01, 0.1, 0.25)        # with m = 1000
    bounds: tuple = (5, 10, 20, 50)                   # m, with epsilon = 0.001
    pairs: tuple = ((0.01, 5), (0.05, 10), (0.1, 20), (0.25, 10), (0.25, 15), (0.25, 20))  # (epsilon, m)
    drum_densities: tuple = (10, 30, 100, 300, 1000)
    drum_frictions: tuple = (0, 0.1, 0.3, 0.5, 0.8)
    density_limit: int = 35    # processor time of a case [s]
    friction_limit: int = 90
    ranks: tuple = (1, 2, 4)
    cube_ranks: tuple = (1, 2)
    drum_large: int = 10000
    drum_bed_stop: float = 10  # of the bed that these go on from [s]
    drum_large_stop: float = 0.03
    edge: int = 3              # cubes along the edge of an array
    cubes_stop: float = 1
    cubes_limit: int = 50
    cube_deltas: tuple = (0, 0.001, 0.01, 0.1, 1)
    cube_varied_deltas: tuple = (0.01, 0.1)  # of the sections on density and friction
    cube_pairs: tuple = ((0.25, 10), (0.01, 5))
    cube_densities: tuple = (100, 1000, 10000)
    cube_frictions: tuple = (0, 0.1, 0.3, 0.6)
    cube_large: int = 4
    cube_large_stop: float = 0.1


FULL = Size()
SHORT = Size(particles=12, drum_stop=0.03, grid_stop=0.03, absolute=(1E-4,), relative=(0.01,), epsilons=(0.25,),
             bounds=(10,), pairs=((0.25, 10),), drum_densities=(100,), drum_frictions=(0.3,), ranks=(1,),
             cube_ranks=(1,), drum_large=16, drum_bed_stop=0.3, drum_large_stop=0.02, edge=2, cubes_stop=0.02,
             cube_deltas=(0.01,), cube_varied_deltas=(0.01,), cube_pairs=((0.25, 10),), cube_densities=(1000,),
             cube_frictions=(0.1,), cube_large=2, cube_large_stop=0.02)

BOUND = ('-maxi', '1000')  # on the iterations of a step, the report's
GAUSS_SEIDEL = ('-solv', 'GS')
AUTOMATIC = ('-solv', 'AS')


def newton(delta, epsilon, m, norm):
    """Options of the Newton solver with the report's (delta, epsilon, m), delta relative to a norm of W or not."""
    return '-solv', 'NS', '-nsdl', '%g' % delta, '-rldl', norm, '-leps', '%g' % epsilon, '-lmxi', '%d' % m


# The report's choices of (delta, epsilon, m, norm): Table 2 with absolute, Table 3 with relative delta.
TUNED = {('RG', 'OFF'): (1E-4, 0.25, 15, 'OFF'), ('PR', 'OFF'): (1E-13, 0.25, 20, 'OFF'),
         ('RG', 'avgWii'): (0.01, 0.25, 10, 'avgWii'), ('PR', 'avgWii'): (0.01, 0.01, 5, 'avgWii')}


def tuned(kind, norm='avgWii', delta=None):
    """Options of the Newton solver as the report tunes it, with another delta when one is given."""
    own, *rest = TUNED[kind, norm]
    return newton(own if delta is None else delta, *rest)


def drum(size, kind, solver, stop=None, particles=None, shape='ell', ranks=1, **others):
    """A case of the rotating drum; others are further options, such as fric=0.1."""
    words = ['-npar', particles or size.particles, '-kifo', kind, '-stop', '%g' % (stop or size.drum_stop), *BOUND]
    words += ['-sphs'] if shape == 'sph' else []
    return _case(DRUM, words, solver, ranks, others)


def cubes(size, kind, solver, stop=None, edge=None, ranks=1, **others):
    """A case of the array of cubes."""
    words = ['-M', edge or size.edge, '-kifo', kind, '-stop', '%g' % (stop or size.cubes_stop), *BOUND]
    return _case(CUBES, words, solver, ranks, others)


def _case(script, words, solver, ranks, others):
    words = [*words, *(word for name, value in others.items() for word in ('-' + name, '%g' % value)), *solver]
    return Case(script, tuple(map(str, words)), ranks)


def grid(size):
    """The report's grids by letter, each a list of (epsilon, m), to be taken with each delta."""
    return {'a': [(epsilon, 1000) for epsilon in size.epsilons], 'b': [(0.001, m) for m in size.bounds],
            'c': size.pairs}


def deltas(size, norm):
    """Values of delta of the grids."""
    return size.absolute if norm == 'OFF' else size.relative


def grid_drum(size, kind, solver):
    """A case of the grids."""
    return drum(size, kind, solver, size.grid_stop)


def grid_cases(size, norm):
    """Cases of the grids of a norm, with the run of Gauss-Seidel that they are compared with."""
    cases = [grid_drum(size, kind, GAUSS_SEIDEL) for kind in DRUM_KINDS]
    points = [point for points in reversed(grid(size).values()) for point in points]
    return cases + [grid_drum(size, kind, newton(delta, epsilon, m, norm)) for epsilon, m in points
                    for kind in DRUM_KINDS for delta in deltas(size, norm)]


def table_solvers(kind):
    """Solvers of Tables 2 and 3."""
    return [GAUSS_SEIDEL, tuned(kind, 'OFF'), tuned(kind, 'avgWii')]


def drum_tables(size):
    """Tables 2 and 3: the report's choices over the whole time."""
    return [drum(size, kind, solver, shape=shape) for kind in DRUM_KINDS for shape in ('ell', 'sph')
            for solver in table_solvers(kind)]


def drum_automatic(size):
    """The automatic solver where Tables 2 and 3 have the others, and with each friction."""
    return [drum(size, kind, AUTOMATIC, shape=shape) for kind in DRUM_KINDS
            for shape in ('ell', 'sph')] + \
        [drum(size, kind, AUTOMATIC, fric=value) for kind in DRUM_KINDS for value in size.drum_frictions]


def drum_varied(size, name, values):
    """The report's choice with each value of an option and each delta, and Gauss-Seidel."""
    return [drum(size, kind, solver, **{name: value}) for kind in DRUM_KINDS for value in values
            for solver in [GAUSS_SEIDEL, *(tuned(kind, delta=delta) for delta in size.relative)]]


def drum_bed(size, kind):
    """A drum with many particles that turns, computed with little accuracy."""
    case = drum(size, kind, (*AUTOMATIC, '-meri', '0.0001', '-prfx', 'bed_'), size.drum_bed_stop, size.drum_large)
    return replace(case, results='out/rotating-drum/bed_ell_%s_N%d_s0.001_f0.3_d100_AS_v0.0001' % (
        kind, size.drum_large))


def large_drum(size, kind, solver, ranks):
    """A case that goes on from that bed."""
    bed = drum_bed(size, kind)
    case = drum(size, kind, (*solver, '-init', bed.results), size.drum_large_stop, size.drum_large, ranks=ranks)
    return replace(case, bed=bed)


def drum_parallel(size):
    """Section 8.1.5."""
    return [large_drum(size, kind, solver, ranks) for kind in DRUM_KINDS for solver in (tuned(kind), GAUSS_SEIDEL)
            for ranks in size.ranks]


def cubes_newton(delta):
    """Options of the Newton solver for cubes: the report's for rigid bodies, with a delta relative to avg Wii."""
    return newton(delta, 0.25, 10, 'avgWii')


def cubes_relative(size):
    """Section 8.2.1."""
    return [cubes(size, kind, solver) for kind in CUBE_KINDS
            for solver in [GAUSS_SEIDEL, *(newton(delta, epsilon, m, 'avgWii') for epsilon, m in size.cube_pairs
                                           for delta in size.cube_deltas)]]


def cubes_varied(size, name, values):
    """Sections 8.2.2 and 8.2.3."""
    return [cubes(size, kind, solver, **{name: value}) for kind in CUBE_KINDS for value in values
            for solver in [GAUSS_SEIDEL, *(cubes_newton(delta) for delta in size.cube_varied_deltas)]]


def cubes_parallel(size):
    """Section 8.2.4."""
    return [cubes(size, kind, solver, size.cube_large_stop, size.cube_large, ranks) for kind in CUBE_KINDS
            for solver in (GAUSS_SEIDEL, cubes_newton(0.01)) for ranks in size.cube_ranks]


def studies(size):
    """All studies by name."""
    limits = {'limit': size.grid_limit}
    return {
        'drum-tables': Study(drum_tables(size)),
        'drum-automatic': Study(drum_automatic(size)),
        'drum-avg': Study(grid_cases(size, 'avgWii'), **limits),
        'drum-friction': Study(drum_varied(size, 'fric', size.drum_frictions), limit=size.friction_limit),
        'drum-density': Study(drum_varied(size, 'dens', size.drum_densities), limit=size.density_limit),
        'cubes-relative': Study(cubes_relative(size), limit=size.cubes_limit),
        'cubes-density': Study(cubes_varied(size, 'dens', size.cube_densities), limit=size.cubes_limit),
        'cubes-friction': Study(cubes_varied(size, 'fric', size.cube_frictions), limit=size.cubes_limit),
        'drum-parallel': Study(drum_parallel(size), alone=True),
        'cubes-parallel': Study(cubes_parallel(size), alone=True),
        'drum-absolute': Study(grid_cases(size, 'OFF'), **limits),
        'drum-min': Study(grid_cases(size, 'minWii'), **limits),
        'drum-max': Study(grid_cases(size, 'maxWii'), **limits)}
