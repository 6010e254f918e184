"""What a notebook shows of objects: of a SOLFEC object a picture of its state."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from solfec import SOLFEC


def picture_of(simulation: SOLFEC) -> bytes | None:
    """PNG (bytes) of the state of a SOLFEC object; None where nothing can be drawn: without VTK, without bodies."""
    from solfec.rendering.display import MissingGraphics
    if simulation.nbod == 0:
        return None
    try:
        from solfec.picture import picture, png
        return png(picture(simulation, time=simulation.time, size=(800, 600)))
    except MissingGraphics:
        return None
