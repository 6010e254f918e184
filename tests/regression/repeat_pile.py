"""Two runs of a pile, each in its own process, are in the same state after 1,000 steps, to the last bit.

    python3 repeat_pile.py PROGRAM spheres|mixed
"""

import pathlib
import subprocess
import sys

program, kind = sys.argv[1:]
script = pathlib.Path(__file__).with_name('settled_pile.py')
# With different words, so that the runs neither share their results nor the layout of their memory.
runs = [subprocess.Popen([program, '-w', script, kind, steps], stdout=subprocess.PIPE, text=True)
        for steps in ('1001', '1002')]
states = [[line for line in run.communicate()[0].splitlines() if line.startswith('state at step 1000')]
          for run in runs]
assert all(run.returncode == 0 for run in runs)
assert len(states[0]) == 1 and states[0] == states[1], states
print(states[0][0])
