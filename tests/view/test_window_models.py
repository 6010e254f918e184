"""The tasks of docs/viewing/tasks: their commands and steps, and whether the window then shows what the results say."""

import os
import re
import subprocess

import numpy as np
import pytest
import window_support
from window_support import figures, use_own_display
from window_tasks import PAGES, TASKS, make_results, open_results, plot

from solfec.colours import colour_table
from solfec.histories import history
from solfec.results import Results, frame_at
from solfec.scene import Scene

STICKING, SLIDING, JOINT, MARK = (52, 104, 176), (205, 64, 50), (62, 64, 70), (242, 115, 13)
KEY = 'body1', 'body2', 'feature1', 'feature2', 'number'  # of a contact, from frame to frame
CURVE = 31, 105, 175


@pytest.fixture(scope='module')
def application(tmp_path_factory):
    use_own_display(tmp_path_factory.mktemp('user'))
    return window_support.application()


@pytest.fixture
def opened(application):
    """A function of a directory of results: the Hand of a window on them, which is closed after the test."""
    hands = []

    def opened(directory):
        hands.append(open_results(directory))
        return hands[-1]
    yield opened
    for hand in hands:
        hand.close()


@pytest.fixture
def work(opened, tmp_path):
    """A function of the name of a page: makes the results, does the steps; returns the Hand and the directory."""
    def work(name):
        directory = make_results(name, tmp_path)
        hand = opened(directory)
        TASKS[name](hand)
        return hand, directory
    return work


MODEL = """from solfec import *
s = SOLFEC('DYNAMIC', 1E-3, 'out')
m = BULK_MATERIAL(s, density=1000, label='m')
SURFACE_MATERIAL(s, friction=0.5)
"""


@pytest.fixture
def of_script(opened, tmp_path):
    """A function of a script: runs it; returns the Hand of a window on its results and their directory."""
    def of_script(script):
        (tmp_path / 'script.py').write_text(script)
        subprocess.run([os.environ['SOLFEC_PROGRAM'], 'script.py'], cwd=tmp_path, check=True, stdout=subprocess.DEVNULL)
        return opened(str(tmp_path / 'out')), str(tmp_path / 'out')
    return of_script


def near(pixels, colour, within=40):
    return np.abs(pixels - colour).max(axis=-1) < within


def is_mark(pixels):
    """Where there is the colour of marks, also in the shade."""
    red, green, blue = pixels[..., 0], pixels[..., 1], pixels[..., 2]
    return (red > 1.7 * green) & (green > 2.5 * blue) & (red > 50)


def numbers(text):
    return [float(x) for x in text.split(',')]


def contacts_of(directory, time):
    """Columns of the contacts in the last frame not after a time, as stored."""
    results = Results(directory)
    all = results.arrays(frame_at(results.times, time)).constraints
    return {name: np.array(all[name])[np.array(all['kind']) == 0] for name in (*KEY, 'R', 'point', 'friction')}


def assert_curve(hand, times, values):
    """The plot of the panel Inspect has its curve where values are, and its mark at the time that is shown."""
    hand.until(lambda: hand.window.inspector.history.done)
    widget = hand.window.inspector.plot
    pixels, area = hand.pixels(widget), widget._area()
    margin = 0.05 * (values.max() - values.min())
    low, high = values.min() - margin, values.max() + margin
    column = np.round(area.left() + (times - times[0]) / (times[-1] - times[0]) * area.width()).astype(int)
    row = np.round(area.bottom() - (values - low) / (high - low) * area.height()).astype(int)
    now = hand.window.session.scene.time
    for k in np.linspace(1, len(times) - 2, 25).astype(int):
        if abs(times[k] - now) > 0.02 * times[-1]:
            there = pixels[row[k] - 2:row[k] + 3, column[k] - 1:column[k] + 2]
            assert near(there, CURVE, 60).any(), (times[k], values[k])
    curve = near(pixels, CURVE, 25)
    assert curve.sum() < 8 * (area.width() + np.abs(np.diff(row)).sum())    # it is not all over
    mark = np.flatnonzero((pixels[..., 0] - pixels[..., 2] > 60).sum(axis=0) > 0.6 * area.height())
    assert np.abs(mark - (area.left() + (now - times[0]) / (times[-1] - times[0]) * area.width())).max() < 2.5


def map_place(colours):
    """Place in the colour map, from 0 to 1, of colours that may be darker than in the map."""
    table = colour_table('viridis') / 255.0
    table /= np.linalg.norm(table, axis=1)[:, None]
    colours = colours / np.linalg.norm(colours, axis=-1)[..., None]
    return (colours[..., None, :] @ table.T).argmax(axis=-1)[..., 0] / (len(table) - 1)


def test_look_at_a_body(work):
    hand, directory = work('look-at-a-body')
    told, number = figures(hand.window.inspector.figures), hand.window.session.model.number
    values = history(directory, ['3.X', '3.Y', '3.Z', '3.VX', '3.VY', '3.VZ'])
    assert number == frame_at(values['time'], 0.2) + 1
    assert hand.window.inspector.title.text() == 'body 3' and told['kind'] == 'RIGID' and told['contacts'] == '0'
    for name, items in (('centre', ('3.X', '3.Y', '3.Z')), ('velocity', ('3.VX', '3.VY', '3.VZ'))):
        assert numbers(told[name]) == pytest.approx([values[item][number] for item in items], rel=6E-3, abs=1E-6)
    assert_curve(hand, values['time'], values['3.VZ'])
    # An orange disc of the radius 1 within a dark outline, half of it in the shade
    centre = [values[item][number] for item in ('3.X', '3.Y', '3.Z')]
    x, y = hand.seen_at(centre)
    radius = abs(hand.seen_at(np.add(centre, (2, -1, 0) / np.sqrt(5)))[0] - x)
    orange = is_mark(hand.pixels())
    assert orange.sum() == pytest.approx(np.pi * (radius - 1)**2, rel=0.05)
    rows, columns = np.nonzero(orange)
    assert abs(rows.mean() - y) < 2 and abs(columns.mean() - x) < 2
    hand.key('Left', 'Left')
    assert numbers(figures(hand.window.inspector.figures)['centre'])[1] == pytest.approx(
        values['3.Y'][number - 2], rel=6E-3)
    hand.click(hand.window.view, 4, 4)
    assert hand.window.inspector.title.text() == 'all of the model'


def test_largest_contact(work):
    hand, directory = work('largest-contact')
    window = hand.window
    c = contacts_of(directory, 0.9)
    size = np.linalg.norm(c['R'], axis=1)
    order = np.argsort(-size)
    first = order[0]
    ids = c['body1'][first], c['body2'][first]
    assert re.findall(r"\b(\d+) '", window.inspector.title.text()) == [str(id) for id in ids]
    told = figures(window.inspector.figures)
    assert float(told['force']) == pytest.approx(size[first], rel=1E-4)
    assert float(told['normal force']) == pytest.approx(c['R'][first, 2], rel=1E-4)
    slides = np.hypot(*c['R'][first, :2]) > 0.999 * c['friction'][first] * c['R'][first, 2]
    assert told['state'] == ('sliding' if slides else 'sticking')
    x, y = hand.seen_at(c['point'][first])
    mark = is_mark(hand.pixels())
    rows, columns = np.nonzero(mark)
    assert abs(np.median(rows) - y) < 3 and abs(np.median(columns) - x) < 3 and mark.sum() > 300
    assert abs(x - window.view.width() / 2) < 3 and abs(y - window.view.height() / 2) < 3   # zoomed to
    frames = [contacts_of(directory, time) for time in Results(directory).times]

    def forces_of(contact):
        """Over time; there is none while it does not touch."""
        curve = []
        for d in frames:
            same = np.all([d[name] == c[name][contact] for name in KEY], axis=0)
            curve.append(np.linalg.norm(d['R'][same][0]) if same.any() else np.nan)
        return np.array(curve)

    assert window.inspector.history.values == pytest.approx(forces_of(first), nan_ok=True)
    # The table: each row is the next largest force. The first one of a contact that has lasted, and did not begin so
    row = next(k for k in range(1, 15) if 10 < np.isfinite(forces_of(order[k])[1:]).sum() < len(frames) - 1)
    hand.key('4')
    table = window.contact_list
    assert table.title.text() == f'{len(size)} contacts' and not table.kind.isVisible()
    hand.click(table.view.viewport(), 20, table.view.visualRect(table.rows.index(row, 0)).center().y())
    hand.key('3')
    hand.until(lambda: window.inspector.history.done)
    assert float(figures(window.inspector.figures)['force']) == pytest.approx(size[order[row]], rel=1E-4)
    assert window.inspector.history.values == pytest.approx(forces_of(order[row]), nan_ok=True)


def tubes_of(hand, scene, friction):
    """Tubes of the network in the picture: ends (n, 2, 2) and radii (n) in pixels, whether they slide (n). They go from
    points of contact to the centres of bodies that are no obstacles; radii are as the forces."""
    c = scene.contacts
    centre = scene.center.copy()
    nodes = scene.node_begin
    for k in np.flatnonzero(np.diff(nodes)):
        centre[k] = scene.nodes[nodes[k]:nodes[k + 1]].mean(axis=0)
    size = np.linalg.norm(c.R, axis=1)
    slides = np.hypot(c.R[:, 0], c.R[:, 1]) > 0.999 * friction * c.R[:, 2]
    side = np.median(scene.model.bodies.volume[scene.rows][~scene.is_obstacle]) ** (1 / 3)
    x, y = hand.place_of(scene.center[-1])
    right = np.cross(hand.window.session.view_direction(), (0, 0, 1))
    pixel = 1000 / (np.linalg.norm(np.subtract(hand.place_of(scene.center[-1] + 1000 * right / np.linalg.norm(right)),
                                               (x, y))))
    ends, radii, state = [], [], []
    for k in np.flatnonzero(size):
        for body in c.bodies[k]:
            if body >= 0 and not scene.is_obstacle[body]:
                ends.append([hand.place_of(centre[body]), hand.place_of(c.point[k])])
                radii.append(0.25 * side * size[k] / size.max() / pixel)
                state.append(slides[k])
    return np.array(ends, dtype=float), np.array(radii), np.array(state)


def away_from(point, ends):
    """Distances of a point from segments."""
    along = ends[:, 1] - ends[:, 0]
    t = np.einsum('ni,ni->n', point - ends[:, 0], along) / np.maximum(np.einsum('ni,ni->n', along, along), 1E-9)
    return np.linalg.norm(ends[:, 0] + np.clip(t, 0, 1)[:, None] * along - point, axis=1)


def assert_tubes(hand, scene):
    """Tubes that no other one hides have the colours of their states and are as thick as their forces; returns how many
    of each have been looked at."""
    pixels = hand.pixels()
    ends, radii, slides = tubes_of(hand, scene, scene.contacts.friction[0])
    seen = {'sticking': 0, 'sliding': 0}
    for k in np.flatnonzero(radii > 2):
        middle = ends[k].mean(axis=0)
        others = away_from(middle, ends) < radii + radii[k] + 2
        x, y = np.round(middle).astype(int)
        if others.sum() > 1 or not (5 < x < pixels.shape[1] - 5 and 5 < y < pixels.shape[0] - 5):
            continue
        along = (ends[k, 1] - ends[k, 0]) / np.linalg.norm(ends[k, 1] - ends[k, 0])
        steps = np.arange(-radii[k] - 2, radii[k] + 2.1, 0.25)
        across = np.round(middle + steps[:, None] * [-along[1], along[0]]).astype(int)
        redness = (pixels[..., 0] - pixels[..., 2])[across[:, 1], across[:, 0]]
        is_tube = (redness if slides[k] else -redness) > 25
        assert is_tube[np.abs(steps) < 1].all(), (redness, slides[k])
        assert 0.25 * is_tube.sum() == pytest.approx(2 * radii[k], rel=0.2, abs=1), radii[k]
        seen['sliding' if slides[k] else 'sticking'] += 1
    return seen


def assert_cut(hand, scene):
    """Behind the plane y = 0.2, seen along y, balls have the colours of their speeds; returns how many pixels were
    looked at: of sections, of balls behind, of those that others hid, of the grey where all are gone."""
    speed = scene.field('speed').on('bodies')
    moving = ~scene.is_obstacle
    low, high = speed[moving].min(), speed[moving].max()
    hand.key('1')
    told = [float(edit.text()) for edit in (hand.window.look_panel.low, hand.window.look_panel.high)]
    assert told == pytest.approx([low, high], rel=1E-4)
    # Lines of sight along y through the pixels of a grid: which ellipsoid they meet first behind the plane, and whether
    # its section; and whether without the plane another one would be met.
    corner, along = np.array(hand.seen_at((0, 0, 0))), np.array(hand.seen_at((10, 0, 10)))
    scale = 10 / (along - corner)
    pixels = hand.pixels()
    columns, rows = (a.ravel() for a in np.meshgrid(*(np.arange(4, n - 4, 2) for n in pixels.shape[1::-1])))
    x, z = (columns - corner[0]) * scale[0], (rows - corner[1]) * scale[1]
    met = first_met(scene, x, z, 0.2)[2] >= 0
    columns, rows, x, z = (a[met] for a in (columns, rows, x, z))
    first, section, before = first_met(scene, x, z, 0.2)

    def same_within(pixels):
        around = [first_met(scene, x + i * scale[0], z + j * scale[1], 0.2)
                  for i in (-pixels, 0, pixels) for j in (-pixels, 0, pixels)]
        return np.all([(other[0] == first) & (other[1] == section) for other in around], axis=0)
    inner = same_within(3)   # no outlines near
    share = (speed - low) / (high - low)
    colours = pixels[rows, columns]
    flat, shaded, hidden = (inner & (first >= 0) & what for what in (section, ~section, before != first))
    for which in flat, shaded:
        assert (np.abs(map_place(colours[which]) - share[first[which]]) < 0.06).all()
    for body in np.unique(first[flat]):     # sections have one colour all over
        assert np.ptp(colours[flat & (first == body)], axis=0).max() < 4
    # Nothing is left of what is in front of the plane: where it alone was seen there is the grey of obstacles.
    gone = same_within(2) & (first < 0)  # outlines reach over a pixel
    assert not gone.any() or np.ptp(colours[gone], axis=1).max() < 12
    return {'flat': flat.sum(), 'shaded': shaded.sum(), 'hidden': hidden.sum(), 'gone': gone.sum()}


def test_cut(work):
    hand, directory = work('cut')
    seen = assert_cut(hand, Scene(directory, -1))
    assert seen['flat'] > 100 and seen['hidden'] > 100  # whole balls behind the plane: in the next test


BALLS = MODEL + """
BODY(s, 'OBSTACLE', BOX((0, 2.5, 0), (12, 1, 8)), m)  # behind all
for k, (x, y, z) in enumerate([(-3, -1, 2), (0, 0, 2), (3, 1, 2), (-3, -1, -1), (-3, 1, -1.2), (2, 0.2, -1)]):
    ball = BODY(s, 'RIGID', SPHERE((x, y, z), 1), m)
    INITIAL_VELOCITY(ball, (0, 0, 0.1 * k), (0, 0, 0))
RUN(s, GAUSS_SEIDEL_SOLVER(), 1E-3)
"""


def test_nothing_is_left_of_what_is_cut_away(of_script):
    """Balls in front of the plane with an obstacle or a ball behind them, across the plane, and behind it."""
    hand, directory = of_script(BALLS)
    TASKS['cut'](hand)
    seen = assert_cut(hand, Scene(directory, -1))
    assert min(seen.values()) > 300, seen


SLABS = MODEL + """
GRAVITY(s, (0, 0, -10))
BODY(s, 'OBSTACLE', BOX((0, 0, -0.5), (12, 12, 1)), m)
for k in range(9):  # every other one is pushed by more than its friction
    x, y = 3.5 * (k % 3 - 1), 3.5 * (k // 3 - 1)
    slab = BODY(s, 'RIGID', BOX((x, y, 0.2), (3, 3, 0.4)), m)
    FORCE(slab, 'SPATIAL', (x, y, 0), (1, 0, 0), 24E3 if k % 2 else 9E3)
RUN(s, GAUSS_SEIDEL_SOLVER(1E-10, 1000), 2E-3)
"""


def test_tubes_of_contacts_that_stick_and_slide(of_script):
    hand, directory = of_script(SLABS)
    hand.key('End', 'c', 'c')
    seen = assert_tubes(hand, Scene(directory, -1))
    assert min(seen.values()) > 5, seen
    without = is_mark(hand.pixels()).sum()
    hand.key('m')                                               # the mark is seen beside the thickest tube
    assert is_mark(hand.pixels()).sum() > without + 300


def first_met(scene, x, z, plane):
    """Of lines of sight along y: number of the first body behind the plane y = `plane`, -1 for none; whether they meet
    it at the plane; and of the first body without the plane."""
    balls = scene.balls
    enter, leave = np.full((2, len(balls.body), len(x)), np.inf)
    for k, (center, map) in enumerate(zip(balls.center, balls.map)):
        inverse = np.linalg.inv(map)
        p = inverse @ np.array([x - center[0], np.zeros(len(x)), z - center[2]])
        d = inverse[:, 1]
        a, b, c = d @ d, d @ p, (p * p).sum(axis=0) - 1
        hit = b * b > a * c
        root = np.sqrt(np.where(hit, b * b - a * c, 0))
        enter[k] = np.where(hit, center[1] + (-b - root) / a, np.inf)
        leave[k] = np.where(hit, center[1] + (-b + root) / a, -np.inf)
    behind = np.where(leave > plane, np.maximum(enter, plane), np.inf)
    found = []
    for distance in (behind, enter):
        which = distance.argmin(axis=0)
        found.append(np.where(np.isfinite(distance.min(axis=0)), balls.body[which], -1))
    return found[0], behind.min(axis=0) == plane, found[1]


def mises_of(stress):
    """Von Mises stress of xx, yy, zz, xy, xz, yz."""
    xx, yy, zz, xy, xz, yz = stress.T
    return np.sqrt(0.5 * ((xx - yy)**2 + (yy - zz)**2 + (zz - xx)**2) + 3 * (xy**2 + xz**2 + yz**2))


def surface_mises(results, number):
    """By identifiers of bodies: places of the nodes on the surface, stresses there."""
    frame = results.arrays(number)
    mises, begin, found = mises_of(results.nodal_stress(number)), 0, {}
    for id, count in zip(frame.ids, frame.nodes):
        if count:
            x = np.array(frame.x[begin:begin + count])
            surface = np.linalg.norm(x - x.mean(axis=0), axis=1) > 0.02     # all but the node in the middle
            assert surface.sum() == count - 1
            found[int(id)] = x[surface], mises[begin:begin + count][surface]
        begin += count
    return found


def test_stress(work):
    hand, directory = work('stress')
    window, results = hand.window, Results(directory)
    number = frame_at(results.times, 0.15)
    all = surface_mises(results, number)
    largest = max(all, key=lambda id: all[id][1].max())
    assert window.inspector.title.text() == f'body {largest}'
    places, mises = all[largest]
    low, high = mises.min(), mises.max()
    assert high > 5000
    assert float(figures(window.inspector.figures)['largest mises']) == pytest.approx(high, rel=1E-4)
    hand.key('1')
    told = [float(edit.text()) for edit in (window.look_panel.low, window.look_panel.high)]
    assert told == pytest.approx([low, high], rel=1E-4)         # it is seen alone
    hand.key('3')
    curve = [surface_mises(results, k)[largest][1].max() for k in range(len(results))]
    assert_curve(hand, results.times, np.array(curve))
    # Colours beside the nodes on the three faces that are seen
    hand.key('Escape', 'e')                                     # no marks, no edges
    pixels, middle = hand.pixels(), places.mean(axis=0)
    towards = np.sign(window.session.view_direction())
    away, compared = np.abs(places - middle).max(axis=0), 0
    for place, value in zip(places, mises):
        seen = [k for k in range(3) if towards[k] * (middle - place)[k] > 0.8 * away[k]]
        if seen:
            beside = place + 0.06 * (middle - place)
            beside[seen[0]] = place[seen[0]]
            x, y = hand.seen_at(beside)
            assert map_place(pixels[y, x]) == pytest.approx((value - low) / (high - low), abs=0.15)
            compared += 1
    assert compared > 15
    # All together again: the range is that of all cubes.
    hand.click_at(middle)
    hand.key('i', '1')
    assert float(window.look_panel.low.text()) == pytest.approx(min(m.min() for x, m in all.values()), rel=1E-4)


def test_force_network(work):
    hand, directory = work('force-network')
    window, results = hand.window, Results(directory)
    scene = Scene(directory, frame_at(results.times, 0.45))
    assert assert_tubes(hand, scene)['sticking'] > 30
    # Displacements are magnified: the picture of one stone is where its nodes have gone, three times as far.
    hand.key('c', '1')
    hand.fill(window.look_panel.magnify, '3')
    moved = np.linalg.norm(scene.points - scene.reference_points, axis=1)
    body = scene.point_body[np.argmax(moved)]
    hand.key('2')
    hand.click(window.show_panel.text)
    hand.type(f'id:{scene.ids[body]}')
    hand.press('Only')
    hand.key('f')
    rows, columns = np.nonzero((hand.pixels()[:, :int(0.8 * window.view.width())] < 240).any(axis=2))
    mine = scene.point_body == body
    start = scene.reference_points[mine]
    corners = np.array([hand.seen_at(point) for point in start + 3 * (scene.points[mine] - start)])
    for place, pixels in zip(corners.T, (columns, rows)):
        assert [pixels.min(), pixels.max()] == pytest.approx([place.min(), place.max()], abs=3)
    assert moved.max() > 0.05 and window.session.settings.magnify == 3


def test_joint_forces(work, tmp_path):
    from solfec.window import state
    hand, directory = work('joint-forces')
    window, inspector = hand.window, hand.window.inspector
    values = history(directory, ['3.RX', '3.RY', '3.RZ', '3.X'])    # the lowest bar has this joint alone
    number = frame_at(values['time'], 1)
    force = np.stack([values['3.RX'], values['3.RY'], values['3.RZ']], axis=1)
    assert inspector.title.text() == 'joint of 2 and 3'
    told = figures(inspector.figures)
    assert float(told['force']) == pytest.approx(np.linalg.norm(force[number]), rel=1E-4)
    assert numbers(told['force on the first']) == pytest.approx(-force[number], rel=6E-3, abs=1E-6)
    assert told['kind'] == 'FIXPNT' and 'state' not in told and 'gap' not in told
    assert_curve(hand, values['time'], np.linalg.norm(force, axis=1))
    assert [inspector.neighbours.item(k, 0).text() for k in (0, 1)] == ['2', '3']
    # The bars that it joins are marked, and no others.
    scene = Scene(directory, number)
    pixels = hand.pixels()
    for body in range(4):
        x, y = hand.seen_at(scene.center[body])
        assert near(pixels[y, x - 25:x + 26], MARK).any() == (body >= 2), body
    # Arrows along the forces on the first bodies, as long as these
    joints = scene.joints
    longest = 0.15 * np.linalg.norm(np.subtract(*scene.bounds()))
    for k in np.flatnonzero(joints.bodies[:, 1] >= 0):
        for share in (0.25, 0.5, 0.9):
            x, y = hand.seen_at(joints.point[k] + share * longest * joints.force[k] / joints.size.max())
            assert near(pixels[y - 1:y + 2, x - 2:x + 3], JOINT, 45).any(), (k, share)
    # It is part of the state that is saved.
    state.save(str(tmp_path / 'state.json'), window.state())
    hand.key('Escape')
    assert inspector.title.text() == 'all of the model'
    window.set_state(state.load(str(tmp_path / 'state.json')))
    assert inspector.title.text() == 'joint of 2 and 3'
    # The table is in the order of forces, and M selects the first of them.
    hand.key('4')
    table = window.contact_list
    assert table.title.text() == '6 joints' and table.kind.currentText() == 'joints'
    column = [float(table.rows.data(table.rows.index(k, 2))) for k in range(6)]
    assert column == pytest.approx(np.sort(joints.size)[::-1], rel=1E-4)
    hand.key('m', '3')
    assert inspector.title.text() == 'joint of 0 and space'
    assert float(figures(inspector.figures)['force']) == pytest.approx(joints.size.max(), rel=1E-4)
    # The lowest bar: the sum of its joint forces, its neighbour, and where it goes
    hand.click_at(scene.center[3])
    assert inspector.title.text() == 'body 3'
    assert numbers(figures(inspector.figures)['joint force']) == pytest.approx(force[number], rel=6E-3, abs=1E-6)
    rows = inspector.neighbours
    assert [rows.item(0, k).text() for k in range(4)] == ['2', '', '0', '1'] and rows.rowCount() == 1
    plot(hand, 'x')
    assert_curve(hand, values['time'], values['3.X'])
    plot(hand, 'joint force')
    assert inspector.history.values == pytest.approx(np.linalg.norm(force, axis=1), abs=1E-9)


# Pages

KEY_NAMES = {'Escape': 'Esc'}


@pytest.mark.parametrize('name', TASKS)
def test_pages_have_the_keys_of_their_steps(name):
    """The steps that are tested are those that the page tells."""
    import inspect
    pressed = re.findall(r"hand\.key\((.*?)\)", inspect.getsource(TASKS[name]))
    keys = [key for words in pressed for key in re.findall(r"'(.*?)'", words)]
    page = (PAGES / f'{name}.md').read_text()
    for key in keys:
        shown = '+'.join(part.upper() if len(part) == 1 else part.capitalize() for part in key.split('+'))
        assert f'`{KEY_NAMES.get(shown, shown)}`' in page, key
    assert f'window-{name}.png' in page and f'({name}.md)' in (PAGES / 'index.md').read_text()


def test_each_page_is_tested():
    assert sorted(TASKS) == sorted(page.stem for page in PAGES.glob('*.md') if page.stem != 'index')
