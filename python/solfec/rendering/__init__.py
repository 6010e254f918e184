"""Drawing of a Scene with VTK: see drawing.Drawing."""

from solfec.rendering.display import MissingGraphics, require_vtk

require_vtk()

from solfec.rendering.drawing import Drawing  # noqa: E402

__all__ = ['Drawing', 'MissingGraphics']
