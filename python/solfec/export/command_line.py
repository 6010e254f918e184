"""The command python3 -m solfec export."""

import contextlib
import os
import shutil
import sys

from solfec.body_names import WAYS
from solfec.export import paraview_macro
from solfec.export.exporter import SETS, Settings, check, export
from solfec.export.output import NameTaken, Progress, WriteError
from solfec.export.selection import SettingError
from solfec.shell.command import Failure, Parser, check_output, check_place, check_times, number, results_in

# Settings whose arguments have other names.
ARGUMENTS = {'path': 'FILE', 'detail': '--ball-detail'}

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
    parser = Parser('export', epilog=EPILOG, allow_abbrev=False,
                    description='Exports results to the formats of other programs.')
    parser.add_results(nargs='?')
    parser.add_argument('FILE', nargs='?', help='file to write; its end tells the format')
    parser.add_argument('--time', type=number, action='append', metavar='T',
                        help='the last frame not after T [s]; may be given several times')
    parser.add_times()
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


def _settings(given):
    interval = given.start is not None or given.stop is not None
    if given.frames is not None and (given.time or interval):
        raise Failure('argument --frames: excludes --time, --from and --to')
    if given.time and interval:
        raise Failure('argument --time: excludes --from and --to')
    check_times(given)
    frames = None
    if given.frames is not None or given.time or interval or given.every != 1:
        frames = {'time': given.time, 'first': given.start, 'last': given.stop, 'every': given.every,
                  'frames': given.frames}
    return Settings(frames=frames, only=given.only, hide=given.hide, fields=given.fields, sets=given.sets,
                    points=given.points, static=given.static, detail=given.ball_detail, force=given.force)


def main(arguments=None):
    given = _parser().parse_args(arguments)
    if given.paraview_macro:
        if given.RESULTS is not None:
            raise Failure('argument --paraview-macro: saves the macro alone; leave RESULTS out')
        return _save_macro(given.paraview_macro, given.force)
    missing = [name for name in ('RESULTS', 'FILE') if not getattr(given, name)]
    if missing:
        raise Failure('the following arguments are required: ' + ', '.join(missing))
    settings = _settings(given)
    with _naming_arguments():
        check(given.FILE, settings)
    check_output(given.FILE, argument='FILE')
    check_place(given.FILE, 'FILE')
    with results_in(RESULTS=given.RESULTS) as results, _naming_arguments():
        made = _export(results, given.FILE, settings)
    _tell(made)
    return 0


@contextlib.contextmanager
def _naming_arguments():
    """Errors that are not of the results."""
    try:
        yield
    except SettingError as error:
        name = error.setting and ARGUMENTS.get(error.setting, '--' + error.setting)
        raise Failure('argument %s: %s' % (name, error) if name else str(error)) from error
    except NameTaken as error:
        raise Failure('argument FILE: %s (--force does)' % error) from error
    except WriteError as error:
        raise Failure('argument FILE: %s' % error) from error


def _export(results, path, settings):
    progress = None

    def show(done, frames):
        nonlocal progress
        progress = progress or Progress(frames)
        progress(done)

    try:
        return export(results, path, settings, show)
    finally:
        if progress:
            progress.end()


def _tell(made):
    size = sum(os.path.getsize(path) for path in made.files)
    times = '%d frames, %g to %g s' % (len(made.times), made.times[0], made.times[-1])
    if len(made.times) == 1:
        times = 'time %g s' % made.times[0]
    files = sorted(made.files, key=lambda path: (not path.endswith('.series'), path.endswith(('.h5', '.bin'))))
    names = ' '.join(files[:6]) + (' and %d more' % (len(files) - 6) if len(files) > 6 else '')
    print('%s: %s, %d bodies, %.1f MB' % (names, times, made.bodies, size / 1E6))
    if made.lost > 0.001:
        print('solfec export: pseudo-rigid bodies are drawn without shear, of which there is up to %.2g' % made.lost,
              file=sys.stderr)


def _save_macro(path, force):
    check_place(path, '--paraview-macro')
    if os.path.exists(path) and not force:
        raise Failure("argument --paraview-macro: '%s' is there already; choose another name, or give --force" % path)
    check_output(path, argument='--paraview-macro')
    try:
        shutil.copyfile(paraview_macro.__file__, path)
    except OSError as error:
        raise Failure("argument --paraview-macro: '%s' cannot be written: %s" % (path, error.strerror)) from error
    print('%s: in ParaView choose Macros > Import new macro... and this file' % path)
    return 0
