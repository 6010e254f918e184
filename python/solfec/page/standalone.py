"""One file with the page, three.js and frames of results. A browser opens it from a disk, without a network.

Messages (message.py) are compressed, written in base64 and put into elements that browsers do not run. Base64 has none
of the characters that end an element, so nothing in results can get out of it. Only the scripts of the page run: the
policy in the file names them by their hashes, and forbids all connections.
"""

import base64
import gzip
import hashlib
import html
import os

from solfec.contact_table import COLUMNS
from solfec.page import assets
from solfec.page.message import to_json
from solfec.results import frames_between, no_frames
from solfec.whole_files import whole_file

_LARGE = 50 << 20  # [bytes] browsers take seconds to open larger files


def write(data, path, begin=None, end=None, every=1, fields=(), contacts=False):
    """Writes a file; returns a line that tells its size.

    data        SceneData
    path        of the file (.html)
    begin, end  first and last time [s]; None: all
    every       takes every so-manieth frame from the first one on
    fields      names of fields to colour by
    contacts    with contacts and joints, and all their figures
    """
    times = data.scene.times
    numbers = frames_between(times, begin, end, every)
    if not numbers:
        raise ValueError(no_frames(times, begin, end))
    for name in fields:
        data.field(name, numbers[0])  # unknown ones are errors before anything is written
    with whole_file(path, encoding='utf-8') as file:
        scripts = [assets.three(), *map(assets.own, assets.SCRIPTS)]
        file.write(_head(data.name, scripts))
        for name, content in _messages(data, numbers, fields, contacts):
            file.write(f'<script type="text/plain" id="{name}">{_packed(content)}</script>\n')
        file.write(''.join(f'<script>{script}</script>\n' for script in scripts) + '</body>\n</html>\n')
    size = os.path.getsize(path)
    told = f'{path}: {size / 1E6:.1f} MB, {len(numbers)} frames'
    if size > _LARGE:
        told += '; this is large for a browser: take fewer with --from, --to, --every, or fewer fields'
    return told


def _messages(data, numbers, fields, contacts):
    """Names and contents of all that the page may ask for."""
    run = data.run()
    known = {field['name']: field for field in run['fields']}
    run.update(frames=len(numbers), times=[run['times'][number] for number in numbers],
               fields=[known[name] for name in fields], hasContacts=contacts)
    yield 'run', to_json(run)
    yield 'model', data.model(0)
    layout = ''
    layouts = []
    for k, number in enumerate(numbers):
        message = data.frame(number, layout)
        if data.layout != layout:
            layout = data.layout
            layouts.append(k)
        yield f'frame-{k}', message
        for name in fields:
            yield f'field-{k}-{fields.index(name)}', data.field(name, number)
        if contacts:
            yield f'contacts-{k}', data.contacts(number, list(COLUMNS))
    # Frames whose messages name the bodies of all frames up to the next one.
    yield 'layouts', to_json(layouts)


def _packed(content):
    return base64.b64encode(gzip.compress(content, 6, mtime=0)).decode('ascii')


def _head(name, scripts):
    style, page = assets.own('page.css'), assets.own('page.html')
    policy = (f"default-src 'none'; script-src {' '.join(map(_hash, scripts))}; style-src {_hash(style)}; "
              "img-src blob: data:; base-uri 'none'; form-action 'none'")
    body = page[page.index('<body>'):page.index('<!-- scripts -->')]
    return (f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            f'<title>{html.escape(name)}</title>\n'
            f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n<style>{style}</style>\n</head>\n{body}')


def _hash(text):
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"
