"""Which tangent the linearly implicit scheme DEF_LIM should use: python3 docs/evidence/tangent.py (numpy alone).

A free pseudo-rigid body spins while it vibrates. Both versions of  A (u' - u) = -h V P(F),  A = M + h^2/4 K, are
run for 1 s: with the whole tangent K = dP/dF, and with its material part. Printed are the largest relative changes of
angular momentum and energy.
"""

import numpy as np

young, poisson, density, step = 1E6, 0.25, 1E3, 1E-3
lame = young * poisson / ((1 + poisson) * (1 - 2 * poisson))
mu = young / (2 + 2 * poisson)
sides = np.array([1.0, 0.6, 0.4])
volume = sides.prod()
E = density * volume * np.diag(sides**2) / 12
I = np.eye(3)


def stress(F):
    """First and second Piola stress, strain energy density."""
    e = 0.5 * (F.T @ F - I)
    S = lame * np.trace(e) * I + 2 * mu * e
    return F @ S, S, 0.5 * np.tensordot(S, e)


def tangent(F, whole):
    """dP/dF as a 9 x 9 matrix on F.ravel()."""
    K = np.empty((9, 9))
    S = stress(F)[1]
    for k in range(9):
        dF = np.eye(9)[k].reshape(3, 3)
        de = 0.5 * (F.T @ dF + dF.T @ F)
        K[:, k] = (F @ (lame * np.trace(de) * I + 2 * mu * de) + (dF @ S if whole else 0)).ravel()
    return K


def run(whole):
    F = np.diag([1.1, 1.0, 0.95])
    rate = np.array([[0, -8.0, 2], [8, 0, -3], [-2, 3, 0]]) @ F
    momentum, energy = [], []
    M = np.kron(I, E)
    for n in range(round(1 / step)):
        F = F + 0.5 * step * rate
        A = M + 0.25 * step**2 * volume * tangent(F, whole)
        rate = rate + np.linalg.solve(A, -step * volume * stress(F)[0].ravel()).reshape(3, 3)
        F = F + 0.5 * step * rate
        spin = rate @ E @ F.T
        momentum.append(np.array([spin[2, 1] - spin[1, 2], spin[0, 2] - spin[2, 0], spin[1, 0] - spin[0, 1]]))
        energy.append(0.5 * np.trace(rate @ E @ rate.T) + volume * stress(F)[2])
    momentum, energy = np.array(momentum), np.array(energy)
    return (np.abs(momentum - momentum[0]).max() / np.linalg.norm(momentum[0]),
            np.abs(energy - energy[0]).max() / energy[0])


for name, whole in (('whole tangent', True), ('material part', False)):
    print('%s: angular momentum %.0e, energy %.0e' % ((name,) + run(whole)))
