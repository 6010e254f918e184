"""Polyhedra and the boundaries of meshes: polygons and the edges on them."""

import numpy as np
from vtkmodules.vtkCommonDataModel import vtkDataObject
from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper

from solfec.model_table import ranges
from solfec.rendering import arrays
from solfec.rendering.shading import EDGE_COLOUR, GREY_SHARE, set_textures, shade_faces, shade_lines

_SHARP = np.cos(np.radians(20))  # faces that meet at a larger angle have an edge between them


class FaceActor:
    """Those faces of a scene that a mask picks, with colours of faces or of points."""

    def __init__(self):
        self.data, self.edge_data = arrays.vtkPolyData(), arrays.vtkPolyData()
        self.actor, self.edges = _actor(self.data), _actor(self.edge_data)
        self.actor.GetProperty().SetInterpolationToFlat()
        self.actor.GetMapper().SetColorModeToDirectScalars()
        self.actor.GetMapper().SetScalarModeToUseCellData()
        mapper = self.edges.GetMapper()
        mapper.ScalarVisibilityOff()
        mapper.MapDataArrayToVertexAttribute('bodySize', 'size', vtkDataObject.FIELD_ASSOCIATION_POINTS, -1)
        self.edges.GetProperty().SetColor(EDGE_COLOUR)
        mapper.SetResolveCoincidentTopologyToPolygonOffset()
        mapper.SetRelativeCoincidentTopologyLineOffsetParameters(0, -4)
        self.actor.GetMapper().SetResolveCoincidentTopologyToPolygonOffset()
        self.actor.GetMapper().SetRelativeCoincidentTopologyPolygonOffsetParameters(1, 1)
        self.drawn = np.zeros(0, dtype=int)
        self.cuts, self.shadow_map, self.colour_map = 0, None, None

    def set_faces(self, faces, drawn, edges, sizes):
        """Which faces are drawn (numbers), edges (n, 2) between points, and for all points the size of their body [m]:
        edges of bodies that are small in the picture are faint."""
        self.drawn = drawn
        corners = faces.corners.take(drawn)
        self.data.SetPolys(arrays.cells(corners.numbers, corners.count))
        self.edge_data.SetLines(arrays.equal_cells(edges))
        self.edge_data.GetPointData().AddArray(arrays.array(sizes.astype(np.float32), 'size'))
        self.actor.SetVisibility(len(drawn) > 0)
        self.edges.SetVisibility(len(edges) > 0)

    def set_points(self, points):
        self.data.SetPoints(points)
        self.edge_data.SetPoints(points)

    def set_shading(self, cuts, shadow_map=None):
        """cuts: their number; shadow_map: vtkTexture, or None"""
        self.cuts, self.shadow_map = cuts, shadow_map
        self._shade()
        shade_lines(self.edges, cuts)

    def _shade(self):
        set_textures(self.actor, shadowMap=self.shadow_map, colourMap=self.colour_map)
        shade_faces(self.actor, self.cuts, self.shadow_map is not None, self.colour_map is not None)

    def set_opacity(self, opacity):
        self.actor.GetProperty().SetOpacity(opacity)
        self.edges.GetProperty().SetOpacity(1.0 if opacity == 1 else 0.5 * (1 + opacity))
        for actor in (self.actor, self.edges):
            actor.ForceTranslucentOn() if opacity < 1 else actor.ForceOpaqueOn()

    def set_line_width(self, width):
        self.edges.GetProperty().SetLineWidth(width)

    def colour_faces(self, colours):
        """(n, 3) uint8 of all faces of the scene."""
        self.data.GetCellData().SetScalars(arrays.array(colours[self.drawn]))
        mapper = self.actor.GetMapper()
        mapper.ScalarVisibilityOn()
        mapper.RemoveVertexAttributeMapping('fieldShare')
        if self.colour_map is not None:
            self.colour_map = None
            self._shade()

    def colour_points(self, shares, grey, table):
        """Places in a colour table (k, 3) uint8, 0 ... 1, of all points of the scene: they are interpolated. A mask of
        points that are grey."""
        self.data.GetCellData().SetScalars(None)
        self.data.GetPointData().AddArray(arrays.array(np.where(grey, GREY_SHARE, np.clip(shares, -10, 10)).astype(np.float32), 'share'))
        mapper = self.actor.GetMapper()
        mapper.ScalarVisibilityOff()
        mapper.MapDataArrayToVertexAttribute('fieldShare', 'share', vtkDataObject.FIELD_ASSOCIATION_POINTS, -1)
        is_new = self.colour_map is None
        self.colour_map = arrays.texture(table[None])
        self._shade() if is_new else set_textures(self.actor, shadowMap=self.shadow_map, colourMap=self.colour_map)


def _actor(data):
    mapper = vtkPolyDataMapper()
    mapper.SetInputData(data)
    actor = vtkActor()
    actor.SetMapper(mapper)
    return actor


def edges_of(faces, points, drawn, sharp_only):
    """(n, 2) points at the ends of the edges of some faces; of two faces in about one plane none when `sharp_only`."""
    corners = faces.corners.take(drawn)
    begin, count = corners.begin(), corners.count
    face = np.repeat(np.arange(len(drawn)), count)
    at = ranges(np.zeros(len(drawn)), count)
    one = corners.numbers
    two = corners.numbers[begin[face] + (at + 1) % count[face]]
    ends = np.stack([np.minimum(one, two), np.maximum(one, two)], axis=1)
    order = np.lexsort((ends[:, 1], ends[:, 0]))
    ends, face = ends[order], face[order]
    new = np.ones(len(ends), dtype=bool)
    new[1:] = (ends[1:] != ends[:-1]).any(axis=1)
    first = np.flatnonzero(new)
    if not sharp_only:
        return ends[first]
    shared = np.diff(np.append(first, len(ends)))
    normals = face_normals(corners, points)
    pair = shared == 2
    bend = np.ones(len(first))
    bend[pair] = np.einsum('ij,ij->i', normals[face[first[pair]]], normals[face[first[pair] + 1]])
    return ends[first[~pair | (bend < _SHARP)]]


def face_normals(corners, points):
    """Unit normals of polygons; the mean one of those that are not flat."""
    begin, count = corners.begin(), corners.count
    if not len(count):
        return np.zeros((0, 3))
    face = np.repeat(np.arange(len(count)), count)
    at = ranges(np.zeros(len(count)), count)
    start = points[corners.numbers[begin[face]]]
    one = points[corners.numbers] - start
    two = points[corners.numbers[begin[face] + (at + 1) % count[face]]] - start
    normals = np.add.reduceat(np.cross(one, two), begin, axis=0)
    return normals / np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1E-300)
