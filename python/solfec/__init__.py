"""Solfec: dynamics of many bodies in contact, joined and moved, by the Contact Dynamics method.

The commands of the input language are names of this package::

    from solfec import *
    solfec = SOLFEC('DYNAMIC', 1E-3, 'out/example')

A script runs in the same way under the program ``solfec``, where the names are there without import.
``help(BODY)`` and the like show what a command does.
"""

import glob
import os
import re
import sys

try:
    from solfec import _core
except ImportError:
    # Python only says that there is no _core when it was built for another version.
    _built = sorted({re.sub(r'.*cpython-(\d)(\d+).*', r'\1.\2', _name) for _name in
                     glob.glob(os.path.join(os.path.dirname(__file__), '_core.cpython-*'))})
    _version = '%d.%d' % sys.version_info[:2]
    if not _built or _version in _built:
        raise
    raise ImportError(f'solfec was built for Python {" and ".join(_built)}; this is Python {_version}') from None

from solfec.export.command import XDMF_EXPORT  # noqa: E402, F401

__version__ = _core.__version__
__all__ = [name for name in dir(_core) if not name.startswith('_')]
globals().update({name: getattr(_core, name) for name in __all__})
__all__.append('XDMF_EXPORT')


def _picture(simulation):
    """What a notebook shows of a SOLFEC object."""
    from solfec.notebook import picture_of
    return picture_of(simulation)


_core.SOLFEC._repr_png_ = _picture
