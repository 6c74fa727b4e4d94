/**
 * Statements that a processor's own instructions fault at, or that last: divisions by zero and of the least integer by -1, conversions of what no integer
 * holds, functions of any bits, private arrays that are deep and indexed by anything, calls with much on the stack, loops without an end. They use
 * the arguments of kernels of wild-kernels.ts.
 */
import type { Random } from '../../test/support/random.ts';

const integers = ['char', 'uchar', 'short', 'ushort', 'int', 'uint', 'long', 'ulong'] as const;
const lengths = ['', '2', '3', '4', '8', '16'] as const;

const leastOf: Readonly<Record<string, string>> = {
  char: 'CHAR_MIN',
  short: 'SHRT_MIN',
  int: 'INT_MIN',
  long: 'LONG_MIN',
};

/** Functions that take a float of any bits, and an integer of the same size. */
const ofFloats = [
  'sin(x)',
  'tan(x)',
  'exp2(x)',
  'log(x)',
  'pow(x, y)',
  'pown(x, i)',
  'rootn(x, i)',
  'ldexp(x, i)',
  'fmod(x, y)',
  'remainder(x, y)',
  'nextafter(x, y)',
  'tgamma(x)',
  'rsqrt(x)',
  'half_divide(x, y)',
  'native_recip(x)',
  'fma(x, y, x)',
  'rint(x)',
  'fmax(x, y)',
] as const;

/** A number of the work-item's own, of any bits. */
const own = '(w * (get_global_id(0) + 3))';

type Make = (random: Random) => string;

/** A use of a number, so that it is computed. */
const kept = (value: string): string => `sink[get_global_id(0) & 15] ^= (int)(${value});`;

const division: Make = (random) => {
  const type = random.pick(integers);
  const least = leastOf[type] ?? '0';
  const a = random.pick([`(${type})${own}`, least, `(${type})i`, `(${type})(n == 0 ? ${own} : ${least})`]);
  const b = random.pick([
    '0',
    '-1',
    `(${type})n`,
    `(${type})(n & 1)`,
    `(${type})-(n & 1)`,
    `(${type})${own}`,
  ]);
  return `{ ${type} a = ${a}, b = ${b}; ${kept(`a ${random.pick(['/', '%'])} b`)} }`;
};

const vectorDivision: Make = (random) => {
  const type = random.pick(integers);
  const length = random.pick(lengths.slice(1));
  const vector = type + length;
  const least = leastOf[type] ?? '0';
  const b = random.pick(['0', '-1', `(${type})n`, `((${vector})((${type})n) & (${type})1)`]);
  const op = random.pick(['/', '%']);
  return `{ ${vector} a = (${vector})(${least}), b = (${vector})(${b}); a.s1 = (${type})${own}; b.s0 = (${type})i; a = a ${op} b; ${kept('a.s0 ^ a.s1')} }`;
};

const compound: Make = (random) => {
  const type = random.pick(integers);
  return `{ ${type} a = (${type})${own}; for (int k = 0; k < (n & 7); k++) { a ${random.pick(['/=', '%='])} (${type})(k - (i & 3)); a ${random.pick(['<<=', '>>='])} (n & ${random.pick(['31', '63', '255'])}); } ${kept('a')} }`;
};

const conversion: Make = (random) => {
  const type = random.pick(integers);
  const length = random.pick(lengths);
  const from = random.pick(['float', 'double']);
  const mode = random.pick(['', '_rte', '_rtz', '_rtp', '_rtn']);
  const sat = random.pick(['', '_sat']);
  const bits = from === 'float' ? 'as_float((uint)' : 'as_double((ulong)';
  const whole = `convert_${type}${length}${sat}${mode}((${from}${length})(${bits}${own})))`;
  return kept(length === '' ? whole : `${whole}.s0`);
};

const ofAnyBits: Make = (random) => {
  const type = random.pick(['float', 'double']);
  const bits = type === 'float' ? 'as_float((uint)' : 'as_double((ulong)';
  const call = random.pick(ofFloats.filter((one) => type === 'float' || !/half|native/.test(one)));
  return `{ ${type} x = ${bits}${own}), y = ${bits}(w >> (n & 63))); x = ${call}; ${kept('ilogb(x)')} }`;
};

const deepArray: Make = (random) => {
  const type = random.pick(['char', 'int', 'long', 'float4', 'double2']);
  const elements = random.pick([3, 64, 1000, 4096, 20_000]);
  const [at, from] = [0, 1].map(() => random.pick(['i', 'n', `(int)${own}`, `(i & ${elements - 1})`]));
  return `{ ${type} deep[${elements}]; deep[${at}] = (${type})(value); deep[n & 1] = (${type})(i); ${type} x = deep[${from}]; use(&x, sizeof(x), sink); }`;
};

const deepCall: Make = (random) => kept(`deep${random.pick(['1', '2', '3'])}(i, n, w)`);

const counted: Make = (random) =>
  `for (uint k = 0; k < ((uint)i & ${random.pick(['7', '63', '1023'])}); k++) { data[(k * (uint)n) & 1023] += k; ${random.below(2) === 0 ? 'if (data[k & 63] == value) break;' : ''} }`;

const unaligned: Make = (random) => {
  const type = random.pick(integers) + random.pick(lengths);
  return `{ ${type} x = *(global ${type} *)((global char *)data + (i & 4095)); *(global ${type} *)((global char *)data + (n & 2047)) = x; use(&x, sizeof(x), sink); }`;
};

const atTheEnd: Make = (random) => {
  const type = random.pick([...integers, 'float', 'double']) + random.pick(lengths);
  const back = random.pick(['get_global_id(0)', '(n & 127)', '0u', 'get_global_id(0) * sizeof(x)']);
  const way = random.pick(['global', 'local', 'private']);
  return `{ ${type} x = (${type})(value); ${way} ${type} *end = (${way} ${type} *)(size_t)(0xffffffffu - (uint)(${back})); *end = x; x = *end; use(&x, sizeof(x), sink); }`;
};

const endless: Make = (random) =>
  random.pick([
    'while (1) { data[0] += 1; }',
    'for (;;);',
    'while (data[get_global_id(0) & 3] != value) data[get_global_id(0) & 3] = value + 1;',
    '{ uint k = 1; while (k) { k += 2; if (k == (uint)value * 2u) sink[1] = k; } }',
    'do { barrier(CLK_LOCAL_MEM_FENCE); tile[get_local_id(0) & 63]++; } while (1);',
    'for (float x = as_float(i); x == x || x != x; x += 1.0f) sink[0] = (int)isnan(x);',
    'for (int k = 0; k < 2147483647; k++) { if (data[k & 15] == value) k = 0; data[k & 15] = value; }',
  ]);

const usual: readonly Make[] = [
  division,
  division,
  vectorDivision,
  compound,
  conversion,
  ofAnyBits,
  deepArray,
  deepCall,
  counted,
  unaligned,
  atTheEnd,
];

/** One kernel in so many may last for ever, in some launches. */
const endlessEvery = 60;

/** A statement of these kinds; another one now and then does not end. */
export function hostileStatement(random: Random): string {
  const statement = random.pick(usual)(random);
  return random.below(3) === 0 ? `if ((get_local_id(0) & 1) == ${random.below(2)}) ${statement}` : statement;
}

/** Perhaps a loop without an end, in launches with some numbers. */
export function endlessStatement(random: Random): string | undefined {
  if (random.below(endlessEvery) > 0) return undefined;
  const loop = endless(random);
  // What all work-items of a group must meet stays outside of what only some of them do.
  const condition = loop.includes('barrier')
    ? 'value > 90'
    : random.pick(['value > 90', 'value > 80 && i > 5']);
  return `if (${condition}) ${loop}`;
}

/** Functions for these statements, with frames of some kilobytes each, which are not inlined as they call each other from several places. */
export const hostileFunctions = `
static int deep1(int i, int n, ulong w) { int own[900]; own[i & 511] = n; own[n] = i; return own[i] + own[(int)w]; }
static int deep2(int i, int n, ulong w) {
  long own[500];
  own[n & 255] = deep1(n, i, w >> 3);
  return (int)own[i] + deep1(i + 1, n, w);
}
static int deep3(int i, int n, ulong w) {
  float4 own[300];
  own[n & 127] = (float4)(deep2(i, n, w));
  return (int)own[i].x / (deep2(n, i, w + 1) & 3);
}
`;
