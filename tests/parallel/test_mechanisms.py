"""The mechanisms of the docs, and some with deformable bodies, on several ranks and through an interruption."""

import pathlib
import shutil

import pytest
from models import TELL, merged, start_model

EVIDENCE = pathlib.Path(__file__).resolve().parents[2] / 'docs' / 'evidence'

SCRIPT = f"""\
import json, os, signal, sys
sys.path.insert(0, {str(EVIDENCE)!r})
import mechanisms
{TELL}
def bar(s, kind, x, scheme, **options):
    corners = [c for z in (-0.01, 0.01) for a, b in ((0, -0.01), (0.4, -0.01), (0.4, 0.01), (0, 0.01))
               for c in (x + a, b, z)]
    shape = HULL(corners, 1, 1) if kind == 'PSEUDO_RIGID' else HEX(corners, 4, 1, 1, 1, [1] * 6)
    body = BODY(s, kind, shape, 'steel', **options)
    body.scheme = scheme
    return body

def steel_bars(s, first, second, scheme='DEF_LIM', **options):
    '''Two stiff bars, pinned to a point and to each other, turn by 0.1 in a step.'''
    BULK_MATERIAL(s, label='steel', young=2E11, poisson=0.3, density=7800)
    one = bar(s, first, 0, scheme, **options)
    two = bar(s, second, 0.4, scheme, **(options if second == first else {{}}))
    joint = FIX_POINT(one, (0, 0, 0))
    PUT_RIGID_LINK(one, two, (0.4, 0, 0), (0.4, 0, 0))
    INITIAL_VELOCITY(one, (0, 20, 0), (0, 0, 100))
    INITIAL_VELOCITY(two, (0, 50, 0), (0, 0, 50))
    return 100.0, two, (0.8, 0, 0), joint, 0

makers = {{**mechanisms.MECHANISMS,
          'TL and pseudo-rigid': lambda s: steel_bars(s, 'FINITE_ELEMENT', 'PSEUDO_RIGID'),
          'BC': lambda s: steel_bars(s, 'FINITE_ELEMENT', 'FINITE_ELEMENT', form='BC'),
          'conserving': lambda s: steel_bars(s, 'FINITE_ELEMENT', 'PSEUDO_RIGID', 'DEF_IMP')}}
models = []
for number, make in enumerate(makers.values()):
    s = SOLFEC('DYNAMIC', 1.0, f'out/{{number}}')
    s.verbose = 'OFF'
    OUTPUT(s, 0)
    IMBALANCE_TOLERANCE(s, 1.05)
    BULK_MATERIAL(s, density=1000)
    SURFACE_MATERIAL(s)
    CONTACT_EXCLUDE_SURFACES(s, 1, 1)
    s.step = 0.1 / make(s)[0]
    models.append(s)
for half in (0, 1):
    for s in models:
        RUN(s, AUTO_SOLVER(1E-16, 1000), 19.5 * s.step)
    if 'half' in sys.argv:
        sys.exit(0)
tell(states={{f'{{name}} {{body.id}}': [body.conf, body.velo] for name, s in zip(makers, models) for body in s.bodies
              if HERE(s, body)}}, times=[s.time for s in models], steps=[s.step for s in models])
"""


def states(directory, ranks, *words):
    told = start_model(directory, ranks, SCRIPT, *words).well()
    for rank in told:
        assert rank['times'] == pytest.approx([40 * step for step in rank['steps']])
    return merged(told, 'states')


def assert_alike(found, wanted):
    """Velocities by their size: some are those of a chain that swings by 400 rad/s."""
    assert found.keys() == wanted.keys()
    for body, (conf, velo) in found.items():
        assert conf == pytest.approx(wanted[body][0], abs=1E-7), body
        assert velo == pytest.approx(wanted[body][1], abs=1E-6 * max(map(abs, wanted[body][1]))), body


@pytest.fixture(scope='module')
def wanted(tmp_path_factory):
    found = states(tmp_path_factory.mktemp('one'), 1)
    assert len(found) > 90
    return found


@pytest.mark.parametrize('ranks', (2, 3, 4))
def test_mechanisms_move_as_on_one_rank(ranks, tmp_path, wanted):
    assert_alike(states(tmp_path, ranks), wanted)


def test_mechanisms_go_on(tmp_path, wanted):
    """On one rank and two: to the last bit on as many as before."""
    first = tmp_path / 'first'
    first.mkdir()
    start_model(first, 1, SCRIPT, 'half').well()
    for ranks in (1, 2):
        directory = tmp_path / str(ranks)
        directory.mkdir()
        shutil.copytree(first / 'out', directory / 'out')
        found = states(directory, ranks, '-c')
        assert_alike(found, wanted)
        assert ranks > 1 or found == wanted
