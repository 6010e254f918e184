"""Contacts or joints of a frame as a table: where they are, what they carry, what they do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from solfec.results import CONSTRAINT_KINDS, SPACE

if TYPE_CHECKING:
    from solfec.scene import Scene

STATES = ('open', 'sticking', 'sliding')
DETERMINACY = ('not asked for', 'nothing to vary', 'determined', 'tangent undetermined', 'undetermined')
_FIX_POINT, _GLUE, _PRESCRIBED3 = (CONSTRAINT_KINDS.index(name) for name in ('FIXPNT', 'GLUE', 'VELODIR3'))
_AT_LIMIT = 1 - 1E-3  # of what friction can hold, that a sliding contact carries: solvers are not exact


def local_bases(normal, kind=None, tangent=None):
    """(n, 3, 3) bases with columns (tangent 1, tangent 2, normal), as the program has them: tangent 1 is e_x x normal,
    or e_y x normal where that is nearly zero. The base of a FIX_POINT and of GLUE are the axes of space; that of three
    prescribed directions starts with its `tangent`."""
    first = np.cross([1.0, 0.0, 0.0], normal)
    along_x = np.einsum('ni,ni->n', first, first) < 1E-12
    first[along_x] = np.cross([0.0, 1.0, 0.0], normal[along_x])
    if kind is not None:
        first = np.where((kind == _PRESCRIBED3)[:, None], tangent, first)
    first /= np.linalg.norm(first, axis=1)[:, None]
    base = np.stack([first, np.cross(normal, first), normal], axis=2)
    if kind is not None:
        base[(kind == _FIX_POINT) | (kind == _GLUE)] = np.eye(3)
    return base


def forces_in_space(constraints):
    """(n, 3) reactions on the first bodies, in the axes of space, of columns of /constraint: kind, normal, arm, R
    [N]."""
    bases = local_bases(constraints['normal'], constraints['kind'], constraints['arm'])
    return np.einsum('nij,nj->ni', bases, constraints['R'])


@dataclass
class ContactTable:
    """Contacts (or joints) of a frame. Forces act on the first body; the second one feels the opposite."""
    kind: np.ndarray         # index into results.CONSTRAINT_KINDS
    ids: np.ndarray          # (n, 2) identifiers of the bodies; second one results.SPACE: space
    bodies: np.ndarray       # (n, 2) numbers of the bodies within the frame; -1: space
    key: np.ndarray          # (n, 5): identifiers, pieces and number of the point, which name it from frame to frame
    point: np.ndarray        # (n, 3) where forces act on the first body [m]
    second_point: np.ndarray  # (n, 3) and on the second one: of links and springs another point [m]
    base: np.ndarray         # (n, 3, 3), columns (tangent 1, tangent 2, normal); normal outward of the second body
    R: np.ndarray            # (n, 3) average reaction over the last step, local: T1, T2, N [N]
    U: np.ndarray            # (n, 3) relative velocity at the end of the step, local [m/s]
    V: np.ndarray            # (n, 3) and at its start [m/s]
    gap: np.ndarray          # negative in penetration [m]
    area: np.ndarray         # [m^2]
    merit: np.ndarray        # share in the merit function
    determinacy: np.ndarray  # index into DETERMINACY: whether equilibrium determines R, where OUTPUT asks for it
    surfaces: np.ndarray     # (n, 2) surface identifiers
    material: np.ndarray     # index of the surface material
    friction: np.ndarray     # coefficient

    @classmethod
    def of(cls, scene: Scene, joints: bool) -> ContactTable:
        """Those of the frame that a scene shows."""
        all = scene.state.constraints
        rows = (all['kind'] != 0) == joints
        c = {name: column[rows] for name, column in all.items()}
        ids = np.stack([c['body1'], c['body2']], axis=1)
        number = np.searchsorted(scene.ids, ids)
        number[number == len(scene.ids)] = 0
        number = np.where((ids != SPACE) & (scene.ids[number] == ids), number, -1)
        key = np.stack([c[name] for name in ('body1', 'body2', 'feature1', 'feature2', 'number')], axis=1)
        arm = np.where((c['kind'] == _PRESCRIBED3)[:, None], 0.0, c['arm'])  # of those it is a direction
        bases = local_bases(c['normal'], c['kind'], c['arm'])
        surfaces = np.stack([c['surface1'], c['surface2']], axis=1)
        return cls(c['kind'], ids, number, key, c['point'], c['point'] - arm, bases, c['R'], c['U'], c['V'], c['gap'],
                   c['area'], c['merit'], c['determinacy'], surfaces, c['material'], c['friction'])

    def __len__(self):
        return len(self.kind)

    @property
    def normal(self) -> np.ndarray:
        return self.base[:, :, 2]

    @property
    def force(self) -> np.ndarray:
        """(n, 3) on the first body, in the axes of space [N]."""
        return np.einsum('nij,nj->ni', self.base, self.R)

    @property
    def size(self) -> np.ndarray:
        """|R| [N]."""
        return np.linalg.norm(self.R, axis=1)

    @property
    def tangential(self) -> np.ndarray:
        """Size of the tangential reaction [N]."""
        return np.hypot(self.R[:, 0], self.R[:, 1])

    @property
    def slip(self) -> np.ndarray:
        """Size of the tangential relative velocity at the end of the step [m/s]."""
        return np.hypot(self.U[:, 0], self.U[:, 1])

    @property
    def dissipation(self) -> np.ndarray:
        """Power that friction takes, the mean over the step: -R_T . (U_T + V_T) / 2 [W]."""
        return -0.5 * np.einsum('ni,ni->n', self.R[:, :2], (self.U + self.V)[:, :2])

    @property
    def state(self) -> np.ndarray:
        """Index into STATES: open without reaction, sliding with as much tangential reaction as friction can give."""
        loaded = self.size > 0
        at_limit = self.tangential >= _AT_LIMIT * self.friction * np.maximum(self.R[:, 2], 0)
        return np.where(loaded, np.where(at_limit, 2, 1), 0)

    def values(self, name: str) -> tuple[np.ndarray, str, tuple[str, ...] | None]:
        """A column to colour by or to list: (values, unit, names of categories or None)."""
        if name not in COLUMNS:
            raise ValueError(f'unknown figure of contacts {name!r}; there are: ' + ', '.join(COLUMNS))
        get, unit, categories = COLUMNS[name]
        return get(self), unit, categories


# name: (values of a ContactTable, unit, names of categories)
COLUMNS = {
    'force': (lambda c: c.size, 'N', None),
    'normal force': (lambda c: c.R[:, 2], 'N', None),
    'tangential force': (lambda c: c.tangential, 'N', None),
    'state': (lambda c: c.state, '', STATES),
    'gap': (lambda c: c.gap, 'm', None),
    'area': (lambda c: c.area, 'm^2', None),
    'normal velocity': (lambda c: c.U[:, 2], 'm/s', None),
    'slip': (lambda c: c.slip, 'm/s', None),
    'dissipation': (lambda c: c.dissipation, 'W', None),
    'merit': (lambda c: c.merit, '', None),
    'determinacy': (lambda c: c.determinacy, '', DETERMINACY),
    'kind': (lambda c: c.kind, '', CONSTRAINT_KINDS),
}
