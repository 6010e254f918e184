// Keys, and the list of them.
'use strict';

const KEYS = [
  [' ', 'space', 'play or pause', (page) => page.player.toggle()],
  ['ArrowLeft', '←', 'one frame back', (page) => page.player.step(-1)],
  ['ArrowRight', '→', 'one frame on', (page) => page.player.step(1)],
  ['Home', 'Home', 'first frame', (page) => page.player.go(0)],
  ['End', 'End', 'last frame', (page) => page.player.go(page.player.times.length - 1)],
  ['[', '[', 'slower', (page) => page.player.faster(-1)],
  [']', ']', 'faster', (page) => page.player.faster(1)],
  ['x', 'x', 'see it from +x; X: from −x', (page) => page.look('+x')],
  ['X', '', '', (page) => page.look('-x')],
  ['y', 'y', 'see it from +y; Y: from −y', (page) => page.look('+y')],
  ['Y', '', '', (page) => page.look('-y')],
  ['z', 'z', 'see it from +z; Z: from −z', (page) => page.look('+z')],
  ['Z', '', '', (page) => page.look('-z')],
  ['i', 'i', 'see it from a corner', (page) => page.look('iso')],
  ['f', 'f', 'fit all that is shown into the picture', (page) => page.fit()],
  ['p', 'p', 'perspective or parallel rays', () => next('rays')],
  ['c', 'c', 'contacts: nothing, forces, points', (page) => page.run.hasContacts !== false && next('contacts')],
  ['e', 'e', 'edges: of surfaces, of all faces, none', () => next('edges')],
  ['l', 'l', 'logarithmic scale', () => element('logarithmic').click()],
  ['k', 'k', 'cutting plane: none, x, y, z, view', () => next('cut-axis')],
  ['h', 'h', 'hide the body that was clicked at', (page) => page.selection.act('hidden')],
  ['g', 'g', 'make it glass', (page) => page.selection.act('glass')],
  ['o', 'o', 'show it only', (page) => page.selection.act('only')],
  ['t', 't', 'turn the view about it', (page) => page.selection.act('centre')],
  ['a', 'a', 'show all bodies', (page) => page.visibility.showAll()],
  ['b', 'b', 'background', () => next('background')],
  ['s', 's', 'save the picture', (page) => page.savePicture()],
  ['Escape', 'Esc', 'choose nothing', (page) => page.selection.clear()],
  ['?', '?', 'these keys', () => showKeys()],
];

// The next choice of a list.
function next(id) {
  const select = element(id);
  select.selectedIndex = (select.selectedIndex + 1) % select.options.length;
  select.dispatchEvent(new Event('change'));
}

function showKeys() {
  const rows = KEYS.filter(([, name]) => name).map(([, name, meaning]) => {
    const row = make('tr'), cell = make('td'), text = make('td', meaning);
    cell.append(make('kbd', name));
    row.append(cell, text);
    return row;
  });
  element('key-rows').replaceChildren(...rows);
  element('help').showModal();
}

function listenToKeys(page) {
  element('keys').addEventListener('click', showKeys);
  // A button that was clicked at by the pointer does not keep the space bar.
  document.addEventListener('click', ({detail, target}) => {
    if (detail && target.matches('button')) target.blur();
  });
  document.addEventListener('keydown', (event) => {
    const {target} = event, isText = target.matches('input[type=text], input[type=search]');
    if (isText || event.ctrlKey || event.metaKey || event.altKey || element('help').open) return;
    // The keys with which lists, sliders, buttons and check boxes are used are theirs.
    if (target.matches('select, input[type=range], button, input[type=checkbox]') && event.key === ' ') return;
    const moves = ['ArrowLeft', 'ArrowRight', 'Home', 'End'].includes(event.key);
    if (moves && target.matches('select, input[type=range]')) return;
    const key = KEYS.find(([name]) => name === event.key);
    if (!key) return;
    event.preventDefault();
    key[3](page);
  });
}
