"""Items of histories: what their names mean, and which bodies they are about.

An item is a name, or a body, a point and a name: KINETIC, ball.DX, 3.CR, ball@0,0,0.5.VX.
"""

from __future__ import annotations

import difflib
import fnmatch
import re
from dataclasses import dataclass

import numpy as np

HELP = '''\
An item is NAME (of the model), BODY.NAME or BODY@X,Y,Z.NAME (of a point).

NAME of the model
  STEP STEPS            size of the last step [s], steps made so far
  BODS CONS             bodies, contacts and joints
  NEWBODS DELBODS       bodies made and deleted since the frame before
  MERIT ITERS           of the solver in the last step: merit, iterations
  GSITERS NTITERS ASITERS FCITERS CVITERS
                        iterations, zero for other solvers than
                        GAUSS_SEIDEL_SOLVER, NEWTON_SOLVER, AUTO_SOLVER,
                        NONSMOOTH_SOLVER, CONVEX_SOLVER
  SPARSIFIED            contact points dropped by CONTACT_SPARSIFY
  TIMINT CONUPD CONDET LOCDYN CONSOL PARBAL   wall times of the last step [s]
  GSCOLORS GSBOT GSMID GSTOP GSINN GSINIT GSRUN GSCOM GSMCOM
                        of Gauss-Seidel on many ranks, as in HISTORY
  RUN RANKS             number of the RUN, ranks that wrote the frame

NAME of the model, of a body, or of several bodies
  KINETIC INTERNAL EXTERNAL CONTACT FRICTION   energies [J]
  GAP                   smallest gap of contacts, 0 without contact [m]
  CRX CRY CRZ           resultant force of contacts on the bodies [N]
  RX RY RZ              the same, of contacts and joints [N]
  CR R                  sums of normal reactions: of contacts, of all [N]
  CU U                  means of normal relative velocities [m/s]

NAME of a body
  X Y Z                 position of its mass centre, or of the referential
                        point @X,Y,Z [m]
  DX DY DZ, VX VY VZ    displacement [m] and velocity [m/s] of the same; of
                        finite-element bodies a point has to be a node
  WX WY WZ              angular velocity, along the axes of space [1/s]
They are nan in frames without the body.

BODY is a label, a pattern of labels ('brick*.KINETIC'), an identifier, or a
range of identifiers (1-18.CRZ) from that of a body to that of another one.
Names may be in small letters.
'''

TIMINGS = ('TIMINT', 'CONUPD', 'CONDET', 'LOCDYN', 'CONSOL', 'PARBAL')
ENERGIES = ('KINETIC', 'INTERNAL', 'EXTERNAL', 'CONTACT', 'FRICTION')
# Name: column of the group frame, entry of its row, unit, solver whose frames count (others are zero).
FRAME: dict[str, tuple[str, int, str, int | None]] = {
    'STEP': ('step', 0, 's', None), 'STEPS': ('number', 0, '', None), 'BODS': ('bodies', 0, '', None),
    'CONS': ('constraints', 0, '', None), 'NEWBODS': ('new_bodies', 0, '', None),
    'DELBODS': ('deleted_bodies', 0, '', None), 'MERIT': ('merit', 0, '', None), 'ITERS': ('iterations', 0, '', None),
    'GSITERS': ('iterations', 0, '', 1), 'NTITERS': ('iterations', 0, '', 3), 'ASITERS': ('iterations', 0, '', 4),
    'FCITERS': ('iterations', 0, '', 5), 'CVITERS': ('iterations', 0, '', 6),
    'SPARSIFIED': ('sparsified', 0, '', None), 'RUN': ('run', 0, '', None), 'RANKS': ('ranks', 0, '', None),
    'GSCOLORS': ('gs_colors', 0, '', None),
    **{name: ('gs_rows', k, '', None) for k, name in enumerate(('GSBOT', 'GSMID', 'GSTOP', 'GSINN'))},
    **{name: ('gs_seconds', k, 's', None) for k, name in enumerate(('GSINIT', 'GSRUN', 'GSCOM', 'GSMCOM'))},
    **{name: ('timing', k, 's', None) for k, name in enumerate(TIMINGS)}}
# Name: entity, axis of space or None for the normal, unit.
CONSTRAINT: dict[str, tuple[str, int | None, str]] = {
    'GAP': ('GAP', None, 'm'), 'U': ('U', None, 'm/s'), 'CU': ('CU', None, 'm/s'), 'R': ('R', None, 'N'),
    'CR': ('CR', None, 'N'),
    **{name + axis: (name, k, 'N') for name in ('R', 'CR') for k, axis in enumerate('XYZ')}}
# Name: quantity, axis, unit.
POINT = {kind + axis: (kind, k, unit) for kind, unit in (('', 'm'), ('D', 'm'), ('V', 'm/s'), ('W', '1/s'))
         for k, axis in enumerate('XYZ')}
STRESS = ('SX', 'SY', 'SZ', 'SXY', 'SXZ', 'SYZ', 'MISES')
POINT_AT = re.compile(r'(.*)@([^@]*)$', re.S)


class ItemError(ValueError):
    """An item that cannot be had; the message names it."""


@dataclass
class Item:
    text: str            # as it was given
    name: str            # in capitals
    ids: np.ndarray      # bodies it is about; None: all of the model
    point: np.ndarray    # referential point; None: the mass centre
    unit: str


def parse(text, bodies):
    """The item of a text; `bodies` are solfec.columns.Bodies."""
    owner, dot, name = text.rpartition('.') if _name(text) not in KNOWN else ('', '', text)
    name = _name(name)
    if name not in KNOWN:
        raise ItemError(_unknown_name(text, name))
    ids, point = _bodies_and_point(text, owner, bodies) if dot else (None, None)
    if name in FRAME and dot:
        raise ItemError("item '%s': %s is of the model, not of a body; expected '%s'" % (text, name, name))
    if name in POINT:
        if ids is None:
            raise ItemError("item '%s': expected a body before %s, as in 3.%s" % (text, name, name))
        if len(ids) > 1:
            raise ItemError("item '%s': expected one body; got %d: %s" % (text, len(ids), _listed(ids)))
    elif point is not None:
        raise ItemError("item '%s': %s is not of a point; expected one of X Y Z DX DY DZ VX VY VZ" % (text, name))
    if point is not None and name.startswith('W'):
        raise ItemError("item '%s': the angular velocity is of the body, not of a point; expected '%s.%s'" % (
            text, owner.rpartition('@')[0], name))
    return Item(text, name, ids, point, KNOWN[name])


KNOWN = {**{name: entry[2] for name, entry in (*FRAME.items(), *CONSTRAINT.items(), *POINT.items())},
         **{name: 'J' for name in ENERGIES}}


def _name(text):
    return text.strip().upper()


def _unknown_name(text, name):
    if name in STRESS:
        return "item '%s': stresses need the materials of the script; expected another item, or HISTORY there" % text
    return "item '%s': expected a name of a history; got '%s'%s" % (text, name, did_you_mean(name, KNOWN))


def _bodies_and_point(text, owner, bodies):
    ids = _bodies_named(text, owner, bodies)
    match = POINT_AT.match(owner)
    point = None
    if ids is None and match:
        ids = _bodies_named(text, match.group(1), bodies)
        try:
            point = np.array([float(number) for number in match.group(2).split(',')])
        except ValueError:
            point = np.zeros(0)
        if len(point) != 3 or not np.isfinite(point).all():
            raise ItemError("item '%s': expected a point X,Y,Z behind @; got '%s'" % (text, match.group(2)))
        owner = match.group(1)
    if ids is None:
        raise ItemError("item '%s': expected a label or an identifier of a body; got '%s'%s" % (
            text, owner, did_you_mean(owner, set(bodies.label) - {''}) or _known(bodies)))
    return ids, point


def _known(bodies):
    labels = sorted(set(bodies.label) - {''})
    return ' (%s)' % ('%s%d bodies, %d to %d' % ('labels %s; ' % _listed(labels) if labels else '', len(bodies),
                                                 bodies.id[0], bodies.id[-1]) if len(bodies) else 'no bodies')


def _bodies_named(text, words, bodies):
    """Identifiers by label, pattern of labels, identifier or range of them; None when there is none."""
    ids = bodies.id[bodies.label == words] if words else []
    if not len(ids) and re.search(r'[*?[]', words):
        labels = [label for label in set(bodies.label) if label and fnmatch.fnmatchcase(label, words)]
        ids = bodies.id[np.isin(bodies.label.astype(str), labels)]
    match = re.fullmatch(r'(\d+)(?:-(\d+))?', words)
    if not len(ids) and match:
        first, last = int(match.group(1)), int(match.group(2) or match.group(1))
        # Between them there may be identifiers of bodies that were made and deleted between two frames.
        for end in (first, last) if first < last else ():
            if bodies.row(end) is None:
                raise ItemError("item '%s': expected a range of identifiers of bodies; got '%s', and there is no body "
                                '%d%s' % (text, words, end, _known(bodies)))
        ids = bodies.id[(bodies.id >= first) & (bodies.id <= last)]
    return ids if len(ids) else None


def did_you_mean(word, known):
    same = [other for other in known if other.lower() == word.lower()]
    near = same or difflib.get_close_matches(word, list(known), n=2)
    return "; did you mean %s?" % ' or '.join("'%s'" % other for other in near) if near else ''


def _listed(words):
    words = [str(word) for word in words]
    return ', '.join(words[:4]) + (', ...' if len(words) > 4 else '')
