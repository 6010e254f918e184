"""Pictures of the window for docs/viewing/window.md and docs/viewing/tasks:

    SOLFEC_PROGRAM=build/bin/solfec PYTHONPATH=build/python /usr/bin/python3 docs/evidence/screenshots.py [NAME...]

Makes the results, works the window on a virtual display by keys and clicks, as tests/view/window_tasks.py has them for
the tasks, and writes docs/images/NAME.png. Without names all are made, in about a minute on one core.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / 'tests/view'))

import window_tasks as tasks  # noqa: E402
from window_support import application, use_own_display  # noqa: E402

FIRST_LOOK, FORCES = 'window', 'window-forces'  # of docs/viewing/window.md

HEAP = '''
from random import Random

chance = Random(3)
solfec = SOLFEC('DYNAMIC', 2E-3, 'out/heap')
OUTPUT(solfec, 0.02)
GRAVITY(solfec, (0, 0, -9.81))
SURFACE_MATERIAL(solfec, friction=0.4)
material = BULK_MATERIAL(solfec, density=2600)
sides = [BOX((sign, 0, 0.25), (0.1, 2.1, 0.7)) for sign in (-1, 1)]
sides += [BOX((0, sign, 0.25), (1.9, 0.1, 0.7)) for sign in (-1, 1)]
BODY(solfec, 'OBSTACLE', [BOX((0, 0, -0.15), (2.1, 2.1, 0.1)), *sides], material, label='box')
for n in range(252):
    center = [0.28 * (k - 2.5) + chance.uniform(-0.03, 0.03) for k in (n % 6, n // 6 % 6)] + [0.1 + 0.27 * (n // 36)]
    radius = chance.uniform(0.08, 0.12)
    if n % 2:
        shape, name = SPHERE(center, radius), 'ball'
    else:
        corners = []
        for corner in range(12):
            direction = [chance.gauss(0, 1) for k in range(3)]
            length = sum(d * d for d in direction) ** 0.5
            corners += [c + 1.1 * radius * d / length for c, d in zip(center, direction)]
        shape, name = HULL(corners), 'stone'
    BODY(solfec, 'RIGID', shape, material, label='%s %d' % (name, n))
RUN(solfec, AUTO_SOLVER(1E-4), 1.2)
'''


def heap(folder):
    """Balls and polyhedra that fall into a box; the directory of results."""
    directory = folder / 'out/heap'
    if not directory.exists():
        (folder / 'heap.py').write_text(HEAP)
        subprocess.run([os.environ['SOLFEC_PROGRAM'], 'heap.py'], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    return str(directory)


def first_look(hand):
    """Some fall yet: coloured by speed, the highest one is selected."""
    tasks.go_to(hand, 0.5)
    tasks.colour_by(hand, 'speed')
    hand.key('a')
    center = hand.window.session.scene.center
    hand.click_at(center[center[:, 2].argmax()])
    tasks.plot(hand, 'distance moved')


def forces(hand):
    """At rest: the network, and the contact that carries most."""
    hand.key('End', '2')
    hand.click(hand.window.show_panel.text)
    hand.type('label:box')
    hand.press('Glass')
    hand.key('c', 'c', 'm')
    tasks.plot(hand, 'force')


def pictures(folder):
    """By their names: functions that make the results, and the steps."""
    found = {f'window-{name}': (lambda name=name: tasks.make_results(name, folder), steps)
             for name, steps in tasks.TASKS.items()}
    return {FIRST_LOOK: (lambda: heap(folder), first_look), FORCES: (lambda: heap(folder), forces), **found}


def main(names):
    os.environ.setdefault('SOLFEC_PROGRAM', str(ROOT / 'build/bin/solfec'))
    os.environ['SOLFEC_PROGRAM'] = os.path.abspath(os.environ['SOLFEC_PROGRAM'])
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        use_own_display(folder)
        application()
        all = pictures(folder)
        for name in names or all:
            make, steps = all[name]
            hand = tasks.open_results(make())
            steps(hand)
            hand.settle(0.5)
            hand.grab(hand.window).save(str(ROOT / f'docs/images/{name}.png'), 'PNG', 0)
            hand.window.session.models.clear()  # it keeps no state
            hand.close()
            print(name, flush=True)
        sys.stdout.flush()
        os._exit(0)  # Qt and VTK would close their windows in an order of their own


if __name__ == '__main__':
    main(sys.argv[1:])
