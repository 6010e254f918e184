// Messages: values and typed arrays from the bytes that solfec/page/message.py writes.
'use strict';

const ARRAY_TYPES = {f: Float32Array, i: Int32Array, u: Uint32Array, b: Uint8Array};

// {values, arrays: {name: typed array}}; the arrays are views of the buffer, nothing is copied.
function decodeMessage(buffer) {
  const bytes = new Uint8Array(buffer);
  if (String.fromCharCode(...bytes.subarray(0, 4)) !== 'SPG1') throw new Error('this is no message');
  const length = new DataView(buffer).getUint32(4, true);
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + length)));
  const arrays = {};
  for (const [name, [type, offset, count]] of Object.entries(header.arrays)) {
    arrays[name] = new ARRAY_TYPES[type](buffer, 8 + length + offset, count);
  }
  return {values: header.values, arrays};
}
