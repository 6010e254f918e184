"""A web browser without a window, driven by the WebDriver protocol: JSON over http to chromedriver."""

import base64
import contextlib
import io
import json
import re
import shutil
import subprocess
import time
import urllib.error
import urllib.request

import numpy as np

# WebGL is computed by the processor (SwiftShader).
_OPTIONS = ['--headless=new', '--no-sandbox', '--disable-dev-shm-usage', '--use-gl=angle', '--use-angle=swiftshader',
            '--enable-unsafe-swiftshader', '--force-device-scale-factor=1', '--hide-scrollbars',
            '--disable-background-networking']
DRIVER, BROWSER = shutil.which('chromedriver'), shutil.which('chromium')


class Browser:
    """size: of the page in pixels; offline: nothing but files can be reached."""

    def __init__(self, size=(1000, 700), offline=False):
        assert DRIVER and BROWSER, 'a browser is missing: apt-get install chromium chromium-driver'
        self._driver = subprocess.Popen([DRIVER, '--port=0'], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                        text=True)
        try:
            self._url = f'http://127.0.0.1:{_port(self._driver)}/session'
            options = [*_OPTIONS, f'--window-size={size[0]},{size[1] + 140}']
            if offline:
                options += ['--host-resolver-rules=MAP * ~NOTFOUND', '--proxy-server=127.0.0.1:1']
            capabilities = {'goog:chromeOptions': {'args': options, 'binary': BROWSER},
                            'goog:loggingPrefs': {'browser': 'ALL'}}
            session = _call('POST', self._url, {'capabilities': {'alwaysMatch': capabilities}})
            self._url += '/' + session['sessionId']
            inner = self.run('return [innerWidth, innerHeight]')
            outer = _call('GET', self._url + '/window/rect')
            self._post('/window/rect', {'width': size[0] + outer['width'] - inner[0],
                                        'height': size[1] + outer['height'] - inner[1]})
        except BaseException:
            self.close()
            raise

    def close(self):
        with contextlib.suppress(Exception):
            _call('DELETE', self._url)
        self._driver.terminate()
        self._driver.wait()

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.close()

    def _post(self, path, values):
        return _call('POST', self._url + path, values)

    def open(self, address):
        self._post('/url', {'url': address})

    def run(self, script, *arguments):
        """Runs JavaScript, which may return a promise."""
        return self._post('/execute/sync', {'script': script, 'args': list(arguments)})

    def wait(self, condition, seconds=20):
        """Until a JavaScript expression is true."""
        end = time.monotonic() + seconds
        while not self.run(f'return Boolean({condition})'):
            assert time.monotonic() < end, f'{condition} is not true after {seconds} s; {self.log()}'
            time.sleep(0.05)

    def text(self, selector):
        return self.run('''const found = document.querySelector(arguments[0]);
            return found && !found.closest('[hidden]') ? found.innerText : null''', selector)

    def click(self, x, y):
        """At a point of the page [pixels]."""
        self._post('/actions', {'actions': [{'type': 'pointer', 'id': 'mouse', 'actions': [
            {'type': 'pointerMove', 'x': int(x), 'y': int(y)}, {'type': 'pointerDown', 'button': 0},
            {'type': 'pointerUp', 'button': 0}]}]})

    def drag(self, start, end):
        self._post('/actions', {'actions': [{'type': 'pointer', 'id': 'mouse', 'actions': [
            {'type': 'pointerMove', 'x': start[0], 'y': start[1]}, {'type': 'pointerDown', 'button': 0},
            {'type': 'pointerMove', 'x': end[0], 'y': end[1], 'duration': 100}, {'type': 'pointerUp', 'button': 0}]}]})

    def key(self, text):
        self._post('/actions', {'actions': [{'type': 'key', 'id': 'keys', 'actions': [
            {'type': 'keyDown', 'value': text}, {'type': 'keyUp', 'value': text}]}]})

    def png(self):
        return base64.b64decode(_call('GET', self._url + '/screenshot'))

    def picture(self):
        """(height, width, 3) in 0 ... 1."""
        from matplotlib.image import imread
        return imread(io.BytesIO(self.png()))[..., :3]

    def log(self):
        """Messages on the console since the last call."""
        return [entry['message'] for entry in self._post('/se/log', {'type': 'browser'})]


def _port(driver):
    for line in driver.stdout:
        found = re.search(r'successfully on port (\d+)', line)
        if found:
            return int(found.group(1))
    raise RuntimeError('chromedriver did not start')


def _call(method, url, values=None):
    data = None if values is None else json.dumps(values).encode()
    request = urllib.request.Request(url, data, {'Content-Type': 'application/json'}, method=method)
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(request, timeout=120) as response:
            return json.load(response)['value']
    except urllib.error.HTTPError as error:
        raise RuntimeError(json.load(error)['value']['message'].splitlines()[0]) from None


def close(one, two):
    """Whether colours are about the same."""
    return np.abs(np.asarray(one) - two).max() < 0.08
