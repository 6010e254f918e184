// A layout: the bodies that frames have, with the arrays of vertices, edges and balls that are drawn for them. It lasts
// until a frame has other bodies. Bodies are numbered within it.
'use strict';

const OBSTACLE = 0, RIGID = 1, PSEUDO_RIGID = 2, FINITE_ELEMENT = 3;

class Layout {
  constructor(name, model, rows) {
    this.name = name;
    this.rows = rows;
    this.count = rows.length;
    const pick = (column, type) => type.from(rows, (row) => column[row]);
    this.id = pick(model.columns.id, Uint32Array);
    this.kind = pick(model.columns.kind, Uint8Array);
    this.label = pick(model.columns.label, Uint32Array);
    this.shape = pick(model.columns.shape, Int32Array);
    this.model = model;
    this._placeShapes();
    this._placeBalls();
    this.pseudo = indices(this.kind, (kind) => kind === PSEUDO_RIGID);
  }

  // Vertices of finite-element bodies come first: they alone move within the arrays.
  _placeShapes() {
    const {shapes} = this.model, meshes = indices(this.kind, (kind) => kind === FINITE_ELEMENT);
    const others = indices(this.kind, (kind) => kind !== FINITE_ELEMENT);
    this.order = [...meshes, ...others].filter((body) => this.shape[body] >= 0);
    let vertices = 0, triangles = 0, features = 0, edges = 0;
    for (const body of this.order) {
      const shape = shapes[this.shape[body]];
      vertices += shape.vertices;
      triangles += shape.triangles.length;
      features += 2 * shape.features;
      edges += shape.edges.length;
    }
    this.position = new Float32Array(3 * vertices);
    this.bodyOfVertex = new Float32Array(vertices);
    this.triangles = new Uint32Array(triangles);
    this.edges = new Uint32Array(edges);  // feature edges of all bodies, then the others
    this.featureCount = features;
    let v = 0, t = 0, f = 0, e = features;
    for (const body of this.order) {
      const shape = shapes[this.shape[body]], ends = 2 * shape.features;
      this.position.set(shape.position, 3 * v);
      this.bodyOfVertex.fill(body, v, v + shape.vertices);
      for (let k = 0; k < shape.triangles.length; ++k) this.triangles[t++] = shape.triangles[k] + v;
      for (let k = 0; k < ends; ++k) this.edges[f++] = shape.edges[k] + v;
      for (let k = ends; k < shape.edges.length; ++k) this.edges[e++] = shape.edges[k] + v;
      v += shape.vertices;
      if (this.kind[body] === FINITE_ELEMENT) this.meshVertices = v;
    }
    this.meshVertices = this.meshVertices || 0;
    // Where points and faces of a body start among those of all bodies of the frame.
    this.pointBegin = new Uint32Array(this.count + 1);
    this.faceBegin = new Uint32Array(this.count + 1);
    this.meshPointBegin = new Uint32Array(this.count + 1);
    for (let body = 0; body < this.count; ++body) {
      const shape = shapes[this.shape[body]] || {points: 0, faces: 0};
      this.pointBegin[body + 1] = this.pointBegin[body] + shape.points;
      this.faceBegin[body + 1] = this.faceBegin[body] + shape.faces;
      this.meshPointBegin[body + 1] = this.meshPointBegin[body]
        + (this.kind[body] === FINITE_ELEMENT ? shape.points : 0);
    }
  }

  _placeBalls() {
    const {ballBegin, balls} = this.model;
    let count = 0;
    for (const row of this.rows) count += ballBegin[row + 1] - ballBegin[row];
    this.bodyOfBall = new Float32Array(count);
    this.ballCenter = new Float32Array(3 * count);
    this.ballMap = new Float32Array(9 * count);
    let ball = 0;
    for (let body = 0; body < this.count; ++body) {
      for (let k = ballBegin[this.rows[body]]; k < ballBegin[this.rows[body] + 1]; ++k, ++ball) {
        this.bodyOfBall[ball] = body;
        for (let d = 0; d < 3; ++d) this.ballCenter[3 * ball + d] = balls.center[3 * k + d];
        for (let d = 0; d < 9; ++d) this.ballMap[9 * ball + d] = balls.map[9 * k + d];
      }
    }
  }

  // Moves the vertices of finite-element bodies to the points of a frame.
  moveMeshes(point) {
    let v = 0;
    for (const body of this.order) {
      if (this.kind[body] !== FINITE_ELEMENT) break;
      const {pointOfVertex, vertices} = this.model.shapes[this.shape[body]], begin = this.meshPointBegin[body];
      for (let k = 0; k < vertices; ++k, ++v) {
        const at = 3 * (begin + pointOfVertex[k]);
        this.position[3 * v] = point[at];
        this.position[3 * v + 1] = point[at + 1];
        this.position[3 * v + 2] = point[at + 2];
      }
    }
  }

  // Values of a field message on vertices and on balls.
  spread({values, arrays}, onVertices, onBalls) {
    const given = arrays.value, {place} = values;
    if (place === 'bodies') {
      for (let v = 0; v < onVertices.length; ++v) onVertices[v] = drawable(given[this.bodyOfVertex[v]]);
      for (let b = 0; b < onBalls.length; ++b) onBalls[b] = drawable(given[this.bodyOfBall[b]]);
      return;
    }
    let v = 0;
    for (const body of this.order) {
      const shape = this.model.shapes[this.shape[body]];
      const part = place === 'points' ? shape.pointOfVertex : shape.faceOfVertex;
      const begin = (place === 'points' ? this.pointBegin : this.faceBegin)[body];
      for (let k = 0; k < shape.vertices; ++k) onVertices[v++] = drawable(given[begin + part[k]]);
    }
    for (let b = 0; b < onBalls.length; ++b) onBalls[b] = drawable(arrays.ball[b]);
  }
}

// Graphics cards may not know NaN.
function drawable(value) {
  return value === value ? value : -3e38;
}

function indices(array, condition) {
  const result = [];
  for (let k = 0; k < array.length; ++k) if (condition(array[k])) result.push(k);
  return result;
}

// Poses of bodies as 12 numbers each: rows of [map | centre]. `pose` has room for them.
function fillPoses(layout, {arrays}, pose) {
  const {center, turn, map, point} = arrays;
  for (let b = 0, at = 0; b < layout.count; ++b, at += 12) {
    const x = turn[4 * b], y = turn[4 * b + 1], z = turn[4 * b + 2], w = turn[4 * b + 3];
    pose[at] = 1 - 2 * (y * y + z * z);
    pose[at + 1] = 2 * (x * y - z * w);
    pose[at + 2] = 2 * (x * z + y * w);
    pose[at + 3] = center[3 * b];
    pose[at + 4] = 2 * (x * y + z * w);
    pose[at + 5] = 1 - 2 * (x * x + z * z);
    pose[at + 6] = 2 * (y * z - x * w);
    pose[at + 7] = center[3 * b + 1];
    pose[at + 8] = 2 * (x * z - y * w);
    pose[at + 9] = 2 * (y * z + x * w);
    pose[at + 10] = 1 - 2 * (x * x + y * y);
    pose[at + 11] = center[3 * b + 2];
  }
  layout.pseudo.forEach((b, k) => {
    for (let row = 0; row < 3; ++row) for (let d = 0; d < 3; ++d) pose[12 * b + 4 * row + d] = map[9 * k + 3 * row + d];
  });
  if (!point) return;
  // Vertices of finite-element bodies are where they are.
  for (let b = 0; b < layout.count; ++b) {
    if (layout.kind[b] === FINITE_ELEMENT) pose.set([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0], 12 * b);
  }
  layout.moveMeshes(point);
}
