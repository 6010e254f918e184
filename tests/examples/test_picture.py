"""The picture tool: what it draws is where it must be, and the command writes a picture."""

import numpy as np
import pytest
from support import python, solfec

from solfec.picture import Buffer, Camera, Ellipsoid, Faces, draw, fitting_camera
from solfec.results import Results

SCRIPT = '''
solfec = SOLFEC('DYNAMIC', 1E-3, 'out/scene')
material = BULK_MATERIAL(solfec)
box = HULL([-2, -2, -1, 2, -2, -1, 2, 2, -1, -2, 2, -1, -2, -2, 0, 2, -2, 0, 2, 2, 0, -2, 2, 0], 1, 1)
BODY(solfec, 'OBSTACLE', box, material, label='floor')
BODY(solfec, 'RIGID', SPHERE((0, 0, 1), 0.5, 1, 1), material, label='ball')
RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-3, 10), 0.01)
'''


def test_depth_and_normal_of_an_ellipsoid():
    camera = Camera((1, 0, 0), (0, 0, 0), 200, 100, 40.0)  # looks along x; right is -y
    buffer = Buffer(camera)
    rotation = np.linalg.qr(np.random.default_rng(1).normal(size=(3, 3)))[0]
    map = rotation * (1.0, 0.6, 0.3)
    centre = np.array([0.2, 0.1, -0.1])
    buffer.draw(Ellipsoid(centre, map), 3)
    seen = buffer.thing == 3
    assert seen.sum() > 1000
    points = (buffer.positions()[seen] - centre) @ np.linalg.inv(map).T
    assert np.linalg.norm(points, axis=1) == pytest.approx(1, abs=1E-9)  # they lie on the surface
    normals = points @ np.linalg.inv(map)
    normals /= np.linalg.norm(normals, axis=1)[:, None]
    assert buffer.normal[seen] == pytest.approx(normals, abs=1E-9)
    assert (buffer.normal[seen][:, 0] <= 1E-9).all()  # the near side
    # The outline has the area of the shadow: pi times the product of the section's half axes.
    shadow = np.pi * np.sqrt(np.linalg.det((map @ map.T)[1:, 1:]))
    assert seen.sum() / 40.0**2 == pytest.approx(shadow, rel=0.01)


def test_nearer_things_hide_farther_ones_and_backs_are_not_drawn():
    camera = Camera((0, 0, -1), (0, 0, 0), 100, 100, 40.0)
    square = np.array([[[-1, -1, 0], [1, -1, 0], [1, 1, 0]], [[-1, -1, 0], [1, 1, 0], [-1, 1, 0]]], dtype=float)
    buffer = Buffer(camera)
    buffer.draw(Faces(square), 0)
    assert (buffer.thing == 0).sum() == 80 * 80  # no gap along the diagonal
    buffer.draw(Faces(square[:1] + (0, 0, -0.5)), 1)
    assert not (buffer.thing == 1).any()
    buffer.draw(Ellipsoid(np.array([0, 0, 0.2]), 0.1 * np.eye(3)), 2)
    assert (buffer.thing == 2).any() and buffer.thing[50, 50] == 2
    back = Buffer(camera)
    back.draw(Faces(square[:, ::-1]), 0)
    assert not (back.thing == 0).any()


def test_camera_sees_everything():
    shapes = [Ellipsoid(np.array([3.0, 1, 0]), np.diag([0.5, 0.2, 0.1])),
              Faces(np.array([[[0, 0, 0], [1, 0, 0], [0, 1, 5.0]]]))]
    for towards in ((1, 2, -1), (0, 0, -1), (-1, 0, 0)):
        camera = fitting_camera(shapes, towards, 300, 200)
        window = camera.window(np.concatenate([shapes[1].triangles[0], [shapes[0].center]]))
        assert (window[:, :2] > 0).all() and (window[:, 0] < 300).all() and (window[:, 1] < 200).all()


@pytest.fixture(scope='module')
def scene(tmp_path_factory):
    directory = tmp_path_factory.mktemp('picture')
    (directory / 'script.py').write_text(SCRIPT)
    solfec('script.py', cwd=directory)
    return directory


def test_picture_shows_a_lit_ball_over_its_shadow(scene):
    bodies = Results(scene / 'out/scene').frame(0).bodies
    image = draw(bodies, (1, 2, -1), 200, 150)
    alone = draw(bodies[:1], (1, 2, -1), 200, 150)
    assert image.shape == (150, 200, 3) and 0 <= image.min() and image.max() <= 1
    red = image[..., 0] > 1.3 * image[..., 2]
    assert 100 < red.sum() < 10000                 # the ball
    assert (image[0] == 1).all()                   # the background
    grey = np.ptp(image, axis=-1) < 0.03
    assert (image[grey] < 0.5).sum() > (alone[np.ptp(alone, axis=-1) < 0.03] < 0.5).sum()  # its shadow
    glass = draw(bodies, (1, 2, -1), 200, 150, see_through=['ball'])
    assert not (glass[..., 0] > 1.3 * glass[..., 2]).any()


def test_command(scene):
    printed = python('-m', 'solfec.picture', 'out/scene', 'a.png', '--time', '0.005', '--size', '160x120', cwd=scene)
    assert printed == 'a.png: time 0.005 s, 2 bodies\n'
    from matplotlib.image import imread
    assert imread(str(scene / 'a.png')).shape[:2] == (120, 160)
    hidden = python('-m', 'solfec.picture', 'out/scene', 'b.png', '--hide', 'floor', '--size', '80x60', cwd=scene)
    assert '1 bodies' in hidden


@pytest.mark.parametrize('words, message', [
    (['out/nowhere', 'a.png'], 'no results in out/nowhere'),
    (['out/scene', 'a.png', '--towards', '0,0,0'], 'invalid vector value'),
    (['out/scene', 'a.png', '--size', 'large'], 'invalid size value'),
    (['out/scene', 'a.png', '--size', '1x2x3'], 'invalid size value')])
def test_errors_are_plain(scene, words, message):
    printed = python('-m', 'solfec.picture', *words, cwd=scene, code=1 if 'nowhere' in words[0] else 2)
    assert message in printed and 'Traceback' not in printed
