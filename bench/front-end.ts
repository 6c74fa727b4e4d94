/**
 * How fast text becomes a checked tree, and what the library of built-in functions adds to a build that uses ten of them.
 *
 * The text is that of `MILLRACE_BENCH_FILE`, with build options from `MILLRACE_BENCH_OPTIONS` (`-D`, `-I`), or one made
 * up here in the shape of large public kernels: tables, macros, small functions on words, and kernels that call them.
 * Lines are those of the files as written, read by #include or left out by #if; a header counts as often as it is read.
 */
import { readFileSync } from 'node:fs';
import { type FileSystem, type InspectOptions, inspect } from 'millrace';
import { alternate, median, type Row, timed } from './measure.ts';

const rounds = 15;

/** The figures after enough rounds for the engine to have compiled what runs often. */
export async function measureFrontEnd(): Promise<Row[]> {
  const path = process.env['MILLRACE_BENCH_FILE'];
  const source = path === undefined ? largeSource(600) : readFileSync(path, 'utf8');
  const headers = new Headers();
  const options: InspectOptions = {
    name: path ?? 'generated.cl',
    buildOptions: process.env['MILLRACE_BENCH_OPTIONS'] ?? '',
    files: headers,
  };
  // Printing the tree or the tokens would cost as much as making them, so an error at the very end stops before that.
  const unfinished = `${source}\nkernel void unfinished() { return 1; }\n`;
  const refused = `${source}\n#error\n`;
  const toTree = () => inspect(unfinished, { ...options, emit: 'ast' });
  const toTokens = () => inspect(refused, { ...options, emit: 'tokens' });
  const { log } = toTree();
  if (!/(\n|and )1 error generated\.\n$/.test(log))
    throw new Error(`the source has errors of its own:\n${log}`);
  const lines = headers.lines + source.split('\n').length;
  for (let round = 0; round < 5; round += 1) toTree();
  const trees: number[] = [];
  const tokens: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    trees.push(await timed(toTree));
    tokens.push(await timed(toTokens));
  }
  const row = (what: string, time: number): Row => ({
    name: `${options.name}: 1000 of ${lines} lines to ${what}`,
    value: (time / lines) * 1000,
    unit: 'ms',
  });
  return [
    { ...row('the checked tree', median(trees)), goal: 3.33 },
    row('the checked tree, least time', Math.min(...trees)),
    row('tokens', median(tokens)),
    row('tokens, least time', Math.min(...tokens)),
    ...(await libraryRows()),
  ];
}

/** Finds headers as the `millrace` command does, keeps them in memory, and counts the lines it hands out. */
class Headers implements FileSystem {
  lines = 0;
  readonly #texts = new Map<string, string | undefined>();

  read(path: string): string | undefined {
    if (!this.#texts.has(path)) this.#texts.set(path, textOf(path));
    const text = this.#texts.get(path);
    if (text !== undefined) this.lines += text.split('\n').length;
    return text;
  }
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** A program that calls ten functions of the library, beside one that calls ten of its own of the same form. */
async function libraryRows(): Promise<Row[]> {
  const names = ['sin', 'cos', 'exp', 'log', 'pow', 'tanh', 'atan2', 'cbrt', 'erf', 'fmod'];
  const binary = new Set(['pow', 'atan2', 'fmod']);
  const kernel = (prefix: string): string => {
    const calls = names.map((name) => `${prefix}${name}(v${binary.has(name) ? ', 1.5f' : ''})`);
    return `kernel void k(global float *x) { size_t i = get_global_id(0); float v = x[i]; x[i] = ${calls.join(' + ')}; }`;
  };
  const own = names.map(
    (name) => `float my_${name}(float x${binary.has(name) ? ', float y' : ''}) { return x * 0.5f; }\n`,
  );
  const withLibrary = kernel('');
  const without = `${own.join('')}${kernel('my_')}`;
  const lower = (source: string) => passes(source, { emit: 'ir', after: 'lower' });
  const first = await timed(() => lower(withLibrary));
  await repeat(30, () => {
    lower(withLibrary);
    lower(without);
  });
  const [ten = Number.NaN, none = Number.NaN] = await alternate(
    4 * rounds,
    () => timed(() => lower(withLibrary)),
    () => timed(() => lower(without)),
  );
  return [
    { name: 'ten functions of the library, first time in the process', value: first, unit: 'ms' },
    { name: 'what they add to lowered code, warm', value: ten - none, unit: 'ms', goal: 3 },
  ];
}

function passes(source: string, options: InspectOptions): void {
  inspect(source, options);
}

async function repeat(times: number, run: () => void): Promise<void> {
  for (let index = 0; index < times; index += 1) await timed(run);
}

/** Some forty lines a part, of the kind that hash and image kernels are made of. */
function largeSource(parts: number): string {
  const head = `
#define ROTATE(x, n) (((x) << (n)) | ((x) >> (32 - (n))))
#define STEP(f, a, b, c, d, x, t, s) \\
  (a) += f((b), (c), (d)) + (x) + (t); \\
  (a) = ROTATE((a), (s)); \\
  (a) += (b);
#define CHOOSE(x, y, z) ((z) ^ ((x) & ((y) ^ (z))))
#define PARITY(x, y, z) ((x) ^ (y) ^ (z))
typedef uint word;
typedef struct state { word h[4]; word count; uchar buffer[64]; } state_t;
`;
  return head + Array.from({ length: parts }, (_, index) => part(index)).join('');
}

function part(index: number): string {
  const constants = Array.from(
    { length: 16 },
    (_, at) => `0x${((index * 2654435761 + at * 40503) >>> 0).toString(16)}u`,
  );
  const steps = Array.from({ length: 8 }, (_, at) => {
    const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((__, turn, all) => all[(turn + at) % 4]);
    return `  STEP(${at % 2 ? 'CHOOSE' : 'PARITY'}, ${a}, ${b}, ${c}, ${d}, w[${at}], table_${index}[${at}], ${3 + at});`;
  });
  return `
// Part ${index}: a table, a round over it, and a kernel.
constant word table_${index}[16] = {
  ${constants.slice(0, 8).join(', ')},
  ${constants.slice(8).join(', ')},
};

/* One round; the words are taken in order. */
static void round_${index}(word *h, const word *w)
{
  word a = h[0];
  word b = h[1];
  word c = h[2];
  word d = h[3];
${steps.join('\n')}
  h[0] += a;
  h[1] += b;
  h[2] += c;
  h[3] += d;
}

static float4 blend_${index}(const float4 x, const float4 y, const float t)
{
  const float4 m = mix(x, y, t);
  return (float4)(clamp(m.xyz, 0.0f, 1.0f), fmax(x.w, y.w));
}

kernel void run_${index}(global const word *in, global word *out, global float4 *pixels, const uint n)
{
  const size_t i = get_global_id(0);
  if (i >= n) return;
  state_t s = { .h = { 1, 2, 3, 4 }, .count = 0 };
  word w[8];
  for (int j = 0; j < 8; j++) w[j] = in[i * 8 + j];
  round_${index}(s.h, w);
  for (int j = 0; j < 4; j++) out[i * 4 + j] = s.h[j] ^ s.count;
  pixels[i] = blend_${index}(pixels[i], pixels[i + n], (float)(w[0] & 255) / 255.0f);
}
`;
}
