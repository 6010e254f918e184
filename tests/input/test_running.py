"""RUN, OUTPUT, EXTENTS, CALLBACK, INITIALIZE_STATE."""

import math
import re

import pytest
from conftest import Model, cube
from pytest import approx

from solfec import *


def frames(solfec):
    return HISTORY(solfec, 'STEP', 0, 1E9)[0]


def test_several_runs(model):
    for k in (1, 2, 3):
        model.run(5)
        assert model.solfec.time == approx(5E-3 * k) and frames(model.solfec)[-1] == model.solfec.time
    assert len(frames(model.solfec)) == 16


def test_run_without_a_solver_takes_the_automatic_one(new_model):
    runs = [lambda m: RUN(m.solfec, 5E-3), lambda m: RUN(m.solfec, duration=5E-3),
            lambda m: RUN(m.solfec, None, 5E-3), lambda m: RUN(m.solfec, AUTO_SOLVER(), 5E-3)]
    states = []
    for run in runs:
        model = new_model()
        run(model)
        assert model.solfec.time == approx(5E-3)
        assert sum(HISTORY(model.solfec, 'ASITERS', 0, 1)[1]) > 0
        states.append((model.ball.conf, model.ball.velo))
    assert states == states[:1] * 4


@pytest.mark.parametrize('arguments, error', [
    ((), r"RUN: 'duration' is missing; usage: RUN \(solfec \| solver, duration\)"), ((0,), "RUN: 'duration' must be"),
    (('x',), "RUN: 'solver' must be")])
def test_run_wants_a_duration(arguments, error, model):
    with pytest.raises((TypeError, ValueError), match=error):
        RUN(model.solfec, *arguments)


def test_several_models_do_not_meet(new_model):
    alone, one, two = new_model(), new_model(), new_model()
    alone.run(10)
    for _ in range(10):
        one.run()
        two.run()
    assert one.ball.conf == two.ball.conf == alone.ball.conf and one.ball.velo == alone.ball.velo


@pytest.mark.parametrize('interval, times', [(0, range(11)), (2E-3, [0, 2, 4, 6, 8, 10]), (3E-3, [0, 3, 6, 9, 10]),
                                             (2.5E-3, [0, 3, 5, 8, 10]), (1, [0, 10]), (1E-300, range(11))])
def test_output_interval(interval, times, model):
    """Every interval, at the first step that reaches it; first and last state always."""
    OUTPUT(model.solfec, interval)
    model.run(10)
    assert frames(model.solfec) == approx([1E-3 * t for t in times], abs=1E-12)


@pytest.mark.parametrize('interval, times', [(2E-3, [0, 3, 5, 7, 9, 11, 12]), (5E-3, [0, 3, 8, 12]),
                                             (0, [0, *range(3, 13)])])
def test_output_interval_that_a_callback_changes(interval, times, model):
    """For all of the run that is left."""
    def change():
        if model.solfec.time == approx(3E-3):
            OUTPUT(model.solfec, interval)

    OUTPUT(model.solfec, 3E-3)
    CALLBACK(model.solfec, 1E-3, None, change)
    model.run(12)
    assert frames(model.solfec) == approx([1E-3 * t for t in times], abs=1E-12)


def test_compression(new_model):
    packed, plain = new_model(), new_model()
    OUTPUT(packed.solfec, 0, 'ON')
    for model in (packed, plain):
        model.run(200)
    item = lambda m: HISTORY(m.solfec, [(m.ball, (0, 0, 1), 'DZ'), (m.solfec, 'R'), (m.solfec, 'KINETIC')], 0, 1)
    assert item(packed) == item(plain)


@pytest.mark.parametrize('interval, calls', [(1E-3, 10), (2E-3, 6), (1E-300, 10), (1, 1)])
def test_callback_interval(interval, calls, model):
    times = []
    CALLBACK(model.solfec, interval, None, lambda: times.append(model.solfec.time))
    model.run(10)
    assert len(times) == calls and times[0] == approx(1E-3)


@pytest.mark.parametrize('data, given', [(None, ()), ((1, 'two'), (1, 'two')), (3, (3,)), ([4, 5], ([4, 5],))])
def test_callback_data(data, given, model):
    seen = []
    CALLBACK(model.solfec, 1, data, lambda *arguments: seen.append(arguments))
    model.run()
    assert seen == [given]


@pytest.mark.parametrize('answer, steps', [(0, 3), (False, 3), (0.0, 3), (1, 10), (None, 10), ('', 10), ([], 10)])
def test_callback_that_returns_zero_ends_the_run(answer, steps, model):
    calls = []

    def callback():
        calls.append(1)
        return answer if len(calls) == 3 else 1

    OUTPUT(model.solfec, 1)
    CALLBACK(model.solfec, 1E-3, None, callback)
    model.run(10)
    assert len(calls) == steps and frames(model.solfec) == approx([0, steps * 1E-3])


def test_callback_errors_reach_the_script(model):
    OUTPUT(model.solfec, 1)
    CALLBACK(model.solfec, 1E-3, None, lambda: 1 / 0)
    with pytest.raises(ZeroDivisionError) as caught:
        model.run(10)
    assert caught.value.__notes__ == ['CALLBACK: raised by its callback, which gets data, if given']
    assert frames(model.solfec) == approx([0, 1E-3])  # the last state
    CALLBACK(model.solfec, 1E-3, None, lambda: 1)  # replaces the other
    model.run(2)
    assert frames(model.solfec) == approx([0, 1E-3, 3E-3])


def test_run_within_a_callback(model):
    CALLBACK(model.solfec, 1E-3, None, lambda: model.run())
    with pytest.raises(ValueError, match="RUN: 'solfec': this SOLFEC object is running already"):
        model.run()


def test_bodies_that_come_and_go(model):
    """A callback makes and deletes bodies; results follow."""
    made = []

    def callback():
        if len(made) < 3:
            made.append(BODY(model.solfec, 'RIGID', SPHERE((4, 4, 9 + 3 * len(made)), 1, 1, 2), model.material))
        elif made[0] is not None:
            DELETE(model.solfec, made[0])
            made[0] = None

    CALLBACK(model.solfec, 1E-3, None, callback)
    model.run(8)
    bodies, new, deleted = HISTORY(model.solfec, ['BODS', 'NEWBODS', 'DELBODS'], 0, 1)[1:]
    assert bodies == [2, 3, 4, 5, 4, 4, 4, 4, 4]  # a frame is written after the callback of its time
    assert new == [0, 1, 1, 1, 0, 0, 0, 0, 0] and deleted == [0, 0, 0, 0, 1, 0, 0, 0, 0]
    z = HISTORY(model.solfec, (made[1], (4, 4, 12), 'DZ'), 0, 1)[1]
    assert [value != value for value in z] == [True] * 2 + [False] * 7  # NaN before it is there


def test_extents(model):
    far = BODY(model.solfec, 'RIGID', SPHERE((50, 0, 0), 1, 1, 2), model.material, 'far')
    edge = BODY(model.solfec, 'RIGID', SPHERE((20.5, 0, 5), 1, 1, 2), model.material, 'edge')
    EXTENTS(model.solfec, (-20, -20, -20, 20, 20, 20))
    model.run(2)
    assert [body.label for body in model.solfec.bodies] == ['floor', 'ball', 'edge']  # wholly outside only
    with pytest.raises(ValueError, match='BODY.velo: body 2 is not there .* out of the extents'):
        far.velo
    INITIAL_VELOCITY(edge, (1000, 0, 0), (0, 0, 0))
    model.run(2)
    assert [body.label for body in model.solfec.bodies] == ['floor', 'ball']
    assert HISTORY(model.solfec, 'DELBODS', 0, 1)[1] == [0, 1, 0, 1, 0]


def test_initialize_state(new_model):
    source = new_model(drop=1).run(20)
    INITIAL_VELOCITY(source.ball, (1, 2, 3), (4, 5, 6))
    source.run(20)
    at20 = HISTORY(source.solfec, (source.ball, source.ball.center, 'DX'), 0.02, 0.02)[1]
    model = new_model(drop=1)
    INITIALIZE_STATE(model.solfec, source.solfec.outpath, 0.04)
    assert model.ball.conf == source.ball.conf and model.ball.velo == source.ball.velo
    assert model.solfec.time == 0 and model.solfec.ncon == 0
    INITIALIZE_STATE(model.solfec, source.solfec.outpath, 0.0205)  # the last frame not after that time
    assert DISPLACEMENT(model.ball, model.ball.center)[0] == at20[0]
    with pytest.raises(ValueError, match="'path': '.*' holds no frame up to time -1; the first one is of 0"):
        INITIALIZE_STATE(model.solfec, source.solfec.outpath, -1)
    model.run()


def test_initialize_state_wants_the_same_bodies(new_model, tmp_path):
    path = new_model().run().solfec.outpath
    model = new_model()
    BODY(model.solfec, 'RIGID', cube(2, 2, 2), model.material)
    with pytest.raises(ValueError, match="INITIALIZE_STATE: 'path': '.*' holds 2 bodies at time 1, this model has 3"):
        INITIALIZE_STATE(model.solfec, path, 1)
    model = SOLFEC('DYNAMIC', 1E-3, 'other')
    material = BULK_MATERIAL(model)
    for label in ('ball', 'floor'):
        BODY(model, 'RIGID', cube(), material, label)
    with pytest.raises(ValueError, match="INITIALIZE_STATE: 'path': body 0 of '.*' is of another kind, label or mesh"):
        INITIALIZE_STATE(model, path, 1)


def test_a_step_that_fails_leaves_the_state_before_it(model):
    model.run(3)
    before = model.ball.conf, model.ball.velo
    FORCE(model.ball, 'SPATIAL', (0, 0, 0), (0, 0, 1), lambda q, u, t, h: [1E308 * 10] * 9)
    with pytest.raises((RuntimeError, ValueError)):
        model.run()
    assert (model.ball.conf, model.ball.velo) == before and model.solfec.time == approx(3E-3)


def test_read_mode_passes_runs(new_model):
    """A script with several RUNs, bodies made between them and in callbacks, runs unchanged on its results."""
    def script(model):
        CALLBACK(model.solfec, 3E-3, None, lambda: BODY(model.solfec, 'RIGID', SPHERE((-4, -4, 9), 1, 1, 2), 'stuff')
                 and None)
        model.run(2)
        late = BODY(model.solfec, 'RIGID', SPHERE((4, 4, 9), 1, 1, 2), model.material, 'late')
        INITIAL_VELOCITY(late, (1, 0, 0), (0, 0, 0))
        late.scheme = 'RIG_POS'
        late.damping = 0
        FORCE(late, 'SPATIAL', (4, 4, 9), (1, 0, 0), 5)
        TORQUE(late, 'SPATIAL', (1, 0, 0), 5)
        CONTACT_EXCLUDE_BODIES(late, model.floor)
        DELETE(model.solfec, model.ball)
        model.run(4)
        assert (late.label, late.center, late.kind) == ('late', (4, 4, 9), 'RIGID')
        assert abs(late.mass - 4000 / 3 * math.pi) < 1E-9
        return late.id, HISTORY(model.solfec, [(late, (4, 4, 9), 'DX'), 'BODS'], 0, 1)

    written = new_model()
    expected = script(written)
    read = Model(written.solfec.outpath)
    assert read.solfec.mode == 'READ'
    found = script(read)
    assert found[0] == expected[0] and repr(found) == repr(expected)  # NaN as well


def test_read_mode_wants_the_same_model(new_model):
    written = new_model().run()
    read = Model(written.solfec.outpath)
    BODY(read.solfec, 'RIGID', cube(3, 3, 3), read.material)
    with pytest.raises(RuntimeError, match='RUN: the results in .* are those of another model: they hold 2 bodies at '
                                           'first, the script makes 3'):
        read.run()


def test_read_mode_names_materials_that_are_missing(new_model):
    written = new_model()

    def callback():
        other = BULK_MATERIAL(written.solfec, label='made on the way', young=2E9)
        BODY(written.solfec, 'PSEUDO_RIGID', cube(3, 3, 3), other)
        return 0

    CALLBACK(written.solfec, 1, None, callback)
    written.run().run()
    read = Model(written.solfec.outpath)
    with pytest.raises(RuntimeError, match='SEEK: body 2 has bulk material number 1 in the results; this'):
        SEEK(read.solfec, 1)
    BULK_MATERIAL(read.solfec, label='made on the way', young=2E9)
    SEEK(read.solfec, 1)
    assert read.solfec.bodies[2].material == 'made on the way'


@pytest.mark.parametrize('steps, frames_of_run', ((50, 51), (999, 1000), (4000, 1001)))
def test_frames_without_output(steps, frames_of_run, program):
    """Every step of short runs; of long ones no more than can be looked at, and one line says so."""
    done = program.run(f"""
        solfec = SOLFEC('DYNAMIC', 1E-3, 'out')
        BODY(solfec, 'RIGID', SPHERE((0, 0, 0), 1, 1, 1), BULK_MATERIAL(solfec))
        RUN(solfec, {steps * 1E-3})
        print(len(HISTORY(solfec, 'STEP', 0, 9)[0]), round(solfec.time, 6))
        """)
    assert done.stdout.splitlines()[-1] == f'{frames_of_run} {steps * 1E-3}', done.stdout
    line = f'out: no OUTPUT: a frame every {steps * 1E-6:g} s; OUTPUT (solfec, 0) writes every step\n'
    assert (line in done.stdout) == (steps > 1000)


def test_what_was_left_out_is_said(program):
    """When bodies touch, once."""
    text = """
        solfec = SOLFEC('DYNAMIC', 1E-3, 'out')
        material = BULK_MATERIAL(solfec)
        for z in (0, {z}):
            BODY(solfec, 'RIGID', SPHERE((0, 0, z), 1, 1, 1), material)
        for _ in range(2):
            RUN(solfec, {solver}, 0.01)
        """
    penalty = 'warning: out: PENALTY_SOLVER, but no SURFACE_MATERIAL has a spring: bodies do not feel their contacts\n'
    frictionless = 'out: no SURFACE_MATERIAL: contacts without friction and restitution\n'
    for z, solver, err, count in ((1.999, 'PENALTY_SOLVER()', penalty, 0), (1.999, 'AUTO_SOLVER()', '', 1),
                                  (3, 'PENALTY_SOLVER()', '', 0), (3, 'AUTO_SOLVER()', '', 0)):
        done = program.run(text.format(z=z, solver=solver), before=['-w'])
        assert done.returncode == 0 and done.stderr == err and done.stdout.count(frictionless) == count


@pytest.mark.parametrize('materials, count', [('friction=0.5', 0), ('1, 2, friction=1', 1), ('1, 1, friction=1', 0)])
def test_surfaces_without_a_material_are_told(program, materials, count):
    """Once; where there is a material for all others, or they do not touch, there is nothing to tell."""
    done = program.run(f"""
        solfec = SOLFEC('DYNAMIC', 1E-3, 'out')
        SURFACE_MATERIAL(solfec, {materials})
        material = BULK_MATERIAL(solfec)
        for z, surface in (0, 1), (1.999, 1), (10, 2):
            BODY(solfec, 'RIGID', SPHERE((0, 0, z), 1, 1, surface), material)
        for _ in range(2):
            RUN(solfec, AUTO_SOLVER(), 0.01)
        """, before=['-w'])
    line = 'out: surfaces 1 and 1 have no SURFACE_MATERIAL: contacts between them without friction and restitution\n'
    assert done.returncode == 0 and done.stderr == '' and done.stdout.count(line) == count


def test_bodies_of_the_size_of_the_epsilon_are_told(program):
    line = ('warning: out: points nearer than 1e-06 m are taken as one, and the smallest body measures 3.5e-05 m; '
            'GEOMETRIC_EPSILON (1e-10) suits it\n')
    for radius, epsilon, told in ((1E-5, 1E-6, line), (1E-5, 1E-10, ''), (6E-5, 1E-6, '')):
        done = program.run(f"""
            GEOMETRIC_EPSILON({epsilon})
            solfec = SOLFEC('DYNAMIC', 1E-6, 'out')
            material = BULK_MATERIAL(solfec)
            for number in range(2):
                BODY(solfec, 'RIGID', SPHERE((1E-3 * number, 0, 0), {radius}, 1, 1), material)
                RUN(solfec, 1E-5)
            """, before=['-w'])
        assert done.stderr == told


def test_steps_that_are_too_long_are_told(program):
    text = """
        solfec = SOLFEC('DYNAMIC', {step}, 'out')
        material = BULK_MATERIAL(solfec)
        corners = [x for z in (0, 1E-3) for y, signs in ((-1, (-1, 1)), (1, (1, -1))) for s in signs for x in (s, y, z)]
        BODY(solfec, 'OBSTACLE', HULL(corners, 1, 1), material, 'plate')
        ball = BODY(solfec, 'RIGID', SPHERE((0, 0, 1), 0.1, 1, 1), material, 'ball')
        INITIAL_VELOCITY(ball, (0, 0, -100), (0, 0, 0))
        RUN(solfec, 0.1)
        """
    done = program.run(text.format(step=0.0173))
    assert done.stderr == ("warning: out: body 1 'ball' went through body 0 'plate' in the step to time 0.0173, in "
                           "which it moved by "
                           '1.7 m; steps of 0.001 s would have found them in contact\n')
    done = program.run(text.format(step=0.02), before=['-w'])
    assert done.stderr == ("warning: out: body 1 'ball' came 0.1 m deep into body 0 'plate' in the step to time 0.02, "
                           "50 % of "
                           'its least extent; steps of 0.002 s keep it below 5 %\n'
                           "warning: out: body 1 'ball' went through body 0 'plate' in the step to time 0.02, in which "
                           'it moved by 2 m; steps of 0.001 s would have found them in contact\n')
    assert done.stdout.endswith("; overlap at most 50 % (body 1 'ball' in body 0 'plate' at 0.01 s)\n")
    done = program.run(text.format(step=1E-4), before=['-w'])
    assert done.stderr == '' and 'overlap at most' in done.stdout


def test_bodies_that_are_placed_in_others_are_told(program):
    text = """
        solfec = SOLFEC('DYNAMIC', 1E-3, 'out')
        material = BULK_MATERIAL(solfec)
        for height in (0, {height}):
            BODY(solfec, 'RIGID', BOX((0, 0, height), (1, 1, 1)), material)
        RUN(solfec, 0.01)
        """
    done = program.run(text.format(height=0.9))
    assert done.stderr == ('warning: out: body 0 was placed 0.1 m deep in body 1, 10 % of its least extent '
                           '(CONTACT_EXCLUDE_BODIES, '
                           'where that is meant)\n')
    assert program.run(text.format(height=0.99), before=['-w']).stderr == ''


@pytest.mark.parametrize('law, told', [('', True), (', spring=1E6', False), (', dashpot=1E3', False)])
def test_contacts_without_spring_and_dashpot_are_told(law, told, program):
    done = program.run(f"""
        solfec = SOLFEC('DYNAMIC', 1E-3, 'out')
        material = BULK_MATERIAL(solfec)
        SURFACE_MATERIAL(solfec, model='SPRING_DASHPOT', label='soft'{law})
        for height in (0, 1.001):
            BODY(solfec, 'RIGID' if height else 'OBSTACLE', BOX((0, 0, height), (1, 1, 1)), material)
        GRAVITY(solfec, (0, 0, -10))
        RUN(solfec, 0.02)
        """)
    assert done.returncode == 0 and done.stderr == told * (
        "warning: out: SURFACE_MATERIAL 'soft' of the model 'SPRING_DASHPOT' has neither spring nor dashpot: bodies do "
        'not feel its contacts\n')


def test_bodies_that_are_placed_in_others_later_are_told_once(program):
    text = """
        solfec = SOLFEC('DYNAMIC', 1E-3, 'out')
        material = BULK_MATERIAL(solfec)
        def brick(height):
            return BODY(solfec, 'RIGID', BOX((0, 0, height), (1, 1, 1)), material)
        brick(0)
        count = []
        def make():
            count.append(0)
            if len(count) in (2, 3):
                brick({height} if len(count) == 2 else -{height})
        CALLBACK(solfec, 5E-3, None, make)
        RUN(solfec, 0.02)
        RUN(solfec, 0.02)
        """
    warning = ('warning: out: body 0 was placed 0.1 m deep in body 1 at 0.005 s, 10 % of its least extent '
               '(CONTACT_EXCLUDE_BODIES, where that is meant)\n')
    assert program.run(text.format(height=0.9)).stderr == warning
    assert program.run(text.format(height=0.99), before=['-w']).stderr == ''
    # Not those of before, by a run that goes on.
    stopped = text.format(height=0.9).replace('RUN(solfec, 0.02)\n        RUN', 'RUN(solfec, 0.015)\n        RUN')
    assert program.run(stopped, before=['-w']).stderr == warning
    assert 'was placed' not in program.run(stopped.replace('RUN(solfec, 0.02)', 'RUN(solfec, 0.03)'),
                                           before=['-c']).stderr


def test_bodies_that_turn_inside_out_are_told(program):
    for kind, shape in (('PSEUDO_RIGID', 'BOX((0, 0, 0.5), (1, 1, 1))'),
                        ('FINITE_ELEMENT',
                         'HEX([0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1], 2, 2, 2)')):
        for young, told in ((30, True), (30E6, False)):
            done = program.run(f"""
                solfec = SOLFEC('DYNAMIC', 1E-3, 'out')
                material = BULK_MATERIAL(solfec, young={young})
                GRAVITY(solfec, (0, 0, -9.81))
                BODY(solfec, 'OBSTACLE', BOX((0, 0, -0.5), (9, 9, 1)), material)
                BODY(solfec, '{kind}', {shape}, material, 'soft').scheme = 'DEF_LIM'
                RUN(solfec, 0.6)
                """, before=['-w'])
            line = ("warning: out: body 1 'soft' has turned inside out: loads are too large for the material "
                    '(`young` is in Pa)\n')
            assert (line in done.stderr) == told, done.stderr


def test_contacts_too_light_for_the_merit_are_told(program):
    """Light boxes on each other beside heavy ones: a sweep solves these, and the merit sees no others."""
    text = """
        solfec = SOLFEC('DYNAMIC', 1E-3, 'out')
        heavy, light = BULK_MATERIAL(solfec, density=1E3), BULK_MATERIAL(solfec, density=1E-9)
        GRAVITY(solfec, (0, 0, -10))
        BODY(solfec, 'OBSTACLE', BOX((0, 0, -0.5), (20, 20, 1)), heavy)
        for k in range(8):
            BODY(solfec, 'RIGID', BOX((1.5 * k - 6, 3, 0.5), (1, 1, 1)), heavy)
            BODY(solfec, 'RIGID', BOX((0, -3, k + 0.5), (1, 1, 1)), light)
        RUN(solfec, GAUSS_SEIDEL_SOLVER(1, 1000, {meritval}), 0.1)
        """
    done = program.run(text.format(meritval=1E-6))
    assert re.fullmatch(r'warning: out: the contact of body \d+ and body \d+ missed its law by [\d.]+ m/s in the step '
                        r'to time 0.00\d, '
                        r'more than half of the largest free velocity, and the merit, which weighs by mass, let it '
                        r'pass.*; '
                        r'a meritval of \de-1\d would not\n', done.stderr), done.stderr
    assert program.run(text.format(meritval=1E-16), before=['-w']).stderr == ''


def test_explicit_steps_are_told(program):
    text = """
        solfec = SOLFEC('DYNAMIC', 1E-3, 'out')
        material = BULK_MATERIAL(solfec, young=1E9, density=1000)
        BODY(solfec, 'PSEUDO_RIGID', SPHERE((0, 0, 0), 0.1), material).scheme = '{scheme}'
        RUN(solfec, 3E-3)
        """
    line = 'the largest that are stable for the bodies of the scheme DEF_EXP; DEF_LIM and DEF_IMP have no such limit\n'
    assert program.run(text.format(scheme='DEF_EXP')).stdout.count(line) == 1
    assert line not in program.run(text.format(scheme='DEF_LIM'), before=['-w']).stdout
