"""FCLIB_SOLVE on files in all ways to write them, judged by the error of fclib_problems.py; and, where SOLFEC_FCLIB
names a folder with them, files of others."""

import os
import pathlib
import re

import h5py
import numpy
import pytest
from fclib_problems import (SOLVER, error_of, in_file, numbers_of, put_matrix, small, small_with_equalities, write,
                            write_global)

from solfec import *


@pytest.mark.parametrize('form', [-2, -1, 0])
def test_solve(tmp_path, form):
    path = write(tmp_path / 'a.hdf5', *small(), form=form)
    for tol in (1E-2, 1E-6, 1E-10):
        done = FCLIB_SOLVE(path, SOLVER, tol, 10)
        assert list(done) == ['file', 'contacts', 'equalities', 'solver', 'tol', 'seconds', 'iterations', 'status',
                              'error', 'R', 'l']
        assert (done['file'], done['contacts'], done['equalities'], done['solver'], done['tol']) \
            == (path, 5, 0, 'GS', tol)
        assert done['l'] == []
        assert done['status'] == 'OK' and 0 < done['seconds'] < 1 and done['iterations'] >= 1
        assert done['error'] <= tol
        assert error_of(path, done['R']) == pytest.approx(done['error'], rel=1E-3, abs=1E-14)
    assert FCLIB_SOLVE(path, SOLVER)['tol'] == 1E-4
    assert SOLVER.iters == 0 and SOLVER.rerhist == []


def test_path_of_automatic_solver(tmp_path):
    solver = AUTO_SOLVER()
    done = FCLIB_SOLVE(write(tmp_path / 'a.hdf5', *small()), solver, 1E-8)
    assert done['iterations'] == sum(iterations for _, iterations, _ in done['path'])
    assert (done['path'][0][0], done['path'][-1][2]) == ('GS-AA', pytest.approx(done['error'], abs=1E-14))
    assert solver.path == []


def test_error_of_this_test():
    """The judge against a value by hand: F = (0.5, 3, 0) and P_K (-F) = (0.8, -0.4, 0) in (N, T, T)."""
    write('hand.hdf5', numpy.eye(3), [-1, 3, 0], [0.5])
    assert error_of('hand.hdf5', [(0, 0, 0)]) == pytest.approx((0.8 / 10)**0.5)
    assert error_of('hand.hdf5', [(-0.5, 0, 1)]) == pytest.approx(0, abs=1E-16)


def test_unsymmetric(tmp_path):
    """Files are symmetric to some digits only, and what solves them takes W as it is."""
    W, q, mu = small()
    W = W * (1 + numpy.random.default_rng(3).uniform(-1E-3, 1E-3, W.shape))
    path = write(tmp_path / 'a.hdf5', W, q, mu)
    done = FCLIB_SOLVE(path, SOLVER, 1E-12)
    assert done['status'] == 'OK' and error_of(path, done['R']) < 1.1E-12


def test_other_ends(tmp_path):
    # Nothing moves in the normal direction.
    stuck = write(tmp_path / 'stuck.hdf5', numpy.diag([0, 1, 1]), [-1, 0, 0], [0.5])
    done = FCLIB_SOLVE(stuck, SOLVER)
    assert (done['status'], done['error']) == ('DIVERGED', 1)
    few = GAUSS_SEIDEL_SOLVER(1E-3, 2)
    path = write(tmp_path / 'a.hdf5', *small())
    done = FCLIB_SOLVE(path, few, 1E-12)
    assert (done['status'], done['iterations']) == ('DIVERGED', 2)
    done = FCLIB_SOLVE(path, SOLVER, 1E-12, 1E-9)
    assert (done['status'], done['iterations']) == ('TIME', 1)
    empty = write(tmp_path / 'empty.hdf5', numpy.zeros((0, 0)), [], [])
    done = FCLIB_SOLVE(empty, SOLVER)
    assert (done['status'], done['contacts'], done['error'], done['R']) == ('OK', 0, 0, [])


def changed(name, value=None):
    """Something else in a place of the file, or nothing."""
    def change(file):
        if name in file:
            del file[name]
        if value is not None:
            file[name] = value
    return change


def entry(name, place, value):
    def change(file):
        file['fclib_local/' + name][place] = value
    return change


I4 = numpy.int32
DAMAGES = [
    (changed('fclib_local'), "it has no group 'fclib_local' or 'fclib_global'"),
    (lambda file: file.move('fclib_local', 'fclib_global'), "there is no 'fclib_global/vectors/w'"),
    (changed('fclib_local/spacedim'), "there is no 'fclib_local/spacedim'"),
    (changed('fclib_local/spacedim', I4([2])), 'spacedim must be 3; it is 2'),
    (changed('fclib_local/spacedim', I4([3, 3])), "'spacedim' must be one integer; there are 2"),
    (changed('fclib_local/spacedim', 'three'), "'fclib_local/spacedim' must hold integers"),
    (changed('fclib_local/W'), "there is no 'fclib_local/W/m'"),
    (changed('fclib_local/W', I4([1])), "there is no 'fclib_local/W/m'"),
    (changed('fclib_local/W/m', I4([6])), "'W/m' must be 15 (the size of vectors/q); it is 6"),
    (changed('fclib_local/W/n', I4([6])), "'W/n' must be 15 (the size of vectors/q); it is 6"),
    (changed('fclib_local/W/nz'), "there is no 'fclib_local/W/nz'"),
    (changed('fclib_local/W/nz', I4([-3])),
     "'W/nz' must be -2 (compressed rows), -1 (compressed columns) or the number of triplets; it is -3"),
    (changed('fclib_local/W/nz', I4([999])), "'W/p', 'W/i' and 'W/x' must have 999 entries (W/nz); they have 16, 225"),
    (changed('fclib_local/W/p', I4([0, 1])), "the size of 'W/p' must be 16 (W/m + 1); it is 2"),
    (entry('W/p', 0, 1), "'W/p' must start at 0 and not fall"),
    (entry('W/p', 3, 225), "'W/p' must start at 0 and not fall"),
    (entry('W/p', 15, 226), "'W/i' and 'W/x' must have 226 entries (the last of W/p); they have 225 and 225"),
    (entry('W/i', 7, 15), "'W/i' must hold indices from 0 to 14; there is 15"),
    (entry('W/i', 7, -1), "'W/i' must hold indices from 0 to 14; there is -1"),
    (changed('fclib_local/W/i', numpy.zeros(225)), "'fclib_local/W/i' must hold integers"),
    (entry('W/x', 7, numpy.nan), "'W/x' holds nan"),
    (changed('fclib_local/W/x', numpy.zeros(7)),
     "'W/i' and 'W/x' must have 225 entries (the last of W/p); they have 225 and 7"),
    (changed('fclib_local/vectors/q'), "there is no 'fclib_local/vectors/q'"),
    (changed('fclib_local/vectors/q', numpy.zeros(14)),
     "the size of 'vectors/q' must be 15 (3 x that of vectors/mu); it is 14"),
    (entry('vectors/q', 0, numpy.inf), "'vectors/q' holds inf"),
    (changed('fclib_local/vectors/mu', numpy.zeros((2, 2))), "must be 12 (3 x that of vectors/mu); it is 15"),
    (entry('vectors/mu', 0, -0.5), "'vectors/mu' must be >= 0; there is -0.5"),
    (entry('vectors/mu', 0, numpy.nan), "'vectors/mu' holds nan"),
    (changed('fclib_local/V/m', I4([1])), "there is no 'fclib_local/vectors/s'"),
    (changed('fclib_local/R/m', I4([1])), "there is no 'fclib_local/vectors/s'"),
    (changed('fclib_local/vectors/s', numpy.zeros(1)), "there is no 'fclib_local/V/m'"),
    (changed('guesses/1/r', numpy.zeros(15)), "there is no 'guesses/number_of_guesses'"),
    (changed('guesses/number_of_guesses', I4([-1])), "'guesses/number_of_guesses' must be >= 0; it is -1"),
    (changed('guesses/number_of_guesses', I4([1])), "there is no 'guesses/1/r'"),
    (changed('fclib_local/info/title', I4([1])), "'fclib_local/info/title' must hold strings"),
    (lambda file: (changed('fclib_local/vectors/mu')(file), file.create_group('fclib_local/vectors/mu')),
     "'fclib_local/vectors/mu' is not an array"),
]


def check_damage(path, change, trouble):
    with h5py.File(path, 'r+') as file:
        change(file)
    with pytest.raises(ValueError) as error:
        FCLIB_SOLVE(path, SOLVER)
    start = "FCLIB_SOLVE: 'path': '%s' holds no problem that can be read: " % path
    assert str(error.value).startswith(start) and trouble in str(error.value)


@pytest.mark.parametrize('change, trouble', DAMAGES, ids=[trouble[:40] for _, trouble in DAMAGES])
def test_damaged_files(change, trouble):
    check_damage(write('a.hdf5', *small()), change, trouble)


EQUALITY_DAMAGES = [
    (changed('fclib_local/V'), "there is no 'fclib_local/V/m'"),
    (changed('fclib_local/R'), "there is no 'fclib_local/R/m'"),
    (changed('fclib_local/vectors/s'), "there is no 'fclib_local/vectors/s'"),
    (changed('fclib_local/vectors/s', numpy.zeros(2)), "'V/n' must be 2 (the size of vectors/s); it is 3"),
    (entry('vectors/s', 1, numpy.nan), "'vectors/s' holds nan"),
    (changed('fclib_local/V/m', I4([14])), "'V/m' must be 15 (the size of vectors/q); it is 14"),
    (entry('V/i', 0, 3), "'V/i' must hold indices from 0 to 2; there is 3"),
    (entry('V/x', 0, numpy.inf), "'V/x' holds inf"),
    (changed('fclib_local/R/m', I4([1])), "'R/m' must be 3 (the size of vectors/s); it is 1"),
    (entry('R/p', slice(1, 4), 0), "the diagonal of 'R' must be > 0; there is 0"),
    (changed('guesses/1/r', numpy.zeros(14)),
     "the size of 'guesses/1/r' must be 15 (3 x that of vectors/mu); it is 14"),
    (changed('guesses/1/r', numpy.full(15, numpy.nan)), "'guesses/1/r' holds nan"),
    (changed('guesses/1/l'), "there is no 'guesses/1/l'"),
    (changed('guesses/1/l', numpy.zeros(1)),
     "the size of 'guesses/1/l' must be 3 (the number of equality rows); it is 1"),
]


@pytest.mark.parametrize('change, trouble', EQUALITY_DAMAGES, ids=[trouble[:40] for _, trouble in EQUALITY_DAMAGES])
def test_damaged_equality_rows_and_guesses(change, trouble):
    M, H, f, w, mu = small_with_equalities()
    path = write('a.hdf5', H.T @ numpy.linalg.inv(M) @ H, w, mu)
    add_guess(path, numpy.zeros(15), numpy.zeros(3))
    check_damage(path, change, trouble)


def global_entry(name, place, value):
    def change(file):
        file['fclib_global/' + name][place] = value
    return change


def new_matrix(name, matrix):
    def change(file):
        del file['fclib_global/' + name]
        put_matrix(file['fclib_global'], name, matrix, -2)
    return change


GLOBAL_DAMAGES = [
    (changed('fclib_global/spacedim', I4([2])), 'spacedim must be 3; it is 2'),
    (changed('fclib_global/M'), "there is no 'fclib_global/M/m'"),
    (changed('fclib_global/H'), "there is no 'fclib_global/H/m'"),
    (changed('fclib_global/G'), "there is no 'fclib_global/G/m'"),
    (changed('fclib_global/vectors/f'), "there is no 'fclib_global/vectors/f'"),
    (changed('fclib_global/vectors/w'), "there is no 'fclib_global/vectors/w'"),
    (changed('fclib_global/vectors/b'), "there is no 'fclib_global/vectors/b'"),
    (changed('fclib_global/vectors/mu'), "there is no 'fclib_global/vectors/mu'"),
    (changed('fclib_global/vectors/f', numpy.zeros(23)), "'M/m' must be 23 (the size of vectors/f); it is 24"),
    (changed('fclib_global/vectors/w', numpy.zeros(14)),
     "the size of 'vectors/w' must be 15 (3 x that of vectors/mu); it is 14"),
    (changed('fclib_global/vectors/b', numpy.zeros(2)), "'G/n' must be 2 (the size of vectors/b); it is 3"),
    (global_entry('vectors/f', 3, numpy.inf), "'vectors/f' holds inf"),
    (global_entry('vectors/mu', 3, -1), "'vectors/mu' must be >= 0; there is -1"),
    (changed('fclib_global/H/n', I4([12])), "'H/n' must be 15 (the size of vectors/w); it is 12"),
    (global_entry('H/i', 0, 15), "'H/i' must hold indices from 0 to 14; there is 15"),
    (global_entry('M/i', 0, 24), "'M/i' must hold indices from 0 to 23; there is 24"),
    (global_entry('G/x', 0, numpy.nan), "'G/x' holds nan"),
    (global_entry('M/x', 1, 0.123), 'M is not symmetric in the body of velocity 0'),
    (global_entry('M/x', 0, -1), 'M is not positive definite in the body of velocity 0'),
    (new_matrix('M', numpy.zeros((24, 24))), 'M is not positive definite in the body of velocity 0'),
    (new_matrix('G', numpy.eye(24, 3) * [1, 0, 1]), "column 1 of 'G' must not be zero"),
]


@pytest.mark.parametrize('change, trouble', GLOBAL_DAMAGES, ids=[trouble[:40] for _, trouble in GLOBAL_DAMAGES])
def test_damaged_global_problems(change, trouble):
    check_damage(write_global('a.hdf5', *small_with_equalities()), change, trouble)


def test_many_velocities_of_one_body(tmp_path):
    """No memory is asked for."""
    n = 10**5
    path = write_global(tmp_path / 'a.hdf5', numpy.zeros((1, 1)), numpy.zeros((1, 0)), [0], [], [])
    with h5py.File(path, 'r+') as file:
        group = file['fclib_global']
        del group['M'], group['H/m'], group['H/p'], group['vectors/f']
        for key, value in {'M/m': [n], 'M/n': [n], 'M/nz': [n], 'M/p': numpy.arange(n), 'M/i': numpy.zeros(n),
                           'H/m': [n], 'H/p': numpy.zeros(n + 1)}.items():
            group[key] = numpy.array(value, dtype='i4')
        group['M/x'], group['vectors/f'] = numpy.ones(n), numpy.zeros(n)
    with pytest.raises(ValueError, match='the body of velocity 0 has 100000 of them; at most 6000 are taken'):
        FCLIB_SOLVE(path, SOLVER)


def test_unreadable_files(tmp_path):
    for path, text in (('no', "cannot read 'no': No such file or directory"),
                       ('.', "cannot read '.': it is a directory")):
        with pytest.raises(ValueError, match=re.escape("FCLIB_SOLVE: 'path': " + text)):
            FCLIB_SOLVE(path, SOLVER)
    whole = pathlib.Path(write('a.hdf5', *small())).read_bytes()
    for part in (0, 100, 1000, len(whole) // 2, len(whole) - 8):
        pathlib.Path('a.hdf5').write_bytes(whole[:part])
        with pytest.raises(ValueError, match="FCLIB_SOLVE: 'path': 'a.hdf5' "):
            FCLIB_SOLVE('a.hdf5', SOLVER)


@pytest.mark.parametrize('packed', (None, 'gzip'))
def test_numbers_that_are_not_there(tmp_path, packed):
    """A file of some KB that declares a thousand million contacts: no memory is asked for."""
    path = write(tmp_path / 'a.hdf5', *small())
    with h5py.File(path, 'r+') as file:
        vectors = file['fclib_local/vectors']
        for name, size in (('mu', 10**9), ('q', 3 * 10**9)):
            del vectors[name]
            vectors.create_dataset(name, shape=(size,), dtype='f8', chunks=(1024,), compression=packed)
    assert os.stat(path).st_size < 100000
    with pytest.raises(ValueError,
                       match=r"a.hdf5' holds no problem .*: '\S+' has \d000000000 entries, more than the file"):
        FCLIB_SOLVE(path, SOLVER)


def test_texts_of_any_kind(tmp_path):
    """Of h5py: of variable length; and none at all."""
    path = write(tmp_path / 'a.hdf5', *small())
    with h5py.File(path, 'r+') as file:
        del file['fclib_local/info/title']
        file['fclib_local/info/title'] = 'long enough for anything'
    assert FCLIB_SOLVE(path, SOLVER)['status'] == 'OK'
    with h5py.File(path, 'r+') as file:
        del file['fclib_local/info']
    assert FCLIB_SOLVE(path, SOLVER)['status'] == 'OK'


def test_solver_is_one_that_iterates(tmp_path):
    path = write(tmp_path / 'a.hdf5', *small())
    newton = FCLIB_SOLVE(path, NEWTON_SOLVER(delta=0.01, reldelta='avgWii'), 1E-7)
    assert (newton['solver'], newton['status']) == ('PQN', 'OK') and newton['error'] <= 1E-7
    automatic = FCLIB_SOLVE(path, AUTO_SOLVER(), 1E-7)
    assert (automatic['solver'], automatic['status']) == ('AUTO', 'OK') and automatic['error'] <= 1E-7
    extragradient = FCLIB_SOLVE(path, NONSMOOTH_SOLVER('EG-VI-UPK', rho=10), 1E-7)
    assert (extragradient['solver'], extragradient['status']) == ('EG-VI-UPK', 'OK') and extragradient['error'] <= 1E-7
    convex = FCLIB_SOLVE(path, CONVEX_SOLVER(), 1E-7)
    assert (convex['solver'], convex['status']) == ('CCP-APGD', 'OK') and convex['error'] <= 1E-7
    wanted = ("FCLIB_SOLVE: 'solver' must be a GAUSS_SEIDEL_SOLVER, NEWTON_SOLVER, AUTO_SOLVER, NONSMOOTH_SOLVER or "
              'CONVEX_SOLVER object; got')
    with pytest.raises(TypeError, match=wanted):
        FCLIB_SOLVE(path, PENALTY_SOLVER())


# Equality rows, global problems, guesses


def add_guess(path, r, l=()):
    with h5py.File(path, 'r+') as file:
        file['guesses/number_of_guesses'] = numpy.array([1], dtype='i4')
        file['guesses/1/r'] = numpy.array(r, dtype=float)
        if len(l) > 0:
            file['guesses/1/l'] = numpy.array(l, dtype=float)


@pytest.mark.parametrize('form', [-2, -1, 0])
def test_equality_rows_against_elimination(tmp_path, form):
    """l follows from r: what is left are contacts alone."""
    M, H, f, w, mu = small_with_equalities()
    m, inverse = 3 * len(mu), numpy.linalg.inv(M)
    W, q = H.T @ inverse @ H, w + H.T @ inverse @ f
    V, R = W[:m, m:], W[m:, m:]
    contacts = write(tmp_path / 'contacts.hdf5', W[:m, :m] - V @ numpy.linalg.solve(R, V.T),
                     q[:m] - V @ numpy.linalg.solve(R, q[m:]), mu)
    wanted = in_file(FCLIB_SOLVE(contacts, SOLVER, 1E-13)['R'])
    assert numpy.count_nonzero(wanted) > 6
    for path in (write(tmp_path / 'local.hdf5', W, q, mu, form),
                 write_global(tmp_path / 'global.hdf5', M, H, f, w, mu, form)):
        done = FCLIB_SOLVE(path, SOLVER, 1E-12)
        assert (done['status'], done['contacts'], done['equalities'], len(done['R'])) == ('OK', 5, 3, 5)
        r = in_file(done['R'])
        assert r == pytest.approx(wanted, abs=1E-9)
        assert done['l'] == pytest.approx(-numpy.linalg.solve(R, V.T @ r + q[m:]), abs=1E-9)
        assert error_of(path, done['R'], done['l']) == pytest.approx(done['error'], rel=1E-2, abs=1E-14)


def test_equality_rows_alone(tmp_path):
    M, H, f, w, mu = small_with_equalities()
    path = write_global(tmp_path / 'a.hdf5', M, H[:, 15:], f, w[15:], [])
    done = FCLIB_SOLVE(path, SOLVER, 1E-12)
    assert (done['status'], done['contacts'], done['equalities'], done['R']) == ('OK', 0, 3, [])
    W, q, _ = numbers_of(path)
    assert done['l'] == pytest.approx(-numpy.linalg.solve(W, q))


def test_bodies_of_a_diagonal_matrix(tmp_path):
    """As other programs write masses: bodies are sets of six velocities."""
    _, H, f, w, mu = small_with_equalities()
    masses = numpy.random.default_rng(4).uniform(0.5, 2, 24)
    path = write_global(tmp_path / 'a.hdf5', numpy.diag(masses), H, f, w, mu)
    done = FCLIB_SOLVE(path, SOLVER, 1E-10)
    assert done['status'] == 'OK' and error_of(path, done['R'], done['l']) < 1.1E-10


@pytest.mark.parametrize('size', [1E4, 1E6])
@pytest.mark.parametrize('solver', [SOLVER, AUTO_SOLVER()])
def test_a_guess_far_away_costs_no_digits(tmp_path, solver, size):
    path = write_global(tmp_path / 'a.hdf5', *small_with_equalities())
    add_guess(path, numpy.full(15, size), numpy.zeros(3))
    done = FCLIB_SOLVE(path, solver, 1E-12)
    assert done['status'] == 'OK' and error_of(path, done['R'], done['l']) < 1.1E-12


def test_guesses(tmp_path):
    M, H, f, w, mu = small_with_equalities()
    path = write_global(tmp_path / 'a.hdf5', M, H, f, w, mu)
    cold = FCLIB_SOLVE(path, SOLVER, 1E-8)
    assert cold['iterations'] > 5
    add_guess(path, in_file(cold['R']), cold['l'])
    warm = FCLIB_SOLVE(path, SOLVER, 1E-8)
    assert (warm['iterations'], warm['status']) == (1, 'OK')
    again = FCLIB_SOLVE(path, SOLVER, 1E-8, cold='ON')
    assert (again['iterations'], again['R']) == (cold['iterations'], cold['R'])
    # The first one counts; one that is ignored may be damaged; none is none.
    with h5py.File(path, 'r+') as file:
        file['guesses/number_of_guesses'][...] = 2
    assert FCLIB_SOLVE(path, SOLVER, 1E-8)['iterations'] == 1
    with h5py.File(path, 'r+') as file:
        del file['guesses/1/r']
    assert FCLIB_SOLVE(path, SOLVER, 1E-8, cold='ON')['iterations'] == cold['iterations']
    with h5py.File(path, 'r+') as file:
        file['guesses/number_of_guesses'][...] = 0
    assert FCLIB_SOLVE(path, SOLVER, 1E-8)['iterations'] == cold['iterations']


def test_all_solvers_take_equality_rows(tmp_path, solve):
    """In both forms; M is scaled such that methods converge that do not look at W."""
    M, H, f, w, mu = small_with_equalities()
    data = M, H, f, w, mu = 30 * M, H, f, w, mu
    inverse = numpy.linalg.inv(M)
    paths = (write(tmp_path / 'local.hdf5', H.T @ inverse @ H, w + H.T @ inverse @ f, mu),
             write_global(tmp_path / 'global.hdf5', *data))
    _, _, complaint = solve('--solver', 'NO', 'file')
    names = re.search(r'NO not in \{(.*)\}', complaint).group(1).split(',')
    assert len(names) > 40 and 'GS-AA' in names and 'CCP-APGD' in names
    for name in names:
        code, lines, trouble = solve('--solver', name, '--tol', '1e-6', '--time-limit', 2, *paths)
        assert (code, trouble) == (0, ''), name
        for line in lines:
            assert (line['contacts'], line['equalities'], line['status']) == (5, 3, 'OK'), line


# Hard problems of our own, and files of others

PROBLEMS = sorted((pathlib.Path(__file__).resolve().parents[1] / 'problems').glob('*.hdf5'))


@pytest.mark.parametrize('path', PROBLEMS, ids=lambda path: path.stem)
def test_automatic_solver_on_hard_problems(path):
    """A tighter target never ends farther away."""
    assert len(PROBLEMS) == 4
    best = numpy.inf
    for tol in (1E-4, 1E-8, 1E-10, 1E-15):
        done = FCLIB_SOLVE(str(path), AUTO_SOLVER(maxiter=3000), tol)
        assert done['error'] <= max(tol, best)
        assert tol < 1E-10 or (done['status'] == 'OK' and error_of(path, done['R']) <= tol)
        best = min(best, max(done['error'], 1E-12))
    assert FCLIB_SOLVE(str(path), GAUSS_SEIDEL_SOLVER(1, 4000), 1E-8)['status'] == 'DIVERGED'


def collection():
    folder = os.environ.get('SOLFEC_FCLIB')
    if not folder:
        pytest.skip('SOLFEC_FCLIB names no folder with FCLib files')
    return sorted(pathlib.Path(folder).glob('*.hdf5'))


def test_all_files_of_the_collection_can_be_read(solve):
    files = collection()
    assert files
    code, lines, trouble = solve('--tol', '1e-1', '--time-limit', 5, *files)
    assert (code, trouble) == (0, '')
    for path, line in zip(files, lines, strict=True):
        assert line['file'] == str(path) and line['status'] in ('OK', 'TIME', 'DIVERGED')
        with h5py.File(path) as file:
            assert line['contacts'] == len(file['fclib_local/vectors/mu'])


@pytest.mark.parametrize('name', ['Rover1039', 'Rover4144', 'NESpheres_10_1', 'Confeti-ex13-Fc3D-SBM',
                                  'Capsules-i100-889'])
def test_easy_files_of_the_collection(name):
    files = [path for path in collection() if path.stem == name]
    if not files:
        pytest.skip('the folder of SOLFEC_FCLIB has no ' + name)
    for tol in (1E-4, 1E-8):
        done = FCLIB_SOLVE(str(files[0]), SOLVER, tol, 20)
        assert done['status'] == 'OK'
        assert error_of(files[0], done['R']) == pytest.approx(done['error'], rel=1E-3) and done['error'] <= tol


def test_automatic_solver_on_the_collection():
    for path in collection():
        for tol in (1E-4, 1E-8):
            done = FCLIB_SOLVE(str(path), AUTO_SOLVER(maxiter=1000), tol, 20)
            assert done['status'] == 'OK', path.stem
            assert error_of(path, done['R']) <= 1.01 * tol, path.stem
