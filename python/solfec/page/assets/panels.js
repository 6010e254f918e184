// The panels at the side: what they change is told to the page.
'use strict';

function setUpPanels(page) {
  const {run, drawing} = page;
  const listen = (id, event, act) => element(id).addEventListener(event, ({target}) => act(target));

  fill(element('field'), [PLAIN, ...run.fields.map(({name}) => name)]);
  listen('field', 'change', ({value}) => page.setField(value));

  element('contact-settings').hidden = run.hasContacts === false;
  const columns = run.contacts.map(({name}) => name);
  fill(element('contact-column'), [NO_COLUMN, ...columns.filter((name) => name !== NO_COLUMN)]);
  for (const id of ['contacts', 'contact-column', 'contact-scale']) {
    listen(id, id === 'contact-scale' ? 'input' : 'change', () => page.setContacts({
      show: element('contacts').value, column: element('contact-column').value,
      scale: 2 ** Number(element('contact-scale').value)}));
  }

  for (const id of ['cut-axis', 'cut-place', 'cut-flip']) {
    listen(id, id === 'cut-place' ? 'input' : 'change', () => setCut(page));
  }
  listen('views', 'click', ({dataset}) => dataset.view && page.look(dataset.view));
  listen('fit', 'click', () => page.fit());
  listen('rays', 'change', ({value}) => drawing.camera.setParallel(value === 'parallel'));
  listen('edges', 'change', ({value}) => {
    drawing.bodies.setEdges(value);
    drawing.changed();
  });
  listen('background', 'change', ({value}) => drawing.setBackground(value));
  listen('picture', 'click', () => page.savePicture());
}

// The cutting plane from its panel; what lies beyond it along its normal is not drawn.
function setCut(page) {
  const axis = element('cut-axis').value, {cut} = page.drawing.uniforms, note = element('cut-note');
  if (axis === 'none') {
    cut.value.set(0, 0, 0, 1);
    note.textContent = '';
  } else {
    const {back} = page.drawing.camera.axes();
    const normal = axis === 'view' ? back : new THREE.Vector3(...['x', 'y', 'z'].map((name) => Number(name === axis)));
    const box = page.box, origin = new THREE.Vector3(...page.run.origin);
    let low = 0, high = 0;
    for (let d = 0; d < 3; ++d) {
      const n = normal.getComponent(d), ends = [n * box[d], n * box[d + 3]];
      low += Math.min(...ends);
      high += Math.max(...ends);
    }
    const place = low + (high - low) * Number(element('cut-place').value), sign = element('cut-flip').checked ? -1 : 1;
    cut.value.set(sign * normal.x, sign * normal.y, sign * normal.z, sign * place);
    const at = place + origin.dot(normal), isRounding = Math.abs(at) < 1e-9 * (high - low);
    note.textContent = axis === 'view' ? '' : `${axis} = ${figure(isRounding ? 0 : at, 4)} m`;
  }
  page.drawing.changed();
}
