"""Files that appear together when all of them are complete, and replace nothing but earlier exports."""

import contextlib
import errno
import os
import re
import sys
import time

import h5py

MARK = 'Solfec export'  # near the start of each file, or the attribute `generator` of an HDF5 file


class Output:
    """For a with statement: files are written under temporary names, and get their own when it ends without error.

    with Output(force=False) as output:
        output.write('a.xdmf', [b'<Xdmf>'])
        file = output.hdf5('a.h5')
    """

    def __init__(self, force=False):
        self.force, self.files, self.opened, self.dropped = force, [], [], []

    def file(self, path):
        """The temporary name under which a file is to be written; FileExistsError when it may not be replaced."""
        if not self.force and os.path.lexists(path) and not is_export(path):
            raise FileExistsError('%s is there already and is no export of Solfec; it is not replaced' % path)
        folder, name = os.path.split(path)
        if folder:
            with _telling(folder):
                os.makedirs(folder, exist_ok=True)
        temporary = os.path.join(folder, '.%s.%d.part' % (name, os.getpid()))
        self.files.append((temporary, path))
        return temporary

    def hdf5(self, path):
        """An HDF5 file to write to, with our mark; closed before it gets its name."""
        with _telling(path):
            file = h5py.File(self.file(path), 'w')
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
        self.opened.remove(file)
        file.close()

    def drop(self, path):
        """Takes a file back."""
        for pair in [pair for pair in self.files if pair[1] == path]:
            self.files.remove(pair)
            self.dropped.append(pair[0])

    def names(self):
        return [path for temporary, path in self.files]

    def __enter__(self):
        return self

    def __exit__(self, kind, error, traceback):
        failure = error
        try:
            self._close()
            if error is None:
                for temporary, path in self.files:
                    os.replace(temporary, path)
        except (OSError, RuntimeError) as later:
            failure = error or later
        finally:
            for temporary in (*self.dropped, *(temporary for temporary, path in self.files)):
                if os.path.exists(temporary):
                    os.unlink(temporary)
        reason = failed_write(failure)
        if reason:
            raise OSError('cannot write %s: %s' % (self.files[0][1], reason)) from None
        if failure is not error:
            raise failure

    def _close(self):
        failure = None
        for file in self.opened:
            try:
                file.close()
            except (OSError, RuntimeError) as error:
                failure = error
        if failure:
            raise failure


@contextlib.contextmanager
def _telling(path):
    """Errors name the file, not the temporary one."""
    try:
        yield
    except FileExistsError:
        raise
    except OSError as error:
        found = re.search(r"error message = '(.+?)'", str(error))  # HDF5
        raise OSError('cannot write %s: %s' % (path, found.group(1) if found else error.strerror)) from None


def failed_write(error):
    """What the system says of a write that failed, also when HDF5 tells of it; None when it is another error."""
    if not isinstance(error, (OSError, RuntimeError)):
        return None
    if getattr(error, 'errno', None) in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        return os.strerror(error.errno)
    found = re.search(r"write failed.*error message = '(.+?)'", str(error), re.S)
    return found.group(1) if found else None


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
        self.stream.write('\rexport: frame %d of %d' % (done, self.frames))
        self.stream.flush()

    def end(self):
        if self.shown:
            self.stream.write('\r\033[K')
