"""Documents do what they say: scripts in them run as printed and print what is printed, links and commands lead
somewhere, and the pages of the language are those of the sources."""

import os
import pathlib
import re
import subprocess

import pytest
from support import PROGRAM, PYTHON, ROOT, assert_converged

DOCUMENTS = sorted(path for path in [*ROOT.glob('*.md'), *ROOT.glob('docs/**/*.md'), *ROOT.glob('src/*/README.md'),
                                     *ROOT.glob('python/**/*.md')])
BLOCK = re.compile(r'<!-- (script|append|prints|makes): (.+?) -->\n```\w*\n(.*?)```', re.S)


def shell(command, cwd):
    done = subprocess.run(['sh', '-e', '-c', command], cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, env={**os.environ, 'MPLBACKEND': 'Agg'})
    assert done.returncode == 0, command + '\n' + done.stdout
    assert_converged(done.stdout)
    return done.stdout


@pytest.mark.parametrize('name, scripts', [('README.md', 1), ('docs/first-steps.md', 3), ('docs/running.md', 2),
                                           ('docs/problem-files.md', 1), ('docs/shell.md', 2),
                                           ('docs/viewing/scene.md', 2), ('docs/viewing/picture.md', 2),
                                           ('docs/viewing/export.md', 2), ('docs/viewing/gallery.md', 4)])
def test_scripts_run_as_printed(tmp_path, name, scripts):
    """Marks before a block: script (save it), append (to a file), prints (command and the end of what it prints), makes
    (the block is a command that makes a file). The program is found as the reader finds it, in build/."""
    (tmp_path / 'build').symlink_to(pathlib.Path(PROGRAM).parents[1])
    blocks = BLOCK.findall((ROOT / name).read_text())
    files = []
    for kind, what, text in blocks:
        if kind == 'script':
            (tmp_path / what).write_text(text)
            files.append(what)
        elif kind == 'append':
            (tmp_path / what).write_text((tmp_path / what).read_text() + '\n' + text)
            shell('build/bin/solfec ' + what, tmp_path)
            files.append(what)
        elif kind == 'prints':
            printed = shell(what, tmp_path)
            assert ('\n' + printed).endswith('\n' + text), printed
            assert text.strip()
        else:
            shell(text, tmp_path)
            assert (tmp_path / what).stat().st_size > 1000
    assert len(files) == scripts
    pictures = re.findall(r"savefig\('(.+?)'", ''.join(text for kind, what, text in blocks))
    for picture in pictures:
        assert (tmp_path / picture).stat().st_size > 1000
    # A block of Python without a mark would be one that nobody runs.
    assert len(re.findall(r'```python', (ROOT / name).read_text())) == scripts


def anchors(path):
    """Anchors of the headings of a document, as they are made from its headings."""
    text = re.sub(r'```.*?```', '', path.read_text(), flags=re.S)
    headings = re.findall(r'^#+ +(.*?) *$', text, re.M)
    return {re.sub(r'[^\w\- ]', '', heading.lower()).replace(' ', '-') for heading in headings}


@pytest.mark.parametrize('path', DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_somewhere(path):
    text = re.sub(r'```.*?```', '', path.read_text(), flags=re.S)
    for target in re.findall(r'\]\(([^)\s]+)\)', text):
        if target.startswith(('http:', 'https:')):
            continue
        file, _, anchor = target.partition('#')
        there = (path.parent / file).resolve() if file else path
        assert there.exists(), '%s: no file %s' % (path.name, target)
        if anchor:
            assert anchor in anchors(there), '%s: no heading for %s' % (path.name, target)


@pytest.mark.parametrize('path', DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_files_named_in_documents_exist(path):
    for name in re.findall(r'(?<!build/)\b((?:inp|src|tests|docs|python)/[\w\-./]*\w)', path.read_text()):
        if name.startswith(('src/<', 'python/solfec/_core')):
            continue
        assert (ROOT / name).exists(), '%s names %s' % (path.relative_to(ROOT), name)


def test_what_is_made_of_the_language_is_up_to_date():
    done = subprocess.run([PYTHON, ROOT / 'docs/make_language.py', '--check'], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_columns_that_the_package_names_are_those_of_results():
    columns = {path for path, *_ in solfec_columns()}
    groups = '|'.join({path.split('/')[0] for path in columns})
    named = set()
    for path in (ROOT / 'python/solfec').rglob('*.py'):
        named |= set(re.findall(r"'((?:%s)/\w+)'" % groups, path.read_text()))
    assert named <= columns and len(named) > 25, named - columns


def test_the_reader_knows_the_types_of_all_columns():
    from solfec.results import COLUMN_TYPES
    assert {path: COLUMN_TYPES.get(path) for path, *_ in solfec_columns()} == {
        path: (type, width) for path, type, width, *_ in solfec_columns()}


def solfec_columns():
    from solfec import _core
    return _core._result_columns()


@pytest.mark.parametrize('file, old, new', [('docs/language/bodies.md', '## BODY', '## BOD'),
                                            ('python/solfec/_core.pyi', 'label:', 'lable:')])
def test_what_is_stale_is_found(tmp_path, file, old, new):
    for path in [*ROOT.glob('docs/*.py'), *ROOT.glob('docs/language/*.md'), ROOT / 'python/solfec/_core.pyi']:
        copy = tmp_path / path.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(path.read_bytes())
    changed = tmp_path / file
    changed.write_text(changed.read_text().replace(old, new, 1))
    done = subprocess.run([PYTHON, tmp_path / 'docs/make_language.py', '--check'], capture_output=True, text=True)
    assert done.returncode == 1 and done.stdout == f'run docs/make_language.py: out of date are {file}\n', done.stderr


def test_each_folder_of_the_sources_has_its_readme():
    for folder in (ROOT / 'src').iterdir():
        if folder.is_dir():
            assert (folder / 'README.md').is_file(), folder


def test_each_example_is_listed():
    index = (ROOT / 'docs/index.md').read_text()
    for path in (ROOT / 'inp').rglob('*.py'):
        assert '(../%s)' % path.relative_to(ROOT) in index, path


def test_pictures_are_small():
    for picture in (ROOT / 'docs/images').glob('*.png'):
        assert picture.stat().st_size < 300000, picture
