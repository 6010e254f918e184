"""Rotations as quaternions."""

import numpy as np


def quaternions(rotation):
    """(n, 4) unit quaternions x, y, z, w of rotation matrices (n, 3, 3); the largest component is positive."""
    r = rotation
    trace = np.einsum('nii->n', r)
    # Four times the square of each component; the largest one is safe to divide by.
    squares = np.stack([*(1 + 2 * r[:, i, i] - trace for i in range(3)), 1 + trace], axis=1)
    products = np.empty((len(r), 4, 4))  # 4 q_i q_j
    products[:, range(4), range(4)] = squares
    for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        products[:, i, j] = products[:, j, i] = r[:, j, i] + r[:, i, j]
        products[:, k, 3] = products[:, 3, k] = r[:, j, i] - r[:, i, j]
    q = products[np.arange(len(r)), squares.argmax(axis=1)]
    return q / np.maximum(np.linalg.norm(q, axis=1), 1E-300)[:, None]
