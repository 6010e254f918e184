"""Makes the page of the studies from its text, docs/studies/page.md.in, and the records.

A line {{name}} of the text stands for a table, {{commands study ...}} for the commands that make the records of
studies.
"""

import re

from solfec.studies import figures, tables
from solfec.studies.tables import Data

HEAD = '<!-- Made from page.md.in and records by python3 -m solfec.studies page: change the text there. -->\n\n'

TABLES = {
    'table-2': lambda data: tables.tuned_table(data, 'OFF'),
    'table-3': lambda data: tables.tuned_table(data, 'avgWii'),
    'table-4': tables.fastest_table,
    'drum-density': lambda data: tables.drum_varied_table(data, 'drum-density', 'density', 'dens',
                                                          data.size.drum_densities),
    'drum-friction': lambda data: tables.drum_varied_table(data, 'drum-friction', 'friction', 'fric',
                                                           data.size.drum_frictions),
    'drum-automatic': tables.automatic_table,
    'table-5': tables.large_times_table,
    'table-6': tables.large_statistics_table,
    'cubes-relative': tables.cubes_relative_table,
    'cubes-density': lambda data: tables.cubes_varied_table(data, 'cubes-density', 'density', 'dens',
                                                            data.size.cube_densities),
    'cubes-friction': lambda data: tables.cubes_varied_table(data, 'cubes-friction', 'friction', 'fric',
                                                             data.size.cube_frictions),
    'cubes-parallel': tables.cubes_parallel_table}


def commands(studies, names):
    """The command that runs studies, and that of one of their cases."""
    case = studies[names[0]].cases[-1].command.replace(' inp/', ' -w inp/').replace('solfec', 'build/bin/solfec', 1)
    return ('    PYTHONPATH=build/python /usr/bin/python3 -m solfec.studies run %s --jobs 2\n\n'
            'A case of it:\n\n    %s' % (' '.join(names), case))


def text(template, data, studies):
    """The page."""
    def replace(found):
        name, *words = found.group(1).split()
        if name == 'commands' and words and all(word in studies for word in words):
            return commands(studies, words)
        if name in TABLES and not words:
            return TABLES[name](data)
        raise SystemExit('studies: the text of the page asks for %s, which is not known' % found.group(0))

    return HEAD + re.sub(r'^\{\{(.+)\}\}$', replace, template, flags=re.M)


def make(records, studies, size, template, folder):
    """Writes index.md and its figures."""
    data = Data(records, size)
    page = text(template.read_text(encoding='utf-8'), data, studies)
    figures.make(data, folder / 'figures')
    (folder / 'index.md').write_text(page, encoding='utf-8')
