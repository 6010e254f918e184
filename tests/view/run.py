"""Runs tests of this folder inside of the program: solfec tests/examples/run.py [options of pytest] file"""

import os
import sys

import pytest

folder = os.path.dirname(os.path.abspath(__file__))
os.chdir(folder)
sys.exit(pytest.main(['-q', '-p', 'no:cacheprovider', '--rootdir', folder, *sys.argv[1:]]))
