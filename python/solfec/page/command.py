"""Command line: python3 -m solfec.page RESULTS [options]"""

import argparse
import contextlib
import errno
import math
import sys
import webbrowser

from solfec.page import assets
from solfec.page.scene_data import SceneData, run_name
from solfec.page.server import PageServer
from solfec.page.standalone import write
from solfec.scene import Scene
from solfec.shell.command import Failure, Parser, check_output, line_of, results_in


def _whole(low, high):
    """Reads a whole number from low to high."""
    def read(text):
        if not text.isascii() or not text.isdigit() or not low <= int(text) <= high:
            raise argparse.ArgumentTypeError(f'expected a whole number in {low} ... {high}; got {text!r}')
        return int(text)
    return read


def _time(text):
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise argparse.ArgumentTypeError(f'expected a time in seconds; got {text!r}')
    return number


def _names(text):
    return [name for name in (part.strip() for part in text.split(',')) if name]


def main(arguments=None):
    parser = Parser('page', description=(
        'Shows results in a web browser. Without --out the page is served on this machine (127.0.0.1) until Ctrl-C.'))
    parser.add_results(help='directory of results; the run that writes them may be going on')
    parser.add_argument('--port', type=_whole(0, 65535), default=0, help='port to serve at (default: any free one)')
    parser.add_argument('--open', action='store_true', help='open the page in the web browser')
    group = parser.add_argument_group('one file with everything in it, for somebody without Solfec')
    group.add_argument('--out', metavar='FILE.html', help='write this file instead of serving')
    group.add_argument('--from', dest='begin', type=_time, metavar='TIME', help='first time [s] (default: all)')
    group.add_argument('--to', dest='end', type=_time, metavar='TIME', help='last time [s] (default: all)')
    group.add_argument('--every', type=_whole(1, 10**9), default=1, metavar='N', help='every N-th frame (default: 1)')
    group.add_argument('--fields', type=_names, default=[], metavar='A,B', help='fields to colour by, as speed,mises')
    group.add_argument('--contacts', action='store_true', help='with contacts, joints and their forces')
    given = parser.parse_args(arguments)
    if given.out is None:
        unused = [option for option, set in (('--from', given.begin is not None), ('--to', given.end is not None),
                                             ('--every', given.every != 1), ('--fields', given.fields),
                                             ('--contacts', given.contacts)) if set]
        if unused:
            raise Failure(f'argument {unused[0]}: is of a file; give --out FILE.html too')
    elif given.port or given.open:
        raise Failure(f'argument {"--port" if given.port else "--open"}: is of a page that is served; leave --out out')
    else:
        check_output(given.out, '.html', '.htm')
    try:
        assets.three()
    except OSError as error:
        raise Failure(line_of(error)) from error
    try:
        with results_in(RESULTS=given.RESULTS):
            data = SceneData(Scene(given.RESULTS), run_name(given.RESULTS))
            if given.out is not None:
                print(_written(data, given))
                return 0
        server = _server(data, given.port)
    except KeyboardInterrupt:
        return 130
    _serve(server, given.open)
    return 0


def _server(data, port):
    try:
        return PageServer(data, port)
    except OSError as error:
        why = 'is in use' if error.errno == errno.EADDRINUSE else f'cannot be served: {error.strerror or error}'
        raise Failure(f'argument --port: port {port} {why}; give another one, or none') from error


def _written(data, given):
    try:
        return write(data, given.out, given.begin, given.end, given.every, given.fields, given.contacts)
    except ValueError as error:
        raise Failure(str(error)) from error
    except OSError as error:
        if error.filename is None and error.errno != errno.ENOSPC:  # of the results
            raise
        raise Failure("argument --out: '%s' cannot be written: %s" % (given.out, error.strerror)) from error


def _serve(server, open_browser):
    """Until Ctrl-C, which may come as soon as the address is known."""
    with server, contextlib.suppress(KeyboardInterrupt):
        print(f'{server.data.name}: {len(server.data.scene.times)} frames at {server.address}')
        print('Ctrl-C ends the page', flush=True)
        if open_browser and not webbrowser.open(server.address):
            print('solfec page: no web browser was found; open the address in one', file=sys.stderr)
        server.serve_forever()
