"""Files that appear together when all of them are complete, and replace nothing but earlier exports."""

import contextlib
import errno
import io
import os
import sys
import time

import h5py

from solfec.results import is_of_results

MARK = 'Solfec export'  # near the start of each file, or the attribute `generator` of an HDF5 file


class WriteError(OSError):
    """A file that cannot be written, or must not be replaced; one line."""


class NameTaken(WriteError):
    """A file that `force` alone replaces."""


class Output:
    """For a with statement: files are written under temporary names, and get their own when it ends without error.

    with Output(force=False) as output:
        output.write('a.xdmf', [b'<Xdmf>'])
        file = output.hdf5('a.h5')
    """

    def __init__(self, force=False):
        self.force = force
        self.files, self.opened, self.sinks, self.dropped, self.outdated = [], [], [], [], []

    def check_free(self, path):
        """NameTaken when a file may not be replaced; WriteError when it never may."""
        if is_of_results(path):
            raise WriteError('%s belongs to results, and is not replaced' % path)
        if not self.force and os.path.lexists(path) and not is_export(path):
            raise NameTaken('%s is there already and is no export of Solfec; it is not replaced' % path)

    def file(self, path):
        """The temporary name under which a file is to be written; WriteError when it may not be replaced."""
        self.check_free(path)
        folder, name = os.path.split(path)
        if folder:
            with _telling(folder):
                os.makedirs(folder, exist_ok=True)
        temporary = os.path.join(folder, '.%s.%d.part' % (name, os.getpid()))
        self.files.append((temporary, path))
        return temporary

    def hdf5(self, path):
        """An HDF5 file to write to, with our mark; closed before it gets its name."""
        temporary = self.file(path)
        with _telling(path):
            self.sinks.append(_Sink(temporary, 'w+'))
        file = h5py.File(self.sinks[-1], 'w')
        self.opened.append(file)
        file.attrs['generator'] = MARK
        return file

    def write(self, path, parts):
        """Writes a file: byte strings or arrays, one after the other."""
        with _telling(path), open(self.file(path), 'wb') as file:
            for part in parts:
                file.write(part)

    def close(self, file):
        """Closes an HDF5 file before the end."""
        k = self.opened.index(file)
        self.opened.pop(k).close()
        self.check()
        self.sinks.pop(k).close()

    def drop(self, path):
        """Takes a file back."""
        for pair in [pair for pair in self.files if pair[1] == path]:
            self.files.remove(pair)
            self.dropped.append(pair[0])

    def obsolete(self, path):
        """Removes an earlier export that does not fit to the files of this one; at the end."""
        if os.path.isfile(path) and is_export(path):
            self.outdated.append(path)

    def names(self):
        return [path for temporary, path in self.files]

    def __enter__(self):
        return self

    def __exit__(self, kind, error, traceback):
        failure = error
        try:
            self._close()
            if error is None:
                for path in self.outdated:
                    os.unlink(path)
                for temporary, path in self.files:
                    os.replace(temporary, path)
        except OSError as later:
            failure = error or later
        finally:
            for temporary in (*self.dropped, *(temporary for temporary, path in self.files)):
                if os.path.exists(temporary):
                    os.unlink(temporary)
        reason = failed_write(failure)
        if reason:
            raise WriteError('cannot write %s: %s' % (self.files[0][1], reason)) from None
        if failure is not error:
            raise WriteError('cannot write %s: %s' % (self.files[0][1], failure.strerror or failure)) from failure

    def check(self):
        """OSError when something could not be written."""
        for file in self.sinks:
            if file.failure:
                raise file.failure

    def _close(self):
        for file in (*self.opened, *self.sinks):
            file.close()
        self.check()


class _Sink(io.FileIO):
    """What HDF5 writes to. It cannot close a file that it cannot write, and ends the program later; here a write that
    fails is kept in `failure`, and all after it go nowhere."""

    failure = None

    def write(self, data):
        data = memoryview(data).cast('B')
        done = 0
        while done < len(data) and not self.failure:
            try:
                done += super().write(data[done:])
            except OSError as error:
                self.failure = error
        return len(data)

    def truncate(self, size=None):
        try:
            return self.failure is None and super().truncate(size)
        except OSError as error:
            self.failure = error


@contextlib.contextmanager
def _telling(path):
    """Errors name the file, not the temporary one."""
    try:
        yield
    except OSError as error:
        if error.strerror is None:  # our own words
            raise
        raise WriteError('cannot write %s: %s' % (path, error.strerror)) from None


def failed_write(error):
    """What the system says when there was no room; None for another error."""
    is_full = isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
    return os.strerror(error.errno) if is_full else None


def is_export(path):
    """Whether a file was written by an export."""
    try:
        with open(path, 'rb') as file:
            start = file.read(1024)
        if MARK.encode() in start:
            return True
        if not start.startswith(b'\x89HDF'):
            return False
        with h5py.File(path, 'r') as file:
            return file.attrs.get('generator') == MARK
    except OSError:
        return False


class Progress:
    """Frames done, on a terminal and of exports that take a while; nothing elsewhere."""

    PATIENCE = 1  # [s]

    def __init__(self, frames, stream=sys.stderr):
        self.frames, self.stream, self.start, self.shown = frames, stream, time.monotonic(), False

    def __call__(self, done):
        if not self.stream.isatty() or time.monotonic() - self.start < self.PATIENCE:
            return
        self.shown = True
        self.stream.write('\rsolfec export: frame %d of %d' % (done, self.frames))
        self.stream.flush()

    def end(self):
        if self.shown:
            self.stream.write('\r\033[K')
