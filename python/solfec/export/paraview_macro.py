"""Macro for ParaView: shows bodies, contacts and forces of an export of Solfec.

In ParaView: open NAME.xdmf (or NAME-bodies.xdmf), select it in the Pipeline Browser and run the macro. Without
a window:

    SOLFEC_EXPORT=NAME.xdmf SOLFEC_PICTURE=picture.png pvpython paraview_macro.py

The other files of the export are found beside the one that is open. Bodies are coloured by the size of their velocity;
contacts are points, with an arrow for the force on the first body of each (the longest of the last frame is a tenth of
the model). SOLFEC_TIME is the time of a picture [s], of the last frame when it is not given.
"""

import os

SETS = ('-bodies', '-contacts', '-joints', '-background', '-shapes')
LONGEST = 0.1  # arrow, of the diagonal of the model


def stem_of(path):
    """The name of an export without the end that tells its set."""
    stem, suffix = os.path.splitext(os.path.abspath(path))
    for name in SETS:
        if stem.endswith(name) and os.path.exists(stem[:-len(name)] + '.h5'):
            stem = stem[:-len(name)]
    return stem, suffix


def chosen_file(paraview):
    """Of the environment, or of the selected source."""
    path = os.environ.get('SOLFEC_EXPORT')
    source = paraview.GetActiveSource()
    if not path and source:
        names = source.GetProperty('FileNames') or source.GetProperty('FileName')
        path = names[0] if names and len(names) else None
    if not path or os.path.splitext(path)[1] not in ('.xdmf', '.xmf'):
        raise RuntimeError('open an export (NAME.xdmf), select it in the Pipeline Browser and run the macro again')
    return path


def box(source):
    """Centre and diagonal of the box around a source."""
    ends = source.GetDataInformation().GetBounds()
    low, high = ends[::2], ends[1::2]
    return [0.5 * (a + b) for a, b in zip(low, high)], sum((b - a)**2 for a, b in zip(low, high))**0.5 or 1.0


class Show:
    """Makes the pipeline."""

    def __init__(self, paraview, path):
        self.paraview, self.view = paraview, paraview.GetActiveViewOrCreate('RenderView')
        self.stem, self.suffix = stem_of(path)
        self.displays, self.coloured = [], []
        for source in paraview.GetSources().values():
            paraview.Hide(source, self.view)
        meshes, bodies = self.open(''), self.open('-bodies')
        shapes, background = self.open('-shapes'), self.open('-background')
        if meshes:
            self.surfaces(meshes)
        if shapes and bodies:
            self.glyphs(bodies, shapes)
        if not meshes and background:
            self.surfaces(background)
        scene = paraview.GetAnimationScene()
        scene.UpdateAnimationUsingDataTimeSteps()
        self.view.ViewTime = scene.AnimationTime = float(os.environ.get('SOLFEC_TIME', scene.EndTime))
        paraview.Render(self.view)
        for display in self.coloured:
            display.RescaleTransferFunctionToDataRange(False, True)
        self.distance = 1.1 if shapes else 0.8  # a box around points has not the size of shapes
        self.centre, self.size = box((meshes if meshes and not shapes else bodies or meshes or background))
        for name in ('-contacts', '-joints'):
            points = self.open(name)
            if points:
                self.forces(points)
                for display in self.displays:  # forces are inside
                    display.Opacity = 0.4
        self.camera()

    def open(self, name):
        """A reader of one file of the export; None when it is not there."""
        path = self.stem + name + self.suffix
        if not os.path.exists(path):
            return None
        reader = self.paraview.XDMFReader(registrationName=os.path.basename(path), FileNames=[path])
        reader.UpdatePipeline()
        return reader

    def colour(self, source, display):
        self.displays.append(display)
        if source.PointData.GetArray('velocity'):
            self.paraview.ColorBy(display, ('POINTS', 'velocity', 'Magnitude'))
            display.SetScalarBarVisibility(self.view, True)
            self.coloured.append(display)

    def surfaces(self, meshes):
        display = self.paraview.Show(meshes, self.view)
        display.SetRepresentationType('Surface')
        self.colour(meshes, display)

    def glyphs(self, bodies, shapes):
        """Bodies as shapes that are moved, turned and scaled: "3D Glyphs" with a table of shapes."""
        surfaces = self.paraview.ExtractSurface(registrationName='surfaces of shapes', Input=shapes)
        surfaces.UpdatePipeline()
        display = self.paraview.Show(bodies, self.view)
        display.SetRepresentationType('3D Glyphs')
        display.GlyphType = 'Pipeline Connection'
        display.GlyphType.Input = surfaces
        display.UseGlyphTable, display.UseCompositeGlyphTable, display.GlyphTableIndexArray = 1, 1, 'shape'
        display.Orient, display.OrientationMode, display.SelectOrientationVectors = 1, 'Quaternion', 'quaternion'
        display.Scaling, display.ScaleMode, display.SelectScaleArray = 1, 'Vector Components', 'scale'
        display.ScaleFactor = 1
        self.colour(bodies, display)

    def forces(self, points):
        """Points, and an arrow for each force."""
        points.UpdatePipeline(self.view.ViewTime)
        display = self.paraview.Show(points, self.view)
        display.SetRepresentationType('Points')
        display.PointSize, display.AmbientColor, display.DiffuseColor = 4, [0, 0, 0], [0, 0, 0]
        self.paraview.ColorBy(display, None)
        sizes = points.PointData.GetArray('force size')
        largest = sizes.GetRange()[1] if sizes else 0
        if not points.PointData.GetArray('force'):
            return
        glyph = self.paraview.Glyph(registrationName='forces', Input=points, GlyphType='Arrow')
        glyph.OrientationArray, glyph.ScaleArray = ['POINTS', 'force'], ['POINTS', 'force size']
        glyph.GlyphMode = 'All Points'
        glyph.ScaleFactor = LONGEST * self.size / largest if largest > 0 else 0
        arrows = self.paraview.Show(glyph, self.view)
        self.paraview.ColorBy(arrows, None)
        arrows.DiffuseColor = arrows.AmbientColor = [0.8, 0.1, 0.1]

    def camera(self):
        view = self.view
        view.CameraFocalPoint, view.CameraViewUp = self.centre, [0, 0, 1]
        view.CameraPosition = [c + self.distance * self.size * d for c, d in zip(self.centre, (-1, -2, 1))]
        self.paraview.Render(view)


def main():
    from paraview import simple
    show = Show(simple, chosen_file(simple))
    if os.environ.get('SOLFEC_PICTURE'):
        show.view.ViewSize = [1000, 750]
        show.view.OrientationAxesVisibility = 0
        simple.SaveScreenshot(os.environ['SOLFEC_PICTURE'], show.view)


if __name__ == '__main__':
    main()
