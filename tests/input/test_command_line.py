"""Switches, the path of the script, and the words that are the script's own."""

import pytest
from conftest import Program

import solfec
from solfec import *

SYNOPSIS = 'SYNOPSIS: solfec [-v] [-w | -c] [-g WIDTHxHEIGHT] [-s sub-directory] path [words]'


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
    (['-g', '800x600', 'tell.py'], 'None None'),
    (['-npar', '10', 'tell.py', '-solv', 'GS'], "['-npar', '10', '-solv', 'GS'] None")])
def test_words(words, output, tell):
    done = tell(*words)
    assert (done.returncode, done.stdout, done.stderr) == (0, output + '\n', '')


@pytest.mark.parametrize('words, message', [
    (['-v', 'tell.py'], 'solfec: the viewer (-v) is not available yet'),
    (['nothing.py'], f"solfec: no input file: there is no file 'nothing.py'\n{SYNOPSIS}"),
    (['-w'], f'solfec: no input file\n{SYNOPSIS}'),
    (['.'], f"solfec: no input file: there is no file '.'\n{SYNOPSIS}")])
def test_refusals(words, message, tell):
    done = tell(*words)
    assert (done.returncode, done.stdout, done.stderr) == (2, '', message + '\n')


@pytest.mark.parametrize('words, message', [
    (['-g', '800', 'tell.py'], "-g: must be WIDTHxHEIGHT, for example 800x600; got '800'"),
    (['-g', '0x600', 'tell.py'], "got '0x600'"), (['-g', '8x6x4', 'tell.py'], "got '8x6x4'"),
    (['tell.py', '-s'], '-s: 1 required'), (['-s', 'a', '-s', 'b', 'tell.py'], '-s')])
def test_wrong_switches(words, message, tell):
    done = tell(*words)
    assert done.returncode == 2 and done.stdout == '' and message in done.stderr and SYNOPSIS in done.stderr


def test_help_and_version(program):
    assert program.run_words('--version').stdout == f'Solfec {solfec.__version__}\n'
    done = program.run_words('--help')
    assert done.returncode == 0 and SYNOPSIS in done.stdout and 'overwrite existing results' in done.stdout
