"""What a notebook shows of a SOLFEC object."""

from solfec import *
from solfec import configure


def test_a_solfec_object_shows_a_picture_of_its_state(tmp_path):
    configure(overwrite=True)
    solfec = SOLFEC('DYNAMIC', 1E-2, str(tmp_path / 'out'))
    solfec.verbose = 'OFF'
    assert solfec._repr_png_() is None  # nothing to draw
    ball = BODY(solfec, 'RIGID', SPHERE((0, 0, 0), 0.1, 1, 1), BULK_MATERIAL(solfec))
    BODY(solfec, 'OBSTACLE', BOX((0, 0, -1), (2, 2, 0.1)), BULK_MATERIAL(solfec))
    INITIAL_VELOCITY(ball, (5, 0, 0), (0, 0, 0))
    first = solfec._repr_png_()
    assert first.startswith(b'\x89PNG') and first == solfec._repr_png_()
    RUN(solfec, GAUSS_SEIDEL_SOLVER(), 0.1)
    moved = solfec._repr_png_()
    assert moved != first
    configure()
    again = SOLFEC('DYNAMIC', 1E-2, str(tmp_path / 'out'))
    BODY(again, 'RIGID', SPHERE((0, 0, 0), 0.1, 1, 1), BULK_MATERIAL(again))
    BODY(again, 'OBSTACLE', BOX((0, 0, -1), (2, 2, 0.1)), BULK_MATERIAL(again))
    assert again.mode == 'READ'
    SEEK(again, 1)
    assert again._repr_png_() == moved
