"""Points that a script marks with DISPLAY_POINT: over the picture, moving with their bodies."""

import numpy as np
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonDataModel import vtkCellArray, vtkPolyData
from vtkmodules.vtkRenderingCore import vtkActor, vtkBillboardTextActor3D, vtkPolyDataMapper

from solfec.rendering.legend import choose_font
from solfec.results import BODY_KINDS

COLOUR, SIZE = (0.75, 0.05, 0.45), 9  # [pixels]


def places(scene, points):
    """(n, 3) where marked points (identifier of the body, referential point, label) are; NaN of bodies that are gone.
    In a finite-element body a point moves as the nearest node."""
    result = np.full((len(points), 3), np.nan)
    for row, (id, point, label) in enumerate(points):
        body = int(np.searchsorted(scene.ids, id))
        if body == len(scene.ids) or scene.ids[body] != id:
            continue
        X = np.array(point, dtype=float)
        nodes = slice(scene.node_begin[body], scene.node_begin[body + 1])
        if scene.kind[body] == BODY_KINDS.index('FINITE_ELEMENT') and nodes.stop > nodes.start:
            reference = scene.reference_nodes[nodes]
            nearest = np.linalg.norm(reference - X, axis=1).argmin()
            result[row] = X + scene.nodes[nodes][nearest] - reference[nearest]
        else:
            result[row] = scene.center[body] + scene.gradient[body] @ (X - scene.reference_center[body])
    return result


class DisplayPoints:
    """Marks in a renderer."""

    def __init__(self, renderer):
        self.renderer, self.texts, self._points = renderer, [], None
        self.data, self.actor = vtkPolyData(), vtkActor()
        mapper = vtkPolyDataMapper()
        mapper.SetInputData(self.data)
        self.actor.SetMapper(mapper)
        self.actor.GetProperty().SetColor(COLOUR)
        self.actor.GetProperty().SetPointSize(SIZE)
        self.actor.GetProperty().SetRenderPointsAsSpheres(True)
        self.actor.GetProperty().LightingOff()
        renderer.AddActor(self.actor)

    def show(self, scene, points):
        """Shows points (identifier, referential point, label) where they are in the frame of a scene."""
        if points != self._points:
            self._points = list(points)
            self._make_texts()
        where = places(scene, points)
        known = np.isfinite(where[:, 0])
        positions, vertices = vtkPoints(), vtkCellArray()
        for row, place in enumerate(where[known].tolist()):
            positions.InsertNextPoint(place)
            vertices.InsertNextCell(1, [row])
        self.data.SetPoints(positions)
        self.data.SetVerts(vertices)
        for text, place, is_known in zip(self.texts, where.tolist(), known):
            text.SetVisibility(bool(is_known))
            if is_known:
                text.SetPosition(place)

    def _make_texts(self):
        for text in self.texts:
            self.renderer.RemoveActor(text)
        self.texts = []
        for id, point, label in self._points:
            text = vtkBillboardTextActor3D()
            text.SetInput(choose_font(text.GetTextProperty(), label or ' ', True))
            text.SetDisplayOffset(SIZE, SIZE // 2)
            text.GetTextProperty().SetFontSize(15)
            text.GetTextProperty().SetColor(COLOUR)
            self.renderer.AddActor(text)
            self.texts.append(text)
