"""RANK, BARRIER, NCPU, HERE, VIEWER, WARNINGS, SUBDIR, NON_SOLFEC_ARGV on one rank."""

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


def test_warnings():
    for state in ('OFF', 'ON'):
        assert WARNINGS(state) is None


def test_words_of_the_command_line():
    assert SUBDIR() is None and NON_SOLFEC_ARGV() is None  # test_command_line.py has the others
