// Contacts and joints in the drawing: tubes along their forces (thicker with |R|), and their points.
'use strict';

const NO_COLUMN = 'state', JOINT_STATE = 3;  // after those of contacts

class Forces {
  constructor(uniforms) {
    this.group = new THREE.Group();
    this.shared = uniforms;
    // Colours of their own, the rest as bodies have it.
    this.own = {colouring: {value: 2}, scale: {value: null}, range: {value: new THREE.Vector2(0, 1)},
                logarithmic: {value: false}, selected: {value: -1}, glass: {value: false}};
    this.width = {value: 1};
    this.least = {value: 0};
    this.radius = {value: 1};
    this.selection = null;  // {kind: 2 or 3, row}
  }

  // Draws a message of contacts. `settings`: show ('none', 'network' or 'points'), column, scale.
  set(message, settings) {
    this.group.children.forEach(({geometry, material}) => {
      geometry.dispose();
      material.uniforms.items.value.dispose();
      material.dispose();
    });
    this.group.remove(...this.group.children);
    this.tables = {};
    if (!message || settings.show === 'none') return;
    for (const [kind, prefix] of [[2, ''], [3, 'joint ']]) {
      const table = contactTable(message.arrays, prefix, settings.column);
      this.tables[kind] = table;
      if (table.count) this._add(kind, table, settings);
    }
    this._scaleWidths(settings);
  }

  _add(kind, table, settings) {
    const isTube = settings.show === 'network', {point, force, reach, value} = table;
    const geometry = isTube ? copies(TUBE, 2 * TUBE_SIDES, table.count) : copies(RECTANGLE, 4, table.count);
    const items = itemTexture(table.count, (array, at, k) => {
      for (let d = 0; d < 3; ++d) {
        array[at + d] = point[3 * k + d];
        array[at + 4 + d] = force[3 * k + d];
      }
      array[at + 3] = reach[2 * k];
      array[at + 7] = reach[2 * k + 1];
      array[at + 8] = value[k];
    });
    const selected = {value: this.selection && this.selection.kind === kind ? this.selection.row : -1};
    const uniforms = {...this.shared, ...this.own, selected, kind: {value: kind}, width: this.width, least: this.least,
                      radius: this.radius, items: {value: items}, discs: {value: !isTube}};
    const mesh = new THREE.Mesh(geometry, new THREE.ShaderMaterial({
      vertexShader: isTube ? TUBES_VERTEX : POINTS_VERTEX, fragmentShader: FORCES_FRAGMENT, uniforms,
      side: THREE.DoubleSide}));
    mesh.frustumCulled = false;
    mesh.renderOrder = 1;
    mesh.userData.kind = kind;
    this.group.add(mesh);
  }

  // A force of the mean size is as thick as an eighth of the mean length of tubes.
  _scaleWidths(settings) {
    let sum = 0, length = 0, count = 0;
    const extent = Math.max(...Object.values(this.tables).map(({point}) => diagonal(point)));
    for (const table of Object.values(this.tables)) {
      for (let k = 0; k < table.count; ++k) {
        if (table.size[k] === 0) continue;
        sum += table.size[k];
        length += table.reach[2 * k] + table.reach[2 * k + 1];
        ++count;
      }
    }
    this.mean = count ? sum / count : 0;
    const size = count ? length / count : 0.02 * extent;
    this.width.value = count ? settings.scale * size / 16 / this.mean : 0;
    this.least.value = 0.0006 * extent;
    this.radius.value = Math.max(0.12 * settings.scale * size, 0.002 * extent);
  }

  select(selection) {
    this.selection = selection;
    this.group.children.forEach((mesh) => {
      mesh.material.uniforms.selected.value = selection && selection.kind === mesh.userData.kind ? selection.row : -1;
    });
  }
}

// A part of a message of contacts. `value` is the column to colour by; joints have no state, but a colour of their own.
function contactTable(arrays, prefix, column) {
  const get = (name) => arrays[prefix + name], force = get('force'), count = force.length / 3;
  const size = new Float32Array(count);
  for (let k = 0; k < count; ++k) size[k] = Math.hypot(force[3 * k], force[3 * k + 1], force[3 * k + 2]);
  let value;
  if (column !== NO_COLUMN) value = Float32Array.from(get('column ' + column), drawable);
  else value = prefix ? new Float32Array(count).fill(JOINT_STATE) : Float32Array.from(get('state'));
  return {count, force, size, value, point: get('point'), reach: get('reach'), bodies: get('bodies'),
          state: get('state'), key: get('key')};
}

// Of the box around points.
function diagonal(points) {
  const box = boxOf(points);
  return box[0] <= box[3] ? Math.hypot(box[3] - box[0], box[4] - box[1], box[5] - box[2]) : 0;
}

// Least and largest value of contacts in a message.
function contactRange(tables) {
  let low = Infinity, high = -Infinity;
  for (const table of Object.values(tables)) {
    for (const value of table.value) {
      if (value < -1e38) continue;
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
  }
  return low <= high ? [low, high] : [0, 0];
}

// Triangles of an open tube, whose vertices are those of its two ends in turn.
const TUBE = [...Array(TUBE_SIDES).keys()].flatMap((k) => {
  const near = 2 * k, next = 2 * ((k + 1) % TUBE_SIDES);
  return [near, next, next + 1, near, next + 1, near + 1];
});
