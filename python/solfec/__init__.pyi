# What editors and type checkers see: __init__.py takes the names of the commands from the extension when it runs.

from solfec._core import *
from solfec._core import __version__ as __version__
from solfec.export.command import XDMF_EXPORT as XDMF_EXPORT
