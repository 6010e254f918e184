"""FCLIB_DUMP: files of runs, judged by the error of fclib_problems.py."""

import os

import h5py
import numpy
import pytest
from fclib_problems import SOLVER, dense, error_of, in_file, numbers_of

from solfec import *


def test_dump(model):
    with pytest.raises(ValueError, match="FCLIB_DUMP: 'solfec': no step has been made yet"):
        FCLIB_DUMP(model.solfec, 'a.hdf5')
    INITIAL_VELOCITY(model.ball, (1, 0, -1), (0, 0, 0))
    model.run()
    FCLIB_DUMP(model.solfec, 'a.hdf5')
    contact = model.solfec.constraints[0]
    done = FCLIB_SOLVE('a.hdf5', SOLVER, 1E-12)
    assert done['R'][0] == pytest.approx(contact.R, rel=1E-6)
    assert error_of('a.hdf5', [contact.R]) < 1E-6
    with h5py.File('a.hdf5') as file:
        local = file['fclib_local']
        assert local['W/nz'][0] == -2 and local['spacedim'][0] == 3 and local['vectors/mu'][:] == [0.5]
        # The block of W in the normal direction, the first of the file: h / m.
        assert dense(local['W'])[0, 0] == pytest.approx(1E-3 / model.ball.mass)
        assert b'model0, step 1' in local['info/title'][()]
    with pytest.raises(RuntimeError, match="FCLIB_DUMP: cannot write 'no/such.hdf5': No such file or directory"):
        FCLIB_DUMP(model.solfec, 'no/such.hdf5')
    DELETE(model.solfec, model.ball)
    with pytest.raises(ValueError, match='bodies or constraints were made or deleted since the last step'):
        FCLIB_DUMP(model.solfec, 'a.hdf5')


def test_dump_with_restitution_and_cohesion(model):
    """What solves the step solves the file, with the cohesive force added."""
    SURFACE_MATERIAL(model.solfec, 1, 2, friction=0.5, restitution=0.5, cohesion=100)
    solver = GAUSS_SEIDEL_SOLVER(1E-14, 1000, 1E-20)
    INITIAL_VELOCITY(model.ball, (0.01, 0, -1), (0, 0, 0))
    RUN(model.solfec, solver, model.solfec.step)
    contact = model.solfec.constraints[0]
    assert contact.U[2] == pytest.approx(0.5, rel=0.1)  # it rebounds
    FCLIB_DUMP(model.solfec, 'a.hdf5')
    cohesion = 100 * contact.area
    assert cohesion > 0
    R = numpy.array(contact.R) + (0, 0, cohesion)
    assert error_of('a.hdf5', [R]) < 1E-8 < error_of('a.hdf5', [contact.R])


def test_dump_without_contacts(free):
    free.run()
    FCLIB_DUMP(free.solfec, 'a.hdf5')
    assert FCLIB_SOLVE('a.hdf5', SOLVER)['contacts'] == 0


def pendulum(name):
    """A chain of two bricks, the first one on a point in space, beside a ball on a floor; one direction of the ball is
    fixed."""
    solfec = SOLFEC('DYNAMIC', 1E-3, name)
    solfec.joint_correction = 'OFF'
    material = BULK_MATERIAL(solfec, density=1000)
    SURFACE_MATERIAL(solfec, friction=0.3)
    GRAVITY(solfec, (0, 0, -9.81))
    solfec.verbose = 'OFF'
    BODY(solfec, 'OBSTACLE', BOX((0, 0, -1), (10, 10, 2)), material)
    bricks = [BODY(solfec, 'RIGID', BOX((x, 0.1, 2.1), (0.9, 0.2, 0.2)), material) for x in (0.45, 1.45)]
    FIX_POINT(bricks[0], (0, 0.1, 2.1))
    PUT_RIGID_LINK(*bricks, (0.95, 0.1, 2.1), (0.95, 0.1, 2.1))
    ball = BODY(solfec, 'RIGID', SPHERE((0, 0, 0.4999), 0.5, 1, 1), material)
    FIX_DIRECTION(ball, (0, 0, 0.5), (1, 0, 0))
    INITIAL_VELOCITY(ball, (0, 0.5, -0.1), (1, 2, 0))
    INITIAL_VELOCITY(bricks[1], (0.1, 0.3, 0), (0, 0, 0.5))
    return solfec


def joints_in_file(solfec):
    """Multipliers of the run in the order of files."""
    result = []
    for joint in solfec.constraints:
        if joint.kind == 'FIXPNT':
            result += [joint.R[2], joint.R[0], joint.R[1]]
        elif joint.kind == 'FIXDIR':
            result.append(joint.R[2])
    return result


def test_dump_with_joints(tmp_path):
    """Both forms hold the problem of the run, and it begins where that ended."""
    solfec = pendulum('chain')
    RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-15, 10000, 1E-24), 3 * solfec.step)
    contacts = [c.R for c in solfec.constraints if c.kind == 'CONTACT']
    joints = joints_in_file(solfec)
    assert len(contacts) == 1 and len(joints) == 7
    matrices, files = [], ('local.hdf5', 'global.hdf5')
    for path, form in zip(files, ('LOCAL', 'GLOBAL')):
        FCLIB_DUMP(solfec, path, form, 'ON')
        W, q, mu = numbers_of(path)
        matrices.append((W, q, mu))
        assert error_of(path, contacts, joints) < 1E-8
        done = FCLIB_SOLVE(path, SOLVER, 1E-10, cold='ON')
        assert (done['status'], done['contacts'], done['equalities']) == ('OK', 1, 7)
        assert done['iterations'] > 3 and done['R'][0] == pytest.approx(contacts[0], rel=1E-6)
        assert done['l'] == pytest.approx(joints, rel=1E-6, abs=1E-6)
        warm = FCLIB_SOLVE(path, SOLVER, 1E-6)
        assert (warm['status'], warm['iterations']) == ('OK', 1)
        with h5py.File(path) as file:
            guess = {name: value[:] for name, value in file['guesses/1'].items()}
            assert guess['r'] == pytest.approx(in_file(contacts)) and guess['l'] == pytest.approx(joints)
            assert guess['u'] == pytest.approx((W @ [*guess['r'], *guess['l']] + q)[:3])
            assert sorted(guess) == (['l', 'r', 'u'] if form == 'LOCAL' else ['l', 'r', 'u', 'v'])
            if form == 'GLOBAL':
                M, H, G = (dense(file['fclib_global/' + name]) for name in 'MHG')
                assert M.shape == (18, 18) and (M == 1E3 * numpy.eye(18)).all()
                assert guess['v'] == pytest.approx(numpy.linalg.solve(M, H @ guess['r'] + G @ guess['l']))
    for one, other in zip(*matrices):
        assert one == pytest.approx(other, rel=1E-12, abs=1E-14 * numpy.abs(one).max())
    FCLIB_DUMP(solfec, 'a.hdf5')
    with h5py.File('a.hdf5') as file:
        assert 'guesses' not in file


def test_dump_of_closed_joints(tmp_path):
    """Where steps close joints their targets do: the reactions of the step, without the impulses at its ends, solve the
    file. A link is a fixed direction."""
    solfec = pendulum('chain')
    solfec.joint_correction = 'ON'
    PUT_RIGID_LINK(solfec.bodies[2], solfec.bodies[3], (1.9, 0.1, 2.1), (0, 0, 0.5))
    RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-15, 10000, 1E-24), 10 * solfec.step)
    for form in ('LOCAL', 'GLOBAL'):
        FCLIB_DUMP(solfec, 'a.hdf5', form, 'ON')
        with h5py.File('a.hdf5') as file:
            r, l = file['guesses/1/r'][:], file['guesses/1/l'][:]
        assert len(l) == 8 and error_of('a.hdf5', r.reshape(-1, 3)[:, [1, 2, 0]], l) < 1E-8


def test_dump_of_targets(tmp_path):
    """A prescribed velocity is a target, and so part of s: the run's reactions solve the file."""
    solfec = pendulum('chain')
    ball = solfec.bodies[3]
    SET_VELOCITY(ball, (0, 0, 0.5), (0, 1, 0), 0.75)
    RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-15, 10000, 1E-24), solfec.step)
    FCLIB_DUMP(solfec, 'a.hdf5', 'GLOBAL')
    done = FCLIB_SOLVE('a.hdf5', SOLVER, 1E-10)
    assert (done['status'], done['equalities']) == ('OK', 8)
    assert done['R'][0] == pytest.approx([c.R for c in solfec.constraints if c.kind == 'CONTACT'][0], rel=1E-6)
    prescribed = [c.R[2] for c in solfec.constraints if c.kind == 'VELODIR']
    assert any(l == pytest.approx(prescribed[0], rel=1E-6) for l in done['l'])


def test_dump_refuses_what_it_cannot_say(model):
    model.solfec.joint_correction = 'OFF'
    PUT_SPRING(model.ball, (0, 0, 1), model.floor, (0, 0, 0), lambda stroke, velocity: 0.0, (-1, 1))
    for x in (0, 1):
        PUT_RIGID_LINK(model.ball, model.floor, (0, 0, 1), (x, 0, -1))
    model.run()
    with pytest.raises(ValueError, match="FCLIB_DUMP: 'solfec': the joints of an FCLib file are fixed points and fixed "
                                         'directions; in the last step 2 constraints were rigid links by velocities '
                                         "[(]joint_correction is 'OFF', or no step meets them by lengths[)], and 1 "
                                         'were springs'):
        FCLIB_DUMP(model.solfec, 'a.hdf5')
    assert not os.path.exists('a.hdf5')


def test_dump_refuses_springs(model):
    SURFACE_MATERIAL(model.solfec, 1, 2, model='SPRING_DASHPOT', spring=1E6)
    RUN(model.solfec, PENALTY_SOLVER(), model.solfec.step)
    with pytest.raises(ValueError, match='in the last step 1 contacts were spring-dashpots'):
        FCLIB_DUMP(model.solfec, 'a.hdf5')
