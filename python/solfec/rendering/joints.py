"""Signs of joints and prescribed motions, at the points of bodies that they bind. They are drawn over the bodies."""

import numpy as np

from solfec.colours import JOINT_SIGN_COLOUR
from solfec.rendering.balls import CONE, ROUND_TUBE, Solids
from solfec.rendering.contacts import drawn_contacts, tubes, typical_size
from solfec.rendering.picking import Lines
from solfec.results import CONSTRAINT_KINDS

# What signs stand for, by CONSTRAINT_KINDS; legend.SYMBOLS draws them in the legend.
NAMES = {'FIXPNT': 'pinned point', 'FIXDIR': 'fixed direction', 'VELODIR': 'prescribed motion',
         'VELODIR3': 'prescribed motion', 'RIGLNK': 'rigid link', 'SPRING': 'spring'}
_OF_BODY, _OF_SCENE = 0.16, 0.007  # radius of the balls of pinned points, at most: of the sizes of bodies and the scene
_END, _BAR, _WIRE = 0.7, 0.35, 0.22  # radii of other parts, of that radius
_SHAFT, _HEAD = 4.0, 2.5             # lengths of arrows, of that radius
_TURNS, _PARTS, _COIL = 6, 10, 1.4   # of a spring: turns, straight parts of each; radius of its coil


class JointSigns:
    """A ball for a pinned point, two cones that meet at a point along its fixed direction, an arrow along each
    prescribed motion, a bar for a rigid link, a coil for a spring; of joints of bodies that are seen, all but glue."""

    def __init__(self):
        self.balls, self.bars, self.cones = self.parts = Solids(), Solids(ROUND_TUBE), Solids(CONE)
        self.clear()

    def clear(self):
        self.names = []    # of the signs drawn, as in NAMES
        self.numbers = []  # of their joints, by `lines`
        self.lines = Lines.of((np.empty((0, 3)), np.empty((0, 3)), 0))  # that a click must meet
        for part in self.parts:
            part.clear()

    def update(self, scene, visible, size):
        """size: of what is seen of bodies [m]"""
        joints, drawn = scene.joints, drawn_joints(scene, visible)
        size = max(size, np.linalg.norm(np.ptp(points_of_joints(scene, visible), axis=0))) if len(drawn) else size
        radius = min(_OF_BODY * typical_size(scene), _OF_SCENE * size)
        of = {kind: drawn[joints.kind[drawn] == CONSTRAINT_KINDS.index(kind)] for kind in NAMES}
        self.names = list(dict.fromkeys(NAMES[kind] for kind in NAMES if len(of[kind])))
        starts, vectors = _motions(joints, of['VELODIR'], of['VELODIR3'])
        links = np.concatenate([of['RIGLNK'], of['SPRING']])
        ends = np.concatenate([joints.point[links], joints.second_point[links]])
        self._set_balls((joints.point[of['FIXPNT']], radius), (ends, _END * radius))
        self._set_bars((starts, starts + _SHAFT * radius * vectors, _BAR * radius),
                       (joints.point[of['RIGLNK']], joints.second_point[of['RIGLNK']], _BAR * radius),
                       (*_coils(joints.point[of['SPRING']], joints.second_point[of['SPRING']], _COIL * radius),
                        _WIRE * radius))
        self._set_cones(radius, (joints.point[of['FIXDIR']], joints.normal[of['FIXDIR']]),
                        (joints.point[of['FIXDIR']], -joints.normal[of['FIXDIR']]),
                        (starts + (_SHAFT + _HEAD) * radius * vectors, -vectors))
        self._set_lines(joints, of, radius, starts, vectors, links)

    def _set_lines(self, joints, of, radius, starts, vectors, links):
        """Lines along the signs; lengths of cones and arrows as they are drawn."""
        points, fixed = joints.point[of['FIXPNT']], joints.point[of['FIXDIR']]
        cones = _HEAD * radius * joints.normal[of['FIXDIR']]
        self.lines = Lines.of((points, points, radius), (fixed - cones, fixed + cones, radius),
                              (starts, starts + (_SHAFT + _HEAD) * radius * vectors, radius),
                              (joints.point[links], joints.second_point[links], radius))
        self.numbers = np.concatenate([of['FIXPNT'], of['FIXDIR'], of['VELODIR'], np.repeat(of['VELODIR3'], 3), links])

    def _set_balls(self, *groups):
        center = np.concatenate([points for points, radius in groups])
        radii = np.concatenate([np.full(len(points), radius) for points, radius in groups])
        self.balls.set_places(center, radii[:, None, None] * np.eye(3))
        self._colour(self.balls)

    def _set_bars(self, *groups):
        starts, ends = (np.concatenate([group[k] for group in groups]) for k in (0, 1))
        radii = np.concatenate([np.full(len(group[0]), group[2]) for group in groups])
        keep = np.linalg.norm(ends - starts, axis=1) > 1E-3 * radii
        self.bars.set_places(*tubes(starts[keep], ends[keep], radii[keep]))
        self._colour(self.bars)

    def _set_cones(self, radius, *groups):
        """Each with its tip at a point, and the base in a direction from there."""
        tips, directions = (np.concatenate(values) for values in zip(*groups))
        self.cones.set_places(*tubes(tips + _HEAD * radius * directions, tips, np.full(len(tips), radius)))
        self._colour(self.cones)

    @staticmethod
    def _colour(part):
        part.colour(np.tile(JOINT_SIGN_COLOUR, (part.count, 1)))


def drawn_joints(scene, visible):
    """Numbers of the joints that have signs."""
    drawn = drawn_contacts(scene.joints, visible)
    return drawn[scene.joints.kind[drawn] != CONSTRAINT_KINDS.index('GLUE')]


def points_of_joints(scene, visible):
    """(n, 3) points that the signs of joints are at."""
    drawn = drawn_joints(scene, visible)
    return np.concatenate([scene.joints.point[drawn], scene.joints.second_point[drawn]])


def _motions(joints, along_one, along_three):
    """Points and directions of prescribed motions."""
    starts = np.concatenate([joints.point[along_one], np.repeat(joints.point[along_three], 3, axis=0)])
    return starts, np.concatenate([joints.normal[along_one],
                                   joints.base[along_three].transpose(0, 2, 1).reshape(-1, 3)])


def _coils(starts, ends, radius):
    """Starts and ends of the straight parts of coils between points; a straight part at both ends."""
    length = np.linalg.norm(ends - starts, axis=1)
    apart = length > 0
    starts, ends, length = starts[apart], ends[apart], length[apart]
    middle, map = tubes(starts, ends, np.minimum(radius, 0.25 * length))
    angle = np.linspace(0, 2 * np.pi * _TURNS, _TURNS * _PARTS + 1)
    along = np.linspace(-0.8, 0.8, len(angle))
    places = np.stack([np.cos(angle), np.sin(angle), along], axis=1)
    places = np.concatenate([[[0, 0, -1], [0, 0, -0.8]], places, [[0, 0, 0.8], [0, 0, 1]]])
    points = middle[:, None] + np.einsum('nij,kj->nki', map, places)
    return points[:, :-1].reshape(-1, 3), points[:, 1:].reshape(-1, 3)
