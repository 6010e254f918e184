"""Makes the wheel that pip installs (PEP 517): the Python package with its extension, for the Python that runs this. It
stands on libraries of the system, and has not the programs."""

import base64
import hashlib
import pathlib
import re
import subprocess
import sys
import sysconfig
import tempfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
VERSION = re.search(r'project\(solfec VERSION ([\d.]+)', (ROOT / 'CMakeLists.txt').read_text()).group(1)
INFO = f'solfec-{VERSION}.dist-info'


def get_requires_for_build_wheel(config_settings=None):
    return []


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """`config_settings` may name a folder that is built already: build-dir."""
    python = f'cp{sys.version_info.major}{sys.version_info.minor}'
    tag = f'{python}-{python}-' + re.sub('[-.]', '_', sysconfig.get_platform())
    with tempfile.TemporaryDirectory() as temporary:
        build = (config_settings or {}).get('build-dir') or _build(temporary)
        files = {f'solfec/{path.relative_to(ROOT / "python" / "solfec")}': path.read_bytes()
                 for path in sorted((ROOT / 'python' / 'solfec').rglob('*.*'))
                 if path.suffix in ('.py', '.pyi', '.typed', '.html', '.css', '.js')}
        extension = '_core' + sysconfig.get_config_var('EXT_SUFFIX')
        files[f'solfec/{extension}'] = (pathlib.Path(build) / 'python' / 'solfec' / extension).read_bytes()
    files[f'{INFO}/METADATA'] = (f'Metadata-Version: 2.1\nName: solfec\nVersion: {VERSION}\n'
                                 'Summary: contact dynamics of many bodies, driven by Python scripts\nLicense: MIT\n'
                                 'Requires-Dist: numpy\nRequires-Dist: h5py\n').encode()
    files[f'{INFO}/WHEEL'] = f'Wheel-Version: 1.0\nGenerator: solfec\nRoot-Is-Purelib: false\nTag: {tag}\n'.encode()
    name = f'solfec-{VERSION}-{tag}.whl'
    with zipfile.ZipFile(pathlib.Path(wheel_directory) / name, 'w', zipfile.ZIP_DEFLATED) as wheel:
        for path, data in files.items():
            wheel.writestr(path, data)
        wheel.writestr(f'{INFO}/RECORD',
                       ''.join(f'{path},sha256={_digest(data)},{len(data)}\n' for path, data in files.items())
                       + f'{INFO}/RECORD,,\n')
    return name


def _build(folder):
    subprocess.run(['cmake', '-S', ROOT, '-B', folder, '-G', 'Ninja', '-DCMAKE_BUILD_TYPE=Release',
                    '-DSOLFEC_TESTS=OFF',
                    '-DSOLFEC_MPI=OFF', f'-DSOLFEC_PYTHON={sys.executable}'], check=True)
    subprocess.run(['ninja', '-C', folder, 'solfec_core_extension'], check=True)
    return folder


def _digest(data):
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b'=').decode()
