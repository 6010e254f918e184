"""The state of the window for a model: how all is shown, saved as JSON, so that it opens again as it was."""

import hashlib
import json
import os

from solfec.view_settings import ViewSettings
from solfec.whole_files import write_json

VERSION = 1


def automatic_path(name):
    """File for the state of a model, by the path of its results; never beside them, as results are only read."""
    base = os.environ.get('XDG_STATE_HOME') or os.path.join(os.path.expanduser('~'), '.local', 'state')
    path = os.path.abspath(name)
    digest = hashlib.sha256(path.encode()).hexdigest()[:16]
    return os.path.join(base, 'solfec', f'{os.path.basename(path)}-{digest}.json')


def save(path, state):
    """Writes a state; the file is there in whole or as before. OSError when that is not possible."""
    os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
    write_json(path, {'version': VERSION, **state})


def load(path):
    """The state in a file, with 'settings' as ViewSettings. ValueError tells what is wrong."""
    try:
        with open(path) as file:
            state = json.load(file)
        if not isinstance(state, dict) or state.get('version') != VERSION:
            raise ValueError('it is no state of a window')
        state['settings'] = ViewSettings.from_dict(state.get('settings', {}))
        _check(state)
    except (ValueError, TypeError, KeyError) as error:
        raise ValueError(f'{path}: {error}') from None
    return state


def _check(state):
    """The types of what is there."""
    kinds = {'time': (int, float), 'speed': (int, float), 'panel': (str, type(None)), 'history': str,
             'selected': (list, type(None)), 'size': list, 'repeat': bool}
    for name, kind in kinds.items():
        if name in state and not isinstance(state[name], kind):
            raise ValueError(f'{name} must not be {state[name]!r}')
    if state.get('speed', 1) <= 0:
        raise ValueError(f'speed must be positive; got {state["speed"]!r}')
    selected = state.get('selected')
    if selected and not (len(selected) == 2 and (
            selected[0] == 'body' and isinstance(selected[1], int) or
            selected[0] in ('contact', 'joint') and len(selected[1]) == 5
            and all(isinstance(k, int) for k in selected[1]))):
        raise ValueError(f'selected must be a body, a contact or a joint; got {selected!r}')
