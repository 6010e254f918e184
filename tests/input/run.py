"""Runs the tests of this folder inside of the program:

    solfec tests/input/run.py [options of pytest]

Without a file name among the options all tests run. They also run in an ordinary Python, given PYTHONPATH.
"""

import os
import sys

import pytest

sys.dont_write_bytecode = True
folder = os.path.dirname(os.path.abspath(__file__))
options = sys.argv[1:]
if not any(option.endswith('.py') for option in options):
    options.append(folder)
options = [os.path.join(folder, o) if o.endswith('.py') else o for o in options]
# A test that hangs tells where, before the limit of the whole file ends it.
sys.exit(pytest.main(['-q', '-p', 'no:cacheprovider', '-o', 'faulthandler_timeout=90', '--rootdir', folder, *options]))
