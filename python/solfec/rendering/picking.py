"""What a line of sight meets: exact, by numpy."""

from typing import NamedTuple

import numpy as np


class Lines(NamedTuple):
    """Straight lines with round cross sections; points are lines that end where they start."""
    start: np.ndarray   # (n, 3)
    end: np.ndarray     # (n, 3)
    radius: np.ndarray  # (n,) [m]

    @classmethod
    def of(cls, *groups):
        """Of arrays of starts and ends, and a radius; several groups of them."""
        return cls(*(np.concatenate(values) for values in zip(*(
            (start, end, np.full(len(start), radius)) for start, end, radius in groups))))


def between_cuts(start, direction, cuts):
    """Distances between which a ray is in what the cuts keep; (1, 0) if nowhere."""
    first, last = -np.inf, np.inf
    for cut in cuts:
        along, room = np.dot(cut.normal, direction), cut.position - np.dot(cut.normal, start)
        if abs(along) < 1E-12:
            if room < 0:
                return 1.0, 0.0
        elif along > 0:
            last = min(last, room / along)
        else:
            first = max(first, room / along)
    return first, last


def body_on(scene, start, direction, drawn, cuts):
    """(distance, number) of the first body among those of a Selection that a ray meets, or (inf, None)."""
    first, last = between_cuts(start, direction, cuts)
    if first > last:
        return np.inf, None
    hits = [_balls(scene, start, direction, drawn.balls, first, last),
            _faces(scene, start, direction, drawn.faces, first, last)]
    return min(hits, key=lambda hit: hit[0])


def _balls(scene, start, direction, drawn, first, last):
    balls, which = scene.balls, np.flatnonzero(drawn)
    if not len(which):
        return np.inf, None
    inverse = np.linalg.inv(balls.map[which])
    p = np.einsum('nij,nj->ni', inverse, start - balls.center[which])
    d = inverse @ direction
    dd, pd, pp = (np.einsum('ni,ni->n', *pair) for pair in ((d, d), (p, d), (p, p)))
    root = pd * pd - dd * (pp - 1)
    half = np.sqrt(np.maximum(root, 0)) / dd
    enter, leave = np.maximum(-pd / dd - half, first), np.minimum(-pd / dd + half, last)
    distance = np.where((root >= 0) & (enter <= leave), enter, np.inf)
    k = int(np.argmin(distance))
    return (float(distance[k]), int(balls.body[which[k]])) if distance[k] < np.inf else (np.inf, None)


def _faces(scene, start, direction, drawn, first, last):
    triangles, face = scene.faces.triangles()
    keep = drawn[face]
    triangles, face = triangles[keep], face[keep]
    if not len(triangles):
        return np.inf, None
    a, b, c = (scene.points[triangles[:, k]] for k in range(3))
    one, two = b - a, c - a
    cross = np.cross(np.broadcast_to(direction, two.shape), two)
    volume = np.einsum('ni,ni->n', one, cross)
    with np.errstate(divide='ignore', invalid='ignore'):
        off = start - a
        v = np.einsum('ni,ni->n', off, cross) / volume
        other = np.cross(off, one)
        w = other @ direction / volume
        distance = np.einsum('ni,ni->n', two, other) / volume
        inside = (v >= 0) & (w >= 0) & (v + w <= 1) & (distance >= first) & (distance <= last)
    distance = np.where(inside, distance, np.inf)
    k = int(np.argmin(distance))
    return (float(distance[k]), int(scene.faces.body[face[k]])) if distance[k] < np.inf else (np.inf, None)


def nearest_line(lines, start, direction, pixel, reach, cuts):
    """Number of the straight line nearest to a ray, at most `reach` pixels away, or None. The size of a pixel at a
    distance t along the ray is pixel(t). Where a line is nearest, the cuts must leave it.

    lines  Lines
    """
    if not len(lines.start):
        return None
    along = lines.end - lines.start
    flat, off = (vectors - (vectors @ direction)[:, None] * direction for vectors in (along, lines.start - start))
    square = np.einsum('ni,ni->n', flat, flat)
    share = np.clip(-np.einsum('ni,ni->n', flat, off) / np.where(square > 0, square, 1), 0, 1)
    points = lines.start + share[:, None] * along
    t = (points - start) @ direction
    away = np.maximum(np.linalg.norm(points - start - t[:, None] * direction, axis=1) - lines.radius, 0)
    pixels = np.where(t > 0, away / np.maximum(pixel(t), 1E-300), np.inf)
    for cut in cuts:
        pixels[points @ np.asarray(cut.normal) > cut.position] = np.inf
    k = int(np.argmin(pixels))
    return k if pixels[k] <= reach else None
