// What is shown, glass or hidden: by kind of body, by label, by body. The one that shows least holds.
'use strict';

const LOOKS = ['shown', 'glass', 'hidden'];
const NATURAL = new Intl.Collator('en', {numeric: true});  // grain 2 before grain 10
const MOST_LABELS = 200;  // rows of the panel; a filter finds the others

class Visibility {
  constructor(page) {
    this.page = page;
    this.kinds = new Map();   // number of the kind: look, where it is not 'shown'
    this.labels = new Map();  // text: look
    this.bodies = new Map();  // identifier: look
    this.only = null;         // identifier: all others are hidden
    this.glass = false;       // all bodies that are not obstacles
    this.opacity = 0.15;
    element('label-filter').addEventListener('input', () => this.listLabels());
    element('show-all').addEventListener('click', () => this.showAll());
    element('opacity').addEventListener('input', (event) => {
      this.opacity = Number(event.target.value);
      this.apply();
    });
    element('bodies-glass').addEventListener('change', (event) => {
      this.glass = event.target.checked;
      this.apply();
    });
  }

  showAll() {
    this.kinds.clear();
    this.labels.clear();
    this.bodies.clear();
    this.only = null;
    this.glass = element('bodies-glass').checked = false;
    this.list();
    this.apply();
  }

  // Opacity of each body of the layout.
  opacities() {
    const {layout} = this.page.shown, {labels} = layout.model, values = {shown: 1, glass: this.opacity, hidden: 0};
    const ofLabel = labels.map((text) => values[this.labels.get(text) || 'shown']);
    const result = new Float32Array(layout.count);
    for (let b = 0; b < layout.count; ++b) {
      const id = layout.id[b], kind = layout.kind[b];
      let opacity = Math.min(values[this.kinds.get(kind) || 'shown'], ofLabel[layout.label[b]]);
      if (this.bodies.has(id)) opacity = Math.min(opacity, values[this.bodies.get(id)]);
      if (this.only !== null && id !== this.only) opacity = 0;
      if (this.glass) opacity = Math.min(opacity, this.opacity);
      result[b] = opacity;
    }
    return result;
  }

  apply() {
    if (!this.page.shown) return;
    const {drawing} = this.page;
    drawing.bodies.setLooks(this.opacities());
    drawing.setBounds(drawing.bodies.bounds());
    drawing.changed();
  }

  setBody(id, look) {
    if (look === 'only') {
      this.only = id;
    } else {
      if (look === 'shown') this.bodies.delete(id); else this.bodies.set(id, look);
    }
    this.apply();
  }

  list() {
    const {layout} = this.page.shown, kinds = [...new Set(layout.kind)].sort();
    const name = (kind) => this.page.run.kinds[kind].toLowerCase().replace('_', ' ');
    element('kinds').replaceChildren(...kinds.map((kind) => this._row(name(kind), this.kinds, kind)));
    this.listLabels();
  }

  listLabels() {
    const {layout} = this.page.shown, {labels} = layout.model;
    const here = [...new Set(layout.label)].map((number) => labels[number]).filter((text) => text);
    here.sort(NATURAL.compare);
    const filter = element('label-filter');
    filter.hidden = here.length < 8;
    const found = here.filter((text) => text.toLowerCase().includes(filter.value.toLowerCase()));
    const rows = found.slice(0, MOST_LABELS).map((text) => this._row(text, this.labels, text));
    if (found.length > MOST_LABELS) rows.push(make('p', `${found.length - MOST_LABELS} more`));
    element('labels').replaceChildren(...rows);
  }

  _row(name, looks, key) {
    const row = make('div'), text = make('span', name), choice = make('span');
    text.className = 'name';
    text.title = name;
    choice.className = 'choice';
    for (const look of LOOKS) {
      const button = make('button', look);
      button.setAttribute('aria-pressed', (looks.get(key) || 'shown') === look);
      button.addEventListener('click', () => {
        looks.set(key, look);
        choice.querySelectorAll('button').forEach((other) => other.setAttribute('aria-pressed', other === button));
        this.apply();
      });
      choice.append(button);
    }
    row.append(text, choice);
    return row;
  }
}
