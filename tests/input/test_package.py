"""The package `solfec`: in the program it is the program's own module, in an ordinary Python an extension."""

import inspect
import os
import pathlib
import shutil
import subprocess
import sys
import sysconfig

import pytest
from conftest import BUILD, cube

import solfec
from solfec import *


def test_import():
    assert solfec.__version__ == '1.0' or solfec.__version__[0].isdigit()
    extension = getattr(sys.modules['solfec._core'], '__file__', None)
    if extension:  # ordinary Python
        assert extension.startswith(str(BUILD))
    assert 'SOLFEC' in solfec.__all__ and not any(name.startswith('_') for name in solfec.__all__)


def test_a_whole_analysis(model):
    model.solfec.contact_correction = 'OFF'  # the ball overlaps the floor, and stays
    model.run(10)
    times, z = HISTORY(model.solfec, (model.ball, model.ball.center, 'DZ'), 0, 1)
    assert len(times) == 11 and all(abs(value) < 1E-6 for value in z)
    again = SOLFEC('DYNAMIC', 1E-3, model.solfec.outpath)
    assert again.mode == 'READ'


@pytest.mark.parametrize('name', [name for name in solfec.__all__ if name != 'CONSTRAINT'])
def test_signatures(name):
    """inspect.signature, help and editors know the arguments, as the documentation names them."""
    thing = getattr(solfec, name)
    heading = ' '.join(inspect.getdoc(thing).partition('\n\n')[0].split())[len(name) + 2:-1]
    required, _, optional = heading.partition('|')
    wanted = [[word.split('/')[0].strip() for word in part.split(',') if word.strip()] for part in (required, optional)]
    parameters = inspect.signature(thing).parameters.values()
    assert [[p.name for p in parameters if (p.default is p.empty) == needed] for needed in (True, False)] == wanted
    assert all(p.default in (p.empty, None) and p.kind is p.POSITIONAL_OR_KEYWORD for p in parameters)
    names = [p.name + ('' if p.default is p.empty else '=None') for p in parameters]
    assert thing.__text_signature__ == '(%s)' % ', '.join(names)
    assert not inspect.getdoc(thing).startswith(name + '(')


def test_signatures_of_methods():
    corners = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]
    mesh, hull = MESH(corners, [4, 0, 1, 2, 3, 1]), HULL(corners)
    for method, text in ((mesh.node, '(n)'), (hull.vertex, '(n)'), (mesh.nodes_on_surface, '(surfid)')):
        assert str(inspect.signature(method)) == text
    assert mesh.node(n=1) == (1, 0, 0) and mesh.nodes_on_surface(surfid=0) == [0, 1, 2, 3]
    for call, error in ((lambda: mesh.node(), "MESH.node: 'n' is missing; usage: MESH.node (n)"),
                        (lambda: hull.vertex(0, 1), 'CONVEX.vertex: takes at most 1 arguments, got 2'),
                        (lambda: mesh.node(k=1), "MESH.node: has no argument 'k'")):
        with pytest.raises(TypeError) as caught:
            call()
        assert str(caught.value).startswith(error)


def test_what_objects_are(model):
    """repr on one line: what the object is, not where it is in memory; also of what is gone."""
    contact = model.contact
    joint, wall = FIX_POINT(model.ball, (0, 0, 1)), SET_VELOCITY(model.floor, (0, 0, 0), (1, 0, 0), 0)
    hexahedra = HEX([0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1], 2, 1, 1)
    ball, spent = SPHERE((1, 2, 3.5), 0.5), SPHERE((0, 0, 0), 1)
    for thing, text in (
            (model.solfec, f'<SOLFEC {model.solfec.outpath!r}, DYNAMIC, WRITE, time 0.001 s, bodies 2>'),
            (model.material, "<BULK_MATERIAL 'stuff', young 1e+06, poisson 0.25, density 1000>"),
            (model.surface, "<SURFACE_MATERIAL 'skin' of 1 and 2, SIGNORINI_COULOMB, friction 0.5, restitution 0>"),
            (SURFACE_MATERIAL(model.solfec, surf2=5, model='SPRING_DASHPOT', label='pad', spring=1E6),
             "<SURFACE_MATERIAL 'pad' of 5 and any, SPRING_DASHPOT, friction 0, spring 1e+06, dashpot 0>"),
            (contact, '<CONSTRAINT CONTACT of bodies 1 and 0>'), (joint, '<CONSTRAINT FIXPNT of body 1>'),
            (wall, '<CONSTRAINT VELODIR of body 0>'),
            (TIME_SERIES([0, 1, 2, 3, 5, -1]), '<TIME_SERIES, 3 points, from 0 to 5 s>'),
            (model.solver, '<GAUSS_SEIDEL_SOLVER, meritval 1e-10, maxiter 100>'),
            (NEWTON_SOLVER(), '<NEWTON_SOLVER, meritval 1e-08, maxiter 1000>'),
            (AUTO_SOLVER(), '<AUTO_SOLVER, meritval 1e-08, maxiter 1000>'),
            (NONSMOOTH_SOLVER('EG-VI-UPK'), '<NONSMOOTH_SOLVER EG-VI-UPK, meritval 1e-08, maxiter 10000>'),
            (CONVEX_SOLVER('GS'), '<CONVEX_SOLVER GS, meritval 1e-08, maxiter 10000>'),
            (PENALTY_SOLVER(), '<PENALTY_SOLVER, IMPLICIT>'),
            (cube(), '<CONVEX, 8 vertices, 6 faces>'), (COPY([cube(), cube()]), '<CONVEX, 2 polyhedra>'),
            (hexahedra, '<MESH, 12 nodes, 2 elements>'), (ball, '<SPHERE, center (1, 2, 3.5), radius 0.5>'),
            (SPHERE((0, 0, 0), 1, sphere=spent), '<SPHERE, 2 balls>'), (spent, '<SPHERE, emptied>'),
            (ELLIP((0, 0, 0), (1, 2, 3)), '<ELLIP, center (0, 0, 0), radii (1, 2, 3)>')):
        assert repr(thing) == text
    DELETE(model.solfec, contact)
    DELETE(model.solfec, joint)
    assert repr(contact) == '<CONSTRAINT of bodies 1 and 0, ended>' and repr(joint) == '<CONSTRAINT of body 1, ended>'


def test_python_of_another_version(tmp_path):
    """An extension for other Pythons only: one line names the versions."""
    shutil.copy(pathlib.Path(solfec.__file__), tmp_path)
    package = tmp_path / 'solfec'
    package.mkdir()
    (tmp_path / '__init__.py').rename(package / '__init__.py')

    def last_line():
        done = subprocess.run([sys.executable, '-c', 'import solfec'], env={**os.environ, 'PYTHONPATH': str(tmp_path)},
                              capture_output=True, text=True)
        assert done.returncode == 1
        return done.stderr.splitlines()[-1]
    assert last_line().startswith("ImportError: cannot import name '_core'")  # not built at all
    (package / '_core.cpython-36m-x86_64-linux-gnu.so').touch()
    version = '%d.%d' % sys.version_info[:2]
    assert last_line() == f'ImportError: solfec was built for Python 3.6; this is Python {version}'
    (package / '_core.cpython-399-x86_64-linux-gnu.so').touch()
    assert last_line() == f'ImportError: solfec was built for Python 3.6 and 3.99; this is Python {version}'
    # One for this Python that does not load keeps its own message.
    (package / f'_core{sysconfig.get_config_var("EXT_SUFFIX")}').write_text('no library')
    assert 'built for' not in last_line()


@pytest.mark.parametrize('name', [name for name in solfec.__all__])
def test_every_name_has_a_documentation(name):
    """Signature, meaning, each argument with its range and unit or default: what docs/language shows."""
    thing = getattr(solfec, name)
    lines = inspect.getdoc(thing).splitlines()
    if name != 'CONSTRAINT':
        end = lines.index('')  # of the signature
        assert lines[0].startswith(name + ' (') and lines[end - 1].endswith(')')
        assert lines[end + 1].endswith(('.', ':'))
    assert max(map(len, lines)) <= 120
    if inspect.isclass(thing):
        for member, value in vars(thing).items():
            if isinstance(value, property):
                assert value.__doc__ and value.__doc__.endswith('.'), f'{name}.{member}'
                assert member in inspect.getdoc(thing), f'{name}.{member} is not in the text of {name}'


def test_interrupts_reach_python(model):
    """Ctrl-C in an ordinary Python: the run ends as KeyboardInterrupt, with its last state written."""
    import signal
    OUTPUT(model.solfec, 1E6)
    CALLBACK(model.solfec, 5E-3, None, lambda: os.kill(os.getpid(), signal.SIGINT))
    with pytest.raises(KeyboardInterrupt):
        model.run(100)
    assert HISTORY(model.solfec, 'STEP', 0, 1)[0][-1] == model.solfec.time > 0
    CALLBACK(model.solfec, 1, None, lambda: 1)
    model.run(3)  # and can go on


def test_objects_outlive_their_model():
    """A body keeps its simulation alive."""
    from conftest import Model
    ball = Model('out/alive').ball
    assert ball.mass > 0 and BODY.__name__ == 'BODY' and cube().nver == 8


@pytest.mark.skipif(not hasattr(sys.modules['solfec._core'], '__file__'), reason='for an ordinary Python')
def test_runs_go_on(tmp_path):
    """configure(resume=True) is the switch -c."""
    from solfec.results import Results
    script = tmp_path / 'script.py'
    script.write_text("""
import sys
from solfec import *
configure(resume=True)
solfec = SOLFEC('DYNAMIC', 1E-3, 'out')
solfec.verbose = 'OFF'
BODY(solfec, 'RIGID', SPHERE((0, 0, 0), 1, 1, 1), BULK_MATERIAL(solfec))
for k in range(int(sys.argv[1])):
    RUN(solfec, PENALTY_SOLVER(), 0.01)
print(solfec.time, solfec.mode)
try:
    configure(resume=True, overwrite=True)
except ValueError as error:
    print(error)
""")
    refusal = "configure: 'overwrite' and 'resume' exclude each other"
    for runs in ('1', '3'):
        done = subprocess.run([sys.executable, script, runs], cwd=tmp_path, capture_output=True, text=True)
        reached, mode = done.stdout.split('\n')[0].split()
        assert float(reached) == pytest.approx(0.01 * int(runs)) and mode == 'WRITE', done.stderr
        assert done.stdout.split('\n')[1] == refusal
    assert len(Results(str(tmp_path / 'out'))) == 31


def test_plain_python_on_ranks(tmp_path):
    """Each would run the whole script by itself."""
    script = "from solfec import *; SOLFEC('DYNAMIC', 1E-3, 'out')"
    for size, code in (('2', 1), ('1', 0)):
        done = subprocess.run([sys.executable if 'python' in sys.executable else 'python3', '-c', script], cwd=tmp_path,
                              text=True, capture_output=True,
                              env={**os.environ, 'PYTHONPATH': str(BUILD / 'python'), 'OMPI_COMM_WORLD_SIZE': size})
        assert done.returncode == code, done.stderr
        assert code == 0 or done.stderr.endswith('RuntimeError: SOLFEC: this Python was started on 2 ranks that pass '
                                                 'no messages; '
                                                 'run the script by solfec-mpi\n')


@pytest.mark.skipif(not hasattr(sys.modules['solfec._core'], '__file__'), reason='for an ordinary Python')
@pytest.mark.parametrize('kind', ['notebook', 'file', 'nobody'])
def test_runs_are_told_of_by_the_streams_of_python(tmp_path, kind):
    """So they are seen in a notebook, with progress in place, and stand in order with what a script prints."""
    script = tmp_path / 'script.py'
    script.write_text(f"""
import io, sys, types
from solfec import *
kind, stdout = {kind!r}, sys.stdout
sys.stdout = io.StringIO() if kind != 'nobody' else None
if kind == 'notebook':
    sys.modules['ipykernel'] = types.ModuleType('ipykernel')
if kind != 'nobody':
    print('before')
configure(overwrite=True)
solfec = SOLFEC('DYNAMIC', 1E-3, 'out')
OUTPUT(solfec, 1)
BODY(solfec, 'RIGID', SPHERE((0, 0, 0), 1, 1, 1), BULK_MATERIAL(solfec))
RUN(solfec, PENALTY_SOLVER(), 0.5)
if kind != 'nobody':
    print('after')
    stdout.write(sys.stdout.getvalue().replace('\\r', '<again>'))
""")
    done = subprocess.run([sys.executable, script], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    if kind == 'nobody':
        assert done.stdout == ''
    else:
        first, told, *rest, last, after = done.stdout.splitlines()
        assert first == 'before' and told.startswith('out: 1 bodies') and after == 'after'
        assert last.startswith('500 steps in')
        assert ('<again>100% |' in rest[-1]) == (kind == 'notebook') and '100% |' in rest[-1]
