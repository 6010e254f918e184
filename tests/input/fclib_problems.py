"""Small problems in FCLib files as other programs write them, and an error of reactions that is computed from a file
alone."""

import h5py
import numpy

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


def in_file(R):
    """Reactions (T1, T2, N) in the order of files."""
    return numpy.array(R).reshape(-1, 3)[:, [2, 0, 1]].ravel()


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
