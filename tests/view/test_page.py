"""The page without a browser: what it is told is what results have, and nobody is told who should not be."""

import base64
import gzip
import hashlib
import http.client
import json
import re
import shutil
import socket
import subprocess
import time
import urllib.parse
import weakref

import numpy as np
import pytest
from page_model import EVIL, PYTHON, ROOT, Served, run_model, running, solfec

from solfec.page import command
from solfec.page.assets import FOLDER, SCRIPTS
from solfec.page.message import MAGIC
from solfec.page.model_data import find_edges
from solfec.page.scene_data import SceneData
from solfec.page.server import PageServer
from solfec.rotations import quaternions
from solfec.results import BODY_KINDS, Results
from solfec.scene import Scene

TYPES = {'f': np.float32, 'i': np.int32, 'u': np.uint32, 'b': np.uint8}
KINDS = {'.js': 'text/javascript', '.css': 'text/css', '': 'text/html'}


def decode(data):
    """Values and arrays of a message."""
    assert data[:4] == MAGIC
    length = int.from_bytes(data[4:8], 'little')
    header = json.loads(data[8:8 + length])
    return header['values'], {name: np.frombuffer(data, TYPES[letter], count, 8 + length + offset)
                              for name, (letter, offset, count) in header['arrays'].items()}


@pytest.fixture(scope='module')
def results(tmp_path_factory):
    return run_model(tmp_path_factory.mktemp('page'))


@pytest.fixture(scope='module')
def served(results):
    with Served(results) as server:
        yield server


def ask(address, path=None, host=None, method='GET', body=None, headers=()):
    """Status, headers and content. `path` as it is sent, without any change to it."""
    parts = urllib.parse.urlsplit(address)
    connection = http.client.HTTPConnection('127.0.0.1', parts.port, timeout=20)
    connection.putrequest(method, parts.path + (f'?{parts.query}' if parts.query else '') if path is None else path,
                          skip_host=True)
    for name, value in (('Host', host or parts.netloc), *headers):
        connection.putheader(name, value)
    connection.endheaders(body)
    response = connection.getresponse()
    return response.status, response.headers, response.read()


def get(served, name):
    status, _, content = ask(served.address + name)
    assert status == 200, content
    return json.loads(content) if content[:1] == b'{' else decode(content)


# What the page is told

def test_quaternions_are_those_of_rotations():
    from_axes = np.linalg.qr(np.random.default_rng(3).normal(size=(200, 3, 3)))[0]
    from_axes *= np.sign(np.linalg.det(from_axes))[:, None, None]
    half_turns = np.array([np.diag(d) for d in ((1, -1, -1), (-1, 1, -1), (-1, -1, 1), (1, 1, 1))])
    R = np.concatenate([from_axes, half_turns])
    x, y, z, w = quaternions(R).T
    again = np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
                      [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                      [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]]).transpose(2, 0, 1)
    assert np.abs(again - R).max() < 1E-14


def test_shapes_put_where_frames_have_them_are_those_of_the_scene(served, results):
    """As the page does it: points of shapes by poses, nodes as they are."""
    run, (values, model), (_, frame) = get(served, 'run'), get(served, 'model'), get(served, 'frame?number=3')
    scene = Scene(Results(results)).frame(3)
    origin = np.array(run['origin'])
    assert run['times'] == scene.times.tolist() and run['frames'] == len(scene.times)
    assert [values['labels'][k] for k in model['label'][frame['row']]] == scene.label.tolist()
    assert (model['kind'][frame['row']] == scene.kind).all() and (model['id'][frame['row']] == scene.ids).all()
    center, turn = frame['center'].reshape(-1, 3), frame['turn'].reshape(-1, 4)
    assert np.abs(np.linalg.norm(turn, axis=1)[scene.kind < 2] - 1).max() < 1E-6
    F = scene.gradient.copy()
    F[scene.kind == BODY_KINDS.index('PSEUDO_RIGID')] = frame['map'].reshape(-1, 3, 3)
    assert np.abs(quaternions(scene.gradient) - turn).max() < 1E-6
    begin = np.concatenate([[0], np.cumsum(model['shapePoints'], dtype=int)])
    points, nodes = [], iter(frame['point'].reshape(-1, 3))
    for body, row in enumerate(frame['row']):
        shape = model['shape'][row]
        if shape < 0:
            continue
        own = model['point'].reshape(-1, 3)[begin[shape]:begin[shape + 1]]
        is_mesh = scene.kind[body] == BODY_KINDS.index('FINITE_ELEMENT')
        points += [next(nodes) if is_mesh else center[body] + F[body] @ X for X in own]
    assert np.abs(np.array(points) + origin - scene.points).max() < 1E-5
    ball_body = np.searchsorted(frame['row'], model['ballRow'])
    balls = F[ball_body] @ model['ballMap'].reshape(-1, 3, 3)
    assert np.abs(balls - scene.balls.map).max() < 1E-6


def test_a_server_that_closes_frees_the_results(results):
    """Not the thread of an answer, which may end with the interpreter: h5py would wait for it for ever."""
    server = PageServer(SceneData(Scene(results), 'scene'))
    server.data.frame(2)
    scene, model = weakref.ref(server.data.scene), weakref.ref(server.data.model_data)
    server.server_close()
    assert scene() is None and model() is None


def test_each_distinct_shape_is_sent_once(tmp_path):
    (tmp_path / 'bricks.py').write_text('''
solfec = SOLFEC('DYNAMIC', 1E-3, 'out/bricks')
soft = BULK_MATERIAL(solfec)
brick = HULL([0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1], 1, 1)
for k in range(20):
    BODY(solfec, 'RIGID', TRANSLATE(COPY(brick), (3.3 * k, 0.1 * k, 0)), soft)
BODY(solfec, 'RIGID', SCALE(TRANSLATE(COPY(brick), (0, 9, 0)), (1, 1, 2)), soft)
RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-3, 10), 2E-3)
''')
    solfec('bricks.py', cwd=tmp_path)
    with Served(tmp_path / 'out/bricks') as server:
        _, model = get(server, 'model')
        assert model['shape'].tolist() == [0] * 20 + [1] and len(model['shapePoints']) == 2
        values, frame = get(server, 'frame?number=1')
        _, again = get(server, f'frame?number=2&layout={values["layout"]}')
        assert 'row' in frame and 'row' not in again
        assert len(again['center']) * 4 + len(again['turn']) * 4 == 28 * 21


def test_edges_are_where_faces_bend(results):
    """A box has 12, and none of the diagonals; the mesh of 2 x 2 x 2 elements has 24 bent ones of 48 on its surface."""
    scene = Scene(Results(results))
    edges, feature = find_edges(scene.model)
    row = scene.model.points.row[edges[:, 0]]
    stone, mesh = (int(scene.rows[scene.bodies_labelled(label)[0]]) for label in ('stone', 'mesh'))
    assert (row == stone).sum() == 12 and feature[row == stone].all()
    assert (row == mesh).sum() == 48 and feature[row == mesh].sum() == 24


@pytest.mark.parametrize('name, place', [('speed', 'points'), ('kind', 'bodies'), ('surface', 'faces'),
                                         ('mises', 'points'), ('kinetic energy', 'bodies'), ('label', 'bodies'),
                                         ('rank', 'bodies')])
def test_fields(served, results, name, place):
    values, arrays = get(served, f'field?number=5&name={urllib.parse.quote(name)}')
    scene = Scene(Results(results)).frame(5)
    field = scene.field(name)
    assert values['place'] == place and values['unit'] == field.unit
    assert np.allclose(arrays['value'], field.on(place), rtol=1E-6)
    if place != 'bodies':
        assert np.allclose(arrays['ball'], field.on('balls'), rtol=1E-6)
    assert values['all'] == list(field.range())
    moving = values['moving']
    assert moving == list(field.range(scene.kind == 0))
    ranges = [Scene(Results(results)).frame(k).field(name).range() for k in range(len(scene.times))]
    run = get(served, f'range?name={urllib.parse.quote(name)}')
    assert run['done'] == run['frames'] == len(scene.times)
    assert run['all'] == [min(low for low, high in ranges), max(high for low, high in ranges)]


def test_contacts_and_figures(served, results):
    values, arrays = get(served, 'contacts?number=5&columns=gap')
    scene = Scene(Results(results)).frame(5)
    table = scene.contacts
    assert len(table) > 4
    origin = np.array(get(served, 'run')['origin'])
    assert np.abs(arrays['point'].reshape(-1, 3) + origin - table.point).max() < 1E-6
    assert np.allclose(arrays['force'].reshape(-1, 3), table.force, rtol=1E-5, atol=1E-4)
    assert (arrays['state'] == table.state).all() and np.allclose(arrays['column gap'], table.gap)
    # Tubes reach as deep into the stone as its centre is along the force.
    stone = scene.bodies_labelled('stone')[0]
    row = int(np.flatnonzero((table.bodies == stone).any(axis=1))[0])
    side = int(np.flatnonzero(table.bodies[row] == stone)[0])
    along = abs((scene.center[stone] - table.point[row]) @ table.force[row]) / table.size[row]
    assert arrays['reach'].reshape(-1, 2)[row, side] == pytest.approx(along, rel=1E-5)
    assert arrays['reach'].reshape(-1, 2)[row, 1 - side] == 0  # the floor
    rows = {what: value for what, value, unit in get(served, f'contact?number=5&row={row}')['rows']}
    assert rows['force'] == pytest.approx(table.size[row]) and rows['state'] in ('sticking', 'sliding')
    assert rows['friction'] == 0.3
    rows = {what: value for what, value, unit in get(served, f'body?number=5&id={scene.ids[stone]}&name=speed')['rows']}
    assert rows['label'] == 'stone' and rows['mass'] == pytest.approx(216) and rows['kind'] == 'RIGID'
    assert rows['speed'] == pytest.approx(np.linalg.norm(rows['velocity']))
    weight = scene.model.bodies.mass[scene.rows[stone]] * 9.81
    assert rows['force of contacts'][2] == pytest.approx(weight, rel=0.2) and rows['contacts'] >= 3


def test_all_keys_are_in_the_docs():
    keys = (FOLDER / 'keys.js').read_text()
    names = re.findall(r"^  \['.+?', '(.+?)', '", keys, re.M)
    docs = (ROOT / 'docs/viewing/page.md').read_text()
    listed = re.findall(r'`(.+?)`', docs[docs.index('## Keys'):docs.index('## One file')])
    assert len(names) > 20 and sorted(listed) == sorted(names)


# Who is told

def test_assets_have_policies_and_types(served):
    status, headers, content = ask(served.address)
    assert status == 200 and headers['Content-Type'].startswith('text/html')
    policy = headers['Content-Security-Policy']
    assert "default-src 'none'" in policy and 'unsafe' not in policy and 'http' not in policy and '*' not in policy
    assert headers['X-Content-Type-Options'] == 'nosniff' and headers['Referrer-Policy'] == 'no-referrer'
    assert 'Set-Cookie' not in headers and 'Access-Control-Allow-Origin' not in headers
    assert b'<script>' not in content and b'style=' not in content and b'onclick' not in content
    names = re.findall(rb'(?:src|href)="([^"]+)"', content)
    assert len(names) > 15
    for name in names:
        if name == b'data:,':
            continue
        status, headers, content = ask(served.address + name.decode())
        assert status == 200 and headers['Content-Type'].startswith(KINDS[name.decode()[name.decode().rindex('.'):]])


def test_scripts_of_the_page_are_those_of_the_list(served):
    _, _, content = ask(served.address)
    assert re.findall(r'<script src="(.+?)">', content.decode()) == ['three.js', *SCRIPTS]
    assert sorted(path.name for path in FOLDER.iterdir()) == sorted([*SCRIPTS, 'page.html', 'page.css'])


@pytest.mark.parametrize('token', ['', 'x', 'WRONG', '%00', '..'])
def test_wrong_token(served, token):
    token = served.address.split('/')[3][:-1] + 'é' if token == 'x' else token
    status, _, content = ask(served.address, path=urllib.parse.quote(f'/{token}/run', safe='/%.'))
    assert status == 403 and b'frames' not in content


def test_host_names(served):
    port = urllib.parse.urlsplit(served.address).port
    assert ask(served.address, host=f'localhost:{port}')[0] == 200
    for host in (f'evil.example:{port}', '127.0.0.1', f'127.0.0.1:{port + 1}', f'127.0.0.1:{port}.evil.example',
                 f'[::1]:{port}'):
        status, _, content = ask(served.address + 'run', host=host)
        assert status == 403 and b'frames' not in content, host
    status, _, _ = ask(served.address, host=f'evil.example:{port}', headers=[('Host', f'127.0.0.1:{port}')])
    assert status == 403


@pytest.mark.parametrize('path', [
    '../../../../etc/passwd', '..%2f..%2f..%2fetc%2fpasswd', '%2e%2e/%2e%2e/etc/passwd', '//etc/passwd', '/etc/passwd',
    'assets/page.js', '..\\..\\etc\\passwd', 'page.js/../server.py', 'scene.h5', 'server.py', '%00', 'three.js%00.html',
    'frame/../run'])
def test_nothing_else_can_be_asked_for(served, path):
    token = urllib.parse.urlsplit(served.address).path
    status, _, content = ask(served.address, path=token + path)
    assert status == 404 and b'root:' not in content and b'import' not in content


@pytest.mark.parametrize('path, status, told', [
    ('frame', 400, 'number is missing'), ('frame?number=-1', 400, 'whole number'),
    ('frame?number=1e3', 400, 'whole number'),
    ('frame?number=' + 20 * '9', 400, 'whole number'), ('frame?number=999', 400, 'frames 0 to 5'),
    ('field?number=1&name=nothing', 400, 'unknown field'), ('field?number=1&name=velocity', 400, 'unknown field'),
    ('contacts?number=1&columns=x', 400, 'unknown figure'), ('body?number=1&id=77', 400, 'no body 77'),
    ('contact?number=1&row=100000', 400, 'contacts in frame'), ('model?begin=50', 400, 'definitions'),
    ('frame?' + '&'.join(['number=1'] * 9), 400, 'cannot be read'), ('frame?number=%ff', 400, 'cannot be read'),
    ('frame?number=1&layout=' + 3000 * 'a', 414, 'characters')])
def test_wrong_requests(served, path, status, told):
    got, _, content = ask(served.address + path)
    assert got == status and told in json.loads(content)['error']


def test_large_and_unknown_requests(served):
    assert ask(served.address, headers=[('Content-Length', '5')], body=b'hello')[0] == 413
    assert ask(served.address, headers=[('X-Long', 'a' * 20000)])[0] == 431
    assert ask(served.address, method='POST')[0] == 501
    status, headers, content = ask(served.address + 'run', method='HEAD')
    assert status == 200 and int(headers['Content-Length']) > 100 and content == b''
    with socket.create_connection(('127.0.0.1', urllib.parse.urlsplit(served.address).port)) as garbage:
        garbage.sendall(b'\x16\x03\x01 no http\r\n\r\n')
        assert b'400' in garbage.recv(1000)
    assert ask(served.address + 'run')[0] == 200


def test_only_this_machine_is_served(served):
    """All of 127.0.0.0/8 leads to this machine: what listens at every address would answer at any of them."""
    port = urllib.parse.urlsplit(served.address).port
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(('127.0.0.2', port), timeout=5)


def test_second_reader_while_another_one_is_slow(served):
    with socket.create_connection(('127.0.0.1', urllib.parse.urlsplit(served.address).port)) as slow:
        slow.sendall(b'GET /')
        one, two = get(served, 'frame?number=1'), get(served, 'frame?number=4')
    assert one[0]['number'] == 1 and two[0]['number'] == 4
    assert get(served, 'frame?number=1')[0]['time'] == one[0]['time']


# Starting and ending

def page(*words, cwd=None, code=0):
    done = subprocess.run([PYTHON, '-m', 'solfec.page', *map(str, words)], cwd=cwd, capture_output=True, text=True)
    assert done.returncode == code and 'Traceback' not in done.stderr, done.stderr
    return done.stdout + done.stderr


def test_ctrl_c_ends_it(results):
    with Served(results) as server:
        assert server.first_line.startswith('scene: 6 frames at http://127.0.0.1:')
        assert server.stop() == (0, '')


@pytest.mark.parametrize('moment, code', [('SceneData', 130), ('print', 0)])
def test_ctrl_c_ends_it_at_any_moment(results, moment, code, monkeypatch):
    """While results are opened, and while the address is printed."""
    def interrupt(*words, **more):
        raise KeyboardInterrupt
    monkeypatch.setattr(command, moment, interrupt, raising=False)
    assert command.main([str(results)]) == code


def test_port_in_use(results, served):
    port = urllib.parse.urlsplit(served.address).port
    told = page(results, '--port', port, code=2)
    assert told == f'solfec page: argument --port: port {port} is in use; give another one, or none\n'


@pytest.mark.parametrize('words, told', [
    (['nowhere'], "expected a directory of results; got 'nowhere', which does not exist"),
    (['.', '--port', '70000'], '--port: expected a whole number in 0 ... 65535'),
    (['.', '--every', '0'], '--every: expected a whole number'), (['.', '--to', 'nan'], '--to: expected a time'),
    (['.', '--every', '2'], 'solfec page: argument --every: is of a file; give --out FILE.html too'),
    (['.', '--out', 'a.html', '--open'], 'argument --open: is of a page that is served; leave --out out'),
    (['.', '--out', 'a.txt'], 'argument --out: expected a file *.html')])
def test_errors_are_plain(tmp_path, words, told):
    printed = page(*words, cwd=tmp_path, code=2)
    assert told in printed and printed.count('\n') == 1


def test_results_that_are_cut_short(results, tmp_path):
    copy = shutil.copytree(results, tmp_path / 'scene')
    for path in copy.glob('*frames*.h5'):
        path.write_bytes(path.read_bytes()[:2000])
    told = page(copy, code=2)
    assert re.fullmatch(r'solfec page: argument RESULTS: .*\.h5 is damaged: .*(truncated|Unable to open).*\n', told)


# Results that change

def test_run_that_is_going_on(tmp_path):
    program = running('''
solfec = SOLFEC('DYNAMIC', 1E-3, 'out/going')
soft = BULK_MATERIAL(solfec)
BODY(solfec, 'RIGID', SPHERE((0, 0, 0), 1, 1, 1), soft)
OUTPUT(solfec, 0.01)
import os, time
def wait(data):
    while solfec.time > 0.2 and not os.path.exists('go'):
        time.sleep(0.01)
    return 1
CALLBACK(solfec, 0.01, solfec, wait)
RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-3, 10), 1)
''', tmp_path)
    try:
        while not (tmp_path / 'out/going/going.h5').exists():
            assert program.poll() is None
            time.sleep(0.05)
        with Served(tmp_path / 'out/going') as server:
            first = get(server, 'run')
            times = list(first['times'])
            (tmp_path / 'go').touch()
            for _ in range(200):
                more = get(server, f'run?known={len(times)}')
                assert more['begin'] == len(times)
                times += more['times']
                if len(times) == 101:
                    break
                time.sleep(0.1)
            assert len(first['times']) < 30 and np.allclose(times, 0.01 * np.arange(101))
            assert get(server, 'frame?number=100')[0]['time'] == pytest.approx(1)
    finally:
        program.kill()
        program.wait()


@pytest.mark.parametrize('spoil', ['remove', 'cut'])
def test_results_that_are_lost(results, tmp_path, spoil):
    copy = shutil.copytree(results, tmp_path / 'scene')
    with Served(copy) as server:
        get(server, 'frame?number=0')
        for path in copy.glob('*.h5'):
            path.write_bytes(path.read_bytes()[:700]) if spoil == 'cut' else path.unlink()
        status, _, content = ask(server.address + 'run?known=6')
        assert status == 503 and 'cannot be read' in json.loads(content)['error']
        # Short files stay open, so that what is removed can still be read.
        status, _, content = ask(server.address + 'frame?number=4')
        assert status == (200 if spoil == 'remove' else 503), content
        if status == 503:
            assert 'has been cut short' in json.loads(content)['error']
        code, errors = server.stop()
        assert code == 0 and errors == ''


# One file

@pytest.fixture(scope='module')
def file(results, tmp_path_factory):
    path = tmp_path_factory.mktemp('file') / 'scene.html'
    told = page(results, '--out', path, '--from', 0.01, '--to', 0.05, '--every', 2, '--fields', 'speed,label',
                '--contacts')
    assert re.fullmatch(re.escape(str(path)) + r': [\d.]+ MB, 3 frames\n', told), told
    return path.read_text()


def test_file_has_what_was_asked_for(file, served):
    blocks = {name: gzip.decompress(base64.b64decode(text))
              for name, text in re.findall(r'<script type="text/plain" id="(.+?)">(.*?)</script>', file)}
    run = json.loads(blocks['run'])
    assert run['times'] == pytest.approx([0.01, 0.03, 0.05])
    assert [field['name'] for field in run['fields']] == ['speed', 'label']
    for k, number in enumerate((1, 3, 5)):
        (values, arrays), (same, frame) = decode(blocks[f'frame-{k}']), get(served, f'frame?number={number}')
        assert values == same and (arrays['center'] == frame['center']).all()
        field = get(served, f'field?number={number}&name=speed')[1]
        assert (decode(blocks[f'field-{k}-0'])[1]['value'] == field['value']).all()
        assert 'column slip' in decode(blocks[f'contacts-{k}'])[1]
    assert json.loads(blocks['layouts']) == [0] and 'row' not in decode(blocks['frame-2'])[1]


def test_file_is_safe(file):
    """Nothing from results is markup; only scripts of the page run, and nothing is fetched."""
    assert EVIL not in file and 'onerror="' not in file
    policy = re.search(r'http-equiv="Content-Security-Policy" content="(.+?)"', file).group(1)
    assert "default-src 'none'" in policy and 'connect-src' not in policy and 'unsafe' not in policy
    scripts = re.findall(r'<script>(.*?)</script>', file, re.S)
    assert len(scripts) > 15 and not re.findall(r'<script [^>]*src=|<link', file)
    hashes = ["'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'" for text in scripts]
    assert re.search("script-src (.*?);", policy).group(1).split() == hashes


def test_name_of_a_run_is_no_markup(results, tmp_path):
    evil = tmp_path / '<b>&"x'
    evil.mkdir()
    for path in results.iterdir():
        shutil.copy(path, evil / (evil.name + '.h5' if path.name == 'scene.h5' else path.name))
    page(evil, '--out', tmp_path / 'x.html')
    assert '<title>&lt;b&gt;&amp;&quot;x</title>' in (tmp_path / 'x.html').read_text()


@pytest.mark.parametrize('words, told', [
    (['--fields', 'speed,nothing'], "unknown field 'nothing'"), (['--from', '7'], 'there is no frame from 7 s; '),
    (['--from', '0.011', '--to', '0.019'], 'there is no frame from 0.011 to 0.019 s'),
    (['--to', '-1'], 'there is no frame')])
def test_files_that_cannot_be(results, tmp_path, words, told):
    assert told in page(results, '--out', tmp_path / 'x.html', *words, code=2)
    assert not list(tmp_path.iterdir())


def test_folder_that_is_not_there(results, tmp_path):
    assert 'No such file or directory' in page(results, '--out', tmp_path / 'no/x.html', code=2)
