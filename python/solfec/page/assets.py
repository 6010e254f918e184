"""Files that the page is made of, by name: our own beside this file, and three.js of the system."""

import pathlib

FOLDER = pathlib.Path(__file__).with_name('assets')
# In the order in which the page runs them.
SCRIPTS = ('message.js', 'colours.js', 'model.js', 'layout.js', 'shaders.js', 'bodies.js', 'forces.js', 'camera.js',
           'drawing.js', 'server_source.js', 'file_source.js', 'visibility.js', 'legend.js', 'scale.js', 'selection.js',
           'player.js', 'panels.js', 'keys.js', 'page.js')
THREE = ('/usr/share/javascript/three/three.min.js', '/usr/share/nodejs/three/build/three.min.js')
INSTALL = './bootstrap.sh view (or: apt-get install libjs-three)'


def own(name):
    """Text of a file of ours."""
    return (FOLDER / name).read_text(encoding='utf-8')


def three():
    """Text of three.js; FileNotFoundError says how to install it."""
    for path in THREE:
        if pathlib.Path(path).is_file():
            return pathlib.Path(path).read_text(encoding='utf-8')
    raise FileNotFoundError(f'three.js is missing; install it: {INSTALL}')
