"""tests/benchmark/problem_library.py makes problems that can be solved, and docs/evidence/solver_profile.py compares
solvers on them."""

import csv
import json
import pathlib
import runpy
import types

import h5py
import numpy
import pytest
from conftest import BUILD, Program

ROOT = pathlib.Path(__file__).resolve().parents[2]
SMALL = {'tower_10-5': ('masonry', 10, 10), 'hulls_27-500': ('polyhedra', None, 27)}  # kind, contacts, bodies


@pytest.fixture
def make(program, monkeypatch):
    """Runs the command; returns what it printed, line by line."""
    monkeypatch.setenv('PYTHONDONTWRITEBYTECODE', '1')

    def run(*words, code=0):
        done = program.run_words('-w', str(ROOT / 'tests/benchmark/problem_library.py'), *words)
        assert done.returncode == code, done.stderr
        return (done.stdout if code == 0 else done.stderr).splitlines()
    return run


def test_library(tmp_path, make):
    folder = tmp_path / 'library'
    printed = make('library', 'hulls_27', 'tower_10')
    assert [line.split()[0] for line in printed] == ['hulls_27-500', 'hulls_27-1000', 'hulls_27-2000', 'tower_10-5',
                                                     'masonry:', 'polyhedra:']
    assert printed[-2] == 'masonry: 1 problems of 1 models, 10 to 10 contacts'
    with open(folder / 'library.csv', newline='') as file:
        rows = {row['name']: row for row in csv.DictReader(file)}
    assert sorted(rows) == sorted(path.stem for path in folder.glob('*.hdf5')) and len(rows) == 4
    for name, row in rows.items():
        with h5py.File(folder / (name + '.hdf5')) as file:
            assert int(row['contacts']) == len(file['fclib_global/vectors/mu']) > 0
            assert b'step ' + row['step'].encode() in file['fclib_global/info/title'][()]
    for name, (kind, contacts, bodies) in SMALL.items():
        assert (rows[name]['kind'], int(rows[name]['bodies'])) == (kind, bodies)
        assert contacts in (None, int(rows[name]['contacts']))

    done = Program(tmp_path, 'solfec-solve').run_words('--tol', '1e-6', *(str(folder / (n + '.hdf5')) for n in SMALL))
    for line in map(json.loads, done.stdout.splitlines()):
        assert line['status'] == 'OK' and line['error'] <= 1E-6

    # A second run makes nothing anew; of files that are missing it makes the same again.
    paths = sorted(folder.iterdir())
    before = [(path.stat().st_mtime_ns, path.read_bytes()) for path in paths]
    assert make('library', 'hulls_27', 'tower_10') == printed[-2:]
    assert [(path.stat().st_mtime_ns, path.read_bytes()) for path in paths] == before
    (folder / 'hulls_27-1000.hdf5').unlink()
    assert make('library', 'hulls_27', 'tower_10') == [printed[1], *printed[-2:]]
    assert [path.read_bytes() for path in paths] == [data for _, data in before]


def test_words(make):
    assert make(code=1)[-1] == "problem_library.py DIRECTORY [name, kind or 'large' ...]"
    assert make('library', 'tower_11', code=1)[-1].startswith('problem_library.py: no such name or kind: tower_11; ')


def test_comparison_by_kind(tmp_path):
    pytest.importorskip('matplotlib')
    profile = runpy.run_path(str(ROOT / 'docs/evidence/solver_profile.py'))
    (tmp_path / 'library.csv').write_text('name,kind\na,masonry\nb,masonry\nc,balls\nd,balls\n')
    kinds = profile['kinds_of']([tmp_path / (name + '.hdf5') for name in 'abc'] + [tmp_path / 'other' / 'e.hdf5'])
    assert kinds == {'a': 'masonry', 'b': 'masonry', 'c': 'balls', 'e': '-'}
    times = {('a', 1E-4): {'GS': 2, 'PQN': 1}, ('b', 1E-4): {'GS': 8, 'PQN': 1},
             ('c', 1E-4): {'GS': 3, 'PQN': numpy.inf}, ('e', 1E-4): {'GS': numpy.inf, 'PQN': numpy.inf}}
    assert profile['by_kind'](times, kinds)[2:] == [
        '| - | 0.0001 | GS | 0 of 1 | - | - | 0% |', '| - | 0.0001 | PQN | 0 of 1 | - | - | 0% |',
        '| balls | 0.0001 | GS | 1 of 1 | 1.00 | 1 | 100% |', '| balls | 0.0001 | PQN | 0 of 1 | - | - | 0% |',
        '| masonry | 0.0001 | GS | 2 of 2 | 4.00 | 8 | 0% |', '| masonry | 0.0001 | PQN | 2 of 2 | 1.00 | 1 | 100% |',
        '| all | 0.0001 | GS | 3 of 4 | 2.52 | 8 | 25% |', '| all | 0.0001 | PQN | 2 of 4 | 1.00 | 1 | 50% |']


def test_times_are_kept(tmp_path):
    """What a file of times has is not measured again: no program is run."""
    pytest.importorskip('matplotlib')
    profile = runpy.run_path(str(ROOT / 'docs/evidence/solver_profile.py'))
    path = str(tmp_path / 'times.csv')
    profile['keep'](path, ('a', 1E-4, 'GS'), 0.25)
    profile['keep'](path, ('b', 1E-8, 'PQN'), numpy.inf)
    assert profile['kept_times'](path) == {('a', 1E-4, 'GS'): 0.25, ('b', 1E-8, 'PQN'): numpy.inf}
    option = types.SimpleNamespace(keep=path, files=['x/a.hdf5'], tolerances=[1E-4], solvers=['GS'], scale=2,
                                   program='no-program')
    assert profile['our_times'](option) == {('a', 1E-4): {'GS': 0.5}}


def test_comparison_says_what_cannot_be_solved(tmp_path, monkeypatch, capsys):
    """A file that is none is left out; a solver that is none ends it. Both in one line, with what solfec-solve says."""
    pytest.importorskip('matplotlib')
    good, bad = ROOT / 'tests/problems/tower.hdf5', tmp_path / 'bad.hdf5'
    bad.write_text('no problem')

    def profile(solver, *files):
        monkeypatch.setattr('sys.argv', ['', '--program', str(BUILD / 'bin/solfec-solve'), '--tolerances', '1e-2',
                                         '--figure', str(tmp_path / 'a.svg'), '--solvers', solver, '--',
                                         *map(str, files)])
        runpy.run_path(str(ROOT / 'docs/evidence/solver_profile.py'), run_name='__main__')

    profile('GS', bad, good)
    printed, told = capsys.readouterr()
    assert '| tower | 0.01 |' in printed and '| bad |' not in printed
    assert told == (f"solver_profile.py: {bad} is left out: '{bad}' holds no problem that can be read: it is no HDF5 "
                    "file, or not a whole one\n")
    with pytest.raises(SystemExit, match='solver_profile.py: --solver NONE on .*: solfec-solve: --solver: NONE not in'):
        profile('NONE', good)
