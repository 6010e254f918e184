"""Files that are damaged, or that somebody has made to do harm."""

import pathlib
import shutil

import h5py
import numpy

import solfec
from solfec import *

PROBLEM = pathlib.Path(__file__).resolve().parents[1] / 'problems/wall.hdf5'
STEP = 1E-3
LARGEST = 1 << 24  # entries of an array that is changed
EXTREMES = (0, 1, -1, 2, 7, 255, 2**31 - 1, -2**31, 2**32 - 1, 2**63 - 1, -2**63, numpy.nan, numpy.inf, -numpy.inf,
            1E300, 1E-300)


def model(directory, **switches):
    """One of everything that results hold."""
    solfec.configure(**switches)
    s = SOLFEC('DYNAMIC', STEP, str(directory))
    s.verbose = 'OFF'
    material = BULK_MATERIAL(s, young=1E6, density=1000)
    SURFACE_MATERIAL(s, friction=0.3, cohesion=10)
    GRAVITY(s, (0, 0, -10))
    cube = [0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1]
    BODY(s, 'OBSTACLE', SCALE(TRANSLATE(HULL(cube, 1, 1), (-0.5, -0.5, -1)), (9, 9, 1)), material, 'floor')
    bodies = [BODY(s, 'RIGID', [SPHERE((0, 0, 0.5), 0.5, 1, 2), ELLIP((1, 0, 0.5), (0.4, 0.3, 0.5), 1, 3)], material,
                   'one'),
              BODY(s, 'PSEUDO_RIGID', TRANSLATE(HULL(cube, 1, 4), (2, 0, 0)), material),
              BODY(s, 'FINITE_ELEMENT',
                   HEX([x + 3 * (k == 1) for x, k in zip(cube, [0, 1, 2] * 8)], 2, 1, 1, 5, [5] * 6),
                   material, 'mesh')]
    bodies[2].scheme = 'DEF_LIM'
    FORCE(bodies[0], 'SPATIAL', (0, 0, 0.5), (1, 0, 0), TIME_SERIES([0, 1, 1, 5]))
    FORCE(bodies[1], 'SPATIAL', bodies[1].center, (1, 0, 0), lambda *_: (1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0), None)
    FIX_POINT(bodies[1], (2, 0, 0))
    SET_VELOCITY(bodies[2], (0, 3, 0), (0, 0, 1), TIME_SERIES([0, 0, 1, 1]))
    PUT_RIGID_LINK(bodies[0], bodies[1], (0, 0, 0.5), (2, 0, 0))
    return s, bodies


def read(directory):
    s, bodies = model(directory)
    RUN(s, GAUSS_SEIDEL_SOLVER(1E-3, 50), 5 * STEP)
    begin, end = DURATION(s)
    body = bodies[2]
    HISTORY(s, [(body, body.center, 'DX'), (body, body.center, 'MISES'), (bodies[0], (0, 0, 0.5), 'VZ'), (s, 'KINETIC'),
                (bodies[1], 'CONTACT'), (s, 'GAP'), (s, None, None, 'R'), 'STEP', 'GSITERS', 'CONS'], begin, end)
    for time in (begin, (begin + end) / 2, end):
        SEEK(s, time)
        [(b.conf, b.velo) for b in s.bodies]
        [(c.R, c.U, c.base, c.point, c.gap) for c in s.constraints]
        STRESS(body, body.center)
    FORWARD(s, 1)
    BACKWARD(s, 2)


def go_on(directory):
    s, bodies = model(directory, resume=True)
    for duration in (5 * STEP, 3 * STEP):
        RUN(s, GAUSS_SEIDEL_SOLVER(1E-3, 50), duration)


def take_state(directory):
    s, bodies = model('fresh', overwrite=True)
    INITIALIZE_STATE(s, str(directory), 3 * STEP)
    RUN(s, GAUSS_SEIDEL_SOLVER(1E-3, 50), 2 * STEP)


def write_results(directory):
    s, bodies = model(directory, overwrite=True)
    if directory.name == 'packed':
        OUTPUT(s, 0, 'ON')
    RUN(s, GAUSS_SEIDEL_SOLVER(1E-3, 50), 4 * STEP)
    LOCDYN_DUMP(s, 'dump')
    FCLIB_DUMP(s, 'joints.hdf5', 'GLOBAL', 'ON')
    RUN(s, GAUSS_SEIDEL_SOLVER(1E-3, 50), 2 * STEP)


def solve(path):
    FCLIB_SOLVE(str(path), GAUSS_SEIDEL_SOLVER(1E-6, 100))


def read_series(path):
    TIME_SERIES(str(path))


def change_bytes(random, path):
    data = bytearray(path.read_bytes())
    for _ in range(random.choice((1, 1, 4, 50))):
        if data:
            data[random.randrange(len(data))] = random.choice((0, 255, random.randrange(256)))
    path.write_bytes(data)


def cut(random, path):
    data = path.read_bytes()
    path.write_bytes(data[:random.randrange(len(data) + 1)] + bytes(random.choice((0, 0, 1000))))


def change_number(random, file, name):
    column = file[name]
    if column.size == 0 or column.dtype.kind not in 'iuf':
        return
    values = column[()]
    flat = values.reshape(-1) if isinstance(values, numpy.ndarray) else numpy.array([values])
    value = random.choice(EXTREMES)
    k = random.randrange(len(flat))
    if random.random() < 0.3:
        value = flat[k] + random.choice((1, -1))
    if column.dtype.kind != 'f':
        value = 0 if value != value else int(max(min(value, 2**63 - 1), -2**63)) if abs(value) != numpy.inf else 2**31
        value = numpy.array(value % 2**64, dtype='u8').astype(column.dtype)
    flat[k] = value
    column[...] = flat.reshape(column.shape)


def put(file, name, data=None, **options):
    attributes = dict(file[name].attrs) if name in file else {}
    if name in file:
        del file[name]
    made = file.create_dataset(name, data=data, **options)
    for key, value in attributes.items():
        made.attrs[key] = value


def change_array(random, file, name):
    values = file[name][()]
    shape = getattr(values, 'shape', ())
    rows = shape[0] if shape else 1
    choice = random.randrange(12)
    if choice == 0:
        del file[name]
    elif choice == 1:
        put(file, name, shape=(random.choice((0, rows + 1, max(rows - 1, 0), 2**40)), *shape[1:]),
            dtype=file[name].dtype,
            chunks=(16, *shape[1:]))
    elif choice == 2:
        put(file, name, data=numpy.resize(values, rows + random.choice((1, 100))) if shape else [1, 2])
    elif choice == 3:
        put(file, name, data=numpy.asarray(values, dtype='S8' if values.dtype.kind in 'OS'
                                           else random.choice(('i1', 'u8', 'f4', 'f8'))))
    elif choice == 4:
        put(file, name, data=numpy.zeros((2, 2, 2)))
    elif choice == 5:
        put(file, name, data='text')
    elif choice == 6:
        put(file, name, shape=(rows,), dtype='f8', external=[('problem.hdf5', 0, 8 * max(rows, 1))])
    elif choice == 7:
        del file[name]
        file[name] = h5py.SoftLink(random.choice(('/', '/' + name, '/frame/time')))
    elif choice == 8:
        del file[name]
        file[name] = h5py.ExternalLink('problem.hdf5', '/fclib_local/vectors/q')
    elif choice == 9:
        del file[name]
        file.create_group(name)
    elif choice == 10:
        put(file, name, shape=(2**random.choice((28, 33, 40)),), dtype='f8', chunks=(1024,), compression='gzip')
    elif shape:
        put(file, name, data=values.reshape(*shape, 1))


def change_attribute(random, file):
    name = random.choice(('format', 'content', 'analysis', 'program', 'written', 'units'))
    value = random.choice((numpy.arange(1000), 'text' * 1000, numpy.array([b'x' * 100] * 9), 3.5, -1, 7, 8, 2**62,
                           h5py.Empty('f8'), numpy.array(['variable'], dtype=h5py.string_dtype())))
    file.attrs[name] = value


def change_hdf5(random, path):
    with h5py.File(path, 'r+') as file:
        names = []
        file.visititems(lambda name, item: names.append(name) if isinstance(item, h5py.Dataset) else None)
        for _ in range(random.choice((1, 1, 2))):
            name = random.choice(names)
            if isinstance(file.get(name), h5py.Dataset) and file[name].size > LARGEST:
                continue  # as bytes that were changed before say: no memory for it here
            if random.random() < 0.1 or not isinstance(file.get(name), h5py.Dataset):
                change_attribute(random, file)
            elif random.random() < 0.6:
                change_number(random, file, name)
            else:
                change_array(random, file, name)


def change_text(random, path):
    path.write_bytes(random.choice((b'', b'\0' * 10, b'1 2\n1 2\n', b'x' * 2**20, b'1 ' * 2**19,
                                    '\u00e9 \u00e9'.encode(), b'\xff\xfe',
                                    b'0 1\n1 nan\n', b'0 1\n1 1e999\n', b'1e308 1\n-1e308 2\n', b'#\n' * 9)))


def prepare(random, original, work):
    shutil.rmtree(work, ignore_errors=True)
    shutil.copytree(original, work)
    for path in list(work.iterdir()):  # files are named after their directory
        path.rename(work / path.name.replace(original.name, work.name))
    with h5py.File(work / f'{work.name}.h5', 'r+') as index:
        names = [name.decode().replace(original.name, work.name) for name in index['segment/file'][()]]
        if random.random() < 0.5:  # as earlier versions wrote them
            put(index, 'segment/file', data=names, dtype=h5py.string_dtype())
        else:
            put(index, 'segment/file', data=numpy.array([name.encode() for name in names]))


def damage(random, target):
    """How the file was changed; HDF5 may refuse to open what was changed before."""
    if target.name == 'series':
        change = random.choice((change_bytes, cut, change_text))
    else:
        change = random.choice((change_bytes, cut, *4 * (change_hdf5,)))
    try:
        change(random, target)
    except Exception:
        return change.__name__ + ' (half)'
    return change.__name__


def case(random):
    original, work = pathlib.Path(random.choice(('plain', 'packed'))), pathlib.Path('work')
    write_results(original)
    for use in (read, take_state):
        use(original)
    if RANK() == 0:
        shutil.copy(PROBLEM, 'problem.hdf5')
        pathlib.Path('series').write_text('\n'.join(f'{k} {k * k}' for k in range(50)))
    for k in range(12):
        how = ''
        if RANK() == 0:
            prepare(random, original, work)
            files = [*3 * sorted(work.glob('*.frames-*')), work / 'work.h5', pathlib.Path('problem.hdf5'),
                     pathlib.Path('joints.hdf5'), pathlib.Path('series')]
            target = random.choice(files)
            shutil.copy(target, 'saved')
            how = damage(random, target)
            pathlib.Path('target').write_text(str(target))
            shutil.copy(target, 'changed')
        BARRIER()
        target = pathlib.Path(pathlib.Path('target').read_text())
        alone = {'problem.hdf5': solve, 'joints.hdf5': solve, 'series': read_series}.get(target.name)
        for use in (alone,) if alone else (read, take_state, go_on):
            yield f'{k}: {use.__name__} after {how} of {target}', lambda: use(target if alone else work)
        BARRIER()
        if RANK() == 0 and target.parent != work:
            shutil.copy('saved', target)
