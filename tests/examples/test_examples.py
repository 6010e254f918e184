"""Runs each example in WRITE mode and in READ mode. The examples check their outcome themselves; here it is checked
that they did, that both modes tell the same, and, where it is simple, that an independent look at the results agrees.
"""

import math
import re

import numpy as np
import pytest
from support import ROOT, solfec

from solfec.results import Results

INP = ROOT / 'inp'


def twice(tmp_path, name, *options):
    """What an example prints when it computes and when it reads (without its progress)."""
    script = INP / name
    written = solfec(script, *options, cwd=tmp_path)
    read = solfec(script, *options, cwd=tmp_path)
    progress = re.compile(r'out/\S+: (\d+ bodies|reading results|no [A-Z_]+:|steps of) .*| *\d+% \| .*|\d+ steps in .*')
    own, again = ([line for line in text.splitlines() if not progress.fullmatch(line)] for text in (written, read))
    assert own, 'the example prints its outcome'
    return own, again


def same_in_both_modes(tmp_path, name, *options):
    written, read = twice(tmp_path, name, *options)
    assert written == read
    return written


def number_after(lines, text):
    """The first number after a text in what was printed."""
    return float(re.search(re.escape(text) + r'[^-\d]*(-?[\d.]+(?:[eE][-+]?\d+)?)', '\n'.join(lines)).group(1))


def test_each_example_opens_with_what_it_shows_how_to_run_it_and_what_to_expect():
    examples = sorted(INP.rglob('*.py'))
    assert len(examples) >= 7
    for path in examples:
        text = path.read_text()
        assert text.startswith('"""'), path
        head = text.split('"""')[1]
        for part in ('What it shows', 'How to run it', 'What to expect', 'solfec'):
            assert part in head, '%s says nothing of: %s' % (path, part)
        assert path.name in head, '%s gives no command' % path


def test_three_basic_geometric_objects(tmp_path):
    lines = same_in_both_modes(tmp_path, 'tutorial/three-basic-geometric-objects.py')
    assert number_after(lines, 'impact at t =') == pytest.approx(0.038, abs=0.001)
    results = Results(tmp_path / 'out/tutorial/three-basic-geometric-objects')
    assert len(results) == 1001
    assert 8000 < results.column('frame/number')[-1] < 9000  # steps are cut to the explicit limit
    assert results.times[-1] == pytest.approx(1, abs=1E-3)


# Exact restitution of a spring and a dashpot that push only, without gravity (Schwager and Poeschel 2007).
def exact_restitution(spring, dashpot, mass):
    z = dashpot / (2 * math.sqrt(spring * mass))
    if z < 1:
        root = math.sqrt(1 - z * z)
        return math.exp(-z / root * math.atan2(2 * z * root, -(1 - 2 * z * z)))
    root = math.sqrt(z * z - 1)
    return math.exp(-z / root * math.log((z + root) / (z - root)))


def test_ball_impact_shows_three_kinds_of_restitution(tmp_path):
    written, read = twice(tmp_path, 'tutorial/ball-impact.py')
    assert read[:len(written)] == written
    picture = tmp_path / 'out/tutorial/ball-impact.png'
    assert picture.read_bytes().startswith(b'\x89PNG') and picture.stat().st_size > 10000
    mass = 2E3 * 4 / 3 * math.pi
    measured = []
    for number, dashpot in enumerate([0, 1E6, 1E7], start=1):
        results = Results(tmp_path / ('out/tutorial/ball-impact-%d' % number))
        first = results.times < 0.5
        kinetic = results.column('frame/energy')[:, 0]
        height = np.array([results.frame(k).bodies[1].center[2] for k in range(0, len(results), 50)])
        assert kinetic[0] == pytest.approx(0.5 * mass * 25, rel=1E-9)
        turn = kinetic[first][:20].argmin()  # the impact takes about 10 steps
        after = kinetic[first][turn:].max()
        restitution = math.sqrt(after / kinetic[0])
        measured.append(restitution)
        assert restitution == pytest.approx(exact_restitution(1E9, dashpot, mass), rel=0.05, abs=0.01), dashpot
        if dashpot == 0:
            # Elastic: kinetic and potential energy together are kept within 1 %, but for the moments of contact.
            flying = height >= 1
            assert flying.sum() > 30
            total = kinetic[::50][flying] + mass * 10 * (height[flying] - 1)
            assert np.abs(total / kinetic[0] - 1).max() < 0.01
    assert measured[0] > 0.995 and 0.5 < measured[1] < 0.7 and measured[2] < 0.1


def test_sliding_block_stops_where_it_must(tmp_path):
    lines = same_in_both_modes(tmp_path, 'sliding-block.py')
    assert number_after(lines, 'distance [m]') == pytest.approx(1.5, abs=2E-3)
    block = next(b for b in Results(tmp_path / 'out/sliding-block').frame(-1).bodies if b.label == 'block')
    assert block.center[0] == pytest.approx(1.5, abs=2E-3)
    assert np.abs(block.velocity).max() < 1E-6


def test_newtons_cradle(tmp_path):
    lines = same_in_both_modes(tmp_path, 'newtons-cradle.py')
    assert lines[0].split()[-5:] == ['0.00000'] * 4 + ['1.00000']
    assert lines[1].split()[-5:] == ['-0.60000'] + ['0.40000'] * 4


def test_articulated_pendulum_keeps_its_pins(tmp_path):
    lines = same_in_both_modes(tmp_path, 'articulated-pendulum.py')
    assert number_after(lines, 'largest gap of a pin:') < 1E-7
    results = Results(tmp_path / 'out/articulated-pendulum')
    for number in (0, 100, -1):
        frame = results.frame(number)
        assert sorted(frame.joints['kind']) == [1, 1, 1, 2, 2, 3] and len(frame.contacts['kind']) == 0
        for joint, point in zip(frame.joints['kind'], frame.joints['point']):
            if joint == 3:  # where the support is
                assert point[0] == pytest.approx(0.05 * math.sin(math.pi * (frame.time - 5E-4))**2, abs=1E-4)


def test_bar_impact(tmp_path):
    written, read = twice(tmp_path, 'bar-impact.py')
    assert read[:len(written)] == written
    assert (tmp_path / 'out/bar-impact.png').read_bytes().startswith(b'\x89PNG')
    assert number_after(written, 'time of contact [ms]') == pytest.approx(2, rel=0.02)
    # The bar has left; in contact it was shorter by 1 mm.
    results = Results(tmp_path / 'out/bar-impact')
    first, last = results.frame(0).bodies[1], results.frame(-1).bodies[1]
    assert len(results.frame(-1).contacts['R']) == 0
    assert last.center[0] - first.center[0] == pytest.approx(results.times[-1] - 2E-3, abs=2E-5)
    assert np.ptp(last.nodes - first.nodes, axis=0).max() < 5E-5


def test_arches_stand_and_fall(tmp_path):
    lines = same_in_both_modes(tmp_path, 'arch.py')
    assert [line.split()[1] for line in lines[1:]] == ['yes', 'yes', 'no']
    frame = Results(tmp_path / 'out/arch').frame(-1)
    R = frame.contacts['R']
    assert (np.hypot(R[:, 0], R[:, 1]) <= 0.7 * R[:, 2] * (1 + 1E-12)).all()
    # Of two arches the stones are where they were.
    centers = [body.center for body in frame.bodies]
    reference = [body.definition.center for body in frame.bodies]
    moved = [math.dist(a, b) for a, b in zip(centers, reference)]
    assert len(moved) == 3 * 18 and max(moved[:36]) < 1E-3 < 0.1 < max(moved[36:])


def test_leaf_spring(tmp_path):
    lines = same_in_both_modes(tmp_path, 'leaf-spring.py')
    # Nothing but friction tells the spring from one with smooth leaves.
    smooth, down, up = (number_after(lines, name) for name in ('three leaves down [N]', 'rough leaves down [N]',
                                                               'rough leaves up [N]'))
    assert down / smooth == pytest.approx(1.031, abs=2E-3) and up / smooth == pytest.approx(0.970, abs=2E-3)
    # All ends have gone the way of the press, and a slope times half an element more.
    for name, leaves in (('one-leaf', 1), ('three-leaves', 3), ('three-rough-leaves', 3)):
        frame = Results(tmp_path / 'out/leaf-spring' / name).at(1)
        drops = [body.nodes[84:88, 2] - body.definition.solids[0].points[84:88, 2] for body in frame.bodies]
        assert len(drops) == leaves
        assert np.mean(drops, axis=1) == pytest.approx(-0.01 * (1 + 1.5 * 0.0125 / 0.4875), abs=1E-4)


def test_dominoes_all_fall(tmp_path):
    lines = same_in_both_modes(tmp_path, 'dominoes.py')
    frame = Results(tmp_path / 'out/dominoes').frame(-1)
    dominoes = [b for b in frame.bodies if b.label.startswith('domino')]
    assert len(dominoes) == 20
    for body in dominoes:
        assert body.gradient[2, 2] < math.cos(math.radians(45)), body.label
    # g and the height make one speed only: the wave must be of its order.
    assert 0.5 < number_after(lines, 'speed of the wave:') / math.sqrt(9.81 * 0.048) < 2.5


def test_hopper_keeps_its_mass(tmp_path):
    lines = same_in_both_modes(tmp_path, 'hopper.py', '-layers', '2', '-stop', '1.5')
    assert lines[-1].startswith('32 bodies') and 'all there' in lines[-1]
    assert number_after(lines, 'all there;') == 0  # run out
    frame = Results(tmp_path / 'out/hopper').frame(-1)
    kinds = {solid.kind for body in frame.bodies if body.label.startswith('grain') for solid in body.definition.solids}
    assert kinds == {'sphere', 'ellipsoid', 'polyhedron', 'mesh'}
    slide = next(b for b in frame.bodies if b.label == 'slide')
    assert slide.center[0] > 0.8 and not slide.velocity.any()


def test_hopper_refuses_unknown_options(tmp_path):
    assert 'hopper: ' in solfec(INP / 'hopper.py', '-speed', '3', cwd=tmp_path, code=1)
    assert 'above 0' in solfec(INP / 'hopper.py', '-layers', '0', cwd=tmp_path, code=1)
    assert not (tmp_path / 'out').exists()


@pytest.mark.parametrize('solver', ([], ['-solv', 'NS', '-nsdl', '0.01', '-rldl', 'avgWii']), ids=('GS', 'NS'))
def test_rotating_drum(tmp_path, solver):
    options = ['-npar', '20', '-kifo', 'RG', '-stop', '1.4', '-step', '0.002', *solver]
    written, read = twice(tmp_path, 'rotating-drum.py', *options)
    directory = next((tmp_path / 'out/rotating-drum').iterdir())
    results = Results(directory)
    frame = results.frame(-1)
    assert len(frame.bodies) == 3 + 20
    drum = next(b for b in frame.bodies if b.label == 'drum')
    assert drum.velocity[1] == 1 and np.abs(np.delete(drum.velocity, 1)).max() == 0  # turns once all are in
    assert drum.gradient[0, 2] > 0
    assert written[0] == read[0] and '20 of 20 particles are inserted, 20 are in the drum' in read[0]
    # All are inside of the drum, and reactions in the cone.
    for body in frame.bodies[3:]:
        assert math.hypot(body.center[0], body.center[2]) < 1 and 0 < body.center[1] < 0.5
    R = frame.contacts['R']
    assert len(R) > 10
    assert (np.hypot(R[:, 0], R[:, 1]) <= 0.3 * R[:, 2] * (1 + 1E-12)).all()
    assert 'iterations per step' in written[-1]


def test_rotating_drum_goes_on_from_another_run(tmp_path):
    options = ['-npar', '20', '-kifo', 'RG', '-solv', 'AS']
    solfec('-w', INP / 'rotating-drum.py', *options, '-stop', '1.6', '-meri', '1E-4', '-prfx', 'bed_', cwd=tmp_path)
    bed = next((tmp_path / 'out/rotating-drum').iterdir())
    written, read = twice(tmp_path, 'rotating-drum.py', *options, '-stop', '0.1', '-init', bed)
    assert written[0] == read[0]
    there = next(path for path in bed.parent.iterdir() if path != bed)
    before, first, last = Results(bed).frame(-1), Results(there).frame(0), Results(there).frame(-1)
    angle = [math.atan2(frame.bodies[0].gradient[0, 2], frame.bodies[0].gradient[0, 0]) for frame in
             (before, first, last)]
    assert angle[0] == angle[1] > 0.1 and angle[2] == pytest.approx(angle[1] + 0.1, abs=1E-9)
    for one, other in zip(before.bodies, first.bodies):
        assert one.center == pytest.approx(other.center, abs=0) and one.velocity == pytest.approx(other.velocity, abs=0)


@pytest.mark.parametrize('words, message', [
    (['-solv', 'XX'], 'GS, NS or AS'), (['-rldl', 'x'], 'avgWii'), (['-leps', '0'], 'above 0'), (['-weak'], 'weak'),
    (['-kifo', 'FE'], 'finite element'), (['-kifo', 'XX'], 'RG or PR'), (['-step', 'x'], 'number'),
    (['-npar', '0'], 'above 0'), (['-other'], 'unknown'), (['-step'], 'value')])
def test_rotating_drum_refuses_in_one_line(tmp_path, words, message):
    printed = solfec(INP / 'rotating-drum.py', *words, cwd=tmp_path, code=1)
    assert len(printed.splitlines()) == 1 and message in printed
    assert not (tmp_path / 'out').exists()


@pytest.mark.parametrize('name, options', [('rotating-drum', ['-npar', '20', '-stop', '0.1']),
                                           ('array-of-cubes', ['-M', '2', '-N', '1', '-stop', '0.05'])])
def test_frames_are_exported(tmp_path, name, options):
    """Option -xdmf: after a run, and of results that are there."""
    for words in (['-w'], []):
        printed = solfec(*words, INP / f'{name}.py', *options, '-xdmf', cwd=tmp_path, converges=False)
        results = next((tmp_path / 'out' / name).iterdir())
        file = results / 'xdmf' / f'{results.name}.xdmf'
        assert printed.splitlines()[-1] == f'{len(Results(results))} frames for ParaView: {file.relative_to(tmp_path)}'
        assert file.read_text().count('<Time ') == len(Results(results))
        file.unlink()


@pytest.mark.parametrize('kinematics', ['BC', 'TL', 'PR', 'RG'])
def test_array_of_cubes(tmp_path, kinematics):
    written, read = twice(tmp_path, 'array-of-cubes.py', '-M', '2', '-kifo', kinematics, '-stop', '0.3', '-outi', '0',
                          '-maxi', '10000')
    assert written[0] == read[0] and '8 cubes are in the box' in read[0]
    results = Results(next((tmp_path / 'out/array-of-cubes').iterdir()))
    # Each of the 600 steps is a frame, and meets the laws of contact.
    assert len(results) == 601 and number_after(read, 'merit: largest') <= 1E-6
    # The box moves along the diagonal, as the series in between says: 0.24 s are less than half a cycle.
    for time in (0.06, 0.12, 0.3):
        frame = results.at(time)
        t = min(frame.time, 0.24)
        omega, mean = 4 * math.pi, 5 * math.sin(4 * math.pi * 0.24) / (4 * math.pi * 0.24)
        way = 5 * (1 - math.cos(omega * t)) / omega**2 - 0.5 * mean * t * t
        for wall in frame.bodies[:6]:
            first = results.frame(0).bodies[wall.id - frame.bodies[0].id]
            assert wall.center - first.center == pytest.approx(np.array([way, way, 0]) / math.sqrt(2), abs=1E-5)
    frame = results.frame(-1)
    assert len(frame.bodies) == 6 + 8
    # The cubes rest on the floor and on each other, deeper by what they fall in a step at most.
    heights = sorted(body.center[2] for body in frame.bodies[6:])
    assert heights == pytest.approx([0.05] * 4 + [0.15] * 4, abs=1E-3)
    R = frame.contacts['R']
    assert len(R) >= 8 * 4 and (np.hypot(R[:, 0], R[:, 1]) <= 0.1 * R[:, 2] * (1 + 1E-12)).all()


@pytest.mark.parametrize('words, message', [
    (['-solv', 'XX'], 'GS, NS or AS'), (['-nsdl', '-1'], 'not below 0'), (['-kifo', 'XX'], 'BC, TL, PR or RG'),
    (['-M', '0'], 'above 0'), (['-N', '1.5'], 'number'), (['-fric', '-1'], 'not below 0'),
    (['-stop', '0.001'], '5 steps'), (['-other'], 'unknown'), (['-M'], 'value')])
def test_array_of_cubes_refuses_in_one_line(tmp_path, words, message):
    printed = solfec(INP / 'array-of-cubes.py', *words, cwd=tmp_path, code=1)
    assert len(printed.splitlines()) == 1 and message in printed
    assert not (tmp_path / 'out').exists()
