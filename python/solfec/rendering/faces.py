"""Polyhedra and the boundaries of meshes: polygons and the edges on them."""

import numpy as np
from vtkmodules.vtkCommonDataModel import vtkDataObject
from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper

from solfec.rendering import arrays
from solfec.rendering.shading import EDGE_COLOUR, set_textures, shade_faces, shade_lines

_NORMAL = 'smoothNormal'
MANY_EDGES = 50000  # that take longer to draw than the faces do


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
        self.closed, self.smooth = False, None

    def set_faces(self, faces, drawn, edges, closed, sizes, smooth=None):
        """Which faces are drawn (numbers), whether they are closed surfaces; edges and sizes are of EdgeActor; smooth:
        None or the SmoothFaces of those drawn."""
        self.drawn, self.closed = drawn, closed
        is_new = (self.smooth is None) != (smooth is None)
        self.smooth = smooth
        if is_new:
            self._shade()
        corners = smooth.corners if smooth else faces.corners.take(drawn)
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

    def set_points(self, places, points):
        """Where the points of the scene are, (n, 3), and the same as VTK's."""
        self.edges.set_points(points)
        if self.smooth is None:
            self.data.SetPoints(points)
            return
        self.data.SetPoints(arrays.points(places[self.smooth.vertices]))
        self.data.GetPointData().AddArray(arrays.array(self.smooth.normals(places), _NORMAL))
        self.actor.GetMapper().MapDataArrayToVertexAttribute(_NORMAL, _NORMAL,
                                                             vtkDataObject.FIELD_ASSOCIATION_POINTS, -1)

    def set_shading(self, cuts, shadow_map=None):
        """cuts: their number; shadow_map: vtkTexture, or None"""
        self.cuts, self.shadow_map = cuts, shadow_map
        self._cull()
        self._shade()
        self.edges.set_shading(cuts)

    def _shade(self):
        set_textures(self.actor, shadowMap=self.shadow_map, colourMap=self.colour_map)
        shade_faces(self.actor, self.cuts, self.shadow_map is not None, self.colour_map is not None,
                    self.smooth is not None)

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
            values = values if self.smooth is None else values[self.smooth.vertices]
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
