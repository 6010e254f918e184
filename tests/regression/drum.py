"""The drum of the 2019 report at N = 100 for 2 s, with the report's settings of Gauss-Seidel: every step's figures
are within those of the original program, every contact of every frame is in the friction cone.

    solfec -w drum.py RG|PR
"""

import pathlib
import runpy

import solfec as package

EXAMPLE = pathlib.Path(__file__).resolve().parents[2] / 'inp' / 'rotating-drum.py'
# The original program (mean iterations per step): 72 rigid, 15 pseudo-rigid. Runs are chaotic.
MEAN_AT_MOST = {'RG': 80, 'PR': 25}
DIVERGED_AT_MOST = {'RG': 20, 'PR': 0}

kind = NON_SOLFEC_ARGV()[0]
words = ['-kifo', kind, '-stop', '2', '-prfx', 'test_']
names = {name: getattr(package, name) for name in package.__all__}


def example(overwrite):
    package.configure(script=str(EXAMPLE), overwrite=overwrite, words=words)
    return runpy.run_path(str(EXAMPLE), {**names, 'NON_SOLFEC_ARGV': lambda: words})


model = example(True)
iterations = model['solver'].itershist
diverged = sum(n >= model['solver'].maxiter for n in iterations)
mean = sum(iterations) / len(iterations)
assert len(iterations) == 2000
assert mean <= MEAN_AT_MOST[kind], mean
assert diverged <= DIVERGED_AT_MOST[kind], diverged

model = example(False)
solfec = model['solfec']
assert solfec.mode == 'READ'
checked = 0
SEEK(solfec, 0)
for frame in range(int(2 / 0.03)):
    for contact in solfec.constraints:
        T1, T2, N = contact.R
        assert N >= 0 and (T1**2 + T2**2)**0.5 <= 0.3 * N + 1E-12 * N, contact.R
        checked += 1
    FORWARD(solfec, 1)
assert checked > 5000, checked
print('%d contacts in the cone; iterations per step: mean %.1f, largest %d, %d of 2000 steps diverged'
      % (checked, mean, max(iterations), diverged))
