"""Drawing of a Scene with VTK: see drawing.Drawing."""

from solfec.rendering.drawing import Drawing
from solfec.rendering.display import MissingGraphics

__all__ = ['Drawing', 'MissingGraphics']
