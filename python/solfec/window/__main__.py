"""The window on results: python3 -m solfec.window DIRECTORY..."""

import argparse
import os
import re
import sys

INSTALL = './bootstrap.sh view (or: apt-get install python3-pyqt5 python3-vtk9 python3-matplotlib ffmpeg)'
SIZE = (1200, 900)


class WindowError(Exception):
    """Why there is no window, in one line."""


def size(text):
    if not re.fullmatch(r'[1-9]\d*x[1-9]\d*', text):
        raise argparse.ArgumentTypeError(f'must be WIDTHxHEIGHT in pixels, like 1200x900; got {text!r}')
    return tuple(map(int, text.split('x')))


def parse(words):
    parser = argparse.ArgumentParser(prog='python3 -m solfec.window', description='Shows results, also of a run that '
                                     'is still going on. The key ? tells all keys.')
    parser.add_argument('directory', nargs='*', help='of results')
    parser.add_argument('-g', type=size, metavar='WIDTHxHEIGHT', dest='size',
                        help='size of the window (default: the one before, or %dx%d)' % SIZE)
    parser.add_argument('-s', metavar='SUBDIRECTORY', dest='subdirectory', default='',
                        help='of the directories: shows the results in there')
    parser.add_argument('--feed', type=int, metavar='FD', help=argparse.SUPPRESS)
    given = parser.parse_args(words)
    if not given.directory and given.feed is None:
        parser.error('which results? Give a directory')
    return given


def require_graphics():
    """WindowError when something is missing that the window needs."""
    try:
        import PyQt5.QtWidgets  # noqa: F401
        import vtkmodules.qt.QVTKRenderWindowInteractor  # noqa: F401
        import vtkmodules.vtkRenderingOpenGL2  # noqa: F401
    except ImportError as error:
        raise WindowError(f'the window needs Qt and VTK for Python ({error}); install them with {INSTALL}') from None
    from solfec.rendering.display import answers
    display = os.environ.get('DISPLAY')
    if not answers(display):
        raise WindowError('there is no display: ' + (f'DISPLAY is {display}, where no X server answers' if display else
                                                     'DISPLAY is not set') + '; pictures and films work without')
    os.environ['QT_QPA_PLATFORM'] = 'xcb'  # VTK draws into windows of X11


def open_models(given):
    """The models of the directories; WindowError for one that is not there."""
    from solfec.window.model import Model
    models = []
    for directory in given.directory:
        try:
            models.append(Model.of_results(os.path.join(directory, given.subdirectory)))
        except (OSError, ValueError) as error:
            raise WindowError(str(error)) from None
    return models


def window_size(given, model, screen):
    """Of the command line, or that of the last time, or the usual one; not larger than the screen."""
    from solfec.window import state
    wanted = given.size
    if wanted is None and model is not None:
        try:
            wanted = state.load(state.automatic_path(model.name)).get('size')
        except (OSError, ValueError):
            wanted = None
    wanted = wanted or SIZE
    return wanted if given.size else (min(wanted[0], screen.width()), min(wanted[1], screen.height()))


def main(words=None):
    given = parse(words)
    try:
        require_graphics()
        models = open_models(given)
    except WindowError as error:
        print(f'solfec.window: {error}', file=sys.stderr)
        return 1
    return show(given, models)


def show(given, models):
    import signal

    from PyQt5.QtCore import QLocale, QTimer
    from PyQt5.QtWidgets import QApplication

    from solfec.window.feed import Feed
    from solfec.window.main_window import MainWindow
    from solfec.window.session import Session
    from solfec.window.simulations import Simulations
    QLocale.setDefault(QLocale.c())  # numbers are typed with a point everywhere, as in scripts
    application = QApplication(['solfec'])
    session = Session()
    simulations = Simulations(session, Feed(given.feed)) if given.feed is not None else None
    window = MainWindow(session, simulations)
    sys.excepthook = window.show_error
    first = models[0] if models else None
    window.open_at(*window_size(given, first, application.primaryScreen().availableGeometry()))
    for model in models:
        session.add(model)
    # Python handles Ctrl-C only while it runs: a timer lets it.
    signal.signal(signal.SIGINT, lambda *_: window.close())
    wake = QTimer(interval=200)
    wake.timeout.connect(lambda: None)
    wake.start()
    return application.exec_()


if __name__ == '__main__':
    sys.exit(main())
