"""python3 -m solfec.export"""

import sys

from solfec.export.command_line import main

if __name__ == '__main__':
    sys.exit(main())
