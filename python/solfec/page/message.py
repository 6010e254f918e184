"""Messages to the page: values as JSON and arrays as they are in memory, so that the browser need not parse them.

    'SPG1', length of the JSON text [uint32], JSON text, padding, arrays

The JSON text is {"values": ..., "arrays": {name: [type, offset, count]}}; offsets are bytes from the end of the
padding, and arrays start at multiples of 8 bytes. Numbers are little endian. assets/message.js reads them.
"""

import json
import math

import numpy as np

MAGIC = b'SPG1'
_TYPES = {'f': '<f4', 'i': '<i4', 'u': '<u4', 'b': 'u1'}  # by what an array is sent as


def encode(values, arrays):
    """Bytes of a message.

    values  what JSON can have; numbers that are not finite become null
    arrays  {name: (letter, array)}; the letter is f (float32), i (int32), u (uint32) or b (uint8)
    """
    places, blocks, offset = {}, [], 0
    for name, (letter, array) in arrays.items():
        block = np.ascontiguousarray(array, dtype=_TYPES[letter]).tobytes()
        places[name] = [letter, offset, array.size]
        blocks.append(block + bytes(-len(block) % 8))
        offset += len(blocks[-1])
    text = to_json({'values': values, 'arrays': places})
    text += b' ' * (-(len(text) + 8) % 8)
    return b''.join([MAGIC, len(text).to_bytes(4, 'little'), text, *blocks])


def to_json(value):
    """JSON text as bytes, ASCII only; without NaN, which browsers do not read."""
    return json.dumps(_finite(value), allow_nan=False, separators=(',', ':')).encode('ascii')


def _finite(value):
    if isinstance(value, dict):
        return {str(key): _finite(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(item) for item in value]
    if isinstance(value, np.ndarray):
        return _finite(value.tolist())
    if isinstance(value, np.generic):
        value = value.item()
    return None if isinstance(value, float) and not math.isfinite(value) else value
