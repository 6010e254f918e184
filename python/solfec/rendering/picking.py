"""What a line of sight meets: exact, by numpy."""

import numpy as np


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


def nearest_point(points, start, direction, pixel, reach):
    """Number of the point nearest to a ray, at most `reach` pixels away, or None. The size of a pixel at a distance t
    along the ray is pixel(t)."""
    if not len(points):
        return None
    off = points - start
    t = off @ direction
    away = np.linalg.norm(off - t[:, None] * direction, axis=1)
    pixels = np.where(t > 0, away / np.maximum(pixel(t), 1E-300), np.inf)
    k = int(np.argmin(pixels))
    return k if pixels[k] <= reach else None
