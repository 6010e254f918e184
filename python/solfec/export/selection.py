"""What to export: frames of results, and bodies."""

import numpy as np

from solfec import scene_fields
from solfec.results import BODY_KINDS, frame_at, frames_between, no_frames


def choose_frames(times, time=None, first=None, last=None, every=1, frames=None):
    """Numbers of frames, rising.

    time         one time or several: of each the last frame not after it [s]
    first, last  a time interval, both ends included [s]
    every        takes each so manyth
    frames       their numbers, as text: '0,5,-1' or with ranges as Python has them, '10:100:5'

    ValueError says when there is none.
    """
    if frames is not None:
        chosen = _numbered(frames, len(times))
    elif time is not None:
        chosen = sorted({frame_at(times, t) for t in np.atleast_1d(np.asarray(time, dtype=float))})
    else:
        chosen = list(frames_between(times, first, last))
        if not chosen:
            raise ValueError(no_frames(times, first, last))
    return chosen[::every]


def _numbered(text, count):
    numbers = set()
    for word in text.split(','):
        try:
            parts = [int(part) if part else None for part in word.split(':')]
            if len(parts) > 3 or parts == [None]:
                raise ValueError
        except ValueError:
            raise ValueError('frames must be numbers or ranges like 0,10:100:5,-1; got %r' % text) from None
        if len(parts) > 1:
            if parts[2:] == [0]:
                raise ValueError('a range of frames needs a step other than 0; got %r' % word)
            numbers.update(range(count)[slice(*parts)])
        elif -count <= parts[0] < count:
            numbers.add(parts[0] % count)
        else:
            raise ValueError('there is no frame %d; there are %d frames, from 0 to %d' % (parts[0], count, count - 1))
    if not numbers:
        raise ValueError('there is no frame among %s; there are %d frames' % (text, count))
    return sorted(numbers)


def choose_bodies(model, only=(), hide=()):
    """A mask of the definitions in a ModelTable: those named by `only` (all when it is empty) and not by `hide`.

    Names are labels or regular expressions of whole labels, 'kind:RIGID', 'id:12' or 'id:3-10'. ValueError when a name
    means no body.
    """
    chosen = np.ones(len(model), dtype=bool) if not only else np.zeros(len(model), dtype=bool)
    for word in only:
        chosen |= _named(model.bodies, word)
    for word in hide:
        chosen &= ~_named(model.bodies, word)
    if not chosen.any():
        raise ValueError('no body is left to export')
    return chosen


def _named(bodies, word):
    mask = np.zeros(len(bodies.id), dtype=bool)
    if word.startswith('kind:'):
        kind = word[len('kind:'):]
        if kind not in BODY_KINDS:
            raise ValueError('unknown kind %r; there are: %s' % (kind, ', '.join(BODY_KINDS)))
        mask[bodies.kind == BODY_KINDS.index(kind)] = True
    elif word.startswith('id:'):
        low, _, high = word[len('id:'):].partition('-')
        if not low.isdecimal() or not (high or low).isdecimal():
            raise ValueError('id: needs a number or a range like id:3-10; got %r' % word)
        mask[(bodies.id >= int(low)) & (bodies.id <= int(high or low))] = True
    else:
        try:
            mask[scene_fields.bodies_labelled(bodies, word)] = True
        except ValueError:
            labels = sorted(set(bodies.label) - {''})
            known = ', '.join(labels[:20]) + (', ...' if len(labels) > 20 else '') if labels else 'none'
            raise ValueError('no body has the label %r; labels: %s' % (word, known)) from None
    if not mask.any():
        raise ValueError('no body is named by %r' % word)
    return mask
