"""A drawing of a scene."""

import copy

import numpy as np
from solfec.rendering import camera as cameras
from solfec.rendering.display import require_display, require_vtk

require_vtk()

from vtkmodules.vtkCommonCore import vtkLookupTable, vtkUnsignedCharArray  # noqa: E402
from vtkmodules.vtkRenderingCore import vtkRenderer, vtkRenderWindow  # noqa: E402
import vtkmodules.vtkRenderingFreeType  # noqa: E402, F401
from vtkmodules.util.numpy_support import vtk_to_numpy  # noqa: E402

from solfec.rendering import arrays, shading  # noqa: E402
from solfec.rendering.balls import BallActor  # noqa: E402
from solfec.rendering.body_colours import BodyColours  # noqa: E402
from solfec.rendering.faces import FaceActor, edges_of  # noqa: E402
from solfec.rendering.selection import select  # noqa: E402
from solfec.view_settings import ViewSettings, colour_of  # noqa: E402


class Drawing:
    """Draws a Scene as ViewSettings say.

        drawing = Drawing(scene, ViewSettings(colour='speed'))
        image = drawing.image()                  # (height, width, 3) uint8, the first row at the top
        scene.frame(3); drawing.update()         # after another frame, or after changes of drawing.settings

    scene          Scene
    settings       ViewSettings; default: plain
    render_window  a vtkRenderWindow to draw in; default: one off screen (with a virtual display if there is none)
    size           (width, height) in pixels, off screen
    sampling       off screen: drawn so many times as wide and as high, then averaged: smooth edges
    """

    def __init__(self, scene, settings=None, render_window=None, size=(1200, 900), sampling=2):
        self.scene, self.settings = scene, settings or ViewSettings()
        self.sampling = 1 if render_window else sampling
        self.off_screen = render_window is None
        self.window = render_window or self._window_off_screen(size)
        self.renderer = vtkRenderer()
        self.window.AddRenderer(self.renderer)
        self.solid, self.clear = (FaceActor(), BallActor()), (FaceActor(), BallActor())
        for faces, balls in (self.solid, self.clear):
            for actor in (faces.actor, faces.edges, balls.actor):
                self.renderer.AddActor(actor)
        self.renderer.AddObserver('StartEvent', lambda *_: self._before_rendering())
        self._shown, self._state, self._topology = None, None, None
        self.update()

    def _window_off_screen(self, size):
        require_display()
        window = vtkRenderWindow()
        window.SetOffScreenRendering(True)
        window.SetMultiSamples(0)
        window.SetSize(*(self.sampling * n for n in size))
        return window

    # What is drawn

    def update(self):
        """Draws the scene's present frame by the present settings; makes anew only what has changed. ValueError for
        labels, fields or colour maps that do not exist."""
        settings, scene, old = self.settings, self.scene, self._shown
        new_state, new_topology = scene.state is not self._state, scene.topology != self._topology

        def changed(*names):
            return old is None or any(getattr(settings, name) != getattr(old, name) for name in names)

        new_choice = new_topology or changed('only', 'hidden', 'transparent', 'edges')
        if new_choice:
            self._choose()
        if new_choice or new_state:
            points = arrays.points(scene.points)
            for faces, balls in (self.solid, self.clear):
                faces.set_points(points)
                balls.set_places(scene.balls)
        if old is None or len(old.cuts) != len(settings.cuts):
            for part in (*self.solid, *self.clear):
                part.set_cuts(len(settings.cuts))
        if changed('opacity'):
            for part in self.clear:
                part.set_opacity(settings.opacity)
        for faces in (self.solid[0], self.clear[0]):
            faces.set_line_width(self.sampling)
        if new_choice or new_state or changed('colour', 'colour_map', 'range', 'logarithmic'):
            self.colours = BodyColours(scene, settings, self.visible)
            for faces, balls in (self.solid, self.clear):
                self.colours.paint(faces, balls)
        self.renderer.SetBackground(colour_of(settings.background))
        self._use_depth_peeling()
        self._shown, self._state, self._topology = copy.deepcopy(settings), scene.state, scene.topology
        if changed('camera'):
            self.reset_camera()

    def _choose(self):
        """What is hidden, solid or transparent."""
        scene, settings = self.scene, self.settings
        hidden = select(scene, settings.hidden)
        if settings.only:
            hidden = hidden | ~select(scene, settings.only)
        clear = select(scene, settings.transparent)
        self.hidden, self.visible = hidden, ~hidden
        for (faces, balls), part in ((self.solid, ~hidden & ~clear), (self.clear, ~hidden & clear)):
            drawn = np.flatnonzero(part.faces)
            edges = np.zeros((0, 2), dtype=int)
            if settings.edges != 'none':
                edges = edges_of(scene.faces, scene.reference_points, drawn, settings.edges == 'surface')
            faces.set_faces(scene.faces, drawn, edges)
            balls.set_balls(np.flatnonzero(part.balls))

    def _use_depth_peeling(self):
        clear = bool(self.settings.transparent)
        self.renderer.SetUseDepthPeeling(clear)
        self.renderer.SetMaximumNumberOfPeels(8)
        self.window.SetAlphaBitPlanes(clear)

    def _before_rendering(self):
        camera = self.renderer.GetActiveCamera()
        actors = [actor for faces, balls in (self.solid, self.clear) for actor in (faces.actor, faces.edges, balls.actor)]
        outline = 0.0 if self.settings.edges == 'none' else float(self.sampling)
        shading.set_uniforms(actors, camera, self.renderer.GetTiledAspectRatio(), self.settings.cuts, outline)

    # Camera

    def reset_camera(self):
        """Sets the camera as the settings say."""
        cameras.place(self.renderer.GetActiveCamera(), self.settings.camera, self.scene, self.visible, self._size())
        self.renderer.ResetCameraClippingRange()

    def view_along(self, direction, up=None):
        """Shows all, seen in a direction; settings.camera is changed."""
        self.settings.camera = self.settings.camera.__class__(
            towards=direction, up=up, parallel=self.settings.camera.parallel, view_angle=self.settings.camera.view_angle)
        self.update()

    def camera(self):
        """The Camera as it is now, also after a user has turned it."""
        return cameras.present(self.renderer.GetActiveCamera())

    def _size(self):
        return tuple(self.window.GetSize())

    # Images

    def render(self):
        self.renderer.ResetCameraClippingRange()
        self.window.Render()

    def image(self):
        """The picture: (height, width, 3) uint8, the first row at the top."""
        self.render()
        width, height = self._size()
        pixels = vtkUnsignedCharArray()
        self.window.GetPixelData(0, 0, width - 1, height - 1, 0, pixels, 0)
        image = vtk_to_numpy(pixels).reshape(height, width, 3)[::-1]
        n = self.sampling
        if n > 1:
            image = image.reshape(height // n, n, width // n, n, 3).mean(axis=(1, 3))
        return np.round(image).astype(np.uint8)
