"""What a run does to the files in its output directory, and to those of others; what READ mode says."""

import re

import pytest

from solfec.results import Results

SCRIPT = """
        import os, sys
        solfec = falling({directory!r}, balls=2)
        {change}
        print(solfec.mode)
        RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-3, 100), {duration})
        """


def script(directory='out', change='', duration=0.01):
    return SCRIPT.format(directory=directory, change=change, duration=duration)


def text_of_all(directory):
    return {str(path.relative_to(directory)): path.read_bytes() for path in sorted(directory.rglob('*'))
            if path.is_file()}


@pytest.mark.parametrize('name', ('out.h5', 'out.py', 'STATE', 'out.frames-00000000-00000003.h5'))
@pytest.mark.parametrize('how', ('file', 'link'))
@pytest.mark.parametrize('switch', ((), ('-w',), ('-c',)))
def test_files_of_the_user_stay(name, how, switch, program):
    """Also those that have a name of results, and whatever a link leads to."""
    out = program.directory / 'out'
    out.mkdir()
    precious = program.directory / 'precious'
    precious.write_text('text\n')
    if how == 'link':
        (out / name).symlink_to(precious)
    else:
        (out / name).write_text('text\n')
    before = text_of_all(out)
    done = program.run(script(), before=switch)
    assert done.returncode == 1, done.stdout
    last = done.stderr.splitlines()[-1]
    assert f'out/{name}' in last and last.startswith('RuntimeError: RUN: '), last
    assert text_of_all(out) == before and precious.read_text() == 'text\n'
    assert (out / name).is_symlink() == (how == 'link')


def test_a_renamed_directory(program):
    """Its results are read, continued and replaced as if it had had that name from the start."""
    assert program.run(script()).returncode == 0
    (program.directory / 'out').rename(program.directory / 'new')
    before = text_of_all(program.directory / 'new')
    assert program.run(script('new')).stdout.startswith('READ')
    assert text_of_all(program.directory / 'new') == before
    further = 'RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-3, 100), 0.01)'
    assert program.run(script('new', further), before=('-c',)).returncode == 0
    times = Results(program.directory / 'new').times
    assert times[-1] == pytest.approx(0.02) and len(times) == len(set(times))
    assert program.run(script('new'), before=('-w',)).stdout.startswith('WRITE')
    files = text_of_all(program.directory / 'new')
    assert Results(program.directory / 'new').times[-1] == pytest.approx(0.01)
    assert 'new.h5' in files and not any(name.startswith('out.') for name in files if not name.endswith('.py')), files


def test_other_files_are_no_matter(program):
    out = program.directory / 'out'
    out.mkdir()
    for name in ('notes.txt', 'other.h5', 'out.frames-1-2.h5', 'out.frames-00000000-00000003.h5.part', 'out.frames'):
        (out / name).write_text('text\n')
    before = text_of_all(out)
    for switch in ((), ('-w',), ('-c',)):
        assert program.run(script(), before=switch).returncode == 0
        after = text_of_all(out)
        assert {name: after[name] for name in before} == before


def test_a_copy_that_was_changed_is_the_users(program):
    """A copy is replaced, the script that somebody has made of it is not."""
    assert program.run(script()).returncode == 0
    copy = program.directory / 'out' / 'out.py'
    assert program.run(script(duration=0.02), before=['-w']).returncode == 0
    assert 'RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-3, 100), 0.02)' in copy.read_text()
    copy.write_text(copy.read_text() + '\nprint("my own")\n')
    mine = copy.read_text()
    done = program.run(script(), before=['-w'])
    assert done.returncode == 1 and 'was changed since' in done.stderr
    assert copy.read_text() == mine


def test_names_in_an_index_stay_within_the_directory(program):
    """An index that somebody else has made names files outside, which -c would have removed."""
    import h5py
    assert program.run(script()).returncode == 0
    other = program.directory / 'other.frames-00000000-00000003.h5'
    for name in ('../other.frames-00000000-00000003.h5', str(other), '..', 'out.h5'):
        other.write_text('text')
        with h5py.File(program.directory / 'out' / 'out.h5', 'r+') as file:
            names = file['segment/file']
            names[0] = name
        for switch in ((), ('-c',)):
            done = program.run(script(duration=0.02), before=switch)
            assert done.returncode == 1 and 'is no name of a file of frames' in done.stderr
            assert other.read_text() == 'text'
        if name != 'out.h5':
            with pytest.raises(ValueError, match='names a file outside of its directory'):
                Results(program.directory / 'out')


def test_the_directory_is_the_one_at_the_start(program):
    """Whatever directory the script changes to: results of another one of that name stay."""
    other = program.directory / 'there' / 'out'
    other.mkdir(parents=True)
    (other / 'out.h5').write_text('text')
    (other / 'STATE').write_text('text')
    before = text_of_all(other)
    done = program.run(script(change="os.chdir('there')"))
    assert done.returncode == 0, done.stderr
    assert text_of_all(other) == before and (program.directory / 'out' / 'out.h5').is_file()


@pytest.mark.parametrize('name', ('.', './', '../{}', '../{}/.'))
def test_the_present_directory(name, program):
    directory = name.format(program.directory.name)
    assert program.run(script(directory)).stdout.splitlines()[0] == 'WRITE'
    assert (program.directory / (program.directory.name + '.h5')).is_file()
    assert program.run(script('.')).stdout.splitlines()[0] == 'READ'


def test_a_directory_has_one_writer(program):
    """By any name; the second one is refused before it writes anything, and the first goes on."""
    first = program.start(script(duration=1E6))
    while not (program.directory / 'out' / 'out.h5').is_file():
        assert first.poll() is None
    (program.directory / 'link').symlink_to('out')
    for directory, switch in (('out', ['-w']), ('link', ['-w']), ('link', ['-c']), ('out', ['-c'])):
        before = text_of_all(program.directory / 'out').keys()
        done = program.run(script(directory), before=switch)
        assert done.returncode == 1
        assert re.fullmatch(r"RuntimeError: RUN: another run writes results to '.*': wait for its end, or choose "
                            r"another "
                            "directory", done.stderr.splitlines()[-1])
        assert not [name for name in text_of_all(program.directory / 'out').keys() - before if 'frames' not in name
                    and name != 'STATE']
    for directory in 'out', 'link':
        assert program.run(script(directory)).stdout.splitlines()[0] == 'READ'
    first.kill()
    first.communicate()
    assert program.run(script(), before=['-w']).returncode == 0  # a lock does not outlive a process


def test_stop_files_with_text_stay(program):
    (program.directory / 'out').mkdir()
    stop = program.directory / 'out' / 'STOP'
    stop.write_text('a list of bus stops')
    done = program.run(script(duration=1E6))
    assert done.returncode == 0 and 'ended by the file STOP' in done.stdout
    assert stop.read_text() == 'a list of bus stops'
    stop.rename(program.directory / 'list')
    for target in ('list', 'nowhere'):  # nor links, wherever they lead
        stop.unlink(missing_ok=True)
        stop.symlink_to('../' + target)
        (program.directory / 'empty').touch()
        ended = program.run(script(duration=0.5 if target == 'nowhere' else 1E6), before=['-w'])
        assert ('ended by the file STOP' in ended.stdout) == (target == 'list') and stop.is_symlink()


def test_read_mode_tells_what_it_reads(program):
    assert program.run(script()).returncode == 0
    done = program.run(script())
    assert done.stderr == ''
    assert re.fullmatch(r'READ\nout: reading results of \d{4}-\d\d-\d\d \d\d:\d\d:\d\d, 11 frames from 0 to 0.01 s, '
                        r'now at 0 s '
                        r'\(SEEK goes to others\); run with -w to compute anew\n', done.stdout), done.stdout
    done = program.run(script(change='pass'))
    assert 'the script has been edited since; no difference of its model was found' in done.stdout
    assert program.run(script(change="solfec.verbose = 'OFF'")).stdout == 'READ\n'


def test_read_mode_tells_of_a_run_that_has_not_ended(program):
    (program.directory / 'out').mkdir()
    (program.directory / 'out' / 'STOP').touch()
    assert 'ended by the file STOP' in program.run(script(duration=1E6)).stdout
    assert '; the last RUN has not ended: run with -c to go on, or run with -w' in program.run(script()).stdout


@pytest.mark.parametrize('change, what', (
    ("SURFACE_MATERIAL(solfec, restitution=0.5)", "SURFACE_MATERIAL 'SURFACE_MATERIAL_"),
    ('GRAVITY(solfec, (0, 0, -3))', 'GRAVITY'),
    ('solfec.step = 5E-4', 'SOLFEC.step'),
    ('OUTPUT(solfec, 0.005)', 'OUTPUT'),
    ("solfec.contact_correction = 'OFF'", 'SOLFEC.contact_correction'),
    ('CONTACT_EXCLUDE_BODIES(solfec.bodies[1], solfec.bodies[2])', 'CONTACT_EXCLUDE_*'),
    ('CONTACT_EXCLUDE_SURFACES(solfec, 1, 2)', 'CONTACT_EXCLUDE_*'),
    ("solfec.bodies[1].scheme = 'RIG_POS'", 'the scheme of body 1'),
    ('INITIAL_VELOCITY(solfec.bodies[2], (0, 0, 1), (0, 0, 0))', 'the velocity of body 2'),
    ("FORCE(solfec.bodies[1], 'SPATIAL', solfec.bodies[1].center, (0, 0, 1), 1)", 'the loads of body 1'),
    ('FIX_POINT(solfec.bodies[2], solfec.bodies[2].center)', 'the joints of body 2')))
def test_results_of_an_edited_script_are_told(change, what, program):
    assert program.run(script(duration=0.001)).returncode == 0
    done = program.run(script(change=change, duration=0.001))
    assert done.returncode == 0 and done.stdout.splitlines()[0] == 'READ'
    assert re.fullmatch(f'warning: out: the results are those of an earlier script, which was another in: '
                        f'{re.escape(what)}.*; '
                        'run with -w to compute anew\n', done.stderr), done.stderr
    assert program.run(script(change=change, duration=0.001), before=['-w']).stderr == ''
    assert program.run(script(change=change, duration=0.001)).stderr == ''


def test_another_place_is_told(program):
    def with_ball(x):
        return script(change=f"BODY(solfec, 'RIGID', SPHERE(({x}, 9, 9), 0.5, 1, 1), BULK_MATERIAL(solfec))")
    assert program.run(with_ball('9.3')).returncode == 0
    assert program.run(with_ball('3.1 * 3')).stderr == ''  # round-off, as on another machine
    assert 'another in: the place of body 3;' in program.run(with_ball(9.301)).stderr


def test_another_run_is_told(program):
    assert program.run(script()).returncode == 0
    assert 'RUN number 1 of the script has another solver or duration' in program.run(script(duration=0.02)).stderr
    resumed = program.run(script(change='GRAVITY(solfec, (0, 0, -3))', duration=0.02), before=['-c'])
    assert resumed.stderr == (
        'warning: out: goes on with other values than it began with: GRAVITY\n'
        'warning: out: RUN number 1 of the script has another solver or duration than when these results were '
        'computed; '
        'it was over and is not computed again, but with -w\n')


def test_a_run_that_was_not_computed_is_told(program):
    assert program.run(script()).returncode == 0
    more = script() + 'RUN(solfec, 0.01)\n'
    done = program.run(more)
    assert done.returncode == 0 and done.stderr == (
        'warning: out: RUN number 2 of the script is not in these results; run with -c to compute it, or with -w to '
        'compute all anew\n')
    assert program.run(more, before=['-c']).stderr == ''
    assert program.run(more).stderr == ''


def test_stop_of_a_callback_ends_its_step(program):
    """However short the run is: a file of somebody else is looked for a few times a second."""
    stops = script(duration=1).replace('RUN(', "CALLBACK(solfec, 0.01, None, lambda: solfec.time < 0.015 or not "
                                               "open('out/STOP', 'w').close())\n        RUN(")
    done = program.run(stops)
    assert done.returncode == 0 and '\n20 steps in' in done.stdout and 'ended by the file STOP' in done.stdout
    assert not (program.directory / 'out' / 'STOP').exists()


def test_a_run_that_became_shorter_than_its_results_is_told(program):
    long = script(duration=1E6).replace('RUN(', "CALLBACK(solfec, 0.1, None, lambda: solfec.time < 0.1 or not "
                                                "open('out/STOP', 'w').close())\n        RUN(")
    assert 'ended by the file STOP' in program.run(long).stdout
    done = program.run(script(duration=0.05), before=['-c'])
    assert done.returncode == 0, done.stderr
    assert 'beyond the end of RUN number 1 of the script, at 0.05 s\n' in done.stderr


def test_the_root_is_no_directory_of_results(program):
    done = program.run(script('/'))
    assert done.returncode == 1 and "'output' must be a directory below the root; got '/'" in done.stderr
