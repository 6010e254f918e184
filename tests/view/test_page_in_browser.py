"""The page as a browser shows it: pixels of pictures, texts of panels. Needs Chromium and its driver (131 MB to
download, 433 MB installed), so ctest does not run it:

    apt-get install chromium chromium-driver
    SOLFEC_PROGRAM=$PWD/build/bin/solfec SOLFEC_PYTHON=/usr/bin/python3 PYTHONPATH=$PWD/build/python \\
        build/bin/solfec tests/view/run.py test_page_in_browser.py
"""

import re
import shutil

import numpy as np
import pytest
from browser import Browser, close
from page_model import EVIL, Served, python, run_model, running

from solfec.colours import JOINT_COLOUR
from solfec.page import assets

BACKGROUND = np.array([0xf3, 0xf5, 0xf8]) / 255


@pytest.fixture(scope='module')
def results(tmp_path_factory):
    return run_model(tmp_path_factory.mktemp('browser'))


@pytest.fixture(scope='module')
def browser():
    with Browser((1000, 640)) as browser:
        yield browser


@pytest.fixture(scope='module')
def served(results):
    with Served(results) as server:
        yield server


@pytest.fixture
def page(browser, served):
    """The page anew, seen along y by parallel rays: x is to the right, z is up."""
    return opened(browser, served.address)


def opened(browser, address):
    browser.open(address)
    browser.wait('page.drawing && page.drawing.pictures > 0')
    choose(browser, '#rays', 'parallel')
    browser.run('page.look("-y")')
    settle(browser)
    return browser


def settle(browser):
    """Until all that was asked for is drawn."""
    browser.run('''return (async () => {
        do { await new Promise((resolve) => setTimeout(resolve, 30)); } while (page.showing || page.drawing.waiting);
        await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    })()''')


def choose(browser, selector, value):
    browser.run('''const select = document.querySelector(arguments[0]); select.value = arguments[1];
        select.dispatchEvent(new Event('change')); select.dispatchEvent(new Event('input'))''', selector, value)
    settle(browser)


def place(browser, x, y, z):
    """Pixel where a point of space is."""
    return browser.run('''const camera = page.drawing._prepare(), p = new THREE.Vector3(...arguments)
        .sub(new THREE.Vector3(...page.run.origin)).project(camera);
        const {clientWidth: w, clientHeight: h} = page.drawing.canvas;
        return [Math.round((p.x + 1) / 2 * w), Math.round((1 - p.y) / 2 * h)]''', x, y, z)


def colour(browser, x, y, z):
    """Of the picture at a point of space."""
    column, row = place(browser, x, y, z)
    return browser.picture()[row, column]


def view(browser):
    """The picture without panels and axes."""
    return browser.picture()[:490, :745]


def is_reddish(c):
    return c[0] > 1.25 * c[2] and c[0] > 1.1 * c[1]


def is_bluish(c):
    return c[2] > 1.25 * c[0]


def is_greenish(c):
    return c[1] > 1.1 * c[0] and c[1] > 1.1 * c[2]


def is_grey(c):
    return np.ptp(c) < 0.04


def test_bodies_are_where_they_are(page):
    """Points just inside and just outside of each outline."""
    picture = page.picture()

    def at(x, z):
        column, row = place(page, x, 0, z)
        return picture[row, column]

    assert is_reddish(at(-2, 0.4)) and is_reddish(at(-2.33, 0.4)) and is_reddish(at(-2, 0.7))
    assert close(at(-2.5, 0.4), BACKGROUND) and close(at(-2, 0.9), BACKGROUND) and close(at(-2.33, 0.72), BACKGROUND)
    # Ellipsoid, stone, mesh, floor
    assert is_bluish(at(-0.7, 0.3)) and is_bluish(at(-1.02, 0.3)) and close(at(-1.16, 0.3), BACKGROUND)
    assert not close(at(0.33, 0.5), BACKGROUND) and close(at(0.2, 0.5), BACKGROUND)
    assert is_greenish(at(1.6, 0.4)) and close(at(1.7, 0.75), BACKGROUND)
    assert is_grey(at(0, -0.1)) and not close(at(0, -0.1), BACKGROUND)
    assert page.log() == []


def test_balls_are_round_in_perspective_too(page):
    """The outline from the side, near and large: an ellipse that passes the tangent points of lines of sight."""
    choose(page, '#rays', 'perspective')
    page.run('page.drawing.camera.target.set(-1.8, 0, 0.1); page.drawing.camera.distance = 3')
    choose(page, '#edges', 'none')
    picture = page.picture()[:, :700]
    ball = (picture[..., 0] > 1.25 * picture[..., 2]) & (picture[..., 0] > 1.1 * picture[..., 1])
    eye = np.array(page.run('return page.drawing._prepare().position.length() >= 0 && '
                            'new THREE.Vector3().setFromMatrixPosition(page.drawing._prepare().matrixWorld)'
                            '.add(new THREE.Vector3(...page.run.origin)).toArray()'))
    # Points on the circle along which lines of sight touch the ball.
    centre, r = np.array([-2, 0, 0.4]), 0.4
    d = centre - eye
    length = np.linalg.norm(d)
    d /= length
    middle, radius = centre - d * r * r / length, r * np.sqrt(1 - (r / length)**2)
    u = np.cross(d, [0, 0, 1])
    u /= np.linalg.norm(u)
    v = np.cross(u, d)
    for angle in np.linspace(0, np.pi, 9):  # the upper half, without the floor
        for scale, inside in ((0.96, True), (1.05, False)):
            x, y = place(page, *(middle + scale * radius * (np.cos(angle) * u + np.sin(angle) * v)))
            assert ball[y, x] == inside, (angle, scale)


def test_time_line(page):
    assert '1 of 6' in page.text('#clock')
    page.run('document.querySelector("#forward").click()')
    page.wait('page.shown.number === 1')
    assert re.fullmatch(r'0.01 s · 2 of 6', page.text('#clock'))
    for key, number in (('\ue014', 2), ('\ue010', 5), ('\ue012', 4), ('\ue011', 0)):
        page.key(key)
        page.wait(f'page.shown.number === {number}')
    choose(page, '#line', 3)
    page.wait('page.shown.number === 3')
    choose(page, '#speed', '0.05')
    page.key(' ')
    page.wait('page.player.playing')
    page.wait('!page.player.playing')
    assert page.run('return page.shown.number') == 5
    # The stone slides along y.
    page.run('page.look("+x"); return page.player.go(0)')
    settle(page)
    first = page.picture()
    page.run('return page.player.go(5)')
    settle(page)
    assert np.abs(first - page.picture()).max() > 0.3


def test_colours_by_a_field(page):
    page.run('return page.player.go(5)')
    choose(page, '#field', 'speed')
    legend = page.text('#legend')
    assert legend.startswith('speed [m/s]') and float(legend.split()[2]) > 0.5
    stone, grain = colour(page, 0.45, -0.3, 0.45), colour(page, -0.7, -0.2, 0.3)
    assert stone[1] > 0.6 and stone[2] < 0.45      # the fast one: yellow
    assert grain[2] > grain[1]                     # the slow one: violet
    assert is_grey(colour(page, -1.4, -1, -0.1))   # obstacles have no colour of the scale
    page.run('document.querySelector("#colour-obstacles").click()')
    settle(page)
    assert not is_grey(colour(page, -1.4, -1, -0.1))
    choose(page, '#range-kind', 'run')
    page.wait('page.scale.ofRun.has("speed")')
    assert float(page.text('#legend').split()[2]) == pytest.approx(1, abs=0.02)  # at the start
    choose(page, '#range-low', '0.5')
    choose(page, '#range-high', '50')
    assert page.text('#legend').split()[2:] == ['50', '37.63', '25.25', '12.88', '0.5']
    page.key('l')
    settle(page)
    assert page.text('#legend').split()[2:] == ['50', '15.81', '5', '1.581', '0.5']
    choose(page, '#range-high', '0.1')
    assert 'from a lower to a higher' in page.text('#range-note')


def test_fields_of_faces_end_at_edges_and_categories_have_names(page):
    choose(page, '#field', 'label')
    legend = page.text('#legend')
    assert 'stone' in legend and EVIL in legend
    choose(page, '#field', 'surface')
    one, two = colour(page, 0.45, -0.3, 0.3), colour(page, 0.85, -0.3, 0.55)
    assert np.abs(one - two).max() < 0.1


def test_picking_a_body(page):
    choose(page, '#field', 'speed')
    page.click(*place(page, -2, 0, 0.4))
    page.wait('document.querySelector("#selection-rows").innerText.includes("mass")')
    text = page.text('#selection')
    assert EVIL in text and 'RIGID' in text and re.search(r'mass \[kg\]\s+268.08', text)
    assert re.search(r'centre \[m\]\s+-2 0 0.4', text)
    assert page.run('return window.broken === undefined && document.querySelector("#selection img") === null')
    page.click(*place(page, 1.7, 0, 0.3))
    page.wait('document.querySelector("#selection").innerText.includes("FINITE_ELEMENT")')
    page.click(400, 30)
    page.wait('document.querySelector("#selection").hidden')


def test_labels_are_no_markup(page):
    assert EVIL in page.run('return document.querySelector("#labels").innerText')
    assert page.run('return window.broken === undefined && document.querySelectorAll("img").length === 0')


def test_forces(page):
    page.run('return page.player.go(5)')
    page.run('document.querySelector("#bodies-glass").click()')
    choose(page, '#contacts', 'network')
    picture = view(page)
    assert 'sticking' in page.text('#force-legend') and re.search(r'mean \|R\| [\d.]+ N', page.text('#force-legend'))
    bluish = (picture[..., 2] > 1.4 * picture[..., 0]).sum()
    reddish = ((picture[..., 0] > 1.7 * picture[..., 1]) & (picture[..., 0] > 1.7 * picture[..., 2])).sum()
    assert bluish > 30 and reddish > 30  # the stone slides
    choose(page, '#contact-scale', '1')
    wider = view(page)
    assert (wider[..., 2] > 1.4 * wider[..., 0]).sum() > 1.2 * bluish
    choose(page, '#contact-column', 'force')
    assert page.text('#force-legend').startswith('forces: force [N]')
    choose(page, '#contacts', 'none')
    without = view(page)
    assert not (without[..., 2] > 1.4 * without[..., 0]).any()


def test_picking_a_contact(page):
    page.run('return page.player.go(5)')
    page.run('document.querySelector("#bodies-glass").click()')
    choose(page, '#contacts', 'network')
    x, y, z = page.run('''const t = page.drawing.forces.tables[2];
        const sliding = t.size.map((size, k) => t.state[k] === 2 ? size : 0);
        const row = sliding.indexOf(Math.max(...sliding));
        return [0, 1, 2].map((d) => t.point[3 * row + d] + page.run.origin[d])''')
    page.click(*place(page, x, y, z + 0.1))
    page.wait('document.querySelector("#selection-title").innerText === "contact"')
    page.wait('document.querySelector("#selection-rows").innerText.includes("normal force")')
    before = page.text('#selection')
    assert re.search(r'state\s+(sticking|sliding)', before)
    page.key('\ue012')
    page.wait('page.shown.number === 4')
    settle(page)
    assert page.text('#selection-title') == 'contact' and page.text('#selection') != before  # it is followed


def test_hidden_and_glass(page):
    page.run('''[...document.querySelectorAll('#kinds .choice')][0].children[2].click()''')  # obstacles: hidden
    settle(page)
    assert close(colour(page, -1.4, -1, -0.1), BACKGROUND)
    page.run('''[...document.querySelectorAll('#labels > div')].find((row) => row.innerText.startsWith('stone'))
        .querySelectorAll('button')[1].click()''')
    settle(page)
    glass = colour(page, 0.45, -0.3, 0.45)
    assert not close(glass, BACKGROUND) or np.abs(glass - BACKGROUND).max() > 0.02
    assert np.abs(glass - BACKGROUND).max() < 0.35
    page.click(*place(page, -2, 0, 0.4))
    page.wait('!document.querySelector("#selection").hidden')
    page.key('h')
    page.key('\ue00c')  # Esc: the panel covers it
    settle(page)
    assert close(colour(page, -2, 0, 0.4), BACKGROUND)
    page.key('a')
    settle(page)
    assert not close(colour(page, -2, 0, 0.4), BACKGROUND) and not close(colour(page, -1.4, -1, -0.1), BACKGROUND)
    page.click(*place(page, 1.7, 0, 0.3))
    page.wait('!document.querySelector("#selection").hidden')
    page.key('o')
    settle(page)
    assert close(colour(page, 0.45, -0.3, 0.45), BACKGROUND)


def test_cutting_plane(page):
    choose(page, '#cut-axis', 'x')  # in the middle: at x = 0
    assert page.text('#cut-note') == 'x = 0 m'
    assert close(colour(page, 1.7, 0, 0.3), BACKGROUND) and not close(colour(page, -2, 0, 0.4), BACKGROUND)
    page.run('document.querySelector("#cut-flip").click()')
    settle(page)
    assert not close(colour(page, 1.6, 0, 0.4), BACKGROUND) and close(colour(page, -2, 0, 0.4), BACKGROUND)
    page.click(*place(page, -2, 0, 0.4))
    settle(page)
    assert page.text('#selection') is None  # what is cut away is not picked
    page.run('document.querySelector("#cut-flip").click()')
    choose(page, '#cut-axis', 'y')
    page.run('page.look("+y")')
    settle(page)
    inside = colour(page, -2.1, 0, 0.5)  # the section of the ball is even
    assert close(inside, colour(page, -1.85, 0, 0.3)) and not close(inside, BACKGROUND)


def test_edges(page):
    column, row = place(page, 0.3, -0.3, 0.3)  # the left edge of the stone
    dark = [page.picture()[row, column - 2:column + 3].max(axis=1).min()]
    for kind in ('none', 'all'):
        choose(page, '#edges', kind)
        dark.append(page.picture()[row, column - 2:column + 3].max(axis=1).min())
    plain = dark[1]
    assert dark[0] < 0.75 * plain and dark[2] < 0.75 * plain
    # Edges between elements lie in the middle of the side of the mesh.
    column, row = place(page, 1.7, -0.3, 0.45)
    around = page.picture()[row, column - 8:column + 9].max(axis=1)
    assert around[6:11].min() < 0.75 * around.max()
    choose(page, '#edges', 'surface')
    assert np.ptp(page.picture()[row, column - 8:column + 9].max(axis=1)) < 0.05


def test_views_and_rays(page):
    for view, seen in (('+z', (0.6, 0, 0.6)), ('-z', (0, 0, -0.2)), ('+x', (2, 0, 0.45)), ('-y', (0.45, -0.3, 0.45))):
        page.run(f'document.querySelector("[data-view=\'{view}\']").click()')
        settle(page)
        assert not close(colour(page, *seen), BACKGROUND), view
    page.key('z')
    settle(page)
    assert page.run('return page.drawing.camera.axes().back.z') == pytest.approx(1)
    size = page.run('return page.drawing.camera.parallel')
    page.key('p')
    assert page.run('return page.drawing.camera.parallel') is not size
    azimuth = page.run('return page.drawing.camera.azimuth')
    page.drag((400, 300), (460, 300))
    assert page.run('return page.drawing.camera.azimuth') != azimuth


def test_all_keys_are_listed(page):
    page.key('?')
    page.wait('document.querySelector("#help").open')
    text = page.text('#help')
    for meaning in ('play or pause', 'cutting plane', 'perspective or parallel', 'save the picture'):
        assert meaning in text
    assert page.run('return KEYS.every(([key, name, meaning, act]) => typeof act === "function")')


def test_run_that_is_going_on(browser, tmp_path):
    program = running('''
solfec = SOLFEC('DYNAMIC', 1E-3, 'out/going')
soft = BULK_MATERIAL(solfec)
import os, time
ball = BODY(solfec, 'RIGID', SPHERE((0, 0, 0), 1, 1, 1), soft, label='first')
def grow(data):
    while solfec.time > 0.1 and not os.path.exists('go'):
        time.sleep(0.01)
    if 0.199 < solfec.time < 0.2005:
        BODY(solfec, 'RIGID', SPHERE((5, 0, 0), 1, 1, 1), soft, label='second')
    return 1
CALLBACK(solfec, 0.01, solfec, grow)
OUTPUT(solfec, 0.01)
RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-3, 10), 0.4)
''', tmp_path)
    try:
        while not (tmp_path / 'out/going/going.h5').exists():
            assert program.poll() is None
        with Served(tmp_path / 'out/going') as server:
            opened(browser, server.address)
            assert browser.run('return page.player.times.length') < 20
            assert 'first' in browser.text('#labels') and 'second' not in browser.text('#labels')
            browser.run('document.querySelector("#follow").click()')
            (tmp_path / 'go').touch()
            browser.wait('page.player.times.length === 41 && page.shown.number === 40', 30)
            assert 'second' in browser.text('#labels') and browser.run('return page.shown.layout.count') == 2
            assert browser.log() == []
    finally:
        program.kill()
        program.wait()


def test_server_and_results_that_are_gone(browser, results, tmp_path):
    copy = shutil.copytree(results, tmp_path / 'scene')
    with Served(copy) as server:
        opened(browser, server.address)
        for path in copy.glob('*.h5'):
            path.write_bytes(path.read_bytes()[:700])
        browser.wait('!document.querySelector("#message").hidden')
        assert 'cannot be read' in browser.text('#message')
    browser.wait('document.querySelector("#message").innerText.includes("no longer served")')
    browser.run('document.querySelector("#last").click()')
    settle(browser)
    assert browser.run('return page.shown.number') == 0  # what was shown stays
    browser.log()


def test_file_without_contacts(results, tmp_path):
    python('-m', 'solfec.page', results, '--out', 'bare.html', cwd=tmp_path)
    with Browser((1000, 640), offline=True) as browser:
        opened(browser, f'file://{tmp_path}/bare.html')
        browser.run('return page.player.go(0)')
        browser.key('c')
        browser.key('\ue010')
        browser.wait('page.shown.number === 5')
        assert not browser.text('#message')


def test_keys_after_a_click_at_a_button(page):
    page.run('return page.player.go(0)')
    for _ in range(2):
        page.run("""const button = document.querySelector('#forward');
            button.focus();
            button.dispatchEvent(new MouseEvent('click', {bubbles: true, detail: 1}))""")
        settle(page)
    page.wait('page.shown.number === 2')
    page.key('\ue014')
    page.wait('page.shown.number === 3')
    page.key(' ')
    page.wait('page.player.playing || page.shown.number > 3')


def test_two_fingers_zoom_and_shift(page):
    seen = page.run("""const camera = page.drawing.camera, before = camera.distance, target = camera.target.clone();
        const box = page.drawing.camera.canvas.getBoundingClientRect();
        const at = (dx, dy) => ({x: box.left + box.width / 2 + dx, y: box.top + box.height / 2 + dy});
        camera._pinch(at(50, 0), at(100, 0), at(-50, 0));
        camera._pinch(at(-50, 0), at(-100, 0), at(100, 0));
        return [camera.distance / before, camera.target.distanceTo(target) / before]""")
    assert seen[0] == pytest.approx(0.5) and seen[1] < 1E-6


def test_a_narrow_window_has_the_panels_below():
    with Browser((360, 640)) as narrow:
        narrow.open(f'file://{assets.FOLDER}/page.html')
        sizes = narrow.run("""const box = (id) => document.getElementById(id).getBoundingClientRect();
            return [box('view').width, box('time').right, box('panels').top - box('view').bottom, innerWidth]""")
    assert sizes[0] == sizes[3] and sizes[1] <= sizes[3] and sizes[2] > 0


def test_joints_have_a_colour_of_their_own(page):
    shown = page.run("""const arrays = {'joint force': new Float32Array(3), 'joint state': [2]};
        return [contactTable(arrays, 'joint ', 'state').value[0], page.run.stateColours]""")
    assert shown[0] == 3 and shown[1][3] == [int(c) for c in JOINT_COLOUR]


def test_file_without_a_network(results, tmp_path):
    python('-m', 'solfec.page', results, '--out', 'scene.html', '--fields', 'speed,label', '--contacts', cwd=tmp_path)
    with Browser((1000, 640), offline=True) as browser:
        opened(browser, f'file://{tmp_path}/scene.html')
        assert is_reddish(colour(browser, -2, 0, 0.4)) and is_greenish(colour(browser, 1.6, 0, 0.4))
        browser.run('return page.player.go(5)')
        choose(browser, '#field', 'speed')
        assert browser.text('#legend').startswith('speed [m/s]')
        choose(browser, '#range-kind', 'run')
        browser.wait('page.scale.ofRun.has("speed")')
        browser.click(*place(browser, -2, 0, 0.4))
        browser.wait('document.querySelector("#selection-rows").innerText.includes("mass")')
        assert EVIL in browser.text('#selection') and re.search(r'centre \[m\]\s+-2 0 0.4', browser.text('#selection'))
        choose(browser, '#contacts', 'points')
        assert browser.run('return page.drawing.forces.tables[2].count') > 4
        assert browser.run('return window.broken === undefined && document.querySelectorAll("img").length === 0')
        assert browser.run('return performance.getEntriesByType("resource").length') == 0  # nothing was fetched
        assert browser.log() == []
