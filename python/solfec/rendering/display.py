"""A display for drawing off screen, and what to do when VTK is missing.

Debian's VTK draws through the X server alone, also off screen, and ends the process when there is none. So where there
is no display, a virtual one (Xvfb) is started; it ends with this process, however that ends.
"""

import ctypes
import importlib.util
import os
import shutil
import socket
import subprocess

INSTALL = './bootstrap.sh view (or: apt-get install python3-vtk9 python3-matplotlib xvfb)'
_TRIES = 5
_display = None  # the virtual display of this process: (Xvfb, connection)


class MissingGraphics(RuntimeError):
    """VTK or a display is missing; the message has the command that installs it."""


def require_vtk():
    """MissingGraphics when VTK, or matplotlib for colour maps, is not installed."""
    try:
        import vtkmodules.vtkRenderingOpenGL2  # noqa: F401
    except ImportError as error:
        raise MissingGraphics(f'VTK for Python is missing ({error}); install it with {INSTALL}') from None
    if importlib.util.find_spec('matplotlib') is None:
        raise MissingGraphics(f'matplotlib is missing, which has the colour maps; install it with {INSTALL}')


def require_display():
    """Sets DISPLAY to one that answers: the user's, or else a virtual one."""
    global _display
    if answers(os.environ.get('DISPLAY')):
        return
    program = shutil.which('Xvfb')
    if program is None:
        raise MissingGraphics(f'there is no display, and no virtual one (Xvfb); install it with {INSTALL}')
    for left in reversed(range(_TRIES)):
        try:
            server, number = _start(program)
            _display = server, _connection(number)
            break
        except OSError as error:  # it has ended before there was a connection
            if not left:
                raise MissingGraphics(f'the virtual display (Xvfb) does not answer: {error}') from None
    os.environ['DISPLAY'] = ':' + number


def _start(program):
    """Starts a virtual display; returns its process and number."""
    reading, writing = os.pipe()
    # -terminate: it ends when its last client leaves, even if this process is killed; also when that was another
    # program, which looked for a free number.
    server = subprocess.Popen([program, '-displayfd', str(writing), '-screen', '0', '1280x1024x24', '-nolisten', 'tcp',
                               '-terminate'], pass_fds=[writing], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, start_new_session=True)
    os.close(writing)
    with os.fdopen(reading) as answer:
        number = answer.readline().strip()
    if not number:
        raise MissingGraphics(f'the virtual display (Xvfb) does not start; it ended with code {server.wait()}')
    return server, number


def answers(display):
    """Whether an X server answers under this name."""
    if not display:
        return False
    x11 = ctypes.CDLL('libX11.so.6')
    x11.XOpenDisplay.restype = ctypes.c_void_p
    opened = x11.XOpenDisplay(display.encode())
    if opened:
        x11.XCloseDisplay(ctypes.c_void_p(opened))
    return bool(opened)


def _connection(number):
    """Keeps the virtual display alive until this process ends, also between windows."""
    connection = socket.socket(socket.AF_UNIX)
    connection.connect('/tmp/.X11-unix/X' + number)
    connection.sendall(b'l\0' + (11).to_bytes(2, 'little') + bytes(8))  # little endian, protocol 11, no authority
    if not connection.recv(8):
        raise ConnectionResetError('it has closed the connection')
    return connection
