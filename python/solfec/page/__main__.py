import sys

from solfec.shell import main

sys.exit(main(['page', *sys.argv[1:]]))
