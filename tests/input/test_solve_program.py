"""The program solfec-solve."""

import os
import subprocess

import numpy
import pytest
from conftest import Program
from fclib_problems import SOLVER, small, write

from solfec import *


def test_program(tmp_path, solve):
    path = write(tmp_path / 'a "b".hdf5', *small())
    other = write(tmp_path / 'c.hdf5', *small(8, 2))
    code, (first, second), trouble = solve('--solver', 'GS', '--tol', '1e-6', '--time-limit', 5, path, other)
    assert (code, trouble) == (0, '')
    assert list(first) == ['file', 'contacts', 'equalities', 'solver', 'tol', 'seconds', 'iterations', 'status',
                           'error']
    assert (first['file'], first['contacts'], first['solver'], first['tol'], first['status']) \
        == (path, 5, 'GS', 1E-6, 'OK')
    assert (second['file'], second['contacts']) == (other, 8)
    assert first['error'] <= 1E-6 and 0 < first['seconds'] < 1 and first['iterations'] > 1
    # The same as from Python, with the same settings.
    assert FCLIB_SOLVE(path, SOLVER, 1E-6)['error'] == pytest.approx(first['error'])
    code, (line,), _ = solve('--solver', 'PQN', '--tol', '1e-7', path)
    assert (code, line['solver'], line['status']) == (0, 'PQN', 'OK') and line['error'] <= 1E-7
    code, (line,), _ = solve('--tol', '1e-7', path)  # AUTO tells what it did
    assert line['iterations'] == sum(iterations for _, iterations, _ in line['path'])
    assert (line['path'][0][0], line['path'][-1][2]) == ('GS-AA', pytest.approx(line['error']))
    for name in ('AUTO', 'GS', 'GS-AA', 'PQN', 'FP-DS', 'EG-VI-UPTS'):
        code, (line,), _ = solve('--solver', name, '--tol', '1e-16', '--time-limit', '1e-9', path)
        assert (code, line['status']) == (0, 'TIME')
    stuck = write(tmp_path / 'stuck.hdf5', numpy.diag([0, 1, 1]), [-1, 0, 0], [0.5])
    code, (line,), _ = solve(stuck)
    assert (code, line['status'], line['tol']) == (0, 'DIVERGED', 1E-4)


def test_program_goes_on_after_a_bad_file(tmp_path, solve):
    path = write(tmp_path / 'a.hdf5', *small())
    code, (bad, good), trouble = solve('no.hdf5', path)
    assert (code, trouble) == (1, '')
    assert bad == {'file': 'no.hdf5', 'solver': 'AUTO', 'tol': 1E-4, 'status': 'ERROR',
                   'message': "cannot read 'no.hdf5': No such file or directory"}
    assert good['status'] == 'OK'


@pytest.mark.parametrize('words, complaint', [
    ([], 'FILE is required'), (['--tol', '0', 'a'], '--tol'), (['--tol', 'x', 'a'], '--tol'),
    (['--tol', 'nan', 'a'], '--tol'), (['--time-limit', '-1', 'a'], '--time-limit'),
    (['--solver', 'NO', 'a'], 'NO not in {GS,GS-AA,PQN,AUTO,FP-DS,FP-VI-UPK'), (['--no', 'a'], '--no')])
def test_program_with_bad_arguments(solve, words, complaint):
    code, lines, trouble = solve(*words)
    assert (code, lines) == (2, []) and trouble.startswith('solfec-solve: ') and complaint in trouble


@pytest.mark.skipif(not os.path.exists('/dev/full'), reason='there is no /dev/full')
def test_program_on_a_full_disk(tmp_path):
    path = write(tmp_path / 'a.hdf5', *small())
    with open('/dev/full', 'w') as full:
        done = subprocess.run([Program(tmp_path, 'solfec-solve').executable, path], stdout=full, stderr=subprocess.PIPE,
                              text=True)
    assert done.returncode == 1
    assert done.stderr == 'solfec-solve: cannot write the answer: No space left on device\n'


def test_program_help(tmp_path):
    program = Program(tmp_path, 'solfec-solve')
    text = program.run_words('--help')
    assert text.returncode == 0
    assert all(word in text.stdout for word in ('--solver', '--tol', '--time-limit', '--cold', 'FILE'))
    assert program.run_words('--version').stdout.startswith('Solfec ')
