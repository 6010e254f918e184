"""The steps of docs/viewing/tasks, worked in the window by real keys and clicks; pictures of the pages are taken after
them, and tests read what the window then shows.

Each page has a block of two commands: the first one makes the results, the second one opens the window on them.
"""

import os
import pathlib
import re
import subprocess

from window_support import open_window

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = ROOT / 'docs/viewing/tasks'
BLOCK = re.compile(r'```sh\n(build/bin/solfec .+)\n.+ -m solfec\.window (\S+)\n```')


def make_results(name, folder):
    """Runs the first command of a page in a folder; returns the directory of results that the second one names."""
    command, directory = BLOCK.search((PAGES / f'{name}.md').read_text()).groups()
    for link, target in (('build', pathlib.Path(os.environ['SOLFEC_PROGRAM']).parents[1]), ('inp', ROOT / 'inp')):
        if not os.path.lexists(folder / link):
            (folder / link).symlink_to(target)
    subprocess.run(command.split(), cwd=folder, check=True, stdout=subprocess.DEVNULL)
    return str(folder / directory)


def open_results(directory):
    """A Hand of a window on results."""
    from solfec.window.model import Model
    return open_window([Model.of_results(directory)])


def tick(hand, selector, column):
    """Ticks a row of the panel Show."""
    from PyQt5.QtCore import Qt
    from solfec.window.show_panel import SHOWN, GLASS
    panel, column = hand.window.show_panel, {'shown': SHOWN, 'glass': GLASS}[column]
    item = next(item for item in panel._entries() if item.data(0, Qt.UserRole) == selector)
    left, place = panel.tree.header().sectionViewportPosition(column), panel.tree.visualItemRect(item)
    assert place.height() > 0, f'{selector} is not in view'
    hand.click(panel.tree.viewport(), left + 10, place.center().y())


def go_to(hand, time):
    hand.key('t')
    hand.type(f'{time:g}\n')


def plot(hand, name):
    """The history of a figure, in the panel Inspect."""
    inspector = hand.window.inspector
    hand.choose(inspector.choice, name)
    hand.until(lambda: inspector.history.done)


def colour_by(hand, field):
    hand.key('1')
    hand.choose(hand.window.look_panel.field, field)


def look_at_a_body(hand):
    """The ball, after it has met the slope."""
    go_to(hand, 0.2)
    hand.click_at(hand.window.session.scene.center[3])
    plot(hand, 'vz')
    hand.key('Right')


def largest_contact(hand):
    """Through the glass of the funnel."""
    hand.key('End')
    hand.click_at((0, -0.55, 1.5))
    hand.key('j', 'm', 'g')
    for turn in range(3):
        hand.click(hand.window.view, button=5)  # the wheel
    plot(hand, 'force')


def cut(hand):
    """Across the axis of the drum."""
    hand.key('End', 'y')
    colour_by(hand, 'speed')
    hand.key('2', 'k')
    box = hand.window.show_panel.cut
    hand.choose(box.normal, '-y')
    hand.fill(box.position, '0.2')


def stress(hand):
    go_to(hand, 0.15)
    hand.key('2')
    tick(hand, 'kind:OBSTACLE', 'shown')
    colour_by(hand, 'mises')
    hand.key('shift+m', 'i', 'f', 'e')
    plot(hand, 'largest mises')


def force_network(hand):
    go_to(hand, 0.45)
    hand.key('2')
    tick(hand, 'kind:FINITE_ELEMENT', 'glass')
    hand.key('c', 'c')


def joint_forces(hand):
    """Of the pin between the two lower bars."""
    go_to(hand, 1)
    hand.key('y', 'c', '4')
    hand.click(hand.window.view, button=5)  # the wheel: arrows are longer than the chain
    contacts = hand.window.contact_list
    for row in range(contacts.rows.rowCount()):
        if [contacts.rows.data(contacts.rows.index(row, k)) for k in (0, 1)] == ['2', '3']:
            break
    hand.click(contacts.view.viewport(), 20, contacts.view.visualRect(contacts.rows.index(row, 0)).center().y())
    hand.key('3')
    plot(hand, 'force')


TASKS = {'look-at-a-body': look_at_a_body, 'largest-contact': largest_contact, 'cut': cut, 'stress': stress,
         'force-network': force_network, 'joint-forces': joint_forces}
