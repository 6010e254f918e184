// Colour maps, and how numbers are written. Other colours come from solfec/colours.py.
'use strict';

// Colours at equal steps, from which the rest is interpolated.
const COLOUR_MAPS = {
  viridis: ['#440154', '#482475', '#414487', '#355f8d', '#2a788e', '#21918c', '#22a884', '#44bf70', '#7ad151',
            '#bddf26', '#fde725'],
  cividis: ['#00224e', '#123570', '#3b496c', '#575d6d', '#707173', '#8a8678', '#a59c74', '#c3b369', '#e1cc55',
            '#fee838'],
  magma: ['#000004', '#140e36', '#3b0f70', '#641a80', '#8c2981', '#b73779', '#de4968', '#f7705c', '#fe9f6d', '#fecf92',
          '#fcfdbf'],
  coolwarm: ['#3b4cc0', '#6282ea', '#8db0fe', '#b8d0f9', '#dddddd', '#f5c4ad', '#f49a7b', '#de604d', '#b40426'],
  turbo: ['#30123b', '#4454c4', '#4490fe', '#1fc8de', '#29efa2', '#7dff56', '#c1f334', '#f1ca3a', '#fe922a', '#ea4f0d',
          '#be2102', '#7a0403'],
  grey: ['#202020', '#f0f0f0'],
};

function rgb(text) {
  return [1, 3, 5].map((at) => parseInt(text.substr(at, 2), 16));
}

// 256 colours of a map, 4 bytes each.
function mapTable(name) {
  const stops = COLOUR_MAPS[name].map(rgb), table = new Uint8Array(4 * 256);
  for (let k = 0; k < 256; ++k) {
    const at = k / 255 * (stops.length - 1), i = Math.min(Math.floor(at), stops.length - 2), share = at - i;
    for (let c = 0; c < 3; ++c) table[4 * k + c] = Math.round(stops[i][c] * (1 - share) + stops[i + 1][c] * share);
    table[4 * k + 3] = 255;
  }
  return table;
}

function paletteTable(colours) {
  const table = new Uint8Array(4 * colours.length);
  colours.forEach((colour, k) => table.set([...colour, 255], 4 * k));
  return table;
}

// Components that are nothing beside the others are round-off.
function vectorFigure(values) {
  const most = Math.max(...values.map((x) => typeof x === 'number' ? Math.abs(x) : 0));
  return values.map((x) => figure(Math.abs(x) < 1e-10 * most ? 0 : x, 4)).join('  ');
}

// A number with few digits that still tells it from its neighbours.
function figure(value, digits = 5) {
  if (value === null || value === undefined || Number.isNaN(value)) return 'none';
  if (typeof value === 'string') return value;
  if (Number.isInteger(value) && Math.abs(value) < 1e7) return String(value);
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-3 || size >= 1e6)) {
    return value.toExponential(digits - 1).replace(/\.?0+e/, 'e').replace('e+', 'e');
  }
  return String(Number(value.toPrecision(digits)));
}
