"""The command python3 -m solfec export."""

import argparse
import os
import shutil
import sys

from solfec.body_names import WAYS
from solfec.export import paraview_macro
from solfec.export.exporter import SETS, Settings, export
from solfec.export.output import Progress
from solfec.results import index_of
from solfec.shell.command import count, damaged_file, line_of, number, without_index

EPILOG = '''\
formats, by the end of the name:
  .xdmf, .xmf     ParaView: surfaces (NAME.xdmf), bodies as points, contacts with forces, joints
                  (NAME-bodies.xdmf, ...), and one NAME.h5 with their numbers
  .vtkhdf, .hdf   the same for ParaView 5.12 and newer, a file for each set; --static: version 1.0 for 5.11
  .gltf, .glb     moving bodies for viewers, Blender and pages
  .stl            surfaces at one time

%s.
''' % WAYS


def _names(text):
    return tuple(word.strip() for word in text.split(',') if word.strip())


def _parser():
    parser = argparse.ArgumentParser(prog='python3 -m solfec export', epilog=EPILOG, allow_abbrev=False,
                                     formatter_class=argparse.RawDescriptionHelpFormatter,
                                     description='Exports results to the formats of other programs.')
    parser.add_argument('results', nargs='?', type=without_index, help='directory of results')
    parser.add_argument('file', nargs='?', help='file to write; its end tells the format')
    parser.add_argument('--time', type=number, action='append', metavar='T',
                        help='the last frame not after T [s]; may be given several times')
    parser.add_argument('--from', type=number, dest='first', metavar='T', help='frames from this time on [s]')
    parser.add_argument('--to', type=number, dest='last', metavar='T', help='frames until this time [s]')
    parser.add_argument('--every', type=count, metavar='N', default=1, help='of these each N-th frame')
    parser.add_argument('--frames', metavar='LIST', help='frames by number, like 0,10:100:5,-1')
    parser.add_argument('--fields', type=_names, metavar='NAMES',
                        help='fields of bodies, like displacement,speed,mises (an unknown name lists them all)')
    parser.add_argument('--only', action='append', default=[], metavar='BODY', help='these bodies')
    parser.add_argument('--hide', action='append', default=[], metavar='BODY', help='without these bodies')
    parser.add_argument('--sets', type=_names, default=SETS, metavar='NAMES',
                        help='of ParaView files: some of %s (default: all that have data)' % ','.join(SETS))
    parser.add_argument('--points', action='store_true',
                        help='bodies as points with quaternion, scale and shape for "3D Glyphs", not as surfaces')
    parser.add_argument('--static', action='store_true', help='VTKHDF of version 1.0: a file for each frame')
    parser.add_argument('--ball-detail', type=int, metavar='N',
                        help='balls of 12, 42, 162, 642, ... points: 0 to 5 (default: 2 or fewer, by their number)')
    parser.add_argument('-f', '--force', action='store_true', help='also replace files that are no exports')
    parser.add_argument('--paraview-macro', metavar='FILE',
                        help='save a macro for ParaView that shows an export (.xdmf), and end')
    return parser


def _settings(given, parser):
    if given.frames is not None and (given.time or given.first is not None or given.last is not None):
        parser.error('--frames and times exclude each other')
    if given.time and (given.first is not None or given.last is not None):
        parser.error('--time excludes --from and --to')
    frames = None
    if given.frames is not None or given.time or (given.first, given.last, given.every) != (None, None, 1):
        frames = {'time': given.time, 'first': given.first, 'last': given.last, 'every': given.every,
                  'frames': given.frames}
    return Settings(frames=frames, only=given.only, hide=given.hide, fields=given.fields, sets=given.sets,
                    points=given.points, static=given.static, detail=given.ball_detail, force=given.force)


def main(arguments=None):
    """Exit code: 0, 1 when files cannot be written, 2 for wrong arguments, 130 when interrupted."""
    parser = _parser()
    given = parser.parse_args(arguments)
    if given.paraview_macro:
        if given.results is not None:
            parser.error('--paraview-macro saves the macro alone: leave the results out')
        return _save_macro(given.paraview_macro, given.force)
    if not given.results or not given.file:
        parser.error('the directory of results and the file to write are needed')
    settings, progress = _settings(given, parser), None

    def show(done, frames):
        nonlocal progress
        progress = progress or Progress(frames)
        progress(done)

    try:
        made = export(given.results, given.file, settings, show)
    except FileExistsError as error:
        return _fail('%s (--force does)' % error, 1, progress)
    except (ValueError, OSError, KeyError, IndexError) as error:
        damage = _damage(given.results, error)
        unwritten = isinstance(error, OSError) and not isinstance(error, FileNotFoundError)
        return _fail(damage or error, 1 if unwritten and not damage else 2, progress)
    except KeyboardInterrupt:
        return _fail('interrupted', 130, progress)
    if progress:
        progress.end()
    _tell(made)
    return 0


def _damage(directory, error):
    """What is wrong with the files of results, where that is behind an error; else None."""
    if isinstance(error, PermissionError) and error.errno:
        return '%s cannot be read: Permission denied' % directory
    if isinstance(error, PermissionError) or not os.path.isfile(index_of(directory)):
        return None
    text = line_of(error)
    damage = damaged_file(directory, text)
    return '%s cannot be read: %s' % (directory, text) if damage is None and isinstance(error, LookupError) else damage


def _fail(error, code, progress=None):
    if progress:
        progress.end()
    print('export: %s' % error, file=sys.stderr)
    return code


def _tell(made):
    size = sum(os.path.getsize(path) for path in made.files)
    times = '%d frames, %g to %g s' % (len(made.times), made.times[0], made.times[-1])
    if len(made.times) == 1:
        times = 'time %g s' % made.times[0]
    files = sorted(made.files, key=lambda path: (not path.endswith('.series'), path.endswith(('.h5', '.bin'))))
    names = ' '.join(files[:6]) + (' and %d more' % (len(files) - 6) if len(files) > 6 else '')
    print('%s: %s, %d bodies, %.1f MB' % (names, times, made.bodies, size / 1E6))
    if made.lost > 0.001:
        print('export: pseudo-rigid bodies are drawn without shear, of which there is up to %.2g' % made.lost,
              file=sys.stderr)


def _save_macro(path, force):
    if os.path.exists(path) and not force:
        return _fail('%s is there already: choose another name, or give --force to replace it' % path, 1)
    try:
        shutil.copyfile(paraview_macro.__file__, path)
    except OSError as error:
        return _fail('cannot write %s: %s' % (path, error.strerror), 1)
    print('%s: in ParaView choose Macros > Import new macro... and this file' % path)
    return 0
