"""By how much a window that watches a run slows it down, for docs/viewing/window.md:

    PYTHONPATH=build/python /usr/bin/python3 docs/evidence/live.py [BALLS...]

Balls fall into a box, on a virtual display; the run is started by the key R. Printed are, for each number of balls, the
seconds of the run without and with the window, by its own last line, and the median of the ratios of pairs in turns.
Needs xdotool.
"""

import os
import re
import statistics
import subprocess
import sys
import tempfile
import time

CASES = 1000, 10000
PAIRS = 5
SIDE = 10  # balls along two edges of the heap
MODEL = '''
    s = SOLFEC('DYNAMIC', 1E-3, 'out')
    SURFACE_MATERIAL(s, model='SIGNORINI_COULOMB', friction=0.3)
    m = BULK_MATERIAL(s, density=1000)
    BODY(s, 'OBSTACLE', BOX((-1, -1, -1), ({side} + 1, {side} + 1, 1), 1, [1] * 6), m)
    for k in range({balls}):
        i, j, l = k % {side}, k // {side} % {side}, k // {side}**2
        BODY(s, 'RIGID', SPHERE((i + 0.1 * (l % 2), j + 0.1 * (l % 3), 0.6 + 1.02 * l), 0.45, 1, 1), m)
    GRAVITY(s, (0, 0, -9.81))
    OUTPUT(s, 0.05)
    RUN(s, GAUSS_SEIDEL_SOLVER(1E-3, 100), {duration})
'''


def run(program, script, watched):
    """Seconds of the run."""
    words = [program, '-w', *(['-v'] if watched else []), script]
    process = subprocess.Popen(words, cwd=os.path.dirname(script), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               text=True, bufsize=1)
    if watched:
        find = ['xdotool', 'search', '--sync', '--onlyvisible', '--name', 'Solfec']
        window = subprocess.run(find, check=True, capture_output=True, text=True, timeout=60).stdout.split()[0]
        time.sleep(2)  # it has drawn the model
        subprocess.run(['xdotool', 'windowfocus', window, 'key', 'r'], check=True)
    told = None
    for line in process.stdout:
        told = told or re.match(r'\d+ steps in ([\d.]+) s', line)
        if told and watched:
            subprocess.run(['xdotool', 'key', 'ctrl+q'], check=True)
            break
    process.stdout.read()
    process.wait()
    return float(told[1])


def main(cases):
    from solfec.rendering.display import require_display
    require_display()
    program = os.path.join(os.path.dirname(__file__), '../../build/bin/solfec')
    with tempfile.TemporaryDirectory() as folder:
        os.environ['XDG_STATE_HOME'] = folder
        for balls in cases:
            script = os.path.join(folder, 'balls.py')
            with open(script, 'w') as file:
                lines = (line[4:] for line in MODEL.format(balls=balls, side=SIDE, duration=10000 / balls).splitlines())
                file.write('\n'.join(lines))
            pairs = [[run(os.path.abspath(program), script, watched) for watched in (False, True)]
                     for _ in range(PAIRS)]
            print('%d balls: %.2f s without, %.2f s with the window, ratio %.3f' % (
                balls, *(statistics.median(column) for column in zip(*pairs)),
                statistics.median(b / a for a, b in pairs)), flush=True)


if __name__ == '__main__':
    main([int(word) for word in sys.argv[1:]] or CASES)
