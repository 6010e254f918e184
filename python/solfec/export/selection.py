"""What to export: frames of results, and bodies."""

import numpy as np

from solfec.body_names import bodies_named
from solfec.results import frame_at, frames_between, no_frames


class SettingError(ValueError):
    """A setting that cannot be had; `setting` is its name, None where several do not go together."""

    def __init__(self, setting, message):
        super().__init__(message)
        self.setting = setting


def choose_frames(times, time=None, first=None, last=None, every=1, frames=None):
    """Numbers of frames, rising.

    time         one time or several: of each the last frame not after it [s]
    first, last  a time interval, both ends included [s]
    every        takes each so manyth
    frames       their numbers, as text: '0,5,-1' or with ranges as Python has them, '10:100:5'

    SettingError says when there is none.
    """
    if frames is not None:
        chosen = _numbered(frames, len(times))
    elif time is not None:
        chosen = sorted({frame_at(times, t) for t in np.atleast_1d(np.asarray(time, dtype=float))})
    else:
        chosen = list(frames_between(times, first, last))
        if not chosen:
            raise SettingError(None, no_frames(times, first, last))
    return chosen[::every]


def _numbered(text, count):
    numbers = set()
    for word in text.split(','):
        try:
            parts = [int(part) if part else None for part in word.split(':')]
            if len(parts) > 3 or parts == [None]:
                raise ValueError
        except ValueError:
            raise SettingError('frames', 'frames must be numbers or ranges like 0,10:100:5,-1; got %r' % text) from None
        if len(parts) > 1:
            if parts[2:] == [0]:
                raise SettingError('frames', 'a range of frames needs a step other than 0; got %r' % word)
            numbers.update(range(count)[slice(*parts)])
        elif -count <= parts[0] < count:
            numbers.add(parts[0] % count)
        else:
            raise SettingError('frames', 'there is no frame %d; there are %d frames, from 0 to %d' % (
                parts[0], count, count - 1))
    if not numbers:
        raise SettingError('frames', 'there is no frame among %s; there are %d frames' % (text, count))
    return sorted(numbers)


def choose_bodies(scene, only=(), hide=()):
    """A mask of the definitions of bodies: those that `only` means (all when it is empty) and `hide` does not
    (body_names.bodies_named). SettingError when a text means no body, or none is left."""
    count = len(scene.model)
    chosen = np.zeros(count, dtype=bool) if only else np.ones(count, dtype=bool)
    for text in only:
        chosen |= _named(scene, 'only', text)
    for text in hide:
        chosen &= ~_named(scene, 'hide', text)
    if not chosen.any():
        raise SettingError(None, 'no body is left to export')
    return chosen


def _named(scene, setting, text):
    try:
        return bodies_named(scene, text)
    except ValueError as error:
        raise SettingError(setting, str(error)) from None
