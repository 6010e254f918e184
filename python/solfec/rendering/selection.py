"""Which bodies, faces and balls of a scene texts like 'kind:OBSTACLE' or 'funnel' select."""

import re
from dataclasses import dataclass

import numpy as np

from solfec.results import BODY_KINDS


@dataclass
class Selection:
    """Masks over what a scene has in its frame."""
    bodies: np.ndarray
    faces: np.ndarray
    balls: np.ndarray

    def __or__(self, other):
        return Selection(self.bodies | other.bodies, self.faces | other.faces, self.balls | other.balls)

    def __and__(self, other):
        return Selection(self.bodies & other.bodies, self.faces & other.faces, self.balls & other.balls)

    def __invert__(self):
        return Selection(~self.bodies, ~self.faces, ~self.balls)


def select(scene, texts):
    """Selection of what any of the texts select. What the model does not have at all is a ValueError that names what
    there is; what this frame does not have selects nothing."""
    result = of_bodies(scene, np.zeros(len(scene.ids), dtype=bool))
    for text in texts:
        result = result | _one(scene, text)
    return result


def of_bodies(scene, bodies):
    return Selection(bodies, bodies[scene.faces.body], bodies[scene.balls.body])


def _one(scene, text):
    prefix, colon, word = text.partition(':')
    if not colon or prefix not in _WAYS:
        return of_bodies(scene, _by_label(scene, text))
    return _WAYS[prefix](scene, word)


def _by_label(scene, word):
    return _matching(scene.model.bodies.label, scene.label, word, 'label')


def _by_kind(scene, word):
    if word not in BODY_KINDS:
        raise ValueError(f'unknown kind of bodies {word!r}; there are: ' + ', '.join(BODY_KINDS))
    return of_bodies(scene, scene.kind == BODY_KINDS.index(word))


def _by_material(scene, word):
    names = np.array([*scene.material_labels(), ''], dtype=object)
    return of_bodies(scene, _matching(names, names[scene.model.bodies.material[scene.rows]], word, 'material'))


def _by_id(scene, word):
    number = _whole(word, 'identifier of a body')
    if number not in scene.model.bodies.id:
        raise ValueError(f'no body has the identifier {number}; there are {scene.model.bodies.id.min()} ... '
                         f'{scene.model.bodies.id.max()}')
    return of_bodies(scene, scene.ids == number)


def _by_surface(scene, word):
    number = _whole(word, 'surface identifier')
    known = np.union1d(scene.model.faces.surface, scene.model.balls.surface)
    if number not in known:
        raise ValueError(f'no face has the surface identifier {number}; there are: ' + _some(known))
    return Selection(np.zeros(len(scene.ids), dtype=bool), scene.faces.surface == number, scene.balls.surface == number)


_WAYS = {'kind': _by_kind, 'label': lambda scene, word: of_bodies(scene, _by_label(scene, word)),
         'material': _by_material, 'id': _by_id, 'surface': _by_surface}


def _whole(word, what):
    try:
        return int(word)
    except ValueError:
        raise ValueError(f'an {what} must be a whole number; got {word!r}'.replace('an surface', 'a surface')) from None


def _some(names, most=12):
    names = [str(name) for name in names]
    return ', '.join(names[:most]) + (f', ... ({len(names)} in all)' if len(names) > most else '')


def _matching(known, values, word, what):
    """Which values are the word, or match it as a whole as a regular expression."""
    known = sorted(set(known) - {''})
    if word in known:
        return values == word
    try:
        found = [name for name in known if re.fullmatch(word, name)]
    except re.error:
        found = []
    if not found:
        raise ValueError(f'no body has the {what} {word!r}; there are: ' + (_some(known) or 'none'))
    return np.isin(values, found)
