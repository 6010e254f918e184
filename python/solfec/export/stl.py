"""STL, binary: the surfaces of bodies at one time, as triangles in metres.

A surface is closed where that of the solid is: corners that triangles share are the same numbers. Solids of a body are
separate surfaces, also where they touch or overlap.
"""

import numpy as np

from solfec.export.output import MARK
from solfec.export.tessellation import ball_surfaces

SUFFIXES = ('.stl',)
_TRIANGLE = np.dtype([('normal', '<f4', 3), ('corners', '<f4', (3, 3)), ('attribute', '<u2')])  # 50 bytes


def triangles(scene, bodies, detail):
    """(n, 3, 3) corners of the triangles of all surfaces, outward; `bodies` is a mask of definitions."""
    chosen = bodies[scene.rows]
    rows, face = scene.faces.triangles()
    balls, of_ball = ball_surfaces(scene.balls, chosen[scene.balls.body], detail)
    return np.concatenate([scene.points[rows[chosen[scene.faces.body][face]]], balls[:, of_ball].reshape(-1, 3, 3)])


def write(output, path, scene, bodies, detail):
    corners = triangles(scene, bodies, detail)
    if not len(corners):
        raise ValueError('the bodies have no surfaces at %g s' % scene.time)
    table = np.zeros(len(corners), dtype=_TRIANGLE)
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    length = np.linalg.norm(normal, axis=1)[:, None]
    table['normal'] = normal / np.where(length > 0, length, 1)
    table['corners'] = corners
    head = ('%s: %d bodies at %.9g s, in metres' % (MARK, bodies[scene.rows].sum(), scene.time)).encode()
    output.write(path, [head.ljust(80), np.array([len(table)], dtype='<u4').tobytes(), table.tobytes()])
