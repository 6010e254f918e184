// Data from the page's own file (solfec/page/standalone.py): messages in elements, compressed and in base64.
'use strict';

class FileSource {
  constructor() {
    this.grows = false;
  }

  static isHere() {
    return document.getElementById('run') !== null;
  }

  async _bytes(id) {
    const element = document.getElementById(id);
    if (!element) throw new Error('this file has not what was asked for');
    if (!window.DecompressionStream) throw new Error('this browser is too old to read this file: take a newer one');
    const text = atob(element.textContent), bytes = new Uint8Array(text.length);
    for (let k = 0; k < text.length; ++k) bytes[k] = text.charCodeAt(k);
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
    return new Response(stream).arrayBuffer();
  }

  async _json(id) {
    return JSON.parse(new TextDecoder().decode(await this._bytes(id)));
  }

  async _message(id) {
    return decodeMessage(await this._bytes(id));
  }

  async run() {
    const values = await this._json('run');
    this.layouts = await this._json('layouts');
    this.fields = values.fields;
    this.columns = values.contacts;
    this.kinds = values.kinds;
    this.frames = values.frames;
    return values;
  }

  model() {
    return this._message('model');
  }

  async frame(number, layout) {
    const message = await this._message(`frame-${number}`);
    if (message.values.layout !== layout && !message.arrays.row) {
      const named = this.layouts.filter((k) => k <= number).pop();
      message.arrays.row = (await this._message(`frame-${named}`)).arrays.row;
    }
    return message;
  }

  field(number, name) {
    return this._message(`field-${number}-${this.fields.findIndex((field) => field.name === name)}`);
  }

  contacts(number) {
    return this._message(`contacts-${number}`);
  }

  async range(name) {
    const ranges = {};
    for (let number = 0; number < this.frames; ++number) {
      const {values} = await this.field(number, name);
      for (const of of ['all', 'moving']) {
        const here = values[of], [low, high] = ranges[of] || [Infinity, -Infinity];
        if (here) ranges[of] = [Math.min(low, here[0]), Math.max(high, here[1])];
      }
    }
    return ranges;
  }

  async body(shown, body) {
    const {layout, pose, origin} = shown, {columns, labels} = layout.model, row = layout.rows[body];
    const rows = [['body', layout.id[body], ''], ['label', labels[layout.label[body]], ''],
                  ['kind', this.kinds[layout.kind[body]], '']];
    for (const {name} of this.fields) {
      const {values, arrays} = await this.field(shown.number, name);
      if (values.place !== 'bodies') continue;
      const value = arrays.value[body];
      rows.push([name, values.categories && values.categories[value] || value, values.unit]);
    }
    rows.push(['mass', columns.mass[row], 'kg'], ['volume', columns.volume[row], 'm^3']);
    if (layout.kind[body] !== FINITE_ELEMENT) {
      rows.push(['centre', [0, 1, 2].map((d) => pose[12 * body + 4 * d + 3] + origin[d]), 'm']);
    }
    return rows;
  }

  async contact(shown, kind, row) {
    const {arrays} = await this.contacts(shown.number), prefix = kind === 'joint' ? 'joint ' : '';
    const {layout, origin} = shown;
    const three = (name) => [0, 1, 2].map((d) => arrays[prefix + name][3 * row + d]);
    const bodies = [0, 1].map((side) => arrays[prefix + 'bodies'][2 * row + side]);
    const rows = [['bodies', bodies.map((body) => body < 0 ? 'space' : layout.id[body]), ''],
                  ['point', three('point').map((x, d) => x + origin[d]), 'm'],
                  ['force on the first', three('force'), 'N']];
    for (const {name, unit, categories} of this.columns) {
      const value = arrays[prefix + 'column ' + name][row];
      rows.push([name, categories ? categories[value] : value, unit]);
    }
    return rows;
  }
}
