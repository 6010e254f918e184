"""Newton's and the automatic solver on several ranks: the motion that they, or Gauss-Seidel, give on one."""

import pytest
from models import DRUM, merged, start_model

# Grains in a drum come to touch each other, then move on with the solver that the last word names.
SCRIPT = DRUM + """
RUN(s, solver, 0.12)
solver = {'GS': GAUSS_SEIDEL_SOLVER(1, 10000, 1E-14), 'AS': AUTO_SOLVER(1E-14),
          'NS': NEWTON_SOLVER(1E-14, delta=0.01, reldelta='avgWii', linmaxiter=30, epsilon=0.01)}[words[-1]]
solver.itershist = 'ON'
RUN(s, solver, 0.01)
tell(error=solver.error, iterations=solver.itershist, states={body.id: body.conf for body in grains if HERE(s, body)})
"""


def states(directory, ranks, name):
    directory.mkdir()
    told = start_model(directory, ranks, SCRIPT, '1E-14', '500', '0', name).well()
    assert {rank['error'] for rank in told} == {'OK'}
    assert all(rank['iterations'] == told[0]['iterations'] for rank in told) and sum(told[0]['iterations']) > 40
    return merged(told, 'states')


@pytest.fixture(scope='module')
def wanted(tmp_path_factory):
    """With friction there may be several solutions: Newton's method finds another one than sweeps in some step, and how
    far its iterations go shows later, after more than 0.01 s on two ranks."""
    directory = tmp_path_factory.mktemp('one')
    return {'AS': states(directory / 'GS', 1, 'GS'), 'NS': states(directory / 'NS', 1, 'NS')}


@pytest.mark.parametrize('name', ['NS', 'AS'])
@pytest.mark.parametrize('ranks', [1, 2, 3, 4])
def test_ranks_move_a_model_alike(name, ranks, tmp_path, wanted):
    for body, conf in states(tmp_path / name, ranks, name).items():
        assert conf == pytest.approx(wanted[name][body], abs={'AS': 1E-6, 'NS': 1E-3}[name])
