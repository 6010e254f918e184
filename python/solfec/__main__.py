"""Commands on directories of results: python3 -m solfec COMMAND ..."""

import signal
import sys

from solfec.shell import main

if hasattr(signal, 'SIGPIPE'):
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # a reader that has seen enough (| head) ends us without a word
# Labels may have letters that the terminal has not.
sys.stdout.reconfigure(errors='replace')  # type: ignore[attr-defined]
sys.exit(main())
