"""Pictures: pixels are where and as they must be; what is picked is what is seen; films; errors of one line."""

import json
import os
import shutil
import subprocess

import numpy as np
import pytest
from vtkmodules.vtkRenderingCore import vtkRenderWindow

from solfec import *
from solfec.picture import main, picture
from solfec.rendering import Drawing, balls, faces, joints, legend
from solfec.rendering import camera as cameras
from solfec.colours import (JOINT_COLOUR, JOINT_SIGN_COLOUR, OBSTACLE, STATE_COLOURS, Scale, category_colours,
                            colour_table)
from solfec.rendering.legend import Bar, prefixed, quantity, texts_of, ticks
from solfec.rendering.shading import light_direction
from solfec.results import CONSTRAINT_KINDS
from solfec.scene import Scene
from solfec.view_settings import Camera, Cut, ViewSettings, load_camera

PYTHON = os.environ['SOLFEC_PYTHON']
SIZE = (320, 240)
AHEAD = Camera(towards=(0, 1, 0), position=(0, -10, 1), focal_point=(0, 0, 1), parallel_scale=2)  # 60 pixels a metre


@pytest.fixture(scope='module')
def results(tmp_path_factory):
    """A ball that rests, a block that slides, an ellipsoid that flies, a mesh; on a floor."""
    path = tmp_path_factory.mktemp('picture') / 'scene'
    solfec = SOLFEC('DYNAMIC', 1E-3, str(path))
    solfec.verbose = 'OFF'
    OUTPUT(solfec, 0.01)
    GRAVITY(solfec, (0, 0, -9.81))
    SURFACE_MATERIAL(solfec, friction=0.3)
    stone = BULK_MATERIAL(solfec, label='stone', density=2000)
    BODY(solfec, 'OBSTACLE', BOX((0, 0, -0.2), (6, 4, 0.4)), stone, label='floor')
    BODY(solfec, 'RIGID', SPHERE((-1.5, 0, 0.5), 0.5, 1, 2), stone, label='ball')
    block = BODY(solfec, 'RIGID', BOX((0, 0, 0.4), (0.8, 0.8, 0.8)), stone, label='block')
    INITIAL_VELOCITY(block, (1, 0, 0), (0, 0, 0))
    egg = BODY(solfec, 'RIGID', ELLIP((1.5, 0, 2), (0.6, 0.3, 0.2), 1, 3), stone, label='egg')
    INITIAL_VELOCITY(egg, (0, 0, 0), (1, 2, 3))
    RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-8, 1000), 0.1)
    return path


@pytest.fixture
def scene(results):
    return Scene(str(results)).frame(-1)


@pytest.mark.parametrize('hidden', ['', 'egg', 'block'])
def test_a_range_of_the_run_is_that_of_all_frames(results, hidden):
    """Also on a logarithmic scale, where the least positive value counts, and of forces; without what is hidden."""
    scene, values, forces = Scene(str(results)), [], []
    for k in range(len(scene.times)):
        scene.frame(k)
        seen = scene.label != hidden
        for place, bodies in ('points', scene.point_body), ('balls', scene.ball_body):
            values.append(scene.field('speed').on(place)[(seen & ~scene.is_obstacle)[bodies]])
        forces.append(scene.contacts.size[seen[scene.contacts.bodies].any(axis=1)].max(initial=0))
    values = np.concatenate(values)
    settings = ViewSettings(colour='speed', range='run', logarithmic=True, forces='arrows',
                            hidden=[hidden] if hidden else [])
    drawing = Drawing(scene.frame(0), settings, size=SIZE)
    for k in (0, 3, -1):
        scene.frame(k)
        drawing.update()
        assert (drawing.colours.scale.low, drawing.colours.scale.high) == (values[values > 0].min(), values.max())
        assert drawing.contacts.largest == max(forces)


def test_a_drawing_that_fails_leaves_its_window_alone(results):
    window = vtkRenderWindow()
    window.SetOffScreenRendering(True)
    for attempt in range(2):
        with pytest.raises(ValueError, match='unknown field'):
            Drawing(Scene(str(results)), ViewSettings(colour='sped'), window)
        assert window.GetRenderers().GetNumberOfItems() == 0


def image_of(scene, **values):
    settings = ViewSettings(**{'camera': AHEAD, 'shadows': False, 'legend': False, **values})
    return picture(scene, settings, size=SIZE).astype(int)


def pixel_of(point, size=SIZE, camera=AHEAD):
    """Column and row of a point; of AHEAD: x to the right, z upwards."""
    scale = 0.5 * size[1] / camera.parallel_scale
    x, y, z = np.subtract(point, camera.focal_point)
    return 0.5 * size[0] + scale * x, 0.5 * size[1] - scale * z


def at(image, point):
    column, row = pixel_of(point)
    return image[int(row), int(column)]


def body(scene, label):
    return int(scene.bodies_labelled(label)[0])


def is_white(image):
    return (image > 250).all(axis=-1)


def is_reddish(image):
    return image[..., 0] > 1.4 * image[..., 2]


def like(pixels, colour):
    """Pixels of a colour, lit more or less."""
    pixels, colour = np.asarray(pixels, dtype=float), np.asarray(colour, dtype=float)
    share = pixels @ colour / (colour @ colour)
    return (np.abs(pixels - share[..., None] * colour).max(axis=-1) < 4) & (share > 0.4) & (share < 1.05)


def test_a_ball_is_where_and_as_large_as_it_is(scene):
    image = image_of(scene, only=['ball'], edges='none')
    centre = scene.center[body(scene, 'ball')]
    seen = ~is_white(image)
    rows, columns = np.nonzero(seen)
    assert (columns.mean() + 0.5, rows.mean() + 0.5) == pytest.approx(pixel_of(centre), abs=0.3)
    assert seen.sum() == pytest.approx(np.pi * 30 ** 2, rel=0.03)
    assert is_reddish(at(image, centre))
    left, right = (at(image, centre + (x, 0, 0.2)).sum() for x in (-0.3, 0.3))
    assert left > right + 30  # the light is over the left shoulder


def test_letters_of_other_languages_are_drawn():
    """The font of VTK leaves them out."""
    for text, latin in (('камень', 'kamen'), ('σ-блок', 's-blo'), ('κ ≤ µ', 'k < u')):
        assert legend.text_width(text) > 0.8 * legend.text_width(latin)
    assert legend.text_width('石') > 0.3  # a question mark


def test_thirty_categories_have_colours_of_their_own():
    colours = category_colours(np.arange(30)).astype(float)
    apart = np.linalg.norm(colours[:, None] - colours[None], axis=2) + 1000 * np.eye(30)
    assert apart.min() > 20
    assert (category_colours([0, 30, -1]) == [colours[0], colours[0], [150, 150, 150]]).all()


@pytest.mark.parametrize('parallel', [True, False])
def test_what_is_picked_is_what_is_drawn(scene, parallel):
    """The bodies by their colours against the rays of numpy."""
    settings = ViewSettings(colour='body', edges='none', legend=False, shadows=False, cuts=[Cut((0, -1, 0.1), 0.15)],
                            hidden=['id:3'] if parallel else [], camera=Camera((1, 2, -1), parallel=parallel))
    drawing = Drawing(scene, settings, size=SIZE, sampling=1)
    image = drawing.image()
    colours = category_colours(scene.ids)

    def is_seen(found, pixel):
        return is_white(pixel) if found is None else like(pixel, colours[found[1]])

    wrong, seen = [], set()
    for row in range(5, SIZE[1], 9):
        for column in range(4, SIZE[0], 9):
            x, y, pixel = column + 0.5, SIZE[1] - row - 0.5, image[row, column].astype(int)
            # At an outline the neighbour's colour is right as well.
            found = [drawing.pick(x + dx, y + dy) for dx, dy in ((0, 0), (-0.5, 0), (0.5, 0), (0, -0.5), (0, 0.5))]
            seen |= set(found) - {None}
            if not any(is_seen(one, pixel) for one in found):
                wrong.append((row, column, pixel, found))
    assert not wrong
    assert seen == {('body', k) for k in range(4) if not parallel or scene.ids[k] != 3}


def test_contacts_are_picked_where_they_are_drawn(scene):
    settings = ViewSettings(contacts='state', camera=AHEAD, shadows=False)
    drawing = Drawing(scene, settings, size=SIZE)
    number = int(np.argmin(scene.contacts.point[:, 0]))  # that of the ball
    column, row = pixel_of(scene.contacts.point[number])
    assert drawing.pick(column + 2, SIZE[1] - row) == ('contact', number)
    assert drawing.pick(column + 20, SIZE[1] - row - 5)[0] == 'body'
    drawing.settings.contacts = None
    drawing.update()
    assert drawing.pick(column + 2, SIZE[1] - row - 4)[0] == 'body'


def test_hidden_bodies_and_faces_are_gone(scene):
    ball = scene.center[body(scene, 'ball')]
    for hidden in ('ball', 'b.ll', 'label:ball', 'id:%d' % scene.ids[body(scene, 'ball')], 'surface:2', 'kind:RIGID',
                   'material:sto.*'):
        assert is_white(at(image_of(scene, hidden=[hidden]), ball)), hidden
    assert not is_white(at(image_of(scene, hidden=['egg', 'kind:OBSTACLE']), ball))
    for text, message in (('bull', r"no body has the label 'bull'; there are: ball, block, egg, floor"),
                          ('kind:SOFT', 'unknown kind'), ('id:77', 'identifier 77'), ('id:x', 'whole number'),
                          ('surface:9', 'surface identifier 9'), ('material:wood', "material 'wood'")):
        with pytest.raises(ValueError, match=message):
            image_of(scene, hidden=[text])


def test_cuts_open_bodies_and_fill_them(scene):
    """A plane half way through: what is opened has one colour all over, and lies in the plane."""
    cut = Cut((0, -1, 0), 0)  # takes away what is before y = 0
    for label, half in (('ball', 0.3), ('block', 0.3)):
        centre = scene.center[body(scene, label)]
        image = image_of(scene, cuts=[cut], only=[label])
        line = np.linspace(-half, half, 5)
        inside = [at(image, centre + (x, 0, z)) for x in line for z in line]
        assert np.ptp(inside, axis=0).max() <= 1 and not is_white(inside[0])
    whole, halved = (image_of(scene, only=['ball', 'egg'], cuts=cuts, camera=Camera(
        (1, 0, 0), position=(-9, 0, 1), focal_point=(0, 0, 1), parallel_scale=2)) for cuts in ([], [cut]))
    left = ~is_white(halved)
    # Seen along x, y to the left: the half at the right is gone.
    assert left[:, 162:].sum() == 0 and (~is_white(whole))[:, 162:].sum() > 500 and left[:, :158].sum() > 500


@pytest.mark.parametrize('parallel', [True, False])
def test_discs_look_like_balls(tmp_path, monkeypatch, parallel):
    """A heap of balls of two sizes on a floor, each behind others."""
    solfec = SOLFEC('DYNAMIC', 1E-3, str(tmp_path / 'heap'))
    stone = BULK_MATERIAL(solfec, density=2000)
    BODY(solfec, 'OBSTACLE', BOX((0.5, 0.5, -0.1), (3, 3, 0.2)), stone)
    for k in range(60):
        place = 0.3 * (k % 4), 0.3 * (k // 4 % 4), 0.15 + 0.3 * (k // 16)
        BODY(solfec, 'RIGID', SPHERE(place, 0.15 - 0.05 * (k % 3 == 0), 1, 1), stone)
    scene, pictures = Scene(solfec), []
    for fewest in 1, 1000:
        monkeypatch.setattr(balls, 'FEWEST_DISCS', fewest)
        drawing = Drawing(scene, ViewSettings(camera=Camera(parallel=parallel)), size=SIZE)
        pictures.append(drawing.image().astype(int))
        assert drawing.solid[1].discs.count == (60 if fewest == 1 else 0)
        drawing.view_along((-1, -2, -1))  # the last ones are first now
        pictures.append(drawing.image().astype(int))
    assert not np.array_equal(*pictures[:2])
    for discs, exact in zip(pictures[:2], pictures[2:]):
        assert (np.abs(discs - exact).max(axis=-1) > 12).sum() <= 20  # where outlines meet


def test_closed_bodies_have_no_inner_sides_but_open_ones_have(tmp_path):
    solfec = SOLFEC('DYNAMIC', 1E-3, str(tmp_path / 'box'))
    stone = BULK_MATERIAL(solfec, density=2000)
    BODY(solfec, 'RIGID', BOX((0, 0, 1), (1, 1, 1), 1, [1, 2, 3, 4, 5, 6]), stone)
    scene = Scene(solfec)
    closed, open = (Drawing(scene, ViewSettings(camera=AHEAD, shadows=False, hidden=hidden), size=SIZE)
                    for hidden in ([], ['surface:5']))
    assert closed.solid[0].actor.GetProperty().GetBackfaceCulling()
    assert not open.solid[0].actor.GetProperty().GetBackfaceCulling()
    for drawing in closed, open:
        assert not is_white(at(drawing.image().astype(int), (0, 0, 1)))


def test_many_edges_are_left_out_of_drafts(scene, monkeypatch):
    drawing = Drawing(scene, ViewSettings(camera=AHEAD, shadows=False, only=['block']), size=SIZE)
    whole = drawing.image()
    drawing.set_draft(True)
    assert np.array_equal(drawing.image(), whole)  # few stay
    monkeypatch.setattr(faces, 'MANY_EDGES', 5)
    drawing.set_draft(True)
    plain = image_of(scene, only=['block'], edges='none')
    assert np.array_equal(drawing.image(), plain) and not np.array_equal(plain, whole)
    drawing.set_draft(False)
    assert np.array_equal(drawing.image(), whole)


def test_sections_have_the_colour_of_their_body(tmp_path):
    """And not that of the face behind: a cube that turns, which is slow in the middle of each face."""
    solfec = SOLFEC('DYNAMIC', 1E-3, str(tmp_path / 'cube'))
    stone = BULK_MATERIAL(solfec, young=1E6, density=2000)
    corners = [(x, y, z) for z in (0, 2) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    cube = BODY(solfec, 'FINITE_ELEMENT', HEX(corners, 3, 3, 3, 1, [1, 1, 1, 1, 1, 1]), stone)
    INITIAL_VELOCITY(cube, (1, 0, 0), (0, 0, 2))
    scene, table = Scene(solfec), colour_table('viridis').astype(int)
    places = [(x, 0, z) for x in (-0.7, 0, 0.7) for z in (0.4, 1, 1.6)]
    values = dict(colour='speed', range=[0, 4], edges='none')
    whole, cut = image_of(scene, **values), image_of(scene, cuts=[Cut((0, -1, 0), 0)], **values)
    expected = table[int(scene.field('speed').on('points').mean() / 4 * 256)]
    assert like([at(cut, place) for place in places], expected).all()
    assert not like([at(whole, place) for place in places], expected).all()


def test_transparent_bodies_blend(scene):
    centre = scene.center[body(scene, 'block')]
    solid, clear = (at(image_of(scene, only=['block'], transparent=names, opacity=0.4), centre)
                    for names in ([], ['block']))
    # Front and back side of the block before white
    assert (clear > solid + 15).all() and (clear < 245).any()
    alone = at(image_of(scene, only=['floor']), (0, 0, -0.2))
    through = at(image_of(scene, only=['floor', 'block'], transparent=['block']), (0, 0, -0.2))
    assert np.abs(alone - through).max() <= 1  # the floor stays solid


def test_forces_are_drawn_at_the_contacts(scene):
    contacts = scene.contacts
    sticking, sliding = (int(np.argmax(np.where(contacts.state == k, contacts.size, 0))) for k in (1, 2))
    plain = image_of(scene)
    arrows = image_of(scene, forces='arrows')
    for number in (sticking, sliding):
        tip = contacts.point[number] + 0.04 * contacts.force[number] / contacts.size[number]
        column, row = map(int, pixel_of(tip))
        near = arrows[row - 4:row + 5, column - 4:column + 5]
        colour = STATE_COLOURS[contacts.state[number]]
        assert like(near, colour).any()
        assert not like(plain[row - 4:row + 5, column - 4:column + 5], colour).any()
    network = image_of(scene, forces='network', hidden=['kind:OBSTACLE'])
    ball = scene.center[body(scene, 'ball')]
    assert like(at(network, ball - (0, 0, 0.25)), STATE_COLOURS[1])  # between the centre and the contact
    assert not like(at(network, ball + (0, 0, 0.25)), STATE_COLOURS[1])


def test_tubes_have_round_ends(scene):
    """That of the ball ends at the floor, with a sphere around the point of contact. Its radius is a quarter of the
    side of a cube as large as the median body, the block."""
    point = scene.contacts.point[int(np.argmin(scene.contacts.point[:, 0]))]
    radius = 0.25 * 0.8
    image = image_of(scene, forces='network', only=['ball'], edges='none')
    for z, x, is_round in ((-0.8, 0, True), (-1.2, 0, False), (-0.8, 0.8, False), (0.3, 0.8, True)):
        red, green, blue = at(image, point + radius * np.array([x, 0, z]))
        assert (blue > 1.5 * red) == is_round, (x, z)


def test_the_legend_has_the_scale_of_widths(scene):
    """A wedge as thick as the tube of the largest force; of thick tubes it ends at a round force."""
    largest = scene.contacts.size.max()
    assert 10000 < largest < 11000
    for scale, force in ((0.5, largest), (1, 5000), (4, 2000)):
        image = image_of(scene, forces='network', force_scale=scale, legend=True, only=['ball'], edges='none')
        grey = np.abs(image - legend.WEDGE_COLOUR).max(axis=-1) < 3
        row, column = np.argwhere(grey).max(axis=0)
        part = image[row - 22:row + 3, column - 52:column + 3]
        covered = ((255 - part) / (255 - np.array(legend.WEDGE_COLOUR))).mean(axis=-1)
        # 60 pixels a metre, radius of the tube of the largest force as above
        thick = scale * 2 * 0.2 * 60 * force / largest
        assert covered[:, 50:52].mean(axis=1).sum() == pytest.approx(thick, abs=1), scale
        assert covered.sum() == pytest.approx(0.5 * 5 * 10 * thick, rel=0.05), scale  # five letters of ten pixels long
    for wide, end in ((1.9, 680), (2.1, 500), (8, 100)):
        widths = legend.Widths(680, 'N', wide)
        assert (widths.end, widths.wide) == pytest.approx((end, wide * end / 680))
    drawing = Drawing(scene, ViewSettings(forces='network', hidden=['kind:RIGID', 'kind:OBSTACLE']), size=SIZE)
    assert drawing._blocks()[-1].text == 'thickest tube: 0 N'  # there is none


def test_the_scale_of_widths_follows_the_camera(scene):
    drawing = Drawing(scene, ViewSettings(forces='network', camera=AHEAD, shadows=False, force_scale=0.5), size=SIZE)
    first = drawing.image()
    drawing.renderer.GetActiveCamera().SetParallelScale(4)
    drawing.image()
    other = drawing._blocks()[-1]
    drawing.renderer.GetActiveCamera().SetParallelScale(2)
    assert drawing._blocks()[-1].wide == pytest.approx(2 * other.wide) and np.array_equal(drawing.image(), first)


def test_widths_of_texts_are_those_drawn(scene):
    """What stands at the right of the legend is in the picture."""
    for colour in 'mises', 'kinetic energy', 'mass':
        image = image_of(scene, colour=colour, legend=True, hidden=['kind:RIGID', 'kind:OBSTACLE'], range=[0, 1234.5])
        columns = np.flatnonzero((image.sum(axis=-1) < 500).any(axis=0))
        assert SIZE[0] - 25 < columns.max() < SIZE[0] - 5, colour


def test_vectors_show_where_bodies_go(scene):
    plain, arrows = (image_of(scene, vectors=name, only=['block', 'egg']) for name in (None, 'velocity'))
    changed = np.argwhere((plain != arrows).any(axis=-1))
    block = scene.center[body(scene, 'block')]
    column, row = pixel_of(block)
    ahead = changed[np.abs(changed[:, 0] - row) < 6]
    assert len(ahead) and ahead[:, 1].min() > column - 3  # it slides along x


def test_colours_are_those_of_the_bar(scene):
    values = dict(colour='mass', range=[0, 2000], edges='none', legend=True)
    image = image_of(scene, **values)
    table = colour_table('viridis').astype(int)
    # The bar: a column of the picture with the colours of the table, the lowest one below.
    match = (np.abs(image[:, :, None] - table[[20, 120, 230]]).max(axis=-1) <= 3)
    bar = [column for column in range(200, SIZE[0]) if match[:, column].any(axis=0).all()]
    assert len(bar) >= 3
    rows = [np.flatnonzero(match[:, bar[1], k]).mean() for k in range(3)]
    assert rows[0] > rows[1] > rows[2]
    assert (rows[0] - rows[1]) / (rows[1] - rows[2]) == pytest.approx(100 / 110, abs=0.05)
    # The block: 2000 * 0.8^3 = 1024 kg
    image = image_of(scene, **{**values, 'legend': False})
    assert like(at(image, scene.center[body(scene, 'block')]), table[int(1024 / 2000 * 256)])
    # In full light; shadows do not change the colours
    assert like(at(image_of(scene, **{**values, 'legend': False, 'shadows': True}), scene.center[body(scene, 'block')]),
                table[int(1024 / 2000 * 256)])
    # The ball: 1047 kg; out of a range it has the colour of the end
    image = image_of(scene, **{**values, 'legend': False, 'range': [0, 500]})
    assert like(at(image, scene.center[body(scene, 'ball')]), table[-1])


def test_obstacles_are_grey_under_a_scale(scene):
    """A floor of faces and one of a ball, whose values are outside of the others'."""
    grey, table = np.array(OBSTACLE), colour_table('viridis').astype(int)
    floor, block = scene.center[body(scene, 'floor')], scene.center[body(scene, 'block')]
    for values in dict(colour='mass'), dict(colour='mass', logarithmic=True):
        drawn = Drawing(scene, ViewSettings(shadows=False, **values), size=SIZE).colours.scale
        masses = scene.field('mass').on('bodies')
        assert (drawn.low, drawn.high) == (masses[1:].min(), masses[1:].max()) and masses[0] > 2 * drawn.high
        image = image_of(scene, edges='none', **values)
        assert like(at(image, floor), grey) and not like(at(image, block), grey)
        image = image_of(scene, edges='none', colour_obstacles=True, **values)
        assert like(at(image, floor), table[-1]) and not like(at(image, block), grey)
        drawn = Drawing(scene, ViewSettings(colour_obstacles=True, **values), size=SIZE).colours.scale
        assert drawn.high == masses[0]
    assert not like(at(image_of(scene, edges='none', colour='kind'), floor), grey)  # categories are all bodies'


def test_an_obstacle_made_of_a_ball_is_grey(tmp_path):
    solfec = SOLFEC('DYNAMIC', 1E-3, str(tmp_path / 'balls'))
    stone = BULK_MATERIAL(solfec, density=2000)
    BODY(solfec, 'OBSTACLE', SPHERE((-0.6, 0, 1), 0.5, 1, 1), stone)
    BODY(solfec, 'RIGID', SPHERE((0.6, 0, 1), 0.5, 1, 1), stone)
    image = image_of(solfec, colour='mass', range=[0, 1], edges='none')
    assert like(at(image, (-0.6, 0, 1)), np.array(OBSTACLE))
    assert like(at(image, (0.6, 0, 1)), colour_table('viridis')[-1].astype(int))


def test_ranges(scene):
    def seen(**values):
        settings = ViewSettings(**{'colour': 'vz', 'shadows': False, **values})
        return Drawing(scene, settings, size=SIZE).colours.scale

    frame, run = seen(), seen(range='run')
    assert (run.low, run.high) != (frame.low, frame.high)
    other, all = Scene(scene.source), []
    for k in range(len(scene.times)):
        all += other.frame(k).field('vz').range(other.is_obstacle)
    assert (run.low, run.high) == (min(all), max(all))
    assert seen(hidden=['egg']).low > frame.low  # what falls is hidden
    scale = Scale(colour_table('viridis'), 1, 1000, logarithmic=True)
    assert scale.share([1, 10, 1000]) == pytest.approx([0, 1 / 3, 1])
    assert list(ticks(scale)) == pytest.approx([1, 10, 100, 1000])
    assert list(ticks(Scale(None, 0.13, 0.61))) == pytest.approx([0.2, 0.3, 0.4, 0.5, 0.6])
    assert list(scale.colours([np.nan])[0]) == [150, 150, 150]
    assert texts_of(1 + 1E-12 * np.arange(3)) == ['1', '1.000000000001', '1.000000000002']
    rounded = Scale(colour_table('viridis'), 1, 1 + 1E-15)  # one value
    assert (rounded.colours([1, 1 + 1E-15]) == colour_table('viridis')[128]).all()
    for one in (rounded, Scale(colour_table('viridis'), 0, 0)):
        assert len(Bar('', '', one).colours) == 1
    for name in ('label', 'body'):  # whole numbers have no ends, and no error either
        assert seen(colour=name, range='run') is None
    logarithmic = Drawing(scene, ViewSettings(colour='mass', logarithmic=True, range=[1, 1E4]), size=SIZE).colours.scale
    assert logarithmic.share([100]) == pytest.approx([0.5])
    with pytest.raises(ValueError, match='positive'):
        Drawing(scene, ViewSettings(colour='internal energy', logarithmic=True), size=SIZE)


def test_update_draws_what_a_new_drawing_would(results):
    scene = Scene(str(results))
    settings = ViewSettings(colour='speed', camera=AHEAD)
    drawing = Drawing(scene, settings, size=SIZE)
    first = drawing.image()
    scene.frame(-1)
    drawing.settings = settings.changed(hidden=['floor'], contacts='force', forces='arrows', cuts=[Cut((1, 0, 0), 1)],
                                        edges='elements', axes=True)
    drawing.update()
    assert np.array_equal(drawing.image(), Drawing(scene, drawing.settings, size=SIZE).image())
    scene.frame(0)
    drawing.settings = settings
    drawing.update()
    assert np.array_equal(drawing.image(), first)
    drawing.settings = settings.changed(hidden=['nobody'])
    with pytest.raises(ValueError):
        drawing.update()
    assert np.array_equal(drawing.image(), first)


def test_the_camera_sees_everything_and_comes_back(scene):
    for camera in (Camera(), Camera(parallel=False), Camera((-1, 2, -0.6), up=(0, 0, -1)), Camera((0, 0, -1))):
        drawing = Drawing(scene, ViewSettings(camera=camera, shadows=False, edges='none'), size=SIZE)
        image = drawing.image().astype(int)
        seen = np.argwhere(~is_white(image))
        assert seen.min() > 0 and (seen.max(axis=0) < (SIZE[1] - 1, SIZE[0] - 1)).all()
        assert np.ptp(seen, axis=0)[0] > 0.5 * SIZE[1] or np.ptp(seen, axis=0)[1] > 0.5 * SIZE[0]
        again = Drawing(scene, ViewSettings(camera=drawing.camera(), shadows=False, edges='none'), size=SIZE).image()
        assert np.abs(again.astype(int) - image).mean() < 0.1
    drawing.view_along((0, 1, 0))
    assert drawing.camera().towards == pytest.approx((0, 1, 0))


def test_shadows_and_occlusion_make_darker(scene):
    light = image_of(scene, edges='none', camera=Camera((0.2, 0.5, -1)))
    for name in ('shadows', 'ambient_occlusion'):
        dark = image_of(scene, edges='none', camera=Camera((0.2, 0.5, -1)), **{name: True})
        # Grey of the floor: some of it is darker, most stays.
        floor = (np.ptp(light, axis=-1) < 8) & ~is_white(light)
        change = (light - dark).mean(axis=-1)[floor]
        assert (change > 8).sum() > 60 and np.median(np.abs(change)) < 6, name


def test_scale_bar_axes_and_marks(scene):
    """One metre is 60 pixels here."""
    plain, image = image_of(scene, only=['egg']), image_of(scene, only=['egg'], scale_bar=True)
    dark = (image != plain).any(axis=-1) & (image.sum(axis=-1) < 500)
    longest = max(dark.sum(axis=1))
    assert longest == pytest.approx(60, abs=2)
    axes = image_of(scene, only=['egg'], axes=True)
    assert (axes[180:, :120] != plain[180:, :120]).any()
    drawing = Drawing(scene, ViewSettings(camera=AHEAD, shadows=False), size=SIZE)
    unmarked = drawing.image()
    drawing.highlight(bodies=[body(scene, 'block')], contacts=[0])
    marked = drawing.image()
    orange = like(marked.astype(int), np.array([242, 115, 13]))
    assert orange.sum() > 50 and not like(unmarked.astype(int), np.array([242, 115, 13])).any()
    drawing.highlight()
    assert np.array_equal(drawing.image(), unmarked)


def test_settings_are_saved_and_checked(tmp_path):
    settings = ViewSettings(colour='speed', range=[1, 2], hidden=['a'], cuts=[Cut((0, 0, 2), 1)],
                            camera=Camera((0, 1, 0)))
    settings.save(tmp_path / 'view.json')
    assert ViewSettings.load(tmp_path / 'view.json') == settings
    assert load_camera(tmp_path / 'view.json') == settings.camera
    (tmp_path / 'camera.json').write_text(json.dumps({'towards': [1, 0, 0]}))
    assert load_camera(tmp_path / 'camera.json') == Camera((1, 0, 0))
    assert Cut((0, 0, 2), 1) == Cut((0, 0, 1), 0.5)
    for text, message in (('{"color": 1}', "settings has no 'color'; there are: colour, "), ('{', 'view.json: '),
                          ('{"range": [2, 1]}', 'range must be a lower and a higher number'),
                          ('[]', 'must be an object'),
                          ('{"camera": {"zoom": 0}}', 'zoom must be positive'), ('{"cuts": [{"normal": [0,0,0], '
                          '"position": 1}]}', 'not all zero'), ('{"forces": "big"}', 'none, arrows, network'),
                          ('{"range": "frames"}', 'frame, run'), ('{"hidden": "floor"}', 'list of texts'),
                          ('{"cuts": [{"normal": [0,0,1]}]}', 'position'), ('{"opacity": 2}', '0 ... 1'),
                          ('{"camera": {"fit": 1}}', 'fit must be'), ('{"title": 1}', 'title must be a text')):
        (tmp_path / 'view.json').write_text(text)
        with pytest.raises(ValueError, match=message.replace('[', r'\[')) as error:
            ViewSettings.load(tmp_path / 'view.json')
        assert 'view.json' in str(error.value)


def test_command_draws_without_a_display(results, tmp_path):
    for display in ({}, {'DISPLAY': ':4711'}):
        done = subprocess.run([PYTHON, '-m', 'solfec.picture', str(results), 'a.png', '--time', '0.05',
                               '--size', '160x120',
                               '--towards', '-1,2,-0.6', '--cut', '-x,-0.1', '--hide-obstacles', '--colour', 'speed'],
                              cwd=tmp_path, text=True, capture_output=True,
                              env={name: value for name, value in os.environ.items() if name != 'DISPLAY'} | display)
        assert (done.returncode, done.stderr) == (0, '')
        assert done.stdout == 'a.png: time 0.05 s, 3 bodies\n'
    from matplotlib.image import imread
    image = imread(str(tmp_path / 'a.png'))
    assert image.shape[:2] == (120, 160) and (image[..., :3] < 0.9).any()


def test_a_display_that_ends_before_it_is_used(tmp_path):
    """As when another program has looked at it, and was its last client."""
    (tmp_path / 'Xvfb').write_text(f"""#!/bin/sh
cd {tmp_path}
if [ -e first ]; then exec {shutil.which('Xvfb')} "$@"; fi
touch first
echo 4712 >&$2
""")
    (tmp_path / 'Xvfb').chmod(0o755)
    code = ('import os; from solfec.rendering.display import require_display; require_display(); '
            'print(os.environ["DISPLAY"])')
    environment = {name: value for name, value in os.environ.items() if name != 'DISPLAY'}
    done = subprocess.run([PYTHON, '-c', code], text=True, capture_output=True,
                          env=environment | {'PATH': f'{tmp_path}:{environment["PATH"]}'})
    assert (done.returncode, done.stderr) == (0, '') and (tmp_path / 'first').exists()
    assert done.stdout[0] == ':' and done.stdout != ':4712\n'


def test_missing_vtk_is_told(results, tmp_path):
    code = "import sys; sys.modules['vtkmodules'] = None; from solfec.picture import main; sys.exit(main(sys.argv[1:]))"
    done = subprocess.run([PYTHON, '-c', code, str(results), 'a.png'], cwd=tmp_path, text=True, capture_output=True)
    assert done.returncode == 2 and done.stdout == '' and not (tmp_path / 'a.png').exists()
    assert done.stderr.count('\n') == 1 and './bootstrap.sh view' in done.stderr and 'python3-vtk9' in done.stderr


def test_film(results, tmp_path, monkeypatch, capsys):
    path = tmp_path / 'film.mp4'
    words = [str(results), '--film', str(path), '--from', '0.02', '--to', '0.07', '--every', '2', '--fps', '5',
             '--size', '161x120']
    assert main(words) == 0
    assert capsys.readouterr().out == f'{path}: 3 frames, 0.6 s\n'
    done = subprocess.run(['ffprobe', '-v', 'error', '-count_frames', '-show_entries',
                           'stream=width,height,nb_read_frames', '-of', 'csv=p=0', path],
                          capture_output=True, text=True)
    assert done.stdout.strip() == '162,120,3'
    monkeypatch.setenv('PATH', str(tmp_path))
    path.unlink()
    assert main(words) == 2
    assert 'apt-get install ffmpeg' in capsys.readouterr().err and not list(tmp_path.iterdir())


@pytest.mark.parametrize('ffmpeg, said', [
    ('exec 0<&-; sleep 0.2; echo no >&2; exit 1', 'ffmpeg failed: no'),
    # As on a full disk: half of a file, and all well.
    ('cat > /dev/null; for last; do :; done; '
     'printf "\\0\\0\\0\\10ftyp\\0\\0\\2\\0mdat" > "$last"', 'is the disk full')])
def test_films_that_fail_leave_nothing(results, tmp_path, ffmpeg, said):
    program = tmp_path / 'bin' / 'ffmpeg'
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\n{ffmpeg}\n')
    program.chmod(0o755)
    film = tmp_path / 'film.mp4'
    film.write_text('an earlier one')
    words = [PYTHON, '-m', 'solfec', 'picture', str(results), '--film', str(film), '--size', '320x240']
    done = subprocess.run(words, env={**os.environ, 'PATH': f'{program.parent}:{os.environ["PATH"]}'}, text=True,
                          capture_output=True)
    assert done.returncode == 2 and said in done.stderr and done.stderr.count('\n') == 1, done.stderr
    assert film.read_text() == 'an earlier one' and sorted(f.name for f in tmp_path.iterdir()) == ['bin', 'film.mp4']


@pytest.mark.parametrize('words, message', [
    (['a.jpg'], "PICTURE.png: expected a file *.png; got 'a.jpg'"),
    ([], 'expected a file PICTURE.png'),
    (['no/a.png'], 'folder that exists'),
    (['a.png', '--hide', 'bull'], "--hide: no body has the label 'bull'; there are: ball"),
    (['a.png', '--see-through', 'id:9'], '--see-through: no body has the identifier 9'),
    (['a.png', '--colour', 'sped'], "--colour: unknown field 'sped'; there are: "),
    (['a.png', '--map', 'rainbow'], "--map: unknown colour map 'rainbow'; there are: viridis"),
    (['a.png', '--contacts', 'size'], "--contacts: unknown figure of contacts 'size'; there are: force"),
    (['a.png', '--towards', '0,0,0'], "--towards: expected three numbers X,Y,Z, not all zero; got '0,0,0'"),
    (['a.png', '--towards', '1,nan,0'], '--towards: expected three numbers'),
    (['a.png', '--up', '1,2,-1'], '--up: expected a direction'),
    (['a.png', '--size', 'large'], '--size: expected WIDTHxHEIGHT'),
    (['a.png', '--size', '1x2x3'], '--size: expected WIDTHxHEIGHT'),
    (['a.png', '--range', '2,1'], '--range: expected'),
    (['a.png', '--log', '--range', '-1,1'], '--range'),
    (['a.png', '--cut', 'w,1'], "--cut: expected x,D"),
    (['a.png', '--frame', '11'], '--frame: expected a number in -11 ... 10; got 11'),
    (['a.png', '--zoom', '0'], '--zoom: expected'),
    (['a.png', '--time', '1', '--frame', '1'], 'not allowed with'),
    (['a.png', '--time', 'now'], '--time: expected a number'),
    (['a.png', '--fps', '3'], '--fps: is of films'),
    (['--film', 'a.avi'], '--film: expected a file *.mp4'),
    (['--film', 'a.mp4', '--from', '2', '--to', '1'], '--to: expected a time'),
    (['a.png', '--look-at', 'bull'], '--look-at: no body'),
    (['a.png', '--fit', 'bull'], '--fit: no body'),
    (['a.png', '--scale-bar', '--perspective'], '--scale-bar: is of parallel rays'),
    (['a.png', '--text-size', '0'], '--text-size: expected'),
    (['a.png', '--text-size', '11'], 'text_scale must be'),
    (['a.png', '--magnify', 'much'], '--magnify: expected a number'),
    (['a.png', '--camera', 'no.json'], '--camera'),
    (['a.png', '--background', 'pink'], '--background: a colour must be'),
    (['a.png', '--forces', 'big'], '--forces'),
    (['/proc/a.png'], 'PICTURE.png: /proc/a.png cannot be written'),
    (['--film', '/proc/a.mp4'], '--film: /proc/a.mp4 cannot be written'),
    (['--film', 'a.mp4', '--from', '7'], 'there is no frame from 7 s; results')])
def test_errors_are_one_line(results, tmp_path, monkeypatch, capsys, words, message):
    monkeypatch.chdir(tmp_path)
    assert main([str(results), *words]) == 2
    printed = capsys.readouterr()
    assert message in printed.err and printed.err.count('\n') == 1 and printed.out == ''
    assert not list(tmp_path.iterdir())


def test_options_reach_the_picture(results, tmp_path, monkeypatch):
    """Each option of what is drawn changes pixels."""
    monkeypatch.chdir(tmp_path)
    from matplotlib.image import imread

    def pixels(*words):
        assert main([str(results), 'a.png', '--size', '200x150', *words]) == 0
        return imread('a.png')[..., :3].copy()

    plain, field = pixels(), pixels('--colour', 'speed')
    for base, base_words, options in (
            (plain, (), ('--perspective', '--zoom 2', '--fit egg', '--title T', '--show-time', '--magnify 2',
                         '--look-at egg', '--look-at 1,1,1', '--up 1,0,0', '--forces',
                         '--forces network', '--contacts state', '--vectors velocity', '--hide ball', '--only ball',
                         '--see-through block', '--axes', '--scale-bar', '--background dark', '--no-shadows',
                         '--ambient-occlusion', '--edges none', '--frame 0',
                         '--cut 1,1,0,0', '--colour kind')),
            (field, ('--colour', 'speed'), ('--map plasma', '--range 0,9', '--range run', '--no-legend', '--log',
                                           '--text-size 1.5'))):
        for option in options:
            assert not np.array_equal(pixels(*base_words, *option.split()), base), option
    ViewSettings(colour='speed').save('view.json')
    assert np.array_equal(pixels('--settings', 'view.json'), field)
    ViewSettings(camera=AHEAD).save('camera.json')
    assert np.array_equal(pixels('--camera', 'camera.json'), pixels('--settings', 'camera.json'))


def test_the_light_reaches_all_sides_that_are_seen():
    """Seen as by default, a box shows its top and two sides: none of them may be in shade."""
    right, up, away = cameras.axes(Camera().towards)
    light = light_direction(np.array([right, up, -away]))
    cosines = [np.array([right, up, -away]) @ normal @ light for normal in ((-1, 0, 0), (0, -1, 0), (0, 0, 1))]
    assert min(cosines) > 0.2 and np.ptp(cosines) > 0.4  # and they differ


def test_occlusion_leaves_flat_faces_alone(tmp_path):
    """Also those of a floor that is large against the bodies on it."""
    solfec = SOLFEC('DYNAMIC', 1E-3, str(tmp_path / 'plain'))
    solfec.verbose = 'OFF'
    stone = BULK_MATERIAL(solfec)
    BODY(solfec, 'OBSTACLE', BOX((0, 0, -0.1), (20, 20, 0.2)), stone, label='floor')
    for k in range(3):
        BODY(solfec, 'RIGID', SPHERE((k, 0, 0.05), 0.05), stone)
    values = dict(only=['floor'], edges='none', camera=Camera())
    plain, dark = (image_of(Scene(solfec), ambient_occlusion=on, **values) for on in (False, True))
    inside = ~is_white(plain)
    inside[1:-1, 1:-1] &= inside[2:, 1:-1] & inside[:-2, 1:-1] & inside[1:-1, 2:] & inside[1:-1, :-2]
    changed = np.abs(plain - dark).max(axis=-1)[inside] > 6
    assert changed.mean() < 0.05


def test_legends_have_short_numbers_and_both_ends():
    for value, unit, text in ((1654.3, 'N', '1.65 kN'), (2.11E8, 'Pa', '211 MPa'), (0.5, 'N', '0.5 N'),
                              (999, 'J', '999 J'), (0.00275, 'm', '2.75 mm'), (12, 'm', '12 m'), (0, 'N', '0 N'),
                              (3E4, 'kg', '3e4 kg'), (2E-7, 'Pa', '2e-7 Pa')):
        assert quantity(value, unit) == text
    assert prefixed('Pa', 1E6) == (1E6, 'MPa') and prefixed('m', 1E-9) == (1E-6, 'µm')
    bar = Bar('stress', 'Pa', Scale(colour_table('viridis'), 2.2E5, 2.113E8))
    assert (bar.title, bar.texts) == ('stress [MPa]', ['50', '100', '150', '0.22', '211'])
    assert list(bar.values) == pytest.approx([5E7, 1E8, 1.5E8, 2.2E5, 2.113E8])
    assert Bar('speed', 'm/s', Scale(colour_table('viridis'), 0, 3)).texts[-2:] == ['0', '3']
    assert Bar('speed', 'm/s', Scale(colour_table('viridis'), 1.72E-6, 3)).texts[-2:] == ['0', '3']
    assert Bar('speed', 'm/s', Scale(colour_table('viridis'), 1.72E-6, 3, True)).texts[-2:] == ['1.72e-6', '3']
    assert Bar('stress', 'Pa', Scale(colour_table('viridis'), 1, 1E6, True)).title == 'stress [Pa]'
    one = Bar('mass', 'kg', Scale(colour_table('viridis'), 2, 2))
    assert (one.texts, list(one.values)) == (['2'], [2])


@pytest.fixture(scope='module')
def held(tmp_path_factory):
    """A ball that hangs, without contacts, and a beam that is clamped and bends."""
    solfec = SOLFEC('DYNAMIC', 1E-3, str(tmp_path_factory.mktemp('held') / 'held'))
    solfec.verbose = 'OFF'
    GRAVITY(solfec, (0, 0, -10))
    soft = BULK_MATERIAL(solfec, young=1E7, density=1000)
    FIX_POINT(BODY(solfec, 'RIGID', SPHERE((0, 0, 1), 0.2), soft, label='ball'), (0, 0, 1.5))
    corners = [-1.5, -0.1, 2, 1.5, -0.1, 2, 1.5, 0.1, 2, -1.5, 0.1, 2,
               -1.5, -0.1, 2.2, 1.5, -0.1, 2.2, 1.5, 0.1, 2.2, -1.5, 0.1, 2.2]
    beam = BODY(solfec, 'FINITE_ELEMENT', HEX(corners, 6, 1, 1), soft, label='beam', form='BC')
    beam.scheme = 'DEF_LIM'
    for y in (-0.1, 0.1):
        for z in (2, 2.2):
            FIX_POINT(beam, (-1.5, y, z))
    RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-8, 1000), 0.1)
    return Scene(solfec)


def test_forces_of_joints_are_drawn(held):
    """The joint of the ball is above it, and pulls upwards."""
    for forces, z in (('arrows', 1.7), ('network', 1.3)):
        image = image_of(held, forces=forces, only=['ball'], force_scale=6 if forces == 'arrows' else 1)
        assert like(at(image, (0, 0, z)), JOINT_COLOUR), forces
        assert not like(at(image, (0, 0, 0.9)), JOINT_COLOUR), forces
    drawing = Drawing(held, ViewSettings(forces='arrows', only=['ball']), size=SIZE)
    assert drawing.contacts.largest == pytest.approx(10 * 4 / 3 * np.pi * 0.2**3 * 1000, rel=0.01)
    names, note = drawing._blocks()
    assert names.names == ['joint'] and note.text.startswith('longest arrow: ')


def test_figures_of_contacts_have_no_legend_without_contacts(held):
    assert Drawing(held, ViewSettings(contacts='force'), size=SIZE)._blocks() == []


def test_displacements_of_finite_elements_are_magnified(held):
    def lowest(image):
        return np.nonzero(~is_white(image[:, 240:]))[0].max()  # of the free end

    at_rest, plain, magnified = (lowest(image_of(held, only=['beam'], magnify=factor)) for factor in (0, 1, 3))
    assert plain > at_rest + 2
    assert magnified - at_rest == pytest.approx(3 * (plain - at_rest), abs=3)
    assert np.array_equal(*(image_of(held, only=['ball'], magnify=factor) for factor in (1, 9)))


def test_what_is_fitted_fills_the_picture(scene):
    """As if it were all there is; texts have room beside it."""
    for parallel in (True, False):
        fitted, alone = (ViewSettings(camera=Camera(parallel=parallel, fit='egg')),
                         ViewSettings(camera=Camera(parallel=parallel), only=['egg']))
        assert Drawing(scene, fitted, size=SIZE).camera() == Drawing(scene, alone, size=SIZE).camera()
    letter = 10
    tall = Camera(towards=(0, 1, 0), fit='ball')
    plain, text = (image_of(scene, only=['ball'], camera=tall, edges='none', title=title, scale_bar=bar)
                   for title, bar in (('', False), ('T', True)))
    rows = [np.flatnonzero(is_reddish(image).any(axis=1) & ~is_white(image).all(axis=1)) for image in (plain, text)]
    assert rows[0].min() < letter and rows[1].min() >= 2.5 * letter and rows[1].max() < SIZE[1] - 4 * letter
    drawing = Drawing(scene, ViewSettings(), size=SIZE)
    drawing.settings = ViewSettings(camera=Camera(fit='bull'))
    with pytest.raises(ValueError, match="no body has the label 'bull'"):
        drawing.update()


def test_the_header_tells_title_and_time(scene):
    drawing = Drawing(scene, ViewSettings(title='A wall', time=True), size=SIZE)
    assert drawing._header() == ['A wall', 't = 0.1 s']
    plain, image = (image_of(scene, **values) for values in ({}, {'time': True}))
    changed = np.argwhere((plain != image).any(axis=-1))
    assert len(changed) and (changed.max(axis=0) < (40, 120)).all()


def test_edges_of_small_bodies_are_faint(scene):
    """A block of 0.8 m whose side is 48, and 3.2 pixels."""
    darkest = []
    for scale in (2, 30):
        camera = Camera(towards=(0, 1, 0), position=(0, -10, 0.4), focal_point=(0, 0, 0.4), parallel_scale=scale)
        image, bare = (image_of(scene, only=['block'], camera=camera, edges=edges) for edges in ('surface', 'none'))
        darkest.append((bare - image).max())
    assert darkest[0] > 60 and darkest[1] == 0


def test_finite_elements_have_vectors_all_over(held):
    """The free end of a clamped beam moves most, the clamped end not at all."""
    plain, arrows = (image_of(held, only=['beam'], vectors=name, edges='none') for name in (None, 'displacement'))
    changed = np.argwhere((plain != arrows).any(axis=-1))[:, 1]
    assert changed.max() > 235 and np.unique(changed).size > 20  # the beam is from 70 to 250
    assert (changed > 160).sum() > 2 * (changed < 160).sum() and changed.min() > 80


@pytest.mark.parametrize('kind', ['RIGID', 'PSEUDO_RIGID', 'FINITE_ELEMENT'])
def test_the_undeformed_shape_is_drawn_where_it_was(tmp_path, kind):
    """A cube that has moved by 1.5 m along x: its edges before, if it deforms. The picture has room for both."""
    solfec = SOLFEC('DYNAMIC', 1E-2, str(tmp_path / 'cube'))
    solfec.verbose = 'OFF'
    soft = BULK_MATERIAL(solfec, young=1E6, density=1000)
    corners = [(x, y, z) for z in (0.5, 1.5) for x, y in ((-1, -0.5), (0, -0.5), (0, 0.5), (-1, 0.5))]
    body = BODY(solfec, kind, HEX(corners, 2, 2, 2, 1, [1, 1, 1, 1, 1, 1]), soft)
    INITIAL_VELOCITY(body, (1.5, 0, 0), (0, 0, 0))
    RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-8, 1000), 1)
    scene = Scene(solfec)
    assert scene.center[0] == pytest.approx((1, 0, 1), abs=2E-3)
    plain, outlined = (image_of(scene, undeformed=on) for on in (False, True))
    changed = np.argwhere((plain != outlined).any(axis=-1))
    whole = Camera((0, 1, 0))
    seen = [np.ptp(np.flatnonzero((~is_white(image_of(scene, undeformed=on, camera=whole))).any(axis=0)))
            for on in (False, True)]
    if kind == 'RIGID':
        assert not len(changed) and seen[0] == seen[1]
        return
    left, top = pixel_of((-1, 0, 1.5))
    expected = top, left, top + 60, left + 60
    assert [*changed.min(axis=0), *(changed.max(axis=0) + 1)] == pytest.approx(expected, abs=1)
    inner = outlined[int(top) + 3:int(top) + 57, int(left) + 3:int(left) + 57]
    assert is_white(inner).all()  # edges of elements are no edges of the shape
    assert np.ptp(outlined[changed[:, 0], changed[:, 1]], axis=-1).max() < 8  # grey
    assert seen[1] > 0.9 * SIZE[0] > 1.2 * seen[0]
    settings = ViewSettings(undeformed=True)
    assert [block.text for block in Drawing(scene, settings, size=SIZE)._blocks()] == ['undeformed shape']
    assert main([solfec.outpath, str(tmp_path / 'a.png'), '--undeformed', '--size', '%dx%d' % SIZE]) == 0
    from matplotlib.image import imread
    assert np.array_equal(np.round(255 * imread(tmp_path / 'a.png')[..., :3]), picture(scene, settings, size=SIZE))


@pytest.fixture(scope='module')
def jointed(tmp_path_factory):
    """Boxes of 0.4 m, each with another joint at the middle of its upper side, at z = 1."""
    solfec = SOLFEC('DYNAMIC', 1E-3, str(tmp_path_factory.mktemp('jointed') / 'jointed'))
    solfec.verbose = 'OFF'
    SURFACE_MATERIAL(solfec)
    steel = BULK_MATERIAL(solfec, density=2000)
    places = dict(pin=-2, direction=-1.2, motion=-0.4, motions=0.4, link=1.2, spring=2)
    boxes = {name: BODY(solfec, 'RIGID', BOX((x, 0, 0.8), (0.4, 0.4, 0.4)), steel, label=name)
             for name, x in places.items()}
    point = {name: (x, 0, 1) for name, x in places.items()}
    above = {name: (x, 0, 2) for name, x in places.items()}
    FIX_POINT(boxes['pin'], point['pin'])
    FIX_DIRECTION(boxes['direction'], point['direction'], (1, 0, 0))
    SET_VELOCITY(boxes['motion'], point['motion'], (0, 0, 1), 0)
    SET_VELOCITY3(boxes['motions'], point['motions'], (0, 1, 0, 0, 0, 1, 1, 0, 0), (0, 0, 0))  # along z, x and y
    PUT_RIGID_LINK(boxes['link'], None, point['link'], above['link'])
    PUT_SPRING(boxes['spring'], point['spring'], None, above['spring'], lambda stroke, velocity: 0, None)
    RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-8, 1000), 0.01)
    return Scene(solfec.outpath).frame(-1)


def test_joints_have_signs(jointed):
    """Seen along y with 120 pixels a metre. Signs are as large as 0.007 of the diagonal of the model."""
    size = 640, 480
    settings = ViewSettings(camera=AHEAD, shadows=False, legend=False, edges='none')
    plain, image = (picture(jointed, settings.changed(joints=on), size=size).astype(int) for on in (False, True))
    radius = 0.007 * np.linalg.norm([4.4, 0.4, 0.4])

    def is_sign(x, across, up):
        """At a distance from the point of a box, in radii."""
        column, row = pixel_of((x + across * radius, 0, 1 + up * radius), size)
        return bool(like(image[int(row), int(column)], JOINT_SIGN_COLOUR))

    assert not like(plain, JOINT_SIGN_COLOUR).any()
    for x, signs, none in (
            (-2, [(0, 0), (0.7, 0), (0, 0.7)], [(1.4, 0), (0, 1.4), (0, -1.4)]),                      # a ball
            (-1.2, [(1.5, 0), (-1.5, 0), (2.2, 0.6), (-2.2, -0.6)], [(0, 1), (0.5, 0.8), (3.2, 0)]),  # cones along x
            (-0.4, [(0, 2), (0, 5), (0, 5.6), (0.6, 4.3)], [(0, -2), (2, 0), (0, 7)]),                # an arrow upwards
            (0.4, [(0, 5), (5, 0)], [(0, -2), (-2, 0)]),                                              # three arrows
            (1.2, [(0, 0), (0, 0.5 / radius), (0, 1 / radius)], [(1, 0.5 / radius), (0, -1.2)])):  # a bar
        assert all(is_sign(x, *place) for place in signs), (x, [is_sign(x, *place) for place in signs])
        assert not any(is_sign(x, *place) for place in none), (x, [is_sign(x, *place) for place in none])
    column, row = (int(k) for k in pixel_of((2, 0, 1.5), size))
    coil = like(image[row - 40:row + 40, column - 20:column + 20], JOINT_SIGN_COLOUR)
    sides = np.flatnonzero(coil.any(axis=0)) - 20
    assert (sides.min(), sides.max()) == pytest.approx((-1.62 * radius * 120, 1.62 * radius * 120), abs=2)
    assert coil.any(axis=1).mean() > 0.9 and coil.mean() < 0.25  # it is nowhere interrupted, and mostly air
    ends = jointed.joints.second_point[jointed.joints.point[:, 0] > 1]
    assert ends == pytest.approx(np.array([(1.2, 0, 2), (2, 0, 2)]))


def test_joints_are_picked_where_their_signs_are(jointed):
    """Links and springs all along; without signs there is the body."""
    drawing = Drawing(jointed, ViewSettings(joints=True, camera=AHEAD, shadows=False), size=SIZE)

    def picked(point):
        column, row = pixel_of(point)
        return drawing.pick(column + 1, SIZE[1] - row)

    kinds = []
    for number, kind in enumerate(jointed.joints.kind):
        point, second = jointed.joints.point[number], jointed.joints.second_point[number]
        shares = (0, 0.3, 0.77, 1) if CONSTRAINT_KINDS[kind] in ('RIGLNK', 'SPRING') else (0,)
        for share in shares:
            assert picked((1 - share) * point + share * second) == ('joint', number), (number, share)
        kinds.append(CONSTRAINT_KINDS[kind])
    assert sorted(kinds) == ['FIXDIR', 'FIXPNT', 'RIGLNK', 'SPRING', 'VELODIR', 'VELODIR3']
    # All of an arrow, and nothing of what a cut removes
    radius = drawing.joints.lines.radius[0]
    pin, moved = (int(np.flatnonzero(jointed.joints.kind == CONSTRAINT_KINDS.index(kind))[0])
                  for kind in ('FIXPNT', 'VELODIR'))
    pinned = jointed.joints.point[pin]
    assert picked(jointed.joints.point[moved] + (0, 0, 6 * radius)) == ('joint', moved)
    assert picked(jointed.joints.point[moved] - (0, 0, 6 * radius))[0] == 'body'
    assert picked(pinned - (0, 0, 0.25))[0] == 'body'
    assert picked(pinned - (0, 0, 0.07)) == ('joint', pin)
    drawing.settings.cuts = [Cut((0, 0, 1), 0.95)]
    drawing.update()
    assert picked(pinned - (0, 0, 0.07))[0] == 'body'
    drawing.settings.cuts, drawing.settings.joints = [], False
    drawing.update()
    assert picked(pinned - (0, 0, 0.02))[0] == 'body'


def test_the_legend_explains_signs_of_joints(jointed):
    def entries(**values):
        return [block.names for block in Drawing(jointed, ViewSettings(**values), size=SIZE)._blocks()]

    assert entries(joints=True) == [['pinned point', 'fixed direction', 'prescribed motion', 'rigid link', 'spring']]
    assert entries(joints=True, only=['spring', 'pin']) == [['pinned point', 'spring']]
    assert entries() == entries(joints=True, hidden=['.*']) == []
    assert set(joints.NAMES.values()) == set(legend.SYMBOLS)
    image = image_of(jointed, joints=True, legend=True, only=['pin', 'direction', 'motion'])
    rows = np.flatnonzero(like(image[:, 180:], JOINT_SIGN_COLOUR).any(axis=1))  # beside the bodies
    assert len(rows) > 12 and np.ptp(rows) == pytest.approx(2 * 15 + 6, abs=3)  # three lines, of 1.5 letters each


def test_the_option_of_joints(jointed, tmp_path):
    path = str(tmp_path / 'a.png')
    assert main([jointed.source.directory, path, '--joints', '--size', '%dx%d' % SIZE]) == 0
    from matplotlib.image import imread
    image = np.round(255 * imread(path)[..., :3])
    assert np.array_equal(image, picture(jointed, joints=True, size=SIZE))


def test_signs_of_joints_are_in_the_picture(jointed):
    """The far end of a link too, which is no part of a body."""
    for parallel in True, False:
        camera = Camera((0, 1, -0.3), parallel=parallel)
        plain, image = (image_of(jointed, joints=on, camera=camera, only=['link']) for on in (False, True))
        rows, columns = np.nonzero(np.ptp(image, axis=-1) > 40)
        assert rows.min() > 0 and np.ptp(rows) > 0.8 * SIZE[1]
        assert np.ptp(np.flatnonzero((~is_white(plain)).any(axis=0))) > 1.5 * np.ptp(columns)  # it takes room


def test_arrows_are_in_the_picture(held):
    """That of the joint above the ball is longer than the ball."""
    image = image_of(held, forces='arrows', only=['ball'], force_scale=20, camera=Camera((0, 1, 0)))
    rows = np.flatnonzero(like(image, JOINT_COLOUR).any(axis=1))
    assert rows.min() > 0 and np.ptp(rows) > 0.5 * SIZE[1]


def test_what_is_looked_at_is_beside_the_legend(scene):
    ball = body(scene, 'ball')
    for parallel in True, False:
        camera = Camera((0, 1, 0), focal_point=tuple(scene.center[ball]), parallel=parallel)
        values = dict(camera=camera, only=['ball', 'egg'], edges='none', colour='label', legend=True)
        drawing = Drawing(scene, ViewSettings(shadows=False, **values), size=SIZE)
        room = SIZE[0] - legend.width_of(drawing._blocks()) * 10
        image = image_of(scene, **values)
        colour = category_colours(np.arange(4))[0]
        rows, columns = np.nonzero(like(image[:, :int(room)], colour))
        assert (columns.min() + columns.max() + 1) / 2 == pytest.approx(room / 2, abs=1.5)
        assert (rows.min() + rows.max() + 1) / 2 == pytest.approx(SIZE[1] / 2, abs=1.5)
        assert is_white(image[:, int(room) - 5:int(room) + 3]).all()  # the egg is beside the legend


def test_axes_have_room(scene):
    """Where bodies would be in their corner they are above it; where the corner is free, no room is given away."""
    def lowest(width):
        """Row of the lower end of the ball, which fills the height."""
        settings = ViewSettings(camera=Camera((0, 1, 0)), only=['ball'], axes=True, edges='none', shadows=False,
                                legend=False)
        image = picture(scene, settings, size=(width, 240)).astype(int)
        return np.flatnonzero(is_reddish(image[:, 100:]).any(axis=1) & ~is_white(image[:, 100:]).all(axis=1)).max()

    letter = 10
    assert 240 - 10.5 * letter < lowest(320) < 240 - 9.2 * letter
    assert 240 - 6 * letter < lowest(640) < 240 - 4.5 * letter


def test_bars_are_lower_where_there_is_little_room(scene):
    """24 letters: without the two entries of forces the bar would have 20, and with them 11.2."""
    image = image_of(scene, colour='speed', forces='arrows', legend=True, edges='none', only=['ball'], range=[0, 1])
    blue = like(image[:, 200:], STATE_COLOURS[1])
    assert blue.sum() > 20  # the category of sticking contacts
    table = colour_table('viridis').astype(int)
    rows = [np.flatnonzero((np.abs(image[:, 200:] - table[k]).max(axis=-1) <= 3).any(axis=1)).mean() for k in (20, 230)]
    assert rows[0] - rows[1] == pytest.approx(210 / 256 * 112, abs=3)


@pytest.fixture(scope='module')
def prisms(tmp_path_factory):
    """Prisms with 24 and with 8 sides, which turn about y."""
    solfec = SOLFEC('DYNAMIC', 1E-3, str(tmp_path_factory.mktemp('prisms') / 'prisms'))
    steel = BULK_MATERIAL(solfec, density=2000)
    for label, x, sides in ('round', -1.1, 24), ('flat', 1.1, 8):
        body = BODY(solfec, 'RIGID', CYLINDER((x, 0, 0), (0, 0, 2), 1, sides), steel, label=label)
        INITIAL_VELOCITY(body, (0, 0, 0), (0, 2, 0))
    return Scene(solfec)


def test_light_is_smooth_where_faces_meet_at_shallow_angles(prisms):
    """As on a round cylinder; other faces are flat, and so are all in the window, where pictures follow one another."""
    image = image_of(prisms, edges='none')
    away = cameras.axes((0, 1, 0))
    light = light_direction(away * [[1], [1], [-1]]) @ (away * [[1], [1], [-1]])

    def expected(x):
        """Light on a cylinder of radius 1 at a distance from its axis in the picture: from all sides, and from one."""
        return 0.5 + 0.5 * max(0, np.dot((x, -np.sqrt(1 - x * x), 0), light))

    middle = at(image, (-1.1, 0, 1))
    for x in np.linspace(-0.85, 0.85, 18):
        assert at(image, (-1.1 + x, 0, 1)) == pytest.approx(middle * expected(x) / expected(0), abs=2.5), x
    row = int(pixel_of((0, 0, 1))[1])
    steps = [len(np.unique(image[row, int(pixel_of((x - 0.9, 0, 1))[0]):int(pixel_of((x + 0.9, 0, 1))[0])], axis=0))
             for x in (-1.1, 1.1)]
    assert steps[0] > 35 and steps[1] < 10
    assert len(np.unique(image[int(pixel_of((0, 0, 1.9))[1]):row, int(pixel_of((-1.3, 0, 1))[0])], axis=0)) == 1
    assert Drawing(prisms, size=SIZE, sampling=1).solid[0].smooth is None


def test_smooth_faces_have_the_colours_of_their_points(prisms):
    table = colour_table('viridis').astype(int)
    for cuts in [], [Cut((0, 0, 1), 1.9)]:
        image = image_of(prisms, colour='vx', range=[-2.5, 2.5], edges='none', cuts=cuts)
        for x in -1.7, -1.1, -0.4, 1.1:
            for z in 0.1, 0.5, 1.3, 1.8:
                assert like(at(image, (x, 0, z)), table[int((2 * (z - 1) / 5 + 0.5) * 256)]), (x, z)


def test_smooth_faces_come_and_go(prisms):
    for colour in 'plain', 'vx':
        settings = ViewSettings(colour=colour, shadows=False)
        drawing = Drawing(prisms, settings.changed(hidden=['round']), size=SIZE)
        first = drawing.image()
        for one, expected in (settings, None), (settings.changed(hidden=['round']), first):
            drawing.settings = one
            drawing.update()
            drawing.reset_camera()
            new = Drawing(prisms, one, size=SIZE).image() if expected is None else expected
            assert np.array_equal(drawing.image(), new)
