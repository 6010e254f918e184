"""Which bodies, faces and balls of a scene texts like 'kind:OBSTACLE' or 'funnel' select."""

from dataclasses import dataclass

import numpy as np

from solfec.body_names import bodies_named, some


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


def visible_part(scene, only, hidden):
    """Selection of what `only` selects (all, without any text) and `hidden` does not."""
    seen = select(scene, only) if only else ~select(scene, ())
    return seen & ~select(scene, hidden)


def of_bodies(scene, bodies):
    return Selection(bodies, bodies[scene.faces.body], bodies[scene.ball_body])


def _one(scene, text):
    way, colon, word = text.partition(':')
    if colon and way == 'surface':
        return _by_surface(scene, word)
    return of_bodies(scene, bodies_named(scene, text)[scene.rows])


def _by_surface(scene, word):
    known = np.union1d(scene.model.faces.surface, scene.model.balls.surface)
    if not word.lstrip('-').isdecimal():
        raise ValueError(f'a surface identifier must be a whole number; got {word!r}')
    number = int(word)
    if number not in known:
        raise ValueError(f'no face has the surface identifier {number}; there are: ' + some(known))
    return Selection(np.zeros(len(scene.ids), dtype=bool), scene.faces.surface == number, scene.balls.surface == number)
