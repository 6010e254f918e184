"""Three basic geometric objects: polyhedra, a mesh and a ball.

What it shows
    CONVEX, HULL, HEX and SPHERE shapes; an obstacle, rigid bodies and a pseudo-rigid one. A brick made of four
    polyhedra rests on a floor, a deformable block with an inclined top rests on the brick, and a ball is thrown
    down on the block.

How to run it
    solfec inp/tutorial/three-basic-geometric-objects.py

What to expect
    One second in some 8600 steps: the explicit integration of the deformable block cuts the step to about 1.2E-4.
    The ball meets the slope after (1.5 cos a - 1) / (10 cos a) = 0.038 s, tan a = 1 / 2, and the elastic block
    throws it up and aside; the brick stays where it is. The way of the ball is printed, and the time of the
    impact is checked. Run it again to read the same from the results.
"""

# floor
w, l, h = 10, 10, 1
floor = HULL([-w/2, -l/2, -h,
               w/2, -l/2, -h,
               w/2,  l/2, -h,
              -w/2,  l/2, -h,
              -w/2, -l/2, 0,
               w/2, -l/2, 0,
               w/2,  l/2, 0,
              -w/2,  l/2, 0], 1, 1)

solfec = SOLFEC('DYNAMIC', 1E-3, 'out/tutorial/three-basic-geometric-objects')
bulk = BULK_MATERIAL(solfec, model='KIRCHHOFF', young=15E9, poisson=0.3, density=2E3)
BODY(solfec, 'OBSTACLE', floor, bulk)

# a rigid brick of four polyhedra
a, b, c = 2, 2, 2
brick = CONVEX([0, 0, 0,
                a, 0, 0,
                a, b, 0,
                0, b, 0,
                0, 0, c,
                a, 0, c,
                a, b, c,
                0, b, c],
               [4, 0, 3, 2, 1, 2,
                4, 1, 2, 6, 5, 2,
                4, 2, 3, 7, 6, 2,
                4, 3, 0, 4, 7, 2,
                4, 0, 1, 5, 4, 2,
                4, 4, 5, 6, 7, 2], 2)
shape = [COPY(brick),
         TRANSLATE(COPY(brick), (a, 0, 0)),
         TRANSLATE(COPY(brick), (0, b, 0)),
         TRANSLATE(COPY(brick), (a, b, 0))]
TRANSLATE(shape, (-a, -b, 0))
brick = BODY(solfec, 'RIGID', shape, bulk)

# a pseudo-rigid block of hexahedra with an inclined top
block = HEX([-1, -1, 0,
              1, -1, 0,
              1,  1, 0,
             -1,  1, 0,
             -1, -1, 2,
              1, -1, 2,
              1,  1, 1,
             -1,  1, 1], 2, 3, 2, 3, [3, 3, 3, 3, 3, 3], dy=[1, 1, 2])
TRANSLATE(block, (0, 0, c))
BODY(solfec, 'PSEUDO_RIGID', block, bulk)

# a ball
sphere = SPHERE((0, 0, 5), 1, 1, 1)
ball = BODY(solfec, 'RIGID', sphere, bulk)
INITIAL_VELOCITY(ball, (0, 0, -10), (0, 0, 0))

SURFACE_MATERIAL(solfec, model='SIGNORINI_COULOMB', friction=0.5, restitution=0)
GRAVITY(solfec, (0, 0, -10))
RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-3, 1000), 1.0)

times, x, y, z, v, slip, sink = HISTORY(solfec, [
    (ball, (0, 0, 5), 'DX'), (ball, (0, 0, 5), 'DY'), (ball, (0, 0, 5), 'DZ'), (ball, (0, 0, 5), 'VZ'),
    (brick, brick.center, 'DY'), (brick, brick.center, 'DZ')], 0, 1)
for tenth in range(11):
    i = min(range(len(times)), key=lambda k: abs(times[k] - tenth / 10))
    print('t = %.2f s: the ball has moved by (%.3f, %.3f, %.3f) m' % (times[i], x[i], y[i], z[i]))
impact = next(t for t, speed in zip(times, v) if speed > -5)
print('impact at t = %.4f s; the brick has moved by (%.5f, %.5f) m along y and z' % (impact, slip[-1], sink[-1]))
assert abs(impact - 0.038) < 0.001, 'time of the impact'
assert y[-1] > 2 and abs(x[-1]) < 0.05, 'the ball flies off, down the slope'
assert max(abs(slip[-1]), abs(sink[-1])) < 0.01, 'the brick stays'
