"""A table, and bodies on it."""

from conftest import cube

from solfec import *


class Table:
    """Its top is at z = 0."""

    def __init__(self, name, step, correction='ON', friction=10.0):
        self.solfec = SOLFEC('DYNAMIC', step, name)
        self.solfec.verbose, self.solfec.contact_correction = 'OFF', correction
        OUTPUT(self.solfec, 1E6)
        GRAVITY(self.solfec, (0, 0, -10))
        self.material = BULK_MATERIAL(self.solfec, density=1000, young=1E7, poisson=0.3)
        self.surface = SURFACE_MATERIAL(self.solfec, friction=friction)
        self.table = BODY(self.solfec, 'OBSTACLE', cube(-5, -5, -10, 10, 1), self.material)
        self.solver = GAUSS_SEIDEL_SOLVER(1E-12, 100, 1E-20)

    def put(self, shape, kind='RIGID'):
        return BODY(self.solfec, kind, shape, self.material)

    def run(self, duration):
        RUN(self.solfec, self.solver, duration)
        return self

    @property
    def overlap(self):
        return max(-c.gap for c in self.solfec.constraints)
