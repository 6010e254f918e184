// Small helpers for elements, and the legends: bars of scales and lists of categories.
'use strict';

function element(id) {
  return document.getElementById(id);
}

// All texts get into the page here, as text: whatever they contain, they are no markup.
function make(name, text = '') {
  const result = document.createElement(name);
  result.textContent = text;
  return result;
}

// Fills a legend. `scale` is {title, unit, table (256 colours), low, high, logarithmic} or {title, names, colours}.
function showLegend(legend, scale) {
  legend.hidden = !scale;
  if (!scale) return;
  const title = make('strong', scale.unit ? `${scale.title} [${scale.unit}]` : scale.title);
  legend.replaceChildren(title, ...(scale.names ? entries(scale) : [bar(scale)]));
  if (scale.note) legend.append(make('p', scale.note));
}

function entries({names, colours}) {
  return names.slice(0, 12).map((name, k) => {
    const row = make('div'), swatch = make('span');
    row.className = 'entry';
    swatch.className = 'swatch';
    swatch.style.backgroundColor = `rgb(${colours[k % colours.length].join(',')})`;
    row.append(swatch, make('span', name));
    return row;
  }).concat(names.length > 12 ? [make('div', `${names.length - 12} more`)] : []);
}

function bar({table, low, high, logarithmic}) {
  const row = make('div'), canvas = make('canvas'), marks = make('div'), context = canvas.getContext('2d');
  row.className = 'bar';
  marks.className = 'marks';
  canvas.width = 1;
  canvas.height = 256;
  const image = context.createImageData(1, 256), isOne = !(high > low);  // one value: one colour
  for (let k = 0; k < 256; ++k) {
    const from = 4 * (isOne ? 127 : k);
    image.data.set(table.subarray(from, from + 4), 4 * (255 - k));
  }
  context.putImageData(image, 0, 0);
  for (let k = 4; k >= 0; --k) {
    const share = k / 4;
    const value = logarithmic ? low * (high / low) ** share : low + (high - low) * share;
    const isNothing = !logarithmic && Math.abs(value) < 1e-3 * (high - low);  // to the eye
    marks.append(make('span', isOne && k !== 2 ? '\u00a0' : figure(isNothing ? 0 : value, 4)));
  }
  row.append(canvas, marks);
  return row;
}
