"""Where a scene is seen from: the Camera of settings and that of VTK."""

import numpy as np

from solfec.view_settings import Camera

_FILLED = 0.94  # share of the picture that what is fitted fills


def axes(towards, up=None):
    """Rows: right, up, away from the viewer."""
    away = np.asarray(towards, dtype=float)
    away = away / np.linalg.norm(away)
    if up is None:
        up = (0, 0, 1) if abs(away[2]) < 0.999 else (0, 1, 0)
    right = np.cross(away, up)
    if np.linalg.norm(right) < 1E-6 * np.linalg.norm(up):
        raise ValueError(f'up must not be along the line of sight; got {tuple(map(float, up))}')
    right /= np.linalg.norm(right)
    return np.array([right, np.cross(right, away), away])


def extents(scene, frame, visible, points, others=()):
    """Lowest and highest coordinates along the rows of `frame` of what is seen, (n, 3) each; points: where those of
    faces are drawn; others: arrays of points beside those."""
    points = np.concatenate([points[visible.bodies[scene.point_body]], *others]) @ frame.T
    keep = visible.balls
    center = scene.balls.center[keep] @ frame.T
    reach = np.linalg.norm(frame @ scene.balls.map[keep], axis=2)
    low, high = np.concatenate([points, center - reach]), np.concatenate([points, center + reach])
    if not len(low):
        low = high = np.zeros((1, 3))
    return low, high


def place(vtk_camera, camera, scene, visible, size, points, margins=(0, 0, 0), others=()):
    """Sets VTK's camera. What Camera leaves open is found so that all that is seen fits into a picture of `size`
    pixels, of which `margins` at the right, at the top and at the bottom are kept free. points, others: as of
    extents()."""
    focal, position = camera.focal_point, camera.position
    towards = camera.towards if position is None or focal is None else np.subtract(focal, position)
    frame = axes(towards, camera.up)
    low, high = extents(scene, frame, visible, points, others)
    lowest, highest = low.min(axis=0), high.max(axis=0)
    middle = 0.5 * (lowest + highest)
    if focal is not None:
        middle = frame @ np.asarray(focal)
    half = np.maximum(highest - middle, middle - lowest)
    half = np.maximum(half, 1E-9 * max(1.0, np.abs(half).max()))
    right, top, bottom = margins
    width, height = max(1, size[0] - right), size[1]
    free = max(1, height - top - bottom)
    scale = max(half[1] * height / free, half[0] * height / width) / _FILLED / camera.zoom  # half of the height seen
    if camera.parallel_scale is not None:
        scale = camera.parallel_scale
    # In the middle of the free part; a camera whose place is known is as it is.
    shift = np.array([right, top - bottom, 0.0]) / height if position is None else np.zeros(3)
    slope = np.tan(0.5 * np.radians(camera.view_angle))
    if camera.parallel:
        distance = 2 * np.linalg.norm(half)
        shift *= scale
    else:
        # From so far away each point is within the slopes of the picture's sides.
        slopes = np.array([slope * width / height, slope * free / height]) * _FILLED * camera.zoom
        for _ in range(4 if focal is None else 1):
            spread = np.maximum(np.abs(low[:, :2] - middle[:2]), np.abs(high[:, :2] - middle[:2]))
            distance = max(((spread / slopes).max(axis=1) + middle[2] - low[:, 2]).max(), 1E-9)
            if focal is None:  # what is near takes more room: the middle of the picture of all
                depth = distance + low[:, 2:] - middle[2]
                seen = (low[:, :2] - middle[:2]) / depth, (high[:, :2] - middle[:2]) / depth
                middle[:2] += 0.5 * distance * (seen[0].min(axis=0) + seen[1].max(axis=0))
        shift *= distance * slope
    focal = (middle + shift) @ frame
    if position is None:
        position = focal - distance * frame[2]
    vtk_camera.SetFocalPoint(focal)
    vtk_camera.SetPosition(position)
    vtk_camera.SetViewUp(frame[1])
    vtk_camera.SetParallelProjection(camera.parallel)
    vtk_camera.SetParallelScale(scale)
    vtk_camera.SetViewAngle(camera.view_angle)


def is_corner_free(vtk_camera, size, side, scene, visible, points, others):
    """Whether a square at the lower left corner, `side` pixels wide, is free of the convex hull of what is seen;
    points, others: as of extents()."""
    frame = axes(vtk_camera.GetDirectionOfProjection(), vtk_camera.GetViewUp())
    low = extents(scene, frame, visible, points, others)[0]
    position = frame @ np.array(vtk_camera.GetPosition())
    distance = np.maximum(low[:, 2] - position[2], 1E-9)
    places = (low[:, :2] - position[:2]) / pixel(vtk_camera, size)(distance)[:, None] + np.array(size) / 2
    angle = np.linspace(0, np.pi / 2, 19)
    across = np.stack([np.cos(angle), np.sin(angle)])
    return bool(((places @ across).min(axis=0) > side * across.sum(axis=0)).any())


def present(vtk_camera):
    """The Camera that VTK's camera is."""
    return Camera(towards=vtk_camera.GetDirectionOfProjection(), up=vtk_camera.GetViewUp(),
                  position=vtk_camera.GetPosition(), focal_point=vtk_camera.GetFocalPoint(),
                  parallel=bool(vtk_camera.GetParallelProjection()), parallel_scale=vtk_camera.GetParallelScale(),
                  view_angle=vtk_camera.GetViewAngle())


def set_clipping(vtk_camera, low, high):
    """Near and far planes around a box."""
    corners = np.array(np.meshgrid(*zip(low, high))).reshape(3, -1).T
    position, direction = np.array(vtk_camera.GetPosition()), np.array(vtk_camera.GetDirectionOfProjection())
    depth = (corners - position) @ direction
    size = max(depth.max() - depth.min(), 1E-9)
    near, far = depth.min() - 0.02 * size, depth.max() + 0.02 * size
    if not vtk_camera.GetParallelProjection():
        far = max(far, 1E-6)
        near = max(near, 1E-3 * far)
    vtk_camera.SetClippingRange(near, far)


def ray(vtk_camera, size, x, y):
    """Start and direction of the line of sight through a point of the picture: pixels from its lower left corner."""
    width, height = size
    position, focal = np.array(vtk_camera.GetPosition()), np.array(vtk_camera.GetFocalPoint())
    frame = axes(focal - position, vtk_camera.GetViewUp())
    across, above = (2 * x - width) / height, 2 * y / height - 1  # in halves of the height
    if vtk_camera.GetParallelProjection():
        scale = vtk_camera.GetParallelScale()
        return position + scale * (across * frame[0] + above * frame[1]), frame[2]
    slope = np.tan(0.5 * np.radians(vtk_camera.GetViewAngle()))
    direction = frame[2] + slope * (across * frame[0] + above * frame[1])
    return position, direction / np.linalg.norm(direction)


def pixel(vtk_camera, size):
    """Function of distances along a line of sight: size of a pixel there [m]."""
    if vtk_camera.GetParallelProjection():
        return lambda distance: np.full(np.shape(distance), 2 * vtk_camera.GetParallelScale() / size[1])
    slope = np.tan(0.5 * np.radians(vtk_camera.GetViewAngle()))
    return lambda distance: 2 * slope * distance / size[1]
