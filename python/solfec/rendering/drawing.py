"""A drawing of a scene."""

import copy

import numpy as np
import vtkmodules.vtkRenderingFreeType  # noqa: F401  (text)
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkUnsignedCharArray
from vtkmodules.vtkRenderingCore import vtkRenderer, vtkRenderWindow
from vtkmodules.vtkRenderingOpenGL2 import vtkRenderStepsPass, vtkSSAOPass

from solfec.colours import JOINT_COLOUR, JOINT_SIGN_COLOUR, STATE_COLOURS
from solfec.rendering import arrays, legend, picking, shading
from solfec.rendering import camera as cameras
from solfec.rendering.balls import BallActor, Solids, disc_balls
from solfec.rendering.body_colours import BodyColours, ContactColours
from solfec.rendering.contacts import ContactDrawing, typical_size
from solfec.rendering.display import require_display
from solfec.rendering.edges import edges_of
from solfec.rendering.faces import EdgeActor, FaceActor
from solfec.rendering.joints import JointSigns, points_of_joints
from solfec.rendering.run_extremes import RunExtremes, of_all_frames
from solfec.rendering.selection import of_bodies, select, visible_part
from solfec.rendering.shadows import Shadows
from solfec.rendering.smooth import SmoothFaces, smooth_faces
from solfec.results import BODY_KINDS
from solfec.view_settings import Camera, ViewSettings, colour_of

_MARK = (0.95, 0.45, 0.05)
_UNDEFORMED = (0.5, 0.5, 0.52)
_LETTER = 1 / 58  # height of letters, of that of the picture
_REACH = 8  # pixels within which a contact or joint is picked


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
    find_extremes  for range 'run': a function of ViewSettings that returns RunExtremes; default: of all frames
                   are read

    Bodies are in the layer `renderer`, contacts and texts over them in the layer `over`, which shares its camera.
    """

    def __init__(self, scene, settings=None, render_window=None, size=(1200, 900), sampling=2, find_extremes=None):
        self.scene, self.settings = scene, settings or ViewSettings()
        self.find_extremes = find_extremes or self._read_all_frames
        self.sampling = 1 if render_window else sampling
        self.window = render_window or self._window_off_screen(size)
        self.renderer, self.over = vtkRenderer(), vtkRenderer()
        self.over.InteractiveOff()
        self.over.SetActiveCamera(self.renderer.GetActiveCamera())
        self.solid, self.clear = (FaceActor(), BallActor()), (FaceActor(), BallActor())
        self.marks, self.contact_mark = (EdgeActor(_MARK), Solids()), Solids()
        self.undeformed = EdgeActor(_UNDEFORMED)
        self.contacts, self.joints = ContactDrawing(), JointSigns()
        self._parts_over = *self.contacts.parts, *self.joints.parts, self.contact_mark
        self.is_draft = False
        self._body_actors = [actor for part in (*self.solid, *self.clear) for actor in part.actors]
        self._body_actors += [part.actor for part in self.marks]
        for actor in (*self._body_actors, self.undeformed.actor):
            self.renderer.AddActor(actor)
        for part in self._parts_over:
            self.over.AddActor(part.actor)
        self.shadows, self._occlusion = None, None
        self.marked_bodies, self.marked_contacts, self._has_marks = (), (), False
        self._shown, self._state, self._topology = None, None, None
        self._texts_for, self._signs_for = None, None
        self._run_key = self._run_values = None
        self._legend, self._signs = (legend.Canvas(self.over) for k in range(2))
        self.update()  # what is wrong leaves the window as it was
        self.window.SetNumberOfLayers(2)
        for layer, renderer in enumerate((self.renderer, self.over)):
            renderer.SetLayer(layer)
            self.window.AddRenderer(renderer)
        self.renderer.AddObserver('StartEvent', lambda *_: self._before_rendering())
        self.reset_camera()

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
        labels, fields, columns or colour maps that do not exist; what was drawn before stays then."""
        settings, scene, old = self.settings, self.scene, self._shown
        new_state, new_topology = scene.state is not self._state, scene.topology != self._topology

        def changed(*names):
            return old is None or any(getattr(settings, name) != getattr(old, name) for name in names)

        new_choice = new_topology or changed('only', 'hidden', 'transparent', 'edges', 'ambient_occlusion', 'magnify')
        new_choice = new_choice or bool(settings.cuts) != bool(old.cuts)
        of_run = settings.range == 'run' and (settings.colour, settings.forces) != ('plain', 'none')
        run = self.find_extremes(settings) if of_run else None
        new_run = run is not None and run.values != self._run_values
        # Plain colours are those of the frame before.
        new_values = new_state and settings.colour != 'plain'
        new_look = new_choice or new_values or new_run or changed('colour', 'colour_map', 'range', 'logarithmic',
                                                                  'colour_obstacles')
        new_contacts = new_look or new_state or changed('forces', 'force_scale', 'contacts', 'vectors', 'vector_scale')
        # What may be wrong comes first.
        chosen = self._choose() if new_choice else (self.hidden, self.visible, self.transparent)
        colours = BodyColours(scene, settings, chosen[1], run) if new_look else self.colours
        contact_colours = ContactColours(scene, settings, chosen[1]) if new_contacts else self.contact_colours
        background = colour_of(settings.background)
        if changed('camera') and settings.camera.fit:
            select(scene, [settings.camera.fit])

        self.hidden, self.visible, self.transparent = chosen
        self.colours, self.contact_colours = colours, contact_colours
        if new_choice:
            self._set_choice()
        if new_choice or changed('undeformed'):
            self._set_undeformed()
        if new_choice or new_state:
            places = self._points()
            points = arrays.points(places)
            for faces in (self.solid[0], self.clear[0]):
                faces.set_points(places, points)
        if new_look:
            colours.paint(self.solid[0], self.clear[0])
        if new_look or new_state:
            self._show_balls()
        if new_contacts:
            self.contacts.update(scene, settings, self.visible, self._scene_size, run.force if run else None,
                                 contact_colours.of if settings.contacts else None, self._points())
        if new_choice or new_state or changed('joints'):
            self._show_joints()
        if old is None or len(old.cuts) != len(settings.cuts) or changed('shadows'):
            self._set_shading()
        for part in self.clear:
            part.set_opacity(settings.opacity)
        for edges in (self.solid[0].edges, self.clear[0].edges, self.undeformed):
            edges.set_line_width(self.sampling)
        self.renderer.SetBackground(background)
        self._use_depth_peeling()
        self._use_ambient_occlusion()
        if new_choice or new_state:
            self._mark()
        self._shown, self._state, self._topology = copy.deepcopy(settings), scene.state, scene.topology
        self._run_values = run and run.values
        self._texts_for = None
        if changed('camera'):
            self.reset_camera()

    def _choose(self):
        """Selections of what is hidden, seen and transparent."""
        visible = visible_part(self.scene, self.settings.only, self.settings.hidden)
        return ~visible, visible, select(self.scene, self.settings.transparent)

    def _points(self):
        """(m, 3) where corners of faces are drawn: displacements of finite-element bodies are magnified."""
        scene, factor = self.scene, self.settings.magnify
        if factor == 1:
            return scene.points
        deforms = scene.kind[scene.point_body] == BODY_KINDS.index('FINITE_ELEMENT')
        start = scene.reference_points
        return np.where(deforms[:, None], start + factor * (scene.points - start), scene.points)

    def _set_choice(self):
        clear, settings, scene = self.transparent, self.settings, self.scene
        sizes = self._sizes()
        # Sections and dark corners need the depths of balls.
        discs = disc_balls(scene) & ~clear.balls & (not settings.cuts and not settings.ambient_occlusion)
        for (faces, balls), part in ((self.solid, self.visible & ~clear), (self.clear, self.visible & clear)):
            self._set_faces(faces, part, settings.edges, sizes)
            balls.set_balls(np.flatnonzero(part.balls), discs)

    def _show_balls(self):
        for faces, balls in (self.solid, self.clear):
            balls.show(self.scene, self.colours.of_balls, self._away())

    def _sizes(self):
        """Of the bodies of points [m]."""
        return np.cbrt(self.scene.model.bodies.volume[self.scene.rows])[self.scene.point_body]

    def _edges(self, faces, kind):
        """Ends (n, 2) of the edges of faces (a mask)."""
        if kind == 'none':
            return np.zeros((0, 2), dtype=int)
        return edges_of(self.scene.faces, self.scene.reference_points, np.flatnonzero(faces), kind == 'surface')

    def _outlined(self):
        """Selection of the bodies whose undeformed shape is drawn."""
        deforms = self.scene.kind >= BODY_KINDS.index('PSEUDO_RIGID')
        return self.visible & of_bodies(self.scene, deforms & self.settings.undeformed)

    def _set_undeformed(self):
        self.undeformed.set_edges(self._edges(self._outlined().faces, 'surface'), self._sizes())
        self.undeformed.set_points(arrays.points(self.scene.reference_points))

    def _show_joints(self):
        if self.settings.joints:
            self.joints.update(self.scene, self.visible, self._scene_size())
        else:
            self.joints.clear()

    def _set_faces(self, faces, part, edges, sizes):
        """sizes: of the bodies of points [m], as edges of small ones are faint"""
        scene, drawn = self.scene, np.flatnonzero(part.faces)
        # Faces that look away are not seen, unless others of their bodies are missing, or bodies are inside out.
        closed = self.settings.magnify == 1 and np.array_equal(part.faces, part.bodies[scene.faces.body])
        faces.set_faces(scene.faces, drawn, self._edges(part.faces, edges), closed, sizes, self._smooth(drawn))

    def _smooth(self, drawn):
        """SmoothFaces of faces (numbers), or None; in pictures only: they take an eighth to a quarter more time."""
        if self.sampling == 1:
            return None
        points, corners = self.scene.reference_points, self.scene.faces.corners.take(drawn)
        smooth = smooth_faces(corners, points)
        return SmoothFaces(corners, points, smooth) if smooth.any() else None

    def _set_shading(self):
        cuts = len(self.settings.cuts)
        if self.settings.shadows and self.shadows is None:
            self.shadows = Shadows(*self.solid, int(np.clip(0.85 * max(self._size()), 512, 2048)))
        texture = self.shadows.texture if self.settings.shadows else None
        for part in (*self.solid, *self.clear):
            part.set_shading(cuts, texture)
        for part in (*self.marks, self.undeformed, *self._parts_over):
            part.set_shading(cuts)

    def _use_ambient_occlusion(self):
        if not self.settings.ambient_occlusion:
            self.renderer.SetPass(None)
            return
        if self._occlusion is None:
            self._occlusion = vtkSSAOPass()
            self._occlusion.SetDelegatePass(vtkRenderStepsPass())
            self._occlusion.SetKernelSize(64)
            self._occlusion.BlurOn()
        # Gaps as wide as typical bodies are darker. VTK keeps positions with 11 bits: flat faces far from the camera
        # would occlude themselves in stripes if the bias were less than what is rounded off.
        size = self._scene_size()
        rounded = size * 2.0**-9
        radius = max(min(0.7 * typical_size(self.scene), 0.1 * size), 4 * rounded)
        self._occlusion.SetRadius(radius)
        self._occlusion.SetBias(max(0.02 * radius, rounded))
        self.renderer.SetPass(self._occlusion)

    def _use_depth_peeling(self):
        clear = bool(self.settings.transparent)
        self.renderer.SetUseDepthPeeling(clear)
        self.renderer.SetMaximumNumberOfPeels(8 if self.sampling > 1 else 4)
        self.window.SetAlphaBitPlanes(clear)

    def _scene_size(self):
        """Diagonal of the box around what is seen [m]."""
        if not (self.visible.faces.any() or self.visible.balls.any()):
            return 1.0
        low, high = self.scene.bounds(self.visible.bodies)
        return float(np.linalg.norm(high - low))

    def _read_all_frames(self, settings):
        """RunExtremes; found once for what counts."""
        key = RunExtremes.key_of(settings), len(self.scene.times)
        if self._run_key != key:
            self._run, self._run_key = of_all_frames(self.scene, settings), key
        return self._run

    def set_draft(self, is_draft):
        """Whether speed counts more than looks, as pictures follow one another: no smooth edges in the window, and
        no lines when there are many."""
        self.is_draft = is_draft
        self.renderer.SetUseFXAA(self.sampling == 1 and not is_draft)
        for faces in (self.solid[0], self.clear[0]):
            faces.show_edges(not is_draft)

    # Marks

    def highlight(self, bodies=(), contacts=()):
        """Marks bodies and contacts by their numbers in the frame, instead of those marked before: orange edges."""
        self.marked_bodies, self.marked_contacts = tuple(bodies), tuple(contacts)
        self._mark()

    def _mark(self):
        if not (self.marked_bodies or self.marked_contacts or self._has_marks):
            return
        self._has_marks = bool(self.marked_bodies or self.marked_contacts)
        scene = self.scene
        mask = np.zeros(len(scene.ids), dtype=bool)
        mask[[k for k in self.marked_bodies if k < len(mask)]] = True
        edges, balls = self.marks
        part = of_bodies(scene, mask) & self.visible
        drawn = np.flatnonzero(part.balls)
        edges.set_edges(self._edges(part.faces, 'surface'), np.full(len(scene.points), 1E30))
        edges.set_line_width(3 * self.sampling)
        edges.set_points(arrays.points(self._points()))
        balls.set_places(scene.balls.center[drawn], 1.01 * scene.balls.maps(drawn))
        balls.colour(np.tile(np.round(255 * np.array(_MARK)).astype(np.uint8), (len(drawn), 1)))
        contacts = np.array([k for k in self.marked_contacts if k < len(scene.contacts)], dtype=int)
        points = scene.contacts.point[contacts] if len(contacts) else np.zeros((0, 3))
        radius = 0.16 * typical_size(scene)
        if self.settings.forces == 'network':
            radius *= 2 * max(1, self.settings.force_scale)  # tubes would hide it
        self.contact_mark.set_places(points, np.tile(radius * np.eye(3), (len(contacts), 1, 1)))
        self.contact_mark.colour(np.tile(np.round(255 * np.array(_MARK)).astype(np.uint8), (len(contacts), 1)))

    # Picking

    def pick(self, x, y):
        """What is at a point of the picture, x to the right and y upwards from its lower left corner in pixels:
        ('contact', number) or ('joint', number) of those that are drawn, ('body', number), or None."""
        x, y = x * self.sampling, y * self.sampling
        start, direction = cameras.ray(self.renderer.GetActiveCamera(), self._size(), x, y)
        numbers = self.contacts.numbers
        points = self.scene.contacts.point[numbers]
        lines = picking.Lines.of((points, points, 0), self.joints.lines)
        pixel = cameras.pixel(self.renderer.GetActiveCamera(), self._size())
        nearest = picking.nearest_line(lines, start, direction, pixel, _REACH * self.sampling, self.settings.cuts)
        if nearest is not None:
            if nearest < len(numbers):
                return 'contact', int(numbers[nearest])
            return 'joint', int(self.joints.numbers[nearest - len(numbers)])
        distance, body = picking.body_on(self.scene, start, direction, self.visible, self.settings.cuts)
        return None if body is None else ('body', body)

    # Camera

    def reset_camera(self):
        """Sets the camera as the settings say."""
        settings, visible = self.settings, self.visible
        if settings.camera.fit:
            fitted = visible & select(self.scene, [settings.camera.fit])
            visible = fitted if fitted.bodies.any() else visible
        camera, size = self.renderer.GetActiveCamera(), self._size()
        points, others = self._points(), self._others(visible)
        margins = np.array([legend.width_of(self._blocks()), legend.header_height(self._header()),
                            legend.signs_height(settings.axes, settings.scale_bar)]) * self._letter()
        cameras.place(camera, settings.camera, self.scene, visible, size, points, margins, others)
        side = legend.AXES_HIGH * self._letter()
        if settings.axes and not cameras.is_corner_free(camera, size, side, self.scene, visible, points, others):
            cameras.place(camera, settings.camera, self.scene, visible, size, points, (*margins[:2], side), others)
        self._set_clipping()

    def _others(self, visible):
        """Arrays of points beside bodies that must be in the picture: undeformed shapes, joints; unless the camera is
        fitted to some bodies, ends of arrows."""
        outlined = (visible & self._outlined()).bodies[self.scene.point_body]
        others = [self.scene.reference_points[outlined]]
        if self.settings.joints:
            others.append(points_of_joints(self.scene, visible))
        if not self.settings.camera.fit:
            others.append(self.contacts.ends())
        return others

    def view_along(self, direction, up=None):
        """Shows all, seen in a direction; changes settings.camera."""
        old = self.settings.camera
        self.settings.camera = Camera(towards=direction, up=up, parallel=old.parallel, view_angle=old.view_angle)
        self._shown.camera = copy.deepcopy(self.settings.camera)
        self.reset_camera()

    def camera(self):
        """The Camera as it is now, also after a user has turned it."""
        return cameras.present(self.renderer.GetActiveCamera())

    def _set_clipping(self):
        boxes = np.array([layer.ComputeVisiblePropBounds() for layer in (self.renderer, self.over)]).reshape(2, 3, 2)
        boxes = boxes[boxes[:, 0, 0] <= boxes[:, 0, 1]]
        if len(boxes):
            low, high = boxes[:, :, 0].min(axis=0), boxes[:, :, 1].max(axis=0)
            cameras.set_clipping(self.renderer.GetActiveCamera(), low, high)

    def _size(self):
        return tuple(self.window.GetSize())

    # Texts

    def _letter(self):
        return self.settings.text_scale * max(10 * self.sampling, _LETTER * self._size()[1])

    def _blocks(self):
        if not self.settings.legend:
            return []
        return [*self.colours.blocks(), *self.contact_colours.blocks(), *self._notes()]

    def _notes(self):
        settings, contacts = self.settings, self.contacts
        notes = []
        if settings.forces != 'none':
            entries = [*zip(STATE_COLOURS[1:], ('sticking', 'sliding'))]
            if contacts.kinds['joint']:
                entries = entries * contacts.kinds['contact'] + [(JOINT_COLOUR, 'joint')]
            notes.append(legend.Names('forces', *zip(*entries)))
            notes.append(self._scale_of_forces())
        if settings.magnify != 1:
            notes.append(legend.Note(f'displacements × {settings.magnify:g}'))
        if self._outlined().faces.any():
            notes.append(legend.LineName(_UNDEFORMED, 'undeformed shape'))
        if self.joints.names:
            notes.append(legend.Symbols('joints', JOINT_SIGN_COLOUR, self.joints.names))
        if settings.vectors:
            unit = self.scene.field(settings.vectors).unit
            notes.append(legend.Note(f'{settings.vectors}: up to {legend.quantity(contacts.longest, unit)}'))
        return notes

    def _scale_of_forces(self):
        largest = self.contacts.largest
        if self.settings.forces == 'network' and largest > 0:
            return legend.Widths(largest, 'N', self._tube_width())
        which = 'longest arrow' if self.settings.forces == 'arrows' else 'thickest tube'
        return legend.Note(f'{which}: {legend.quantity(largest, "N")}')

    def _tube_width(self):
        """Of the tube of the largest force, in sizes of letters; in perspective where the camera's focal point is."""
        camera = self.renderer.GetActiveCamera()
        pixel = float(cameras.pixel(camera, self._size())(camera.GetDistance()))
        return round(2 * self.contacts.thickest / pixel / self._letter(), 3)

    def _header(self):
        settings = self.settings
        return [settings.title] * bool(settings.title) + [f't = {self.scene.time:.4g} s'] * settings.time

    def _draw_texts(self):
        """The legend if it, or the scale of its widths, has changed; the signs if the camera has."""
        size = self._size()
        texts = size, self.settings.forces == 'network' and self._tube_width()
        for canvas in (self._legend, self._signs):
            canvas.letter, canvas.paper = self._letter(), self.renderer.GetBackground()
            is_light = np.dot(canvas.paper, (0.3, 0.6, 0.1)) > 0.5
            canvas.ink = (0.1, 0.1, 0.12) if is_light else (0.95, 0.95, 0.95)
        if self._texts_for != texts:
            self._legend.clear()
            legend.draw_legend(self._legend, self._blocks(), size)
            legend.draw_header(self._legend, self._header(), size)
            self._texts_for, self._signs_for = texts, None
        camera = self.renderer.GetActiveCamera()
        key = camera.GetMTime()
        if self._signs_for != key:
            legend.draw_signs(self._signs, camera, size, self.settings.axes, self.settings.scale_bar)
            self._signs_for = key

    # Images

    def _away(self):
        """Direction in which the viewer looks."""
        return np.array(self.renderer.GetActiveCamera().GetDirectionOfProjection())

    def _before_rendering(self):
        if not self.solid[1].is_sorted(self._away()):
            self._show_balls()
        self._set_clipping()
        camera, settings = self.renderer.GetActiveCamera(), self.settings
        lights = shading.PLAIN_LIGHTS if settings.colour == 'plain' else shading.FIELD_LIGHTS
        shadows = self.shadows if settings.shadows else None
        uniforms = shading.Uniforms(camera, self._size(), settings.cuts, lights, shadows, self.sampling)
        outline = 0.0 if settings.edges == 'none' else float(self.sampling)
        for actor in self._body_actors:
            uniforms.give(actor, outline)
        # Where it lies on a body its edges are behind those of the body.
        uniforms.give(self.undeformed.actor, nearer=0.5)
        for part in self._parts_over:
            uniforms.give(part.actor)
        self._draw_texts()

    def render(self):
        """Draws; the light and its shadows follow the viewer here, not when the window is rendered without this."""
        if self.settings.shadows:
            turn = shading.matrix(self.renderer.GetActiveCamera().GetViewTransformMatrix())[:3, :3]
            self.shadows.draw(self.scene, self.visible & ~self.transparent, self.settings.cuts,
                              turn.T @ shading.light_direction(turn), self._points())
        self.window.Render()

    def image(self):
        """The picture: (height, width, 3) uint8, the first row at the top."""
        self.render()
        width, height = self._size()
        pixels = vtkUnsignedCharArray()
        self.window.GetPixelData(0, 0, width - 1, height - 1, 0, pixels, 0)
        image = vtk_to_numpy(pixels).reshape(height, width, 3)[::-1]
        n = self.sampling
        if n == 1:
            return image.copy()
        sums = image.reshape(height // n, n, width // n, n, 3).sum(axis=(1, 3), dtype=np.uint16)
        return ((sums + n * n // 2) // (n * n)).astype(np.uint8)
