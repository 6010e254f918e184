// The scale of colours of bodies: its field, map and range.
'use strict';

const PLAIN = 'plain';

class Scale {
  constructor(page) {
    this.page = page;
    this.map = 'viridis';
    this.kind = 'frame';       // 'frame', 'run' or 'fixed'
    this.fixed = [0, 1];
    this.logarithmic = false;
    this.obstacles = false;    // they have colours of the scale too
    this.ofRun = new Map();    // name of a field: range over the run
    this.frames = 0;           // over which they are
    fill(element('colour-map'), Object.keys(COLOUR_MAPS));
    const listen = (id, event, act) => element(id).addEventListener(event, ({target}) => {
      act(target);
      page.scaleChanged();
    });
    listen('colour-map', 'change', ({value}) => { this.map = value; });
    listen('range-kind', 'change', ({value}) => { this.setKind(value); });
    listen('logarithmic', 'change', ({checked}) => { this.logarithmic = checked; });
    listen('colour-obstacles', 'change', ({checked}) => { this.obstacles = checked; });
    for (const [id, end] of [['range-low', 0], ['range-high', 1]]) {
      listen(id, 'change', (input) => {
        const value = Number(input.value.trim().replace(',', '.'));
        const right = input.value.trim() !== '' && Number.isFinite(value);
        input.classList.toggle('wrong', !right);
        if (!right) return;
        if (this.kind !== 'fixed') this.setKind('fixed');
        this.fixed[end] = value;
      });
    }
  }

  setKind(kind) {
    if (kind === 'fixed' && this.kind !== 'fixed' && this.current) this.fixed = [...this.current];
    this.kind = element('range-kind').value = kind;
  }

  // Least and largest value, and why they are not what was asked for.
  range(values) {
    const ranges = this.kind === 'run' && this.ofRun.get(values.name) || values;
    const automatic = !this.obstacles && ranges.moving || ranges.all || [0, 0];
    let [low, high] = this.kind === 'fixed' ? this.fixed : automatic, note = '';
    if (!(low < high) && this.kind === 'fixed') note = 'the range must go from a lower to a higher number';
    let logarithmic = this.logarithmic;
    if (logarithmic && !(high > 0)) {
      logarithmic = false;
      note = 'nothing is above zero: the scale is linear';
    } else if (logarithmic && !(low > 0)) {
      low = high * 1e-6;
      note = 'a logarithmic scale starts above zero: here at a millionth of its end';
    }
    const rounding = 1e-12 * Math.max(Math.abs(low), Math.abs(high));
    if (this.kind !== 'fixed' && high - low <= rounding) high = low;
    this.current = [low, high];
    return {low, high, logarithmic, note};
  }

  // Sets the colours of the drawing and the legend from the field that is shown; null: plain colours.
  apply(message) {
    const {uniforms} = this.page.drawing;
    element('scale-settings').hidden = !message || Boolean(message.values.categories);
    element('field-meaning').textContent = message ? message.values.meaning : '';
    if (uniforms.scale.value) uniforms.scale.value.dispose();
    uniforms.scale.value = null;
    uniforms.colouring.value = 0;
    if (!message) {
      showLegend(element('legend'), null);
    } else if (message.values.categories) {
      this._categories(message.values);
    } else {
      this._values(message.values);
    }
    this.page.drawing.changed();
  }

  _categories({name, categories}) {
    const {uniforms} = this.page.drawing;
    uniforms.colouring.value = 2;
    uniforms.obstacles.value = true;
    const {palette} = this.page.run;
    uniforms.scale.value = texture(paletteTable(palette), palette.length, 1, THREE.UnsignedByteType);
    showLegend(element('legend'), {title: name, names: categories, colours: palette});
  }

  _values(values) {
    const {uniforms} = this.page.drawing, table = mapTable(this.map);
    const {low, high, logarithmic, note} = this.range(values);
    uniforms.colouring.value = 1;
    uniforms.scale.value = texture(table, 256, 1, THREE.UnsignedByteType);
    uniforms.range.value.set(low, high);
    uniforms.logarithmic.value = logarithmic;
    uniforms.obstacles.value = this.obstacles;
    for (const [id, value] of [['range-low', low], ['range-high', high]]) {
      if (document.activeElement !== element(id)) element(id).value = figure(value);
    }
    element('range-note').textContent = note;
    showLegend(element('legend'), {title: values.name, unit: values.unit, table, low, high, logarithmic});
  }

  // Finds the range of a field over the run, when that is what is chosen.
  async findRunRange(name) {
    if (this.kind !== 'run' || name === PLAIN) return;
    const {page} = this, frames = page.run.frames;
    if (this.frames !== frames) this.ofRun.clear();
    this.frames = frames;
    if (this.ofRun.has(name) || this.finding === name) return;
    this.finding = name;
    try {
      const ranges = await page.source.range(
        name, (share) => { element('range-note').textContent = `reading the run: ${Math.round(100 * share)} %`; },
        () => this.kind === 'run' && page.field === name);
      if (ranges) this.ofRun.set(name, ranges);
    } finally {
      if (this.finding === name) this.finding = null;
    }
    page.scaleChanged();
  }
}

function fill(select, names) {
  select.replaceChildren(...names.map((name) => {
    const option = make('option', name);
    option.value = name;
    return option;
  }));
}
