"""How exact are stresses of stiff blocks that stand on each other, for the merit that is asked for?

Run: build/bin/solfec -w docs/evidence/stacked_stress.py

Two steel blocks of one finite element each come to rest on a floor: stress at four points of the lower one, over that
of the weight above.
"""
BOTTOM = (-0.2, -0.2), (0.2, -0.2), (0.2, 0.2), (-0.2, 0.2)
HEIGHT, DENSITY, G = 0.2, 7800, 9.81


def block(solfec, low, material):
    shape = HEX([x for z in (low, low + HEIGHT) for corner in BOTTOM for x in (*corner, z)], 1, 1, 1, 1, [1] * 6)
    body = BODY(solfec, 'FINITE_ELEMENT', shape, material)
    body.scheme = 'DEF_LIM2'
    return body


for step, merit in ((1E-2, 1E-8), (1E-2, 1E-12), (1E-3, 1E-8)):
    solfec = SOLFEC('DYNAMIC', step, 'out/stacked-stress/%g-%g' % (step, merit))
    solfec.verbose = 'OFF'
    OUTPUT(solfec, 1E6)
    GRAVITY(solfec, (0, 0, -G))
    SURFACE_MATERIAL(solfec, friction=0.5)
    steel = BULK_MATERIAL(solfec, young=2E11, poisson=0, density=DENSITY)
    BODY(solfec, 'OBSTACLE', BOX((0, 0, -0.1), (2, 2, 0.2)), steel)
    lower = [block(solfec, HEIGHT * k, steel) for k in range(2)][0]
    RUN(solfec, AUTO_SOLVER(merit), 3)
    weight = DENSITY * G * 1.5 * HEIGHT
    print('step %g s, merit %g: ' % (step, merit) + ', '.join(
        '%.3f' % (-STRESS(lower, (x, y, HEIGHT / 2))[2] / weight) for x in (-0.15, 0.15) for y in (-0.15, 0.15)))
