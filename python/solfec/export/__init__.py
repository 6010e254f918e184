"""Exports of results for other programs: ParaView (XDMF, VTKHDF), viewers of glTF, programs that read STL.

    python3 -m solfec export out/hopper hopper.xdmf
    python3 -m solfec export out/hopper hopper.glb --every 2

    from solfec.export.exporter import Settings, export
    export('out/hopper', 'hopper.xdmf', Settings(fields=['speed']))

The formats have a file each: xdmf.py, vtkhdf.py, gltf.py, stl.py; docs/viewing/export.md tells what is in them.
Nothing is imported here, so that `import solfec` does not wait for numpy and h5py.
"""


def main(arguments=None):
    """The command: its exit code."""
    from solfec.export import command_line
    return command_line.main(arguments)
