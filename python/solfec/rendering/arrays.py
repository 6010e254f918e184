"""Numpy arrays as VTK has them; without copies where types allow."""

import numpy as np
from vtkmodules.util.numpy_support import numpy_to_vtk
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonDataModel import vtkCellArray, vtkImageData, vtkPolyData
from vtkmodules.vtkRenderingCore import vtkTexture


def array(values, name=None):
    """A VTK array of numbers (n,) or (n, k); it keeps the memory of `values`."""
    result = numpy_to_vtk(np.ascontiguousarray(values))
    if name:
        result.SetName(name)
    return result


def points(positions):
    result = vtkPoints()
    result.SetData(array(positions))
    return result


def cells(numbers, count):
    """A cell array of lists of point numbers, one after the other, `count` in each."""
    offsets = np.concatenate([[0], np.cumsum(count)]).astype(np.int64)
    result = vtkCellArray()
    # Copies: the cell array takes over the memory, but nothing that would keep numpy from freeing it.
    result.SetData(*(numpy_to_vtk(values, deep=True) for values in (offsets, np.asarray(numbers, dtype=np.int64))))
    return result


def equal_cells(numbers):
    """A cell array of rows of point numbers (n, k)."""
    numbers = np.asarray(numbers)
    return cells(numbers.ravel(), np.full(len(numbers), numbers.shape[1]))


def poly_data(positions, polygons=None, lines=None):
    result = vtkPolyData()
    result.SetPoints(points(positions))
    if polygons is not None:
        result.SetPolys(polygons)
    if lines is not None:
        result.SetLines(lines)
    return result


def texture(pixels):
    """A texture of (height, width, 3) uint8, the lowest row first; without interpolation."""
    image = vtkImageData()
    image.SetDimensions(pixels.shape[1], pixels.shape[0], 1)
    image.GetPointData().SetScalars(array(pixels.reshape(-1, 3)))
    result = vtkTexture()
    result.SetInputData(image)
    result.SetColorModeToDirectScalars()
    result.InterpolateOff()
    result.RepeatOff()
    return result
