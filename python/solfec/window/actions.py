"""All that the window can do: one table, from which menus, keys, buttons, the page of keys and the docs come."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Callable

from PyQt5.QtGui import QKeySequence
from PyQt5.QtWidgets import QAction, QStyle

from solfec.window.player import next_speed


@dataclass
class Action:
    """Something that the window does.

    menu  where it stands
    name  by which it is found in the dictionary of make(), and its text in the menu unless there is `text`
    keys  that call it; the first one is shown
    help  one line
    run   function of the window
    is_on, of the window: whether it is switched on; None when it is no switch
    icon  of a button
    """
    menu: str
    name: str
    keys: tuple
    help: str
    run: Callable
    is_on: Callable | None = None
    icon: int | None = None


def _towards(x, y, z):
    return lambda window: window.view.look(x, y, z)


def _switch(name):
    return (lambda window: window.session.change(**{name: not getattr(window.session.settings, name)}),
            lambda window: getattr(window.session.settings, name))


def _cycle(name, values):
    def run(window):
        at = values.index(getattr(window.session.settings, name))
        window.session.change(**{name: values[(at + 1) % len(values)]})
        window.session.said.emit(f'{name}: {getattr(window.session.settings, name)}')
    return run


def _of_body(name):
    """Hides the selected body or makes it glass; again: back."""
    def run(window):
        id = window.session.selected_body
        if id is None:
            window.session.said.emit('first select a body with a click')
        else:
            window.session.toggle_text(name, f'id:{id}')
    return run


def _only_body(window):
    """Shows the selected body alone; again: all."""
    id = window.session.selected_body
    if id is None:
        window.session.said.emit('first select a body with a click')
    else:
        alone = [f'id:{id}']
        window.session.change(only=[] if window.session.settings.only == alone else alone)


def _faster(up):
    return lambda window: window.player.set_speed(next_speed(window.player.speed, up))


def _toggle_repeat(window):
    window.player.repeat = not window.player.repeat


ACTIONS = (
    Action('File', 'save picture', ('Ctrl+S',), 'saves what is seen as a picture (png)', lambda w: w.save_picture()),
    Action('File', 'save film', ('Ctrl+F',), 'saves all frames, as they are seen now, as a film (mp4)',
           lambda w: w.save_film()),
    Action('File', 'save camera', ('Ctrl+K',), 'saves where the model is seen from', lambda w: w.save_camera()),
    Action('File', 'load camera', ('Ctrl+L',), 'takes a camera, or that of saved settings', lambda w: w.load_camera()),
    Action('File', 'save state', ('Ctrl+Shift+S',), 'saves how all is shown: settings, camera, time, panels',
           lambda w: w.save_state()),
    Action('File', 'load state', ('Ctrl+O',), 'takes a saved state', lambda w: w.load_state()),
    Action('File', 'reset state', (), 'forgets what was set for this model: all as at first',
           lambda w: w.reset_state()),
    Action('File', 'quit', ('Ctrl+Q',), 'closes the window, and ends a run with a last state', lambda w: w.close()),

    Action('Run', 'run', ('R',), 'runs the simulation, or pauses it', lambda w: w.run_or_pause(),
           lambda w: w.session.model.status.get('state') == 'running'),
    Action('Run', 'single step', ('S',), 'pauses, and does one step', lambda w: w.command('step', 1)),
    Action('Run', 'ten steps', ('Shift+S',), 'pauses, and does ten steps', lambda w: w.command('step', 10)),
    Action('Run', 'run to a time', ('U',), 'goes to the field for the time to which to run',
           lambda w: w.time_line.ask(w.time_line.run_to)),
    Action('Run', 'previous model', ('<', 'PgUp'), 'the SOLFEC object before', lambda w: w.next_model(-1)),
    Action('Run', 'next model', ('>', 'PgDown'), 'the SOLFEC object after', lambda w: w.next_model(1)),
    Action('Run', 'results on disk', ('D',), 'opens what the run has written, as a further model',
           lambda w: w.open_results_of_run()),

    Action('Time', 'play', ('Space',), 'plays frames, or stops', lambda w: w.player.toggle(),
           lambda w: w.player.playing, QStyle.SP_MediaPlay),
    Action('Time', 'forward', ('Right', '.'), 'the next frame', lambda w: w.step_frames(1),
           icon=QStyle.SP_MediaSeekForward),
    Action('Time', 'back', ('Left', ','), 'the frame before', lambda w: w.step_frames(-1),
           icon=QStyle.SP_MediaSeekBackward),
    Action('Time', 'ten forward', ('Shift+Right',), 'ten frames on', lambda w: w.step_frames(10)),
    Action('Time', 'ten back', ('Shift+Left',), 'ten frames back', lambda w: w.step_frames(-10)),
    Action('Time', 'first', ('Home',), 'the first frame', lambda w: w.show_frame(0), icon=QStyle.SP_MediaSkipBackward),
    Action('Time', 'last', ('End',), 'the last frame; new ones are then followed', lambda w: w.show_frame(1 << 60),
           icon=QStyle.SP_MediaSkipForward),
    Action('Time', 'go to a time', ('T',), 'goes to the field for the time',
           lambda w: w.time_line.ask(w.time_line.time)),
    Action('Time', 'faster', ('+', '='), 'plays faster', _faster(True)),
    Action('Time', 'slower', ('-',), 'plays slower', _faster(False)),
    Action('Time', 'repeat', ('Shift+R',), 'plays again and again', _toggle_repeat, lambda w: w.player.repeat),

    Action('View', 'fit', ('F',), 'all of the model in view', lambda w: w.view.fit()),
    Action('View', 'undo camera', ('Ctrl+Z', 'Backspace'), 'the camera before', lambda w: w.view.undo_camera()),
    Action('View', 'redo camera', ('Ctrl+Shift+Z',), 'the camera after', lambda w: w.view.redo_camera()),
    Action('View', 'zoom to the selection', ('G',), 'the selected body, contact or joint in view',
           lambda w: w.view.zoom_to_selection()),
    Action('View', 'along x', ('X',), 'looks along x', _towards(1, 0, 0)),
    Action('View', 'along y', ('Y',), 'looks along y', _towards(0, 1, 0)),
    Action('View', 'along z', ('Z',), 'looks along z', _towards(0, 0, 1)),
    Action('View', 'along -x', ('Shift+X',), 'looks along -x', _towards(-1, 0, 0)),
    Action('View', 'along -y', ('Shift+Y',), 'looks along -y', _towards(0, -1, 0)),
    Action('View', 'along -z', ('Shift+Z',), 'looks along -z', _towards(0, 0, -1)),
    Action('View', 'askew', ('V',), 'looks along (1, 2, -1)', _towards(1, 2, -1)),
    Action('View', 'parallel rays', ('O',), 'parallel rays, or perspective',
           lambda w: w.session.set_parallel(not w.session.settings.camera.parallel),
           lambda w: w.session.settings.camera.parallel),
    Action('View', 'axes', ('A',), 'directions of x, y and z', *_switch('axes')),
    Action('View', 'scale bar', ('B',), 'a bar with its length', *_switch('scale_bar')),
    Action('View', 'colour bar', ('L',), 'the range of colours', *_switch('legend')),
    Action('View', 'edges', ('E',), 'no edges, those of surfaces, those of elements',
           _cycle('edges', ('none', 'surface', 'elements'))),
    Action('View', 'undeformed shape', ('Shift+E',), 'edges of the reference shapes of bodies that deform',
           *_switch('undeformed')),
    Action('View', 'shadows', ('Shift+D',), 'shadows', *_switch('shadows')),
    Action('View', 'contact forces', ('C',), 'no contact forces, arrows, a network of tubes',
           _cycle('forces', ('none', 'arrows', 'network'))),
    Action('View', 'vectors', ('Shift+V',), 'no vectors, displacements, velocities, angular velocities',
           _cycle('vectors', (None, 'displacement', 'velocity', 'angular velocity'))),
    Action('View', 'joints', ('Shift+J',), 'signs of joints and prescribed motions', *_switch('joints')),
    Action('View', 'next field', ('N',), 'colours by the next field', lambda w: w.next_field(1)),
    Action('View', 'previous field', ('P',), 'colours by the field before', lambda w: w.next_field(-1)),
    Action('View', 'cutting plane', ('K',), 'a plane that cuts the model, or none', lambda w: w.show_panel.cut.toggle(),
           lambda w: bool(w.session.settings.cuts)),
    Action('View', 'move plane back', ('[',), 'moves the cutting plane', lambda w: w.show_panel.cut.move(-1)),
    Action('View', 'move plane on', (']',), 'moves the cutting plane', lambda w: w.show_panel.cut.move(1)),

    Action('Select', 'select nothing', ('Esc',), 'figures and histories are those of the whole model',
           lambda w: w.session.select(None)),
    Action('Select', 'largest force', ('M',), 'selects the contact that carries most; without contacts the joint',
           lambda w: w.session.select_largest_force()),
    Action('Select', 'largest value', ('Shift+M',), 'selects the body with the largest value of the field shown',
           lambda w: w.view.select_largest_value()),
    Action('Select', 'hide', ('H',), 'hides the selected body; again: shows it', _of_body('hidden')),
    Action('Select', 'glass', ('J',), 'makes the selected body transparent; again: solid', _of_body('transparent')),
    Action('Select', 'only this', ('I',), 'shows the selected body alone; again: all', _only_body),
    Action('Select', 'show all', ('Shift+H',), 'shows all bodies, none as glass', lambda w: w.session.show_all()),

    Action('Window', 'look', ('1',), 'the panel of colours, forces and edges', lambda w: w.open_panel('Look')),
    Action('Window', 'show', ('2',), 'the panel of what is shown, and of the cutting plane',
           lambda w: w.open_panel('Show')),
    Action('Window', 'inspect', ('3',), 'the panel of figures and histories', lambda w: w.open_panel('Inspect')),
    Action('Window', 'contacts', ('4',), 'the table of contacts, or of joints', lambda w: w.open_panel('Contacts')),
    Action('Window', 'panels', ('Tab', '0'), 'panels at the side, or none', lambda w: w.toggle_panels(),
           lambda w: w.panels.isVisible()),
    Action('Window', 'output', ('Q',), 'what the script prints', lambda w: w.toggle_output(),
           lambda w: w.output.isVisible()),
    Action('Window', 'full screen', ('F11',), 'the whole screen, or a window', lambda w: w.toggle_full_screen(),
           lambda w: w.isFullScreen()),
    Action('Help', 'keys', ('?', 'F1'), 'this page', lambda w: w.show_keys()),
)
RUN_ACTIONS = ('run', 'single step', 'ten steps', 'run to a time', 'results on disk')  # only with a simulation

MOUSE = (('left click', 'selects the body or the contact there'), ('left, drag', 'turns'),
         ('middle, or Shift and left, drag', 'moves'), ('right, drag; wheel', 'zooms'))


def make(window):
    """QActions by name, added to a window; menus of it in the order of the table."""
    result, menus = {}, {}
    for entry in ACTIONS:
        action = QAction(entry.name[0].upper() + entry.name[1:], window)
        action.setShortcuts([QKeySequence(key) for key in entry.keys])
        keys = f'  [{entry.keys[0]}]' if entry.keys else ''
        action.setToolTip(entry.help + keys)
        action.setStatusTip(entry.help)
        action.setCheckable(entry.is_on is not None)
        if entry.icon is not None:
            action.setIcon(window.style().standardIcon(entry.icon))
        action.triggered.connect(lambda checked, entry=entry: (entry.run(window), refresh(window)))
        if entry.menu not in menus:
            menus[entry.menu] = window.menuBar().addMenu(entry.menu)
        menus[entry.menu].addAction(action)
        window.addAction(action)
        result[entry.name] = action
    for menu in menus.values():
        menu.aboutToShow.connect(lambda: refresh(window))
    return result


def refresh(window):
    """Ticks of switches, and what can be done now."""
    for entry in ACTIONS:
        action = window.actions_by_name[entry.name]
        if entry.is_on is not None:
            action.setChecked(entry.is_on(window))
        if entry.name in RUN_ACTIONS:
            action.setEnabled(window.session.model.live)
    window.actions_by_name['play'].setIcon(window.style().standardIcon(
        QStyle.SP_MediaPause if window.player.playing else QStyle.SP_MediaPlay))
    running = window.session.model.status.get('state') == 'running'
    window.actions_by_name['run'].setText('Pause' if running else 'Run')


def page_of_keys():
    """HTML of all keys."""
    rows, menu = ['<table cellpadding="3">'], None
    for entry in ACTIONS:
        if entry.menu != menu:
            menu = entry.menu
            rows.append(f'<tr><td colspan="3"><b>{menu}</b></td></tr>')
        keys = ' &nbsp; '.join(key.replace('<', '&lt;').replace('>', '&gt;') for key in entry.keys)
        rows.append(f'<tr><td><tt>{keys}</tt></td><td>{entry.name}</td><td>{entry.help}</td></tr>')
    rows.append('<tr><td colspan="3"><b>Mouse</b></td></tr>')
    rows += [f'<tr><td colspan="2">{what}</td><td>{does}</td></tr>' for what, does in MOUSE]
    return ''.join(rows) + '</table>'


def table_of_keys():
    """The same as a table of Markdown, for the documentation."""
    lines = ['| menu | action | keys | what it does |', '|---|---|---|---|']
    lines += [f'| {a.menu} | {a.name} | {" ".join(f"`{key}`" for key in a.keys)} | {a.help} |' for a in ACTIONS]
    return '\n'.join(lines) + '\n'
