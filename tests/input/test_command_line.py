"""Switches, the path of the script, and the words that are the script's own."""

import pathlib
import re

import pytest

import solfec

SYNOPSIS = 'SYNOPSIS: solfec [-v] [-w | -c] [-j threads] [-g WIDTHxHEIGHT] [-s sub-directory] path [words]'


@pytest.fixture
def tell(program):
    """Runs a script that prints its words and its sub-directory."""
    (program.directory / 'tell.py').write_text('print(NON_SOLFEC_ARGV(), SUBDIR())')
    return lambda *words: program.run_words(*words)


@pytest.mark.parametrize('words, output', [
    (['tell.py'], 'None None'),
    (['tell.py', 'a', 'b'], "['a', 'b'] None"),
    (['-s', 'x/y', 'tell.py'], 'None x/y'),
    (['tell.py', '-s', 'x', 'a'], "['a'] x"),
    (['-w', 'tell.py', '-step', '1E-3', '-weak', '--', '-x'], "['-step', '1E-3', '-weak', '--', '-x'] None"),
    (['-j', '3', 'tell.py', 'a'], "['a'] None"),
    (['-g', '800x600', 'tell.py'], 'None None')])
def test_words(words, output, tell):
    done = tell(*words)
    assert (done.returncode, done.stdout, done.stderr) == (0, output + '\n', '')


@pytest.mark.parametrize('words, output, unknown', [
    (['-npar', '10', 'tell.py', '-solv', 'GS'], "['-npar', '10', '-solv', 'GS'] None", '-npar'),
    (['-q', '-w', '--resume', 'tell.py'], "['-q', '--resume'] None", '-q --resume')])
def test_misspelt_switches_are_told(words, output, unknown, tell):
    """Those before the script: words after it are its own."""
    done = tell(*words)
    assert (done.returncode, done.stdout) == (0, output + '\n')
    assert done.stderr == f'solfec: left to the script, since solfec has no such switches (--help): {unknown}\n'


@pytest.mark.parametrize('words, message', [
    (['nothing.py'], f"solfec: no input file: there is no file 'nothing.py'\n{SYNOPSIS}"),
    (['-w'], f'solfec: no input file\n{SYNOPSIS}'),
    (['.'], f"solfec: no input file: there is no file '.'\n{SYNOPSIS}")])
def test_refusals(words, message, tell):
    done = tell(*words)
    assert (done.returncode, done.stdout, done.stderr) == (2, '', message + '\n')


@pytest.mark.parametrize('words, message', [
    (['-g', '800', 'tell.py'], "-g: must be WIDTHxHEIGHT, for example 800x600; got '800'"),
    (['-g', '0x600', 'tell.py'], "got '0x600'"), (['-g', '8x6x4', 'tell.py'], "got '8x6x4'"),
    (['-j', '0', 'tell.py'], '-j'), (['-j', 'many', 'tell.py'], '-j'), (['-j', '1025', 'tell.py'], '-j'),
    (['tell.py', '-s'], '-s: 1 required'), (['-s', 'a', '-s', 'b', 'tell.py'], '-s')])
def test_wrong_switches(words, message, tell):
    done = tell(*words)
    assert done.returncode == 2 and done.stdout == '' and message in done.stderr and SYNOPSIS in done.stderr


@pytest.mark.parametrize('name', ['x' * 300, 'x/' * 3000])
def test_a_subdirectory_that_is_no_path(name, tell):
    done = tell('-s', name, 'tell.py')
    assert done.returncode == 2 and done.stdout == '' and done.stderr.count('\n') == 1 and len(done.stderr) < 300
    assert done.stderr.startswith('solfec: -s must be a path of at most 4095 bytes, in names of at most 255; got ')


@pytest.mark.parametrize('name', ['/x', '../x', 'x/../../y'])
def test_a_subdirectory_that_is_none(name, tell):
    done = tell('-s', name, 'tell.py')
    assert done.returncode == 2 and done.stdout == ''
    assert done.stderr == f"solfec: -s must be a path below the output directories; got '{name}'\n"


def test_help_and_version(program):
    assert program.run_words('--version').stdout == f'Solfec {solfec.__version__}\n'
    done = program.run_words('--help')
    assert done.returncode == 0 and SYNOPSIS in done.stdout and 'overwrite existing results' in done.stdout
    assert done.stdout == program.run_words('-h').stdout
    # Words, environment and exit codes; all switches, as in the manual, its page and the completion in bash.
    for part in ('path', 'words', 'PYTHONPATH', 'OMPI_COMM_WORLD_SIZE', 'sys.exit', '129, 130, 143', 'solfec-mpi'):
        assert part in done.stdout
    switches = {'-v', '-w', '-c', '-j', '-g', '-s', '-h', '--help', '--version'}
    assert {word for line in re.findall(r'^  (-\S+)', done.stdout, re.M) for word in line.split(',')} == switches
    root = pathlib.Path(__file__).resolve().parents[2]
    page = (root / 'cmake/installed/solfec.1').read_text().replace('\\', '')
    completion = (root / 'cmake/installed/completion.bash').read_text()
    assert set(re.search(r"compgen -W '(.*?)'", completion)[1].split()) == switches
    for switch in switches:
        assert re.search(rf'^\.B[RI]* .*{switch}\b', page, re.M), switch
        assert switch == '--help' or f'`{switch}' in (root / 'docs/running.md').read_text(), switch


@pytest.mark.parametrize('library', ['OMPI_COMM_WORLD', 'PMI'])
def test_under_mpirun(library, tell, monkeypatch):
    """What mpirun sets: the first rank says what to use, all leave."""
    monkeypatch.setenv(f'{library}_SIZE', '3')
    refusal = 'solfec: started on 3 ranks that pass no messages; use solfec-mpi, and the mpirun of its own MPI\n'
    for rank, message in enumerate([refusal, '', '']):
        monkeypatch.setenv(f'{library}_RANK', str(rank))
        done = tell('tell.py')
        assert (done.returncode, done.stdout, done.stderr) == (2, '', message)
    with monkeypatch.context() as patch:  # started by a script of a rank
        patch.setenv('SOLFEC_LAUNCHED', '1')
        assert tell('tell.py').returncode == 0
    monkeypatch.setenv(f'{library}_SIZE', '1')
    monkeypatch.setenv(f'{library}_RANK', '0')
    assert tell('tell.py').returncode == 0
