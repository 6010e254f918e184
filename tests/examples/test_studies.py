"""The solver studies in short versions, the summaries that they are made of, and their page in docs/studies."""

import csv
import json
import os
import pathlib
import re
import signal
import subprocess

import pytest
from support import PYTHON, ROOT, python, solfec

from solfec.studies import cases, tables
from solfec.studies.records import COLUMNS, Records

STUDIES = 'solfec.studies'
DRUM = ROOT / 'inp/rotating-drum.py'


@pytest.fixture(scope='module')
def short(tmp_path_factory):
    """Records of the short versions of all studies, and what their runs said."""
    folder = tmp_path_factory.mktemp('studies')
    printed = python('-m', STUDIES, '--short', '--records', 'records', 'run', '--jobs', 2, cwd=folder)
    return folder, printed


def test_each_case_leaves_one_record(short):
    folder, printed = short
    for name, study in cases.studies(cases.SHORT).items():
        assert '%s: %d cases run, 0 were there already' % (name, len(study.cases)) in printed
        lines = (folder / 'records' / (name + '.csv')).read_text().splitlines()
        assert lines[0] == ','.join(COLUMNS)
        records = Records(folder / 'records', name)
        assert len(lines) == 1 + len(study.cases)
        for case in study.cases:
            record = records.finished(case)
            stop, step = float(case.words[case.words.index('-stop') + 1]), 1E-3 if case.script == cases.DRUM else 5E-4
            assert record['steps'] == round(stop / step) and record['ranks'] == case.ranks
            assert record['iterations_converged'] >= 1 and record['diverged'] == record['unsolved'] == 0


def test_beds_are_made_once_and_kept(short):
    folder, printed = short
    assert 'drum-parallel, beds: 2 cases run' in printed
    beds = {case.bed for case in cases.studies(cases.SHORT)['drum-parallel'].cases}
    assert sorted(path.name for path in (folder / 'out/studies').iterdir()) == sorted(
        pathlib.Path(bed.results).name for bed in beds)


def test_nothing_is_run_twice_and_what_is_missing_is_run(short):
    folder, _ = short
    names = list(cases.studies(cases.SHORT))
    before = {path.name: path.read_text() for path in (folder / 'records').iterdir()}
    printed = python('-m', STUDIES, '--short', '--records', 'records', 'run', cwd=folder)
    assert printed.count(': 0 cases run') == len(names)
    assert {path.name: path.read_text() for path in (folder / 'records').iterdir()} == before
    # A writer that is ended in the middle of a line loses that case only.
    path = folder / 'records/drum-tables.csv'
    lines = before[path.name].splitlines(keepends=True)
    path.write_text(''.join(lines[:-1]) + lines[-1][:40])
    printed = python('-m', STUDIES, '--short', '--records', 'records', 'run', 'drum-tables', cwd=folder)
    assert 'drum-tables: 1 cases run, %d were there already' % (len(lines) - 2) in printed
    commands = [row['command'] for row in csv.DictReader(path.read_text().splitlines())]
    assert sorted(commands) == sorted(line.split(',')[0] for line in lines[1:])


def test_page_is_made_of_records(short):
    folder, _ = short
    python('-m', STUDIES, '--short', '--records', 'records', 'page', '--output', 'page', cwd=folder)
    page = (folder / 'page/index.md').read_text()
    assert '{{' not in page
    record = Records(folder / 'records', 'drum-tables').get(
        cases.drum(cases.SHORT, 'RG', cases.tuned('RG')))
    assert ' | %.1f (9) | 0 (0) |' % record['iterations_converged'] in page
    pictures = re.findall(r'\((figures/\S+\.svg)\)', page)
    assert sorted(pictures) == sorted('figures/' + path.name for path in (folder / 'page/figures').iterdir())


def test_stored_page_is_that_of_the_stored_records(tmp_path):
    python('-m', STUDIES, 'page', '--output', tmp_path, cwd=tmp_path)
    stored = ROOT / 'docs/studies'
    assert (tmp_path / 'index.md').read_bytes() == (stored / 'index.md').read_bytes(), \
        'make it: PYTHONPATH=build/python /usr/bin/python3 -m solfec.studies page'
    names = sorted(path.name for path in (tmp_path / 'figures').iterdir())
    assert names == sorted(path.name for path in (stored / 'figures').iterdir())
    for name in names:
        made, there = ((folder / 'figures' / name).read_text() for folder in (tmp_path, stored))
        drawn_by = re.compile(r'<dc:title>Matplotlib v[\d.]+')
        if drawn_by.search(made).group() == drawn_by.search(there).group():
            assert made == there, name


def test_full_studies_have_all_their_records():
    for name, study in cases.studies(cases.FULL).items():
        records = Records(ROOT / 'docs/studies/records', name)
        missing = [case.command for case in study.cases if case not in records]
        assert not missing, '%s: no record of %s' % (name, missing[0])


@pytest.mark.parametrize('norm', ['OFF', 'avgWii'])
def test_newton_solver_is_no_worse_than_in_the_tables_of_the_report(norm):
    """Tables 2 and 3, which are rounded, with 15 % for a chaotic scene, and two diverged steps."""
    records = Records(ROOT / 'docs/studies/records', 'drum-tables')
    for (shape, kind), (_, (_, _, iterations, diverged)) in tables.REPORT[norm].items():
        gauss_seidel, newton = (records.finished(cases.drum(cases.FULL, kind, solver, shape=shape))
                                for solver in (cases.GAUSS_SEIDEL, cases.tuned(kind, norm)))
        assert newton['steps'] == gauss_seidel['steps'] == 10000
        assert newton['iterations_converged'] <= 1.15 * (iterations + 0.5)
        assert newton['diverged'] <= diverged + 2


def test_automatic_solver_is_no_worse_than_gauss_seidel_in_the_tables_of_the_report():
    """The same bounds; none of its steps diverges."""
    folder = ROOT / 'docs/studies/records'
    for (shape, kind), ((_, _, iterations, _), _) in tables.REPORT['avgWii'].items():
        automatic, gauss_seidel = (
            Records(folder, study).finished(cases.drum(cases.FULL, kind, solver, shape=shape))
            for study, solver in (('drum-automatic', cases.AUTOMATIC), ('drum-tables', cases.GAUSS_SEIDEL)))
        assert automatic['steps'] == 10000 and automatic['diverged'] == 0
        assert automatic['iterations_converged'] <= 1.15 * (iterations + 0.5)
        if kind == 'RG':
            assert automatic['user_time'] <= gauss_seidel['user_time']


@pytest.mark.parametrize('count', [1, 2])
def test_stopped_run_leaves_whole_records_and_no_process(tmp_path, count):
    """The signal comes at the moment when a folder appears, before its process does."""
    command = [PYTHON, '-m', STUDIES, '--records', tmp_path / 'records', 'run', 'drum-tables', '--jobs', '2']
    running = subprocess.Popen(command, cwd=tmp_path, env={**os.environ, 'TMPDIR': str(tmp_path)})
    while len(list(tmp_path.glob('solfec-study-*'))) < count and running.poll() is None:
        pass
    running.send_signal(signal.SIGTERM)
    assert running.wait() == 128 + signal.SIGTERM
    assert not list(tmp_path.glob('solfec-study-*')) and not (tmp_path / 'records').exists()
    assert not [process for process in pathlib.Path('/proc').glob('[0-9]*') if str(tmp_path) in _place_of(process)]


def _place_of(process):
    try:
        return os.readlink(process / 'cwd')
    except OSError:  # it has ended
        return ''


@pytest.mark.parametrize('words, message', [
    (['run', 'other'], 'no study other'), (['run', '--jobs', '0'], 'above 0')])
def test_wrong_words_are_refused_in_one_line(tmp_path, words, message):
    printed = python('-m', STUDIES, '--short', '--records', tmp_path, *words, cwd=tmp_path, code=1)
    assert len(printed.splitlines()) == 1 and message in printed


def test_records_of_other_columns_are_refused(tmp_path):
    (tmp_path / 'drum-avg.csv').write_text('command,other\nx,1\n')
    printed = python('-m', STUDIES, '--short', '--records', tmp_path, 'list', cwd=tmp_path, code=1)
    assert len(printed.splitlines()) == 1 and 'drum-avg.csv has other columns' in printed


@pytest.mark.parametrize('solver', [['GS', '-maxi', 40], ['NS', '-nsdl', 0, '-lmxi', 2, '-leps', 1E-6, '-maxi', 3]])
def test_summary_counts_what_the_run_did(tmp_path, solver):
    """Against the numbers that the drum prints, which it has from the solver and not from the summary. It takes steps
    at the bound of iterations for diverged, also those that converged there: of Newton there are some, and of
    Gauss-Seidel there may be."""
    options = ['-npar', 20, '-kifo', 'RG', '-stop', 0.7, '-step', 0.002, '-solv', *solver]
    without = solfec('-w', DRUM, *options, cwd=tmp_path, converges=False).splitlines()[-1]
    printed = solfec('-w', DRUM, *options, '-sumf', 'summary.json', cwd=tmp_path, converges=False).splitlines()[-1]
    assert printed == without, 'the summary changes nothing'
    summary = json.loads((tmp_path / 'summary.json').read_text())
    mean, converged, largest, bounded, steps = re.search(
        r'mean ([\d.]+), of converged steps ([\d.]+), largest (\d+); diverged steps (\d+) of (\d+)', printed).groups()
    assert summary['steps'] == int(steps) == 350
    assert summary['iterations'] == pytest.approx(float(mean), abs=0.051)
    assert summary['iterations_largest'] == int(largest)
    at_bound = int(bounded) - summary['diverged']  # but converged
    assert 0 < summary['diverged'] and at_bound >= (solver[0] == 'NS')
    iterations = float(converged) * (350 - int(bounded)) + at_bound * int(largest)
    assert summary['iterations_converged'] == pytest.approx(iterations / (350 - summary['diverged']), abs=0.051)
    assert (summary['sweeps_after'] > 0) == (solver[0] == 'NS')
    assert summary['unsolved'] <= summary['diverged']


def test_summary_is_of_a_whole_run(tmp_path):
    options = ['-npar', 20, '-kifo', 'RG', '-stop', 0.02, '-sumf', 'summary.json']
    solfec('-w', DRUM, *options, cwd=tmp_path)
    for words in ([], ['-c']):
        printed = solfec(*words, DRUM, *options, cwd=tmp_path, code=1)
        assert 'a summary needs a run' in printed.splitlines()[-1]
