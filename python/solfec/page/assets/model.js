// The model: definitions of bodies and their distinct shapes, as they come from solfec/page/model_data.py.
'use strict';

class Model {
  constructor() {
    this.count = 0;      // definitions
    this.shapes = [];
    this.labels = [];    // texts; definitions have their numbers
    this.labelNumbers = new Map();
    this.columns = {id: [], kind: [], label: [], mass: [], volume: [], shape: []};
    this.colour = new Uint8Array(0);  // red, green, blue of each definition
    this.balls = {row: new Uint32Array(0), center: new Float32Array(0), map: new Float32Array(0)};
    this.ballBegin = new Uint32Array(1);  // rows of balls of each definition
  }

  // Adds the definitions of a message.
  append({values, arrays}) {
    if (values.begin !== this.count) throw new Error('definitions are missing');
    const numbers = values.labels.map((text) => this._labelNumber(text));
    const label = arrays.label.map((number) => numbers[number]);
    for (const name of Object.keys(this.columns)) {
      this.columns[name] = joined(this.columns[name], name === 'label' ? label : arrays[name]);
    }
    this.colour = joined(this.colour, arrays.colour);
    this._appendShapes(arrays);
    this.balls = {row: joined(this.balls.row, arrays.ballRow), center: joined(this.balls.center, arrays.ballCenter),
                  map: joined(this.balls.map, arrays.ballMap)};
    this.count += values.count;
    this.ballBegin = new Uint32Array(this.count + 1);
    for (const row of this.balls.row) ++this.ballBegin[row + 1];
    for (let k = 0; k < this.count; ++k) this.ballBegin[k + 1] += this.ballBegin[k];
  }

  _labelNumber(text) {
    if (!this.labelNumbers.has(text)) {
      this.labelNumbers.set(text, this.labels.length);
      this.labels.push(text);
    }
    return this.labelNumbers.get(text);
  }

  _appendShapes(a) {
    let point = 0, face = 0, corner = 0, edge = 0;
    for (let k = 0; k < a.shapePoints.length; ++k) {
      const faces = a.shapeFaces[k], counts = a.faceCorners.subarray(face, face + faces);
      const corners = counts.reduce((sum, n) => sum + n, 0);
      this.shapes.push(new Shape(a.point.subarray(3 * point, 3 * (point + a.shapePoints[k])), counts,
                                 a.corner.subarray(corner, corner + corners),
                                 a.edge.subarray(2 * edge, 2 * (edge + a.shapeEdges[k])),
                                 a.edgeFeature.subarray(edge, edge + a.shapeEdges[k])));
      point += a.shapePoints[k];
      face += faces;
      corner += corners;
      edge += a.shapeEdges[k];
    }
  }
}

// All polyhedra and meshes of a body, ready to be copied into the arrays of a drawing. Each face has vertices of its
// own, so that a value of a face ends at its edges.
class Shape {
  constructor(points, counts, corners, edges, feature) {
    this.points = points.length / 3;
    this.faces = counts.length;
    this.pointOfVertex = corners;
    this.vertices = corners.length;
    this.position = new Float32Array(3 * this.vertices);
    this.faceOfVertex = new Uint32Array(this.vertices);
    const triangles = new Uint32Array(3 * (this.vertices - 2 * this.faces));
    const vertexOfPoint = new Uint32Array(this.points);
    let at = 0, t = 0;
    for (let face = 0; face < counts.length; ++face) {
      for (let k = 0; k < counts[face]; ++k) {
        const vertex = at + k, point = corners[vertex];
        this.faceOfVertex[vertex] = face;
        vertexOfPoint[point] = vertex;
        for (let d = 0; d < 3; ++d) this.position[3 * vertex + d] = points[3 * point + d];
        if (k > 1) {
          triangles[t++] = at;
          triangles[t++] = vertex - 1;
          triangles[t++] = vertex;
        }
      }
      at += counts[face];
    }
    this.triangles = triangles;
    // Feature edges first, so that they alone can be drawn.
    const order = [...feature.keys()].sort((a, b) => feature[b] - feature[a]);
    this.features = feature.reduce((sum, is) => sum + is, 0);
    this.edges = new Uint32Array(edges.length);
    order.forEach((edge, k) => {
      this.edges[2 * k] = vertexOfPoint[edges[2 * edge]];
      this.edges[2 * k + 1] = vertexOfPoint[edges[2 * edge + 1]];
    });
    this.box = boxOf(points);
  }
}

// [low x, y, z, high x, y, z] of points.
function boxOf(points) {
  const box = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
  for (let k = 0; k < points.length; ++k) {
    const d = k % 3;
    if (points[k] < box[d]) box[d] = points[k];
    if (points[k] > box[d + 3]) box[d + 3] = points[k];
  }
  return box;
}

function joined(one, two) {
  const result = new two.constructor(one.length + two.length);
  result.set(one);
  result.set(two, one.length);
  return result;
}
