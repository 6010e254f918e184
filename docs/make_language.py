"""Writes docs/language/*.md, and python/solfec/_core.pyi for editors, from the documentation of the commands
themselves.

    PYTHONPATH=build/python python3 docs/make_language.py            writes the files
    PYTHONPATH=build/python python3 docs/make_language.py --check    says whether they are up to date

A test runs the latter. Each command stands on one page; a command that is on none is an error.
"""

import pathlib
import sys

from language_stub import stub

import solfec

PAGES = {
    'shapes': ('Shapes', '''\
Solids are created first and then given to a BODY, which empties them: use COPY to keep one. A shape is one object or a
list of them, nested at will. Coordinates are referential, in metres.''',
               'BOX CYLINDER SPHERE ELLIP CONVEX HULL MESH HEX ROUGH_HEX PIPE COPY SCALE TRANSLATE ROTATE MASS_CENTER'),
    'model': ('Models and materials', '''\
A SOLFEC object is one analysis; a script may have several. Materials belong to it.''',
              'SOLFEC BULK_MATERIAL SURFACE_MATERIAL TIME_SERIES'),
    'bodies': ('Bodies', '''\
Creating bodies, and changing their properties and initial state. [Theory](../theory.md#3-rigid-bodies) describes the
kinds and the schemes.''',
               'BODY BODY_CHARS MATERIAL INITIAL_VELOCITY PARTITION DELETE BYLABEL'),
    'loads': ('Loads', '''\
Values are numbers or TIME_SERIES objects; they are taken in the middle of each step.''',
              'GRAVITY FORCE TORQUE PRESSURE'),
    'joints': ('Joints, springs and prescribed motion', '''\
A joint constrains a material point of a body. It exists until it breaks, is deleted or loses a body. The joint keeps
the points at the positions that they have when it is created. [Theory](../theory.md#9-joints) describes how.

To clamp a face of a FINITE_ELEMENT body, fix its surface: `FIX_SURFACE (body, surfid)`. Fixed and moved nodes of such
a body cost next to nothing in quasi-static steps and in those of DEF_LIM2, DEF_IMP and DEF_EXP
([supports](../theory.md#supports-of-finite-elements)): fix as many as the model asks for, at the nodes of the mesh, and
without `strength` unless they may break.''',
               'FIX_POINT FIX_SURFACE FIX_DIRECTION PUT_RIGID_LINK SET_DISPLACEMENT SET_VELOCITY SET_ACCELERATION '
               'SET_DISPLACEMENT3 SET_VELOCITY3 SET_ACCELERATION3 PUT_SPRING'),
    'contacts': ('Contacts', '''\
Contacts are found by the program; these commands read them, and exclude or filter them.''',
                 'CONSTRAINT INDETERMINACY CONTACT_SPARSIFY CONTACT_EXCLUDE_BODIES CONTACT_EXCLUDE_SURFACES '
                 'CONTACT_EXCLUDE_OBJECTS UNPHYSICAL_PENETRATION GEOMETRIC_EPSILON'),
    'solvers': ('Solvers', '''\
Solvers compute the reactions of a step. [Theory](../theory.md#10-solving) has the formulas, and
[when steps do not converge](../convergence.md) says which accuracy to ask for.''',
                'GAUSS_SEIDEL_SOLVER NEWTON_SOLVER AUTO_SOLVER NONSMOOTH_SOLVER CONVEX_SOLVER PENALTY_SOLVER'),
    'problems': ('Problems of single steps', '''\
The contact problem of a step in files: for other programs, and to measure solvers.
[Problem files](../problem-files.md) has the layout, and a program that solves them.''',
                 'LOCDYN_DUMP FCLIB_DUMP FCLIB_SOLVE'),
    'running': ('Running', '''\
[Running Solfec](../running.md) describes the program and its files.''',
                'RUN OUTPUT EXTENTS CALLBACK INITIALIZE_STATE'),
    'results': ('Results', '''\
In READ mode these commands read the frames on disk, in WRITE mode the present state; HISTORY works in both.
XDMF_EXPORT writes files for ParaView; [exports](../viewing/export.md) describes other formats.''',
                'DURATION SEEK FORWARD BACKWARD HISTORY DISPLACEMENT VELOCITY STRESS ENERGY TIMING '
                'XDMF_EXPORT'),
    'utilities': ('Utilities', '''\
The command line, messages, and runs on many ranks.''',
                  'NON_SOLFEC_ARGV SUBDIR VIEWER DISPLAY_POINT WARNINGS RANK NCPU BARRIER HERE IMBALANCE_TOLERANCE '
                  'configure'),
}

HEAD = '<!-- Made from the sources by docs/make_language.py: change the documentation there. -->\n\n'


def is_prose(paragraph):
    """Running text, and not a list in columns."""
    return not any(line.startswith(' ') or '  ' in line.strip() for line in paragraph.splitlines()) \
        and not paragraph.endswith(':')


def blocks(text):
    """Paragraphs of prose, and columns with what stands between them kept together."""
    columns = []
    for paragraph in text.strip('\n').split('\n\n'):
        if is_prose(paragraph) or not paragraph.strip():
            if columns:
                yield False, '\n\n'.join(columns)
                columns = []
            yield True, paragraph
        else:
            columns.append(paragraph)
    if columns:
        yield False, '\n\n'.join(columns)


def section(name):
    """The documentation of one command."""
    text = getattr(solfec, name).__doc__.strip()
    signature, _, rest = text.partition('\n\n')
    result = '## %s\n\n' % name
    if not signature.startswith(name + ' ('):  # a class that cannot be called
        rest = text
    else:
        result += '```text\n%s\n```\n\n' % signature
    for prose, block in blocks(rest):
        if prose:
            result += block.replace('*', r'\*').replace('<', '&lt;') + '\n\n'
        else:
            result += '```text\n%s\n```\n\n' % block
    return result


def column_page():
    """The columns of results, a table for each group of the files."""
    text = HEAD + '''# Columns of results

What [files of results](../running.md#results) hold, by group. Each column has one row for what its group stands for (a
frame, a body, a constraint, ...), of so many numbers. A column that counts rows of another one says so: those rows
stand there in the same order, so that where they begin is the sum of the counts before.
'''
    group = owner = None
    for path, type, width, unit, meaning, counts in solfec._core._result_columns():
        if path.split('/')[0] != group:
            group, owner = path.split('/')[0], counts
            text += '\n## %s\n\n%s| column | numbers | unit | |\n|---|---|---|---|\n' % (
                group, 'Counted by `%s`.\n\n' % counts if counts else '')
        text += '| `%s` | %s%s | %s | %s%s |\n' % (
            path.split('/')[1], type, ' x %d' % width if width > 1 else '', unit.replace('^2', '²').replace('^3', '³'),
            meaning.replace('<', '&lt;'), '; counted by `%s`' % counts if counts != owner else '')
    return text.rstrip('\n') + '\n'


def pages():
    """Contents of all pages by file name."""
    result = {}
    index = HEAD + '''# Input language

A script is written in Python 3; its commands are these. Arguments can be given by position or by name; those after the
bar in a signature are optional. Lists, tuples and numpy arrays are all accepted. A wrong argument raises TypeError or
ValueError, with a message that names the command, the argument, what was expected and what came, before anything has
been made. An object said to be emptied gives its content away and cannot be used again.

All units are SI.

'''
    where = {}
    for page, (title, introduction, names) in PAGES.items():
        result[page + '.md'] = (HEAD + '# %s\n\n%s\n\n' % (title, introduction)
                                + ''.join(section(name) for name in names.split())).rstrip('\n') + '\n'
        index += '- [%s](%s.md): %s\n' % (title, page, ', '.join(
            '[%s](%s.md#%s)' % (name, page, name.lower()) for name in names.split()))
        for name in names.split():
            assert name not in where, '%s stands on two pages' % name
            where[name] = page
    missing = set(solfec.__all__) ^ set(where)
    assert not missing, 'commands without a page, or pages without a command: %s' % ', '.join(sorted(missing))
    result['index.md'] = index + '\n[Columns of results](result-columns.md): what the files hold.\n'
    result['result-columns.md'] = column_page()
    return result


def main():
    root = pathlib.Path(__file__).resolve().parents[1]
    directory = root / 'docs/language'
    made = {directory / name: text for name, text in pages().items()}
    made[root / 'python/solfec/_core.pyi'] = stub()
    there = {path: path.read_text() for path in {*directory.glob('*.md'), *made} if path.exists()}
    stale = sorted(path.relative_to(root).as_posix() for path in {*made, *there} if made.get(path) != there.get(path))
    if sys.argv[1:] == ['--check']:
        if stale:
            print('run docs/make_language.py: out of date are', ', '.join(stale))
        return 1 if stale else 0
    for path in there.keys() - made.keys():
        path.unlink()
    for path, text in made.items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    print('%d files, %d of them changed' % (len(made), len(stale)))
    return 0


if __name__ == '__main__':
    sys.exit(main())
