"""RANK, BARRIER, NCPU, HERE, VIEWER, WARNINGS, SUBDIR, NON_SOLFEC_ARGV on one rank."""

import subprocess

import pytest
from conftest import BUILD

from solfec import *


def test_one_rank(model):
    assert RANK() == 0 and NCPU() == 1 and NCPU(model.solfec) == 1 and BARRIER() is None and VIEWER() is False


def test_here(new_model):
    model, other = new_model(), new_model()
    contact = model.contact
    for thing in (model.ball, model.floor, contact):
        assert HERE(model.solfec, thing) is True and HERE(other.solfec, thing) is False
    again = model.solfec.bodies[1]
    DELETE(model.solfec, model.ball)
    assert HERE(model.solfec, again) is False and HERE(model.solfec, contact) is False


def test_here_of_what_was_deleted(model):
    for thing in (model.contact, model.ball):
        DELETE(model.solfec, thing)
        assert HERE(model.solfec, thing) is False


@pytest.mark.skipif(not (BUILD / 'bin' / 'solfec-mpi').exists(), reason='without MPI')
def test_ranks_of_results(program, monkeypatch):
    """On one rank, in READ mode, those that have written the results."""
    for name in ('ALLOW_RUN_AS_ROOT', 'ALLOW_RUN_AS_ROOT_CONFIRM'):
        monkeypatch.setenv('OMPI_' + name, '1')
    monkeypatch.setenv('OMPI_MCA_rmaps_base_oversubscribe', '1')
    script = """
        s = SOLFEC('DYNAMIC', 1E-3, 'out')
        BODY(s, 'RIGID', SPHERE((0, 0, 0), 1, 1, 1), BULK_MATERIAL(s))
        RUN(s, PENALTY_SOLVER(), 2E-3)
        if RANK() == 0: print('ranks', s.mode, NCPU(), NCPU(s))
        """
    command = program.command(script)
    written = subprocess.run(['mpirun', '-np', '2', command[0] + '-mpi', *command[1:]], cwd=program.directory,
                             capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL)
    assert 'ranks WRITE 2 2' in written.stdout, written.stderr
    assert 'ranks READ 1 2' in program.run(script).stdout


def test_warnings():
    for state in ('OFF', 'ON'):
        assert WARNINGS(state) is None


def test_words_of_the_command_line():
    assert SUBDIR() is None and NON_SOLFEC_ARGV() is None  # test_command_line.py has the others
