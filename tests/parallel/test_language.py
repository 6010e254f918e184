"""The input language on several ranks: who has what, what callbacks on one rank do, and that scripts must agree."""

import os
import subprocess
import time

import pytest
from ranks import ENVIRONMENT, HEAD, LINES, MPIEXEC, PROGRAM, start

RANKS = [2, 3]  # on one: tests/input


@pytest.mark.parametrize('ranks', RANKS)
def test_bodies_before_the_first_run(ranks, tmp_path):
    told = start(tmp_path, ranks, """
        floor = ball(-1, 'OBSTACLE', 'floor')
        balls = [ball(i, label=f'ball{i}') for i in range(5)]
        soft = ball(9, 'PSEUDO_RIGID', 'soft')
        everything = [floor, *balls, soft]
        assert [b.id for b in everything] == list(range(7)) and (NCPU(), s.nbod, s.ncon) == (%d, 7, 0)
        assert HERE(s, floor) and [HERE(s, b) for b in balls] == [b.id %% NCPU() == RANK() for b in balls]
        assert s.bodies == [b for b in everything if HERE(s, b)]
        # References are known everywhere, states to owners.
        mass = 4E3 / 3 * 3.141592653589793
        for i, b in enumerate(balls):
            assert (b.kind, b.label, b.material, b.center) == ('RIGID', f'ball{i}', 'stuff', (10.0 * i, 0, 0))
            assert MASS_CENTER(b) == b.center
            assert abs(b.mass - mass) < 1E-9 * mass and abs(1E3 * b.volume - mass) < 1E-9 * mass
            assert abs(b.tensor[0] - 0.4 * mass) < 1E-9 * mass and len(b.tensor) == 9 and b.scheme == 'RIG_IMP'
            assert BYLABEL(s, 'BODY', b.label) == b and BYLABEL(s, 'BODY', b.label).mass == b.mass
            states = b.conf, b.velo, b.constraints, b.ncon, DISPLACEMENT(b, b.center), STRESS(b, b.center), ENERGY(s, b)
            assert all((state is not None) == HERE(s, b) for state in states)
        assert floor.mass > 0 and DISPLACEMENT(floor, (-10, 0, 0)) == (0, 0, 0) and floor.kind == 'OBSTACLE'
        assert BYLABEL(s, 'BODY', 'nobody') is None
        # Changes of reference members show everywhere.
        BODY_CHARS(balls[1], 2, 1, (10, 0, 0), (1, 0, 0, 0, 1, 0, 0, 0, 1))
        balls[2].scheme, balls[2].damping = 'RIG_POS', 0.5
        assert (balls[1].mass, balls[2].scheme, balls[2].damping) == (2, 'RIG_POS', 0.5)
        INITIAL_VELOCITY(balls[1], (3, 0, 0), (0, 2, 0))
        INITIAL_VELOCITY(balls[1], (4, 0, 0), (0, 2, 0))
        INITIAL_VELOCITY(soft, (1, 0, 0), (0, 0, 0))
        assert abs(ENERGY(s)[0] - (16 + 2 + soft.mass / 2)) < 1E-9 * soft.mass and ENERGY(s)[1:] == (0, 0, 0, 0)
        # Wrong arguments are wrong everywhere.
        for wrong in (lambda: FORCE(floor, 'SPATIAL', (0, 0, 0), (1, 0, 0), 1),
                      lambda: FORCE(balls[1], 'SPATIAL', (0, 0, 0), (0, 0, 0), 1),
                      lambda: setattr(balls[1], 'scheme', 'DEF_EXP'),
                      lambda: TORQUE(soft, 'SPATIAL', (1, 0, 0), 1), lambda: setattr(balls[1], 'damping', -1)):
            try:
                wrong()
            except ValueError:
                continue
            assert False
        # A deleted body is told from one that lives elsewhere.
        other = BYLABEL(s, 'BODY', 'ball3')
        DELETE(s, balls[3])
        assert s.nbod == 6 and not HERE(s, other) and BYLABEL(s, 'BODY', 'ball3') is None
        try:
            other.mass
            assert False
        except ValueError as error:
            assert 'body 4 is not there' in str(error)
        run(3)
        assert s.nbod == 6 and floor.mass > 0
        for b in (balls[0], balls[1], soft):
            assert b.mass > 0 and b.label is not None and b.kind in ('RIGID', 'PSEUDO_RIGID')
            assert all((x is not None) == HERE(s, b) for x in (b.conf, b.ncon, VELOCITY(b, (0, 0, 0))))
        tell(energy=ENERGY(s)[0], bodies=s.nbod)
        """ % ranks).alike()
    assert told['bodies'] == 6


FLIGHT = """
GRAVITY(s, (0, TIME_SERIES([0, 0, 1, 5]), -10))
balls = [ball(i, ('RIGID', 'PSEUDO_RIGID')[i % 3 == 2]) for i in range(7)]
def push(k, q, u, t, h):
    return (k * t, 0, 0, 0, 0, 0, 0, 0, 1)
for i, b in enumerate(balls):
    INITIAL_VELOCITY(b, (i, 0, 0), (0, 0, i))
    FORCE(b, 'CONVECTED', (10 * i, 1, 0), (0, 0, 1), TIME_SERIES([0, 0, 1, 1E3 * i]))
TORQUE(balls[1], 'SPATIAL', (1, 1, 0), 1E3)
FORCE(balls[3], 'SPATIAL', (0, 0, 0), (1, 0, 0), push, 1E3)
BODY_CHARS(balls[4], 2, 1, (40, 0, 0), (1, 0, 0, 0, 2, 0, 0, 0, 3))
balls[1].scheme = 'RIG_POS'
for b in s.bodies:  # of this rank: the others' owners do the same
    TORQUE(b, 'SPATIAL', (1, 0, 0), b.id) if b.kind == 'RIGID' else None
run(20)
tell(**{str(b.id): [b.conf, b.velo, ENERGY(s, b)] for b in s.bodies})
"""


@pytest.mark.parametrize('ranks', [2, 3, 4])
def test_commands_act_on_the_owner(ranks, tmp_path):
    expected = start(tmp_path, 1, FLIGHT).well()[0]
    assert len(expected) == 7
    told = start(tmp_path, ranks, FLIGHT, '-w').well()
    union = {}
    for one in told:
        assert not union.keys() & one.keys()
        union.update(one)
    assert union == expected  # to the last bit


@pytest.mark.parametrize('ranks', [1, 3])
def test_energies_of_all_bodies(ranks, tmp_path):
    """At every callback, though not at every step, and at the end of a run; of several ranks not within a step."""
    told = start(tmp_path, ranks, """
        balls = [ball(i) for i in range(3)]
        for i, b in enumerate(balls):
            INITIAL_VELOCITY(b, (i, 0, 0), (0, 0, 0))
        def expected():
            return sum(0.5 * b.mass * ((i + 10 * s.time) ** 2 if i == 1 else i * i) for i, b in enumerate(balls))
        def push(q, u, t, h):
            if asks:
                ENERGY(s)
            return (10 * balls[1].mass, 0, 0) + (0,) * 6
        asks = False
        FORCE(balls[1], 'SPATIAL', (10, 0, 0), (1, 0, 0), push)
        def callback():
            assert abs(ENERGY(s)[0] - expected()) < 1E-9 * expected(), (ENERGY(s)[0], expected())
            INITIAL_VELOCITY(balls[2], (2, 0, 0), (0, 0, 0))
            return True
        CALLBACK(s, 3 * s.step, None, callback)
        run(10)
        assert abs(ENERGY(s)[0] - expected()) < 1E-9 * expected()
        asks = True
        try:
            run(1)
            tell(error='')
        except RuntimeError as error:
            tell(error=str(error))
        assert abs(ENERGY(s)[0] - expected()) < 1E-9 * expected()
        """).well()
    assert all(('within a step' in one['error']) == (ranks > 1) for one in told)


@pytest.mark.parametrize('ranks', RANKS)
def test_callbacks_make_bodies(ranks, tmp_path):
    told = start(tmp_path, ranks, """
        balls = [ball(i) for i in range(3)]
        made = []
        def callback():
            n = len(made)
            if n == 0:  # by all ranks
                made.append(ball(10, label='all'))
                INITIAL_VELOCITY(made[-1], (1, 0, 0), (0, 0, 0))
                assert HERE(s, made[-1]) and made[-1].velo[3] == 1 and s.nbod == 4
            elif n == 1:  # by one rank, and again by all
                if RANK() == NCPU() - 1:
                    made.append(ball(11, label='one'))
                    made.append(ball(12, 'OBSTACLE', 'wall'))
                    INITIAL_VELOCITY(made[-1], (0, 2, 0), (0, 0, 0))
                made.append(ball(13, label='again'))
        CALLBACK(s, 1E-9, None, callback)
        run()
        assert s.nbod == 4 and made[0].id == 3 and HERE(s, made[0]) == (3 % NCPU() == RANK())
        run()
        ids = {label: BYLABEL(s, 'BODY', label).id for label in ('all', 'one', 'wall', 'again')}
        assert [b.id for b in made] == [ids[x] for x in ('all', 'one', 'wall', 'again')
                                        if RANK() == NCPU() - 1 or x in ('all', 'again')]
        run(3)
        wall = BYLABEL(s, 'BODY', 'wall')
        assert HERE(s, wall) and wall.center == (120, 0, 0) and abs(DISPLACEMENT(wall, (120, 0, 0))[1] - 0.006) < 1E-12
        assert HERE(s, BYLABEL(s, 'BODY', 'one')) == (RANK() == NCPU() - 1)
        late = ball(14, label='late')
        assert HERE(s, late) == (late.id % NCPU() == RANK())
        run()
        tell(ids=ids, late=late.id, bodies=s.nbod, energy=ENERGY(s)[0])
        """).alike()
    assert sorted(told['ids'].values()) == [3, 4, 5, 6] and told['late'] == 7 and told['bodies'] == 8
    assert told['energy'] == pytest.approx(0.5 * 4E3 / 3 * 3.141592653589793)


@pytest.mark.parametrize('ranks', RANKS)
def test_bodies_of_several_single_ranks(ranks, tmp_path):
    """Each rank makes one at a line of its own."""
    told = start(tmp_path, ranks, """
        made = []
        def callback():
            if RANK() == 0: made.append(ball(1, label='r0'))
            if RANK() == 1:
                made.append(ball(2, label='r1'))
                gone = ball(3)
                DELETE(s, gone)
            return 0
        CALLBACK(s, 1, None, callback)
        run()
        tell(bodies=s.nbod, ids=[BYLABEL(s, 'BODY', x).id for x in ('r0', 'r1')])
        assert [b.id for b in made] == [[0], [1]][RANK()] if RANK() < 2 else made == []
        run(1)
        assert ball(5).id == 3
        """).alike()
    assert told == {'bodies': 2, 'ids': [0, 1]}


@pytest.mark.parametrize('ranks', [3])
@pytest.mark.parametrize('make, message', [
    ('if RANK() > 0: ball(10 + RANK())', 'made 0 on rank 0 and 1 on rank 1'),
    ('if RANK() < 2: ball(10 + RANK())', 'made 1 on rank 0 and 0 on rank 2'),
    ('ball(10 + RANK())', 'made another body on rank 1 than on rank 0'),
    ('INITIAL_VELOCITY(ball(10), (RANK(), 0, 0), (0, 0, 0))', 'made another body on rank 1 than on rank 0'),
    ('for i in range(1 + RANK()): ball(10 + 3 * RANK() + i)', 'made 1 on rank 0 and 2 on rank 1')])
def test_bodies_made_differently(ranks, make, message, tmp_path):
    done = start(tmp_path, ranks, f"""
        ball(0)
        def callback():
            {make}
        CALLBACK(s, 1, None, callback)
        try:
            run()
        except RuntimeError as error:
            assert str(error).startswith('RUN: CALLBACK: BODY (script.py, line 9, called from line'), str(error)
            assert '{message}: bodies are made by all ranks alike, or by one rank' in str(error), str(error)
            tell(caught=True)
        CALLBACK(s, 1, None, lambda: 1)
        run()
        tell(id=ball(1).id, bodies=s.nbod)
        run()
        """)
    told = done.alike()
    assert told['caught'] and told['bodies'] == told['id'] + 1


@pytest.mark.parametrize('ranks', RANKS)
def test_changes_on_one_rank_are_those_of_all(ranks, tmp_path):
    start(tmp_path, ranks, """
        wall = ball(-5, 'OBSTACLE')
        balls = [ball(i) for i in range(6)]
        one = NCPU() - 1
        def callback():
            if RANK() == one:
                INITIAL_VELOCITY(wall, (1, 0, 0), (0, 0, 0))
                BODY_CHARS(wall, 7, 1, wall.center, (1, 0, 0, 0, 1, 0, 0, 0, 1))
                assert wall.mass == 7
                DELETE(s, balls[0])
                DELETE(s, balls[5])
                assert s.nbod == 5
            if RANK() == 0:
                DELETE(s, balls[1])
            DELETE(s, balls[2])
        CALLBACK(s, 1, None, callback)
        run()
        assert s.nbod == 3 and wall.mass == 7
        for k in (0, 1, 2, 5):
            try:
                assert not HERE(s, balls[k])
                balls[k].mass
                assert False
            except ValueError:
                pass
        run(4)
        assert s.nbod == 3 and abs(DISPLACEMENT(wall, (0, 0, 0))[0] - 0.004) < 1E-12
        """).well()


@pytest.mark.parametrize('ranks', RANKS)
@pytest.mark.parametrize('exclude', [
    'CONTACT_EXCLUDE_BODIES(floor, balls[{k}])', 'CONTACT_EXCLUDE_SURFACES(s, 2, 10 + {k})',
    'CONTACT_EXCLUDE_OBJECTS(floor, (0, 0, -1), balls[{k}], (10 * {k}, 0, 1))'])
def test_exclusions(ranks, exclude, tmp_path):
    """Balls touch one obstacle. Contact of some is switched off: before the run, and by one rank in a callback."""
    told = start(tmp_path, ranks, f"""
        corners = [c for i in range(8) for c in (-50 + 200 * (i & 1), -50 + 100 * (i >> 1 & 1), -10 + 10 * (i >> 2))]
        floor = BODY(s, 'OBSTACLE', HULL(corners, 1, 2), m)
        balls = [BODY(s, 'RIGID', SPHERE((10 * k, 0, 0.99), 1, 1, 10 + k), m) for k in range(6)]
        GRAVITY(s, (0, 0, -10))
        {exclude.format(k=1)}
        {exclude.format(k=4)}
        run()
        assert s.ncon == 4
        def callback():
            if RANK() == NCPU() - 1:
                {exclude.format(k=2)}
            {exclude.format(k=3)}
            return 1
        CALLBACK(s, 1E-9, None, callback)
        run(2)
        CALLBACK(s, 1, None, lambda: 1)
        touching = [c.adjbod[0].id for c in s.constraints]
        for c in s.constraints:
            assert HERE(s, c) and HERE(s, c.adjbod[0]) and c.R[2] > 0
        tell(contacts=s.ncon, here=touching)
        before = list(s.constraints)
        def delete():
            for c in s.constraints[:1]:
                DELETE(s, c)
        CALLBACK(s, 1E-9, None, delete)
        run()
        CALLBACK(s, 1, None, lambda: 1)
        assert s.ncon == 2 - len(set(i % NCPU() for i in (1, 6)))  # one on each rank that had some
        """).well()
    assert all(one['contacts'] == 2 for one in told)
    assert sorted(sum([one['here'] for one in told], [])) == [1, 6]


@pytest.mark.parametrize('change, name', [
    ('s.step = 2E-3', 'SOLFEC.step'), ("s.verbose = '%'", 'SOLFEC.verbose'), ('OUTPUT(s, 1)', 'OUTPUT'),
    ('EXTENTS(s, (-1E3, -1E3, -1E3, 1E3, 1E3, 1E3))', 'EXTENTS'), ('GRAVITY(s, (0, 0, -1))', 'GRAVITY'),
    ('m.young = 5', "BULK_MATERIAL 'stuff'"), ('solver.epsilon = 0.5', 'GAUSS_SEIDEL_SOLVER'),
    ('GEOMETRIC_EPSILON(1E-5)', 'GEOMETRIC_EPSILON'), ('IMBALANCE_TOLERANCE(s, 2)', 'IMBALANCE_TOLERANCE'),
    ("FORCE(b, 'SPATIAL', (0, 0, 0), (1, 0, 0), lambda q, u, t, h: [0] * 9)", 'FORCE')])
def test_settings_must_be_changed_alike(change, name, tmp_path):
    told = start(tmp_path, 2, f"""
        b = ball(0)
        def callback():
            if RANK() == 1 or alike:
                {change}
        CALLBACK(s, 1E-9, None, callback)
        alike = True
        run()
        alike = False
        try:
            {change if change.startswith('FORCE') else 'pass'}
            s.step, m.young, solver.epsilon, s.verbose = 1E-3, 1E6, 1E-6, 'OFF'
            OUTPUT(s, 0), EXTENTS(s, (-1, -1, -1, 1, 1, 1)), GRAVITY(s, (0, 0, 0)), GEOMETRIC_EPSILON(1E-6)
            IMBALANCE_TOLERANCE(s, 1.3)
            run()
        except RuntimeError as error:
            tell(error=str(error))
        """).alike()
    assert told['error'].startswith('RUN: CALLBACK: every rank must run the same script with the same values: ' + name)


@pytest.mark.parametrize('ranks', [1, 3])
def test_stop(ranks, tmp_path):
    start(tmp_path, ranks, """
        ball(0)
        CALLBACK(s, 1E-9, None, lambda: RANK() != NCPU() - 1)
        run(100)
        assert abs(s.time - 1E-3) < 1E-9
        def callback():
            if RANK() == NCPU() - 1 and not os.path.exists('stopped'):
                open('stopped', 'w').close()
                open('out/STOP', 'w').close()
            return 1
        CALLBACK(s, 1E-9, None, callback)
        RUN(s, solver, 1E6)
        assert not os.path.exists('out/STOP')
        tell(time=s.time)
        """).alike()


@pytest.mark.parametrize('ranks', RANKS)
def test_bodies_made_differently_are_those_of_the_first_rank(ranks, tmp_path):
    """When the run goes on after the error: an obstacle, and a body that one of the ranks owns."""
    told = start(tmp_path, ranks, """
        made = []
        def make():
            made.append(ball(5 + RANK(), 'OBSTACLE', 'wall'))
            made.append(ball(20 + RANK(), label='free'))
            return 0
        ball(0)
        CALLBACK(s, s.step, None, make)
        try:
            run()
        except RuntimeError as error:
            tell(error=str(error))
        CALLBACK(s, 1E6, None, lambda: 1)
        run()
        wall, free = BYLABEL(s, 'BODY', 'wall'), BYLABEL(s, 'BODY', 'free')
        tell(wall=wall.center[0], free=free.conf[9] if HERE(s, free) else None, nbod=s.nbod)
    """).well()
    assert all('made another body' in rank['error'] for rank in told)
    assert {rank['wall'] for rank in told} == {50} and {rank['nbod'] for rank in told} == {3}
    assert [rank['free'] for rank in told if rank['free'] is not None] == [200]


@pytest.mark.parametrize('ranks', RANKS)
def test_failure_of_a_callback_ends_the_run_of_all(ranks, tmp_path):
    """A script that catches it goes on, on all ranks."""
    start(tmp_path, ranks, """
        ball(0)
        def callback():
            if RANK() == NCPU() - 1:
                ball(7)
                raise ValueError('of my own')
        CALLBACK(s, 1E-9, None, callback)
        try:
            run(5)
            assert False
        except ValueError as error:
            assert RANK() == NCPU() - 1 and str(error) == 'of my own'
        except RuntimeError as error:
            assert RANK() < NCPU() - 1 and 'on rank %d: ValueError: of my own' % (NCPU() - 1) in str(error), str(error)
        CALLBACK(s, 1E-9, None, lambda: 1)
        run(2)
        tell(time=s.time, bodies=s.nbod, id=ball(1).id)
        """).alike()


@pytest.mark.parametrize('ranks', RANKS)
def test_poisson_of_what_deforms_is_refused_by_all(ranks, tmp_path):
    """Also by ranks that have no body of the material."""
    told = start(tmp_path, ranks, """
        soft = ball(0, 'PSEUDO_RIGID')
        inner = BULK_MATERIAL(s, label='inner')
        corners = [100 + c for i in range(8) for c in (i & 1 ^ i >> 1 & 1, i >> 1 & 1, i >> 2)]
        mesh = BODY(s, 'FINITE_ELEMENT', HEX(corners, 1, 1, 1, 5), m)
        MATERIAL(s, mesh, 5, inner)
        refused = []
        def refuse():
            for change in (lambda: setattr(m, 'poisson', 0.5), lambda: setattr(inner, 'poisson', 0.5),
                           lambda: BULK_MATERIAL(s, label='stuff', poisson=0.5)):
                try:
                    change()
                except ValueError as error:
                    refused.append(str(error))
        refuse()
        CALLBACK(s, 1, None, refuse)
        run()
        BULK_MATERIAL(s, label='of nothing', poisson=0.5)
        tell(refused=refused, poisson=[m.poisson, inner.poisson])
        """).alike()
    assert len(told['refused']) == 6 and told['poisson'] == [0.25, 0.25]


@pytest.mark.parametrize('ranks', [2, 3])
def test_bodies_that_leave_are_gone_on_all_ranks(ranks, tmp_path):
    start(tmp_path, ranks, """
        balls = [ball(i, label=f'b{i}') for i in range(4)]
        wall = ball(30, 'OBSTACLE')
        EXTENTS(s, (-5, -5, -5, 15, 5, 5))
        run()
        assert s.nbod == 2 and BYLABEL(s, 'BODY', 'b3') is None and BYLABEL(s, 'BODY', 'b1').id == 1
        for b in (balls[2], balls[3], wall):
            try:
                b.conf
                assert False
            except ValueError:
                pass
        """).well()


@pytest.mark.parametrize('ranks', [1, 3])
def test_state_file(ranks, tmp_path):
    """On several ranks it tells of the sum, the least, the average and the most of a rank."""
    told = start(tmp_path, ranks, """
        corners = [c for i in range(8) for c in (-50 + 200 * (i & 1), -50 + 100 * (i >> 1 & 1), -10 + 10 * (i >> 2))]
        floor = BODY(s, 'OBSTACLE', HULL(corners, 1, 2), m)
        balls = [BODY(s, 'RIGID', SPHERE((10 * k, 0, 0.99), 1, 1, 1), m) for k in range(8)]
        GRAVITY(s, (0, 0, -10))
        run(3)
        tell(bodies=len(s.bodies) - (RANK() > 0), contacts=len(s.constraints))  # the obstacle counts on the first rank
        """).well()
    date, *lines = (tmp_path / 'out' / 'STATE').read_text().splitlines()
    lines = dict(line.split(': ', 1) for line in lines if not line.startswith('Estimated'))
    assert lines['TIME'] == '0.003'
    shares = ['TIMINT', 'CONUPD', 'CONDET', 'LOCDYN', 'CONSOL', 'PARBAL']
    if ranks == 1:
        assert (lines['BODIES'], lines['CONSTRAINTS'], lines['SPARSIFIED']) == ('9', '8', '0')
        assert [part.split(': ')[0] for part in ('TIMINT: ' + lines['TIMINT']).split(', ')] == shares
        return
    for name, key in (('BODIES', 'bodies'), ('CONSTRAINTS', 'contacts')):
        counts = [one[key] for one in told]
        assert lines[name] == 'SUM %d, MIN %d, AVG %.1f, MAX %d' % (sum(counts), min(counts), sum(counts) / 3,
                                                                    max(counts))
    assert told[0]['bodies'] > 1 and sum(one['bodies'] for one in told) == 9
    for name in ('BOXES', 'SPARSIFIED', *shares):
        figures = {figure.split()[0]: float(figure.split()[1].rstrip('%')) for figure in lines[name].split(', ')}
        assert 0 <= figures['MIN'] <= figures['AVG'] <= figures['MAX'], lines[name]
    assert list(lines)[-6:] == shares


@pytest.mark.parametrize('ranks', [1, 3])
def test_initial_states(ranks, tmp_path):
    source = """
        balls = [ball(i) for i in range(5)]
        for i, b in enumerate(balls):
            INITIAL_VELOCITY(b, (i, 1, 0), (0, 0, 0))
        """
    start(tmp_path, 1, source + '\n        run(3)\n', '-s', 'source').well()
    start(tmp_path, ranks, """
        first = ball(50)
        balls = [ball(i) for i in range(5)]
        DELETE(s, first)
        INITIALIZE_STATE(s, 'out/source', 1)
        energy = 0.5 * sum((i * i + 1) * b.mass for i, b in enumerate(balls))
        assert abs(ENERGY(s)[0] - energy) < 1E-9 * energy
        for i, b in enumerate(balls):
            assert b.velo is None or (b.velo[3:] == (i, 1, 0) and abs(b.conf[10] - 3E-3) < 1E-12)
        run()
        assert abs(ENERGY(s)[0] - energy) < 1E-9 * energy
        DELETE(s, balls[0])
        try:
            INITIALIZE_STATE(s, 'out/source', 1)
            assert False
        except ValueError as error:
            assert "'out/source' holds 5 bodies at time 1, this model has 4" in str(error)
        """).well()


@pytest.mark.parametrize('ranks', [2, 3])
def test_results_are_read_on_all_ranks(ranks, tmp_path):
    script = "b = ball(0, 'OBSTACLE')\nrun(5)\nassert s.mode == %r, s.mode\ntell(bodies=s.nbod)\n"
    start(tmp_path, 1, script % 'WRITE').well()
    assert start(tmp_path, ranks, script % 'READ').alike()['bodies'] == 1
    assert start(tmp_path, ranks, script % 'WRITE', '-w').alike()['bodies'] == 1
    assert (tmp_path / 'out' / 'out.py').is_file()


# What goes wrong, and what is said of it; {n} is a line of the script.
FAILURES = {
    'all': ('1 / 0', 'ZeroDivisionError: division by zero'),
    'one': ('if RANK() == 1: 1 / 0\nrun()', 'ZeroDivisionError: division by zero'),
    'one at the end': ('run()\nif RANK() == 1: 1 / 0', 'ZeroDivisionError: division by zero'),
    'first in callback': ('def c():\n  if RANK() == 0: 1 / 0\nCALLBACK(s, 1, None, c)\nrun(9)',
                          'ZeroDivisionError: division by zero'),
    'last in callback': ('def c():\n  if RANK() == NCPU() - 1: 1 / 0\nCALLBACK(s, 1, None, c)\nrun(9)',
                         'RuntimeError: RUN: CALLBACK: on rank {last}: ZeroDivisionError: division by zero'),
    'path that is none': (
        "try: os.symlink('loop', 'loop')\nexcept FileExistsError: pass\nSOLFEC('DYNAMIC', 1, 'loop/x')",
        "ValueError: SOLFEC: 'output': cannot look at the directory: Too many levels of symbolic links"),
    'path too long': (
        "SOLFEC('DYNAMIC', 1, 'x' * 256)",
        "ValueError: SOLFEC: 'output' must be a path of at most 4095 bytes, in names of "
        "at most 255; got '" + 66 * 'x' + '...'),
    'syntax': ('x = = 1', 'SyntaxError: invalid syntax'),
    'run on one': ('if RANK() == 1: run()',
                   'solfec: the scripts of the ranks differ: rank 0 ends its script while rank 1 is about to RUN'),
    'exit on one': ('if RANK() == 1: sys.exit(0)\nrun()',
                    'RuntimeError: RUN: the scripts of the ranks differ: rank 0 is about to RUN while rank 1 ends its '
                    'script'),
    'exit with text on one': ("if RANK() == 1: sys.exit('solfec: over')\nrun()", 'solfec: over'),
    'barrier on one': ('if RANK() == 1: BARRIER()\nrun()',
                       'RuntimeError: RUN: the scripts of the ranks differ: rank 0 is about to RUN while rank 1 is at '
                       'a BARRIER'),
    'solfec on one': ("if RANK() == 0: SOLFEC('DYNAMIC', 1, 'other')\nrun()",
                      'RuntimeError: the scripts of the ranks differ: rank 0 makes a SOLFEC object while rank 1 is '
                      'about to RUN'),
    'fewer bodies': ('for i in range(2 + RANK()): ball(20 + i)\nrun()',
                     'RuntimeError: RUN: every rank must run the same script with the same values: BODY (script.py, '
                     'line 9, '
                     'called from line {n}) was called 2 times on rank 0 and 3 times on rank 1'),
    'another body': ('ball(2 + RANK())\nrun()',
                     'RuntimeError: RUN: every rank must run the same script with the same values: BODY (script.py, '
                     'line 9, '
                     'called from line {n}) had other arguments on rank 1 than on rank 0'),
    'another body at the end': ('ball(2 + RANK())',
                                'solfec: every rank must run the same script with the same values: BODY '
                                '(script.py, line 9, called from line {n}) had other arguments on rank 1 than on rank '
                                '0'),
    'another force': ("FORCE(b, 'SPATIAL', (0, 0, 0), (1, 0, 0), 1 + RANK())\nBARRIER()",
                      'RuntimeError: BARRIER: every rank must run the same script with the same values: FORCE '
                      '(script.py, '
                      'line {n}) had other arguments on rank 1 than on rank 0'),
    'velocity where the body is not': ('if not HERE(s, b): INITIAL_VELOCITY(b, (1, 0, 0), (0, 0, 0))\nrun()',
                                       'RuntimeError: RUN: every rank must run the same script with the same values: '
                                       'INITIAL_VELOCITY (script.py, line {n}) was called 0 times on rank 0 and 1 '
                                       'time on '
                                       'rank 1'),
    'another material': ('m.young = 1 + RANK()\nrun()',
                         'RuntimeError: RUN: every rank must run the same script with the same values: '
                         "BULK_MATERIAL 'stuff' differs between rank 0 and rank 1"),
    'another of two materials of one label': (
        "a = SURFACE_MATERIAL(s, 1, 1, label='steel')\nb = SURFACE_MATERIAL(s, 2, 2, label='steel')\n"
        'b.friction = 0.1 * (1 + RANK())\nrun()',
        'RuntimeError: RUN: every rank must run the same script with the same values: '
        "SURFACE_MATERIAL 'steel' differs between rank 0 and rank 1"),
    'another duration': ('run(1 + RANK())',
                         'RuntimeError: RUN: every rank must run the same script with the same values: '
                         "RUN: 'duration' differs between rank 0 and rank 1"),
    'killed': ('if RANK() == 1: os.kill(os.getpid(), signal.SIGKILL)\nrun()', None),
    'killed in a run': ('def c():\n  if RANK() == 1: os.kill(os.getpid(), signal.SIGKILL)\n'
                        'CALLBACK(s, 1, None, c)\nRUN(s, solver, 1E6)', None),
    'interrupted in a run': ('def c():\n  if RANK() == 1: os.kill(os.getpid(), signal.SIGTERM)\n  return 1\n'
                             'CALLBACK(s, 1E9, None, c)\nRUN(s, solver, 1E6)', None),
}


@pytest.mark.parametrize('ranks', [2, 3])
@pytest.mark.parametrize('what', FAILURES)
def test_failures(what, ranks, tmp_path):
    """All ranks end soon, with one message and an exit code that is not zero."""
    script, message = FAILURES[what]
    done = start(tmp_path, ranks, 'b = ball(0)\n' + script, timeout=10)
    assert done.code != 0
    if message is not None:
        assert done.errors() == [message.format(n=LINES + 2, last=ranks - 1)], done.err


def test_a_subdirectory_that_is_no_path(tmp_path):
    done = start(tmp_path, 2, '', '-s', 'x' * 300, timeout=10)
    assert done.code == 2 and len(done.errors()) == 1, done.err
    assert done.errors()[0].startswith('solfec: -s must be a path of'), done.err


def test_a_directory_has_one_writer(tmp_path):
    """Whoever comes second is refused, on all ranks alike, and writes nothing."""
    (tmp_path / 'long.py').write_text(HEAD + 'ball(0)\nRUN(s, solver, 1E6)\n')
    first = subprocess.Popen([MPIEXEC, '-np', '2', PROGRAM, 'long.py'], cwd=tmp_path, env={**os.environ, **ENVIRONMENT},
                             stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        end = time.monotonic() + 60
        while not (tmp_path / 'out' / 'out.h5').exists():
            assert first.poll() is None and time.monotonic() < end
            time.sleep(0.01)
        copy = tmp_path / 'out' / 'out.py'
        before = copy.read_text() if copy.exists() else ''
        for ranks in (2, 'serial'):
            done = start(tmp_path, ranks, 'ball(1)\nrun()', '-w')
            assert done.code != 0 and len(done.errors()) == 1, done.err
            assert done.errors()[0].startswith("RuntimeError: RUN: another run writes results to '"), done.err
        assert first.poll() is None and (copy.read_text() if copy.exists() else '') == before
    finally:
        first.terminate()
        first.wait(60)


def test_exit_codes(tmp_path):
    assert start(tmp_path, 2, 'run(); sys.exit(0)').code == 0
    done = start(tmp_path, 2, 'run(); sys.exit(3)', '-w')
    assert done.code == 3 and done.errors() == []
    done = start(tmp_path, 3, "sys.exit('over')", '-w')
    assert done.code == 1 and done.err.count('over') == 1


@pytest.mark.parametrize('what, code', [('sys.exit(3)', 3), ('os.kill(os.getpid(), signal.SIGTERM)', 143)])
def test_one_rank_leaves_in_a_run(what, code, tmp_path):
    """Its exit code is that of all, and the others tell no error."""
    for rank in (0, 2):
        function = 'def c():\n  if RANK() == %d: %s\n  return 1\nCALLBACK(s, 1E9, None, c)\n' % (rank, what)
        done = start(tmp_path, 3, 'ball(0)\n' + function + 'run()', '-w', timeout=10)
        assert done.code == code and done.errors() == [], done.err
