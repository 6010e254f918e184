"""Histories over thousands of frames read what they need and not whole frames."""

import shutil
import time

import pytest
from pytest import approx

from solfec import *


@pytest.fixture
def scratch(tmp_path):
    """Two gigabytes of results do not stay."""
    yield tmp_path / 'out'
    shutil.rmtree(tmp_path / 'out')


def test_one_point_over_10000_frames_of_1000_bodies(scratch):
    solfec = SOLFEC('DYNAMIC', 1E-3, str(scratch))
    solfec.verbose = 'OFF'
    material = BULK_MATERIAL(solfec)
    GRAVITY(solfec, (0, 0, -10))
    bodies = [BODY(solfec, 'RIGID', SPHERE((3 * (i % 32), 3 * (i // 32), 0), 1, 1, 1), material) for i in range(1000)]
    OUTPUT(solfec, 0)
    RUN(solfec, PENALTY_SOLVER(), 10)
    start = time.perf_counter()
    times, dz = HISTORY(solfec, (bodies[500], bodies[500].center, 'DZ'), 0, 10)
    took = time.perf_counter() - start
    print(f'{took:.2f} s')
    assert len(times) == 10001 and dz[-1] == approx(-500)
    assert took < 2
