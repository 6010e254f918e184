// Data from the server that serves the page. Addresses are relative to that of the page, which has the token.
'use strict';

const MOST_KEPT = 256e6;  // bytes of messages that are kept

class ServerSource {
  constructor() {
    this.kept = new Map();  // address: {message, size}, the one used last at the end
    this.size = 0;
    this.grows = true;      // a run may add frames
  }

  async _get(address) {
    let response;
    try {
      response = await fetch(address, {credentials: 'omit'});
    } catch (error) {
      throw new Error('the page is no longer served; start it again');
    }
    if (!response.ok) {
      let text = `the server answers with ${response.status}`;
      try {
        text = (await response.json()).error;
      } catch (error) { /* not from our server */ }
      throw new Error(text);
    }
    return response;
  }

  async _json(address) {
    return (await this._get(address)).json();
  }

  async _message(address, key = address) {
    const known = this.kept.get(key);
    if (known) {
      this.kept.delete(key);
      this.kept.set(key, known);
      return known.message;
    }
    const buffer = await (await this._get(address)).arrayBuffer(), message = decodeMessage(buffer);
    if (this.kept.has(key)) return message;
    this.kept.set(key, {message, size: buffer.byteLength});
    this.size += buffer.byteLength;
    for (const [old, {size}] of this.kept) {
      if (this.size <= MOST_KEPT || old === key) break;
      this.kept.delete(old);
      this.size -= size;
    }
    return message;
  }

  run(known) {
    return this._json(`run?known=${known}`);
  }

  model(begin) {
    return this._get(`model?begin=${begin}`).then((response) => response.arrayBuffer()).then(decodeMessage);
  }

  // With arrays.row when the layout is not the one named.
  async frame(number, layout) {
    const key = `frame ${number}`, message = await this._message(`frame?number=${number}&layout=${layout}`, key);
    if (message.values.layout === layout || message.arrays.row) return message;
    this.size -= this.kept.get(key).size;
    this.kept.delete(key);
    return this._message(`frame?number=${number}`, key);
  }

  field(number, name) {
    return this._message(`field?number=${number}&name=${encodeURIComponent(name)}`);
  }

  contacts(number, column) {
    const columns = column === NO_COLUMN ? '' : `&columns=${encodeURIComponent(column)}`;
    return this._message(`contacts?number=${number}${columns}`);
  }

  // {all, moving}: ranges over all frames; `told` is called with the share that is done. Null when `goesOn` ends it.
  async range(name, told, goesOn) {
    for (;;) {
      const range = await this._json(`range?name=${encodeURIComponent(name)}`);
      if (range.done === range.frames) return range;
      if (!goesOn()) return null;
      told(range.done / range.frames);
    }
  }

  body(shown, body, name) {
    return this._json(`body?id=${shown.layout.id[body]}&number=${shown.number}&name=${encodeURIComponent(name)}`)
      .then(({rows}) => rows);
  }

  contact(shown, kind, row) {
    return this._json(`contact?row=${row}&number=${shown.number}&joint=${kind === 'joint' ? 1 : 0}`)
      .then(({rows}) => rows);
  }
}
