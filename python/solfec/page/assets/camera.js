// The camera: it turns about a target; z stays up. Perspective and parallel rays show the target at the same size.
'use strict';

const VIEW_ANGLE = 30, TANGENT = Math.tan(VIEW_ANGLE / 2 * Math.PI / 180);
// Directions from the target to the eye.
const VIEWS = {'+x': [1, 0, 0], '-x': [-1, 0, 0], '+y': [0, 1, 0], '-y': [0, -1, 0], '+z': [0, 0, 1], '-z': [0, 0, -1],
               iso: [-1, -2, 1]};

class OrbitCamera {
  constructor(canvas, changed) {
    this.canvas = canvas;
    this.changed = changed;
    this.parallel = false;
    this.target = new THREE.Vector3();
    this.distance = 1;
    this.perspectiveCamera = new THREE.PerspectiveCamera(VIEW_ANGLE, 1, 0.1, 10);
    this.parallelCamera = new THREE.OrthographicCamera(-1, 1, 1, -1, 0.1, 10);
    this.look('iso');
    this._listen();
  }

  look(name) {
    const [x, y, z] = VIEWS[name], length = Math.hypot(x, y, z);
    this.azimuth = x || y ? Math.atan2(y, x) : -Math.PI / 2;
    this.elevation = Math.asin(z / length);
    this.changed();
  }

  axes() {
    const {azimuth: a, elevation: e} = this;
    const back = new THREE.Vector3(Math.cos(e) * Math.cos(a), Math.cos(e) * Math.sin(a), Math.sin(e));
    const right = new THREE.Vector3(-Math.sin(a), Math.cos(a), 0);
    return {right, up: new THREE.Vector3().crossVectors(back, right), back};
  }

  // Puts a box [low, high] into the picture.
  fit(box) {
    const {right, up, back} = this.axes(), aspect = this.aspect();
    this.target.set(0.5 * (box[0] + box[3]), 0.5 * (box[1] + box[4]), 0.5 * (box[2] + box[5]));
    const corners = [...Array(8).keys()].map((k) => {
      const corner = new THREE.Vector3(box[k & 1 ? 3 : 0], box[k & 2 ? 4 : 1], box[k & 4 ? 5 : 2]).sub(this.target);
      return [corner.dot(right) / aspect, corner.dot(up), corner.dot(back)];
    });
    // Lines of sight that just pass the corners on each side; where those of opposite sides meet the eye must be.
    const bounds = (axis) => {
      const lean = this.parallel ? 0 : TANGENT;
      const most = (sign) => Math.max(...corners.map((corner) => sign * corner[axis] + lean * corner[2]));
      const high = most(1), low = most(-1);
      return {middle: 0.5 * (high - low), distance: 0.5 * (high + low) / TANGENT};
    };
    const across = bounds(0), along = bounds(1);
    this.target.addScaledVector(right, across.middle * aspect).addScaledVector(up, along.middle);
    this.distance = 1.04 * (Math.max(across.distance, along.distance) || 1);
    this.changed();
  }

  aspect() {
    return this.canvas.clientWidth / Math.max(1, this.canvas.clientHeight);
  }

  setParallel(parallel) {
    this.parallel = parallel;
    this.changed();
  }

  // The camera of three.js, for a model within a ball around `centre`.
  get(centre, radius) {
    const camera = this.parallel ? this.parallelCamera : this.perspectiveCamera, {right, up, back} = this.axes();
    const eye = this.target.clone().addScaledVector(back, this.distance);
    const depth = eye.clone().sub(centre).dot(back);  // of the centre of the model
    if (this.parallel) {
      const half = this.distance * TANGENT;
      camera.left = -half * this.aspect();
      camera.right = half * this.aspect();
      camera.top = half;
      camera.bottom = -half;
      // The eye may be within the model: what is behind it is seen all the same.
      const back_off = Math.max(0, radius - depth + this.distance * 0.01);
      eye.addScaledVector(back, back_off);
      camera.near = Math.max(depth + back_off - radius, 1e-4 * radius);
      camera.far = depth + back_off + radius;
    } else {
      camera.aspect = this.aspect();
      camera.far = Math.max(depth + radius, this.distance);
      camera.near = Math.max(depth - radius, this.distance * 2e-3, camera.far * 1e-5);
    }
    camera.matrixAutoUpdate = false;
    camera.matrix.makeBasis(right, up, back).setPosition(eye);
    camera.updateMatrixWorld(true);
    camera.updateProjectionMatrix();
    return camera;
  }

  turn(dx, dy) {
    this.azimuth -= 0.008 * dx;
    this.elevation = Math.max(-Math.PI / 2, Math.min(Math.PI / 2, this.elevation + 0.008 * dy));
    this.changed();
  }

  shift(dx, dy) {
    const {right, up} = this.axes(), perPixel = 2 * this.distance * TANGENT / this.canvas.clientHeight;
    this.target.addScaledVector(right, -dx * perPixel).addScaledVector(up, dy * perPixel);
    this.changed();
  }

  // The point under the pointer, at (x, y) from the middle in pixels, stays where it is.
  zoom(factor, x = 0, y = 0) {
    this.shift(-x * (1 - factor), -y * (1 - factor));
    this.distance *= factor;
    this.changed();
  }

  // One of two fingers moves: what is between them stays there.
  _pinch(before, now, other) {
    const box = this.canvas.getBoundingClientRect(), apart = (point) => Math.hypot(point.x - other.x, point.y - other.y);
    this.shift(0.5 * (now.x - before.x), 0.5 * (now.y - before.y));
    this.zoom(apart(before) / Math.max(1, apart(now)), 0.5 * (now.x + other.x) - box.left - box.width / 2,
              0.5 * (now.y + other.y) - box.top - box.height / 2);
  }

  _listen() {
    const {canvas} = this, pointers = new Map();
    canvas.addEventListener('pointerdown', (event) => {
      pointers.set(event.pointerId, {x: event.clientX, y: event.clientY});
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener('pointermove', (event) => {
      const before = pointers.get(event.pointerId), now = {x: event.clientX, y: event.clientY};
      if (!before || !event.buttons) return;
      pointers.set(event.pointerId, now);
      const other = [...pointers.keys()].find((id) => id !== event.pointerId);
      if (other !== undefined) this._pinch(before, now, pointers.get(other));
      else if (event.buttons !== 1 || event.shiftKey) this.shift(now.x - before.x, now.y - before.y);
      else this.turn(now.x - before.x, now.y - before.y);
    });
    for (const end of ['pointerup', 'pointercancel']) {
      canvas.addEventListener(end, ({pointerId}) => { pointers.delete(pointerId); });
    }
    canvas.addEventListener('contextmenu', (event) => event.preventDefault());
    canvas.addEventListener('wheel', (event) => {
      event.preventDefault();
      const box = canvas.getBoundingClientRect(), lines = event.deltaMode === 1 ? 30 : 1;
      const amount = Math.max(-200, Math.min(200, event.deltaY * lines));
      this.zoom(Math.exp(0.0015 * amount), event.clientX - box.left - box.width / 2,
                event.clientY - box.top - box.height / 2);
    }, {passive: false});
  }
}
