"""Smooth light on faces that meet others at shallow angles, as the sides of a cylinder do.

Where no edge is drawn between two faces that are not in one plane, their light passes smoothly from one to the other:
normals at a corner are the means of the faces around it, by their areas, that meet the face of the corner at no larger
angle. Such faces have vertices of their own for each of their corners; all others share the points of the scene.
"""

import numpy as np

from solfec.model_table import Lists, ranges
from solfec.rendering.edges import SHARP, area_vectors, edge_table, face_normals

_FLAT = np.cos(np.radians(0.5))  # faces that meet at a smaller angle are one


def smooth_faces(corners, points):
    """Mask of the faces, lists of corners, that meet another one at a shallow angle."""
    table, normals = edge_table(corners, len(points)), face_normals(corners, points)
    pair = table.first[table.shared == 2]
    one, two = table.face[pair], table.face[pair + 1]
    cosine = np.einsum('ij,ij->i', normals[one], normals[two])
    shallow = (cosine >= SHARP) & (cosine < _FLAT)
    result = np.zeros(len(corners), dtype=bool)
    result[one[shallow]] = result[two[shallow]] = True
    return result


class SmoothFaces:
    """Vertices of faces of which some are smooth.

    corners   of all faces, as numbers of vertices
    vertices  point of the scene of each vertex
    """

    def __init__(self, corners, points, smooth):
        """corners: of faces, as numbers of points; points: reference ones (n, 3); smooth: mask of faces"""
        face = np.repeat(np.arange(len(corners)), corners.count)
        own = np.flatnonzero(smooth[face])
        self._shared = len(points)
        numbers = corners.numbers.copy()
        numbers[own] = self._shared + np.arange(len(own))
        self.corners = Lists(numbers, corners.count)
        self.vertices = np.concatenate([np.arange(self._shared), corners.numbers[own]])
        corner, around = _faces_around(corners, face, own, len(points))
        normals = face_normals(corners, points)
        keep = np.einsum('ij,ij->i', normals[face[own[corner]]], normals[around]) >= SHARP
        self._first = np.flatnonzero(np.diff(corner[keep], prepend=-1))
        faces, self._around = np.unique(around[keep], return_inverse=True)
        self._faces = corners.take(faces)

    def normals(self, points):
        """(n, 3) of vertices when points are where they are now; zero where vertices are shared."""
        sums = np.add.reduceat(area_vectors(self._faces, points)[self._around], self._first)
        result = np.zeros((len(self.vertices), 3), dtype=np.float32)
        result[self._shared:] = sums / np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1E-300)
        return result


def _faces_around(corners, face, own, points):
    """Of corners `own`: their places in this list, and with each the faces that have its point, itself among them."""
    used = np.zeros(points, dtype=bool)
    used[corners.numbers[own]] = True
    near = np.flatnonzero(used[corners.numbers])
    near = near[np.argsort(corners.numbers[near], kind='stable')]
    known, wanted = corners.numbers[near], corners.numbers[own]
    begin = np.searchsorted(known, wanted)
    count = np.searchsorted(known, wanted, side='right') - begin
    return np.repeat(np.arange(len(own)), count), face[near[ranges(begin, count)]]
