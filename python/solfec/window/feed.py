"""The connection to the program that runs the script: messages from it become signals, commands go back.

From the program: ('model', index, name, mode), ('definitions', index, columns), ('materials', index, materials),
('points', index, points), ('frame', index, arrays, stress or None), ('status', index, dict), ('output', text),
('error', text), ('done', code).
To it: ('run', index), ('pause', index), ('step', index, n), ('run_to', index, time), ('ready', index),
('want', index, dict), ('quit',).
"""

import os
import socket
import threading
from multiprocessing.connection import Connection

from PyQt5.QtCore import QObject, pyqtSignal


class Feed(QObject):
    """The messages of a Connection as signals in the thread of the window; a thread waits for them."""
    received = pyqtSignal(tuple)
    closed = pyqtSignal()

    def __init__(self, descriptor):
        super().__init__()
        self._connection, self._stopped = Connection(descriptor), False
        self._thread = threading.Thread(target=self._receive, daemon=True)

    def start(self):
        self._thread.start()

    def stop(self):
        """Ends the thread, so that none outlives Qt; then no signals come any more."""
        self._stopped = True
        with socket.socket(fileno=os.dup(self._connection.fileno())) as end:
            end.shutdown(socket.SHUT_RDWR)  # it waits for a message: none will come
        self._thread.join()

    def _receive(self):
        try:
            while not self._stopped:
                self.received.emit(self._connection.recv())
        except (EOFError, OSError):
            if not self._stopped:
                self.closed.emit()

    def send(self, *message):
        """Sends a command; nothing happens when the program has ended."""
        try:
            self._connection.send(message)
        except OSError:
            pass
