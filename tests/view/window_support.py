"""What tests of the window share: a display of their own, real keys and clicks, pixels."""

import collections
import os
import socket
import subprocess
import sys
import time

import numpy as np

SCREEN = (1400, 1000)
SIZE = 1000, 700  # of windows


def start_display():
    """Starts an X server without a screen, with a number that nobody else has; returns its name."""
    reading, writing = os.pipe()
    # It ends after this process: before, Qt and VTK would miss it and end with an error.
    server = 'Xvfb -displayfd %d -screen 0 %dx%dx24 -nolisten tcp & cat; kill $!' % (writing, *SCREEN)
    process = subprocess.Popen(['sh', '-c', server], pass_fds=[writing], stdin=subprocess.PIPE,
                               stderr=subprocess.DEVNULL, start_new_session=True)
    os.close(writing)
    _servers.append(process)
    with os.fdopen(reading) as answer:
        return ':' + answer.readline().strip()


_servers = []  # as long as their inputs are open they go on


def use_own_display(folder):
    """A display of this process alone, and nothing of the user's: states of windows are kept in a folder. Returns its
    name."""
    state, runtime = os.path.join(folder, 'state'), os.path.join(folder, 'runtime')
    os.makedirs(runtime, mode=0o700)
    if not _servers:  # one for all windows: Qt stays with the first
        os.environ['DISPLAY'] = start_display()
    os.environ.update(QT_QPA_PLATFORM='xcb', XDG_STATE_HOME=state, XDG_RUNTIME_DIR=runtime)
    return os.environ['DISPLAY']


def application():
    """The QApplication of this process. It is kept to the end: windows have to go before it."""
    from PyQt5.QtCore import QLocale
    from PyQt5.QtWidgets import QApplication
    QLocale.setDefault(QLocale.c())  # as in solfec.window
    if not _applications:
        _applications.append(QApplication(['solfec']))
    return _applications[0]


_applications = []


def open_window(models, simulations_of=None, size=SIZE):
    """A window on models at the corner of the screen, worked by the Hand that is returned."""
    from solfec.window.main_window import MainWindow
    from solfec.window.session import Session
    session = Session()
    window = MainWindow(session, simulations_of(session) if simulations_of else None)
    window.open_at(*size)
    window.move(0, 0)
    for model in models:
        session.add(model)
    hand = Hand(window)
    hand.settle(0.2)
    hand.focus()
    return hand


def different(one, two):
    """Share of the pixels that differ."""
    return (np.abs(one - two).max(axis=2) > 12).mean()


def figures(table):
    """Texts of a table: the first column and the second."""
    return {table.item(k, 0).text(): table.item(k, 1).text() for k in range(table.rowCount())}


class Hand:
    """Works a main window as a user does, by X events, and looks at its pixels."""

    def __init__(self, window):
        from PyQt5.QtCore import QObject
        from PyQt5.QtWidgets import QApplication
        self.window, self._seen, self.keys = window, collections.Counter(), []  # keys that were pressed
        seen = self._seen

        class Filter(QObject):
            def eventFilter(self, receiver, event):
                if receiver.isWindowType():
                    seen[event.type()] += 1
                return False

        self._filter = Filter()
        QApplication.instance().installEventFilter(self._filter)

    def close(self):
        """Ends the window now: what a failed test keeps of it must not end it after the application."""
        from PyQt5 import sip
        self.window.close()
        self.settle()
        sip.delete(self.window)

    def settle(self, seconds=0.03):
        """Lets events pass."""
        from PyQt5.QtWidgets import QApplication
        until = time.monotonic() + seconds
        while True:
            QApplication.processEvents()
            if time.monotonic() > until:
                break
            time.sleep(0.002)

    def until(self, condition, seconds=20):
        """Lets events pass until something is so."""
        end = time.monotonic() + seconds
        while not condition():
            assert time.monotonic() < end, 'this does not happen'
            self.settle(0.02)

    def _xdotool(self, *words, event=None, count=1):
        """Runs xdotool; returns when the window has been given so many events of a kind."""
        begun = self._seen[event]
        done = subprocess.Popen(['xdotool', *map(str, words)])
        while done.poll() is None:
            self.settle(0.005)
        assert done.returncode == 0
        end = time.monotonic() + 2  # a window that closes is given no more
        while event and self._seen[event] < begun + count and time.monotonic() < end:
            self.settle(0.005)
        self.settle()

    def focus(self):
        """The keyboard to the picture (there is no window manager)."""
        self._xdotool('windowfocus', int(self.window.winId()))
        self.window.view.setFocus()
        self.settle()

    def key(self, *names):
        from PyQt5.QtCore import QEvent
        self.keys += names
        self._xdotool('key', *names, event=QEvent.KeyRelease, count=sum(1 + name.count('+') for name in names))

    def type(self, text):
        """Letters; a line end is the key Return."""
        from PyQt5.QtCore import QEvent
        letters = text.rstrip('\n')
        self._xdotool('type', '--', letters, event=QEvent.KeyRelease, count=len(letters))
        if text.endswith('\n'):
            self.key('Return')

    def click(self, widget, x=None, y=None, button=1):
        """At a point of a widget, its middle without one."""
        from PyQt5.QtCore import QEvent, QPoint
        at = widget.rect().center() if x is None else QPoint(int(x), int(y))
        place = widget.mapToGlobal(at)
        self._xdotool('mousemove', place.x(), place.y(), 'click', button,
                      event=QEvent.Wheel if button > 3 else QEvent.MouseButtonRelease)

    def click_at(self, point):
        """In the picture, where a point of space is seen."""
        self.click(self.window.view, *self.seen_at(point))

    def choose(self, box, text):
        """An entry of a list: opens it, points at the entry."""
        from PyQt5.QtCore import QPoint
        row = next(k for k in range(box.count()) if box.itemText(k).startswith(text))
        view, index = box.view(), box.model().index(row, box.modelColumn())
        self.click(box)
        self.until(view.isVisible)
        view.scrollTo(index)
        place = view.viewport().mapToGlobal(QPoint(10, view.visualRect(index).center().y()))
        self._xdotool('mousemove', place.x(), place.y())
        self.until(lambda: view.currentIndex() == index)
        self.key('Return')
        self.until(lambda: not view.isVisible())
        assert box.currentIndex() == row

    def fill(self, edit, text):
        """Types into a field, in place of what is there."""
        self.click(edit)
        self._xdotool('key', 'ctrl+a')
        self.type(text + '\n')

    def press(self, name):
        """A button by its text."""
        from PyQt5.QtWidgets import QPushButton
        self.click(next(b for b in self.window.findChildren(QPushButton) if b.isVisible() and b.text() == name))

    def drag(self, widget, begin, end):
        from PyQt5.QtCore import QEvent, QPoint
        one, two = (widget.mapToGlobal(QPoint(*p)) for p in (begin, end))
        middle = (one + two) / 2
        words = ['mousemove', one.x(), one.y(), 'mousedown', 1]
        for p in (middle, two):
            words += ['mousemove', p.x(), p.y(), 'sleep', 0.05]
        self._xdotool(*words, 'mouseup', 1, event=QEvent.MouseButtonRelease)

    def grab(self, widget):
        """What the screen shows of a widget, a QPixmap."""
        from PyQt5.QtGui import QGuiApplication
        place = widget.mapToGlobal(widget.rect().topLeft())
        return QGuiApplication.primaryScreen().grabWindow(0, place.x(), place.y(), widget.width(), widget.height())

    def pixels(self, widget=None):
        """(height, width, 3) of what the screen shows of a widget, the picture without one."""
        from PyQt5.QtGui import QImage
        widget = widget or self.window.view
        self.settle()
        image = self.grab(widget).toImage().convertToFormat(QImage.Format_RGB888)
        data = image.constBits().asarray(image.bytesPerLine() * image.height())
        rows = np.frombuffer(data, dtype=np.uint8).reshape(image.height(), image.bytesPerLine())
        return rows[:, :3 * image.width()].reshape(image.height(), image.width(), 3).astype(int)

    def seen_at(self, point):
        """The pixel in which a point of space is: x, y from the picture's upper left corner."""
        return tuple(int(round(x)) for x in self.place_of(point))

    def place_of(self, point):
        """Where a point of space is in the picture, in pixels and parts of them."""
        view = self.window.view
        renderer = view.drawing.renderer
        renderer.SetWorldPoint(*point, 1)
        renderer.WorldToDisplay()
        x, y, depth = renderer.GetDisplayPoint()
        return x, view.height() - 1 - y


PLAYER = '''
import sys
from multiprocessing.connection import Connection
from solfec import _program, _viewer

class Process:
    def wait(self):
        return 0

connection = Connection(int(sys.argv[1]))
_viewer.open_window = lambda size: (connection, Process())
sys.exit(_program.run_script('script.py', True, None, [], False, ''))
'''


def start_program(folder, script):
    """Runs a script as solfec -v does; its window is whoever has the other end: (process, descriptor)."""
    (folder / 'script.py').write_text(script)
    (folder / 'player.py').write_text(PLAYER)
    ours, theirs = socket.socketpair()
    process = subprocess.Popen([os.environ.get('SOLFEC_PYTHON', sys.executable), 'player.py', str(theirs.fileno())],
                               cwd=folder, pass_fds=[theirs.fileno()], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    theirs.close()
    return process, ours.detach()
