"""Signals that drive a model: motions given by their acceleration, as series that end at rest.

    from solfec.signals import interleave, sine_sweep
    motion = sine_sweep(step=1E-3, duration=2.5, low=2, high=2, amplitude=5)
    SET_VELOCITY(body, point, direction, TIME_SERIES(interleave(motion.times, motion.velocity)))

This file needs nothing else of the package, nor any other.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import atan2, ceil, cos, exp, isfinite, pi, sin
from typing import NamedTuple


class Motion(NamedTuple):
    """Samples of a motion along one direction, all lists of the same length."""
    times: list[float]         # [s], from 0
    acceleration: list[float]  # [m/s^2]
    velocity: list[float]      # [m/s], the integral of the acceleration: 0 first and last
    displacement: list[float]  # [m], the integral of the velocity: 0 first


def sine_sweep(step: float, duration: float, low: float, high: float, amplitude: float) -> Motion:
    """Motion whose acceleration is a sine of constant amplitude, its frequency rising or falling linearly in time.

    step       between samples [s]
    duration   bound on that of the motion [s], rounded up to whole steps
    low, high  frequencies at time 0 and at the duration [Hz]; equal ones make a sine dwell
    amplitude  of the acceleration [m/s^2]

        a(t) = amplitude cos(start + 2 pi (low t + r t^2 / 2)),  r = (high - low) / duration

    The phase at the start makes the velocity swing about 0, so that what is driven by it does not wander off; for a
    dwell it is 0 and the velocity a sine. (An acceleration that starts as a sine gives the velocity
    amplitude (1 - cos(2 pi low t)) / (2 pi low), which never turns.) The end is brought to rest as `to_rest` says.

    Excitation of the cubes of the technical report of 2019, section 8.2, a dwell of 2 Hz. Start and end are ours: the
    report says nothing of them.
    """
    _check(step=step, duration=duration, low=low, high=high)
    if not isfinite(amplitude):
        raise ValueError('sine_sweep: amplitude must be a finite number; got %r' % amplitude)
    count = max(2, ceil(duration / step * (1 - 1E-12)))
    times = [k * step for k in range(count + 1)]
    rate = (high - low) / duration
    start = _start(low, rate)
    return to_rest(times, [amplitude * cos(start + 2 * pi * (low + 0.5 * rate * t) * t) for t in times])


def _start(low, rate):
    """Phase from which the velocity of a sweep swings about 0.

    The constant about which it swings is the integral of cos(start + p(t)), p = 2 pi (low t + rate t^2 / 2), from 0 to
    infinity. On the imaginary axis, t = i x / (2 pi low), where it no longer oscillates,

        integral of exp(i p) dt  ~  integral of i exp(-x) exp(-i b x^2) dx,  b = rate / (4 pi low^2)

    Its real part C = integral of exp(-x) sin(b x^2), its imaginary part S = integral of exp(-x) cos(b x^2), and
    cos(start) C - sin(start) S = 0. With a falling frequency this leaves out what is beyond the frequency 0.
    """
    b = rate / (4 * pi * low * low)
    xs = [0.01 * k for k in range(4001)]
    cosine = integral(xs, [exp(-x) * sin(b * x * x) for x in xs])[-1]
    sine = integral(xs, [exp(-x) * cos(b * x * x) for x in xs])[-1]
    return atan2(cosine, sine)


def to_rest(times: Sequence[float], acceleration: Sequence[float]) -> Motion:
    """Motion from rest with an acceleration [m/s^2] sampled at times [s], corrected so that it ends at rest.

    It ends where the velocity last passes through 0, at the nearer of the two samples beside that. The velocity left
    there, at most half an amplitude times the step, is taken out by a constant that is subtracted from the
    acceleration: by at most amplitude * step / (2 * duration of what is left). When the velocity never passes through 0
    nothing is cut off, and the constant, the mean of the acceleration, is not small.
    """
    velocity = integral(times, acceleration)
    last = len(times) - 1
    for k in range(len(times) - 1, 1, -1):
        if velocity[k - 1] * velocity[k] <= 0:
            last = k if k == 2 or abs(velocity[k]) <= abs(velocity[k - 1]) else k - 1
            break
    times, acceleration = list(times[:last + 1]), acceleration[:last + 1]
    constant = velocity[last] / (times[-1] - times[0])
    acceleration = [value - constant for value in acceleration]
    velocity = integral(times, acceleration)
    velocity[-1] = 0.0  # rounding: a series goes on with its last value
    return Motion(times, acceleration, velocity, integral(times, velocity))


def integral(times: Sequence[float], values: Sequence[float]) -> list[float]:
    """Running integral of samples by the trapezoidal rule, 0 at the first time.

    Exact for values that are linear in between, as those of a TIME_SERIES are; otherwise of second order in the step.
    """
    sums = [0.0]
    for k in range(1, len(times)):
        sums.append(sums[-1] + 0.5 * (times[k] - times[k - 1]) * (values[k - 1] + values[k]))
    return sums


def interleave(times: Iterable[float], values: Iterable[float]) -> list[float]:
    """[t0, v0, t1, v1, ...], as TIME_SERIES takes it."""
    return [number for pair in zip(times, values) for number in pair]


def _check(**numbers):
    for name, value in numbers.items():
        if not (isfinite(value) and value > 0):
            raise ValueError('%s must be a number above 0, got %r' % (name, value))
