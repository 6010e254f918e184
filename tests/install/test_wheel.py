"""The wheel that pip installs, made of what is built: it works from where it is unpacked."""

import base64
import importlib.util
import hashlib
import os
import pathlib
import subprocess
import sys
import zipfile

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / 'cmake'))

import solfec_wheel as wheel  # noqa: E402

BUILD = os.environ['SOLFEC_BUILD']
SCRIPT = """
import solfec.studies, solfec.results
from solfec import *
s = SOLFEC('DYNAMIC', 1E-3, 'out')
s.verbose = 'OFF'
BODY(s, 'RIGID', SPHERE((0, 0, 0), 1), BULK_MATERIAL(s))
RUN(s, 0.01)
print(s.nbod, len(solfec.results.Results('out')), solfec.__file__)
"""


def test_wheel(tmp_path):
    name = wheel.build_wheel(tmp_path, {'build-dir': BUILD})
    assert name.startswith('solfec-1.0-cp3') and name.endswith('.whl')
    site = tmp_path / 'site'
    with zipfile.ZipFile(tmp_path / name) as archive:
        archive.extractall(site)
        record = archive.read(f'{wheel.INFO}/RECORD').decode().splitlines()
        assert [line.split(',')[0] for line in record] == archive.namelist()
        # For editors.
        assert {f'solfec/{file}' for file in ('_core.pyi', '__init__.pyi', 'py.typed')} <= {*archive.namelist()}
        for line in record[:-1]:
            path, digest, size = line.split(',')
            data = archive.read(path)
            assert len(data) == int(size)
            assert digest == 'sha256=' + base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip('=')
    done = subprocess.run([sys.executable, '-c', SCRIPT], cwd=tmp_path, text=True, capture_output=True,
                          env={**os.environ, 'PYTHONPATH': str(site)})
    assert done.stdout == f'1 11 {site}/solfec/__init__.py\n', done.stderr


@pytest.mark.skipif(importlib.util.find_spec('pip') is None, reason='there is no pip (package python3-pip)')
def test_pip(tmp_path):
    """As `pip install .` does it, with the extension that is built already; nothing is downloaded."""
    subprocess.run([sys.executable, '-m', 'pip', '--disable-pip-version-check', 'install', '--quiet', '--no-index',
                    '--no-deps', '--no-build-isolation', '--config-settings', f'build-dir={BUILD}',
                    '--target', tmp_path / 'site', ROOT], cwd=tmp_path, check=True)
    done = subprocess.run([sys.executable, '-c', SCRIPT], cwd=tmp_path, text=True, capture_output=True,
                          env={**os.environ, 'PYTHONPATH': str(tmp_path / 'site')})
    assert done.stdout == f'1 11 {tmp_path}/site/solfec/__init__.py\n', done.stderr
