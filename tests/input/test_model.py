"""SOLFEC, BULK_MATERIAL, SURFACE_MATERIAL, TIME_SERIES."""

import math
import os

import numpy
import pytest
from conftest import cube
from pytest import approx

import solfec
from solfec import *


def test_solfec(model, tmp_path):
    s = model.solfec
    assert (s.analysis, s.time, s.mode, s.nbod, s.ncon) == ('DYNAMIC', 0, 'WRITE', 2, 0)
    assert s.bodies == [model.floor, model.ball] and s.constraints == []
    assert s.step == 1E-3 and s.verbose == 'OFF' and s.contact_points == 'MANY'
    model.run(3)
    assert s.time == approx(3E-3, rel=1E-12) and s.ncon == len(s.constraints) == 1


def test_output_directory(tmp_path):
    first = SOLFEC('DYNAMIC', 1, 'a/b/')
    assert first.outpath == 'a/b'
    with pytest.raises(ValueError, match="'output' must be a directory of its own"):
        SOLFEC('DYNAMIC', 1, 'a//b/../b')
    (tmp_path / 'file').write_text('')
    with pytest.raises(ValueError, match="'output' must be the path of a directory, and not of a file"):
        SOLFEC('DYNAMIC', 1, 'file')
    del first
    SOLFEC('DYNAMIC', 1, 'a/b')


def test_nul_in_a_path(model):
    """The system would cut the path there and take another file."""
    run = model.run()
    for call, place in ((lambda path: SOLFEC('DYNAMIC', 1, path), "SOLFEC: 'output'"),
                        (TIME_SERIES, "TIME_SERIES: 'points'"),
                        (lambda path: LOCDYN_DUMP(run.solfec, path), "LOCDYN_DUMP: 'path'"),
                        (lambda path: FCLIB_DUMP(run.solfec, path), "FCLIB_DUMP: 'path'"),
                        (lambda path: FCLIB_SOLVE(path, run.solver), "FCLIB_SOLVE: 'path'"),
                        (lambda path: INITIALIZE_STATE(run.solfec, path, 0), "INITIALIZE_STATE: 'path'"),
                        (lambda path: solfec.configure(script=path), "configure: 'script'"),
                        (lambda path: solfec.configure(subdirectory=path), "configure: 'subdirectory'")):
        before = sorted(os.listdir('.'))
        with pytest.raises(ValueError) as error:
            call('a\0b')
        assert str(error.value) == place + r" must be a path, without NUL characters; got 'a\x00b'"
        assert sorted(os.listdir('.')) == before


def test_paths_that_are_none(tmp_path):
    """One message with command and argument, of a length that can be read, and nothing of the library's."""
    os.symlink('loop', 'loop')
    for call, error, message in (
            (lambda: SOLFEC('DYNAMIC', 1, 'loop/out'), ValueError,
             "SOLFEC: 'output': cannot look at the directory: Too many levels of symbolic links"),
            (lambda: SOLFEC('DYNAMIC', 1, 'x' * 256), ValueError,
             "SOLFEC: 'output' must be a path of at most 4095 bytes"),
            (lambda: SOLFEC('DYNAMIC', 1, 1), TypeError, "SOLFEC: 'output' must be a string; got 1"),
            (lambda: SOLFEC('DYNAMIC', 1, b'out'), TypeError, "SOLFEC: 'output' must be a string; got b'out'"),
            (lambda: solfec.configure(subdirectory='x/' * 2048), ValueError,
             "configure: 'subdirectory' must be a path of at most 4095 bytes"),
            (lambda: solfec.configure(subdirectory=1), TypeError, "configure: 'subdirectory' must be a string; got 1"),
            (lambda: solfec.configure(script=['x']), TypeError, "configure: 'script' must be a string; got ['x']"),
            (lambda: solfec.configure(words='one'), TypeError,
             "configure: 'words' must be a list of strings; got 'one'"),
            (lambda: solfec.configure(words=['one', 2]), TypeError,
             "configure: 'words', entry 1 must be a string; got 2"),
            (lambda: solfec.configure(overwrite=1), TypeError, "configure: 'overwrite' must be True or False; got 1"),
            (lambda: solfec.configure(resume='ON'), TypeError, "configure: 'resume' must be True or False; got 'ON'"),
            (lambda: solfec.configure(threads=0), ValueError, "configure: 'threads' must be"),
            (lambda: solfec.configure(threads=2.5), TypeError, "configure: 'threads' must be"),
            (lambda: solfec.configure(threads=1025), ValueError,
             "configure: 'threads': at most 1024 threads; got 1025"),
            (lambda: solfec.configure(resum=True), TypeError,
             "configure: has no argument 'resum' (did you mean 'resume'?)")):
        with pytest.raises(error) as caught:
            call()
        assert str(caught.value).startswith(message) and len(str(caught.value)) < 200
    assert SUBDIR() is None and NON_SOLFEC_ARGV() is None
    solfec.configure(subdirectory='x' * 200)
    with pytest.raises(ValueError, match="^SOLFEC: 'output': with the subdirectory of the command line .* too long"):
        SOLFEC('DYNAMIC', 1, 'y/' * 2000)


def test_files_that_are_no_time_series(tmp_path):
    os.mkfifo('pipe')
    (tmp_path / 'binary').write_bytes(bytes(range(256)) * 4)
    (tmp_path / 'long').write_text('0 0\n1 ' + 'x' * 2**20)
    (tmp_path / 'table').write_text('0 0\n1 1e999\n')
    for path, message in (('no/such', "cannot read the time series file 'no/such': No such file or directory"),
                          ('.', "cannot read the time series file '.': it is a directory"),
                          ('pipe', "cannot read the time series file 'pipe': it is not a regular file"),
                          ('/dev/zero', "cannot read the time series file '/dev/zero': it is not a regular file"),
                          ('binary', "line 1 of 'binary' must hold two numbers; got '????"),
                          ('long', "line 2 of 'long' must hold two numbers; got '1 xxxxx"),
                          ('table', "line 2 of 'table' must hold two numbers; got '1 1e999'")):
        with pytest.raises(ValueError) as caught:
            TIME_SERIES(path)
        assert str(caught.value).startswith("TIME_SERIES: 'points': " + message) and len(str(caught.value)) < 200


def test_configure():
    solfec.configure(subdirectory='sub', words=['one', 'two'])
    assert SOLFEC('DYNAMIC', 1, 'out').outpath == 'out/sub'
    assert SUBDIR() == 'sub' and NON_SOLFEC_ARGV() == ['one', 'two']
    solfec.configure()
    assert SUBDIR() is None and NON_SOLFEC_ARGV() is None


def test_read_and_overwrite(new_model):
    model = new_model().run()
    path = model.solfec.outpath
    assert SOLFEC('DYNAMIC', 1, path).mode == 'READ'
    del model
    solfec.configure(overwrite=True)
    assert SOLFEC('DYNAMIC', 1, path).mode == 'WRITE'


def test_bulk_material(model):
    m = BULK_MATERIAL(model.solfec)
    assert (m.model, m.young, m.poisson, m.density) == ('KIRCHHOFF', 1E6, 0.25, 1E3) and m.label
    assert BULK_MATERIAL(model.solfec).label != m.label
    named = BULK_MATERIAL(model.solfec, 'KIRCHHOFF', 'steel', 2E11, 0.3, 7.8E3)
    assert (named.label, named.young, named.poisson, named.density) == ('steel', 2E11, 0.3, 7.8E3)
    body = BODY(model.solfec, 'RIGID', cube(), 'steel')
    assert body.mass == approx(7.8E3) and body.material == 'steel'
    again = BULK_MATERIAL(model.solfec, label='steel', young=1)  # overwrites
    assert named.young == again.young == 1 and body.mass == approx(7.8E3)


def test_material_of_another_model(new_model):
    one, two = new_model(), new_model()
    with pytest.raises(ValueError, match="BODY: 'material': this material belongs to another SOLFEC object"):
        BODY(one.solfec, 'RIGID', cube(), two.material)


def test_surface_material(model):
    m = SURFACE_MATERIAL(model.solfec)
    assert (m.surf1, m.surf2, m.model) == (None, None, 'SIGNORINI_COULOMB')
    assert (m.friction, m.cohesion, m.restitution, m.spring, m.dashpot) == (0, 0, 0, 0, 0)
    m = SURFACE_MATERIAL(model.solfec, 3, 4, 'SPRING_DASHPOT', 'rubber', 0.9, 1, 0, 1E6, 10)
    assert (m.surf1, m.surf2, m.model, m.label) == (3, 4, 'SPRING_DASHPOT', 'rubber')
    assert (m.friction, m.cohesion, m.restitution, m.spring, m.dashpot) == (0.9, 1, 0, 1E6, 10)
    assert SURFACE_MATERIAL(model.solfec, cohesion=1, fracture_energy=2).fracture_energy == 2
    with pytest.raises(ValueError, match="SURFACE_MATERIAL: 'fracture_energy' must be 0 without a cohesion.*; got 2"):
        SURFACE_MATERIAL(model.solfec, fracture_energy=2)
    for name in ('restitution', 'tangential_restitution'):
        with pytest.raises(ValueError, match=f"SURFACE_MATERIAL: '{name}' must be 0 of 'SPRING_DASHPOT'.*; got 0.5"):
            SURFACE_MATERIAL(model.solfec, model='SPRING_DASHPOT', **{name: 0.5})
        with pytest.raises(ValueError, match=f"SURFACE_MATERIAL.{name} must be 0 of 'SPRING_DASHPOT'.*; got 0.5"):
            setattr(m, name, 0.5)
        exact = SURFACE_MATERIAL(model.solfec, 5, 6, **{name: 0.5})
        with pytest.raises(ValueError, match='set restitution and tangential_restitution to 0 before'):
            exact.model = 'SPRING_DASHPOT'
        setattr(exact, name, 0)
        exact.model = 'SPRING_DASHPOT'
    again = SURFACE_MATERIAL(model.solfec, 4, 3, friction=0.1)  # the same pair
    assert m.friction == again.friction == 0.1


@pytest.mark.parametrize('made, chosen', [
    ([(None, None)], (None, None)), ([(None, None), (1, None)], (1, None)), ([(None, None), (2, None)], (2, None)),
    ([(1, None), (2, None)], (1, None)), ([(2, None), (1, None)], (1, None)), ([(None, 2)], (2, None)),
    ([(2, 1), (1, None), (None, None)], (2, 1)), ([(3, 1), (3, None)], (None, None))])
def test_which_surface_material_a_contact_takes(made, chosen, tmp_path):
    """The pair, else the smaller identifier, else the larger, else the default (surfaces 1 and 2 touch)."""
    s = SOLFEC('DYNAMIC', 1E-3, 'out')
    s.verbose = 'OFF'
    for pair in made:
        named = pair if pair[0] is not None else pair[::-1]
        SURFACE_MATERIAL(s, *pair, label=str(named))
    material = BULK_MATERIAL(s)
    BODY(s, 'OBSTACLE', cube(-1, -1, -2, 2, 1), material)
    BODY(s, 'RIGID', SPHERE((0, 0, 0.999), 1, 1, 2), material)
    RUN(s, GAUSS_SEIDEL_SOLVER(1E-3, 10), 1E-3)
    label = s.constraints[0].matlab
    assert label == (str(chosen) if chosen != (None, None) or (None, None) in made else 'DEFAULT')


def test_time_series(tmp_path):
    series = TIME_SERIES([0, 1, 2, 3, 5, -1])
    assert series.times == [0, 2, 5] and series.values == [1, 3, -1]
    for points in ([[0, 1], [2, 3], [5, -1]], [(0, 1), (2, 3), (5, -1)], numpy.array([[0, 1], [2, 3], [5, -1.0]]),
                   numpy.array([0, 1, 2, 3, 5, -1])):
        other = TIME_SERIES(points)
        assert other.times == series.times and other.values == series.values
    (tmp_path / 'series.txt').write_text('# time value\n0 1\n\n2 3  # comment\n5\t-1\n')
    other = TIME_SERIES('series.txt')
    assert other.times == series.times and other.values == series.values


def test_derivative_and_integral_of_a_time_series():
    """Exact values at the times; the series itself stays, and results can be derived and integrated again."""
    series = TIME_SERIES([-1, 2, 0, 1, 1, 3, 4, -3, 5, -3])
    assert series.derivative.times == series.integral.times == series.times == [-1, 0, 1, 4, 5]
    assert series.derivative.values == approx([-1, 0.5, 0, -1, 0])  # slopes -1, 2, -2, 0
    assert series.integral.values == approx([0, 1.5, 3.5, 3.5, 0.5])
    assert series.values == [2, 1, 3, -3, -3]
    assert series.integral.derivative.values == approx([1.5, 1.75, 1, -1.5, -3])
    assert series.derivative.integral.values == approx([0, -0.25, 0, -1.5, -2])
    assert isinstance(series.integral, TIME_SERIES)


@pytest.mark.parametrize('text, complaint', [('0 1\n1 x\n', "line 2 of 'bad.txt' must hold two numbers; got '1 x'"),
                                             ('0 1 2\n', "line 1 of 'bad.txt'"), ('0 1\n', 'at least 2 points'),
                                             ('', 'at least 2 points'), ('1 1\n0 1\n', 'strictly increasing')])
def test_time_series_files(text, complaint, tmp_path):
    (tmp_path / 'bad.txt').write_text(text)
    with pytest.raises(ValueError, match="^TIME_SERIES: 'points': .*" + complaint.replace('.', r'\.')):
        TIME_SERIES('bad.txt')


def test_time_series_interpolates_and_holds_its_ends(new_model):
    """The momentum of a free body is the integral of the force."""
    model = new_model(drop=50)
    GRAVITY(model.solfec, (0, 0, TIME_SERIES([1E-3, 0, 5E-3, -40, 6E-3, 10])))
    velocity = []
    CALLBACK(model.solfec, 1E-3, None, lambda: velocity.append(model.ball.velo[5]))
    model.run(10)
    # The midpoints of the steps: 0 held to t = 1E-3, then -10 per step, up again, 10 held.
    accelerations = [0, -5, -15, -25, -35, -15, 10, 10, 10, 10]
    assert velocity == approx([1E-3 * sum(accelerations[:k + 1]) for k in range(10)], abs=1E-12)


def test_contact_points(new_model):
    counts = []
    for mode in ('ONE', 'MANY'):
        model = new_model()
        model.solfec.contact_points = mode
        BODY(model.solfec, 'RIGID', cube(2, 2, -0.001), model.material)
        model.run()
        counts.append(model.solfec.ncon)
    assert counts == [2, 5]


def test_step_is_an_upper_bound(new_model):
    model = new_model()
    model.solfec.step = 2.5E-4
    model.run(4)
    assert HISTORY(model.solfec, 'STEP', 0, 1)[1][1:] == [2.5E-4] * 4
    deformable = new_model()
    BODY(deformable.solfec, 'PSEUDO_RIGID', cube(3, 3, 3, 0.01), BULK_MATERIAL(deformable.solfec, young=1E9))
    deformable.run(1)
    steps = HISTORY(deformable.solfec, 'STEP', 0, 1)[1][1:]
    assert all(0 < h < 1E-3 for h in steps) and math.fsum(steps) >= 1E-3 * (1 - 1E-6)


def test_densities_that_leave_no_mass(model):
    for density in (5E-324, 1E-101):
        with pytest.raises(ValueError, match="^BULK_MATERIAL: 'density' must be at least 1e-100; got "):
            BULK_MATERIAL(model.solfec, label='dust', density=density)
        with pytest.raises(ValueError, match='density must be at least 1e-100; got '):
            model.material.density = density
