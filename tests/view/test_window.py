"""The window (python3 -m solfec.window, solfec -v): real keys and clicks on a display without a screen; what is checked
are pixels, texts of panels, and the results themselves."""

import os
import re
import subprocess
import sys

import numpy as np
import pytest
import window_support
from window_support import SIZE, different, figures, open_window, start_program, use_own_display

from solfec.results import Results
from solfec.scene import Scene

MODEL = '''
def box(a, b, c, x, y, z):
    return HULL([a, b, c, x, b, c, x, y, c, a, y, c, a, b, z, x, b, z, x, y, z, a, y, z], 1, 1)

def model(path, height):
    solfec = SOLFEC('DYNAMIC', 1E-3, path)
    solfec.verbose = 'OFF'
    OUTPUT(solfec, 0.01)
    GRAVITY(solfec, (0, 0, -10))
    SURFACE_MATERIAL(solfec, friction=0.4)
    hard = BULK_MATERIAL(solfec, label='hard', density=2000)
    soft = BULK_MATERIAL(solfec, label='soft', young=1E6, poisson=0.25, density=1000)
    BODY(solfec, 'OBSTACLE', box(-2, -2, -0.2, 2, 2, 0), hard, label='floor')
    BODY(solfec, 'RIGID', box(-1, -0.5, 0, 0, 0.5, 1), hard, label='lower')
    BODY(solfec, 'RIGID', box(-0.9, -0.4, 1, -0.1, 0.4, 1.5), hard, label='upper')
    cube = BODY(solfec, 'PSEUDO_RIGID', box(0.6, -0.4, height, 1.4, 0.4, height + 0.8), soft, label='cube')
    cube.scheme = 'DEF_LIM'
    ball = BODY(solfec, 'RIGID', SPHERE((0.5, -1.3, 0.3), 0.3, 2, 7), hard, label='ball')
    INITIAL_VELOCITY(ball, (2, 0, 0), (0, 0, 0))
    return solfec
'''
RESULTS = MODEL + '''
for path, height in (('out/one', 0.005), ('out/two', 0.4)):
    RUN(model(path, height), GAUSS_SEIDEL_SOLVER(1E-6, 1000), 0.3)
'''
BALL = np.array([0.5, -1.3, 0.3])


@pytest.fixture(scope='module')
def display(tmp_path_factory):
    return use_own_display(tmp_path_factory.mktemp('user'))


@pytest.fixture(scope='module')
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp('window')
    (folder / 'script.py').write_text(RESULTS)
    done = subprocess.run([os.environ['SOLFEC_PROGRAM'], 'script.py'], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope='module')
def application(display):
    yield window_support.application()
    window_support.application().closeAllWindows()


@pytest.fixture(scope='module')
def shared(application, folder):
    from solfec.window.model import Model
    hand = open_window([Model.of_results(str(folder / 'out' / name)) for name in ('one', 'two')])
    yield hand
    hand.close()


@pytest.fixture
def hand(shared):
    """The window on two models, as it is at first."""
    window = shared.window
    window.session.choose(0)
    window.reset_state()
    window.player.set_speed(0.1)
    window.player.repeat = False
    window.open_panel('Look')
    window.session.show(0)
    shared.settle()
    shared.focus()
    return shared


@pytest.fixture
def results(folder):
    return Results(str(folder / 'out/one'))


# Time

def test_time_line(hand, results):
    window = hand.window
    first, line = hand.pixels(), window.time_line
    assert line.frame.text() == '1 / 31' and line.time.text() == '0'
    hand.key('End')
    assert line.frame.text() == '31 / 31' and float(line.time.text()) == pytest.approx(0.3)
    assert 0.002 < different(hand.pixels(), first) < 0.5        # the ball and the cube have moved
    hand.key('Left', 'Left')
    assert window.session.model.number == 28 and line.slider.value() == 28
    hand.key('Home')
    assert different(hand.pixels(), first) == 0
    hand.key('shift+Right', 'Right')
    assert window.session.model.number == 11
    hand.key('t')
    hand.type('0.205\n')
    assert window.session.model.number == 20                    # the last frame not after that time
    assert window.view.hasFocus()                               # keys are commands again
    hand.click(line.slider, 10, line.slider.height() // 2)      # a page back
    assert window.session.model.number == 19
    from PyQt5.QtWidgets import QToolButton
    buttons = {button.defaultAction().text(): button for button in line.findChildren(QToolButton) if button.isVisible()}
    hand.click(buttons['Last'])
    assert window.session.model.number == 30
    hand.click(buttons['Back'])
    assert window.session.model.number == 29
    assert 'Run' not in buttons                                 # these are results


def test_play_keeps_to_the_clock(hand):
    import time
    window, shown = hand.window, []
    window.session.frame_shown.connect(lambda: shown.append(window.session.model.number))
    window.player.set_speed(0.25)
    begin = time.monotonic()
    hand.key('space')
    assert window.player.playing
    hand.until(lambda: not window.player.playing)
    assert 1.0 < time.monotonic() - begin < 2.5                 # 0.3 s at a quarter of real time
    assert shown[-1] == 30 and shown == sorted(shown) and len(shown) > 5
    hand.key('plus')
    assert window.player.speed == pytest.approx(0.5) and window.time_line.speed.currentText() == '0.5'
    hand.key('minus', 'minus')
    assert window.player.speed == pytest.approx(0.1)
    hand.click(window.time_line.speed.lineEdit())
    hand.key('ctrl+a')
    hand.type('2\n')
    assert window.player.speed == 2
    hand.key('shift+r', 'space')
    hand.settle(0.6)
    assert window.player.playing                                # again and again
    hand.key('space')
    assert not window.player.playing


def test_frames_of_a_growing_run_are_followed_from_the_last_one(application, tmp_path):
    from solfec.window.model import Model
    (tmp_path / 'script.py').write_text(MODEL + '''
import time
solfec = model('out/one', 0.005)
CALLBACK(solfec, 0.01, None, lambda: time.sleep(0.1) or 1)
RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-6, 1000), 0.3)
''')
    run = subprocess.Popen([os.environ['SOLFEC_PROGRAM'], 'script.py'], cwd=tmp_path)
    path = str(tmp_path / 'out/one')
    import time
    while not os.path.exists(path + '/one.h5'):
        time.sleep(0.02)
    hand = open_window([Model.of_results(path)])
    begun = len(hand.window.session.model.times)
    hand.key('End')
    hand.until(lambda: run.poll() is not None and len(hand.window.session.model.times) == 31)
    assert begun < 31 and run.returncode == 0
    assert hand.window.session.model.number == 30 and hand.window.time_line.frame.text() == '31 / 31'
    hand.close()


def test_several_models(hand):
    window = hand.window
    assert 'one (1 of 2' in window.place.text()
    one = hand.pixels()
    hand.key('greater')
    assert 'two (2 of 2' in window.place.text() and window.windowTitle().startswith('two')
    assert different(hand.pixels(), one) > 0.003                # its cube is higher
    hand.key('greater')
    assert 'one (1 of 2' in window.place.text()
    assert different(hand.pixels(), one) == 0
    hand.key('less')
    assert 'two (2 of 2' in window.place.text()


# Colours and forces

def test_colours_by_a_field(hand, results):
    window, panel = hand.window, hand.window.look_panel
    plain = hand.pixels()
    hand.key('End')
    row = panel.field.findData('speed')
    assert 'm/s' in panel.field.itemText(row)
    panel.field.setFocus()
    hand.click(panel.field)                                     # a list opens: chosen by keys
    hand.type('speed')
    hand.key('Return')
    assert window.session.settings.colour == 'speed'
    scene = Scene(results, len(results) - 1)
    low, high = scene.field('speed').range(scene.is_obstacle)
    assert float(panel.low.text()) == pytest.approx(low, abs=1E-5)
    assert float(panel.high.text()) == pytest.approx(high, 1E-4)
    coloured = hand.pixels()
    assert different(coloured, plain) > 0.2
    x, y = hand.seen_at((-1.9, -1.9, 0))
    assert np.ptp(coloured[y, x]) < 12                          # the floor is grey
    window.session.change(colour_obstacles=True)
    hand.settle()
    assert np.ptp(hand.pixels()[y, x]) > 50 and panel.low.text() == '0'
    window.session.change(colour_obstacles=False)
    x, y = hand.seen_at(Scene(results, len(results) - 1).center[4])
    ball = coloured[y, x]
    assert ball[0] > 150 and ball[1] > 120 and ball[2] < 100    # the fastest: yellow, viridis' last colour
    panel.setFocus()
    hand.focus()
    hand.key('l')                                               # without the bar
    assert not window.session.settings.legend and different(hand.pixels(), coloured) > 0.005
    hand.key('l')
    panel.range.setCurrentIndex(1)
    panel.range.activated.emit(1)                               # of the run: the ball is fastest at its start
    hand.until(lambda: float(panel.high.text()) == pytest.approx(max(
        scene.field('speed').range()[1] for scene in (Scene(results, k) for k in range(len(results)))), 1E-4))
    panel.high.setFocus()
    panel.high.selectAll()
    hand.type('40\n')
    assert window.session.settings.range == [pytest.approx(0, abs=1E-9), 40] and panel.range.currentText() == 'fixed'
    x, y = hand.seen_at(Scene(results, len(results) - 1).center[4])
    assert hand.pixels()[y, x][0] < 90                          # now it is slow: a dark blue
    window.session.change(logarithmic=True)                     # from zero: not possible, and told
    assert not window.session.settings.logarithmic and 'positive' in window.statusBar().currentMessage()
    window.session.change(range='run', logarithmic=True)        # of the run it is: from the least positive value
    hand.until(lambda: window.view.run_range.done and 0 < window.session.range[0] < 1)
    before, shown = window.session.range, window.session.model.number
    window.session.step(-3)
    hand.settle()
    assert window.session.range == before and window.session.model.number == shown - 3
    window.session.show(shown)
    window.session.change(range=[0.01, 40], logarithmic=True)
    hand.settle()
    assert hand.pixels()[y, x][1] > 110                         # but in orders of magnitude it is not


def test_stress_and_next_field(hand):
    window = hand.window
    hand.key('n')
    first = window.session.settings.colour
    assert first == window.session.scene.fields()[0] and window.look_panel.field.currentData() == first
    hand.key('p')
    assert window.session.settings.colour == 'plain'
    window.session.show(30)
    window.session.change(colour='mises')
    hand.settle()
    assert window.session.range[1] == pytest.approx(window.session.scene.field('mises').on('bodies').max())
    assert window.session.range[1] > 100


def colour_share(pixels, colour):
    return (np.abs(pixels - colour).max(axis=2) < 30).mean()


def test_forces_and_vectors(hand):
    window = hand.window
    hand.key('End')
    none = hand.pixels()
    hand.key('c')
    assert window.session.settings.forces == 'arrows'
    arrows = hand.pixels()
    hand.key('c')
    assert window.session.settings.forces == 'network'
    network = hand.pixels()
    for picture in (arrows, network):
        assert colour_share(picture, (52, 104, 176)) > colour_share(none, (52, 104, 176)) + 1E-4  # sticking
    assert different(arrows, network) > 0.001
    window.session.change(force_scale=3)
    hand.settle()
    assert colour_share(hand.pixels(), (52, 104, 176)) > colour_share(network, (52, 104, 176))
    hand.key('c', 'shift+v')
    assert window.session.settings.vectors == 'displacement' and different(hand.pixels(), none) > 0.001
    window.session.change(vectors=None, contacts='force')
    hand.settle()
    assert different(hand.pixels(), none) > 0.001


# Picking

def test_a_click_on_a_body_tells_all_of_it(hand, results):
    window, inspector = hand.window, hand.window.inspector
    hand.key('End')
    before = hand.pixels()
    scene = Scene(results, len(results) - 1)
    hand.click(window.view, *hand.seen_at(scene.center[4]))
    assert inspector.title.text() == "body 4 'ball'" and inspector.isVisible()
    told = figures(inspector.figures)
    assert told['label'] == 'ball' and told['kind'] == 'RIGID' and told['material'] == 'hard'
    assert float(told['speed']) == pytest.approx(scene.field('speed').on('bodies')[4], rel=1E-4)
    assert set(scene.fields()) - {'body', 'kind', 'label'} <= set(told)
    centre = [float(x) for x in told['centre'].split(',')]
    assert centre == pytest.approx(scene.center[4], rel=5E-3)
    marked = hand.pixels()
    orange = (np.abs(marked - (242, 115, 13)).max(axis=2) < 40).sum()
    assert orange > (np.abs(before - (242, 115, 13)).max(axis=2) < 40).sum() + 20
    # The sum of contact forces bears the body: m a = m g + R
    force = [float(x) for x in told['contact force'].split(',')]
    c = scene.contacts
    of_ball = (c.ids[:, 0] == 4)[:, None] * c.force - (c.ids[:, 1] == 4)[:, None] * c.force
    assert force == pytest.approx(of_ball.sum(axis=0), rel=5E-3, abs=1E-3) and force[2] > 100
    hand.key('Escape')
    assert inspector.title.text() == 'all of the model' and figures(inspector.figures)['bodies'] == '5'
    hand.click(window.view, 5, 5)                               # nothing there
    assert window.session.selected is None


def test_a_history_goes_on(hand):
    """With a run: what is known is not asked for again, but for the last time, unless it is another run."""
    from solfec.window.history import History
    history, asked = History(), []

    def after(take, times):
        def value(k):
            asked.append(float(times[k]))
            return 10 * times[k]
        asked.clear()
        take(np.array(times), value)
        hand.until(lambda: history.done)
        assert history.values == pytest.approx(10 * np.array(times)) and list(history.times) == times
        return sorted(asked)

    assert after(history.start, [0, 1, 2, 3]) == [0, 1, 2, 3]
    assert after(history.go_on, [0, 1, 2, 3, 4, 5]) == [3, 4, 5]
    assert after(history.go_on, [2, 3, 4, 5, 6]) == [5, 6]  # the oldest frames were given up
    assert after(history.go_on, [0, 1, 2]) == [0, 1, 2]
    assert after(history.go_on, [0, 1, 2]) == [2]
    history.start(np.array([]), None)
    assert after(history.go_on, [0, 1]) == [0, 1]


def test_neighbours_and_history(hand, results):
    window, inspector = hand.window, hand.window.inspector
    window.session.show(30)
    window.session.select(('body', 1))
    hand.settle()
    rows = inspector.neighbours
    assert [rows.item(k, 1).text() for k in range(rows.rowCount())] == ['floor', 'upper']  # the larger force first
    upper = float(rows.item(1, 4).text())
    assert upper == pytest.approx(0.8 * 0.8 * 0.5 * 2000 * 10, rel=0.02)                  # its weight
    total = [float(x) for x in figures(inspector.figures)['contact force'].split(',')]
    assert total[2] == pytest.approx(2000 * 10, rel=0.02)       # both neighbours together bear the weight
    hand.click(rows.viewport(), 20, rows.visualItemRect(rows.item(1, 0)).center().y())
    assert inspector.title.text() == "body 2 'upper'"
    window.session.select(('body', 3))
    for name, value in (('vz', lambda s: s.field('vz').on('bodies')[3]),
                        ('mises', lambda s: s.field('mises').on('bodies')[3]),
                        ('contacts', lambda s: (s.contacts.ids == 3).any(axis=1).sum())):
        inspector.choose_history(name)
        hand.until(lambda: inspector.history.done)
        assert inspector.choice.currentText() == name
        expected = [value(Scene(results, k)) for k in range(len(results))]
        assert inspector.history.values == pytest.approx(expected, abs=1E-6)
    inspector.choose_history('vz')
    hand.until(lambda: inspector.history.done)
    plot = inspector.plot
    drawn = hand.pixels(plot)
    assert (np.abs(drawn - (31, 105, 175)).max(axis=2) < 40).sum() > 50                    # the curve
    area = plot._area()
    hand.click(plot, area.left() + area.width() * 0.5, area.center().y())
    assert window.session.scene.time == pytest.approx(0.15, abs=0.011)                     # goes to that time


def test_the_contact_that_carries_most(hand, results):
    window, inspector = hand.window, hand.window.inspector
    hand.key('End')
    hand.key('m')
    c = Scene(results, len(results) - 1).contacts
    k = int(c.size.argmax())
    told = figures(inspector.figures)
    assert float(told['force']) == pytest.approx(c.size[k], rel=1E-4) and float(told['friction']) == 0.4
    assert told['state'] in ('sticking', 'sliding') and "'floor'" in inspector.title.text()
    window.inspector.choose_history('force')
    hand.until(lambda: inspector.history.done)
    assert inspector.history.values[-1] == pytest.approx(c.size[k])
    zoomed_out = hand.pixels()
    hand.key('g')
    assert different(hand.pixels(), zoomed_out) > 0.2
    x, y = hand.seen_at(c.point[k])
    assert abs(x - window.view.width() / 2) < 3 and abs(y - window.view.height() / 2) < 3


def test_table_of_contacts(hand, results):
    from PyQt5.QtCore import Qt
    window, panel = hand.window, hand.window.contact_list
    hand.key('End', '4')
    c = Scene(results, len(results) - 1).contacts
    assert panel.title.text() == f'{len(c)} contacts'
    column = [panel.rows.data(panel.rows.index(k, 2)) for k in range(len(c))]
    assert [float(x) for x in column] == pytest.approx(np.sort(c.size)[::-1], rel=1E-4)
    header = panel.view.horizontalHeader()
    gap = panel.rows.headers.index('gap [m]')
    panel.view.scrollTo(panel.rows.index(0, gap))
    hand.settle()
    hand.click(header.viewport(), header.sectionViewportPosition(gap) + 12, header.height() // 2)
    ordered = [float(panel.rows.data(panel.rows.index(k, gap))) for k in range(len(c))]
    assert ordered == sorted(ordered) or ordered == sorted(ordered)[::-1]
    hand.click(panel.view.viewport(), 20, panel.view.visualRect(panel.rows.index(1, 0)).center().y())
    row = int(panel.rows.order[1])
    assert window.session.selected == ('contact', tuple(c.key[row].tolist()))
    assert panel.isVisible() and panel.view.selectionModel().selectedRows()[0].row() == 1
    panel.rows.sort(2, Qt.DescendingOrder)


# What is shown

def test_hide_glass_and_only(hand, results):
    from PyQt5.QtCore import Qt
    window, panel = hand.window, hand.window.show_panel
    x, y = hand.seen_at(BALL)
    before = hand.pixels()
    hand.click(window.view, x, y)
    hand.key('h')
    assert window.session.settings.hidden == ['id:4']
    assert np.abs(hand.pixels()[y, x] - before[y, x]).max() > 30
    hand.key('h', 'j')
    glass = hand.pixels()[y, x]
    assert window.session.settings.transparent == ['id:4'] and np.abs(glass - before[y, x]).max() > 20
    hand.key('j', 'i')
    alone = hand.pixels()
    assert (alone[y, x] < 250).any() and (alone == 255).all(axis=2).mean() > (before == 255).all(axis=2).mean() + 0.1
    hand.key('shift+h', '2')
    assert window.session.settings.only == []
    item = next(item for item in panel._entries() if item.data(0, Qt.UserRole) == 'kind:OBSTACLE')
    rectangle = panel.tree.visualItemRect(item)
    left = panel.tree.header().sectionViewportPosition(1)
    hand.click(panel.tree.viewport(), left + 10, rectangle.center().y())
    assert window.session.settings.hidden == ['kind:OBSTACLE'] and item.text(0) == 'OBSTACLE  (1)'
    assert (hand.pixels() == 255).all(axis=2).mean() > 0.5
    hand.click(panel.text)
    hand.type('material:so.*')
    from PyQt5.QtWidgets import QPushButton
    buttons = {button.text(): button for button in panel.findChildren(QPushButton)}
    hand.click(buttons['Glass'])
    assert window.session.settings.transparent == ['material:so.*']
    panel.text.clear()
    hand.click(panel.text)
    hand.type('label:nobody')
    hand.click(buttons['Hide'])
    assert window.session.settings.hidden == ['kind:OBSTACLE']
    assert "'nobody'" in window.statusBar().currentMessage() and 'ball' in window.statusBar().currentMessage()
    hand.click(buttons['Show all'])
    window.view.setFocus()
    assert different(hand.pixels(), before) < 0.01              # but for the mark of what is selected
    panel.text.clear()


def test_what_was_covered_is_shown_again_without_drawing(hand):
    before, drawn, renderer = hand.pixels(), [], hand.window.view.drawing.renderer
    observer = renderer.AddObserver('EndEvent', lambda *_: drawn.append(1))
    hand.window.move(-400, 0)                                   # beyond the border of the screen
    hand.settle(0.2)
    hand.window.move(0, 0)
    hand.until(lambda: different(hand.pixels(), before) == 0)
    renderer.RemoveObserver(observer)
    assert not drawn


def test_cutting_plane(hand):
    window, cut = hand.window, hand.window.show_panel.cut
    before = hand.pixels()
    hand.key('k', '2')
    assert cut.isChecked() and window.session.settings.cuts[0].normal == (1, 0, 0)
    assert window.session.settings.cuts[0].position == pytest.approx(0)
    assert different(hand.pixels(), before) > 0.08
    hand.key('bracketright', 'bracketright')
    assert window.session.settings.cuts[0].position == pytest.approx(0.08, abs=0.01)
    middle = cut.slider.height() // 2
    hand.drag(cut.slider, (cut.slider.width() // 2, middle), (cut.slider.width() - 2, middle))
    assert window.session.settings.cuts[0].position > 1.5
    hand.click(window.view, *hand.seen_at((0.9, -0.4, 0.4)))
    assert window.session.selected == ('body', 3)
    hand.key('2')
    hand.choose(cut.normal, '-y')       # coordinates are told, not distances along -y
    hand.fill(cut.position, '-1')
    assert window.session.settings.cuts[0].normal == (0, -1, 0) and window.session.settings.cuts[0].position == 1
    hand.choose(cut.normal, 'y')
    hand.fill(cut.position, '-1')
    assert window.session.settings.cuts[0].normal == (0, 1, 0) and window.session.settings.cuts[0].position == -1
    hand.key('k')
    assert not window.session.settings.cuts


# Camera and look

def test_camera(hand):
    window = hand.window
    first = hand.pixels()
    hand.key('x')
    assert window.session.view_direction() == pytest.approx((1, 0, 0))
    along_x = hand.pixels()
    assert different(along_x, first) > 0.1
    hand.key('shift+z')
    assert window.session.view_direction() == pytest.approx((0, 0, -1))
    hand.key('ctrl+z')
    assert different(hand.pixels(), along_x) < 1E-3
    hand.key('ctrl+z')
    assert different(hand.pixels(), first) < 1E-3
    hand.key('ctrl+shift+z')
    assert different(hand.pixels(), along_x) < 1E-3
    hand.key('v')
    hand.drag(window.view, (200, 300), (320, 340))
    turned = window.session.view_direction()
    assert turned @ np.array([1, 2, -1]) / 6**0.5 < 0.98 and window.session.selected is None
    hand.key('BackSpace')
    assert window.session.view_direction() == pytest.approx(np.array([1, 2, -1]) / 6**0.5)
    parallel = hand.pixels()
    hand.key('o')
    assert not window.session.settings.camera.parallel and 0.01 < different(hand.pixels(), parallel) < 0.6
    hand.key('o')
    assert different(hand.pixels(), parallel) < 0.01
    hand.click(window.view, 300, 300, button=4)                 # the wheel
    hand.settle(0.6)
    assert different(hand.pixels(), parallel) > 0.02
    hand.key('f')
    assert different(hand.pixels(), parallel) < 0.01


@pytest.mark.parametrize('key, name', [('a', 'axes'), ('b', 'scale_bar'), ('shift+e', 'undeformed')])
def test_signs(hand, key, name):
    before = hand.pixels()
    hand.key(key)
    assert getattr(hand.window.session.settings, name) and different(hand.pixels(), before) > 2E-4
    hand.key(key)
    assert different(hand.pixels(), before) == 0


def test_edges(hand):
    surface = hand.pixels()
    hand.key('e')
    assert hand.window.session.settings.edges == 'elements'
    hand.key('e')
    assert hand.window.session.settings.edges == 'none'
    dark = [(picture.max(axis=2) < 70).mean() for picture in (surface, hand.pixels())]
    assert dark[0] > dark[1] + 0.002


# Files

def test_picture_and_film(hand, tmp_path):
    from matplotlib.image import imread

    from PyQt5.QtCore import QTimer
    from PyQt5.QtWidgets import QProgressDialog
    window = hand.window
    window.write_picture(str(tmp_path / 'a.png'))
    picture = np.round(255 * imread(str(tmp_path / 'a.png'))[:, :, :3]).astype(int)
    assert different(picture, hand.pixels()) < 0.02             # edges may differ
    assert (picture < 250).any(axis=2).mean() > 0.2
    window.player.set_speed(0.75)                               # 0.3 s last 0.4 s: 11 pictures
    window.write_film(str(tmp_path / 'a.mp4'))
    assert 'is saved: 0.44 s' in window.statusBar().currentMessage()
    told = subprocess.run(['ffprobe', '-v', 'error', '-count_frames', '-show_entries',
                           'stream=width,height,nb_read_frames', '-of', 'csv=p=0', str(tmp_path / 'a.mp4')],
                          capture_output=True, text=True).stdout
    even = [2 * ((n + 1) // 2) for n in (window.view.width(), window.view.height())]
    assert [int(x) for x in told.split(',')] == [*even, 11]
    subprocess.run(['ffmpeg', '-v', 'error', '-i', str(tmp_path / 'a.mp4'), str(tmp_path / '%d.png')], check=True)
    pictures = [np.round(255 * imread(str(tmp_path / f'{k}.png'))).astype(int) for k in (1, 11)]
    assert different(*pictures) > 0.002
    before = sorted(os.listdir(tmp_path))
    QTimer.singleShot(600, lambda: window.findChildren(QProgressDialog)[-1].cancel())
    window.player.set_speed(1E-3)
    window.write_film(str(tmp_path / 'b.mp4'))
    assert 'stopped' in window.statusBar().currentMessage() and sorted(os.listdir(tmp_path)) == before


def test_state_opens_again_as_it_was(hand, folder, tmp_path):
    from solfec.view_settings import load_camera
    from solfec.window import state
    from solfec.window.model import Model
    window = hand.window
    window.session.change(colour='vx', hidden=['lower'], axes=True)
    hand.key('y')
    window.session.show(12)
    window.session.select(('body', 4))
    window.inspector.choose_history('vx')
    window.player.set_speed(0.05)
    hand.settle()
    picture = hand.pixels()
    window.session.save_camera(str(tmp_path / 'camera.json'))
    assert load_camera(str(tmp_path / 'camera.json')).towards == pytest.approx((0, 1, 0))
    before = sorted(os.listdir(folder / 'out/one'))
    window.save_automatically()
    assert sorted(os.listdir(folder / 'out/one')) == before     # nothing beside the results
    other = open_window([Model.of_results(str(folder / 'out/one'))])
    try:
        assert other.window.session.scene.time == pytest.approx(0.12)
        assert other.window.player.speed == 0.05 and other.window.inspector.choice.currentText() == 'vx'
        assert other.window.inspector.title.text() == "body 4 'ball'"
        assert different(other.pixels(), picture) < 0.01
    finally:
        other.window.session.models.clear()                     # it keeps no state
        other.close()
    state.save(str(tmp_path / 'state.json'), window.state())
    window.reset_state()
    window.set_state(state.load(str(tmp_path / 'state.json')))
    hand.settle()
    assert different(hand.pixels(), picture) < 0.01
    for wrong, words in (('[]', 'no state'), ('{"version": 1, "time": "x"}', 'time'),
                         ('{"version": 1, "settings": {"colour": 3}}', 'colour')):
        (tmp_path / 'wrong.json').write_text(wrong)
        with pytest.raises(ValueError, match=f'wrong.json.*{words}'):
            state.load(str(tmp_path / 'wrong.json'))
    window.reset_state()
    assert not os.path.exists(state.automatic_path(window.session.model.name))


# Keys

def test_page_of_keys(hand):
    from PyQt5.QtGui import QKeySequence
    from solfec.window import actions
    keys = [QKeySequence(key).toString() for action in actions.ACTIONS for key in action.keys]
    assert len(set(keys)) == len(keys) and all(keys)
    hand.key('question')
    text = hand.window.keys.toPlainText()
    for action in actions.ACTIONS:
        assert action.help in text and all(key in text for key in action.keys)
    hand.window.keys.close()
    hand.settle()
    hand.focus()
    page = os.path.join(os.path.dirname(__file__), '../../docs/viewing/window.md')
    assert actions.table_of_keys() in open(page).read(), 'docs/viewing/window.md has not the keys of actions.py'


def test_panels_fit_into_a_small_window(hand):
    from PyQt5.QtWidgets import QWidget
    window = hand.window
    for size in ((800, 600), SIZE):
        window.resize(*size)
        hand.settle(0.1)
        assert (window.width(), window.height()) == size
        for title in ('Look', 'Show', 'Inspect', 'Contacts'):
            window.open_panel(title)
            hand.settle()
            for widget in (window.view, window.time_line, window.tabs, *window.time_line.findChildren(QWidget)):
                if widget.isVisible():
                    corner = widget.mapTo(window, widget.rect().bottomRight())
                    assert corner.x() < size[0] and corner.y() < size[1], (title, widget)
            assert window.view.width() > 0.5 * size[0]
    hand.key('Tab')
    assert not window.panels.isVisible() and window.view.width() == SIZE[0]
    hand.key('Tab')
    assert window.panels.isVisible()


# Simulations

LIVE = MODEL + '''
one, two = model('out/live', 0.005), model('out/other', 0.3)
print('two models')
DISPLAY_POINT(one.bodies[2], (-0.1, -0.4, 1.5), 'corner')
def trouble():
    if two.time > 0.05:
        raise RuntimeError('lost in a callback')
CALLBACK(two, 0.01, None, trouble)
RUN(one, GAUSS_SEIDEL_SOLVER(1E-6, 1000), 0.3)
RUN(two, GAUSS_SEIDEL_SOLVER(1E-6, 1000), 0.1)
raise ValueError('an error of the script')
'''


def test_a_simulation_is_run_and_looked_at(application, tmp_path):
    from solfec.window.feed import Feed
    from solfec.window.simulations import Simulations
    process, descriptor = start_program(tmp_path, LIVE)
    hand = open_window([], lambda session: Simulations(session, Feed(descriptor)))
    window, session = hand.window, hand.window.session
    hand.until(lambda: len(session.models) == 2 and session.scene and 'code 1' in window.console.toPlainText())
    hand.focus()
    # What the script prints, and its error, which ends nothing.
    text = window.console.toPlainText()
    assert 'two models' in text and 'ValueError: an error of the script' in text and window.output.isVisible()
    assert window.time_line.run_row.isVisible() and 'waiting' in window.time_line.status.text()
    hand.key('q')
    assert not window.output.isVisible()
    start = hand.pixels()
    x, y = hand.seen_at((-0.1, -0.4, 1.5))
    purple = np.abs(start - (191, 13, 115)).max(axis=2) < 40    # the point and, at its right, its label
    assert purple[y - 4:y + 5, x - 4:x + 5].sum() > 20 and purple[y - 30:y + 5, x + 10:x + 80].sum() > 20
    hand.key('s')
    hand.until(lambda: 'paused' in window.time_line.status.text())
    hand.until(lambda: session.scene.time == pytest.approx(0.001))
    hand.key('shift+s')
    hand.until(lambda: session.scene.time == pytest.approx(0.011))
    hand.key('u')
    hand.type('0.1\n')
    hand.until(lambda: session.scene.time == pytest.approx(0.1, abs=1.1E-3))
    assert 0.002 < different(hand.pixels(), start) < 0.5        # a live picture
    # A step back through the frames that were sent, and on.
    frames = len(session.model.times)
    assert frames >= 3 and window.time_line.frame.text() == f'{frames} / {frames}'
    hand.key('Home')
    assert session.scene.time == 0 and different(hand.pixels(), start) < 0.01
    hand.key('End')
    session.change(colour='mises')
    hand.until(lambda: session.scene.state.time == session.model.times[-1] and session.range and session.range[1] > 0)
    hand.key('r')
    hand.until(lambda: 'ended' in window.time_line.status.text())
    hand.until(lambda: session.scene.time == pytest.approx(0.3))
    assert 'step 300' in window.time_line.status.text() and 't = 0.3 of 0.3 s' in window.time_line.status.text()
    session.select(('body', 4))
    hand.until(lambda: window.inspector.history.done)
    assert len(window.inspector.history.values) == len(session.model.times)
    # What it has written, as results.
    hand.key('d')
    assert len(session.models) == 3 and not session.model.live and len(session.model.times) == 31
    # An error in a callback is shown and ends nothing.
    hand.key('less')
    hand.key('r')
    hand.until(lambda: 'lost in a callback' in window.console.toPlainText())
    assert window.output.isVisible()
    hand.until(lambda: 'ended' in window.time_line.status.text())
    hand.key('less')
    assert session.scene.time == pytest.approx(0.3)
    hand.key('ctrl+q')
    assert not window.isVisible()
    assert process.wait(20) == 1                                # the code of the script
    # The same results, to the last bit, as without a window.
    plain = tmp_path / 'plain'
    plain.mkdir()
    (plain / 'script.py').write_text(LIVE)
    subprocess.run([os.environ['SOLFEC_PROGRAM'], 'script.py'], cwd=plain, capture_output=True)
    one, two = Results(str(tmp_path / 'out/live')), Results(str(plain / 'out/live'))
    assert len(one) == len(two) == 31
    assert all(np.array_equal(one.arrays(k).u, two.arrays(k).u) for k in range(31))


def test_a_program_that_dies_is_told(application, tmp_path):
    from solfec.window.feed import Feed
    from solfec.window.simulations import Simulations
    process, descriptor = start_program(tmp_path, MODEL + "import os\nsolfec = model('out/one', 0.1)\n"
                                        "RUN(solfec, GAUSS_SEIDEL_SOLVER(), 1)\nos._exit(3)\n")
    hand = open_window([], lambda session: Simulations(session, Feed(descriptor)))
    hand.until(lambda: 'ended unexpectedly' in hand.window.console.toPlainText())
    assert hand.window.isVisible()
    process.wait()
    hand.close()


def test_frames_of_a_run_take_bounded_memory(folder):
    from solfec.live import LiveSource
    from solfec.window.model import Model
    results = Results(str(folder / 'out/one'))
    model = Model.of_run('run')
    assert isinstance(model.source, LiveSource)
    model.source.define(results.definition_columns())
    model.source.add(results.arrays(0), None)
    assert model.update()
    model.source.memory = 40 * model.source._frames[0].size     # frames with contacts are larger
    for k in range(1, 15):
        model.source.add(results.arrays(k), None)
        model.update()
        assert model.scene.time == results.times[k]             # it follows
    assert sum(frame.size for frame in model.source._frames) <= model.source.memory
    kept = len(model.times)
    assert 3 <= kept < 12 and np.array_equal(model.times, results.times[15 - kept:15])
    model.scene.frame(kept - 2)                                 # who looks back stays there
    time = model.scene.time
    model.source.add(results.arrays(15), None)
    model.update()
    assert model.scene.time == time and model.times[model.number] == time
    for k in range(16, 31):
        model.source.add(results.arrays(k), None)
        model.update()
    assert model.scene.time == model.times[model.number]        # until it is given up: then the oldest one that is kept
    last = Scene(results, 30)
    assert np.array_equal(model.scene.frame(-1).points, last.points)


# The command

PYTHON = os.environ.get('SOLFEC_PYTHON', sys.executable)


def command(folder, *words, without=None, **environment):
    """Exit code and what is said of the command, perhaps without a module of Python."""
    code = 'import sys\n'
    if without:
        code += f'sys.modules[{without!r}] = None\n'
    code += 'from solfec.window.__main__ import main\nsys.exit(main(sys.argv[1:]))'
    done = subprocess.run([PYTHON, '-c', code, *words], cwd=folder, env={**os.environ, **environment},
                          capture_output=True, text=True)
    return done.returncode, done.stderr


def test_errors_are_one_line(display, folder):
    assert command(folder, 'out/nowhere') == (1, 'solfec.window: no results in out/nowhere: there is no file '
                                                 'out/nowhere/nowhere.h5\n')
    code, text = command(folder, 'out/one', DISPLAY='')
    assert (code, text.count('\n')) == (1, 1) and 'DISPLAY is not set' in text
    code, text = command(folder, 'out/one', DISPLAY=':987')
    assert (code, text.count('\n')) == (1, 1) and 'DISPLAY is :987' in text
    code, text = command(folder, 'out/one', '-g', '10x')
    assert code == 2 and "must be WIDTHxHEIGHT in pixels, like 1200x900; got '10x'" in text
    code, text = command(folder)
    assert code == 2 and 'which results?' in text
    for module in ('PyQt5', 'vtkmodules'):
        code, text = command(folder, 'out/one', without=module)
        assert (code, text.count('\n')) == (1, 1) and module in text and 'apt-get install python3-pyqt5' in text


def test_the_command_opens_a_window_of_a_size(display, folder):
    window = subprocess.Popen([PYTHON, '-m', 'solfec.window', 'out', '-s', 'one', '-g', '900x650'], cwd=folder)
    found = subprocess.run(['xdotool', 'search', '--sync', '--onlyvisible', '--all', '--pid', str(window.pid), '--name',
                            '^one'], capture_output=True, text=True, timeout=20).stdout.split()
    told = subprocess.run(['xdotool', 'getwindowgeometry', found[0]], capture_output=True, text=True).stdout
    assert re.search('Geometry: 900x650', told)
    window.terminate()
    window.wait()


def test_the_status_counts_bodies_contacts_and_joints():
    from types import SimpleNamespace

    from solfec.window.main_window import counts

    def of(ids, kinds):
        return counts(SimpleNamespace(ids=ids, state=SimpleNamespace(constraints={'kind': np.array(kinds, dtype=int)})))

    assert of([4], [0, 3, 0]) == '1 body, 2 contacts, 1 joint'
    assert of([4, 5], []) == '2 bodies, 0 contacts'
