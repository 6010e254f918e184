"""Draws a frame of results: python3 -m solfec.picture directory picture.png [options]

The picture is computed here, with numpy: rays parallel to the line of sight meet balls, ellipsoids and the faces of
polyhedra and meshes; light comes from over the viewer's left shoulder and casts shadows.
"""

import argparse
import colorsys
import sys
from dataclasses import dataclass

import numpy as np

from solfec.results import Results

COLOURS = {'sphere': (0.86, 0.45, 0.26), 'ellipsoid': (0.29, 0.55, 0.74), 'polyhedron': (0.90, 0.73, 0.33),
           'mesh': (0.45, 0.66, 0.41)}
OBSTACLE_COLOUR = (0.74, 0.74, 0.72)
EDGE_COLOUR = np.array([0.12, 0.12, 0.14])


@dataclass
class Ellipsoid:
    center: np.ndarray
    map: np.ndarray


@dataclass
class Faces:
    triangles: np.ndarray  # (n, 3, 3), outward


def shapes_of(body):
    """What to draw of a body, as pairs (shape, kind of solid)."""
    for solid in body.definition.solids:
        if solid.map is not None:
            yield Ellipsoid(body.place(solid.points)[0], body.gradient @ solid.map), solid.kind
        else:
            points = body.points_of(solid)
            fans = [(face[0], face[k], face[k + 1]) for face in solid.faces for k in range(1, len(face) - 1)]
            yield Faces(points[np.array(fans)]), solid.kind


class Camera:
    """A view along parallel rays. Window coordinates: right and up in pixels, depth in metres away from the eye."""

    def __init__(self, towards, centre, width, height, scale):
        back = -np.asarray(towards, dtype=float)
        back /= np.linalg.norm(back)
        up = np.array([0.0, 0.0, 1.0]) if abs(back[2]) < 0.999 else np.array([0.0, 1.0, 0.0])
        right = np.cross(up, back)
        right /= np.linalg.norm(right)
        self.axes = np.array([right, np.cross(back, right), -back])  # rows: right, up, away
        self.centre, self.width, self.height, self.scale = np.asarray(centre, dtype=float), width, height, scale

    def window(self, points):
        local = (points - self.centre) @ self.axes.T
        local[..., :2] *= self.scale
        local[..., 0] += 0.5 * self.width
        local[..., 1] += 0.5 * self.height
        return local


class Buffer:
    """Depth, normal and number of the nearest thing at each pixel; -1 where there is none."""

    def __init__(self, camera):
        shape = (camera.height, camera.width)
        self.camera = camera
        self.depth = np.full(shape, np.inf)
        self.normal = np.zeros(shape + (3,))
        self.thing = np.full(shape, -1)

    def pixels(self, low, high):
        """Range of rows and columns whose centres lie in a rectangle, and the centres; None when empty."""
        size = (self.camera.width, self.camera.height)
        x0, y0 = (max(0, int(np.ceil(low[d] - 0.5))) for d in (0, 1))
        x1, y1 = (min(size[d], int(np.floor(high[d] - 0.5)) + 1) for d in (0, 1))
        if x0 >= x1 or y0 >= y1:
            return None
        return (slice(y0, y1), slice(x0, x1)), np.arange(x0, x1) + 0.5, (np.arange(y0, y1) + 0.5)[:, None]

    def put(self, where, hit, depth, normal, thing):
        hit = hit & (depth < self.depth[where] - 1E-9)  # of faces that coincide the first one stays
        self.depth[where] = np.where(hit, depth, self.depth[where])
        self.thing[where] = np.where(hit, thing, self.thing[where])
        self.normal[where] = np.where(hit[..., None], normal, self.normal[where])

    def draw(self, shape, thing):
        if isinstance(shape, Ellipsoid):
            self.draw_ellipsoid(shape, thing)
        else:
            self.draw_faces(shape, thing)

    def draw_ellipsoid(self, shape, thing):
        camera = self.camera
        centre = camera.window(shape.center)
        map = camera.axes @ shape.map
        extent = np.linalg.norm(map, axis=1) * camera.scale
        pixels = self.pixels(centre[:2] - extent[:2], centre[:2] + extent[:2])
        if pixels is None:
            return
        where, x, y = pixels
        # Points p on the surface have p^T M p = 1: a quadratic equation for the depth of each pixel.
        inverse = np.linalg.inv(map)
        M = inverse.T @ inverse
        x, y = np.broadcast_arrays((x - centre[0]) / camera.scale, (y - centre[1]) / camera.scale)
        half_b = M[2, 0] * x + M[2, 1] * y
        c = M[0, 0] * x * x + 2 * M[0, 1] * x * y + M[1, 1] * y * y - 1
        root = half_b * half_b - M[2, 2] * c
        z = (-half_b - np.sqrt(np.maximum(root, 0))) / M[2, 2]
        normal = np.stack([x, y, z], axis=-1) @ (M @ camera.axes)
        length = np.linalg.norm(normal, axis=-1, keepdims=True)
        self.put(where, root >= 0, z + centre[2], normal / np.maximum(length, 1E-300), thing)

    def draw_faces(self, shape, thing):
        corners = self.camera.window(shape.triangles)
        normals = np.cross(shape.triangles[:, 1] - shape.triangles[:, 0], shape.triangles[:, 2] - shape.triangles[:, 0])
        facing = normals @ self.camera.axes[2] < 0
        for (a, b, c), normal in zip(corners[facing], normals[facing]):
            pixels = self.pixels(np.minimum(np.minimum(a, b), c), np.maximum(np.maximum(a, b), c))
            area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
            if pixels is None or abs(area) < 1E-12:
                continue
            where, x, y = pixels
            # Barycentric coordinates of the pixels
            v = ((x - a[0]) * (c[1] - a[1]) - (y - a[1]) * (c[0] - a[0])) / area
            w = ((b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0])) / area
            depth = a[2] + v * (b[2] - a[2]) + w * (c[2] - a[2])
            slack = -1E-9
            self.put(where, (v >= slack) & (w >= slack) & (v + w <= 1 - slack), depth,
                     normal / np.linalg.norm(normal), thing)

    def positions(self):
        """Points in space seen at the pixels."""
        camera = self.camera
        x = (np.arange(camera.width) + 0.5 - 0.5 * camera.width) / camera.scale
        y = (np.arange(camera.height) + 0.5 - 0.5 * camera.height) / camera.scale
        local = np.stack(np.broadcast_arrays(x, y[:, None], np.where(np.isfinite(self.depth), self.depth, 0)), axis=-1)
        return local @ camera.axes + camera.centre

    def edges(self, size, owner):
        """Pixels where the body, the depth or the normal changes abruptly; `owner` is the body of each thing."""
        edge = np.zeros(self.depth.shape, dtype=bool)
        depth = np.where(np.isfinite(self.depth), self.depth, 1E30)
        body = np.append(owner, -1)[self.thing]
        for axis in (0, 1):
            one = [slice(None)] * 2
            two = [slice(None)] * 2
            one[axis], two[axis] = slice(1, None), slice(None, -1)
            one, two = tuple(one), tuple(two)
            bend = np.einsum('ijk,ijk->ij', self.normal[one], self.normal[two]) < 0.9
            jump = np.abs(depth[one] - depth[two]) > 0.02 * size
            edge[one] |= (body[one] != body[two]) | (body[one] >= 0) & (bend | jump)
        return edge


def bounds(shapes):
    low, high = np.full(3, np.inf), np.full(3, -np.inf)
    for shape in shapes:
        if isinstance(shape, Ellipsoid):
            extent = np.linalg.norm(shape.map, axis=1)
            points = np.array([shape.center - extent, shape.center + extent])
        else:
            points = shape.triangles.reshape(-1, 3)
        low, high = np.minimum(low, points.min(axis=0)), np.maximum(high, points.max(axis=0))
    return low, high


def fitting_camera(shapes, towards, width, height):
    """The camera that sees all shapes, and little else."""
    low, high = bounds(shapes)
    camera = Camera(towards, 0.5 * (low + high), width, height, 1.0)
    spans = []
    for shape in shapes:
        if isinstance(shape, Ellipsoid):
            local = (shape.center - camera.centre) @ camera.axes.T
            extent = np.linalg.norm(camera.axes @ shape.map, axis=1)
            spans += [local - extent, local + extent]
        else:
            spans += list((shape.triangles.reshape(-1, 3) - camera.centre) @ camera.axes.T)
    spans = np.array(spans)
    low, high = spans.min(axis=0), spans.max(axis=0)
    camera.centre = camera.centre + 0.5 * (low + high) @ camera.axes
    camera.scale = 0.94 * min(width / (high[0] - low[0]), height / (high[1] - low[1]))
    return camera


def lit(buffer, light):
    """Part of the light that reaches each pixel: 0 in shadow, 1 in full light."""
    camera = light.camera
    # A surface must not shade itself: pixels of the light see it at depths that differ by their size over its slope.
    cosine = np.clip(-buffer.normal @ camera.axes[2], 0.1, 1)
    slack = 3 / camera.scale / cosine
    points = camera.window(buffer.positions())
    result = np.zeros(buffer.depth.shape)
    offsets = [(i, j) for i in (-1.5, 0, 1.5) for j in (-1.5, 0, 1.5)]
    for dx, dy in offsets:
        column = np.clip((points[..., 0] + dx).astype(int), 0, camera.width - 1)
        row = np.clip((points[..., 1] + dy).astype(int), 0, camera.height - 1)
        result += light.depth[row, column] > points[..., 2] - slack
    return result / len(offsets)


def body_colour(body, kind):
    if body.kind == 'OBSTACLE':
        return OBSTACLE_COLOUR
    hue, lightness, saturation = colorsys.rgb_to_hls(*COLOURS[kind])
    shade = 0.06 * ((body.id * 0.618034) % 1 - 0.5)  # neighbours differ a little
    return colorsys.hls_to_rgb(hue, lightness + shade, saturation)


def draw(bodies, towards=(1, 2, -1), width=1200, height=900, see_through=()):
    """Image (height, width, 3) of bodies (Frame.bodies). Labels in `see_through` are drawn as glass."""
    things = [(body, shape, kind) for body in bodies for shape, kind in shapes_of(body)]
    if not things:
        raise ValueError('there is nothing to draw')
    shapes = [shape for body, shape, kind in things]
    low, high = bounds(shapes)
    size = np.linalg.norm(high - low)
    sampling = 2  # pixels per pixel of the image, along both sides
    camera = fitting_camera(shapes, towards, sampling * width, sampling * height)
    sun = np.asarray(camera.axes.T @ (0.6, -0.9, 0.8))
    if sun[2] > -0.3 * np.linalg.norm(sun):
        sun[2] -= 0.6 * np.linalg.norm(sun)
    resolution = sampling * max(width, height)
    solid, glass = Buffer(camera), Buffer(camera)
    light = Buffer(fitting_camera(shapes, sun, resolution, resolution))
    for number, (body, shape, kind) in enumerate(things):
        if body.label in see_through:
            glass.draw(shape, number)
        else:
            solid.draw(shape, number)
            light.draw(shape, number)

    owner = np.array([body.id for body, shape, kind in things])
    colours = np.array([body_colour(body, kind) for body, shape, kind in things])
    to_light = -light.camera.axes[2]
    shine = np.clip(solid.normal @ to_light, 0, 1) * lit(solid, light)
    ambient = 0.46 + 0.14 * solid.normal[..., 2]
    image = colours[solid.thing] * np.clip(ambient + 0.56 * shine, 0, 1)[..., None]
    image[solid.thing < 0] = 1.0
    image[solid.edges(size, owner)] = EDGE_COLOUR
    front = (glass.depth < solid.depth) & (glass.thing >= 0)
    image[front] = 0.84 * image[front] + 0.16 * np.array([0.55, 0.66, 0.78])
    outline = glass.edges(size, owner) & (glass.depth <= solid.depth)
    image[outline] = 0.45 * image[outline] + 0.55 * EDGE_COLOUR
    image = image.reshape(height, sampling, width, sampling, 3).mean(axis=(1, 3))
    return image[::-1]


def vector(text):
    numbers = [float(word) for word in text.split(',')]
    if len(numbers) != 3 or not any(numbers):
        raise ValueError(text)
    return numbers


def size(text):
    width, height = (int(word) for word in text.split('x'))
    if min(width, height) < 1:
        raise ValueError(text)
    return width, height


def main(arguments=None):
    parser = argparse.ArgumentParser(prog='python3 -m solfec.picture', description='Draws a frame of results.')
    parser.add_argument('directory', help='directory of results')
    parser.add_argument('picture', help='file to write (.png)')
    parser.add_argument('--time', type=float, help='the last frame not after this time [s] (default: the last frame)')
    parser.add_argument('--towards', type=vector, default=(1, 2, -1), metavar='X,Y,Z',
                        help='direction in which the viewer looks (default: 1,2,-1)')
    parser.add_argument('--size', type=size, default=(1200, 900), metavar='WxH',
                        help='size of the picture in pixels (default: 1200x900)')
    parser.add_argument('--see-through', action='append', default=[], metavar='LABEL', help='draw this body as glass')
    parser.add_argument('--hide', action='append', default=[], metavar='LABEL', help='leave this body out')
    given = parser.parse_args(arguments)
    from matplotlib.image import imsave
    try:
        results = Results(given.directory)
        frame = results.frame(-1) if given.time is None else results.at(given.time)
        bodies = [body for body in frame.bodies if not body.label or body.label not in given.hide]
        image = draw(bodies, given.towards, *given.size, see_through=given.see_through)
    except (OSError, ValueError) as error:
        print('picture: %s' % error, file=sys.stderr)
        return 1
    imsave(given.picture, np.clip(image, 0, 1))
    print('%s: time %g s, %d bodies' % (given.picture, frame.time, len(bodies)))
    return 0


if __name__ == '__main__':
    sys.exit(main())
