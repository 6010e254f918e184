"""Texts and signs at the sides of a picture: colour bars, lists of categories, scale bar, directions of axes."""

import functools
import importlib.util
import os
import unicodedata

import numpy as np
from vtkmodules.vtkCommonCore import VTK_FONT_FILE
from vtkmodules.vtkRenderingCore import vtkActor2D, vtkPolyDataMapper2D, vtkTextActor, vtkTextProperty, vtkTextRenderer

from solfec.rendering import arrays

_BAR_WIDTH, _BAR_HEIGHT, _LEAST_BAR = 1.4, 20, 8  # of the size of letters
_DOTS = 72  # an inch: a font of size 14 has then 14 pixels
AXES_HIGH, _AXES_LOW = 9.2, 4.5  # room of the axes in their corner; elsewhere, of the scale bar too
_CLOSE = 0.06  # share of a bar within which the value of its end takes the place of a round value
_PREFIXES = {-6: 'µ', -3: 'm', 0: '', 3: 'k', 6: 'M', 9: 'G'}
_LEAST_POWER = {'Pa': 0, 'N': -3, 'J': -3, 'W': -3, 'm': -6}  # units that take prefixes
WEDGE_COLOUR = (128, 130, 136)
AXIS_COLOURS = np.array([(196, 58, 49), (58, 140, 63), (52, 91, 176)], dtype=np.uint8)


def nice_step(length, most):
    """The least of 1, 2, 5 times a power of ten of which at most `most` go into a length."""
    raw = length / most
    power = 10.0 ** np.floor(np.log10(raw))
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= raw * (1 - 1E-9))


def nice_below(length):
    """The greatest of 1, 2, 5 times a power of ten that is not above a length."""
    power = 10.0 ** np.floor(np.log10(length))
    return next(factor * power for factor in (5, 2, 1) if factor * power <= length * (1 + 1E-9))


def ticks(scale, most=6):
    """Round values within the range of a Scale."""
    low, high = scale.low, scale.high
    if not high > low:
        return np.array([low])
    if scale.logarithmic:
        powers = 10.0 ** np.arange(np.floor(np.log10(low)), np.ceil(np.log10(high)) + 1)
        values = powers[(powers >= low * (1 - 1E-9)) & (powers <= high * (1 + 1E-9))]
        if len(values) > most:
            values = values[::-(-len(values) // most)]
        if len(values) > 1:
            return values
        values = np.outer(powers, (1, 2, 5)).ravel()
        return values[(values >= low * (1 - 1E-9)) & (values <= high * (1 + 1E-9))]
    step = nice_step(high - low, most)
    first = np.ceil(low / step - 1E-6)
    return step * np.arange(first, np.floor(high / step + 1E-6) + 1)


def texts_of(values):
    """As few digits as tell them apart; a common form."""
    values = np.where(np.abs(values) < 1E-12 * np.abs(values).max(initial=0), 0.0, values)
    for digits in range(3, 17):
        texts = [f'{value:.{digits}g}' for value in values]
        if len(set(texts)) == len(texts):
            break
    return [text.replace('e+0', 'e').replace('e+', 'e').replace('e-0', 'e-') for text in texts]


def prefixed(unit, largest):
    """(factor, unit) in which numbers up to `largest` are short: (1E6, 'MPa')."""
    if unit not in _LEAST_POWER or not 0 < largest < np.inf or 0.1 <= largest < 1:
        return 1.0, unit
    power = 3 * int(np.floor(np.log10(largest * (1 + 1E-9)) / 3))
    power = int(np.clip(power, _LEAST_POWER[unit], 0 if unit == 'm' else 9))
    return 10.0**power, _PREFIXES[power] + unit


def quantity(value, unit):
    """A number with its unit: '1.65 kN'."""
    factor, unit = prefixed(unit, abs(value))
    return f'{texts_of(np.array([value / factor]))[0]} {unit}'


@functools.cache
def _wide_font(bold):
    """A file with the letters of many languages, or None; matplotlib brings one along."""
    spec = importlib.util.find_spec('matplotlib')
    folders = [os.path.join(os.path.dirname(spec.origin), 'mpl-data/fonts/ttf')] if spec else []
    folders += ['/usr/share/matplotlib/mpl-data/fonts/ttf', '/usr/share/fonts/truetype/dejavu']
    name = 'DejaVuSans-Bold.ttf' if bold else 'DejaVuSans.ttf'
    return next(filter(os.path.isfile, (os.path.join(folder, name) for folder in folders)), None)


def choose_font(look, text, bold):
    """Gives a text its font; returns the text, with ? for what is not in it. The one of VTK has the letters of Western
    Europe, and leaves out all others; the wide one has Greek, Cyrillic and signs, but not those of East Asia."""
    look.SetBold(bold)
    if all(ord(letter) < 256 for letter in text):
        return text
    font = _wide_font(bold)
    if font is None:
        return text.encode('latin-1', 'replace').decode('latin-1')
    look.SetFontFamily(VTK_FONT_FILE)
    look.SetFontFile(font)
    return ''.join('?' if unicodedata.east_asian_width(letter) in 'WF' else letter for letter in text)


@functools.lru_cache(maxsize=1000)
def text_width(text, bold=False):
    """Width of a line of text, in sizes of letters."""
    look, box = vtkTextProperty(), [0, 0, 0, 0]
    look.SetFontSize(100)
    shown = choose_font(look, text, bold)
    vtkTextRenderer.GetInstance().GetBoundingBox(look, shown.encode(), box, _DOTS, vtkTextRenderer.Default)
    return (box[1] - box[0] + 1) / 100


class Bar:
    """A colour bar: its title with the unit, round values, and the values of both ends."""

    def __init__(self, name, unit, scale):
        self.scale, self.high = scale, _BAR_HEIGHT
        largest = max(abs(scale.low), abs(scale.high))
        factor, unit = (1.0, unit) if scale.logarithmic else prefixed(unit, largest)
        self.title = f'{name} [{unit}]' if unit else name
        ends = np.unique([scale.low, scale.high])
        self.colours = scale.table if len(ends) > 1 else scale.colours(ends)  # the one that there is
        values = ticks(scale)
        if len(ends) > 1:
            share = scale.share(values)
            values = values[(share > _CLOSE) & (share < 1 - _CLOSE)]
        else:
            values = values[:0]
        self.values = np.concatenate([values, ends])
        # Next to a range that is a thousand times as wide an end is zero to the eye.
        near_zero = (np.abs(ends) < 1E-3 * (scale.high - scale.low)) & (not scale.logarithmic)
        self.texts = texts_of(values / factor) + texts_of(np.where(near_zero, 0, ends) / factor)

    def width(self):
        return max([text_width(self.title, True), *(text_width(text) + _BAR_WIDTH + 0.6 for text in self.texts)])

    def height(self):
        return self.high + 2.2

    def shrink(self, excess):
        """Is lower by some excess, as far as its texts let it."""
        self.high = max(_LEAST_BAR, self.high - excess)

    def draw(self, canvas, x, top):
        canvas.text(self.title, x, top, bold=True)
        low, high = top - 1.9 - self.high + 0.4, top - 1.9
        canvas.bar(x, low, x + _BAR_WIDTH, high, self.colours)
        for value, text in zip(self.values, self.texts):
            share = float(np.clip(self.scale.share([value])[0], 0, 1))
            y = low + share * (high - low)
            canvas.lines([((x + _BAR_WIDTH, y), (x + _BAR_WIDTH + 0.35, y))])
            canvas.text(text, x + _BAR_WIDTH + 0.6, y, middle=True)


class Rows:
    """A title and rows of names, with something of a width before each, drawn by `mark`."""

    def __init__(self, title, names, room):
        self.title, self.names, self.room = title, list(names), room

    def width(self):
        return max([text_width(self.title, True), *(self.room + text_width(name) for name in self.names)])

    def height(self):
        return 1.6 + 1.5 * len(self.names)

    def draw(self, canvas, x, top):
        canvas.text(self.title, x, top, bold=True)
        for k, name in enumerate(self.names):
            y = top - 2.2 - 1.5 * k
            self.mark(canvas, k, x, y)
            canvas.text(name, x + self.room, y, middle=True)


class Names(Rows):
    """Categories with their colours."""

    MOST = 14

    def __init__(self, title, colours, names):
        super().__init__(title, names, 1.5)
        self.colours = colours
        if len(self.names) > self.MOST:
            more = len(self.names) - self.MOST + 1
            self.names, self.colours = self.names[:self.MOST - 1], self.colours[:self.MOST - 1]
            self.names.append(f'... {more} more')

    def mark(self, canvas, k, x, y):
        if k < len(self.colours):
            canvas.bar(x, y - 0.5, x + 1.0, y + 0.5, np.array([self.colours[k]]))


class Note:
    """A line of text."""

    def __init__(self, text):
        self.text = text

    def width(self):
        return text_width(self.text)

    def height(self):
        return 1.2

    def draw(self, canvas, x, top):
        canvas.text(self.text, x, top)


class LineName:
    """What lines of a colour are."""

    def __init__(self, colour, text):
        self.colour, self.text = np.round(255 * np.array(colour)), text

    def width(self):
        return 2.0 + text_width(self.text)

    def height(self):
        return 1.2

    def draw(self, canvas, x, top):
        canvas.lines([((x, top - 0.6), (x + 1.5, top - 0.6))], colours=[self.colour])
        canvas.text(self.text, x + 2.0, top - 0.6, middle=True)


class Symbols(Rows):
    """Signs of one colour, by SYMBOLS."""

    LENGTH = 1.6  # of a symbol, in sizes of letters

    def __init__(self, title, colour, names):
        super().__init__(title, names, self.LENGTH + 0.5)
        self.colour = colour

    def mark(self, canvas, k, x, y):
        SYMBOLS[self.names[k]](canvas, x, y, self.colour)


def _pinned_point(canvas, x, y, colour):
    canvas.disc(x + 0.8, y, 0.38, colour)


def _fixed_direction(canvas, x, y, colour):
    for end in (0.0, 1.6):
        canvas.wedge(x + 0.8, x + end, y, 0.7, colour)


def _prescribed_motion(canvas, x, y, colour):
    canvas.lines([((x, y), (x + 0.9, y))], 0.2, [colour])
    canvas.wedge(x + 1.6, x + 0.8, y, 0.7, colour)


def _rigid_link(canvas, x, y, colour):
    canvas.lines([((x + 0.2, y), (x + 1.4, y))], 0.2, [colour])
    for end in (0.25, 1.35):
        canvas.disc(x + end, y, 0.25, colour)


def _spring(canvas, x, y, colour):
    places = [(x + 0.2 * k, y + height) for k, height in enumerate((0, 0, 0.4, -0.4, 0.4, -0.4, 0.4, 0, 0))]
    canvas.lines(list(zip(places, places[1:])), 0.12, [colour] * 8)


SYMBOLS = {'pinned point': _pinned_point, 'fixed direction': _fixed_direction, 'rigid link': _rigid_link,
           'prescribed motion': _prescribed_motion, 'spring': _spring}


class Widths:
    """The scale of the widths of tubes: a wedge from 0 to the largest force, there as wide as its tube in the picture.
    Of wide tubes it ends at a lower round force."""

    MOST, LENGTH, START = 2.0, 5.0, 1.1  # greatest width, length and place of the wedge, in sizes of letters

    def __init__(self, largest, unit, wide):
        """largest: the number that the widest tube stands for; wide: its width in sizes of letters"""
        self.largest, self.unit = largest, unit
        self.end = largest if wide <= self.MOST else nice_below(largest * self.MOST / wide)
        self.wide = wide * self.end / largest

    def width(self):
        """Also after another camera, when the wedge may end at a round force, with fewer digits."""
        return self.START + self.LENGTH + 0.5 + text_width(quantity(self.largest, self.unit))

    def height(self):
        return self.MOST

    def draw(self, canvas, x, top):
        y, start = top - 0.5 * self.MOST, x + self.START
        canvas.text('0', x, y, middle=True)
        canvas.wedge(start, start + self.LENGTH, y, self.wide, WEDGE_COLOUR)
        canvas.text(quantity(self.end, self.unit), start + self.LENGTH + 0.5, y, middle=True)


class Canvas:
    """Draws in the plane of the picture; lengths are in sizes of letters, from the lower left corner."""

    def __init__(self, renderer):
        self.renderer, self.letter, self.ink, self.paper = renderer, 14, (0, 0, 0), (1, 1, 1)
        self.props = []

    def clear(self):
        for prop in self.props:
            self.renderer.RemoveViewProp(prop)
        self.props = []

    def _add(self, prop):
        self.renderer.AddViewProp(prop)
        self.props.append(prop)

    def text(self, text, x, y, bold=False, middle=False, centred=False, colour=None):
        actor = vtkTextActor()
        look = actor.GetTextProperty()
        actor.SetInput(choose_font(look, text, bold))
        look.SetFontSize(int(round(self.letter)))
        look.SetColor(self.ink if colour is None else colour)
        look.SetVerticalJustificationToCentered() if middle else look.SetVerticalJustificationToTop()
        if centred:
            look.SetJustificationToCentered()
        actor.SetPosition(x * self.letter, y * self.letter)
        self._add(actor)

    def bar(self, x0, y0, x1, y1, colours):
        """A column of colours from below upwards, with a thin frame."""
        n = len(colours)
        y = np.linspace(y0, y1, n + 1)
        corners = np.array([[(x0, y[k]), (x1, y[k]), (x1, y[k + 1]), (x0, y[k + 1])] for k in range(n)]).reshape(-1, 2)
        self._plane(corners, polygons=np.arange(4 * n).reshape(n, 4), colours=colours)
        frame = [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]
        self.lines(list(zip(frame, frame[1:] + frame[:1])), width=0.05)

    def wedge(self, x0, x1, y, wide, colour):
        """A triangle around y, from a tip at x0 to x1, where it has a width."""
        corners = np.array([(x0, y), (x1, y - 0.5 * wide), (x1, y + 0.5 * wide)])
        self._plane(corners, polygons=[[0, 1, 2]], colours=[colour])

    def disc(self, x, y, radius, colour):
        angle = np.linspace(0, 2 * np.pi, 32, endpoint=False)
        corners = np.array([x, y]) + radius * np.stack([np.cos(angle), np.sin(angle)], axis=1)
        self._plane(corners, polygons=[np.arange(32)], colours=[colour])

    def panel(self, x0, y0, x1, y1, colour, opacity):
        """Paper under a legend, so that it can be read over bodies."""
        corners = np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)])
        self._plane(corners, polygons=[[0, 1, 2, 3]], colours=[np.round(255 * np.array(colour))])
        self.props[-1].GetProperty().SetOpacity(opacity)

    def lines(self, pairs, width=0.08, colours=None):
        corners = np.array(pairs, dtype=float).reshape(-1, 2)
        self._plane(corners, lines=np.arange(len(corners)).reshape(-1, 2), colours=colours, width=width)

    def _plane(self, corners, polygons=None, lines=None, colours=None, width=0.08):
        flat = np.column_stack([corners * self.letter, np.zeros(len(corners))])
        data = arrays.poly_data(flat.astype(np.float32), *(None if c is None else arrays.equal_cells(c)
                                                           for c in (polygons, lines)))
        mapper, actor = vtkPolyDataMapper2D(), vtkActor2D()
        if colours is None:
            actor.GetProperty().SetColor(self.ink)
        else:
            data.GetCellData().SetScalars(arrays.array(np.asarray(colours, dtype=np.uint8)))
        actor.GetProperty().SetLineWidth(max(1.0, width * self.letter))
        mapper.SetInputData(data)
        actor.SetMapper(mapper)
        self._add(actor)


def width_of(blocks):
    """Room that a legend needs, in sizes of letters; 0 without one."""
    return max(block.width() for block in blocks) + 2.5 if blocks else 0


def height_of(blocks):
    return sum(block.height() + 1.2 for block in blocks) - 1.2


def header_height(lines):
    """Room that lines at the top need, in sizes of letters."""
    return 1.4 * len(lines) + 1.2 if lines else 0


def draw_header(canvas, lines, size):
    """Lines at the upper left, the first one bold if there are more."""
    top = size[1] / canvas.letter - 1.0
    if lines:
        wide = max(text_width(line, bold=True) for line in lines) + 1.6
        canvas.panel(0.7, top - 1.4 * len(lines) - 0.2, 0.7 + wide, top + 0.4, canvas.paper, 0.8)
    for k, line in enumerate(lines):
        canvas.text(line, 1.5, top - 1.4 * k, bold=k == 0 and len(lines) > 1)


def draw_legend(canvas, blocks, size):
    """Blocks below each other at the right side of a picture of `size` pixels. Where there is not enough room colour
    bars are lower, and those that do not fit in full even then are left out from below."""
    x = size[0] / canvas.letter - width_of(blocks) + 0.5
    height = size[1] / canvas.letter
    bars = [block for block in blocks if isinstance(block, Bar)]
    excess = max(0, height_of(blocks) - height + 2)
    for bar in bars:
        bar.shrink(excess / len(bars))
    total = height_of(blocks)
    top = min(height - 1, 0.5 * height + 0.5 * total)
    if blocks:
        canvas.panel(x - 0.8, max(0.3, top - total - 0.8), size[0] / canvas.letter - 0.3, top + 0.8, canvas.paper, 0.8)
    for block in blocks:
        if top - block.height() < 0 and block is not blocks[0]:
            break
        block.draw(canvas, x, top)
        top -= block.height() + 1.2


def signs_height(axes, scale_bar):
    """Room that they need, in sizes of letters. The axes are higher, AXES_HIGH, in the corner."""
    return _AXES_LOW if axes or scale_bar else 0


def draw_signs(canvas, camera, size, axes, scale_bar):
    """Directions of axes and the scale bar, at the lower left; they change with the camera (VTK's)."""
    canvas.clear()
    x = 1.5
    if axes:
        view = camera.GetViewTransformMatrix()
        middle = np.array([4.5, 4.5])
        ends = np.array([[view.GetElement(i, j) for i in (0, 1)] for j in range(3)])
        order = np.argsort([view.GetElement(2, j) for j in range(3)])  # the nearest one last
        for j in order:
            canvas.lines([(middle, middle + 2.8 * ends[j])], 0.16, AXIS_COLOURS[j:j + 1])
            canvas.text('xyz'[j], *(middle + 3.6 * ends[j]), bold=True, middle=True, centred=True,
                        colour=AXIS_COLOURS[j] / 255)
        x = 10.0
    if scale_bar and camera.GetParallelProjection():
        metres = 2 * camera.GetParallelScale() / size[1] * canvas.letter  # of a letter
        length = nice_below(0.22 * size[0] / canvas.letter * metres)
        right = x + length / metres
        canvas.panel(x - 0.6, 0.7, right + 0.6, 3.8, canvas.paper, 0.8)
        canvas.lines([((x, 1.6), (right, 1.6)), ((x, 1.3), (x, 1.9)), ((right, 1.3), (right, 1.9))], 0.12)
        canvas.text(quantity(length, 'm'), 0.5 * (x + right), 3.4, centred=True)
