"""The package `solfec`: in the program it is the program's own module, in an ordinary Python an extension."""

import inspect
import sys

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
    import os
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
    import subprocess
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
