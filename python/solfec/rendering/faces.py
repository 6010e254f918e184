"""Polyhedra and the boundaries of meshes: polygons and the edges on them."""

import numpy as np
from vtkmodules.vtkCommonDataModel import vtkDataObject
from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper

from solfec.rendering import arrays
from solfec.rendering.shading import EDGE_COLOUR, set_textures, shade_faces, shade_lines

MANY_EDGES = 50000  # that take longer to draw than the faces do
_SHARP = np.cos(np.radians(20))  # faces that meet at a larger angle have an edge between them


class EdgeActor:
    """Lines between points, of one colour."""

    def __init__(self, colour=EDGE_COLOUR):
        self.data, self.count = arrays.vtkPolyData(), 0
        self.actor = _actor(self.data)
        mapper = self.actor.GetMapper()
        mapper.ScalarVisibilityOff()
        mapper.MapDataArrayToVertexAttribute('bodySize', 'size', vtkDataObject.FIELD_ASSOCIATION_POINTS, -1)
        self.actor.GetProperty().SetColor(colour)

    def set_edges(self, edges, sizes):
        """edges: (n, 2) numbers of points; sizes: of the bodies of all points [m]: edges of bodies that are small in
        the picture are faint"""
        self.count = len(edges)
        self.data.SetLines(arrays.equal_cells(edges))
        self.data.GetPointData().AddArray(arrays.array(sizes.astype(np.float32), 'size'))
        self.actor.SetVisibility(self.count > 0)

    def set_points(self, points):
        self.data.SetPoints(points)

    def set_shading(self, cuts):
        shade_lines(self.actor, cuts)

    def set_line_width(self, width):
        self.actor.GetProperty().SetLineWidth(width)


class FaceActor:
    """Those faces of a scene that a mask picks, with colours of faces or of points."""

    def __init__(self):
        self.data, self.edges = arrays.vtkPolyData(), EdgeActor()
        self.actor = _actor(self.data)
        self.actor.GetProperty().SetInterpolationToFlat()
        self.actor.GetMapper().SetColorModeToDirectScalars()
        self.actor.GetMapper().SetScalarModeToUseCellData()
        self.actors = self.actor, self.edges.actor
        self.drawn = np.zeros(0, dtype=int)
        self.cuts, self.shadow_map, self.colour_map = 0, None, None
        self.closed = False

    def set_faces(self, faces, drawn, edges, closed, sizes):
        """Which faces are drawn (numbers), whether they are closed surfaces; edges and sizes are of EdgeActor."""
        self.drawn, self.closed = drawn, closed
        corners = faces.corners.take(drawn)
        self.data.SetPolys(arrays.cells(corners.numbers, corners.count))
        self.edges.set_edges(edges, sizes)
        self.actor.SetVisibility(len(drawn) > 0)
        self.show_edges(True)
        self._cull()

    def show_edges(self, all):
        """All of them, or only when they are few."""
        self.edges.actor.SetVisibility(0 < self.edges.count and (all or self.edges.count < MANY_EDGES))

    def _cull(self):
        """Cuts show inner sides, and so does glass."""
        is_solid = self.closed and not self.cuts and self.actor.GetProperty().GetOpacity() == 1
        self.actor.GetProperty().SetBackfaceCulling(is_solid)

    def share(self, other):
        """Draws the faces that another one has."""
        self.actor.GetMapper().SetInputData(other.data)
        self.actor.SetVisibility(other.actor.GetVisibility())

    def set_points(self, points):
        self.data.SetPoints(points)
        self.edges.set_points(points)

    def set_shading(self, cuts, shadow_map=None):
        """cuts: their number; shadow_map: vtkTexture, or None"""
        self.cuts, self.shadow_map = cuts, shadow_map
        self._cull()
        self._shade()
        self.edges.set_shading(cuts)

    def _shade(self):
        set_textures(self.actor, shadowMap=self.shadow_map, colourMap=self.colour_map)
        shade_faces(self.actor, self.cuts, self.shadow_map is not None, self.colour_map is not None)

    def set_opacity(self, opacity):
        self.actor.GetProperty().SetOpacity(opacity)
        self.edges.actor.GetProperty().SetOpacity(1.0 if opacity == 1 else 0.5 * (1 + opacity))
        self._cull()
        for actor in self.actors:
            actor.ForceTranslucentOn() if opacity < 1 else actor.ForceOpaqueOn()

    def colour_faces(self, colours):
        """(n, 3) uint8 of all faces of the scene."""
        self.data.GetCellData().SetScalars(arrays.array(colours[self.drawn]))
        mapper = self.actor.GetMapper()
        mapper.ScalarVisibilityOn()
        for attribute in 'fieldShare', 'sectionShare':
            mapper.RemoveVertexAttributeMapping(attribute)
        if self.colour_map is not None:
            self.colour_map = None
            self._shade()

    def colour_points(self, shares, sections, table):
        """Places in a colour table (k, 3) uint8, 0 ... 1 or GREY_SHARE, of all points of the scene, to be interpolated.
        The same for sections of the bodies of points, when there are cuts."""
        self.data.GetCellData().SetScalars(None)
        mapper = self.actor.GetMapper()
        mapper.ScalarVisibilityOff()
        for attribute, values in ('fieldShare', shares), ('sectionShare', shares if sections is None else sections):
            self.data.GetPointData().AddArray(arrays.array(values, attribute))
            mapper.MapDataArrayToVertexAttribute(attribute, attribute, vtkDataObject.FIELD_ASSOCIATION_POINTS, -1)
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
    if not len(drawn):
        return np.zeros((0, 2), dtype=int)
    corners = faces.corners.take(drawn)
    face = np.repeat(np.arange(len(drawn)), corners.count)
    following = corners.numbers[_following(corners)]
    # An edge is one number here, which is sorted faster than two.
    base = len(points)
    edges = np.minimum(corners.numbers, following) * base + np.maximum(corners.numbers, following)
    order = np.argsort(edges, kind='stable')
    edges, face = edges[order], face[order]
    first = np.flatnonzero(np.diff(edges, prepend=-1))
    if sharp_only:
        shared = np.diff(first, append=len(edges))
        normals = face_normals(corners, points)
        pair = first[shared == 2]
        is_flat = np.zeros(len(first), dtype=bool)
        is_flat[shared == 2] = np.einsum('ij,ij->i', normals[face[pair]], normals[face[pair + 1]]) >= _SHARP
        first = first[~is_flat]
    return np.stack(np.divmod(edges[first], base), axis=1)


def _following(corners):
    """Of each corner in lists of corners of faces: where the next one of its face stands."""
    following = np.arange(1, len(corners.numbers) + 1)
    begin = corners.begin()
    following[begin + corners.count - 1] = begin
    return following


def face_normals(corners, points):
    """Unit normals of polygons; the mean one of those that are not flat."""
    if not len(corners):
        return np.zeros((0, 3))
    triangles, face = corners.fans()
    a, b, c = (np.ascontiguousarray(points[triangles[:, k]].T) for k in range(3))
    (x, y, z), (u, v, w) = b - a, c - a
    areas = np.stack([y * w - z * v, z * u - x * w, x * v - y * u], axis=1)
    normals = np.add.reduceat(areas, np.flatnonzero(np.diff(face, prepend=-1)), axis=0)
    return normals / np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1E-300)
