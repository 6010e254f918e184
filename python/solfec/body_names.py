"""Which bodies a text means: a label or a regular expression of whole labels, 'label:funnel', 'kind:RIGID',
'material:steel', 'id:12' or 'id:3-10'. Options, settings of a drawing and XDMF_EXPORT take such texts."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from solfec.results import BODY_KINDS

if TYPE_CHECKING:
    from solfec.scene import Scene

WAYS = 'BODY is a label, a regular expression of labels, kind:RIGID, material:LABEL, id:12 or id:3-10'


def bodies_named(scene: Scene, text: str) -> np.ndarray:
    """A mask of the definitions of bodies in a scene's model; ValueError names what there is when none is meant."""
    bodies = scene.model.bodies
    way, colon, word = text.partition(':')
    if colon and way == 'kind':
        return bodies.kind == _kind(word)
    if colon and way == 'id':
        return _numbered(bodies.id, word)
    if colon and way == 'material':
        names = np.array([*scene.material_labels(), ''], dtype=object)
        return matching(names[bodies.material], word, 'material', names)
    return matching(bodies.label, word if colon and way == 'label' else text)


def matching(labels: np.ndarray, word: str, what: str = 'label', known: Iterable[str] | None = None) -> np.ndarray:
    """A mask of the labels that are the word, or match it as a whole as a regular expression; `known`: all that there
    are (default: these)."""
    known = sorted(set(labels if known is None else known) - {''})
    if word in known:
        return labels == word
    try:
        found = [name for name in known if re.fullmatch(word, name)]
    except re.error:
        found = []
    if not found:
        raise ValueError(f'no body has the {what} {word!r}; there are: ' + (some(known) or 'none'))
    return np.isin(labels, found)


def some(names: Iterable[Any], most: int = 12) -> str:
    """Names for a message."""
    names = [str(name) for name in names]
    return ', '.join(names[:most]) + (f', ... ({len(names)} in all)' if len(names) > most else '')


def _kind(word):
    if word not in BODY_KINDS:
        raise ValueError(f'unknown kind {word!r}; there are: ' + ', '.join(BODY_KINDS))
    return BODY_KINDS.index(word)


def _numbered(ids, word):
    low, dash, high = word.partition('-')
    if not low.isdecimal() or dash and not high.isdecimal():
        raise ValueError(f'an identifier of a body must be a whole number, or a range like 3-10; got {word!r}')
    mask = (ids >= int(low)) & (ids <= int(high or low))
    if not mask.any():
        raise ValueError(f'no body has the identifier {word}; there are {ids.min()} ... {ids.max()}')
    return mask
