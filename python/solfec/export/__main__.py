"""python3 -m solfec.export, the same as python3 -m solfec export"""

import sys

from solfec.shell import main

sys.exit(main(['export', *sys.argv[1:]]))
