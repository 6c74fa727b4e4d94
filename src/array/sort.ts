/**
 * Sorting: by the digits of keys, eight bits at a time from the lowest on, which keeps the order of equal elements. A key has the order of
 * its number as an unsigned integer; both zeros have one, and all NaNs the last. Rows are sorted together: after the digits of the keys
 * comes the number of the row.
 */
import type { DeviceBuffer } from '../api/javascript/device-buffer.ts';
import type { Engine } from './engine.ts';
import { roundUp } from './expression.ts';
import type { Node } from './node.ts';
import { isFloat, type NumberType, numberTypes } from './number-types.ts';
import { scan } from './scan.ts';
import { sizeOf } from './shape.ts';

/** The unsigned type of a key, and a function that makes keys. */
function keyOf(type: NumberType): { readonly key: string; readonly bytes: number; readonly code: string } {
  const { c, bytes, kind } = numberTypes[type];
  const key = { 1: 'uchar', 2: 'ushort', 4: 'uint', 8: 'ulong' }[bytes]!;
  const top = bytes === 8 ? '0x8000000000000000UL' : `0x${(2 ** (8 * bytes - 1)).toString(16)}u`;
  let body = 'return x;';
  if (kind === 'signed') body = `return (${key})((${key})x ^ ${top});`;
  if (isFloat(type)) {
    body = `if (isnan(x)) return ~(${key})0; if (x == 0) return ${top}; ${key} b = as_${key}(x); return b & ${top} ? ~b : b | ${top};`;
  }
  return { key, bytes, code: `static ${key} key_of(${c} x) { ${body} }\n` };
}

/**
 * The order of the elements of each row along the last axis.
 * @returns indices in the whole array: those of the first row, sorted, then those of the second
 */
export async function sortedOrder(engine: Engine, input: Node): Promise<DeviceBuffer> {
  const count = sizeOf(input.shape);
  const rowLength = input.shape.at(-1) ?? 1;
  const rows = count === 0 ? 0 : count / rowLength;
  const buffer = await engine.dense(input);
  const { key, bytes, code } = keyOf(input.type);
  const chunks = Math.max(1, Math.min(engine.isGpu ? 1024 : 64, Math.ceil(count / 256)));
  const chunk = Math.ceil(count / chunks);
  const unsigned = (size: number): DeviceBuffer => engine.program.buffer(Math.max(1, count) * size);
  let keys = unsigned(bytes);
  let order = unsigned(4);
  if (count === 0) {
    keys.release();
    return order;
  }
  let otherKeys = unsigned(bytes);
  let otherOrder = unsigned(4);
  const counts = engine.program.buffer(256 * chunks * 4);
  try {
    await engine.launch(
      `${code}kernel void keys(global const ${numberTypes[input.type].c} *x, global ${key} *keys, global uint *order, uint size) {
  uint i = get_global_id(0);
  if (i >= size) return;
  keys[i] = key_of(x[i]);
  order[i] = i;
}
`,
      { global: [roundUp(count, 64)] },
      [buffer, keys, order, count],
    );
    const range = engine.isGpu
      ? { global: [roundUp(chunks, 64)], local: [64] }
      : { global: [chunks], local: [1] };
    const digits = rows > 1 ? bytes + Math.ceil(Math.log2(rows) / 8) : bytes;
    for (let digit = 0; digit < digits; digit += 1) {
      const isKey = digit < bytes;
      const shift = 8 * (isKey ? digit : digit - bytes);
      const found = isKey ? 'keys[i] >> shift & 255' : 'order[i] / rowLength >> shift & 255';
      const parameters = `global uint *counts, global const ${key} *keys, global const uint *order, uint size, uint chunk, uint chunks, uint shift, uint rowLength`;
      const begin = `  uint c = get_global_id(0);
  if (c >= chunks) return;
  uint end = min(c * chunk + chunk, size);
  uint at[256];
`;
      const sizes = [count, chunk, chunks, shift, rowLength];
      await engine.launch(
        `kernel void count_digits(${parameters}) {
${begin}  for (int d = 0; d < 256; d++) at[d] = 0;
  for (uint i = c * chunk; i < end; i++) at[${found}]++;
  for (uint d = 0; d < 256; d++) counts[d * chunks + c] = at[d];
}
`,
        range,
        [counts, keys, order, ...sizes],
      );
      await scan(engine, startsOf(counts), { outer: 1, length: 256 * chunks, inner: 1 });
      await engine.launch(
        `kernel void place(${parameters}, global ${key} *toKeys, global uint *toOrder) {
${begin}  for (uint d = 0; d < 256; d++) at[d] = counts[d * chunks + c];
  for (uint i = c * chunk; i < end; i++) {
    uint to = at[${found}]++;
    toKeys[to] = keys[i];
    toOrder[to] = order[i];
  }
}
`,
        range,
        [counts, keys, order, ...sizes, otherKeys, otherOrder],
      );
      [keys, otherKeys] = [otherKeys, keys];
      [order, otherOrder] = [otherOrder, order];
    }
    return order;
  } finally {
    for (const each of [keys, otherKeys, otherOrder, counts]) each.release();
  }
}

/** Makes counts the places that begin there. */
const startsOf = (counts: DeviceBuffer) => ({
  helpers: '',
  c: 'uint',
  bytes: 4,
  neutral: '0',
  join: 'a + b',
  statements: '',
  value: 'counts[i]',
  output: 'counts[i] = prev_item;',
  parameters: ['global uint *counts'],
  arguments: [counts],
});

/** The elements of a buffer in an order. */
export async function gathered(
  engine: Engine,
  type: NumberType,
  from: DeviceBuffer,
  order: DeviceBuffer,
  count: number,
): Promise<DeviceBuffer> {
  const out = engine.buffer(type, count);
  if (count === 0) return out;
  const { c } = numberTypes[type];
  await engine.launch(
    `kernel void gather(global const ${c} *x, global const uint *order, global ${c} *out, uint size) {
  uint i = get_global_id(0);
  if (i < size) out[i] = x[order[i]];
}
`,
    { global: [roundUp(count, 64)] },
    [from, order, out, count],
  );
  return out;
}

/** Sorted rows along the last axis. */
export async function sorted(engine: Engine, input: Node): Promise<DeviceBuffer> {
  const order = await sortedOrder(engine, input);
  try {
    return await gathered(engine, input.type, await engine.dense(input), order, sizeOf(input.shape));
  } finally {
    order.release();
  }
}

/** For each row along the last axis the places in it, sorted. */
export async function sortedPlaces(engine: Engine, input: Node): Promise<DeviceBuffer> {
  const order = await sortedOrder(engine, input);
  const rowLength = input.shape.at(-1) ?? 1;
  const count = sizeOf(input.shape);
  if (count === rowLength || count === 0) return order;
  await engine.launch(
    `kernel void in_rows(global uint *order, uint rowLength, uint size) {
  uint i = get_global_id(0);
  if (i < size) order[i] %= rowLength;
}
`,
    { global: [roundUp(count, 64)] },
    [order, rowLength, count],
  );
  return order;
}
