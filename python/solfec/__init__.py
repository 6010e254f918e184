"""Solfec: dynamics of many bodies in contact, joined and moved, by the Contact Dynamics method.

The commands of the input language are names of this package::

    from solfec import *
    solfec = SOLFEC('DYNAMIC', 1E-3, 'out/example')

A script runs in the same way under the program ``solfec``, where the names are there without import.
``help(BODY)`` and the like show what a command does.
"""

from solfec import _core

__version__ = _core.__version__
__all__ = [name for name in dir(_core) if not name.startswith('_')]
globals().update({name: getattr(_core, name) for name in __all__})
