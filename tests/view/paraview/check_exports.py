"""Opens exports in ParaView and compares them with what the program says. Not in the tests: ParaView is large.

    apt-get install --no-install-recommends paraview python3-paraview xvfb
    PYTHONPATH=build/python xvfb-run -a python3 tests/view/paraview/check_exports.py build/bin/solfec [folder]

A small model is computed and exported, pvpython (this file again) opens each file by each reader that knows it: times,
numbers of points and cells, displacements, velocities and stresses against HISTORY, sizes of elements, forces of
contacts, blocks of shapes; glTF by the reader of VTK. Pictures of the macro are left in the folder (default:
exports-in-paraview) to be looked at.
"""

import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
SETS = ('', '-background', '-bodies', '-contacts', '-joints')


def run(*command, **more):
    done = subprocess.run([str(word) for word in command], **more)
    if done.returncode:
        sys.exit('%s ended with %d' % (' '.join(map(str, command)), done.returncode))


def prepare(program, folder):
    """Results, exports and what to expect of them."""
    from export_model import SCRIPT
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, 'model.py'), 'w') as file:
        file.write(SCRIPT)
    run(os.path.abspath(program), '-w', 'model.py', cwd=folder)
    for words in (['a.xdmf'], ['p.xdmf', '--points'], ['t.vtkhdf'], ['s.hdf', '--static'],
                  ['one.hdf', '--static', '--time', '0.08'], ['a.stl', '--time', '0.08'], ['a.glb'], ['a.gltf']):
        run(sys.executable, '-m', 'solfec.export', 'out/model', *words, '--force', cwd=folder)


def main():
    program, folder = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else 'exports-in-paraview'
    prepare(program, folder)
    run('pvpython', os.path.abspath(__file__), cwd=folder, env={**os.environ, 'CHECK_EXPORTS': '1'})
    for name in ('a', 'p'):
        from solfec.export import paraview_macro
        picture = 'macro-%s.png' % name
        run('pvpython', paraview_macro.__file__, cwd=folder, env={
            **os.environ, 'SOLFEC_EXPORT': name + '.xdmf', 'SOLFEC_PICTURE': picture, 'SOLFEC_TIME': '0.08'})
        if os.path.getsize(os.path.join(folder, picture)) < 10000:
            sys.exit('%s shows nothing' % picture)
        print('look at %s' % os.path.join(folder, picture))


# What follows runs in pvpython.

def fetched(reader, time):
    """The data set of a reader at a time."""
    from paraview import servermanager
    reader.UpdatePipeline(time)
    return servermanager.Fetch(reader)


def arrays(data, place):
    from vtkmodules.util.numpy_support import vtk_to_numpy
    table = data.GetPointData() if place == 'points' else data.GetCellData()
    return {table.GetArrayName(k): vtk_to_numpy(table.GetArray(k)) for k in range(table.GetNumberOfArrays())}


def check_history(data, history, k):
    """Values at points of bodies, found by their place in the reference configuration."""
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from export_model import nearest
    of, points = arrays(data, 'points'), vtk_to_numpy(data.GetPoints().GetData())
    X = points - of['displacement']
    for name in ('cube 1', 'cube 2', 'soft', 'inside', 'pair'):
        one = history['points'][name]
        row = nearest(X, one['point'])
        for array, entities, slack in (('displacement', ('DX', 'DY', 'DZ'), 1E-6),
                                       ('velocity', ('VX', 'VY', 'VZ'), 1E-5),
                                       ('stress', ('SX', 'SY', 'SZ', 'SXY', 'SYZ', 'SXZ'), 1)):
            if name == 'inside' and array == 'stress':
                continue  # HISTORY has that of the element, nodes the mean of elements
            for value, entity in zip(of[array][row], entities):
                assert abs(value - one[entity][k]) < slack + 1E-5 * abs(one[entity][k]), (name, entity, k)


def check_elements(data):
    """Elements are not turned inside out: their volumes are positive and add up to those of bodies."""
    from vtkmodules.vtkFiltersVerdict import vtkMeshQuality
    from vtkmodules.util.numpy_support import vtk_to_numpy
    quality = vtkMeshQuality()
    quality.SetInputData(data)
    for kind in ('Hex', 'Wedge'):
        if hasattr(quality, 'Set%sQualityMeasureToVolume' % kind):
            getattr(quality, 'Set%sQualityMeasureToVolume' % kind)()
    quality.Update()
    volumes = vtk_to_numpy(quality.GetOutput().GetCellData().GetArray('Quality'))
    types = [data.GetCellType(k) for k in range(data.GetNumberOfCells())]
    solid = [volume for volume, kind in zip(volumes, types) if kind == 12]
    assert len(solid) == 8 and min(solid) > 0 and abs(sum(solid) / 8E-3 - 1) < 0.02
    return types.count(13)


def check_frame(name, data, k, history, floor, wedges):
    """One data set of a frame."""
    bodies = int(history['bodies'][k])
    if name == '':
        check_history(data, history, k)
        assert len(set(arrays(data, 'cells')['body'].tolist())) == bodies
        wedges.append(check_elements(data))
    elif name == '-bodies':
        assert data.GetNumberOfPoints() == data.GetNumberOfCells() == bodies
    elif name == '-contacts':
        of, total = arrays(data, 'points'), 0.0
        if data.GetNumberOfPoints():
            total = of['force'][of['body1'] == floor][:, 2].sum() - of['force'][of['body2'] == floor][:, 2].sum()
        assert abs(total - history['force on floor'][k]) < 1E-2, (k, total)
    else:
        assert data.GetNumberOfPoints() == {'-background': 8, '-joints': 1}[name]


def check_gltf(path, history):
    """Points of bodies in motion, with y up, by VTK's reader of glTF: tracks, instances and morph targets."""
    import numpy as np
    from vtkmodules.vtkIOGeometry import vtkGLTFReader
    from vtkmodules.util.numpy_support import vtk_to_numpy
    reader = vtkGLTFReader()
    reader.SetFileName(path)
    reader.SetFrameRate(100)
    reader.ApplyDeformationsToGeometryOn()
    reader.UpdateInformation()
    reader.EnableAnimation(0)
    reader.UpdateInformation()
    for k, time in enumerate(history['times']):
        reader.UpdateTimeStep(time)
        blocks = reader.GetOutput().NewIterator()
        points = []
        while not blocks.IsDoneWithTraversal():
            points.append(vtk_to_numpy(blocks.GetCurrentDataObject().GetPoints().GetData()))
            blocks.GoToNextItem()
        points = np.concatenate(points)[:, [0, 2, 1]] * (1, -1, 1)
        for name in ('cube 1', 'cube 2', 'soft', 'inside', 'pair'):
            one = history['points'][name]
            now = np.array(one['point']) + [one[e][k] for e in ('DX', 'DY', 'DZ')]
            assert np.linalg.norm(points - now, axis=1).min() < 1E-6, (path, name, k)


def check_in_paraview():
    from paraview import simple
    with open('history.json') as file:
        history = json.load(file)
    times = history['times']

    def xdmf2(path):
        return simple.XDMFReader(FileNames=[path])

    def xdmf3(path):
        return simple.Xdmf3ReaderT(FileName=[path])

    def hdf(path):
        return simple.VTKHDFReader(FileName=[path])

    first = fetched(xdmf2(os.path.abspath('a-bodies.xdmf')), times[0])
    of = arrays(first, 'points')
    floor = of['body'][of['kind'] == 0][0]
    for title, opened, end in (('XDMF Reader', xdmf2, '.xdmf'), ('Xdmf3 Reader T', xdmf3, '.xdmf'),
                               ('VTKHDF Reader, series', hdf, '.hdf.series')):
        wedges = []
        for name in SETS:
            path = os.path.abspath(('s' if end != '.xdmf' else 'a') + name + end)
            reader = opened(path)
            reader.UpdatePipelineInformation()
            known = list(reader.TimestepValues)
            assert len(known) == len(times) and max(abs(a - b) for a, b in zip(known, times)) < 1E-9, (path, known)
            for k, time in enumerate(known):
                check_frame(name, fetched(reader, time), k, history, floor, wedges)
            simple.Delete(reader)
        assert wedges[0] == 1 and wedges[-1] == 0
        print('%-22s %d frames of %d sets are right' % (title, len(times), len(SETS)))
    k = 8
    for name in SETS:
        check_frame(name, fetched(hdf(os.path.abspath('one%s.hdf' % name)), times[k]), k, history, floor, [])
    print('%-22s one frame of %d sets is right' % ('VTKHDF Reader, 1.0', len(SETS)))
    for title, opened in (('XDMF Reader', xdmf2), ('Xdmf3 Reader T', xdmf3)):
        shapes = fetched(opened(os.path.abspath('p-shapes.xdmf')), 0)
        assert shapes.GetNumberOfBlocks() == 4 and shapes.GetBlock(0).GetNumberOfPoints() == 162, title
        of = arrays(fetched(opened(os.path.abspath('p-bodies.xdmf')), times[0]), 'points')
        assert of['quaternion'].shape[1] == 4 and of['scale'].shape[1] == 3 and of['shape'].max() == 3
    print('shapes and points for "3D Glyphs" are right')
    for path in ('a.glb', 'a.gltf'):
        check_gltf(path, history)
    print('glTF: bodies are where they are in each frame')
    surface = fetched(simple.STLReader(FileNames=[os.path.abspath('a.stl')]), 0)
    print('STL: %d triangles' % surface.GetNumberOfCells())


if __name__ == '__main__':
    if os.environ.get('CHECK_EXPORTS'):
        check_in_paraview()
    else:
        main()
