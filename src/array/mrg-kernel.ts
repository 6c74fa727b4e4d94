/** The kernels of MRG32k3a: see mrg32k3a.ts. */
import type { DeviceBuffer } from '../api/javascript/device-buffer.ts';
import type { Engine } from './engine.ts';
import { roundUp } from './expression.ts';
import { type MrgState, m1, numbersTaken, power, product, steps } from './mrg32k3a.ts';
import { numberTypes } from './number-types.ts';
import { type Distribution, takingOf, type Uniform, valuesPerBlock, writesOf } from './random-source.ts';

/** Matrices for 1, 2, 4 ... 2^31 times so many steps, both halves of each one after the other. */
function jumpTable(count: number): Uint32Array {
  const table: number[] = [];
  const halves = steps.map(([matrix, modulus]) => power(matrix, BigInt(count), modulus));
  for (let bit = 0; bit < 32; bit += 1) {
    for (const [half, [, modulus]] of steps.entries()) {
      table.push(...halves[half]!.map(Number));
      halves[half] = product(halves[half]!, halves[half]!, modulus);
    }
  }
  return Uint32Array.from(table);
}

/** The tables on a device, by their steps: there are a few. */
const tables = new WeakMap<Engine, Map<number, DeviceBuffer>>();

function tableOn(engine: Engine, count: number): DeviceBuffer {
  let own = tables.get(engine);
  if (!own) {
    own = new Map();
    tables.set(engine, own);
  }
  let table = own.get(count);
  if (!table) {
    table = engine.bufferOf(jumpTable(count));
    own.set(count, table);
  }
  return table;
}

const step = `#define M1 4294967087ul
#define M2 4294944443ul
static uint mrg(ulong *s) {
  ulong p = (1403580 * s[1] + 810728 * (M1 - s[0])) % M1, q = (527612 * s[5] + 1370589 * (M2 - s[3])) % M2;
  s[0] = s[1];
  s[1] = s[2];
  s[2] = p;
  s[3] = s[4];
  s[4] = s[5];
  s[5] = q;
  return (uint)(p > q ? p - q : p + M1 - q);
}
static void jump(global const uint *m, ulong *s) {
  ulong a = s[0], b = s[1], c = s[2], d = s[3], e = s[4], f = s[5];
  for (int row = 0; row < 3; row++) {
    s[row] = (m[3 * row] * a % M1 + m[3 * row + 1] * b % M1 + m[3 * row + 2] * c % M1) % M1;
    s[row + 3] = (m[3 * row + 9] * d % M2 + m[3 * row + 10] * e % M2 + m[3 * row + 11] * f % M2) % M2;
  }
}
static double unit(uint z) { return z * 2.328306549295727688e-10; }
// 64 bits of two numbers, which are m1 * m1 values: they are spread over all of 2^64.
static ulong wide(uint high, uint low) {
  ulong word = (high - 1) * M1 + (low - 1);
  return word + mul_hi(word, WIDER);
}
`.replace('WIDER', `${(2n ** 128n) / (m1 * m1) - 2n ** 64n}ul`);

const uniform: Uniform = {
  word: (index) => `z${index}`,
  single: (index) => `(float)(z${index} >> 8) * 0x1p-24f`,
  openSingle: (index) => `((float)(z${index} >> 8) + 1) * 0x1p-24f`,
  double: (index) => `unit(z${index})`,
  openDouble: (index) => `unit(z${index})`,
  long: (index) => `wide(z${2 * index}, z${2 * index + 1})`,
};

/** Blocks that a work-item makes, and values that it finds by trial. */
const blocksEach = 64;
const trialsEach = 16;
/** Makes so many values, from a state on. */
export async function fillByMrg(
  engine: Engine,
  distribution: Distribution,
  size: number,
  state: MrgState,
): Promise<DeviceBuffer> {
  const { type, helpers = '', parameters = [], arguments: more = [] } = distribution;
  const out = engine.buffer(type, size);
  if (size === 0) return out;
  const { c } = numberTypes[type];
  const isBlock = 'block' in distribution;
  const perBlock = isBlock ? valuesPerBlock[distribution.block] : 1;
  const numbers = numbersTaken[takingOf(distribution)];
  const each = isBlock ? blocksEach : trialsEach;
  const body = isBlock
    ? `    uint ${Array.from({ length: numbers }, (_, z) => `z${z} = mrg(s)`).join(', ')};
${distribution.statements?.(uniform) ?? ''}${writesOf(distribution.values(uniform), '    ')}`
    : `    ulong t[6] = { s[0], s[1], s[2], s[3], s[4], s[5] };
    ${c} value;
${distribution.trial}    out[i] = value;
    jump(next, s);
`;
  const source = `${step}${helpers}${isBlock ? '' : nextOf(distribution.real)}kernel void random(global ${c} *out, uint size, global const uint *jumps, ${isBlock ? '' : 'global const uint *next, '}${state.map((_, s) => `uint s${s}`).join(', ')}${parameters.map((p) => `, ${p}`).join('')}) {
  uint item = get_global_id(0), i = item * ${perBlock * each};
  if (i >= size) return;
  ulong s[6] = { s0, s1, s2, s3, s4, s5 };
  for (uint bit = 0; item >> bit != 0; bit++)
    if (item >> bit & 1) jump(jumps + 18 * bit, s);
  for (uint block = 0; block < ${each} && i < size; block++, i += ${perBlock}) {
${body}  }
}
`;
  const items = Math.ceil(size / (perBlock * each));
  const jumps = tableOn(engine, each * numbers);
  await engine.launch(source, { global: [roundUp(items, items < 64 ? 1 : 64)] }, [
    out,
    size,
    jumps,
    ...(isBlock ? [] : [tableOn(engine, numbers)]),
    ...state.map(Number),
    ...more,
  ]);
  return out;
}

const nextOf = (real: 'float' | 'double'): string => `#define NEXT(u, v) do { \\
    uint z0 = mrg(t), z1 = mrg(t); \\
    u = ${real === 'float' ? uniform.openSingle(0) : uniform.openDouble(0)}; \\
    v = ${real === 'float' ? uniform.single(1) : uniform.double(1)}; \\
  } while (0)
`;
