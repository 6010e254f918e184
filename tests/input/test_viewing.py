"""What the package is told of a model to show it; tests/view has what is made of it."""

import os

import numpy as np
import pytest

import solfec
from solfec import *


def test_points_for_the_window(model):
    assert DISPLAY_POINT(model.ball, (0, 0, 1), 'top') is None and DISPLAY_POINT(model.ball, (0, 0, 0.5)) is None
    number = model.solfec.bodies.index(model.ball)
    assert solfec._core._display_points(model.solfec) == [(number, (0, 0, 1), 'top'), (number, (0, 0, 0.5), '')]


def test_models_of_the_script(model):
    assert model.solfec in solfec._core._models()


def test_the_state_as_columns(model):
    feed = solfec._core._Feed(model.solfec)
    columns = feed.take()
    assert list(columns['layout/id']) == list(columns['definition/id']) == list(range(model.solfec.nbod))
    assert columns['body/q'].shape == (12 * model.solfec.nbod,) and columns['constraint/R'].shape == (0, 3)
    assert len(feed.take()['definition/id']) == 0  # known already
    model.run(3)
    figures = feed.figures()
    assert figures['time'] == model.solfec.time and figures['steps'] == 3 and figures['bodies'] == model.solfec.nbod
    assert feed.take()['frame/time'][0] == model.solfec.time
    assert feed.mode() == 'WRITE' and feed.directory() == os.path.abspath(model.solfec.outpath)
    materials = feed.bulk_materials()
    assert len(materials['label']) == len(materials['young']) == len(materials['poisson']) >= 1


def test_stresses_of_results_want_the_bodies_of_their_frame(model):
    model.run(2)
    stress = solfec._core._NodalStress(model.solfec.outpath, 0)
    bodies = model.solfec.nbod
    assert stress.at(np.zeros(12 * bodies), np.zeros(0)).shape == (0, 6)
    for q, x in ((np.zeros(12 * bodies + 1), np.zeros(0)), (np.zeros(12 * bodies), np.zeros(3)),
                 (np.zeros(24 * bodies)[::2], np.zeros(0))):
        with pytest.raises(ValueError, match='is not that of the bodies of this frame'):
            stress.at(q, x)
    for frame in (-1, 99):
        with pytest.raises(ValueError, match='there is no frame of this number'):
            solfec._core._NodalStress(model.solfec.outpath, frame)
    with pytest.raises(RuntimeError):
        solfec._core._NodalStress('nothing', 0)
