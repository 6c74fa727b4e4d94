/**
 * Source modifiers with every kind of swizzle and mask, against an evaluator that is written here from the IL specification (2.2.6, 2.2.7):
 * swizzle, then 1 - x, x - 0.5, 2x, the sign, the division, the absolute value, the negation, and the clamp last, whatever their order in
 * the text; `_neg` names positions after the swizzle. What the specification leaves open is as docs/il.md decides it.
 */
import { describe, expect, it } from 'vitest';
import { compileLog, doubles, evaluate, evaluateAll, floats, runIl } from './run-il.ts';

// ------------------------------------------------------------------------------------------------ the evaluator

interface TestSource {
  register: readonly number[];
  /** '' for none */
  swizzle: string;
  /** with their underscores: `_neg(xy)`; at most one of a kind */
  modifiers: readonly string[];
}

const letters = 'xyzw';
const bitsOf = (value: number): number => new Uint32Array(Float32Array.of(value).buffer)[0]!;
const floatOf = (bits: number): number => new Float32Array(Uint32Array.of(bits).buffer)[0]!;

/** The bits at the four positions after the swizzle. */
function swizzled({ register, swizzle }: TestSource): number[] {
  if (swizzle === '') return [...register];
  return [0, 1, 2, 3].map((position) => {
    const selector = swizzle[Math.min(position, swizzle.length - 1)]!;
    if (selector === '0') return 0;
    return selector === '1' ? 0x3f800000 : register[letters.indexOf(selector)]!;
  });
}

const has = (source: TestSource, name: string): boolean => source.modifiers.includes(name);

function negatedAt({ swizzle, modifiers }: TestSource, position: number): boolean {
  const named = modifiers.find((text) => text.startsWith('_neg('));
  if (named === undefined) return false;
  return swizzle.length === 1 || named.slice(5, -1).includes(letters[position]!);
}

function asFloats(source: TestSource): number[] {
  let values = swizzled(source).map(floatOf);
  const each = (change: (x: number, position: number) => number): void => {
    values = values.map((x, position) => Math.fround(change(x, position)));
  };
  if (has(source, '_invert')) each((x) => 1 - x);
  if (has(source, '_bias') || has(source, '_bx2')) each((x) => x - 0.5);
  if (has(source, '_x2') || has(source, '_bx2')) each((x) => 2 * x);
  if (has(source, '_sign')) each((x) => (x < 0 ? -1 : x > 0 ? 1 : 0));
  const division = source.modifiers.find((text) => text.startsWith('_divComp('));
  if (division !== undefined) {
    const last = letters.indexOf(division[9]!);
    const divisor = values[last]!;
    each((x, position) => (position < last ? x / divisor : x));
  }
  if (has(source, '_abs')) each(Math.abs);
  each((x, position) => (negatedAt(source, position) ? -x : x));
  if (has(source, '_sat')) each((x) => Math.min(Math.max(x, 0), 1));
  return values;
}

/** Which zero a clamped zero is, nobody says. */
const clampsZero = (source: TestSource): boolean =>
  has(source, '_sat') &&
  asFloats({ ...source, modifiers: source.modifiers.filter((text) => text !== '_sat') }).some((x) =>
    Object.is(x, -0),
  );

function asIntegers(source: TestSource): number[] {
  return swizzled(source).map((bits, position) => {
    const value = has(source, '_abs') ? Math.abs(bits | 0) : bits | 0;
    return (negatedAt(source, position) ? -value : value) | 0;
  });
}

const wordsOf = (source: TestSource): number[] =>
  source.modifiers.length === 0 ? swizzled(source) : asFloats(source).map(bitsOf);

function asDouble(source: TestSource): number {
  const [low = 0, high = 0] = swizzled(source);
  const value = new Float64Array(Uint32Array.of(low, high).buffer)[0]!;
  const positive = has(source, '_abs') ? Math.abs(value) : value;
  return negatedAt(source, 0) || negatedAt(source, 1) ? -positive : positive;
}

function asLong(source: TestSource): bigint {
  const [low = 0, high = 0] = swizzled(source);
  const value = BigInt.asIntN(64, (BigInt(high) << 32n) | BigInt(low));
  const positive = has(source, '_abs') && value < 0n ? -value : value;
  return negatedAt(source, 0) || negatedAt(source, 1) ? -positive : positive;
}

const product = (a: number[], b: number[]): number =>
  [0, 1, 2, 3]
    .map((position) => Math.fround(a[position]! * b[position]!))
    .reduce((sum, part) => Math.fround(sum + part));

/** Which modifiers an instruction's sources may have, and the words that it puts into the four positions. */
interface TestInstruction {
  readonly kind: 'float' | 'integer' | 'double' | 'long';
  readonly sources: number;
  readonly compute: (sources: readonly TestSource[]) => number[];
}

const ofFloats = (compute: (...values: number[]) => number): TestInstruction['compute'] => {
  return (sources) => {
    const read = sources.map(asFloats);
    return [0, 1, 2, 3].map((position) => bitsOf(compute(...read.map((values) => values[position]!))));
  };
};

const ofIntegers = (compute: (...values: number[]) => number): TestInstruction['compute'] => {
  return (sources) => {
    const read = sources.map(asIntegers);
    return [0, 1, 2, 3].map((position) => compute(...read.map((values) => values[position]!)) >>> 0);
  };
};

const pairs = (words: number[]): number[] => [words[0]!, words[1]!, words[0]!, words[1]!];
const longWords = (value: bigint): number[] => [
  Number(BigInt.asUintN(32, value)),
  Number(BigInt.asUintN(32, value >> 32n)),
];

const instructions: Readonly<Record<string, TestInstruction>> = {
  mov: { kind: 'float', sources: 1, compute: ([a]) => wordsOf(a!) },
  add: { kind: 'float', sources: 2, compute: ofFloats((a, b) => a + b) },
  mad_ieee: { kind: 'float', sources: 3, compute: ofFloats((a, b, c) => Math.fround(a * b) + c) },
  flr: { kind: 'float', sources: 1, compute: ofFloats(Math.floor) },
  // one number, that of position w, to all
  'rcp_zeroop(infinity)': {
    kind: 'float',
    sources: 1,
    compute: ([a]) => Array(4).fill(bitsOf(1 / asFloats(a!)[3]!)),
  },
  dp4_ieee: {
    kind: 'float',
    sources: 2,
    compute: ([a, b]) => Array(4).fill(bitsOf(product(asFloats(a!), asFloats(b!)))),
  },
  lt: {
    kind: 'float',
    sources: 2,
    compute: ([a, b]) => {
      const [left, right] = [asFloats(a!), asFloats(b!)];
      return left.map((x, position) => (x < right[position]! ? 0xffffffff : 0));
    },
  },
  // an integer as the condition, and bits to choose from
  cmov_logical: {
    kind: 'float',
    sources: 2,
    compute: ([a, b]) => {
      const [left, right] = [wordsOf(a!), wordsOf(b!)];
      return [left[0]!, left[1]!, right[2]!, right[3]!];
    },
  },
  iadd: { kind: 'integer', sources: 2, compute: ofIntegers((a, b) => a + b) },
  imax: { kind: 'integer', sources: 2, compute: ofIntegers(Math.max) },
  imad: { kind: 'integer', sources: 3, compute: ofIntegers((a, b, c) => Math.imul(a, b) + c) },
  dadd: {
    kind: 'double',
    sources: 2,
    compute: ([a, b]) => pairs(doubles(asDouble(a!) + asDouble(b!))),
  },
  i64add: {
    kind: 'long',
    sources: 2,
    compute: ([a, b]) => pairs(longWords(asLong(a!) + asLong(b!))),
  },
};

/** The bits of r0, zeros before, after an instruction with a mask such as `x_01`. */
function masked(mask: string, words: readonly number[]): number[] {
  return [...mask].map((write, position) => {
    if (write === '_' || write === '0') return 0;
    return write === '1' ? 0x3f800000 : words[position]!;
  });
}

// ----------------------------------------------------------------------------------------------------- the tests

/** Numbers from 0 to 1, the same ones for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

function cases(seed: number, name: string, count: number) {
  const random = randomFrom(seed);
  const below = (bound: number): number => Math.floor(random() * bound);
  const some = <T>(list: readonly T[]): T => list[below(list.length)]!;
  const { kind, sources, compute } = instructions[name]!;

  const subset = (): string => {
    const list = [...letters].filter(() => random() < 0.5).join('');
    return list === '' ? some([...letters]) : list;
  };
  const register = (): number[] => {
    if (kind === 'integer') return [0, 0, 0, 0].map(() => (below(41) - 20) >>> 0);
    if (kind === 'double') return doubles((below(33) - 16) / 4, (below(33) - 16) / 4);
    if (kind === 'long') return [0, 0].flatMap(() => longWords(BigInt(below(2 ** 40)) - (1n << 39n)));
    return floats(...[0, 0, 0, 0].map(() => (below(32) - 15.5) / 4));
  };
  const swizzle = (): string => {
    if (kind === 'double' || kind === 'long') return some(['', 'xy', 'zw', 'xyxy', 'zwxy', 'zwzw', 'xy00']);
    return Array.from({ length: below(5) }, () => some([...'xyzwxyzwxyzw01'])).join('');
  };
  const modifiers = (): string[] => {
    const list =
      kind === 'float' ? ['_invert', some(['_bias', '_x2', '_bx2']), '_sign', '_abs', '_sat'] : ['_abs'];
    if (kind === 'float') list.push(`_divComp(${some([...letters])})`);
    const chosen = list.filter(() => random() < 0.25);
    if (random() < 0.8) chosen.splice(below(chosen.length + 1), 0, `_neg(${subset()})`);
    // in any order
    return chosen.sort(() => random() - 0.5);
  };
  const mask = (): string => {
    if (kind === 'double' || kind === 'long') return some(['xy__', '__zw', 'xyzw', 'xy01', '_y__', '__z_']);
    return [...letters].map((letter) => some([letter, letter, letter, '_', '0', '1'])).join('');
  };

  return Array.from({ length: count }, () => {
    const list: TestSource[] = Array.from({ length: sources }, () => {
      const source = { register: register(), swizzle: swizzle(), modifiers: modifiers() };
      return clampsZero(source) ? { ...source, modifiers: [] } : source;
    });
    const texts = list.map(
      ({ swizzle, modifiers }, index) =>
        `r${index + 1}${swizzle === '' ? '' : `.${swizzle}`}${modifiers.join('')}`,
    );
    const text = mask();
    const condition = name === 'cmov_logical' ? ' r3,' : '';
    const registers = list.map(({ register }) => register);
    if (condition !== '') registers.push([1, 5, 0, 0]);
    // without a mask a double is written to the first pair only
    const isWholePair = (kind === 'double' || kind === 'long') && text === 'xyzw';
    return {
      instruction: `${name} r0.${text},${condition} ${texts.join(', ')}`,
      registers,
      expected: masked(isWholePair ? 'xy__' : text, compute(list)),
    };
  });
}

/** Floats that are no number are all alike, and so are zeros of either sign where they come from sums. */
const shown = (words: ArrayLike<number>): (number | string)[] =>
  Array.from(words, (bits) => ((bits & 0x7fffffff) > 0x7f800000 && bits !== 0xffffffff ? 'NaN' : bits >>> 0));

describe('source modifiers', () => {
  it.each(Object.keys(instructions))(
    'of %s are those of the specification, with every swizzle and mask',
    (name) => {
      const list = cases(7919, name, 60);
      const isWord = /^(i|d|lt)/.test(name) && !name.startsWith('dp4');
      const found = evaluateAll(list.map(({ instruction, registers }) => [instruction, registers]));
      for (const [index, { instruction, registers, expected }] of list.entries()) {
        const show = isWord ? (words: ArrayLike<number>) => Array.from(words, (bits) => bits >>> 0) : shown;
        expect(show(found[index]!), `${instruction} of ${JSON.stringify(registers)}`).toEqual(show(expected));
      }
    },
  );

  it('of one selector act whatever position is written', () => {
    const registers = [
      [0, 0, 0, 4],
      [1, 2, 3, 4],
    ];
    expect([...evaluate('iadd r0.___w, r1.w, r2.y_neg(y)', ...registers)]).toEqual([0, 0, 0, 2]);
    expect([...evaluate('iadd r0.___w, r1.w, r2.y_neg(x)', ...registers)]).toEqual([0, 0, 0, 2]);
    expect([...evaluate('iadd r0.x___, r1.w, r2.y_neg(y)', ...registers)]).toEqual([2, 0, 0, 0]);
    // four selectors are four positions
    expect([...evaluate('iadd r0, r1.wwww, r2.yyyy_neg(yz)', ...registers)]).toEqual([6, 2, 2, 6]);
  });

  it('of one selector act in conditions, in indices and before macros', () => {
    const loop = `mov r0, r2.0000
      whileloop
        breakc_relop(lt) r1.x, r2.y_neg(y)
        add r1.x, r1.x, r2.x_neg(x)
        add r0.x, r0.x, r2.x
      endloop`;
    // 3 falls by 1 until it is below -2
    expect([...evaluate(loop, floats(3, 0, 0, 0), floats(1, 2, 0, 0))]).toEqual(floats(6, 0, 0, 0));
    const branch = 'ifc_relop(gt) r1.y_neg(y), r1.x\n mov r0, r1.zzzz\n else\n mov r0, r1.wwww\n endif';
    expect([...evaluate(branch, floats(1, -2, 3, 4))]).toEqual(floats(3, 3, 3, 3));
    const index = 'dcl_indexed_temp_array x0[4]\n mov x0[2], r1\n mov r0, x0[r2.w_neg(w)+5]';
    expect([...evaluate(index, [7, 8, 9, 10], [0, 0, 0, 3])]).toEqual([7, 8, 9, 10]);
    const macro = (name: string): string =>
      `mdef(3)_out(1)_in(2)\n ${name} out0, in0, in1\n mend\n mcall(3) (r0), (r1, r2.y_neg(y))`;
    expect([...evaluate(macro('iadd'), [10, 20, 30, 40], [1, 2, 3, 4])]).toEqual([8, 18, 28, 38]);
    expect([...evaluate(macro('add'), floats(10, 20, 30, 40), floats(1, 2, 3, 4))]).toEqual(
      floats(8, 18, 28, 38),
    );
    const double = `mdef(4)_out(1)_in(2)\n dadd out0, in0, in1\n mend\n mcall(4) (r0), (r1, r2.zwxy_neg(y))`;
    expect([...evaluate(double, doubles(10, 20), doubles(1, 2))]).toEqual([...doubles(8), 0, 0]);
  });

  it('that have no meaning are named', () => {
    const log = (line: string): string =>
      compileLog(`il_ps_2_0\ndcl_output_generic o0\nmov r1, r2\n${line}\nend\n`);
    expect(log('iadd o0, r1, r1_bx2')).toMatch(/a\.il:4:14: error: _bx2 has no meaning for an integer/);
    expect(log('dadd o0, r1, r1.xy_sign')).toMatch(/_sign has no meaning for a double/);
    expect(log('add o0, r1, r1_divComp(unknown)')).toMatch(
      /_divcomp\(unknown\) divides by what a sampler says/,
    );
    expect(log('add o0, r1, r1_neg(unknown)')).toMatch(/expected components of xyzw after '_neg\('/);
    expect(log('add o0, r1, r1_divComp(xy)')).toMatch(
      /expected one of x, y, z, w and unknown after '_divcomp\('/,
    );
  });
});

describe('masks of memories', () => {
  it('set what they say to 0 and 1', () => {
    const global = new Uint32Array(8);
    const uav = new Uint32Array(4).fill(5);
    const text = `il_cs_2_0
dcl_num_thread_per_group 1
dcl_lds_id(0) 64
dcl_raw_uav_id(0)
dcl_literal l0, 0, 7, 8, 9
dcl_literal l1, 3, 3, 3, 3
lds_store_vec_id(0) mem, l0.x, l0.x, l1
lds_store_vec_id(0) mem.0_1w, l0.x, l0.x, l0
lds_load_vec_id(0) r1, l0.x, l0.x
mov g[0], r1
uav_raw_store_id(0) mem._y01, l0.x, l0
mov g[1].x10_, l0.wwww
end`;
    runIl(text, { global, uavs: { 0: uav } });
    const one = 0x3f800000;
    expect([...global]).toEqual([0, 3, one, 9, 9, one, 0, 0]);
    expect([...uav]).toEqual([5, 7, 0, one]);
  });
});
