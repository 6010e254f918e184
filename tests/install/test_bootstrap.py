"""bootstrap.sh: which packages, which configuration and which targets it asks for. Commands that would take minutes are
replaced by ones that write down their words; an empty build folder is what the script meets first."""

import os
import pathlib
import pty
import re
import shutil
import subprocess

import pytest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / 'bootstrap.sh'
COMMANDS = {
    'dpkg-query': 'echo "not installed"',
    'apt-get': '',
    'sudo': 'exec "$@"',
    'cmake': """
mkdir -p build/bin; touch build/build.ninja
echo "${3#-D}" | sed 's/=/:BOOL=/' > build/CMakeCache.txt
printf '#!/bin/sh\\necho "runs $@"\\n' > build/bin/solfec; chmod +x build/bin/solfec""",
    'ninja': 'if [ "$3" = -n ] && [ -e built ]; then echo "ninja: no work to do."; fi; touch built',
    'ctest': ''}


class Bootstrap:
    def __init__(self, folder):
        self.folder = folder
        shutil.copy(SCRIPT, folder)
        (folder / 'commands').mkdir()
        for name, text in COMMANDS.items():
            path = folder / 'commands' / name
            path.write_text(f'#!/bin/bash\n[ {name} = dpkg-query ] || echo {name} "$@" >> "{folder}/log"\n{text}\n')
            path.chmod(0o755)

    def __call__(self, *words, code=0, **options):
        """Commands that it gave, and what it printed."""
        log = self.folder / 'log'
        log.write_text('')
        done = subprocess.run(['bash', self.folder / 'bootstrap.sh', *words], cwd=self.folder, text=True,
                              env={**os.environ, 'PATH': f'{self.folder}/commands:/usr/bin:/bin'},
                              **({'capture_output': True} | options))
        assert done.returncode == code, done.stderr
        return [line for line in log.read_text().splitlines() if not line.startswith('sudo')], done.stdout


@pytest.fixture
def bootstrap(tmp_path):
    return Bootstrap(tmp_path)


def ninja(bootstrap, words):
    return f'ninja -C {bootstrap.folder}/build {words}'


def test_run_builds_programs_only(bootstrap):
    commands, out = bootstrap('run', 'script.py', '-w')
    install = next(line for line in commands if 'install' in line)
    assert 'g++' in install and 'gtest' not in install and 'benchmark' not in install and 'pytest' not in install
    assert commands[-2:] == ['cmake --preset release -DSOLFEC_TESTS=OFF', ninja(bootstrap, '--quiet programs')]
    assert out.splitlines()[-1] == 'runs script.py -w'
    commands, _ = bootstrap()
    assert commands[-1] == ninja(bootstrap, '--quiet programs') and not any('cmake --' in c for c in commands)


def test_tests_after_programs(bootstrap):
    bootstrap()
    commands, _ = bootstrap('test', '-L', 'unit')
    install = next(line for line in commands if 'install' in line)
    assert all(name in install for name in ('libgtest-dev', 'libbenchmark-dev', 'python3-pytest'))
    assert commands[-3:] == ['cmake --preset release -DSOLFEC_TESTS=ON', ninja(bootstrap, '--quiet all'),
                             'ctest --output-on-failure --no-tests=error -j 2 -L unit']
    assert not any('cmake --' in line for line in bootstrap('run', 'x.py')[0])  # the tests stay configured


def test_view_installs_what_draws(bootstrap):
    drawing = ('python3-vtk9', 'python3-pyqt5', 'xvfb', 'ffmpeg')
    for word, wanted in (('build', False), ('view', True), ('test', True)):
        install = next(line for line in bootstrap(word)[0] if 'install' in line)
        assert all((name in install.split()) == wanted for name in drawing), word
    assert bootstrap('view')[0][-1] == ninja(bootstrap, '--quiet programs')


def test_after_a_configuration_that_failed(bootstrap):
    """CMake keeps its options then."""
    (bootstrap.folder / 'build').mkdir()
    (bootstrap.folder / 'build' / 'CMakeCache.txt').write_text('SOLFEC_TESTS:BOOL=ON\n')
    commands, _ = bootstrap('test')
    assert commands[-3] == 'cmake --preset release -DSOLFEC_TESTS=ON'


def test_progress_on_a_terminal(bootstrap):
    try:
        _, slave = pty.openpty()
    except OSError:
        pytest.skip('this machine has no pseudo-terminals (/dev/pts)')
    on_terminal = {'capture_output': False, 'stdout': slave, 'stderr': slave}
    (bootstrap.folder / 'built').unlink(missing_ok=True)
    assert bootstrap(**on_terminal)[0][-1] == ninja(bootstrap, 'programs')
    assert bootstrap(**on_terminal)[0][-1] == ninja(bootstrap, '--quiet programs')  # nothing to do


def test_the_readme_says_how_long():
    first = SCRIPT.with_name('README.md').read_text().split('bootstrap.sh run', 1)[1][:1000]
    assert re.search(r'builds the programs.*\(\w+ minutes when measured on', first, re.S)


def test_wrong_command(bootstrap):
    commands, out = bootstrap('build-all', code=2)
    assert commands == [] and out == ''
