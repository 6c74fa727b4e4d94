/**
 * Philox 4x32-10 (Salmon et al., Parallel random numbers: as easy as 1, 2, 3; SC11). A block of four words is a function of its number, the
 * counter, and of the seed, the key: so every device computes the same, and any work-item any block. Values that are found by trial have a block
 * each; their further blocks differ in the highest word of the counter.
 */
import type { DeviceBuffer } from '../api/javascript/device-buffer.ts';
import type { Engine } from './engine.ts';
import { roundUp } from './expression.ts';
import { numberTypes } from './number-types.ts';
import {
  type Distribution,
  type RandomSource,
  type Taking,
  type Uniform,
  valuesPerBlock,
  writesOf,
} from './random-source.ts';

const philox = `static uint4 philox(ulong low, ulong high, uint2 key) {
  uint4 c = (uint4)((uint)low, (uint)(low >> 32), (uint)high, (uint)(high >> 32));
  for (int round = 0; round < 10; round++) {
    ulong a = (ulong)0xD2511F53u * c.x, b = (ulong)0xCD9E8D57u * c.z;
    c = (uint4)((uint)(b >> 32) ^ c.y ^ key.x, (uint)b, (uint)(a >> 32) ^ c.w ^ key.y, (uint)a);
    key += (uint2)(0x9E3779B9u, 0xBB67AE85u);
  }
  return c;
}
static double to_double(uint high, uint low) { return ((ulong)(high >> 5) * 67108864 + (low >> 6)) * 0x1p-53; }
`;

const words = ['w.x', 'w.y', 'w.z', 'w.w'];
const double = (index: number): string => `to_double(${words[2 * index]}, ${words[2 * index + 1]})`;

const uniform: Uniform = {
  word: (index) => words[index]!,
  single: (index) => `(float)(${words[index]} >> 8) * 0x1p-24f`,
  openSingle: (index) => `((float)(${words[index]} >> 8) + 1) * 0x1p-24f`,
  double,
  openDouble: (index) => `(${double(index)} + 0x1p-53)`,
  long: (index) => `((ulong)${words[2 * index]} << 32 | ${words[2 * index + 1]})`,
};

export class PhiloxSource implements RandomSource {
  readonly #engine: Engine;
  readonly #seed: bigint;
  #counter: bigint;

  constructor(engine: Engine, seed: bigint, counter: bigint) {
    this.#engine = engine;
    this.#seed = seed;
    this.#counter = counter;
  }

  get counter(): bigint {
    return this.#counter;
  }

  take(kind: Taking, size: number): (distribution: Distribution) => Promise<DeviceBuffer> {
    const counter = this.#counter;
    const perBlock = kind === 'trial' ? 1 : valuesPerBlock[kind];
    this.#counter = BigInt.asUintN(128, counter + BigInt(Math.ceil(size / perBlock)));
    return (distribution) => this.#fill(distribution, perBlock, size, counter);
  }

  async #fill(
    distribution: Distribution,
    perBlock: number,
    size: number,
    counter: bigint,
  ): Promise<DeviceBuffer> {
    const { type, helpers = '', parameters = [], arguments: more = [] } = distribution;
    const out = this.#engine.buffer(type, size);
    if (size === 0) return out;
    const { c } = numberTypes[type];
    const source = `${philox}${helpers}${'block' in distribution ? '' : nextOf(distribution.real)}kernel void random(global ${c} *out, uint size, ulong low_counter, ulong high_counter, uint key0, uint key1${parameters.map((p) => `, ${p}`).join('')}) {
  uint block = get_global_id(0), i = block * ${perBlock};
  if (i >= size) return;
  ulong counter = low_counter + block;
  ulong upper = high_counter + (counter < low_counter);
${
  'block' in distribution
    ? `  uint4 w = philox(counter, upper, (uint2)(key0, key1));
${distribution.statements?.(uniform) ?? ''}${writesOf(distribution.values(uniform).slice(0, perBlock), '    ')}`
    : `  ${c} value;
${distribution.trial}  out[i] = value;
`
}}
`;
    await this.#engine.launch(source, { global: [roundUp(Math.ceil(size / perBlock), 64)] }, [
      out,
      size,
      BigInt.asUintN(64, counter),
      counter >> 64n,
      Number(this.#seed & 0xffffffffn),
      Number(this.#seed >> 32n),
      ...more,
    ]);
    return out;
  }
}

/** A double takes two words, a float one; so a block gives two doubles, and two of its four floats are used. */
const nextOf = (real: 'float' | 'double'): string => `#define NEXT(u, v) do { \\
    uint4 w = philox(counter, upper, (uint2)(key0, key1)); \\
    upper += 1ul << 32; \\
    u = ${real === 'float' ? uniform.openSingle(0) : uniform.openDouble(0)}; \\
    v = ${real === 'float' ? uniform.single(1) : uniform.double(1)}; \\
  } while (0)
`;
