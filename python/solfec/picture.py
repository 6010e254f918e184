"""Pictures and films of results: python3 -m solfec.picture RESULTS PICTURE.png [options]

    from solfec.picture import picture, write_png
    image = picture('out/hopper', time=1.3, colour='speed', hidden=['funnel'])
    write_png('hopper.png', image)

Needs VTK (./bootstrap.sh view), and no display.
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import os
import re
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from solfec.contact_table import COLUMNS
from solfec.results import frame_at, frames_between, no_frames
from solfec.scene import Scene
from solfec.shell.command import Failure, Parser, check_output, check_place, check_times, number, results_in
from solfec.view_settings import EDGES, FORCES, VECTORS, Cut, ViewSettings, colour_of, load_camera
from solfec.whole_files import whole_file

if TYPE_CHECKING:
    from solfec.scene import Source


def picture(source: Source | Scene, settings: ViewSettings | None = None, time: float | None = None, frame: int = -1,
            size: tuple[int, int] = (1200, 900), **values: Any) -> np.ndarray:
    """A picture: (height, width, 3) uint8, the first row at the top.

    source    a directory of results, a Results or SOLFEC object, or a Scene, which is drawn as it is
    settings  ViewSettings; default: plain
    time      the last frame not after this time [s]; else `frame`, its number (negative ones count from the end)
    size      (width, height) in pixels
    values    of settings, for example colour='speed'

    ValueError for what is unknown in the scene or wrong in settings; rendering.MissingGraphics without VTK.
    """
    from solfec.rendering import Drawing
    scene = source if isinstance(source, Scene) else Scene(source)
    if source is not scene:
        scene.at(time) if time is not None else scene.frame(frame)
    return Drawing(scene, (settings or ViewSettings()).changed(**values), size=size).image()


def write_png(path: str | os.PathLike[str], image: np.ndarray) -> None:
    """Writes a picture, (height, width, 3) uint8."""
    with whole_file(path, 'wb') as file:
        file.write(png(image))


def png(image: np.ndarray) -> bytes:
    """The bytes of a PNG file of a picture."""
    from vtkmodules.vtkCommonDataModel import vtkImageData
    from vtkmodules.vtkIOImage import vtkPNGWriter
    from vtkmodules.util.numpy_support import numpy_to_vtk, vtk_to_numpy
    data = vtkImageData()
    data.SetDimensions(image.shape[1], image.shape[0], 1)
    data.GetPointData().SetScalars(numpy_to_vtk(image[::-1].reshape(-1, 3), deep=True))
    writer = vtkPNGWriter()
    writer.SetInputData(data)
    writer.WriteToMemoryOn()
    writer.Write()
    return vtk_to_numpy(writer.GetResult()).tobytes()


# Arguments

def _refused(expected, text):
    return argparse.ArgumentTypeError(f'expected {expected}; got {text!r}')


def _numbers(text, count):
    try:
        numbers = [number(word) for word in text.split(',')]
    except argparse.ArgumentTypeError:
        numbers = []
    return numbers if len(numbers) == count else None


def direction(text):
    numbers = _numbers(text, 3)
    if not numbers or not any(numbers):
        raise _refused('three numbers X,Y,Z, not all zero', text)
    return tuple(numbers)


def size(text):
    match = re.fullmatch(r'(\d+)x(\d+)', text)
    if not match or not all(16 <= int(n) <= 8192 for n in match.groups()):
        raise _refused('WIDTHxHEIGHT in pixels, each 16 ... 8192, for example 1200x900', text)
    return tuple(map(int, match.groups()))


def positive(text):
    try:
        value = number(text)
    except argparse.ArgumentTypeError:
        value = 0
    if not 0 < value < float('inf'):
        raise _refused('a number > 0', text)
    return value


def value_range(text):
    if text in ('frame', 'run'):
        return text
    numbers = _numbers(text, 2)
    if not numbers or not numbers[0] < numbers[1]:
        raise _refused('frame, run or LOW,HIGH, LOW < HIGH', text)
    return numbers


def cut(text):
    """x,0.1 or -x,0.1 or NX,NY,NZ,D"""
    match = re.fullmatch(r'([+-]?)([xyz]),([^,]+)', text)
    try:
        if match:
            normal = [0.0, 0.0, 0.0]
            normal['xyz'.index(match[2])] = -1.0 if match[1] == '-' else 1.0
            return Cut(normal, number(match[3]))
        *normal, position = _numbers(text, 4) or [None]
        return Cut(normal, position)
    except (ValueError, argparse.ArgumentTypeError):
        raise _refused('x,D, -x,D (or y, z) or NX,NY,NZ,D, a normal and a position', text) from None


def colour(text):
    try:
        colour_of(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    return text


def whole(text):
    try:
        return int(text)
    except ValueError:
        raise _refused('a whole number', text) from None


def _parser():
    parser = Parser('picture', description='Draws a frame of results, or a film.', epilog=_SELECTORS)
    parser.add_results()
    parser.add_argument('picture', metavar='PICTURE.png', nargs='?', help='file to write')
    frame = parser.add_argument_group('which frame').add_mutually_exclusive_group()
    frame.add_argument('--time', type=number, metavar='T', help='the last one not after T [s]')
    frame.add_argument('--frame', type=whole, metavar='N', help='by number; -1 is the last one (default)')
    film = parser.add_argument_group('film')
    film.add_argument('--film', metavar='FILM.mp4', help='a film of all frames, or of those that follow from')
    film.add_argument('--fps', type=positive, metavar='N', help='frames a second (default: 25)')
    parser.add_times()
    view = parser.add_argument_group('camera')
    view.add_argument('--size', type=size, default=(1200, 900), metavar='WxH', help='pixels (default: 1200x900)')
    view.add_argument('--towards', type=direction, metavar='X,Y,Z', help='viewing direction (default: 1,2,-1)')
    view.add_argument('--up', type=direction, metavar='X,Y,Z', help='direction that is up (default: z)')
    view.add_argument('--look-at', metavar='LABEL|X,Y,Z', help='what is in the middle')
    view.add_argument('--zoom', type=positive, metavar='Z', help='larger by this factor')
    view.add_argument('--fit', metavar='WHAT', help='what fills the picture (default: all that is seen)')
    view.add_argument('--perspective', action='store_true', help='instead of parallel rays')
    view.add_argument('--camera', metavar='FILE', help='camera of saved settings')
    view.add_argument('--settings', metavar='FILE', help='saved settings')
    colours = parser.add_argument_group('colours')
    colours.add_argument('--colour', metavar='FIELD', help="by a field; 'plain': none")
    colours.add_argument('--map', metavar='NAME', help='colour map (default: viridis)')
    colours.add_argument('--range', type=value_range, metavar='R', help='frame (default), run or LOW,HIGH')
    colours.add_argument('--log', action='store_true', help='logarithmic colours')
    colours.add_argument('--colour-obstacles', action='store_true', help='else they are grey under a colour map')
    contacts = parser.add_argument_group('contacts, vectors and joints')
    contacts.add_argument('--forces', nargs='?', const='arrows', choices=FORCES, help='arrows or a network')
    contacts.add_argument('--contacts', metavar='COLUMN', help='points of contact coloured by a column')
    contacts.add_argument('--vectors', choices=VECTORS, metavar='FIELD', help='arrows: ' + ', '.join(VECTORS))
    contacts.add_argument('--joints', action='store_true', help='signs of joints and prescribed motions')
    seen = parser.add_argument_group('what is seen (can be repeated)')
    seen.add_argument('--hide', action='append', metavar='WHAT', help='not drawn')
    seen.add_argument('--hide-obstacles', action='append_const', dest='hide', const='kind:OBSTACLE', help='all of them')
    seen.add_argument('--only', action='append', metavar='WHAT', help='hides all others')
    seen.add_argument('--see-through', '--transparent', action='append', metavar='WHAT', help='transparent')
    seen.add_argument('--cut', action='append', type=cut, metavar='x,D|NX,NY,NZ,D',
                      help='takes away x > D (-x,-D: x < D), or what is beyond the plane')
    look = parser.add_argument_group('look')
    look.add_argument('--magnify', type=number, metavar='F',
                      help='displacements of finite-element bodies F times as large')
    look.add_argument('--undeformed', action='store_true',
                      help='edges of the reference shapes of bodies that deform, as grey lines')
    look.add_argument('--edges', choices=EDGES, help='none, surface (default) or elements')
    look.add_argument('--no-legend', action='store_true', help='without colour bar and categories')
    look.add_argument('--axes', action='store_true', help='directions of x, y, z')
    look.add_argument('--scale-bar', action='store_true', help='a bar with its length')
    look.add_argument('--title', metavar='TEXT', help='a line at the top')
    look.add_argument('--show-time', action='store_true', help='the time of the frame')
    look.add_argument('--text-size', type=positive, metavar='F', help='all texts larger by this factor')
    look.add_argument('--background', type=colour, metavar='COLOUR', help='#rrggbb or a name (default: white)')
    look.add_argument('--no-shadows', action='store_true', help='without shadows')
    look.add_argument('--ambient-occlusion', action='store_true', help='darker gaps and corners')
    return parser


_SELECTORS = '''\
WHAT is a label or a regular expression of labels, kind:OBSTACLE (RIGID, PSEUDO_RIGID, FINITE_ELEMENT), material:LABEL,
id:NUMBER or surface:NUMBER.
'''


def _joined(words):
    """'--towards -1,2,3' as '--towards=-1,2,3': else argparse takes the value for an option."""
    result = []
    for word in words:
        if re.match(r'-[\d.xyz]', word) and result and re.fullmatch(r'--[a-z-]+', result[-1]):
            result[-1] += '=' + word
        else:
            result.append(word)
    return result


def settings_of(given):
    """ViewSettings by the options of a command line, without --look-at."""
    settings = _load('settings', given.settings, ViewSettings.load) or ViewSettings()
    camera = _load('camera', given.camera, load_camera) or settings.camera
    if given.towards or given.up or given.zoom or given.perspective or given.fit:
        aimed = given.towards or given.zoom or given.fit  # what a saved camera says of its place holds no longer
        if given.up and not any(_cross(given.up, given.towards or camera.towards)):
            raise Failure(f'argument --up: expected a direction that is not along the line of sight; got {given.up}')
        changes = {name: getattr(given, name) for name in ('towards', 'up', 'zoom', 'fit') if getattr(given, name)}
        if aimed:
            changes.update(position=None, parallel_scale=None)
        if given.towards or given.fit:
            changes.update(focal_point=None)
        if given.perspective:
            changes.update(parallel=False)
        camera = dataclasses.replace(camera, **changes)
    if given.scale_bar and not camera.parallel:
        raise Failure('argument --scale-bar: is of parallel rays; in perspective lengths depend on the distance')
    values = {'camera': camera}
    for option, name in (('colour', 'colour'), ('map', 'colour_map'), ('range', 'range'), ('forces', 'forces'),
                         ('contacts', 'contacts'), ('vectors', 'vectors'), ('edges', 'edges'),
                         ('background', 'background'), ('title', 'title'), ('text_size', 'text_scale'),
                         ('magnify', 'magnify')):
        if getattr(given, option) is not None:
            values[name] = getattr(given, option)
    for option, name in (('hide', 'hidden'), ('only', 'only'), ('see_through', 'transparent'), ('cut', 'cuts')):
        if getattr(given, option):
            values[name] = getattr(settings, name) + getattr(given, option)
    for option, name, value in (('log', 'logarithmic', True), ('colour_obstacles', 'colour_obstacles', True),
                                ('no_legend', 'legend', False), ('axes', 'axes', True),
                                ('scale_bar', 'scale_bar', True), ('show_time', 'time', True),
                                ('no_shadows', 'shadows', False), ('undeformed', 'undeformed', True),
                                ('joints', 'joints', True),
                                ('ambient_occlusion', 'ambient_occlusion', True)):
        if getattr(given, option):
            values[name] = value
    try:
        return settings.changed(**values)
    except ValueError as error:
        raise Failure(f'argument --range or --log: {error}' if 'range' in str(error) else str(error)) from None


def _cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def _load(option, path, read):
    if path is None:
        return None
    try:
        return read(path)
    except (OSError, ValueError) as error:
        raise Failure(f'argument --{option}: {error}') from None


def _check(scene, given):
    """Names that the scene must know, by the options that give them."""
    from solfec.colours import check_map
    from solfec.rendering.selection import select
    checks = [('colour', given.colour, lambda name: name == 'plain' or scene.field(name)),
              ('map', given.map, check_map), ('contacts', given.contacts, _column),
              ('fit', given.fit, lambda text: select(scene, [text]))]
    for option in ('hide', 'only', 'see_through'):
        checks += [(option, text, lambda text: select(scene, [text])) for text in getattr(given, option) or ()]
    for option, text, check in checks:
        if text is not None:
            try:
                check(text)
            except ValueError as error:
                raise Failure(f'argument --{option.replace("_", "-")}: {error}') from None


def _column(name):
    if name not in COLUMNS:
        raise ValueError(f'unknown figure of contacts {name!r}; there are: ' + ', '.join(COLUMNS))


def _look_at(scene, settings, text):
    """Settings with a point, or the middle of the bodies with a label, in the middle of the picture."""
    from solfec.rendering.selection import select
    point = _numbers(text, 3)
    if point is None:
        try:
            bodies = select(scene, [text]).bodies
        except ValueError as error:
            raise Failure(f'argument --look-at: {error}') from None
        if not bodies.any():
            raise Failure(f'argument --look-at: expected a body that is there at {scene.time:g} s; got {text!r}')
        low, high = scene.bounds(bodies)
        point = 0.5 * (low + high)
    moved = dataclasses.replace(settings.camera, position=None, focal_point=tuple(map(float, point)))
    return settings.changed(camera=moved)


def _check_output(option, path, suffix):
    check_output(path, suffix, argument=option)
    check_place(path, option)


@contextlib.contextmanager
def _writing(option, path):
    """What the system says is of this file, and not of the results."""
    try:
        yield
    except OSError as error:
        raise Failure(f'argument {option}: {path} cannot be written: {error.strerror or error}') from None


def _frames(scene, given):
    """Numbers of the frames that are drawn."""
    n = len(scene.times)
    if given.film:
        numbers = frames_between(scene.times, given.start, given.stop, given.every)
        if not numbers:
            raise Failure(no_frames(scene.times, given.start, given.stop))
        return numbers
    if given.time is not None:
        return [frame_at(scene.times, given.time)]
    if given.frame is not None and not -n <= given.frame < n:
        raise Failure(f'argument --frame: expected a number in {-n} ... {n - 1}; got {given.frame}')
    return [range(n)[-1 if given.frame is None else given.frame]]


def main(arguments: Sequence[str] | None = None) -> int:
    """The exit code of a command line: 0, or 2 after a line that tells what was wrong."""
    words = sys.argv[1:] if arguments is None else list(arguments)
    try:
        given = _parser().parse_intermixed_args(_joined(map(str, words)))
        _run(given)
    except Failure as failure:
        print(f'solfec picture: {failure}', file=sys.stderr)
        return 2
    return 0


def _run(given):
    if (given.picture is None) == (given.film is None):
        raise Failure('expected a file PICTURE.png, or --film FILM.mp4; got ' + ('both' if given.film else 'neither'))
    only_film = [name for name, value in (('--from', given.start), ('--to', given.stop), ('--fps', given.fps),
                                          ('--every', given.every > 1 or None)) if value is not None]
    if only_film and not given.film:
        raise Failure(f'argument {only_film[0]}: is of films; give --film FILM.mp4')
    if given.film and (given.time is not None or given.frame is not None):
        raise Failure('argument --time or --frame: is of pictures; films take --from and --to')
    check_times(given)
    if given.film:
        _check_output('--film', given.film, '.mp4')
    else:
        _check_output('PICTURE.png', given.picture, '.png')
    settings = settings_of(given)
    try:
        from solfec.rendering import Drawing, MissingGraphics
        from solfec.rendering.film import Film
    except RuntimeError as error:
        raise Failure(str(error)) from None
    with results_in(RESULTS=given.RESULTS) as results:
        scene = Scene(results)
        frames = _frames(scene, given)
        scene.frame(frames[0])
        _check(scene, given)
        if given.look_at:
            settings = _look_at(scene, settings, given.look_at)
        try:
            drawing = Drawing(scene, settings, size=given.size)
            if given.film:
                film = Film(given.film, given.size, given.fps or 25)
                with _writing('--film', given.film):
                    seconds = film.write(drawing, frames)
                print(f'{given.film}: {len(frames)} frames, {seconds:.3g} s')
            else:
                image = drawing.image()
                with _writing('PICTURE.png', given.picture):
                    write_png(given.picture, image)
                print(f'{given.picture}: time {scene.time:g} s, {int(drawing.visible.bodies.sum())} bodies')
        except (ValueError, MissingGraphics) as error:
            raise Failure(str(error)) from None


if __name__ == '__main__':
    sys.exit(main())
