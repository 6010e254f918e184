"""Static indeterminacy by singular values of the matrix of all forces and moments on bodies that move, from points,
bases and laws of constraints alone: without masses, time step and W. Rigid bodies only."""

import math

import numpy

ALL_DIRECTIONS = ('FIXPNT', 'GLUE', 'VELODIR3')


def directions(kind, R, friction, least):
    """Unit vectors (T1, T2, N) along which a reaction can vary, row by row."""
    if kind != 'CONTACT':
        return numpy.eye(3) if kind in ALL_DIRECTIONS else numpy.eye(3)[2:]
    R = numpy.array(R)
    if R[2] <= least:
        return numpy.zeros((0, 3))
    if friction == 0:
        return numpy.eye(3)[2:]
    sticks = math.hypot(R[0], R[1]) < 0.999 * friction * R[2]
    return numpy.eye(3) if sticks else (R / numpy.linalg.norm(R))[None, :]


class Judge:
    """Of constraints (kind, R, base, point, bodies): bodies by names, None: one that does not move, or space."""

    def __init__(self, constraints, friction):
        self.constraints = len(constraints)
        least = 1E-12 * max((numpy.linalg.norm(R) for _, R, *_ in constraints), default=0)
        self.owner, self.directions, wrenches, place_of = [], [], [], {}
        for number, (kind, R, base, point, bodies) in enumerate(constraints):
            points = numpy.reshape(point, (-1, 3))
            for direction in directions(kind, R, friction, least):
                on_bodies = {}
                for side, body in enumerate(bodies):
                    if body is not None:
                        force = (1, -1)[side] * (numpy.reshape(base, (3, 3)) @ direction)
                        x = points[min(side, len(points) - 1)]
                        on_bodies[place_of.setdefault(body, len(place_of))] = [*force, *numpy.cross(x, force)]
                wrenches.append(on_bodies)
                self.owner.append(number)
                self.directions.append(direction)
        matrix = numpy.zeros((6 * len(place_of), len(wrenches)))
        for column, on_bodies in enumerate(wrenches):
            for place, wrench in on_bodies.items():
                matrix[6 * place:6 * place + 6, column] = wrench
        self.components, self.degree, self.freedom = len(wrenches), 0, numpy.zeros(0)
        if wrenches:
            _, values, vectors = numpy.linalg.svd(matrix)
            rank = int((values > 1E-8 * values[0]).sum())
            self.degree = len(wrenches) - rank
            self.freedom = numpy.linalg.norm(vectors[rank:], axis=0)

    def parts(self):
        """(normal, tangent) of each constraint: whether they are determined, None: not there."""
        result = [[None, None] for _ in range(self.constraints)]
        for number, direction, freedom in zip(self.owner, self.directions, self.freedom):
            for part, has in enumerate((direction[2] != 0, (direction[:2] != 0).any())):
                if has:
                    result[number][part] = result[number][part] is not False and bool(freedom < 1E-6)
        return [tuple(parts) for parts in result]
