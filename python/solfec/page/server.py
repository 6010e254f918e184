"""Serves the page to browsers on this machine, and to nobody else.

Everything is below http://127.0.0.1:PORT/TOKEN/, where TOKEN is random: other users and other web pages do not know it.
Requests for another host name are refused, so that a name that somebody points to 127.0.0.1 leads nowhere. No part of a
request becomes the name of a file: addresses are looked up in a table.
"""

import hmac
import http.server
import secrets
import socketserver
import sys
import threading
import traceback
import urllib.parse

from solfec.page import assets
from solfec.page.message import to_json

_LONGEST_ADDRESS = 2048
_LONGEST_HEADERS = 16384
_MOST_READERS = 64       # connections at a time
_TIMEOUT = 30            # [s] for a request to arrive
_KINDS = {'.html': 'text/html; charset=utf-8', '.css': 'text/css; charset=utf-8',
          '.js': 'text/javascript; charset=utf-8'}
_HEADERS = {
    'Content-Security-Policy': "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
                               "img-src 'self' blob: data:; base-uri 'none'; form-action 'none'; "
                               "frame-ancestors 'none'",
    'Cross-Origin-Resource-Policy': 'same-origin', 'Cross-Origin-Opener-Policy': 'same-origin',
    'X-Content-Type-Options': 'nosniff', 'Referrer-Policy': 'no-referrer', 'Cache-Control': 'no-store'}


class Refused(Exception):
    """A request that gets no answer but an error: status and text."""

    def __init__(self, status, text):
        super().__init__(text)
        self.status = status


class PageServer(socketserver.ThreadingMixIn, http.server.HTTPServer):
    """Serves a SceneData until shutdown().

    port  0: any free one
    """
    daemon_threads = True
    block_on_close = False

    def __init__(self, data, port=0):
        self.data, self.token = data, secrets.token_urlsafe(24)
        self.places = threading.BoundedSemaphore(_MOST_READERS)
        self.files = {name: (_KINDS[name[name.rindex('.'):]], assets.own(name).encode())
                      for name in ('page.html', 'page.css', *assets.SCRIPTS)}
        self.files['three.js'] = _KINDS['.js'], assets.three().encode()
        self.files[''] = self.files['page.html']
        super().__init__(('127.0.0.1', port), _Handler)

    address = property(lambda self: f'http://127.0.0.1:{self.server_port}/{self.token}/')

    def server_close(self):
        super().server_close()
        self.data.close()

    def process_request(self, request, client_address):
        if not self.places.acquire(blocking=False):
            self.shutdown_request(request)
            return
        super().process_request(request, client_address)

    def process_request_thread(self, request, client_address):
        try:
            super().process_request_thread(request, client_address)
        finally:
            self.places.release()

    def handle_error(self, request, client_address):
        if not isinstance(sys.exc_info()[1], OSError):  # a browser that closes a connection is no error
            super().handle_error(request, client_address)


class _Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'
    server_version, sys_version = 'solfec.page', ''
    timeout = _TIMEOUT

    def do_GET(self):
        self._answer(with_content=True)

    def do_HEAD(self):
        self._answer(with_content=False)

    def _answer(self, with_content):
        try:
            status, (kind, content) = 200, self._content()
        except Refused as refusal:
            status, kind, content = refusal.status, 'application/json', to_json({'error': str(refusal)})
        self.send_response(status)
        for name, value in {'Content-Type': kind, 'Content-Length': str(len(content)), **_HEADERS}.items():
            self.send_header(name, value)
        if status != 200:
            self.send_header('Connection', 'close')
        self.end_headers()
        if with_content:
            self.wfile.write(content)

    def _content(self):
        """Type and bytes of what was asked for."""
        self._check_form()
        address = urllib.parse.urlsplit(self.path)
        token, _, name = address.path.removeprefix('/').partition('/')
        if not hmac.compare_digest(token.encode(), self.server.token.encode()):
            raise Refused(403, 'the address has not the token that was printed when the page was started')
        if name in self.server.files:
            return self.server.files[name]
        if name not in _ANSWERS:
            raise Refused(404, 'there is nothing at this address')
        return _computed(self.server.data, _ANSWERS[name], _parameters(address.query))

    def _check_form(self):
        port = self.server.server_port
        if self.headers.get_all('Host', []) not in ([f'127.0.0.1:{port}'], [f'localhost:{port}']):
            raise Refused(403, f'this page is at 127.0.0.1:{port} only')
        if len(self.path) > _LONGEST_ADDRESS:
            raise Refused(414, f'addresses have at most {_LONGEST_ADDRESS} characters')
        if sum(len(name) + len(value) for name, value in self.headers.items()) > _LONGEST_HEADERS:
            raise Refused(431, f'headers have at most {_LONGEST_HEADERS} characters')
        if self.headers.get('Content-Length', '0') != '0' or 'Transfer-Encoding' in self.headers:
            raise Refused(413, 'requests have no content here')

    def log_message(self, format, *arguments):
        """The terminal is the user's."""


def _parameters(query):
    try:
        pairs = urllib.parse.parse_qsl(query, strict_parsing=bool(query), max_num_fields=8, errors='strict')
    except ValueError:
        raise Refused(400, 'the parameters of this address cannot be read') from None
    return dict(pairs)


def _number(parameters, name, default=None):
    text = parameters.get(name, default)
    if text is None:
        raise Refused(400, f'{name} is missing')
    if not text.isascii() or not text.isdigit() or len(text) > 10:
        raise Refused(400, f'{name} must be a whole number; got {text!r}')
    return int(text)


def _columns(parameters):
    return [name for name in parameters.get('columns', '').split(',') if name]


# Of each address: method of SceneData and its arguments from the parameters.
_ANSWERS = {
    'run': lambda data, p: data.run(_number(p, 'known', '0')),
    'model': lambda data, p: data.model(_number(p, 'begin', '0')),
    'frame': lambda data, p: data.frame(_number(p, 'number'), p.get('layout', '')),
    'field': lambda data, p: data.field(p.get('name', ''), _number(p, 'number')),
    'range': lambda data, p: data.range(p.get('name', '')),
    'contacts': lambda data, p: data.contacts(_number(p, 'number'), _columns(p)),
    'body': lambda data, p: data.body(_number(p, 'id'), _number(p, 'number'), p.get('name', '')),
    'contact': lambda data, p: data.contact(_number(p, 'row'), _number(p, 'number'), _number(p, 'joint', '0') == 1)}


def _computed(data, answer, parameters):
    """Type and bytes. What is wrong with the request is the browser's error, what is wrong with the results is ours."""
    try:
        result = answer(data, parameters)
    except Refused:
        raise
    except ValueError as error:
        raise Refused(400, str(error)) from None
    except (OSError, KeyError, IndexError, RuntimeError) as error:  # what h5py says of files that are cut short or gone
        raise Refused(503, f'the results of {data.name} cannot be read: {_first_line(error)}') from None
    except Exception as error:
        traceback.print_exc()
        raise Refused(500, f'{type(error).__name__}: {_first_line(error)}') from None
    return ('application/octet-stream', result) if isinstance(result, bytes) else ('application/json', to_json(result))


def _first_line(error):
    return (str(error).splitlines() or [type(error).__name__])[0]
