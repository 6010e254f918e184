"""Arches of stones: which of them stand, and how hard they push, against the statics of arches.

What it shows
    FINITE_ELEMENT bodies in contact on their faces, with friction; resultant reactions in time histories.

How to run it
    solfec inp/arch.py

What to expect
    Three semicircular arches of 16 stones are left to their weight. Where stones do not slide, statics says that an
    arch stands if a line of thrust fits into it, and bounds its horizontal thrust: least when the line is as steep as
    it can be, largest when it is as flat. Of stones cut like these it fits down to a thickness of 0.107 of the radius.
    So the arches of 0.15 and 0.115 stand, each support carries half of the weight and a thrust between the bounds, and
    the one of 0.10 falls: its joints open, and its crown has come down by more than 0.3 m when the run ends. Forces are
    printed beside the bounds, and all of this is checked.
"""

from math import cos, inf, pi, sin

radius, width, count, gravity, stop = 1.0, 0.3, 16, 10.0, 0.6
ratios = {0.15: 'stands', 0.115: 'stands', 0.10: 'falls'}  # thickness over radius

solfec = SOLFEC('DYNAMIC', 1E-3, 'out/arch')
OUTPUT(solfec, 0.01)
GRAVITY(solfec, (0, 0, -gravity))
SURFACE_MATERIAL(solfec, friction=0.7)
stone = BULK_MATERIAL(solfec, young=1E9, poisson=0.2, density=2000)


def corner(r, k, y):
    """On the joint before stone k, counted from the left."""
    angle = pi * k / count
    return -r * cos(angle), y, r * sin(angle)


def arch(inner, outer, y):
    """The stones from left to right, and the supports."""
    stones, supports = [], []
    for k in range(count):
        ring = ((inner, k), (outer, k), (outer, k + 1), (inner, k + 1))
        nodes = [c for side in (y, y + width) for r, joint in ring for c in corner(r, joint, side)]
        stones.append(BODY(solfec, 'FINITE_ELEMENT', HEX(nodes, 1, 1, 1, 1, [1] * 6), stone, form='BC'))
        stones[-1].scheme, stones[-1].damping = 'DEF_LIM', 5E-3
    for x in (-radius, radius):
        block = [c for z in (-0.2, 0) for u, v in ((-0.2, 0), (0.2, 0), (0.2, width), (-0.2, width))
                 for c in (x + u, y + v, z)]
        supports.append(BODY(solfec, 'OBSTACLE', HULL(block, 1, 2), stone))
    return stones, supports


def thrusts(inner, outer, stones):
    """Least and largest thrust H. The half from the crown to a joint at the angle p from it has the weight W and the
    moment m of it about the centre. With H at the height h of the crown the line of thrust meets the joint at the
    radius (H h + m) / (W sin p + H cos p), which must be between inner and outer: for each pair of joints H h has two
    bounds, which leave one for H."""
    joints, weight, moment = [], 0, 0
    for k in range(count // 2 + 1):
        angle = pi * k / count
        joints.append((weight * sin(angle), cos(angle), moment))
        if k < count // 2:
            body = stones[count // 2 + k]
            weight += body.mass * gravity
            moment += body.mass * gravity * body.center[0]
    least, largest = 0, inf
    for s1, c1, m1 in joints:
        for s2, c2, m2 in joints:
            slope, rest = inner * c1 - outer * c2, (outer * s2 - m2) - (inner * s1 - m1)
            if slope > 0:
                largest = min(largest, rest / slope)
            elif slope < 0:
                least = max(least, rest / slope)
    return least, largest


arches = {ratio: (radius * (1 - ratio / 2), radius * (1 + ratio / 2)) for ratio in ratios}
built = {ratio: arch(inner, outer, number) for number, (ratio, (inner, outer)) in enumerate(arches.items())}

RUN(solfec, AUTO_SOLVER(1E-8), stop)

print('thickness  line fits   thrust to the left and right [N], bounds        weight / 2 [N]   crown [mm]')
for number, (ratio, (stones, (left, right))) in enumerate(built.items()):
    inner, outer = arches[ratio]
    least, largest = thrusts(inner, outer, stones)
    half = sum(body.mass for body in stones) * gravity / 2
    times, pushes, pushed, borne, carried, crown = HISTORY(solfec, [
        (left, (-1, 0, 0), None, 'R'), (right, (1, 0, 0), None, 'R'), (left, (0, 0, -1), None, 'R'),
        (right, (0, 0, -1), None, 'R'), (stones[count // 2], corner(outer, count // 2, number), 'DZ')], 0, stop)
    print('%9.3f  %-9s  %9.1f %9.1f   %9.1f to %7.1f   %7.1f %7.1f of %6.1f   %9.2f' % (
        ratio, 'yes' if least <= largest else 'no', pushes[-1], pushed[-1], least, largest, borne[-1], carried[-1],
        half, 1E3 * crown[-1]))
    if ratios[ratio] == 'stands':
        assert all(least <= thrust <= largest for thrust in (pushes[-1], pushed[-1])), 'thrust'
        assert all(abs(force - half) < 0.01 * half for force in (borne[-1], carried[-1])), 'weight'
        assert abs(crown[-1]) < 1E-3, 'an arch that stands has moved'
    else:
        assert least > largest and crown[-1] < -0.3, 'an arch that falls stands'
