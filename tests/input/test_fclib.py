"""FCLIB_DUMP, FCLIB_SOLVE and the program solfec-solve, judged by an error that is computed here from the file alone;
and, where SOLFEC_FCLIB names a folder with them, files of others."""

import json
import os
import pathlib
import re
import subprocess

import h5py
import numpy
import pytest
from conftest import Program

from solfec import *

SOLVER = GAUSS_SEIDEL_SOLVER(1E-3, 100000)


def dense(W):
    """A matrix of a file in any of its three forms."""
    m, n, nz = (int(W[name][0]) for name in ('m', 'n', 'nz'))
    p, i, x = (W[name][:] for name in 'pix')
    result = numpy.zeros((m, n))
    if nz >= 0:
        numpy.add.at(result, (p[:nz], i[:nz]), x[:nz])
        return result
    major = numpy.repeat(numpy.arange(m if nz == -2 else n), numpy.diff(p))
    numpy.add.at(result, (major, i[:p[-1]]) if nz == -2 else (i[:p[-1]], major), x[:p[-1]])
    return result


def numbers_of(path):
    """W and q over the components of contacts and the equality rows after them, and mu, of a file of either form."""
    with h5py.File(path, 'r') as file:
        form = 'fclib_local' if 'fclib_local' in file else 'fclib_global'
        group, vectors = file[form], {name: values[:] for name, values in file[form + '/vectors'].items()}
        equalities = vectors.get('s', vectors.get('b', []))
        has = len(equalities) > 0
        if form == 'fclib_local':
            W, q = dense(group['W']), vectors['q']
            if has:
                V = dense(group['V'])
                W = numpy.block([[W, V], [V.T, dense(group['R'])]])
        else:
            H = numpy.hstack([dense(group[name]) for name in ('H', 'G')[:1 + has]])
            inverse = numpy.linalg.inv(dense(group['M']))
            W, q = H.T @ inverse @ H, vectors['w']
            extra = H.T @ inverse @ vectors['f']
        q = numpy.concatenate([q, equalities])
        return W, q if form == 'fclib_local' else q + extra, vectors['mu']


def projected(v, mu):
    """On the cone |v_T| <= mu v_N, components (N, T, T), by the three cases of its definition."""
    normal, tangent = v[0], numpy.hypot(v[1], v[2])
    if tangent <= mu * normal:
        return v
    if mu * tangent <= -normal:
        return numpy.zeros(3)
    edge = numpy.array([1, mu * v[1] / tangent, mu * v[2] / tangent]) / (1 + mu * mu)**0.5
    return (v @ edge) * edge


def error_of(path, R, l=()):
    """Of reactions (T1, T2, N): |r - P_K (r - u - mu |u_T| n)| / |q|, with what equality rows miss."""
    W, q, mu = numbers_of(path)
    r = numpy.array(R, dtype=float).reshape(-1, 3)[:, [2, 0, 1]]
    velocities = W @ numpy.concatenate([r.ravel(), l]) + q
    u, missed = velocities[:r.size].reshape(-1, 3), velocities[r.size:]
    left = [r_k - projected(r_k - u_k - [m * numpy.hypot(u_k[1], u_k[2]), 0, 0], m) for r_k, u_k, m in zip(r, u, mu)]
    return numpy.hypot(numpy.linalg.norm(left), numpy.linalg.norm(missed)) / (numpy.linalg.norm(q) or 1)


def put_matrix(group, name, W, form):
    W = numpy.array(W, dtype=float)
    rows, columns = numpy.nonzero(W)
    if form == -1:
        columns, rows = numpy.nonzero(numpy.transpose(W))
    x = W[rows, columns]
    major, minor = (columns, rows) if form == -1 else (rows, columns)
    pointers = numpy.searchsorted(major, numpy.arange(W.shape[form == -1] + 1))
    for key, value in {'m': [W.shape[0]], 'n': [W.shape[1]], 'nz': [len(x) if form == 0 else form],
                       'nzmax': [len(x)], 'p': major if form == 0 else pointers, 'i': minor}.items():
        group[name + '/' + key] = numpy.array(value, dtype='i4')
    group[name + '/x'] = x


def put_problem(path, kind, matrices, vectors, form):
    with h5py.File(path, 'w') as file:
        group = file.create_group(kind)
        for name, matrix in matrices.items():
            put_matrix(group, name, matrix, form)
        for name, vector in vectors.items():
            group['vectors/' + name] = numpy.array(vector, dtype=float)
        group['spacedim'] = numpy.array([3], dtype='i4')
        group['info/title'] = numpy.bytes_('small')
    return str(path)


def write(path, W, q, mu, form=-2):
    """A file as others write it, with lists of fixed length for texts; rows after the contacts are equality rows."""
    W, q, m = numpy.array(W, dtype=float), numpy.array(q, dtype=float), 3 * len(mu)
    matrices, vectors = {'W': W[:m, :m]}, {'q': q[:m], 'mu': mu}
    if len(q) > m:
        matrices.update(V=W[:m, m:], R=W[m:, m:])
        vectors.update(s=q[m:])
    return put_problem(path, 'fclib_local', matrices, vectors, form)


def write_global(path, M, H, f, w, mu, form=-2):
    """Likewise, with the columns of G after those of H."""
    m = 3 * len(mu)
    matrices, vectors = {'M': M, 'H': H[:, :m]}, {'f': f, 'w': w[:m], 'mu': mu}
    if len(w) > m:
        matrices.update(G=H[:, m:])
        vectors.update(b=w[m:])
    return put_problem(path, 'fclib_global', matrices, vectors, form)


def small(contacts=5, seed=1):
    """Contacts of a few bodies."""
    random = numpy.random.default_rng(seed)
    G = random.uniform(-1, 1, (3 * contacts, 3 * contacts + 6))
    q = random.uniform(-1, 1, 3 * contacts)
    q[::3] -= 0.5
    return G @ G.T, q, random.uniform(0.1, 0.8, contacts)


def small_with_equalities(equalities=3, seed=2):
    """M, H, f, w, mu: five contacts and equality rows between four bodies of six velocities."""
    random = numpy.random.default_rng(seed)
    contacts, bodies = 5, 4
    M, H = numpy.zeros((6 * bodies, 6 * bodies)), numpy.zeros((6 * bodies, 3 * contacts + equalities))
    for body in range(bodies):
        A = random.uniform(-1, 1, (6, 6))
        M[6 * body:, 6 * body:][:6, :6] = A @ A.T + 0.5 * numpy.eye(6)
    for k in range(contacts + equalities):
        columns = slice(3 * k, 3 * k + 3) if k < contacts else 2 * contacts + k
        for body in random.choice(bodies, 2, replace=False):
            H[6 * body:6 * body + 6, columns] = random.uniform(-1, 1, H[:6, columns].shape)
    w = random.uniform(-1, 1, 3 * contacts + equalities)
    w[:3 * contacts:3] -= 0.5
    return M, H, random.uniform(-1, 1, 6 * bodies), w, random.uniform(0.1, 0.8, contacts)


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
    (entry('vectors/mu', 0, -0.5), 'mu must be >= 0; there is -0.5'),
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
    (global_entry('vectors/mu', 3, -1), 'mu must be >= 0; there is -1'),
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


def in_file(R):
    """Reactions (T1, T2, N) in the order of files."""
    return numpy.array(R).reshape(-1, 3)[:, [2, 0, 1]].ravel()


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


# FCLIB_DUMP


def test_dump(model):
    with pytest.raises(ValueError, match="FCLIB_DUMP: 'solfec': no step has been made yet"):
        FCLIB_DUMP(model.solfec, 'a.hdf5')
    INITIAL_VELOCITY(model.ball, (1, 0, -1), (0, 0, 0))
    model.run()
    FCLIB_DUMP(model.solfec, 'a.hdf5')
    contact = model.solfec.constraints[0]
    done = FCLIB_SOLVE('a.hdf5', SOLVER, 1E-12)
    assert done['R'][0] == pytest.approx(contact.R, rel=1E-6)
    assert error_of('a.hdf5', [contact.R]) < 1E-6
    with h5py.File('a.hdf5') as file:
        local = file['fclib_local']
        assert local['W/nz'][0] == -2 and local['spacedim'][0] == 3 and local['vectors/mu'][:] == [0.5]
        # The block of W in the normal direction, the first of the file: h / m.
        assert dense(local['W'])[0, 0] == pytest.approx(1E-3 / model.ball.mass)
        assert b'model0, step 1' in local['info/title'][()]
    with pytest.raises(RuntimeError, match="FCLIB_DUMP: cannot write 'no/such.hdf5': No such file or directory"):
        FCLIB_DUMP(model.solfec, 'no/such.hdf5')
    DELETE(model.solfec, model.ball)
    with pytest.raises(ValueError, match='bodies or constraints were made or deleted since the last step'):
        FCLIB_DUMP(model.solfec, 'a.hdf5')


def test_dump_with_restitution_and_cohesion(model):
    """What solves the step solves the file, with the cohesive force added."""
    SURFACE_MATERIAL(model.solfec, 1, 2, friction=0.5, restitution=0.5, cohesion=100)
    solver = GAUSS_SEIDEL_SOLVER(1E-14, 1000, 1E-20)
    INITIAL_VELOCITY(model.ball, (0.01, 0, -1), (0, 0, 0))
    RUN(model.solfec, solver, model.solfec.step)
    contact = model.solfec.constraints[0]
    assert contact.U[2] == pytest.approx(0.5, rel=0.1)  # it rebounds
    FCLIB_DUMP(model.solfec, 'a.hdf5')
    cohesion = 100 * contact.area
    assert cohesion > 0
    R = numpy.array(contact.R) + (0, 0, cohesion)
    assert error_of('a.hdf5', [R]) < 1E-8 < error_of('a.hdf5', [contact.R])


def test_dump_without_contacts(free):
    free.run()
    FCLIB_DUMP(free.solfec, 'a.hdf5')
    assert FCLIB_SOLVE('a.hdf5', SOLVER)['contacts'] == 0


def pendulum(name):
    """A chain of two bricks, the first one on a point in space, beside a ball on a floor; one direction of the ball is
    fixed."""
    solfec = SOLFEC('DYNAMIC', 1E-3, name)
    solfec.joint_correction = 'OFF'
    material = BULK_MATERIAL(solfec, density=1000)
    SURFACE_MATERIAL(solfec, friction=0.3)
    GRAVITY(solfec, (0, 0, -9.81))
    solfec.verbose = 'OFF'
    BODY(solfec, 'OBSTACLE', BOX((0, 0, -1), (10, 10, 2)), material)
    bricks = [BODY(solfec, 'RIGID', BOX((x, 0.1, 2.1), (0.9, 0.2, 0.2)), material) for x in (0.45, 1.45)]
    FIX_POINT(bricks[0], (0, 0.1, 2.1))
    PUT_RIGID_LINK(*bricks, (0.95, 0.1, 2.1), (0.95, 0.1, 2.1))
    ball = BODY(solfec, 'RIGID', SPHERE((0, 0, 0.4999), 0.5, 1, 1), material)
    FIX_DIRECTION(ball, (0, 0, 0.5), (1, 0, 0))
    INITIAL_VELOCITY(ball, (0, 0.5, -0.1), (1, 2, 0))
    INITIAL_VELOCITY(bricks[1], (0.1, 0.3, 0), (0, 0, 0.5))
    return solfec


def joints_in_file(solfec):
    """Multipliers of the run in the order of files."""
    result = []
    for joint in solfec.constraints:
        if joint.kind == 'FIXPNT':
            result += [joint.R[2], joint.R[0], joint.R[1]]
        elif joint.kind == 'FIXDIR':
            result.append(joint.R[2])
    return result


def test_dump_with_joints(tmp_path):
    """Both forms hold the problem of the run, and it begins where that ended."""
    solfec = pendulum('chain')
    RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-15, 10000, 1E-24), 3 * solfec.step)
    contacts = [c.R for c in solfec.constraints if c.kind == 'CONTACT']
    joints = joints_in_file(solfec)
    assert len(contacts) == 1 and len(joints) == 7
    matrices, files = [], ('local.hdf5', 'global.hdf5')
    for path, form in zip(files, ('LOCAL', 'GLOBAL')):
        FCLIB_DUMP(solfec, path, form, 'ON')
        W, q, mu = numbers_of(path)
        matrices.append((W, q, mu))
        assert error_of(path, contacts, joints) < 1E-8
        done = FCLIB_SOLVE(path, SOLVER, 1E-10, cold='ON')
        assert (done['status'], done['contacts'], done['equalities']) == ('OK', 1, 7)
        assert done['iterations'] > 3 and done['R'][0] == pytest.approx(contacts[0], rel=1E-6)
        assert done['l'] == pytest.approx(joints, rel=1E-6, abs=1E-6)
        warm = FCLIB_SOLVE(path, SOLVER, 1E-6)
        assert (warm['status'], warm['iterations']) == ('OK', 1)
        with h5py.File(path) as file:
            guess = {name: value[:] for name, value in file['guesses/1'].items()}
            assert guess['r'] == pytest.approx(in_file(contacts)) and guess['l'] == pytest.approx(joints)
            assert guess['u'] == pytest.approx((W @ [*guess['r'], *guess['l']] + q)[:3])
            assert sorted(guess) == (['l', 'r', 'u'] if form == 'LOCAL' else ['l', 'r', 'u', 'v'])
            if form == 'GLOBAL':
                M, H, G = (dense(file['fclib_global/' + name]) for name in 'MHG')
                assert M.shape == (18, 18) and (M == 1E3 * numpy.eye(18)).all()
                assert guess['v'] == pytest.approx(numpy.linalg.solve(M, H @ guess['r'] + G @ guess['l']))
    for one, other in zip(*matrices):
        assert one == pytest.approx(other, rel=1E-12, abs=1E-14 * numpy.abs(one).max())
    FCLIB_DUMP(solfec, 'a.hdf5')
    with h5py.File('a.hdf5') as file:
        assert 'guesses' not in file


def test_dump_of_closed_joints(tmp_path):
    """Where steps close joints their targets do: the reactions of the step, without the impulses at its ends, solve the
    file. A link is a fixed direction."""
    solfec = pendulum('chain')
    solfec.joint_correction = 'ON'
    PUT_RIGID_LINK(solfec.bodies[2], solfec.bodies[3], (1.9, 0.1, 2.1), (0, 0, 0.5))
    RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-15, 10000, 1E-24), 10 * solfec.step)
    for form in ('LOCAL', 'GLOBAL'):
        FCLIB_DUMP(solfec, 'a.hdf5', form, 'ON')
        with h5py.File('a.hdf5') as file:
            r, l = file['guesses/1/r'][:], file['guesses/1/l'][:]
        assert len(l) == 8 and error_of('a.hdf5', r.reshape(-1, 3)[:, [1, 2, 0]], l) < 1E-8


def test_dump_of_targets(tmp_path):
    """A prescribed velocity is a target, and so part of s: the run's reactions solve the file."""
    solfec = pendulum('chain')
    ball = solfec.bodies[3]
    SET_VELOCITY(ball, (0, 0, 0.5), (0, 1, 0), 0.75)
    RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-15, 10000, 1E-24), solfec.step)
    FCLIB_DUMP(solfec, 'a.hdf5', 'GLOBAL')
    done = FCLIB_SOLVE('a.hdf5', SOLVER, 1E-10)
    assert (done['status'], done['equalities']) == ('OK', 8)
    assert done['R'][0] == pytest.approx([c.R for c in solfec.constraints if c.kind == 'CONTACT'][0], rel=1E-6)
    prescribed = [c.R[2] for c in solfec.constraints if c.kind == 'VELODIR']
    assert any(l == pytest.approx(prescribed[0], rel=1E-6) for l in done['l'])


def test_dump_refuses_what_it_cannot_say(model):
    model.solfec.joint_correction = 'OFF'
    PUT_SPRING(model.ball, (0, 0, 1), model.floor, (0, 0, 0), lambda stroke, velocity: 0.0, (-1, 1))
    for x in (0, 1):
        PUT_RIGID_LINK(model.ball, model.floor, (0, 0, 1), (x, 0, -1))
    model.run()
    with pytest.raises(ValueError, match="FCLIB_DUMP: 'solfec': the joints of an FCLib file are fixed points and fixed "
                                         'directions; in the last step 2 constraints were rigid links by velocities, '
                                         'and 1 were springs'):
        FCLIB_DUMP(model.solfec, 'a.hdf5')
    assert not os.path.exists('a.hdf5')


def test_dump_refuses_springs(model):
    SURFACE_MATERIAL(model.solfec, 1, 2, model='SPRING_DASHPOT', spring=1E6)
    RUN(model.solfec, PENALTY_SOLVER(), model.solfec.step)
    with pytest.raises(ValueError, match='in the last step 1 contacts were spring-dashpots'):
        FCLIB_DUMP(model.solfec, 'a.hdf5')


# solfec-solve


@pytest.fixture
def solve(tmp_path):
    """Runs the program; returns its exit code, the objects it prints, and its complaints."""
    def run(*words):
        done = Program(tmp_path, 'solfec-solve').run_words(*map(str, words))
        return done.returncode, [json.loads(line) for line in done.stdout.splitlines()], done.stderr
    return run


def test_program(tmp_path, solve):
    path = write(tmp_path / 'a "b".hdf5', *small())
    other = write(tmp_path / 'c.hdf5', *small(8, 2))
    code, (first, second), trouble = solve('--solver', 'GS', '--tol', '1e-6', '--time-limit', 5, path, other)
    assert (code, trouble) == (0, '')
    assert list(first) == ['file', 'contacts', 'equalities', 'solver', 'tol', 'seconds', 'iterations', 'status',
                           'error']
    assert (first['file'], first['contacts'], first['solver'], first['tol'], first['status']) \
        == (path, 5, 'GS', 1E-6, 'OK')
    assert (second['file'], second['contacts']) == (other, 8)
    assert first['error'] <= 1E-6 and 0 < first['seconds'] < 1 and first['iterations'] > 1
    # The same as from Python, with the same settings.
    assert FCLIB_SOLVE(path, SOLVER, 1E-6)['error'] == pytest.approx(first['error'])
    code, (line,), _ = solve('--solver', 'PQN', '--tol', '1e-7', path)
    assert (code, line['solver'], line['status']) == (0, 'PQN', 'OK') and line['error'] <= 1E-7
    for name in ('AUTO', 'GS', 'GS-AA', 'PQN', 'FP-DS', 'EG-VI-UPTS'):
        code, (line,), _ = solve('--solver', name, '--tol', '1e-16', '--time-limit', '1e-9', path)
        assert (code, line['status']) == (0, 'TIME')
    stuck = write(tmp_path / 'stuck.hdf5', numpy.diag([0, 1, 1]), [-1, 0, 0], [0.5])
    code, (line,), _ = solve(stuck)
    assert (code, line['status'], line['tol']) == (0, 'DIVERGED', 1E-4)


def test_program_goes_on_after_a_bad_file(tmp_path, solve):
    path = write(tmp_path / 'a.hdf5', *small())
    code, (bad, good), trouble = solve('no.hdf5', path)
    assert (code, trouble) == (1, '')
    assert bad == {'file': 'no.hdf5', 'solver': 'AUTO', 'tol': 1E-4, 'status': 'ERROR',
                   'message': "cannot read 'no.hdf5': No such file or directory"}
    assert good['status'] == 'OK'


@pytest.mark.parametrize('words, complaint', [
    ([], 'FILE is required'), (['--tol', '0', 'a'], '--tol'), (['--tol', 'x', 'a'], '--tol'),
    (['--tol', 'nan', 'a'], '--tol'), (['--time-limit', '-1', 'a'], '--time-limit'),
    (['--solver', 'NO', 'a'], 'NO not in {GS,GS-AA,PQN,AUTO,FP-DS,FP-VI-UPK'), (['--no', 'a'], '--no')])
def test_program_with_bad_arguments(solve, words, complaint):
    code, lines, trouble = solve(*words)
    assert (code, lines) == (2, []) and trouble.startswith('solfec-solve: ') and complaint in trouble


@pytest.mark.skipif(not os.path.exists('/dev/full'), reason='there is no /dev/full')
def test_program_on_a_full_disk(tmp_path):
    path = write(tmp_path / 'a.hdf5', *small())
    with open('/dev/full', 'w') as full:
        done = subprocess.run([Program(tmp_path, 'solfec-solve').executable, path], stdout=full, stderr=subprocess.PIPE,
                              text=True)
    assert done.returncode == 1
    assert done.stderr == 'solfec-solve: cannot write the answer: No space left on device\n'


def test_program_help(tmp_path):
    program = Program(tmp_path, 'solfec-solve')
    text = program.run_words('--help')
    assert text.returncode == 0
    assert all(word in text.stdout for word in ('--solver', '--tol', '--time-limit', '--cold', 'FILE'))
    assert program.run_words('--version').stdout.startswith('Solfec ')


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
