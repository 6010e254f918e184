"""What docs/differences.md claims and a script can see."""

import numpy as np
import pytest
from support import ROOT, python, solfec

from solfec.results import Results


def test_ball_of_a_pseudo_rigid_body_deforms_into_an_ellipsoid(tmp_path):
    # A soft ball is drawn apart by two forces; a probe comes down on it, past the height that the soft one would have
    # if it stayed a ball.
    (tmp_path / 'script.py').write_text('''
solfec = SOLFEC('DYNAMIC', 1E-3, 'out/soft')
soft = BULK_MATERIAL(solfec, young=1E5, poisson=0.3)
ball = BODY(solfec, 'PSEUDO_RIGID', SPHERE((0, 0, 0), 1, 1, 1), soft, label='soft')
ball.scheme = 'DEF_LIM'
ball.damping = 0.1
for side in (1, -1):
    FORCE(ball, 'SPATIAL', (side, 0, 0), (side, 0, 0), 1E5)
probe = BODY(solfec, 'OBSTACLE', SPHERE((0, 0, 1.2), 0.1, 1, 1), soft, label='probe')
INITIAL_VELOCITY(probe, (0, 0, -0.25), (0, 0, 0))
RUN(solfec, PENALTY_SOLVER(), 1.2)
''')
    solfec('script.py', cwd=tmp_path)
    results = Results(tmp_path / 'out/soft')
    touched = [number for number in range(0, len(results), 5) if len(results.frame(number).contacts['gap'])]
    before = results.frame(touched[0] - 5)
    ball, probe = before.bodies
    height = ball.gradient[2, 2]
    assert ball.gradient[0, 0] > 1.1 and height < 0.97
    assert probe.center[2] - 0.1 < 0.97 + 0.01  # a ball of radius 1 would have been touched before
    assert probe.center[2] - 0.1 == pytest.approx(height, abs=0.01)


def test_base_is_row_by_row_and_right_handed_and_resultants_act_on_named_bodies(tmp_path):
    (tmp_path / 'script.py').write_text('''
solfec = SOLFEC('DYNAMIC', 1E-3, 'out/base')
material = BULK_MATERIAL(solfec)
GRAVITY(solfec, (0, 0, -10))
lower = BODY(solfec, 'RIGID', SPHERE((0, 0, 0.5), 0.5, 1, 1), material)
upper = BODY(solfec, 'RIGID', SPHERE((0, 0, 1.5), 0.5, 1, 1), material)
floor = BODY(solfec, 'OBSTACLE', HULL([-1, -1, -1, 1, -1, -1, 1, 1, -1, -1, 1, -1,
                                       -1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0], 1, 1), material)
RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-9, 1000, 1E-16), 0.1)
for c in solfec.constraints:
    base = [c.base[0:3], c.base[3:6], c.base[6:9]]
    t1, t2, n = ([row[k] for row in base] for k in range(3))
    cross = [t1[1] * t2[2] - t1[2] * t2[1], t1[2] * t2[0] - t1[0] * t2[2], t1[0] * t2[1] - t1[1] * t2[0]]
    assert max(abs(a - b) for a, b in zip(cross, n)) < 1E-12, c.base
    assert c.adjbod[0] == lower
    assert abs(n[2] - (1 if c.adjbod[1] == floor else -1)) < 1E-9
times, on_lower, on_upper, on_both = HISTORY(solfec, [
    (lower, (0, 0, 1), None, 'R'), (upper, (0, 0, 1), None, 'R'), ([lower, upper], (0, 0, 1), None, 'R')], 0.1, 0.1)
weight = 10 * lower.mass
print(on_lower[-1] / weight, on_upper[-1] / weight, on_both[-1] / weight)
''')
    numbers = solfec('script.py', cwd=tmp_path).splitlines()[-1].split()
    assert [float(number) for number in numbers] == pytest.approx([1, 1, 2], abs=1E-6)


def test_evidence_of_the_tangent(tmp_path):
    lines = python(ROOT / 'docs/evidence/tangent.py', cwd=tmp_path).splitlines()
    whole, material = ([float(word) for word in line.replace(',', '').split() if word[0].isdigit()] for line in lines)
    assert 1E-7 < whole[0] < 1E-6 and material[0] < 1E-13
    assert material[1] < 1E-3 and whole[1] < 1E-3
    assert np.isfinite(whole + material).all()


@pytest.mark.parametrize('line, name', [
    ("TETRAHEDRALIZE(1, 2)", 'TETRAHEDRALIZE'), ("SPLIT(1, 2)", 'SPLIT')])
def test_what_is_to_come_is_refused_by_name(tmp_path, line, name):
    (tmp_path / 'script.py').write_text(line)
    last = solfec('script.py', cwd=tmp_path, code=1).splitlines()[-1]
    assert name in last and 'not available in this version' in last


def test_a_wrong_name_is_just_a_wrong_name(tmp_path):
    (tmp_path / 'script.py').write_text('FIXED_POINT')
    assert 'available' not in solfec('script.py', cwd=tmp_path, code=1)
