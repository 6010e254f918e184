"""A sphere of triangles, from which balls and ellipsoids are made."""

import functools

import numpy as np

MOST_DETAIL = 5
# Balls up to which a detail is taken: surfaces of all of them have about 100,000 points at most, of 10,000 balls.
DETAIL_UNTIL = ((50, 2), (2000, 1))


def detail_for(balls):
    """How finely to tessellate so many balls: 162 points each, 42 or 12."""
    return next((detail for most, detail in DETAIL_UNTIL if balls <= most), 0)


@functools.lru_cache
def unit_sphere(detail):
    """Points (n, 3) on the unit sphere and triangles (m, 3), outward: an icosahedron whose triangles are cut into four
    `detail` times; 12, 42, 162, 642, ... points. It is closed and lies inside of the sphere."""
    golden = 0.5 * (1 + 5**0.5)
    points = np.array([(-1, golden, 0), (1, golden, 0), (-1, -golden, 0), (1, -golden, 0),
                       (0, -1, golden), (0, 1, golden), (0, -1, -golden), (0, 1, -golden),
                       (golden, 0, -1), (golden, 0, 1), (-golden, 0, -1), (-golden, 0, 1)], dtype=float)
    # Neighbours are 2 apart; a triangle is three of them, turned outward.
    near = np.abs(np.linalg.norm(points[:, None] - points, axis=2) - 2) < 1E-9
    triangles = np.array([(a, b, c) for a in range(12) for b in range(a) for c in range(b)
                          if near[a, b] and near[b, c] and near[a, c]])
    inward = np.einsum('ni,ni->n', np.cross(points[triangles[:, 0]], points[triangles[:, 1]]),
                       points[triangles[:, 2]]) < 0
    triangles[inward] = triangles[inward][:, ::-1]
    for _ in range(detail):
        points, triangles = _cut(points, triangles)
    return points / np.linalg.norm(points, axis=1)[:, None], triangles


def _cut(points, triangles):
    points = points / np.linalg.norm(points, axis=1)[:, None]
    edges = np.sort(np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]]), axis=1)
    edges, middle = np.unique(edges, axis=0, return_inverse=True)
    ab, bc, ca = middle.reshape(3, -1) + len(points)
    a, b, c = triangles.T
    points = np.concatenate([points, points[edges].mean(axis=1)])
    return points, np.concatenate([np.stack(part, axis=1) for part in
                                   ((a, ab, ca), (b, bc, ab), (c, ca, bc), (ab, bc, ca))])


def ball_surfaces(balls, keep, detail):
    """Points (k, n, 3) on the balls `keep` (a mask) of a SceneBalls, and triangles (m, 3) of each."""
    sphere, triangles = unit_sphere(detail)
    return balls.center[keep][:, None] + np.einsum('kij,nj->kni', balls.map[keep], sphere), triangles
