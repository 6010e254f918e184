import sys

from solfec.page.command import main

sys.exit(main())
