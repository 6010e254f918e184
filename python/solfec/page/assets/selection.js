// What was clicked at: a body or a contact, and its figures.
'use strict';

class Selection {
  constructor(page) {
    this.page = page;
    this.chosen = null;  // {kind: 'body', id} or {kind: 'contact' or 'joint', key}
    element('selection-close').addEventListener('click', () => this.clear());
    const act = ({target: {dataset}}) => dataset.look && this.act(dataset.look);
    element('selection-buttons').addEventListener('click', act);
  }

  // Takes what is at a point of the canvas.
  at(x, y) {
    const found = this.page.drawing.pick(x, y), {shown} = this.page;
    if (!found) return this.clear();
    if (found.kind === 'body') {
      this.chosen = {kind: 'body', id: shown.layout.id[found.row]};
    } else {
      const {key} = this.page.drawing.forces.tables[found.kind === 'contact' ? 2 : 3];
      this.chosen = {kind: found.kind, key: key.slice(5 * found.row, 5 * found.row + 5)};
    }
    return this.update();
  }

  clear() {
    this.chosen = null;
    return this.update();
  }

  // Row in the frame of what is chosen, or -1: a body that is not there, a contact that is no more.
  row() {
    const {chosen, page} = this;
    if (!chosen) return -1;
    if (chosen.kind === 'body') return page.shown.layout.id.indexOf(chosen.id);
    const table = (page.drawing.forces.tables || {})[chosen.kind === 'contact' ? 2 : 3];
    if (!table) return -1;
    for (let row = 0; row < table.count; ++row) {
      if (chosen.key.every((number, k) => number === table.key[5 * row + k])) return row;
    }
    return -1;
  }

  // Shows the figures in the present frame; asks for them once at a time.
  async update() {
    const {chosen, page} = this, {drawing} = page, row = this.row(), isBody = chosen && chosen.kind === 'body';
    drawing.uniforms.selected.value = isBody ? row : -1;
    drawing.forces.select(chosen && !isBody && row >= 0 ? {kind: chosen.kind === 'contact' ? 2 : 3, row} : null);
    drawing.changed();
    element('selection').hidden = !chosen;
    element('selection-buttons').hidden = !isBody;
    if (!chosen) return;
    if (row < 0) {
      this._show(chosen, [['', `not in this frame`, '']]);
      return;
    }
    if (this.asking) {
      this.askAgain = true;
      return;
    }
    this.asking = true;
    try {
      const rows = isBody ? await page.source.body(page.shown, row, page.field === PLAIN ? '' : page.field)
        : await page.source.contact(page.shown, chosen.kind, row);
      if (chosen === this.chosen) this._show(chosen, rows);
    } catch (error) {
      page.tell(error);
    } finally {
      this.asking = false;
    }
    if (this.askAgain) {
      this.askAgain = false;
      this.update();
    }
  }

  _show(chosen, rows) {
    const {labels, columns} = this.page.model, layout = this.page.shown.layout;
    const body = chosen.kind === 'body' ? layout.id.indexOf(chosen.id) : -1;
    const label = body >= 0 ? labels[layout.label[body]] : '';
    element('selection-title').textContent = chosen.kind === 'body' ? label || `body ${chosen.id}` : chosen.kind;
    const known = rows.filter(([, value]) => value !== '');
    element('selection-rows').replaceChildren(...known.map(([name, value, unit]) => {
      const row = make('tr'), text = Array.isArray(value) ? vectorFigure(value) : figure(value);
      const units = unit.replace('^3', '³').replace('^2', '²');
      row.append(make('td', units ? `${name} [${units}]` : name), make('td', text));
      return row;
    }));
  }

  // One of the buttons below a body.
  act(look) {
    if (!this.chosen || this.chosen.kind !== 'body') return;
    if (look === 'centre') this.page.turnAbout(this.row());
    else this.page.visibility.setBody(this.chosen.id, look);
  }
}
