"""A summary of a run's steps, in a file for other programs (option -sumf of the scaling examples).

    steps = StepRecord(solfec, solver)
    RUN(solfec, solver, duration)
    steps.write('summary.json')

The file is a JSON object:

    ranks                  number of ranks
    steps                  number of steps
    diverged               steps that the solver did not bring to its goal itself: of a NEWTON_SOLVER those that it left
                           to Gauss-Seidel, of a GAUSS_SEIDEL_SOLVER those that ended at the bound of its sweeps
    unsolved               steps that did not converge in the end, sweeps after a failure included
    iterations             mean number of iterations per step, over all steps
    iterations_converged   the same over the steps that are not diverged
    iterations_largest     in one step
    sweeps_after           number of Gauss-Seidel sweeps after failures of a NEWTON_SOLVER, in all steps together
    constraints            mean number per step
    constraints_largest    in one step
    user_time, wall_time   of the run, on rank 0 [s]
    TIMINT, CONUPD, CONDET, LOCDYN, CONSOL, PARBAL   mean wall time of the parts of a step, on rank 0 [s]
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from typing import Any

from . import CALLBACK, NCPU, RANK, SOLFEC, TIMING

PHASES = ('TIMINT', 'CONUPD', 'CONDET', 'LOCDYN', 'CONSOL', 'PARBAL')
TINY = 1E-3  # of a step: the interval of a CALLBACK after every step


class StepRecord:
    """Sees every step of one run, from its first one; takes the place of the run's CALLBACK."""

    def __init__(self, solfec: SOLFEC, solver: Any, interval: float | None = None,
                 callback: Callable[[], Any] | None = None) -> None:
        """`callback`, without arguments, is called as CALLBACK would call it: at an interval [s]."""
        if solfec.mode == 'READ':
            raise SystemExit('a summary needs a run, and %s holds results already: give -w' % solfec.outpath)
        self.solfec, self.solver = solfec, solver
        self.interval, self.callback, self.due = interval, callback, 0.0
        self.from_the_start = False
        self.steps = self.diverged = self.unsolved = self.sweeps_after = 0
        self.iterations = self.iterations_converged = self.iterations_largest = 0
        self.constraints = self.constraints_largest = 0
        self.phases = dict.fromkeys(PHASES, 0.0)
        self.user_start, self.wall_start = os.times().user, time.perf_counter()
        CALLBACK(solfec, TINY * solfec.step, None, self._after_step)

    def _after_step(self):
        self.from_the_start |= self.steps == 0 and self.solfec.time < 1.5 * self.solfec.step
        self._count()
        if self.callback and self.solfec.time >= self.due - 1E-6 * self.solfec.step:
            while self.due <= self.solfec.time + 1E-6 * self.solfec.step:
                self.due += self.interval
            return self.callback()
        return 1

    def _count(self):
        sweeps_after = getattr(self.solver, 'gssweeps', 0)
        unsolved = self.solver.error != 'OK'
        diverged = unsolved or sweeps_after > 0
        self.steps += 1
        self.diverged += diverged
        self.unsolved += unsolved
        self.sweeps_after += sweeps_after
        self.iterations += self.solver.iters
        self.iterations_converged += 0 if diverged else self.solver.iters
        self.iterations_largest = max(self.iterations_largest, self.solver.iters)
        self.constraints += self.solfec.ncon
        self.constraints_largest = max(self.constraints_largest, self.solfec.ncon)
        for phase in PHASES:
            self.phases[phase] += TIMING(self.solfec, phase)

    def summary(self) -> dict[str, float]:
        """The numbers of the file, by name."""
        steps = self.steps
        return {'ranks': NCPU(self.solfec), 'steps': self.steps, 'diverged': self.diverged, 'unsolved': self.unsolved,
                'iterations': self.iterations / steps,
                'iterations_converged': self.iterations_converged / max(1, self.steps - self.diverged),
                'iterations_largest': self.iterations_largest, 'sweeps_after': self.sweeps_after,
                'constraints': self.constraints / steps, 'constraints_largest': self.constraints_largest,
                'user_time': os.times().user - self.user_start, 'wall_time': time.perf_counter() - self.wall_start,
                **{phase: total / steps for phase, total in self.phases.items()}}

    def write(self, path: str | os.PathLike[str]) -> None:
        """Rank 0 writes the file."""
        if not self.from_the_start:
            raise SystemExit('a summary needs a run from its beginning: give -w')
        if RANK() == 0:
            with open(path, 'w', encoding='utf-8') as file:
                json.dump(self.summary(), file, indent=1)
                file.write('\n')
