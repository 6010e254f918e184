"""How a scene is drawn: colours, forces, what is hidden or cut, the camera. Saved as JSON.

Pictures, films, the window and pages are drawn by the same ViewSettings:

    from solfec.view_settings import ViewSettings
    settings = ViewSettings(colour='speed', hidden=['kind:OBSTACLE'], cuts=[Cut((1, 0, 0), 0.1)])
    settings.save('view.json')
    settings = ViewSettings.load('view.json')

Values are checked when settings are made, loaded or changed by changed(); what is wrong is a ValueError that names the
setting, what was expected and what came. Whether labels and fields exist depends on the scene: drawing tells.
"""

from __future__ import annotations

import dataclasses
import json
import math
import os
import re
from dataclasses import dataclass, field
from typing import Any

from solfec.whole_files import write_json

FORCES = ('none', 'arrows', 'network')
EDGES = ('none', 'surface', 'elements')
RANGES = ('frame', 'run')
VECTORS = ('displacement', 'velocity', 'angular velocity')

NAMED_COLOURS = {'white': '#ffffff', 'black': '#000000', 'grey': '#808080', 'light': '#f2f2ef', 'dark': '#1e2126'}


def _real(name, value, low=-math.inf, high=math.inf):
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
    if not is_number or not low <= value <= high:
        bounds = '' if low == -math.inf else f' in {low:g} ... {high:g}'
        raise ValueError(f'{name} must be a finite number{bounds}; got {value!r}')
    return float(value)


def _positive(name, value):
    if _real(name, value) <= 0:
        raise ValueError(f'{name} must be positive; got {value!r}')
    return float(value)


def _vector(name, value, direction=False):
    try:
        numbers = tuple(_real(name, x) for x in value)
    except (TypeError, ValueError):
        numbers = ()
    if len(numbers) != 3 or direction and not any(numbers):
        raise ValueError(f'{name} must be three finite numbers{", not all zero" if direction else ""}; got {value!r}')
    return numbers


def _choice(name, value, choices):
    if value not in choices:
        raise ValueError(f'{name} must be one of {", ".join(map(str, choices))}; got {value!r}')


def _texts(name, value):
    if isinstance(value, str) or not all(isinstance(text, str) and text for text in value):
        raise ValueError(f'{name} must be a list of texts; got {value!r}')
    return list(value)


def colour_of(text: str) -> tuple[float, ...]:
    """(red, green, blue) in 0 ... 1 of '#rrggbb' or one of NAMED_COLOURS."""
    code = NAMED_COLOURS.get(text, text)
    if not isinstance(code, str) or not re.fullmatch('#[0-9a-fA-F]{6}', code):
        raise ValueError(f'a colour must be #rrggbb or one of {", ".join(NAMED_COLOURS)}; got {text!r}')
    return tuple(int(code[k:k + 2], 16) / 255 for k in (1, 3, 5))


@dataclass
class Cut:
    """A plane that takes away what lies at normal . x > position.

    normal    direction; made a unit vector, and `position` is scaled with it
    position  of the plane along the normal [m]
    """
    normal: tuple
    position: float

    def __post_init__(self):
        normal = _vector('normal of a cut', self.normal, direction=True)
        length = math.sqrt(sum(x * x for x in normal))
        self.normal = tuple(x / length for x in normal)
        self.position = _real('position of a cut', self.position) / length


@dataclass
class Camera:
    """Where a scene is seen from. Without `position` the whole scene is seen, along `towards`.

    towards         direction in which the viewer looks
    up              direction that is up in the picture; None: z, or y when looking along z
    position        of the eye [m], or None
    focal_point     the point in the middle of the picture, without `position` of its part beside the legend [m]; None:
                    the middle of the scene
    parallel        parallel rays, or perspective
    parallel_scale  half of the height that is seen with parallel rays [m]; None: so that all is seen
    view_angle      angle of the whole height in perspective [degrees]
    fit             None, or a text that selects bodies (as in ViewSettings): those fill the picture instead of all
    zoom            makes what is fitted automatically larger by this factor
    """
    towards: tuple = (1.0, 2.0, -1.0)
    up: tuple | None = None
    position: tuple | None = None
    focal_point: tuple | None = None
    parallel: bool = True
    parallel_scale: float | None = None
    view_angle: float = 30.0
    zoom: float = 1.0
    fit: str | None = None

    def __post_init__(self):
        self.towards = _vector('towards', self.towards, direction=True)
        for name in ('up', 'position', 'focal_point'):
            value = getattr(self, name)
            if value is not None:
                setattr(self, name, _vector(name, value, direction=name == 'up'))
        _choice('parallel', self.parallel, (True, False))
        if self.parallel_scale is not None:
            self.parallel_scale = _positive('parallel_scale', self.parallel_scale)
        self.view_angle = _real('view_angle', self.view_angle, 0.1, 170)
        self.zoom = _positive('zoom', self.zoom)
        if self.fit is not None and not (isinstance(self.fit, str) and self.fit):
            raise ValueError(f'fit must be None or a text that selects bodies; got {self.fit!r}')
        if self.position is not None and self.position == self.focal_point:
            raise ValueError(f'position and focal_point must differ; got {self.position!r} for both')


@dataclass
class ViewSettings:
    """Everything that says how a scene is drawn.

    Colours of bodies
      colour       'plain' or the name of a field (Scene.fields())
      colour_map   name of a colour map (colours.map_names())
      range        of the colour map: 'frame' (least and largest value of each), 'run' (of all frames) or [low, high]
      logarithmic  the colour map is spread over the logarithm of values; the range must then be positive
      colour_obstacles  obstacles have colours of the map too, and count for its range; else they are grey
    Forces of contacts, figures of contacts, vectors of bodies, joints
      forces        'none', 'arrows' or 'network': tubes along the contact forces, thicker with |R|, coloured by state
      force_scale   makes arrows longer and tubes thicker
      contacts      None or a column of contacts (contact_table.COLUMNS): points of contact coloured by it
      vectors       None or one of VECTORS: arrows at the bodies
      vector_scale  makes them longer
      joints        signs of joints and prescribed motions, at their points
    What is seen: texts that select bodies. 'kind:OBSTACLE', 'label:funnel', 'material:steel', 'id:12', 'surface:3';
    without a prefix a label. Labels and materials may be regular expressions that match the whole of it.
      only         when not empty all other bodies are hidden
      hidden       not drawn
      transparent  drawn with `opacity`
      cuts         list of Cut
    Look
      magnify            displacements of finite-element bodies are drawn so many times as large
      undeformed         edges of the reference shapes of finite-element and pseudo-rigid bodies, where those were
      edges              'none', 'surface' (where faces meet at an angle, outlines of balls), 'elements' (all faces)
      legend, axes       the colour bar or the list of categories; the directions of x, y, z
      scale_bar          a bar with its length (parallel rays only)
      title, time        a line of text, and the time of the frame, at the upper left
      text_scale         makes all texts larger
      background         '#rrggbb' or one of NAMED_COLOURS
      shadows            from the light over the viewer's left shoulder
      ambient_occlusion  corners and gaps are darker
      camera             Camera
    """
    colour: str = 'plain'
    colour_map: str = 'viridis'
    range: object = 'frame'
    logarithmic: bool = False
    colour_obstacles: bool = False
    forces: str = 'none'
    force_scale: float = 1.0
    contacts: str | None = None
    vectors: str | None = None
    vector_scale: float = 1.0
    joints: bool = False
    only: list = field(default_factory=list)
    hidden: list = field(default_factory=list)
    transparent: list = field(default_factory=list)
    opacity: float = 0.12
    cuts: list = field(default_factory=list)
    magnify: float = 1.0
    undeformed: bool = False
    edges: str = 'surface'
    legend: bool = True
    axes: bool = False
    scale_bar: bool = False
    title: str = ''
    time: bool = False
    text_scale: float = 1.0
    background: str = '#ffffff'
    shadows: bool = True
    ambient_occlusion: bool = False
    camera: Camera = field(default_factory=Camera)

    def __post_init__(self):
        for name in ('colour', 'colour_map', 'title'):
            if not isinstance(getattr(self, name), str):
                raise ValueError(f'{name} must be a text; got {getattr(self, name)!r}')
        self.range = _range(self.range, self.logarithmic)
        for name in ('logarithmic', 'colour_obstacles', 'joints', 'undeformed', 'legend', 'axes', 'scale_bar', 'time',
                     'shadows', 'ambient_occlusion'):
            _choice(name, getattr(self, name), (True, False))
        _choice('forces', self.forces, FORCES)
        _choice('edges', self.edges, EDGES)
        _choice('vectors', self.vectors, (None, *VECTORS))
        if self.contacts is not None and not isinstance(self.contacts, str):
            raise ValueError(f'contacts must be None or the name of a column; got {self.contacts!r}')
        self.force_scale = _positive('force_scale', self.force_scale)
        self.vector_scale = _positive('vector_scale', self.vector_scale)
        self.magnify = _real('magnify', self.magnify)
        self.text_scale = _real('text_scale', self.text_scale, 0.1, 10)
        self.opacity = _real('opacity', self.opacity, 0, 1)
        for name in ('only', 'hidden', 'transparent'):
            setattr(self, name, _texts(name, getattr(self, name)))
        self.cuts = [cut if isinstance(cut, Cut) else _from(Cut, cut, 'a cut') for cut in self.cuts]
        if len(self.cuts) > 6:
            raise ValueError(f'cuts must be at most 6; got {len(self.cuts)}')
        if not isinstance(self.camera, Camera):
            self.camera = _from(Camera, self.camera, 'camera')
        colour_of(self.background)

    def changed(self, **values: Any) -> ViewSettings:
        """A checked copy with other values."""
        return dataclasses.replace(self, **values)

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers, texts, lists and dictionaries, as JSON has them."""
        return dataclasses.asdict(self)

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> ViewSettings:
        """From to_dict(), or from a part of it; unknown names are errors."""
        return _from(cls, values, 'settings')

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a JSON file."""
        write_json(path, self.to_dict())

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> ViewSettings:
        """From a JSON file; ValueError tells the file and what is wrong in it."""
        return _load(path, cls.from_dict)


def load_camera(path: str | os.PathLike[str]) -> Camera:
    """The Camera in a JSON file of whole settings or of a camera alone."""
    def read(values):
        if isinstance(values, dict) and 'camera' in values:
            return ViewSettings.from_dict(values).camera
        return _from(Camera, values, 'camera')
    return _load(path, read)


def _load(path, read):
    with open(path) as file:
        try:
            return read(json.load(file))
        except (ValueError, TypeError) as error:  # JSONDecodeError and UnicodeDecodeError are ValueErrors
            raise ValueError(f'{path}: {error}') from None


def _from(cls, values, what):
    """An object of a dataclass from a dictionary."""
    if not isinstance(values, dict):
        raise ValueError(f'{what} must be an object with names and values; got {values!r}')
    names = [entry.name for entry in dataclasses.fields(cls)]
    unknown = [name for name in values if name not in names]
    if unknown:
        raise ValueError(f'{what} has no {unknown[0]!r}; there are: ' + ', '.join(names))
    try:
        return cls(**values)
    except TypeError as error:
        raise ValueError(f'{what}: {error}') from None


def _range(value, logarithmic):
    if isinstance(value, str):
        _choice('range', value, (*RANGES, '[low, high]'))
        return value
    try:
        low, high = (_real('range', x) for x in value)
    except (TypeError, ValueError):
        raise ValueError(f'range must be frame, run or two finite numbers; got {value!r}') from None
    if not low < high:
        raise ValueError(f'range must be a lower and a higher number; got {value!r}')
    if logarithmic and low <= 0:
        raise ValueError(f'range must be positive with a logarithmic scale; got {value!r}')
    return [low, high]
