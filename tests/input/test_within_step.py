"""Functions of FORCE and PUT_SPRING are called in the middle of a step: there every command that changes a model, runs
it or writes what the step is made of is refused, and so is every member that can be set; all that only looks works."""

import pytest
from commands import COMMANDS
from test_arguments import READ_WRITE, name_of, values

from solfec import *

# Those that look (XDMF_EXPORT in READ mode only), and those that know no model. All others are refused.
ALLOWED = set('''BOX CYLINDER CONVEX HULL MESH HEX ROUGH_HEX PIPE SPHERE ELLIP COPY SCALE TRANSLATE ROTATE
    MASS_CENTER TIME_SERIES BYLABEL GAUSS_SEIDEL_SOLVER NEWTON_SOLVER AUTO_SOLVER NONSMOOTH_SOLVER CONVEX_SOLVER
    PENALTY_SOLVER FCLIB_SOLVE DURATION DISPLACEMENT VELOCITY STRESS ENERGY TIMING HERE NCPU RANK VIEWER SUBDIR
    NON_SOLFEC_ARGV WARNINGS DISPLAY_POINT XDMF_EXPORT'''.split())


def within_step(model, action):
    """What an action raises in the function of a FORCE (None: nothing), which loops over the loads of a body."""
    caught = []

    def force(q, u, t, h):
        if not caught:
            try:
                caught.append(action())
            except Exception as error:
                caught.append(error)
        return [0] * 9

    for _ in range(3):
        FORCE(model.ball, 'SPATIAL', (0, 0, 0), (0, 0, 1), force)
    model.run()
    return caught[0] if isinstance(caught[0], Exception) else None


@pytest.mark.parametrize('command', COMMANDS, ids=str)
def test_commands(command, new_model):
    model = new_model()
    given = values(command, model)
    ended = within_step(model, lambda: command.call(given))
    if command.name in ALLOWED:
        assert ended is None
    else:
        assert isinstance(ended, RuntimeError), ended
        assert str(ended) == (f'{command.name}: cannot be called in the middle of a step, by the function of a FORCE '
                              'or PUT_SPRING; a CALLBACK comes between steps')
    model.run()  # and the model is whole


def test_deleted_contact(model):
    contact = model.contact
    ended = within_step(model, lambda: DELETE(model.solfec, contact))
    assert str(ended).startswith('DELETE: cannot be called in the middle of a step') and contact.area > 0


@pytest.mark.parametrize('make, member, good, wrong, out', READ_WRITE)
def test_members(make, member, good, wrong, out, model):
    thing = make(model)
    if name_of(thing).endswith('SOLVER'):
        model.solver = thing
    before = getattr(thing, member)
    ended = within_step(model, lambda: setattr(thing, member, good))
    assert isinstance(ended, RuntimeError)
    assert str(ended).startswith(f'{name_of(thing)}.{member}: cannot be set in the middle of a step, by the function')
    assert getattr(thing, member) == before
    setattr(thing, member, good)


def test_function_of_a_spring(model):
    """It comes when W is made already: a solver that would want another one must not."""
    model.solver, caught = NEWTON_SOLVER(), []

    def pull(stroke, velocity):
        for act in (lambda: setattr(model.solver, 'locdyn', 'OFF'), lambda: setattr(model.solver, 'itershist', 'ON'),
                    lambda: PUT_SPRING(model.ball, (0, 0, 1), None, (0, 0, 3), pull, None),
                    lambda: setattr(model.ball, 'scheme', 'RIG_NEG')):
            with pytest.raises(RuntimeError, match='in the middle of a step') as error:
                act()
            caught.append(str(error.value).split(':')[0])
        return 0

    PUT_SPRING(model.ball, (0, 0, 1), None, (0, 0, 3), pull, None)
    model.run()
    assert set(caught) == {'NEWTON_SOLVER.locdyn', 'NEWTON_SOLVER.itershist', 'PUT_SPRING', 'BODY.scheme'}


def test_a_model_within_another(new_model):
    """The force of a model may come from a run of another one, by another solver."""
    outer, inner = new_model(), new_model()
    ended = within_step(outer, lambda: RUN(inner.solfec, inner.solver, 1E-3))
    assert ended is None and inner.solfec.time == pytest.approx(1E-3)
    outer = new_model()
    ended = within_step(outer, lambda: RUN(inner.solfec, outer.solver, 1E-3))
    assert str(ended) == "RUN: 'solver': this solver is in the middle of a step of another SOLFEC object"


def test_an_error_ends_the_run(model):
    """One that the function does not catch: the model is what it was before the step."""
    def force(q, u, t, h):
        DELETE(model.solfec, model.ball)

    FORCE(model.ball, 'SPATIAL', (0, 0, 0), (0, 0, 1), force)
    before = model.ball.conf
    with pytest.raises(RuntimeError, match='^DELETE: cannot be called in the middle of a step'):
        model.run()
    assert model.ball.conf == before and model.solfec.nbod == 2
