"""Shadows: the depths that the light sees, drawn in a window of their own, as a texture for the surfaces."""

import numpy as np
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkFloatArray
from vtkmodules.vtkRenderingCore import vtkRenderer, vtkRenderWindow

from solfec.rendering import arrays, shading
from solfec.rendering import camera as cameras
from solfec.rendering.display import require_display
from solfec.view_settings import Camera


class Shadows:
    """The light's view of the solid parts of a drawing: (FaceActor, BallActor) of its own on the data of others.

    direction  to the light, in the axes of space
    """

    def __init__(self, faces, balls, resolution):
        """resolution: width and height of the light's view in pixels"""
        require_display()
        self.resolution = resolution
        self.window, self.renderer = vtkRenderWindow(), vtkRenderer()
        self.window.SetOffScreenRendering(True)
        self.window.SetMultiSamples(0)
        self.window.SetSize(resolution, resolution)
        self.window.AddRenderer(self.renderer)
        self.originals = faces, balls
        self.parts = type(faces)(), type(balls)()
        self._actors = self.parts[0].actor, *self.parts[1].actors
        for actor in self._actors:
            self.renderer.AddActor(actor)
        self.texture = arrays.texture(np.zeros((resolution, resolution, 3), dtype=np.uint8))
        self._cuts = None

    def draw(self, scene, visible, cuts, direction, points):
        """Draws what the light sees that comes from a direction; points: where those of faces are drawn."""
        for own, original in zip(self.parts, self.originals):
            own.share(original)
        if self._cuts != len(cuts):
            self._cuts = len(cuts)
            for part in self.parts:
                part.set_shading(self._cuts)
        self.direction = np.asarray(direction)
        camera = self.renderer.GetActiveCamera()
        cameras.place(camera, Camera(towards=-self.direction), scene, visible, (self.resolution, self.resolution),
                      points)
        self.renderer.ResetCameraClippingRange()
        uniforms = shading.Uniforms(camera, (self.resolution, self.resolution), cuts, shading.PLAIN_LIGHTS)
        for actor in self._actors:
            uniforms.give(actor)
        self.window.Render()
        depths = vtkFloatArray()
        self.window.GetZbufferData(0, 0, self.resolution - 1, self.resolution - 1, depths)
        image = self.texture.GetInput()
        image.GetPointData().SetScalars(arrays.array(packed(vtk_to_numpy(depths))))
        image.Modified()
        near, far = camera.GetClippingRange()
        projection = shading.matrix(camera.GetCompositeProjectionTransformMatrix(1.0, 0, 1))
        # From -1 ... 1 to 0 ... 1 along x and y
        self.from_space = np.diag([0.5, 0.5, 1, 1]) @ projection
        self.from_space[:2, 3] += 0.5
        self.texel = 2 * camera.GetParallelScale() / self.resolution / (far - near)  # in units of depth


def packed(depths):
    """(n, 3) uint8: numbers in 0 ... 1 with 24 bits, the highest first. VTK makes bytes of all textures."""
    whole = np.round(depths.astype(np.float64) * 0xffffff).astype('>u4')
    return whole.view(np.uint8).reshape(-1, 4)[:, 1:]
