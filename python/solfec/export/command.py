"""The command XDMF_EXPORT of the input language. numpy and h5py are imported when it exports, not before."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Literal, get_args

from solfec import _core
from solfec._command import command, fail_type, fail_value, is_list, path as checked_path, real

Attribute = Literal['DISP', 'VELO', 'STRESS', 'REAC', 'RELV', 'GAP']
ATTRIBUTES = get_args(Attribute)
DEFAULT_ATTRIBUTES = ('DISP', 'VELO', 'REAC', 'GAP')
_ALWAYS = ('body', 'kind', 'label', 'material', 'surface', 'volume')
_FIELDS = {'DISP': ('displacement',), 'VELO': ('velocity',), 'STRESS': ('stress', 'mises')}
_OF_CONTACTS = {'REAC': ('force', 'force size', 'normal force', 'tangential force', 'normal', 'area', 'state'),
                'RELV': ('relative velocity', 'slip'), 'GAP': ('gap',)}
_NAMES_OF_CONTACTS = ('body1', 'body2', 'surface1', 'surface2')


@command
def XDMF_EXPORT(solfec: _core.SOLFEC, time: float | Sequence[float], path: str,
                subset: str | Sequence[str] | Sequence[_core.BODY] | None = None,
                attributes: Sequence[Attribute] | None = None) -> None:
    """XDMF_EXPORT (solfec, time, path | subset, attributes)

    Writes results in the XDMF format, for ParaView. Ignored in 'WRITE' mode.

    solfec      SOLFEC object
    time        a time: the last frame not after it; a list of times; or a tuple (t0, t1): all frames of this
                interval, both ends included [s]
    path        name of the file, if it ends with .xdmf or .xmf; otherwise a directory, in which the file has the
                name of the results
    subset      label of bodies, which may be a regular expression, list of labels, or list of BODY objects (default:
                all bodies)
    attributes  list of some of 'DISP' (displacements), 'VELO' (velocities), 'STRESS' (Cauchy stress and von Mises
                norm), 'REAC' (forces at contacts and joints), 'RELV' (relative velocities) and 'GAP' (default:
                'DISP', 'VELO', 'REAC', 'GAP')

    NAME.xdmf has the surfaces of bodies, NAME-bodies.xdmf a point for each body, NAME-contacts.xdmf and
    NAME-joints.xdmf a point for each contact and joint; numbers are in NAME.h5. Files of an earlier export are
    replaced, others are not. On several ranks the first one writes. python3 -m solfec export has more options.
    """
    where = 'XDMF_EXPORT: %r'.__mod__
    if not isinstance(solfec, _core.SOLFEC):
        fail_type(where('solfec'), 'a SOLFEC object', solfec)
    frames = _frames(where('time'), time)
    path = checked_path(where('path'), path)
    labels, ids = _subset(where('subset'), subset)
    attributes = _attributes(where('attributes'), attributes)
    if solfec.mode == 'WRITE' or _core.RANK() != 0:
        return
    _export(solfec.outpath, path, frames, labels, ids, attributes)


def _frames(where, time):
    """Arguments of selection.choose_frames."""
    if not is_list(time):
        return {'time': [real(where, time)]}
    times = [real(where, value) for value in time]
    if isinstance(time, tuple) and len(times) == 2:
        if times[0] > times[1]:
            fail_value(where, 'an interval (t0, t1) with t0 <= t1', time)
        return {'first': times[0], 'last': times[1]}
    if not times:
        fail_value(where, 'a number, a list of one or more, or an interval (t0, t1)', time)
    return {'time': times}


def _subset(where, subset):
    """Labels or identifiers of bodies; (None, None) for all of them."""
    if subset is None:
        return None, None
    one = [subset] if isinstance(subset, (str, _core.BODY)) else subset
    if not is_list(one):
        fail_type(where, 'a label, a list of labels or a list of BODY objects', subset)
    one = list(one)
    if not one:
        fail_value(where, 'a label, or a list of one or more labels or BODY objects', subset)
    if all(isinstance(body, _core.BODY) for body in one):
        return None, [body.id for body in one]
    if not all(isinstance(label, str) for label in one):
        fail_type(where, 'a label, a list of labels or a list of BODY objects', subset)
    return one, None


def _attributes(where, attributes):
    if attributes is None:
        return DEFAULT_ATTRIBUTES
    one = [attributes] if isinstance(attributes, str) else attributes
    if not is_list(one) or not all(isinstance(name, str) for name in one):
        fail_type(where, 'a list of strings', attributes)
    one = list(one)
    if not one or not set(one) <= set(ATTRIBUTES):
        fail_value(where, 'a list of some of ' + ', '.join(map(repr, ATTRIBUTES)), attributes)
    return one


def _export(results, path, frames, labels, ids, attributes):
    import numpy as np
    from solfec.body_names import matching
    from solfec.export.exporter import Settings, export
    from solfec.results import Results
    from solfec.scene import Scene

    name = os.path.basename(os.path.normpath(results))
    if os.path.splitext(path)[1] not in ('.xdmf', '.xmf'):
        path = os.path.join(path, name + '.xdmf')
    try:
        scene = Scene(Results(results))
        chosen = np.ones(len(scene.model), dtype=bool)
        if labels is not None:
            chosen[:] = False
            for label in labels:
                chosen |= matching(scene.model.bodies.label, label)
        elif ids is not None:
            chosen = np.isin(scene.model.bodies.id, ids)
    except ValueError as error:
        raise ValueError("XDMF_EXPORT: 'subset': %s" % error) from None
    of_contacts = [column for name in attributes for column in _OF_CONTACTS.get(name, ())]
    settings = Settings(
        frames=frames, bodies=chosen, contacts=(*of_contacts, *_NAMES_OF_CONTACTS),
        fields=(*(field for name in attributes for field in _FIELDS.get(name, ())), *_ALWAYS),
        sets=('meshes', 'bodies', *(('contacts', 'joints') if of_contacts else ())))
    try:
        export(scene.source, path, settings)
    except ValueError as error:
        raise ValueError("XDMF_EXPORT: 'time': %s" % error) from None
    except OSError as error:
        raise RuntimeError('XDMF_EXPORT: %s' % error) from None


def export_all(solfec):
    """Option -xdmf of the scaling examples: all frames, after a run or of results that are there, to the directory
    `xdmf` in that of the results. The first rank writes and says where."""
    if _core.RANK() != 0:
        return
    from solfec.export.exporter import export

    name = os.path.basename(os.path.normpath(solfec.outpath))
    made = export(solfec.outpath, os.path.join(solfec.outpath, 'xdmf', name + '.xdmf'))
    print('%d frames for ParaView: %s' % (len(made.times), next(path for path in made.files if path.endswith('.xdmf'))))
