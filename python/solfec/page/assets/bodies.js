// Bodies in the drawing: faces, edges and balls, with the textures that have poses and looks of bodies.
'use strict';

// What all programs of bodies know; parts of the page change the values.
function bodyUniforms() {
  return {
    poses: {value: null}, looks: {value: null}, picking: {value: false}, selected: {value: -1}, colouring: {value: 0},
    scale: {value: null}, range: {value: new THREE.Vector2(0, 1)}, logarithmic: {value: false},
    obstacles: {value: true}, cut: {value: new THREE.Vector4(0, 0, 0, 1)}, parallel: {value: false},
    nearest: {value: 1}, edges: {value: true},
    toWorld: {value: new THREE.Matrix4()}, projection: {value: new THREE.Matrix4()},
  };
}

class Bodies {
  constructor(uniforms) {
    this.uniforms = uniforms;
    this.group = new THREE.Group();
    this.edgeKind = 'surface';  // 'none', 'surface' or 'all'
  }

  // Makes the arrays of a layout those that are drawn.
  setLayout(layout) {
    this.group.children.forEach((mesh) => { mesh.geometry.dispose(); mesh.material.dispose(); });
    this.group.remove(...this.group.children);
    [this.uniforms.poses, this.uniforms.looks].forEach((u) => u.value && u.value.dispose());
    this.layout = layout;
    const rows = Math.max(1, Math.ceil(layout.count / BODIES_PER_ROW));
    this.pose = new Float32Array(12 * BODIES_PER_ROW * rows);
    this.look = new Uint8Array(4 * BODIES_PER_ROW * rows);
    this.uniforms.poses.value = texture(this.pose, 3 * BODIES_PER_ROW, rows, THREE.FloatType);
    this.uniforms.looks.value = texture(this.look, BODIES_PER_ROW, rows, THREE.UnsignedByteType);
    if (this.items) this.items.dispose();
    this._makeFaces(layout);
    this._makeBalls(layout);
    this.setEdges(this.edgeKind);
  }

  _makeFaces(layout) {
    this.position = new THREE.BufferAttribute(layout.position, 3);
    this.vertexValue = new THREE.BufferAttribute(new Float32Array(layout.bodyOfVertex.length), 1);
    const body = new THREE.BufferAttribute(layout.bodyOfVertex, 1);
    const geometry = (index) => {
      const result = new THREE.BufferGeometry();
      result.setAttribute('position', this.position);
      result.setAttribute('body', body);
      result.setAttribute('value', this.vertexValue);
      result.setIndex(new THREE.BufferAttribute(index, 1));
      return result;
    };
    const faces = geometry(layout.triangles);
    this.edgeGeometry = geometry(layout.edges);
    if (!layout.triangles.length) return;
    for (const glass of [false, true]) {
      const surface = new THREE.Mesh(faces, this._material(FACES_VERTEX, FACES_FRAGMENT, glass, {
        side: THREE.DoubleSide, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1}));
      const edges = new THREE.LineSegments(this.edgeGeometry, this._material(FACES_VERTEX, EDGES_FRAGMENT, glass, {
        transparent: true}));
      edges.name = 'edges';
      this._add(surface, glass ? 4 : 1);
      this._add(edges, glass ? 3 : 2);
    }
  }

  _makeBalls(layout) {
    const count = layout.bodyOfBall.length, {ballMap, ballCenter} = layout;
    this.ballValue = new Float32Array(count);
    this.cornerValue = new THREE.BufferAttribute(new Float32Array(4 * count), 1);
    if (!count) return;
    const geometry = copies(RECTANGLE, 4, count);
    const body = fourfold(layout.bodyOfBall, new Float32Array(4 * count));
    geometry.setAttribute('body', new THREE.BufferAttribute(body, 1));
    geometry.setAttribute('value', this.cornerValue);
    this.items = itemTexture(count, (array, at, ball) => {
      for (let row = 0; row < 3; ++row) {
        for (let d = 0; d < 3; ++d) array[at + 4 * row + d] = ballMap[9 * ball + 3 * row + d];
        array[at + 4 * row + 3] = ballCenter[3 * ball + row];
      }
    });
    for (const glass of [false, true]) {
      this._add(new THREE.Mesh(geometry, this._material(BALLS_VERTEX, BALLS_FRAGMENT, glass, {})), glass ? 4 : 1);
    }
  }

  _material(vertexShader, fragmentShader, glass, options) {
    const uniforms = {...this.uniforms, items: {value: this.items || null}, glass: {value: glass}};
    return new THREE.ShaderMaterial({vertexShader, fragmentShader, uniforms, transparent: glass, depthWrite: !glass,
                                     ...options});
  }

  _add(mesh, order) {
    mesh.frustumCulled = false;
    mesh.renderOrder = order;
    mesh.userData.glass = mesh.material.uniforms.glass.value;
    this.group.add(mesh);
  }

  setFrame(message) {
    fillPoses(this.layout, message, this.pose);
    this.uniforms.poses.value.needsUpdate = true;
    if (message.arrays.point) {
      this.position.updateRange = {offset: 0, count: 3 * this.layout.meshVertices};
      this.position.needsUpdate = true;
    }
  }

  setField(message) {
    this.layout.spread(message, this.vertexValue.array, this.ballValue);
    fourfold(this.ballValue, this.cornerValue.array);
    this.vertexValue.needsUpdate = this.cornerValue.needsUpdate = true;
  }

  setEdges(kind) {
    this.edgeKind = kind;
    this.uniforms.edges.value = kind !== 'none';
    if (this.edgeGeometry) this.edgeGeometry.setDrawRange(0, kind === 'all' ? Infinity : this.layout.featureCount);
    this._setVisible();
  }

  // Draws numbers of bodies in place of colours: 'opaque' or 'glass' for what is so; null: colours again.
  setPicking(what) {
    this.picking = what;
    this.uniforms.picking.value = Boolean(what);
    this.group.children.forEach(({material, userData}) => {
      material.blending = what ? THREE.NoBlending : THREE.NormalBlending;
      material.depthWrite = Boolean(what) || !userData.glass;
    });
    this._setVisible();
  }

  _setVisible() {
    const {picking} = this;
    this.group.children.forEach((mesh) => {
      const isEdges = mesh.name === 'edges', {glass} = mesh.userData;
      mesh.visible = picking ? !isEdges && glass === (picking === 'glass')
        : (!isEdges || this.edgeKind !== 'none') && (!glass || this.hasGlass);
    });
  }

  // Plain colours, and opacity (0 to 1) of each body.
  setLooks(opacity) {
    const {layout, look} = this, {colour} = layout.model;
    this.hasGlass = false;
    for (let b = 0; b < layout.count; ++b) {
      look.set(colour.subarray(3 * layout.rows[b], 3 * layout.rows[b] + 3), 4 * b);
      const even = Math.max(2, Math.round(254 * opacity[b]) & ~1);
      look[4 * b + 3] = opacity[b] > 0 ? even | (layout.kind[b] === OBSTACLE) : 0;
      if (opacity[b] > 0 && opacity[b] < 0.99) this.hasGlass = true;
    }
    this.uniforms.looks.value.needsUpdate = true;
    this._setVisible();
  }

  // Box around the bodies that are not hidden: [low x, y, z, high x, y, z].
  bounds() {
    const {layout, pose, look} = this, {shapes} = layout.model;
    const box = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
    const take = (b, centre, reach) => {
      for (let d = 0; d < 3; ++d) {
        let at = pose[12 * b + 4 * d + 3], away = 0;
        for (let e = 0; e < 3; ++e) at += pose[12 * b + 4 * d + e] * centre[e];
        away = reach(d);
        box[d] = Math.min(box[d], at - away);
        box[d + 3] = Math.max(box[d + 3], at + away);
      }
    };
    for (const b of layout.order) {
      if (look[4 * b + 3] === 0 || layout.kind[b] === FINITE_ELEMENT) continue;
      const own = shapes[layout.shape[b]].box, half = [0, 1, 2].map((d) => 0.5 * (own[d + 3] - own[d]));
      take(b, [0, 1, 2].map((d) => 0.5 * (own[d] + own[d + 3])),
           (d) => [0, 1, 2].reduce((sum, e) => sum + Math.abs(pose[12 * b + 4 * d + e]) * half[e], 0));
    }
    for (let v = 0; v < layout.meshVertices; ++v) {
      if (look[4 * layout.bodyOfVertex[v] + 3] === 0) continue;
      for (let d = 0; d < 3; ++d) {
        box[d] = Math.min(box[d], layout.position[3 * v + d]);
        box[d + 3] = Math.max(box[d + 3], layout.position[3 * v + d]);
      }
    }
    for (let k = 0; k < layout.bodyOfBall.length; ++k) {
      const b = layout.bodyOfBall[k], map = layout.ballMap, centre = layout.ballCenter.subarray(3 * k, 3 * k + 3);
      if (look[4 * b + 3] === 0) continue;
      // Row d of pose times map: its length is how far the ball reaches.
      take(b, centre, (d) => Math.hypot(...[0, 1, 2].map((e) => [0, 1, 2].reduce(
        (sum, m) => sum + pose[12 * b + 4 * d + m] * map[9 * k + 3 * m + e], 0))));
    }
    return box[0] <= box[3] ? box : null;
  }
}

const RECTANGLE = [0, 1, 2, 0, 2, 3];

// `count` copies of triangles with so many vertices each.
function copies(triangles, vertices, count) {
  const index = new Uint32Array(triangles.length * count), geometry = new THREE.BufferGeometry();
  for (let k = 0, at = 0; k < count; ++k) for (const vertex of triangles) index[at++] = vertices * k + vertex;
  geometry.setIndex(new THREE.BufferAttribute(index, 1));
  // three.js draws nothing without positions; the programs do not use them.
  geometry.setAttribute('position', new THREE.BufferAttribute(new Float32Array(3), 3));
  return geometry;
}

// Each number four times, for the corners of a rectangle.
function fourfold(values, result) {
  for (let k = 0; k < values.length; ++k) result.fill(values[k], 4 * k, 4 * k + 4);
  return result;
}

// A texture with sixteen numbers for each item; set(array, at, k) writes those of item k from `at` on.
function itemTexture(count, set) {
  const rows = Math.max(1, Math.ceil(count / ITEMS_PER_ROW)), array = new Float32Array(16 * ITEMS_PER_ROW * rows);
  for (let k = 0; k < count; ++k) set(array, 16 * k, k);
  return texture(array, 4 * ITEMS_PER_ROW, rows, THREE.FloatType);
}

function texture(array, width, height, type) {
  const result = new THREE.DataTexture(array, width, height, THREE.RGBAFormat, type);
  result.minFilter = result.magFilter = THREE.NearestFilter;
  result.generateMipmaps = false;
  result.needsUpdate = true;
  return result;
}
