// The page: brings the parts together. `page` is there for whoever looks at it from the browser's console.
'use strict';

const ASK_AGAIN = 1000;  // [ms] for frames that a run has added
const MOST_LAYOUTS = 4;

class Page {
  async start() {
    this.source = FileSource.isHere() ? new FileSource() : new ServerSource();
    this.run = await this.source.run(0);
    document.title = element('title').textContent = this.run.name;
    this.model = new Model();
    this.model.append(await this.source.model(0));
    this.drawing = new Drawing(element('canvas'), this.model.balls.row.length);
    this.layouts = new Map();
    this.field = PLAIN;
    this.contacts = {show: 'none', column: NO_COLUMN, scale: 1};
    const {low, high, origin} = this.run;
    this.box = [...low.map((x, d) => x - origin[d]), ...high.map((x, d) => x - origin[d])];
    this.scale = new Scale(this);
    this.visibility = new Visibility(this);
    this.selection = new Selection(this);
    this.player = new Player(this);
    setUpPanels(this);
    listenToKeys(this);
    this._listenToClicks();
    this.drawing.afterwards = () => drawAxes(element('axes'), this.drawing.camera);
    this.player.addTimes(0, this.run.times);
    await this.show(this.player.wanted);
    this.fit();
    if (this.source.grows) {
      element('follow-label').hidden = false;
      setTimeout(() => this._askForFrames(), ASK_AGAIN);
    }
  }

  // Shows a frame, or another one that was asked for meanwhile. Returns whether that went well.
  show(number) {
    this.next = number;
    if (!this.showing) this.showing = this._showNext().finally(() => { this.showing = null; });
    return this.showing;
  }

  async _showNext() {
    const slow = setTimeout(() => { element('busy').hidden = false; }, 400);
    try {
      while (this.next !== null) {
        const number = this.next;
        this.next = null;
        const [frame, field, contacts] = await this._read(number);
        this._apply(number, frame, field, contacts);
      }
      this.tell(null);
      return true;
    } catch (error) {
      this.next = null;
      this.tell(error);
      return false;
    } finally {
      clearTimeout(slow);
      element('busy').hidden = true;
    }
  }

  // Frame, field and contacts of a frame, as far as they are shown.
  _read(number) {
    return Promise.all([this.source.frame(number, this.shown ? this.shown.layout.name : ''),
                        this.field === PLAIN ? null : this.source.field(number, this.field),
                        this.contacts.show === 'none' ? null : this.source.contacts(number, this.contacts.column)]);
  }

  prefetch(number) {
    this._read(number).catch(() => { /* it is told when it is shown */ });
  }

  _apply(number, frame, field, contacts) {
    const {drawing} = this, layout = this._layout(frame), isNew = !this.shown || this.shown.layout !== layout;
    if (isNew) drawing.bodies.setLayout(layout);
    drawing.bodies.setFrame(frame);
    this.shown = {number, layout, field, pose: drawing.bodies.pose, origin: this.run.origin};
    if (isNew) {
      this.visibility.list();
      drawing.bodies.setLooks(this.visibility.opacities());
    }
    if (field) drawing.bodies.setField(field);
    this.shownContacts = contacts;
    this._drawForces();
    drawing.setBounds(drawing.bodies.bounds());
    this.scaleChanged();
    this.selection.update();
    this.player.wanted = number;
    this.player.tell();
  }

  _layout({values, arrays}) {
    const {shown} = this;
    let layout = shown && shown.layout.name === values.layout ? shown.layout : this.layouts.get(values.layout);
    if (!layout) {
      layout = new Layout(values.layout, this.model, arrays.row);
      this.layouts.set(values.layout, layout);
      if (this.layouts.size > MOST_LAYOUTS) this.layouts.delete(this.layouts.keys().next().value);
    }
    return layout;
  }

  setField(name) {
    this.field = element('field').value = name;
    return this.show(this.player.wanted);
  }

  setContacts(settings) {
    const before = this.contacts;
    if (settings.show) element('contacts').value = settings.show;
    if (settings.column) element('contact-column').value = settings.column;
    this.contacts = {...before, ...settings};
    if (this.contacts.show === before.show && this.contacts.column === before.column) {
      this._drawForces();
      return Promise.resolve(true);
    }
    return this.show(this.player.wanted);
  }

  _drawForces() {
    const {forces} = this.drawing, {show, column} = this.contacts, message = this.shownContacts;
    const legend = element('force-legend');
    forces.set(message, this.contacts);
    this.drawing.changed();
    if (!message || show === 'none') {
      showLegend(legend, null);
      return;
    }
    const {unit, categories} = this.run.contacts.find(({name}) => name === column);
    const note = show === 'network' ? `mean |R| ${figure(forces.mean, 3)} N` : '';
    const title = show === 'network' ? `forces: ${column}` : `contacts: ${column}`;
    if (forces.own.scale.value) forces.own.scale.value.dispose();
    if (categories) {
      const isState = column === NO_COLUMN, names = [...categories];
      if (isState && forces.tables[3].count) names.push('joint');
      const colours = isState ? this.run.stateColours : this.run.palette;
      forces.own.colouring.value = 2;
      forces.own.scale.value = texture(paletteTable(colours), colours.length, 1, THREE.UnsignedByteType);
      showLegend(legend, {title, names, colours, note});
    } else {
      const [low, high] = contactRange(forces.tables), table = mapTable('magma');
      forces.own.colouring.value = 1;
      forces.own.scale.value = texture(table, 256, 1, THREE.UnsignedByteType);
      forces.own.range.value.set(low, high);
      showLegend(legend, {title, unit, table, low, high, note});
    }
  }

  // The colours of bodies anew: after another range, map or field.
  scaleChanged() {
    if (!this.shown) return;
    this.scale.apply(this.shown.field);
    if (this.shown.field) this.scale.findRunRange(this.field).catch((error) => this.tell(error));
  }

  look(view) {
    this.drawing.camera.look(view);
    this.fit();
  }

  // All that is shown, for the camera and for the cutting plane.
  fit() {
    const box = this.drawing.bodies.bounds();
    if (!box) return;
    this.box = box;
    this.drawing.camera.fit(box);
    setCut(this);
  }

  turnAbout(body) {
    const opacity = new Float32Array(this.shown.layout.count);
    opacity[body] = 1;
    this.drawing.bodies.setLooks(opacity);
    const own = this.drawing.bodies.bounds();
    this.drawing.bodies.setLooks(this.visibility.opacities());
    if (own) this.drawing.camera.target.set(...[0, 1, 2].map((d) => 0.5 * (own[d] + own[d + 3])));
    this.drawing.changed();
  }

  async savePicture() {
    const address = URL.createObjectURL(await this.drawing.picture()), link = make('a');
    link.href = address;
    link.download = `${this.run.name}-${this.shown.number}.png`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 10000);
  }

  // An error message, or null when all is well again.
  tell(error) {
    element('message').hidden = !error;
    if (error) element('message').textContent = error.message;
  }

  _listenToClicks() {
    const canvas = element('canvas');
    let down = null;
    canvas.addEventListener('pointerdown', (event) => { down = [event.clientX, event.clientY]; });
    canvas.addEventListener('pointerup', (event) => {
      const moved = !down || Math.hypot(event.clientX - down[0], event.clientY - down[1]) > 4;
      if (moved || event.button !== 0 || event.shiftKey || !this.shown) return;
      const box = canvas.getBoundingClientRect();
      this.selection.at(event.clientX - box.left, event.clientY - box.top);
    });
  }

  // Frames that the run has added.
  async _askForFrames() {
    try {
      const run = await this.source.run(this.player.times.length);
      if (run.definitions > this.model.count) this.model.append(await this.source.model(this.model.count));
      this.run.frames = run.frames;
      if (run.times.length) {
        this.player.addTimes(run.begin, run.times);
        this.scaleChanged();
      }
      if (this.lost) this.tell(null);
      this.lost = false;
    } catch (error) {
      this.lost = true;
      this.tell(error);
    }
    setTimeout(() => this._askForFrames(), ASK_AGAIN);
  }
}

const page = new Page();
page.start().catch((error) => page.tell(error));
