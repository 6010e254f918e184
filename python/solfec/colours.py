"""Colours: colour maps, plain colours of bodies, palettes of categories."""

import colorsys
import functools

import numpy as np

# Those that print well and that colour-blind people read come first.
MAPS = ('viridis', 'cividis', 'plasma', 'inferno', 'magma', 'turbo', 'coolwarm', 'RdBu_r', 'Spectral_r', 'Blues',
        'Reds', 'YlOrRd', 'gray', 'jet')
NOT_A_NUMBER = (150, 150, 150)
OBSTACLE = (189, 189, 184)
_SHAPES = np.array([(0.90, 0.73, 0.33), (0.45, 0.66, 0.41), (0.86, 0.45, 0.26), (0.29, 0.55, 0.74)])  # by SOLID_KINDS
_HUES = np.array([(76, 120, 168), (228, 138, 54), (84, 162, 91), (200, 82, 84), (139, 108, 176), (150, 113, 88),
                  (214, 124, 176), (120, 126, 132), (188, 178, 58), (70, 172, 186)])
# Of categories: after ten of them lighter ones, then darker ones; from the 31st on they come again.
PALETTE = np.round(np.concatenate([_HUES, 0.5 * _HUES + 0.5 * 255, 0.55 * _HUES])).astype(np.uint8)
STATE_COLOURS = np.array([(170, 170, 170), (52, 104, 176), (205, 64, 50)], dtype=np.uint8)  # open, sticking, sliding
JOINT_SIGN_COLOUR = np.array((176, 32, 124), dtype=np.uint8)  # of no colour map above but plasma and inferno
JOINT_COLOUR = np.array((62, 64, 70), dtype=np.uint8)


def map_names():
    return list(MAPS)


def check_map(name):
    """ValueError names the colour maps that there are."""
    if name not in MAPS and name.removesuffix('_r') not in MAPS:
        raise ValueError(f'unknown colour map {name!r}; there are: ' + ', '.join(MAPS))


@functools.lru_cache(maxsize=8)
def colour_table(name, size=256):
    """(size, 3) uint8 of a colour map, or of its mirror image 'NAME_r'; not to be changed."""
    check_map(name)
    from matplotlib import colormaps
    return np.round(255 * colormaps[name](np.linspace(0, 1, size))[:, :3]).astype(np.uint8)


class Scale:
    """Values to colours.

    low, high    values of the first and the last colour; values that differ by rounding only are one
    logarithmic  the map is spread over logarithms
    """

    _ROUNDING = 1E-12  # of the values

    def __init__(self, table, low, high, logarithmic=False):
        if high - low <= self._ROUNDING * max(abs(low), abs(high)):
            high = low
        self.table, self.low, self.high, self.logarithmic = table, low, high, logarithmic

    def share(self, values):
        """Place of values in the range: 0 at its low end, 1 at its high end."""
        with np.errstate(divide='ignore', invalid='ignore'):
            low, high, values = (np.log(x) if self.logarithmic else x
                                 for x in (self.low, self.high, np.asarray(values, dtype=float)))
            return (values - low) / (high - low) if high > low else np.where(np.isnan(values), values, 0.5)

    def colours(self, values):
        """(n, 3) uint8; values outside of the range have the colours of its ends, NaN is grey."""
        share = self.share(values)
        known = ~np.isnan(share)
        size = len(self.table)
        index = np.clip(np.where(known, share, 0) * size, 0, size - 1).astype(int)
        return np.where(known[:, None], self.table[index], np.array(NOT_A_NUMBER, dtype=np.uint8))


def category_colours(numbers):
    """(n, 3) uint8 of whole numbers; negative ones are grey."""
    numbers = np.asarray(numbers).astype(int)
    return np.where((numbers < 0)[:, None], np.array(NOT_A_NUMBER, dtype=np.uint8), PALETTE[numbers % len(PALETTE)])


def plain_colours(ids, shapes, obstacle):
    """(n, 3) uint8: by the kind of solid (index into SOLID_KINDS), with a slight difference from body to body;
    obstacles are grey."""
    return np.round(255 * shades(shapes, shade_of(ids), obstacle)).astype(np.uint8)


def shade_of(ids):
    """Place of bodies in the range of shades, from 0 to 1; neighbours differ."""
    return (ids * 0.618034) % 1


def shades(shapes, shade, obstacle):
    """(n, 3) red, green and blue of kinds of solids, lighter or darker by their shade from 0 to 1."""
    colours = np.array([colorsys.rgb_to_hls(*colour) for colour in _SHAPES])[shapes]
    lightness = colours[:, 1] + 0.06 * (shade - 0.5)
    hue, saturation = colours[:, 0], colours[:, 2]
    # From hue, lightness and saturation to red, green and blue
    span = saturation * np.minimum(lightness, 1 - lightness)
    k = (np.array([0, 8, 4]) + hue[:, None] * 12) % 12
    result = lightness[:, None] - span[:, None] * np.clip(np.minimum(k - 3, 9 - k), -1, 1)
    result[obstacle] = np.divide(OBSTACLE, 255)
    return result
