"""Edges and normals of polygons."""

from dataclasses import dataclass

import numpy as np

SHARP = np.cos(np.radians(20))  # faces that meet at a larger angle have an edge between them


@dataclass
class EdgeTable:
    """Edges of faces, each once for each of its faces, sorted."""
    edges: np.ndarray   # number of the lower point times the number of points, plus that of the higher one
    face: np.ndarray    # of each
    first: np.ndarray   # rows where another edge starts
    shared: np.ndarray  # number of faces of each of those


def edge_table(corners, points):
    """EdgeTable of lists of corners; points: their number"""
    face = np.repeat(np.arange(len(corners)), corners.count)
    following = corners.numbers[_following(corners)]
    # An edge is one number here, which is sorted faster than two.
    edges = np.minimum(corners.numbers, following) * points + np.maximum(corners.numbers, following)
    order = np.argsort(edges, kind='stable')
    edges, face = edges[order], face[order]
    first = np.flatnonzero(np.diff(edges, prepend=-1))
    return EdgeTable(edges, face, first, np.diff(first, append=len(edges)))


def edges_of(faces, points, drawn, sharp_only):
    """(n, 2) points at the ends of the edges of some faces; of two faces in about one plane none when `sharp_only`."""
    if not len(drawn):
        return np.zeros((0, 2), dtype=int)
    corners = faces.corners.take(drawn)
    table = edge_table(corners, len(points))
    first = table.first
    if sharp_only:
        normals = face_normals(corners, points)
        pair = first[table.shared == 2]
        is_flat = np.zeros(len(first), dtype=bool)
        is_flat[table.shared == 2] = np.einsum('ij,ij->i', normals[table.face[pair]],
                                               normals[table.face[pair + 1]]) >= SHARP
        first = first[~is_flat]
    return np.stack(np.divmod(table.edges[first], len(points)), axis=1)


def _following(corners):
    """Of each corner in lists of corners of faces: where the next one of its face stands."""
    following = np.arange(1, len(corners.numbers) + 1)
    begin = corners.begin()
    following[begin + corners.count - 1] = begin
    return following


def area_vectors(corners, points):
    """(n, 3) normals of polygons, twice as long as their areas."""
    if not len(corners):
        return np.zeros((0, 3))
    triangles, face = corners.fans()
    a, b, c = (np.ascontiguousarray(points[triangles[:, k]].T) for k in range(3))
    (x, y, z), (u, v, w) = b - a, c - a
    areas = np.stack([y * w - z * v, z * u - x * w, x * v - y * u], axis=1)
    return np.add.reduceat(areas, np.flatnonzero(np.diff(face, prepend=-1)), axis=0)


def face_normals(corners, points):
    """Unit normals of polygons; the mean one of those that are not flat."""
    normals = area_vectors(corners, points)
    return normals / np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1E-300)
