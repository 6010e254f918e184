"""Opens exports in Blender and compares them with what the program says. Not in the tests: Blender is large.

    apt-get install --no-install-recommends blender
    PYTHONPATH=build/python /usr/bin/python3 tests/view/blender/check_gltf.py build/bin/solfec [folder]

A small model is computed and exported as .glb and .gltf. Blender (this file again) opens both and goes to the time of
each frame: points of bodies must be where HISTORY has them, and bodies that are absent must be points. A picture of the
last frame is left in the folder (default: exports-in-blender) to be looked at.
"""

import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
FILES = 'a.glb', 'a.gltf'
SLACK = 2E-6  # [m], single precision


def run(*command, **more):
    done = subprocess.run([str(word) for word in command], **more)
    if done.returncode:
        sys.exit('%s ended with %d' % (' '.join(map(str, command)), done.returncode))


def main():
    sys.path.insert(0, os.path.dirname(HERE))
    from export_model import SCRIPT
    program, folder = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else 'exports-in-blender'
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, 'model.py'), 'w') as file:
        file.write(SCRIPT)
    run(os.path.abspath(program), '-w', 'model.py', cwd=folder)
    for name in FILES:
        run(sys.executable, '-m', 'solfec.export', 'out/model', name, '--force', cwd=folder)
        run('blender', '--background', '--factory-startup', '--python-exit-code', 1, '--python',
            os.path.abspath(__file__), '--', name, cwd=folder)
    print('look at ' + os.path.join(folder, FILES[0] + '.png'))


# What follows runs in Blender.

def points_of_bodies(bpy):
    """World coordinates of the corners of each mesh as it is moved and deformed now, by the name of its body."""
    import numpy as np
    graph, result = bpy.context.evaluated_depsgraph_get(), {}
    for one in bpy.context.scene.objects:
        if one.type != 'MESH':
            continue
        now = one.evaluated_get(graph)
        points = np.empty(3 * len(now.data.vertices))
        now.data.vertices.foreach_get('co', points)
        matrix = np.array(now.matrix_world)
        result[one.name] = points.reshape(-1, 3) @ matrix[:3, :3].T + matrix[:3, 3]
    return result


def check(name):
    import bpy
    import numpy as np
    np.bool = bool  # the importer of Blender 3.4 asks for it, numpy of Debian 12 has it no more
    with open('history.json') as file:
        history = json.load(file)
    for one in list(bpy.data.objects):
        bpy.data.objects.remove(one)
    bpy.context.scene.render.fps = 100  # before: keys are put at time x this
    bpy.ops.import_scene.gltf(filepath=os.path.abspath(name))
    worst = 0.0
    for k, time in enumerate(history['times']):
        frame = time * bpy.context.scene.render.fps
        bpy.context.scene.frame_set(int(frame), subframe=frame - int(frame))
        bodies = points_of_bodies(bpy)
        sizes = [np.ptp(points, axis=0).max() for points in bodies.values()]
        assert sum(size > 1E-3 for size in sizes) == history['bodies'][k], (name, k, sizes)
        for body, one in history['points'].items():
            if body in ('ball', 'egg'):
                continue  # facets have no corner there
            wanted = np.array(one['point']) + [one[entity][k] for entity in ('DX', 'DY', 'DZ')]
            points = next(points for key, points in bodies.items() if key.startswith(body + ' (body '))
            worst = max(worst, np.linalg.norm(points - wanted, axis=1).min())
            assert worst < SLACK, (name, body, k, worst)
    print('%s: %d bodies, %d frames, points within %.1g m of HISTORY' % (
        name, len(bodies), len(history['times']), worst))
    picture(bpy, name + '.png')


def picture(bpy, path):
    from mathutils import Vector
    scene = bpy.context.scene
    at, towards = Vector((1.1, -4.5, 2.0)), Vector((1.1, 0.2, 0.1))
    camera = bpy.data.objects.new('camera', bpy.data.cameras.new('camera'))
    camera.location, camera.rotation_euler = at, (towards - at).to_track_quat('-Z', 'Y').to_euler()
    sun = bpy.data.objects.new('sun', bpy.data.lights.new('sun', 'SUN'))
    sun.rotation_euler, sun.data.energy = (0.6, 0.2, 0.3), 3.0
    for one in (camera, sun):
        scene.collection.objects.link(one)
    scene.camera, scene.render.engine, scene.cycles.samples = camera, 'CYCLES', 16
    scene.cycles.device, scene.cycles.use_denoising = 'CPU', False
    scene.render.resolution_x, scene.render.resolution_y = 900, 400
    scene.render.filepath = os.path.abspath(path)
    bpy.ops.render.render(write_still=True)


if __name__ == '__main__':
    if '--' in sys.argv:
        check(sys.argv[sys.argv.index('--') + 1])
    else:
        main()
