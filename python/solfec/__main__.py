"""Commands on directories of results: python3 -m solfec COMMAND ..."""

import sys

from solfec.shell import main

sys.exit(main())
