"""Results that somebody else may have made: all that opens them refuses what they must not hold, in one line with the
file and what is wrong, waits for no pipe and takes no memory for numbers that are not there."""

import os
import struct

import h5py
import numpy
import pytest
from conftest import BUILD

from solfec.model_table import ModelTable
from solfec.results import Results, _heap_texts

TEXT = h5py.string_dtype()
READ = """
    import resource, sys
    resource.setrlimit(resource.RLIMIT_AS, ({most}, {most}))
    solfec, other = falling('out', balls=2), falling('other', balls=2)
    assert solfec.mode == 'READ'
    solver = GAUSS_SEIDEL_SOLVER(1E-3, 100)
    for call in (lambda: RUN(solfec, solver, 0.01), lambda: INITIALIZE_STATE(other, 'out', 0)):
        try:
            call()
            print('went well')
        except RuntimeError as error:
            print(error)
    """
MOST = 4 << 30  # [bytes]


def attribute(name, value):
    def change(file):
        file.attrs[name] = value
    return change


def array(name, data=None, **options):
    def change(file):
        del file[name]
        file.create_dataset(name, data=data, **options)
    return change


def link(name, target):
    def change(file):
        del file[name]
        file[name] = target
    return change


def number(name, at, value):
    def change(file):
        file[name][at] = value
    return change


MESH_AT = 6 * 6  # after six faces of four corners and a surface

# What is changed, and what the program and the reader in Python say of it (None: the reader does not look at it).
INDEX = {
    'another program': (lambda file: file.attrs.clear(), "is not a file of Solfec's results",
                        "is not a file of Solfec's results"),
    'frames as an index': (attribute('content', numpy.bytes_('Solfec results: consecutive frames')),
                           "is not a file of Solfec's results", "is not a file of Solfec's results"),
    'format of many numbers': (attribute('format', numpy.arange(1000)),
                               "'format'", "is not a file of Solfec's results"),
    'format as text': (attribute('format', '8' * 1000), "'format'", "is not a file of Solfec's results"),
    'analysis as a number': (attribute('analysis', 7), "'analysis'", None),
    'analysis of many texts': (attribute('analysis', numpy.array([b'x' * 100] * 9)), "'analysis'", None),
    'analysis that is none': (attribute('analysis', numpy.bytes_('x' * 1000)), 'its analysis is unknown', None),
    'names as numbers': (array('segment/file', [1, 2]), "'segment/file' must hold strings", 'names a file outside'),
    'short names': (array('segment/file', numpy.array([b'x'] * 2)), "'x' is no name of a file of frames",
                    'names a file outside'),
    'bytes that are no text': (array('segment/file', numpy.array([b'\xff\xfe/'] * 2)),
                               r"'\xff\xfe/' is no name of a file", 'names a file outside'),
    'a long name': (array('segment/file', ['x' * 10**6 + '.frames-00000000-00000000.h5'] * 2, dtype=TEXT),
                    'is no name of a file of frames', 'names a file outside'),
    'a huge count': (lambda file: file['segment/frames'].__setitem__(0, 2**62), 'do not follow each other', None),
    'too many names': (array('segment/file', shape=(2**33,), dtype=TEXT, chunks=(1024,)),
                       "'segment/file' has 8589934592 entries", 'file has 8589934592 entries')}
SEGMENT = {
    'a link within': (link('body/q', h5py.SoftLink('/body/u')),
                      "'body/q' is a link to another place", 'body/q is a link'),
    'a link to a file': (link('body/q', h5py.ExternalLink('../secret.h5', '/q')), "'body/q' is a link to another place",
                         'body/q is a link'),
    'a group elsewhere': (link('body', h5py.ExternalLink('../secret.h5', '/')), "'body' is a link to another place",
                          'body is a link'),
    'numbers of a file': (array('body/q', shape=(36,), dtype='f8', external=[('/etc/passwd', 0, 288)]),
                          "'body/q' is stored outside of the file", 'q is stored outside of the file'),
    'numbers from elsewhere': (lambda file: (file.pop('body/q'), file.create_virtual_dataset('body/q', virtual())),
                               "'body/q' is put together from elsewhere", 'q is put together from elsewhere'),
    'a filter': (array('body/q', numpy.zeros(36), chunks=(36,), scaleoffset=3), "'body/q' is compressed in a way",
                 'q is compressed'),
    'no room': (array('frame/bodies', shape=(2**33,), dtype='u4', chunks=(1024,)),
                "'frame/bodies' has 8589934592 entries", 'bodies has 8589934592 entries'),
    'no room, compressed': (array('frame/bodies', shape=(2**40,), dtype='u4', chunks=(1024,), compression='gzip'),
                            "'frame/bodies' has 1099511627776 entries", 'bodies has 1099511627776 entries'),
    'a large chunk': (array('body/q', shape=(2**28,), dtype='f8', chunks=(2**28,)),
                      "'body/q' has chunks that are too large", 'q has chunks that are too large'),
    'three dimensions': (array('body/q', numpy.zeros((2, 3, 6))), "'body/q'", 'q is neither a row nor a table'),
    'no dimension': (array('body/q', 1.5), "'body/q'", 'q is neither a row nor a table'),
    'a group': (lambda file: (file.pop('body/q'), file.create_group('body/q')), "'body/q' is not an array",
                'body/q is of another kind'),
    'pairs': (array('body/q', numpy.zeros(36, dtype=[('a', 'f4'), ('b', 'f4')])), "'body/q'",
              'q holds neither numbers nor texts'),
    'no material': (number('definition/material', 1, -1), 'a body has a material that is not there', None),
    'bodies': (number('frame/bodies', 0, 2**31), None, 'body/energy has 3 rows, and frame/bodies says'),
    'contacts': (number('frame/constraints', 0, 2**31), None, 'and frame/constraints says 2147483648'),
    'velocities': (number('layout/freedom', 1, 2**31), None, 'other numbers of velocities'),
    'nodes': (number('layout/nodes', 1, 2**31), None, 'other numbers of velocities'),
    'points': (number('solid/points', 0, 2**31), None, 'solid/point has'),
    'corners': (number('solid/integer', 0, 2**30), None, 'has a shape that is none')}

# Numbers of shapes, by their places in solid/integer: the first face of the floor, a polyhedron, and a mesh beside it.
SHAPES = {
    'corners of no number': (0, -2, 'a face of a polyhedron has no corners'),
    'too many corners': (0, 2**30, 'a face of a polyhedron has no corners'),
    'a corner that is not there': (1, 8, 'a face has a corner that is not there'),
    'a corner before the first': (1, -1, 'a face has a corner that is not there'),
    'too many elements': (MESH_AT, 2**30, 'a mesh has no elements'),
    'no element': (MESH_AT, -5, 'a mesh has no elements'),
    'an element of a kind': (MESH_AT + 1, 7, 'a mesh has elements of unknown kinds'),
    'a node that is not there': (MESH_AT + 2, 8, 'an element has a node that is not there'),
    'a face of no element': (MESH_AT + 11, 1, 'a face of a mesh is of no element')}


def virtual():
    layout = h5py.VirtualLayout(shape=(36,), dtype='f8')
    layout[:] = h5py.VirtualSource('../secret.h5', 'q', shape=(36,))
    return layout


@pytest.fixture
def out(program):
    """Results, and a file that others must not be led to."""
    done = program.run("""
        solfec = falling('out', balls=2)
        RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-3, 100), 0.01)
        """)
    assert done.returncode == 0, done.stderr
    with h5py.File(program.directory / 'secret.h5', 'w') as file:
        file['q'] = numpy.zeros(36)
    return program.directory / 'out'


def told(program):
    """What RUN and INITIALIZE_STATE say, in READ mode."""
    sanitized = b'__asan_init' in (BUILD / 'bin/solfec').read_bytes()
    done = program.run(READ.format(most='resource.RLIM_INFINITY' if sanitized else MOST))
    lines = done.stdout.splitlines()
    assert done.returncode == 0 and len(lines) == 2, done.stdout + done.stderr[-1000:]
    assert lines[0].startswith('RUN: ') and lines[1].startswith('INITIALIZE_STATE: ')
    return lines


def change_and_look(change, path, wanted, reader, program):
    with h5py.File(path, 'r+') as file:
        change(file)
    for line in told(program):
        assert path.name in line and (wanted is None or wanted in line) and len(line) < 400, line
    if reader is not None:
        with pytest.raises(ValueError, match=reader) as error:
            Results(path.parent).frame(-1)
        assert str(error.value).startswith(str(path))


@pytest.mark.parametrize('what', INDEX)
def test_index(what, out, program):
    change, wanted, reader = INDEX[what]
    change_and_look(change, out / 'out.h5', wanted, reader, program)


@pytest.mark.parametrize('what', SEGMENT)
def test_frames(what, out, program):
    change, wanted, reader = SEGMENT[what]
    change_and_look(change, min(out.glob('*.frames-*')), wanted, reader, program)


@pytest.mark.parametrize('kind', ('pipe', 'device', 'directory'))
@pytest.mark.parametrize('which', ('index', 'frames'))
def test_what_is_no_file(kind, which, out, program):
    path = out / 'out.h5' if which == 'index' else min(out.glob('*.frames-*'))
    path.unlink()
    {'pipe': os.mkfifo, 'device': lambda path: path.symlink_to('/dev/zero'), 'directory': os.mkdir}[kind](path)
    for line in told(program):
        assert f"{path.name}': it is {'a directory' if kind == 'directory' else 'not a regular file'}" in line, line
    with pytest.raises(OSError):
        Results(out)


@pytest.mark.parametrize('what', SHAPES)
def test_shapes_for_pictures(what, program):
    """What draws hands indices on to libraries that do not look at them."""
    at, value, message = SHAPES[what]
    done = program.run("""
        solfec = SOLFEC('DYNAMIC', 1E-3, 'out')
        material = BULK_MATERIAL(solfec)
        BODY(solfec, 'OBSTACLE', BOX((0, 0, 0), (1, 1, 1)), material)
        corners = [x + 9 for i in range(8) for x in (i & 1 ^ i >> 1 & 1, i >> 1 & 1, i >> 2)]
        BODY(solfec, 'RIGID', HEX(corners, 1, 1, 1), material)
        RUN(solfec, 1E-3)
        """)
    assert done.returncode == 0, done.stderr
    out = program.directory / 'out'
    assert len(ModelTable(Results(out).definition_columns()).faces.row) == 12
    with h5py.File(min(out.glob('*.frames-*')), 'r+') as file:
        assert file['solid/integer'][at] != value
        number('solid/integer', at, value)(file)
    with pytest.raises(ValueError, match='the shapes of bodies are damaged: ' + message):
        ModelTable(Results(out).definition_columns())


def test_texts_of_variable_length(program, out):
    """Earlier versions wrote them. The library follows what stands in their heap without a look at it: no byte there
    may lead a reader out of its memory."""
    path = out / 'out.h5'
    with h5py.File(path, 'a') as file:
        for name in ('segment/file', 'bulk_material/label', 'model/name'):
            texts = [text.decode() for text in file[name][:].tolist()]
            array(name, texts, dtype=TEXT)(file)
    results = Results(str(out))
    assert len(results) == 11 and results.bulk_materials()['label']
    assert program.run(READ.format(most=MOST)).returncode == 0
    whole = path.read_bytes()
    random = numpy.random.default_rng(3)
    heap = whole.index(b'GCOL')
    refused = 0
    for _ in range(300):
        changed = bytearray(whole)
        for at in random.integers(heap, min(heap + 4096, len(whole)), 2):
            changed[at] = random.integers(256)
        path.write_bytes(changed)
        try:
            Results(str(out)).bulk_materials()
        except (ValueError, OSError) as error:
            assert str(out) in str(error)
            refused += 1
    assert refused > 20
    path.write_bytes(whole.replace(b'GCOL', b'GCOX'))
    done = program.run(READ.format(most=MOST))
    assert done.stdout.count("'segment/file': strings in the file are not where it says") == 2


def test_texts_elsewhere_or_of_the_same_bytes():
    """Memory stays in proportion to the file, and no address leads out of it."""
    def references(count, length=4000, address=0):
        return _heap_texts(heap + struct.pack('<IQI', length, address, 1) * count, len(heap), count)

    heap = struct.pack('<5s3xQ', b'GCOL\x01', 4096) + struct.pack('<H6xQ', 1, 4000) + b'x' * 4000
    heap += bytes(4096 - len(heap))
    assert references(1) == ['x' * 4000]
    for arguments in ((100,), (1, 4001), (1, 1, 2**63), (1, 1, 2**64 - 1)):
        with pytest.raises(ValueError):
            references(*arguments)


def test_labels_that_are_no_utf8(program):
    """They are read, with the number of each wrong byte in its place."""
    script = """
        solfec = SOLFEC('DYNAMIC', 1E-3, 'out')
        material = BULK_MATERIAL(solfec, label='granite')
        def later():
            BODY(solfec, 'RIGID', SPHERE((0, 0, 0), 1, 1, 1), material, label='boulder')
            return False
        CALLBACK(solfec, 1E-3, (), later)
        if solfec.mode == 'READ':
            SEEK(solfec, 1E-3)
            print(solfec.bodies[0].label)
        else:
            RUN(solfec, 1E-3)
        """
    done = program.run(script)
    assert done.returncode == 0, done.stderr
    out = program.directory / 'out'
    for path in [*out.glob('*.h5'), *out.glob('*.frames-*')]:
        path.write_bytes(path.read_bytes().replace(b'boulder', b'b\xffulder').replace(b'granite', b'gr\xc3nite'))
    done = program.run(script)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == 'b\\xffulder', done.stdout
    results = Results(str(out))
    assert results.bulk_materials()['label'] == ['gr\\xc3nite']
    assert [body.label for body in results.definitions(len(results) - 1).values()] == ['b\\xffulder']
