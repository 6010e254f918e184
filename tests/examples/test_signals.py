"""Signals: motions against their closed forms, at rest at the end, and consistent to the order of sampling."""

import math

import numpy as np
import pytest

from solfec.signals import integral, interleave, sine_sweep, to_rest

SWEEPS = [(2, 2), (2, 2.7), (1, 9), (9, 1)]


@pytest.mark.parametrize('low, high', SWEEPS)
@pytest.mark.parametrize('step, duration', [(5E-4, 2.4), (1E-3, 2.4), (7E-4, 3.3)])
def test_starts_and_ends_at_rest(low, high, step, duration):
    motion = sine_sweep(step, duration, low, high, 5)
    times, acceleration, velocity, displacement = map(np.array, motion)
    assert len(times) == len(acceleration) == len(velocity) == len(displacement)
    assert times == pytest.approx(step * np.arange(len(times)), abs=1E-12)
    assert velocity[0] == 0 and displacement[0] == 0 and abs(velocity[-1]) < 1E-12
    # The end of the last half cycle: at most one is lost.
    assert duration - 0.5 / min(low, high) - step < times[-1] < duration + step
    # Not put there: the sum of the acceleration's trapezoids is 0.
    assert abs(step * (acceleration.sum() - 0.5 * (acceleration[0] + acceleration[-1]))) < 1E-12


@pytest.mark.parametrize('low, high', SWEEPS)
def test_derivatives_are_of_second_order_in_the_step(low, high):
    """Central differences of the velocity against the acceleration, of the displacement against the velocity."""
    errors = []
    for step in (2E-3, 1E-3, 5E-4):
        motion = sine_sweep(step, 2.4, low, high, 5)
        times, acceleration, velocity, displacement = map(np.array, motion)
        rate, slope = ((x[2:] - x[:-2]) / (2 * step) for x in (velocity, displacement))
        errors.append([np.abs(rate - acceleration[1:-1]).max(), np.abs(slope - velocity[1:-1]).max()])
    orders = np.log2(np.array(errors[:-1]) / np.array(errors[1:]))
    assert orders == pytest.approx(2, abs=0.1)
    # The difference is (a[k-1] + 2 a[k] + a[k+1]) / 4: it is off by step^2 / 4 times the second derivative.
    largest = 0.25 * step**2 * 5 * (2 * np.pi * max(low, high))**2
    assert errors[-1][0] < 1.2 * largest


@pytest.mark.parametrize('low, high', SWEEPS)
def test_amplitude_is_that_asked_for_but_for_a_small_constant(low, high):
    motion = sine_sweep(5E-4, 2.4, low, high, 5)
    times, acceleration = np.array(motion.times), np.array(motion.acceleration)
    phase = 2 * np.pi * (low * times + 0.5 * (high - low) / 2.4 * times**2)
    columns = np.stack([np.cos(phase), np.sin(phase), np.ones(len(times))], axis=1)
    (cosine, sine, constant), *_ = np.linalg.lstsq(columns, acceleration, rcond=None)
    assert np.abs(columns @ (cosine, sine, constant) - acceleration).max() < 1E-9
    assert math.hypot(cosine, sine) == pytest.approx(5, abs=1E-9)
    assert abs(constant) <= 5 * 5E-4 / (2 * times[-1]) * (1 + 1E-9)


@pytest.mark.parametrize('low, high', [(2, 2), (2, 2.7), (1, 9)])
def test_velocity_swings_about_zero(low, high):
    """Its turning points, from the last ones, are opposite to each other but for the change of the frequency."""
    velocity = np.array(sine_sweep(1E-4, 2.4, low, high, 5).velocity)
    inner = velocity[1:-1]
    turns = inner[(inner - velocity[:-2]) * (inner - velocity[2:]) > 0]
    assert len(turns) >= 8
    assert np.abs(0.25 * turns[-3] + 0.5 * turns[-2] + 0.25 * turns[-1]) < 0.01 * np.abs(turns[-1])


def test_dwell_swings_about_a_place_as_its_closed_form_does():
    motion = sine_sweep(5E-4, 2.4, 2, 2, 5)
    times, acceleration, velocity, displacement = map(np.array, motion)
    omega = 4 * math.pi
    assert times[-1] == pytest.approx(2.25, abs=1E-12)  # four and a half cycles
    assert acceleration == pytest.approx(5 * np.cos(omega * times), abs=1E-9)
    assert velocity == pytest.approx(5 / omega * np.sin(omega * times), abs=1E-5)
    assert displacement == pytest.approx(5 / omega**2 * (1 - np.cos(omega * times)), abs=1E-6)


def test_sweep_goes_from_one_frequency_to_the_other():
    motion = sine_sweep(1E-4, 10, 1, 5, 1)
    times, velocity = np.array(motion.times), np.array(motion.velocity)
    passes = times[1:][(velocity[:-1] > 0) != (velocity[1:] > 0)]
    middles, frequencies = 0.5 * (passes[1:] + passes[:-1]), 0.5 / np.diff(passes)
    assert frequencies[3:-3] == pytest.approx(1 + 0.4 * middles[3:-3], rel=0.02)


def test_a_motion_that_never_turns_is_brought_to_rest_at_its_end():
    times, acceleration, velocity, displacement = to_rest([0, 1, 2, 4], [3, 3, 3, 3])
    assert times == [0, 1, 2, 4] and acceleration == pytest.approx([0] * 4, abs=1E-15)
    assert velocity == pytest.approx([0] * 4, abs=1E-15) and displacement == pytest.approx([0] * 4, abs=1E-15)
    short = sine_sweep(1E-3, 0.1, 2, 2, 5)  # a fifth of a cycle
    assert len(short.times) == 101 and short.velocity[-1] == 0 and max(short.velocity) > 0.01


def test_integral_is_exact_for_what_is_linear_in_between():
    assert integral([0, 1, 3], [0, 2, 2]) == [0, 1, 5]
    assert interleave([0, 1], [2, 3]) == [0, 2, 1, 3]


@pytest.mark.parametrize('name', ['step', 'duration', 'low', 'high'])
@pytest.mark.parametrize('value', [0, -1, math.nan, math.inf])
def test_numbers_out_of_range_are_refused_by_name(name, value):
    numbers = {'step': 1E-3, 'duration': 1, 'low': 2, 'high': 2, 'amplitude': 5, name: value}
    with pytest.raises(ValueError, match="%s must be a number above 0" % name):
        sine_sweep(**numbers)
