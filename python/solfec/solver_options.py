"""Options of the scaling examples that choose their solver (technical report of 2019, section 8)."""

from . import AUTO_SOLVER, GAUSS_SEIDEL_SOLVER, NEWTON_SOLVER

NUMBERS = {'-maxi': 10000, '-meri': 1E-8, '-nsdl': 0.0, '-leps': 0.25, '-lmxi': 10}
TEXTS = {'-solv': 'GS', '-rldl': 'OFF'}
POSITIVE = ('-maxi', '-meri', '-leps', '-lmxi')
NOT_NEGATIVE = ('-nsdl',)
SHIFTS = ('OFF', 'avgWii', 'minWii', 'maxWii')


def check(script, values):
    """Ends the program with one line for a solver or a kind of shift that is none."""
    if values['-solv'] not in ('GS', 'NS', 'AS'):
        raise SystemExit('%s: -solv must be GS, NS or AS, got %s' % (script, values['-solv']))
    if values['-rldl'] not in SHIFTS:
        raise SystemExit('%s: -rldl must be %s, got %s' % (script, ', '.join(SHIFTS), values['-rldl']))


def label(values):
    """What the name of an output directory says of the solver."""
    merit = '' if values['-meri'] == NUMBERS['-meri'] else '_v%g' % values['-meri']
    if values['-solv'] != 'NS':
        return values['-solv'] + merit
    shift = '' if values['-rldl'] == 'OFF' else values['-rldl']
    return 'NS_d%g%s_e%g_m%d' % (values['-nsdl'], shift, values['-leps'], values['-lmxi']) + merit


def history(values):
    """The item of HISTORY that has its iterations."""
    return {'GS': 'GSITERS', 'NS': 'NTITERS', 'AS': 'ASITERS'}[values['-solv']]


def solver(values):
    """The solver; it records its iterations."""
    if values['-solv'] == 'GS':
        chosen = GAUSS_SEIDEL_SOLVER(1.0, values['-maxi'], values['-meri'])
    elif values['-solv'] == 'AS':
        chosen = AUTO_SOLVER(values['-meri'], values['-maxi'])
    else:
        chosen = NEWTON_SOLVER(values['-meri'], values['-maxi'], linmaxiter=values['-lmxi'],
                               epsilon=values['-leps'], delta=values['-nsdl'], reldelta=values['-rldl'])
    chosen.itershist = 'ON'
    return chosen
