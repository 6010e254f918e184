"""Every argument of every command (the table of commands.py): by position and by keyword; missing, of a wrong type, out
of range, emptied; junk at every place. One clear error each, naming command and argument, before anything is done."""

import inspect
import math
import sys
import traceback

import numpy
import pytest
from commands import COMMANDS
from conftest import cube

import solfec
from solfec import *

commands = pytest.mark.parametrize('command', COMMANDS, ids=str)
# Classes without a constructor, and what is no command of the language.
NOT_COMMANDS = {'CONSTRAINT', 'configure'}


def values(command, model, arguments=None):
    return {a.name: a.valid(model) for a in (command.arguments if arguments is None else arguments)}


def signature(command):
    """Names of required and of optional arguments as the documentation has them."""
    text = ' '.join(inspect.getdoc(globals()[command.name]).partition('\n\n')[0].split())  # may take several lines
    assert text.startswith(command.name + ' (') and text.endswith(')')
    required, _, optional = text[len(command.name) + 2:-1].partition('|')
    return [[name.split('/')[0].strip() for name in part.split(',') if name.strip()] for part in (required, optional)]


def test_no_command_is_forgotten():
    names = {name for name in solfec.__all__ if callable(getattr(solfec, name))} - NOT_COMMANDS
    assert names == {command.name for command in COMMANDS}
    assert len(names) == len(COMMANDS)


@commands
def test_documentation_names_the_arguments(command):
    assert signature(command) == [[a.name for a in command.required], [a.name for a in command.optional]]
    text = inspect.getdoc(globals()[command.name])
    assert len(text.splitlines()) > 2
    for argument in command.arguments:
        assert argument.name in text.split('\n', 1)[1], f'{argument.name} is not explained'


@commands
def test_by_position_and_by_keyword(command, new_model):
    command.call(values(command, new_model()))
    needed = command.required + [a for a in command.optional if a.name in command.needed]
    command.call(values(command, new_model(), needed))
    globals()[command.name](*values(command, new_model()).values())


@commands
def test_missing_unknown_repeated_and_too_many(command, new_model):
    function = globals()[command.name]
    for argument in command.required:
        given = values(command, new_model())
        del given[argument.name]
        with pytest.raises(TypeError, match=rf"^{command.name}: '{argument.name}' is missing; usage: "):
            function(**given)
    with pytest.raises(TypeError, match=f"^{command.name}: has no argument 'nonsense'"):
        function(**values(command, new_model()), nonsense=1)
    with pytest.raises(TypeError, match=f'^{command.name}: takes at most {len(command.arguments)} arguments, got'):
        function(*values(command, new_model()).values(), 1)
    if command.arguments:
        given = values(command, new_model())
        first = command.arguments[0].name
        with pytest.raises(TypeError, match=f"^{command.name}: '{first}' is given twice"):
            function(given[first], **given)


def emptied_after(command, model, argument, value):
    """Calls with one bad value; returns the error, checked for what every error must say, and checks that no object
    was emptied on the way."""
    given = values(command, model)
    given[argument.name] = value
    with pytest.raises((TypeError, ValueError)) as caught:
        command.call(given)
    text = str(caught.value)
    assert text.startswith(f"{command.name}: '{argument.name}'"), text
    for name, other in given.items():
        if name in ('convex', 'sphere', 'shape') and name != argument.name and not isinstance(other, tuple):
            COPY(other)  # would say so of an emptied object
    return caught.value


@commands
def test_wrong_type(command, new_model):
    for argument in command.arguments:
        for wrong in argument.wrong:
            error = emptied_after(command, new_model(), argument, wrong)
            assert isinstance(error, TypeError), (argument.name, wrong, error)
            assert 'must be' in str(error) and 'got' in str(error), str(error)


@commands
def test_out_of_range(command, new_model):
    for argument in command.arguments:
        for out in argument.out:
            error = emptied_after(command, new_model(), argument, out)
            assert isinstance(error, ValueError), (argument.name, out, error)


@commands
def test_emptied(command, new_model):
    for argument in command.arguments:
        if argument.emptied:
            model = new_model()
            error = emptied_after(command, model, argument, argument.emptied(model))
            assert isinstance(error, ValueError) and 'has been emptied' in str(error), (argument.name, error)


LONG = 10**30
JUNK = [None, -1, 0, math.nan, math.inf, -math.inf, 'x', b'x', [], (), {}, object(), LONG, 1j, numpy.zeros(0),
        numpy.array(1.0), numpy.zeros((2, 2)), numpy.float64(math.nan), [None], ['x'], (None, None, None), cube,
        type, range(3), '\0', 'é' * 100, {1, 2}, iter([])]


@commands
def test_junk(command, new_model):
    """Anything at any place: an exception of the documented kinds that names the command, or a valid result."""
    for argument in command.arguments:
        for junk in JUNK:
            if argument.name == 'duration' and junk is LONG:
                continue  # valid, and long
            given = values(command, new_model())
            given[argument.name] = junk
            try:
                command.call(given)
            except (TypeError, ValueError, RuntimeError) as error:
                assert str(error).startswith(command.name), (argument.name, junk, error)


def lists(value):
    return list(value)


def arrays(value):
    return numpy.array(value)


@pytest.mark.parametrize('form', [lists, tuple, arrays])
@commands
def test_lists_tuples_and_arrays(command, form, new_model):
    """Numbers come in lists, tuples and arrays alike."""
    given = values(command, new_model())
    for argument in command.arguments:
        value = given[argument.name]
        flat = isinstance(value, (list, tuple)) and value and all(isinstance(v, (int, float)) for v in value)
        if flat and argument.kind != 'data':
            given[argument.name] = form(value)
    command.call(given)


def test_numpy_scalars_and_booleans_are_numbers():
    sphere = SPHERE((numpy.float32(1), numpy.int64(2), True), numpy.float64(2), numpy.int32(1), True)
    assert sphere.center == (1, 2, 1) and sphere.radius == 2


@pytest.mark.parametrize('call, spelled', [
    (lambda ids, key: HEX(COMMANDS_BY_NAME['HEX'].arguments[0].valid(None), 1, 1, 1, 1, **{key: ids}), 'surids'),
    (lambda ids, key: HEX(COMMANDS_BY_NAME['HEX'].arguments[0].valid(None), 1, 1, 1, 1, **{key: ids}), 'surfids'),
    (lambda ids, key: PIPE((0, 0, 0), (0, 0, 1), 1, 0.1, 1, 8, 1, 1, **{key: ids}), 'surids'),
    (lambda ids, key: PIPE((0, 0, 0), (0, 0, 1), 1, 0.1, nrad=8, nthi=1, volid=1, surfids=ids, **{key: 1}), 'ndri'),
    (lambda ids, key: PIPE((0, 0, 0), (0, 0, 1), 1, 0.1, nrad=8, nthi=1, volid=1, surfids=ids, **{key: 1}), 'ndir')])
def test_both_spellings(call, spelled):
    assert call([1, 2, 3, 4, 5, 6], spelled).nnod > 0


COMMANDS_BY_NAME = {command.name: command for command in COMMANDS}


def test_a_misspelt_argument_gets_a_hint():
    with pytest.raises(TypeError, match=r"SPHERE: has no argument 'radus' \(did you mean 'radius'\?\)"):
        SPHERE((0, 0, 0), radus=1)


@pytest.mark.parametrize('given, meant', [('ipm', 'IPM'), ('nsgs-ac', 'NSGS-AC'), ('FP-DSS', 'FP-DS'), ('XX', None)])
def test_so_does_a_misspelt_choice(given, meant):
    with pytest.raises(ValueError) as caught:
        NONSMOOTH_SOLVER(given)
    assert str(caught.value).endswith(f"got '{given}'" + (f" (did you mean '{meant}'?)" if meant else ''))


def test_both_spellings_at_once_are_one_too_many():
    with pytest.raises(TypeError, match="HEX: 'surfids' is given twice"):
        HEX([0] * 24, 1, 1, 1, 1, surfids=[1] * 6, surids=[1] * 6)


def test_message_shows_a_long_value_in_short():
    with pytest.raises(ValueError) as caught:
        SPHERE(list(range(1000)), 1, 1, 1)
    with pytest.raises(ValueError, match=r"'center' must be a tuple of three numbers; got range\(0, 1000000000000\)"):
        SPHERE(range(10**12), 1, 1, 1)  # and none of these numbers is read
    assert len(str(caught.value)) < 200 and '...' in str(caught.value)


@pytest.mark.parametrize('shift', range(4))
def test_a_long_value_is_cut_between_characters(shift):
    with pytest.raises(TypeError, match=r"SPHERE: 'center' must be a tuple of three numbers; got '\S+\.\.\. \(str\)"):
        SPHERE('x' * shift + '\U0001F600' * 100, 1, 1, 1)  # four bytes each


def test_text_that_cannot_be_encoded():
    with pytest.raises(ValueError, match=r"SOLFEC: 'output' must be a string .*; got 'a\\udc80'"):
        SOLFEC('DYNAMIC', 1, 'a\udc80')


def test_error_points_at_the_line_of_the_script():
    try:
        SPHERE((0, 0, 0), -1, 1, 1)
    except ValueError:
        frames = traceback.extract_tb(sys.exc_info()[2])
    assert frames[-1].line == 'SPHERE((0, 0, 0), -1, 1, 1)'


READ_ONLY = [
    (lambda m: cube(), ['nver']),
    (lambda m: HEX(COMMANDS_BY_NAME['HEX'].arguments[0].valid(None), 1, 1, 1, 1, [1] * 6), ['nnod']),
    (lambda m: SPHERE((0, 0, 0), 1, 1, 1), ['center', 'radius']),
    (lambda m: ELLIP((0, 0, 0), (1, 1, 1), 1, 1), ['center', 'radii', 'rot']),
    (lambda m: m.solfec, ['analysis', 'time', 'mode', 'outpath', 'bodies', 'nbod', 'constraints', 'ncon',
                         'traffic']),
    (lambda m: m.material, ['model', 'label']),
    (lambda m: m.surface, ['surf1', 'surf2', 'label']),
    (lambda m: TIME_SERIES([0, 0, 1, 1]), ['times', 'values', 'derivative', 'integral']),
    (lambda m: m.ball, ['kind', 'label', 'id', 'material', 'mass', 'volume', 'center', 'tensor', 'conf', 'velo',
                        'mesh', 'constraints', 'ncon']),
    (lambda m: m.contact, ['kind', 'R', 'U', 'V', 'base', 'point', 'area', 'gap', 'merit', 'adjbod', 'matlab',
                           'spair', 'damage']),
    (lambda m: m.solver, ['failure', 'error', 'iters', 'rerhist', 'merhist']),
    (lambda m: NEWTON_SOLVER(), ['error', 'failure', 'iters', 'merhist', 'mvhist', 'gssweeps']),
    (lambda m: AUTO_SOLVER(), ['error', 'failure', 'iters', 'ntsteps', 'path']),
    (lambda m: NONSMOOTH_SOLVER('FP-DS'), ['rho', 'nu', 'L', 'Lmin', 'tollocal', 'omega', 'alpha', 'sigma', 'exponent',
                                           'method', 'error', 'failure', 'iters']),
    (lambda m: CONVEX_SOLVER('GS'), ['omega', 'lam', 'method', 'error', 'failure', 'iters']),
    (lambda m: PENALTY_SOLVER(), ['variant']),
]

READ_WRITE = [  # member, a good value, values of a wrong type, values out of range
    (lambda m: m.solfec, 'step', 1E-4, ['x', None], [0, -1, math.nan]),
    (lambda m: m.solfec, 'verbose', 'ON', [1, None], ['on']),
    (lambda m: m.solfec, 'contact_points', 'MANY', [1, None], ['TWO']),
    (lambda m: m.solfec, 'joint_correction', 'OFF', [1, None], ['on']),
    (lambda m: m.solfec, 'contact_correction', 'OFF', [1, None], ['on']),
    (lambda m: m.material, 'young', 2E9, ['x', None], [0, -1, math.inf]),
    (lambda m: m.material, 'poisson', 0.4, ['x', None], [0.6, -1]),
    (lambda m: m.material, 'density', 7E3, ['x', None], [0, -1]),
    (lambda m: m.surface, 'model', 'SPRING_DASHPOT', [1, None], ['x']),
    (lambda m: m.surface, 'friction', 0.7, ['x', None], [-1]),
    (lambda m: m.surface, 'cohesion', 1.0, ['x', None], [-1]),
    (lambda m: m.surface, 'fracture_energy', 1.0, ['x', None], [-1]),
    (lambda m: m.surface, 'restitution', 0.5, ['x', None], [-0.1, 1.1]),
    (lambda m: m.surface, 'tangential_restitution', 0.5, ['x', None], [-0.1, 1.1]),
    (lambda m: m.surface, 'spring', 1E6, ['x', None], [-1]),
    (lambda m: m.surface, 'dashpot', 1E3, ['x', None], [-1]),
    (lambda m: m.ball, 'scheme', 'RIG_IMP', [1, None], ['DEF_EXP', 'x']),
    (lambda m: m.ball, 'damping', 0.1, ['x', None], [-1]),
    (lambda m: m.ball, 'selfcontact', 'OFF', [1, None], ['ON', 'x']),
    (lambda m: m.ball, 'nodecontact', 'OFF', [1, None], ['ON', 'x']),
    (lambda m: m.solver, 'epsilon', 1E-4, ['x', None], [0, -1]),
    (lambda m: m.solver, 'meritval', 1E-4, ['x', None], [0, -1]),
    (lambda m: m.solver, 'maxiter', 7, ['x', 1.5, None], [0, -1]),
    (lambda m: m.solver, 'diagepsilon', 1E-4, ['x', None], [0, -1]),
    (lambda m: m.solver, 'diagmaxiter', 7, ['x', 1.5, None], [0, -1]),
    (lambda m: m.solver, 'innerloops', 2, ['x', 1.5, None], [0, -1]),
    (lambda m: m.solver, 'memory', 5, ['x', 1.5, None], [-1, 51]),
    (lambda m: m.solver, 'diagsolver', 'PROJECTED_NEWTON', [1, None], ['x']),
    (lambda m: m.solver, 'reverse', 'ON', [1, None], ['x']),
    (lambda m: m.solver, 'variant', 'SIMPLIFIED', [1, None], ['x']),
    (lambda m: NEWTON_SOLVER(), 'meritval', 1E-4, ['x', None], [0, -1]),
    (lambda m: NEWTON_SOLVER(), 'maxiter', 7, ['x', 1.5, None], [0, -1]),
    (lambda m: NEWTON_SOLVER(), 'locdyn', 'OFF', [1, None], ['x']),
    (lambda m: NEWTON_SOLVER(), 'linver', 'DIAG', [1, None], ['x']),
    (lambda m: NEWTON_SOLVER(), 'linmaxiter', 7, ['x', 1.5, None], [0, -1]),
    (lambda m: NEWTON_SOLVER(), 'maxmatvec', 7, ['x', 1.5, None], [0, -1]),
    (lambda m: NEWTON_SOLVER(), 'epsilon', 1E-4, ['x', None], [0, -1]),
    (lambda m: NEWTON_SOLVER(), 'delta', 0, ['x', None], [-1, math.inf]),
    (lambda m: NEWTON_SOLVER(), 'theta', 0.5, ['x', None], [0, -1, 0.6]),
    (lambda m: NEWTON_SOLVER(), 'omega', 1E-4, ['x', None], [0, -1]),
    (lambda m: NEWTON_SOLVER(), 'gsflag', 'OFF', [1, None], ['x']),
    (lambda m: NEWTON_SOLVER(), 'smooth', 0, ['x', 1.5, None], [-1]),
    (lambda m: AUTO_SOLVER(), 'meritval', 1E-4, ['x', None], [0, -1]),
    (lambda m: AUTO_SOLVER(), 'maxiter', 7, ['x', 1.5, None], [0, -1]),
    (lambda m: NONSMOOTH_SOLVER('FP-DS'), 'meritval', 1E-4, ['x', None], [0, -1]),
    (lambda m: NONSMOOTH_SOLVER('FP-DS'), 'maxiter', 7, ['x', 1.5, None], [0, -1]),
    (lambda m: CONVEX_SOLVER(), 'meritval', 1E-4, ['x', None], [0, -1]),
    (lambda m: CONVEX_SOLVER(), 'maxiter', 7, ['x', 1.5, None], [0, -1]),
]


def name_of(thing):
    return type(thing).__name__


def test_no_member_is_forgotten(model):
    """Every member that help() shows is in the tables above."""
    listed = {}
    for make, members in READ_ONLY:
        listed.setdefault(name_of(make(model)), set()).update(members)
    for make, member, *_ in READ_WRITE:
        listed.setdefault(name_of(make(model)), set()).add(member)
    for name in ('GAUSS_SEIDEL_SOLVER', 'NEWTON_SOLVER', 'AUTO_SOLVER', 'NONSMOOTH_SOLVER', 'CONVEX_SOLVER'):
        listed[name].add('itershist')  # reads and writes different things: test_solvers.py
    classes = {name: {member for member, value in vars(getattr(solfec, name)).items() if isinstance(value, property)}
               for name in solfec.__all__ if inspect.isclass(getattr(solfec, name))}
    assert listed == classes


@pytest.mark.parametrize('make, members', READ_ONLY)
def test_read_only_members(make, members, model):
    thing = make(model)
    for member in members:
        getattr(thing, member)
        with pytest.raises(AttributeError, match=f'^{name_of(thing)}.{member} is a read-only member'):
            setattr(thing, member, 1)


@pytest.mark.parametrize('make, member, good, wrong, out', READ_WRITE)
def test_writable_members(make, member, good, wrong, out, model):
    thing = make(model)
    before = getattr(thing, member)
    for values, error in ((wrong, TypeError), (out, ValueError)):
        for value in values:
            with pytest.raises(error, match=rf'^{name_of(thing)}\.{member} must be .*; got'):
                setattr(thing, member, value)
    assert getattr(thing, member) == before
    setattr(thing, member, good)
    assert getattr(thing, member) == good


def test_no_new_members(model):
    for thing in (model.solfec, model.ball, model.solver, model.material, cube()):
        with pytest.raises(AttributeError, match=f"^{name_of(thing)} has no member 'unheard_of'$"):
            thing.unheard_of = 1


def test_a_misspelt_member_gets_a_hint(model):
    meant = r"^SOLFEC has no member 'contact_corection' \(did you mean 'contact_correction'\?\)$"
    with pytest.raises(AttributeError, match=meant):
        model.solfec.contact_corection = 'OFF'
    with pytest.raises(AttributeError, match=meant):
        model.solfec.contact_corection
    assert not hasattr(model.ball, 'wheels')


@pytest.mark.parametrize('members', [['kind', 'label', 'id', 'material', 'mass', 'volume', 'center', 'tensor', 'conf',
                                      'velo', 'mesh', 'constraints', 'ncon', 'scheme', 'damping', 'selfcontact',
                                      'nodecontact']])
def test_emptied_body_says_so(members, model):
    ball = model.ball
    DELETE(model.solfec, ball)
    for member in members:
        with pytest.raises(ValueError, match=rf'^BODY\.{member}: this BODY object has been emptied'):
            getattr(ball, member)
    for member, value in (('scheme', 'RIG_NEG'), ('damping', 0.0), ('selfcontact', 'OFF'), ('nodecontact', 'OFF')):
        with pytest.raises(ValueError, match=rf'^BODY\.{member}: this BODY object has been emptied'):
            setattr(ball, member, value)


def test_emptied_shapes_say_so(model):
    mesh = HEX(COMMANDS_BY_NAME['HEX'].arguments[0].valid(None), 1, 1, 1, 1, [1] * 6)
    shapes = {cube(): ['nver'], SPHERE((0, 0, 0), 1, 1, 1): ['center', 'radius'],
              ELLIP((0, 0, 0), (1, 1, 1), 1, 1): ['center', 'radii', 'rot'], mesh: ['nnod']}
    BODY(model.solfec, 'RIGID', list(shapes), model.material)
    for shape, members in shapes.items():
        for member in members:
            with pytest.raises(ValueError, match=rf'^{name_of(shape)}\.{member}: this object has been emptied'):
                getattr(shape, member)


def test_ended_contact_says_so(model):
    contact = model.contact
    DELETE(model.solfec, contact)
    for member in vars(CONSTRAINT):
        if isinstance(vars(CONSTRAINT)[member], property):
            with pytest.raises(ValueError, match=rf'^CONSTRAINT\.{member}: this constraint has ended'):
                getattr(contact, member)


def test_constraints_cannot_be_made():
    with pytest.raises(RuntimeError, match='CONSTRAINT objects cannot be made directly'):
        CONSTRAINT()


def test_nothing_is_written_before_run(model, tmp_path):
    assert list(tmp_path.iterdir()) == []
    for wrong in (dict(duration=-1), dict(solver='x'), dict(duration=None)):
        with pytest.raises((TypeError, ValueError)):
            RUN(**{'solfec': model.solfec, 'solver': model.solver, 'duration': 1, **wrong})
    assert list(tmp_path.iterdir()) == []


def test_comparing_with_other_things(model):
    contact = model.contact
    for thing in (model.solfec, model.ball, contact):
        assert thing != None and thing != 1 and thing in [1, 'x', thing] and not thing == 'x'  # noqa: E711
    assert model.ball == model.solfec.bodies[1] and model.ball != model.floor
    assert {model.ball: 1}[model.solfec.bodies[1]] == 1 and {contact: 2}[model.solfec.constraints[0]] == 2


def test_a_forgotten_solfec_is_told():
    shape = SPHERE((0, 0, 0), 1)
    for call in (lambda: BODY('RIGID', shape, 'stuff'), lambda: GRAVITY((0, 0, -9.81))):
        with pytest.raises(TypeError, match=r"^(BODY|GRAVITY): 'solfec' must be a SOLFEC; got .*; usage: "):
            call()
