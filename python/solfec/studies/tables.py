"""Tables of the page, in Markdown, from the records; with the report's figures where it has them."""

from solfec.run_summary import PHASES
from solfec.studies import cases
from solfec.studies.cases import AUTOMATIC, CUBE_KINDS, DRUM_KINDS, GAUSS_SEIDEL, NORMS

KIND_NAMES = {'RG': 'rigid', 'PR': 'pseudo-rigid', 'BC': 'finite elements, BC', 'TL': 'finite elements, TL'}
NORM_NAMES = {'OFF': 'absolute', 'minWii': 'min Wii', 'avgWii': 'avg Wii', 'maxWii': 'max Wii'}
NORM_STUDIES = {'OFF': 'drum-absolute', 'minWii': 'drum-min', 'avgWii': 'drum-avg', 'maxWii': 'drum-max'}
PLAIN = {'RG': 'rigid', 'PR': 'defo'}  # as the report calls them

# Tables 2 and 3 of the report, Gauss-Seidel and Newton: seconds, share of the solver, iterations per converged step,
# diverged steps.
REPORT = {
    'OFF': {('ell', 'RG'): ((467, 0.84, 112, 20), (525, 0.78, 10, 0)),
            ('ell', 'PR'): ((463, 0.48, 18, 0), (356, 0.64, 5, 0)),
            ('sph', 'RG'): ((440, 0.96, 174, 330), (257, 0.93, 12, 1)),
            ('sph', 'PR'): ((66, 0.63, 21, 0), (217, 0.89, 6, 44))},
    'avgWii': {('ell', 'RG'): ((495, 0.85, 112, 20), (467, 0.77, 9, 0)),
               ('ell', 'PR'): ((482, 0.45, 18, 0), (352, 0.65, 5, 0)),
               ('sph', 'RG'): ((462, 0.96, 174, 330), (272, 0.93, 14, 0)),
               ('sph', 'PR'): ((64, 0.64, 21, 0), (135, 0.82, 4, 0))}}
# Table 4: seconds and (delta, epsilon, m).
REPORT_BEST = {('RG', 'minWii'): (495, (0.025, 0.25, 15)), ('RG', 'avgWii'): (467, (0.01, 0.25, 10)),
               ('RG', 'maxWii'): (525, (0.01, 0.25, 20)), ('PR', 'minWii'): (378, (0.1, 0.1, 20)),
               ('PR', 'avgWii'): (352, (0.01, 0.01, 5)), ('PR', 'maxWii'): (385, (0.01, 0.05, 10))}


class Data:
    """Records of all studies, of one size."""

    def __init__(self, records, size):
        self.records, self.size = records, size

    def finished(self, study, case):
        """The record of a case that came to its end, or None."""
        return self.records[study].finished(case)

    def was_stopped(self, study, case):
        record = self.records[study].get(case)
        return record is not None and bool(record['stopped'])


def table(head, rows):
    """A table of cells that are ready to print."""
    lines = [head, ['---'] * len(head), *rows]
    return '\n'.join('| ' + ' | '.join(map(str, line)) + ' |' for line in lines)


def number(value, form='%.3g'):
    return '-' if value is None else form % value


def iterations(record):
    """Mean number of iterations per converged step, ready to print."""
    return '-' if record is None or record['diverged'] == record['steps'] else '%.1f' % record['iterations_converged']


def diverged(record):
    return '-' if record is None else '%d' % record['diverged']


def ratio(record, reference, name='user_time'):
    """A time over that of another record."""
    if record is None or reference is None or not reference[name]:
        return None
    return record[name] / reference[name]


def times(record, reference, name='user_time'):
    return number(ratio(record, reference, name), '%.2f')


def solver_share(record):
    """Solver time over the time of a step."""
    if record is None:
        return None
    return record['CONSOL'] / max(1E-12, sum(record[phase] for phase in PHASES))


def tuned_table(data, norm):
    """Table 2 (absolute delta) or Table 3: ours beside the report's."""
    rows = []
    for (shape, kind), there in REPORT[norm].items():
        ours = [data.finished('drum-tables', cases.drum(data.size, kind, solver, shape=shape))
                for solver in (GAUSS_SEIDEL, cases.tuned(kind, norm))]
        line = ['%s. %s' % (shape, PLAIN[kind]),
                beside(times(ours[1], ours[0]), '%.2f' % (there[1][0] / there[0][0]))]
        for record, (_, share, mean, divs) in reversed(list(zip(ours, there))):
            line += [beside(iterations(record), mean), beside(diverged(record), divs),
                     beside(number(solver_share(record), '%.2f'), '%.2f' % share),
                     number(record and record['user_time'], '%.0f s')]
        rows.append(line)
    solvers = [name % solver for solver in ('Newton', 'GS')
               for name in ('%s it/step', '%s divs', '%s ratio', '%s time')]
    return table(['ours (report)', 'time Newton / GS', *solvers], rows)


def automatic_table(data):
    """The automatic solver beside the others: the scenes of Table 3, and those of drum_frictions."""
    size = data.size

    def line(names, study, case):
        others = [data.finished(study, case(solver)) for solver in (cases.tuned(names[0]), GAUSS_SEIDEL)]
        own = data.finished('drum-automatic', case(AUTOMATIC))
        return [names[1], *(text for record in (own, *others) for text in (iterations(record), diverged(record))),
                times(own, others[1]), times(others[0], others[1])]

    rows = [line((kind, '%s. %s' % (shape, PLAIN[kind])), 'drum-tables',
                 lambda solver, shape=shape, kind=kind: cases.drum(size, kind, solver, shape=shape))
            for shape, kind in REPORT['avgWii']]
    rows += [line((kind, 'ell. %s, friction %g' % (PLAIN[kind], value)), 'drum-friction',
                  lambda solver, kind=kind, value=value: cases.drum(size, kind, solver, fric=value))
             for kind in DRUM_KINDS for value in size.drum_frictions]
    solvers = [name % solver for solver in ('AUTO', 'Newton', 'GS') for name in ('%s it/step', '%s divs')]
    return table(['', *solvers, 'time AUTO / GS', 'time Newton / GS'], rows)


def beside(ours, there):
    """A cell with our number and, in brackets, the report's."""
    return '%s (%s)' % (ours, there)


def fastest(data, kind, norm):
    """(time over that of Gauss-Seidel, delta, epsilon, m, record) of cases without divergence, fastest first."""
    study = NORM_STUDIES[norm]
    reference = data.finished(study, cases.grid_drum(data.size, kind, GAUSS_SEIDEL))
    found = []
    for epsilon, m in {point for points in cases.grid(data.size).values() for point in points}:
        for delta in cases.deltas(data.size, norm):
            record = data.finished(study, cases.grid_drum(data.size, kind, cases.newton(delta, epsilon, m, norm)))
            time = ratio(record, reference)
            if time is not None and record['diverged'] == 0:
                found.append((time, delta, epsilon, m, record))
    return sorted(found, key=lambda entry: entry[:4])


def fastest_table(data):
    """Table 4, with the absolute delta as a fourth norm."""
    rows = []
    for kind in DRUM_KINDS:
        for norm in NORMS:
            best = fastest(data, kind, norm)
            there = REPORT_BEST.get((kind, norm))
            time, *choice, record = best[0] if best else (None, None, None, None, None)
            reference = REPORT['avgWii']['ell', kind][0][0]
            rows.append([KIND_NAMES[kind], NORM_NAMES[norm], number(time, '%.2f'), *choice_of(choice),
                         iterations(record), len(best),
                         *(('%.2f' % (there[0] / reference), *choice_of(there[1])) if there else ('-',) * 4)])
    return table(['', 'norm', 'time over GS', 'delta', 'epsilon', 'm', 'it/step', 'cases without divergence',
                  'report: time over GS', 'delta', 'epsilon', 'm'], rows)


def choice_of(numbers):
    """(delta, epsilon, m), ready to print."""
    return [number(value, '%g') for value in numbers]


def cell(record, reference, was_stopped):
    """Iterations per converged step, diverged steps in brackets when there are some, time over that of Gauss-Seidel."""
    if record is None:
        return 'stopped' if was_stopped else '-'
    divs = ' (%d)' % record['diverged'] if record['diverged'] else ''
    return '%s%s; %s' % (iterations(record), divs, times(record, reference))


def varied_table(data, study, head, deltas, rows):
    """Columns are Gauss-Seidel and the values of delta; a row is (kind, label, case of Gauss-Seidel, cases)."""
    lines = []
    for kind, label, first, others in rows:
        reference = data.finished(study, first)
        entries = [cell(data.finished(study, case), reference, data.was_stopped(study, case))
                   for case in (first, *others)]
        lines.append([KIND_NAMES[kind], label, entries[0].split(';')[0], *entries[1:]])
    return table(['', head, 'GS', *('delta %g' % delta for delta in deltas)], lines)


def drum_varied_table(data, study, head, name, values):
    """Drum: density or friction against delta."""
    def case(kind, value, solver):
        return cases.drum(data.size, kind, solver, **{name: value})

    return varied_table(data, study, head, data.size.relative, [
        (kind, '%g' % value, case(kind, value, GAUSS_SEIDEL),
         [case(kind, value, cases.tuned(kind, delta=delta)) for delta in data.size.relative])
        for kind in DRUM_KINDS for value in values])


def cubes_relative_table(data):
    """Section 8.2.1: (epsilon, m) against delta."""
    return varied_table(data, 'cubes-relative', 'epsilon, m', data.size.cube_deltas, [
        (kind, '%g, %d' % pair, cases.cubes(data.size, kind, GAUSS_SEIDEL),
         [cases.cubes(data.size, kind, cases.newton(delta, *pair, 'avgWii')) for delta in data.size.cube_deltas])
        for kind in CUBE_KINDS for pair in data.size.cube_pairs])


def cubes_varied_table(data, study, head, name, values):
    """Cubes: density or friction against delta."""
    def case(kind, value, solver):
        return cases.cubes(data.size, kind, solver, **{name: value})

    return varied_table(data, study, head, data.size.cube_varied_deltas, [
        (kind, '%g' % value, case(kind, value, GAUSS_SEIDEL),
         [case(kind, value, cases.cubes_newton(delta)) for delta in data.size.cube_varied_deltas])
        for kind in CUBE_KINDS for value in values])


def large_records(data, kind, solver):
    """Records of the large drum, by ranks."""
    return [data.finished('drum-parallel', cases.large_drum(data.size, kind, solver, ranks))
            for ranks in data.size.ranks]


def large_times_table(data):
    """Table 5: wall times of a step and of the solver in it, and how many times faster than one rank."""
    def entries(records, time):
        return ['-' if record is None else '%.2f (%s)' % (time(record), number(
            records[0] and time(records[0]) / time(record), '%.1f')) for record in records]

    parts = {'total': lambda record: record['wall_time'] / record['steps'], 'solver': lambda record: record['CONSOL']}
    lines = [['ell. %s %s' % (PLAIN[kind], name), *entries(large_records(data, kind, cases.tuned(kind)), time),
              *entries(large_records(data, kind, GAUSS_SEIDEL), time)]
             for name, time in parts.items() for kind in DRUM_KINDS]
    return table(['step [s] (speed-up)', *('%s on %d' % (solver, count) for solver in ('Newton', 'GS')
                                           for count in data.size.ranks)], lines)


def large_statistics_table(data):
    """Table 6."""
    def entries(record):
        return ['-'] * 4 if record is None else [
            '%.2f' % solver_share(record), '%.0f' % (record['iterations'] * record['steps']), iterations(record),
            diverged(record)]

    lines = []
    for kind in DRUM_KINDS:
        newton, gauss_seidel = (large_records(data, kind, solver) for solver in (cases.tuned(kind), GAUSS_SEIDEL))
        lines += [['ell. %s' % PLAIN[kind], str(ranks), *entries(of_newton), *entries(of_gauss_seidel)]
                  for ranks, of_newton, of_gauss_seidel in zip(data.size.ranks, newton, gauss_seidel)]
    return table(['', 'ranks', *('%s %s' % (solver, name) for solver in ('Newton', 'GS')
                                 for name in ('ratio', 'tot it', 'it/step', 'divs'))], lines)


def cubes_parallel_table(data):
    """Section 8.2.4: wall times on all numbers of ranks."""
    size = data.size
    ranks = size.cube_ranks
    lines = []
    for kind in CUBE_KINDS:
        for name, solver in (('GS', GAUSS_SEIDEL), ('Newton', cases.cubes_newton(0.01))):
            records = [data.finished('cubes-parallel', cases.cubes(size, kind, solver, size.cube_large_stop,
                                                                   size.cube_large, count)) for count in ranks]
            steps = [number(record and 1000 * record['wall_time'] / record['steps'], '%.1f') for record in records]
            lines.append([KIND_NAMES[kind], name, *steps,
                          *(times(records[0], record, 'wall_time') for record in records[1:]),
                          *(times(records[0], record, 'CONSOL') for record in records[1:]),
                          *('%s (%s)' % (iterations(record), diverged(record)) for record in records)])
    return table(['', 'solver', *('step on %d [ms]' % count for count in ranks),
                  *('speed-up on %d' % count for count in ranks[1:]),
                  *('of the solver on %d' % count for count in ranks[1:]),
                  *('it/step (divs) on %d' % count for count in ranks)], lines)
