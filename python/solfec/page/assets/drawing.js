// The drawing: bodies and forces on the canvas, drawn when something has changed, and what is under the pointer.
'use strict';

const MANY_BALLS = 5000;  // that are slow to draw smoothly where the processor draws them
const BACKGROUNDS = {light: '#f3f5f8', white: '#ffffff', dark: '#1c2026'};

class Drawing {
  // balls: how many there are to draw, about
  constructor(canvas, balls) {
    this.canvas = canvas;
    const context = canvas.getContext('webgl2', {antialias: balls < MANY_BALLS || !drawnByProcessor()});
    if (!context) throw new Error('this browser has no WebGL 2, or it is switched off; a newer one has it');
    this.renderer = new THREE.WebGLRenderer({canvas, context});
    this.renderer.setPixelRatio(window.devicePixelRatio || 1);
    this.uniforms = bodyUniforms();
    this.bodies = new Bodies(this.uniforms);
    this.forces = new Forces(this.uniforms);
    this.scene = new THREE.Scene();
    this.scene.add(this.bodies.group, this.forces.group);
    this.spot = new THREE.WebGLRenderTarget(1, 1);
    this.camera = new OrbitCamera(canvas, () => this.changed());
    this.centre = new THREE.Vector3();
    this.radius = 1;
    this.afterwards = () => {};  // called after each picture
    this.pictures = 0;
    this.setBackground('light');
    new ResizeObserver(() => this._resize()).observe(canvas.parentElement);
    this._resize();
  }

  _resize() {
    const {clientWidth, clientHeight} = this.canvas.parentElement;
    this.renderer.setSize(Math.max(1, clientWidth), Math.max(1, clientHeight));
    this.changed();
  }

  setBackground(name) {
    this.background = name;
    this.renderer.setClearColor(BACKGROUNDS[name], 1);
    document.body.classList.toggle('dark', name === 'dark');
    this.changed();
  }

  // The ball in which the model is, which the camera must see whole.
  setBounds(box) {
    if (!box) return;
    this.centre.set(0.5 * (box[0] + box[3]), 0.5 * (box[1] + box[4]), 0.5 * (box[2] + box[5]));
    this.radius = 0.51 * Math.hypot(box[3] - box[0], box[4] - box[1], box[5] - box[2]) || 1;
  }

  changed() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.draw();
    });
  }

  draw() {
    if (!this.bodies.layout) return;
    this.renderer.render(this.scene, this._prepare());
    ++this.pictures;
    this.afterwards();
  }

  _prepare() {
    const camera = this.camera.get(this.centre, this.radius), {uniforms} = this;
    uniforms.parallel.value = this.camera.parallel;
    uniforms.nearest.value = camera.near;
    uniforms.toWorld.value.copy(camera.matrixWorld);
    uniforms.projection.value.copy(camera.projectionMatrix);
    return camera;
  }

  // What is drawn at a point of the canvas [CSS pixels]: {kind: 'body', 'contact' or 'joint', row}, or null. Glass
  // hides nothing that is behind it.
  pick(x, y) {
    const camera = this._prepare(), {clientWidth, clientHeight} = this.canvas, {bodies, forces, renderer} = this;
    camera.setViewOffset(clientWidth, clientHeight, x, y, 1, 1);
    this.uniforms.projection.value.copy(camera.projectionMatrix);
    renderer.setClearColor(0, 0);
    let found = null;
    for (const what of bodies.hasGlass ? ['opaque', 'glass'] : ['opaque']) {
      bodies.setPicking(what);
      forces.group.visible = what === 'opaque';
      found = found || this._drawnNumber(camera);
    }
    bodies.setPicking(null);
    forces.group.visible = true;
    camera.clearViewOffset();
    this.setBackground(this.background);
    return found;
  }

  _drawnNumber(camera) {
    const {renderer, spot} = this, pixel = new Uint8Array(4);
    renderer.setRenderTarget(spot);
    renderer.clear();
    renderer.render(this.scene, camera);
    renderer.readRenderTargetPixels(spot, 0, 0, 1, 1, pixel);
    renderer.setRenderTarget(null);
    const kind = [null, 'body', 'contact', 'joint'][pixel[3]];
    return kind ? {kind, row: pixel[0] + 256 * pixel[1] + 65536 * pixel[2]} : null;
  }

  // A PNG picture of what is seen.
  picture() {
    this.draw();
    return new Promise((resolve) => this.canvas.toBlob(resolve, 'image/png'));
  }
}

// Whether there is no graphics card: then smooth outlines cost most of the time.
function drawnByProcessor() {
  const context = document.createElement('canvas').getContext('webgl2');
  const names = context && context.getExtension('WEBGL_debug_renderer_info');
  const isSoftware = Boolean(names) && /swiftshader|llvmpipe|software|basic render/i.test(
    context.getParameter(names.UNMASKED_RENDERER_WEBGL));
  if (context) context.getExtension('WEBGL_lose_context').loseContext();
  return isSoftware;
}

// Axes in the corner.
function drawAxes(canvas, camera) {
  const ratio = window.devicePixelRatio || 1, size = 84, context = canvas.getContext('2d');
  const {right, up, back} = camera.axes();
  if (canvas.width !== size * ratio) canvas.width = canvas.height = size * ratio;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, size, size);
  context.font = '600 12px system-ui, sans-serif';
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  const directions = ['x', 'y', 'z'].map((name, k) => ({name, x: right.getComponent(k), y: up.getComponent(k),
                                                        z: back.getComponent(k)}));
  directions.sort((a, b) => a.z - b.z);  // the nearest one last
  const colours = {x: '#c2453a', y: '#3f8f46', z: '#3b6fb5'};
  for (const {name, x, y} of directions) {
    context.strokeStyle = context.fillStyle = colours[name];
    context.lineWidth = 2;
    context.beginPath();
    context.moveTo(size / 2, size / 2);
    context.lineTo(size / 2 + 27 * x, size / 2 - 27 * y);
    context.stroke();
    context.fillText(name, size / 2 + 36 * x, size / 2 - 36 * y);
  }
}
