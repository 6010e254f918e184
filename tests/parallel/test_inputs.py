"""The inputs of inp/ on several ranks: each of them checks its own figures. Those that take long run shortened."""

import os
import pathlib
import subprocess

import pytest

from ranks import ENVIRONMENT, MPIEXEC, PROGRAM

INPUTS = pathlib.Path(__file__).resolve().parents[2] / 'inp'
WORDS = {'array-of-cubes.py': ['-M', '2', '-kifo', 'PR', '-stop', '0.1'], 'hopper.py': ['-layers', '2', '-stop', '0.5'],
         'rotating-drum.py': ['-stop', '1']}
NAMES = sorted(str(path.relative_to(INPUTS)) for path in INPUTS.rglob('*.py'))


@pytest.mark.parametrize('name', NAMES)
@pytest.mark.parametrize('ranks', (2, 3))  # on one: tests/examples
def test_input_passes_its_own_checks(tmp_path, name, ranks):
    done = subprocess.run([MPIEXEC, '-np', str(ranks), PROGRAM, '-w', INPUTS / name, *WORDS.get(name, [])], text=True,
                          cwd=tmp_path, capture_output=True, timeout=250, stdin=subprocess.DEVNULL,
                          env={**os.environ, **ENVIRONMENT})
    assert done.returncode == 0, done.stdout + done.stderr
