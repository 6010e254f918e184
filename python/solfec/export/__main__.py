"""python3 -m solfec.export, the same as python3 -m solfec export"""

import sys

from solfec.export import main

if __name__ == '__main__':
    sys.exit(main())
