/** Stream kernels, each with its twin: what one would write in OpenCL C for the same result. Both are called `f`. */

/** An array of numbers that streams and buffers are made of. */
export type Numbers = Float32Array | Int32Array | Int8Array;

export interface Data {
  readonly type: string;
  /** x first. */
  readonly sizes: readonly number[];
  /** Without it zeros: what a kernel writes. */
  readonly content?: Numbers;
}

export interface Pair {
  readonly name: string;
  readonly brook: string;
  readonly openCL: string;
  readonly data: Readonly<Record<string, Data>>;
  /** Of the kernel: names of data, and numbers. */
  readonly args: readonly (string | number)[];
  /** Of the twin. */
  readonly twinArgs: readonly (string | Numbers)[];
  readonly global: readonly number[];
  readonly local?: readonly number[];
  readonly outputs: readonly string[];
}

/** Whole numbers from 0 to 15, so that sums are exact in any order. */
function digits(length: number, step = 7): Float32Array {
  return Float32Array.from({ length }, (_, index) => (index * step + (index >> 9)) % 16);
}

const wide = 1 << 20;

const sum: Pair = {
  name: 'sum of two streams',
  brook: 'kernel void f(float a<>, float b<>, out float c<>) { c = a + b; }',
  openCL: `kernel void f(global const float *a, global const float *b, global float *c) {
  size_t i = get_global_id(0);
  c[i] = a[i] + b[i];
}`,
  data: {
    a: { type: 'float', sizes: [wide], content: digits(wide) },
    b: { type: 'float', sizes: [wide], content: digits(wide, 5) },
    c: { type: 'float', sizes: [wide] },
  },
  args: ['a', 'b', 'c'],
  twinArgs: ['a', 'b', 'c'],
  global: [wide],
  outputs: ['c'],
};

const vectors: Pair = {
  name: 'a x + y of float4',
  brook: 'kernel void f(float4 a, float4 x<>, float4 y<>, out float4 z<>) { z = a * x + y; }',
  openCL: `kernel void f(float4 a, global const float4 *x, global const float4 *y, global float4 *z) {
  size_t i = get_global_id(0);
  z[i] = a * x[i] + y[i];
}`,
  data: {
    a: { type: 'float4', sizes: [1], content: Float32Array.of(1, 2, 3, 4) },
    x: { type: 'float4', sizes: [wide / 4], content: digits(wide) },
    y: { type: 'float4', sizes: [wide / 4], content: digits(wide, 5) },
    z: { type: 'float4', sizes: [wide / 4] },
  },
  args: ['a', 'x', 'y', 'z'],
  twinArgs: [Float32Array.of(1, 2, 3, 4), 'x', 'y', 'z'],
  global: [wide / 4],
  outputs: ['z'],
};

const bytes: Pair = {
  name: 'sum of chars',
  brook: 'kernel void f(char a<>, char b<>, out char c<>) { c = a + b + (char)5; }',
  openCL: `kernel void f(global const char *a, global const char *b, global char *c) {
  size_t i = get_global_id(0);
  c[i] = a[i] + b[i] + 5;
}`,
  data: {
    a: { type: 'char', sizes: [4 * wide], content: Int8Array.from(digits(4 * wide)) },
    b: { type: 'char', sizes: [4 * wide], content: Int8Array.from(digits(4 * wide, 5)) },
    c: { type: 'char', sizes: [4 * wide] },
  },
  args: ['a', 'b', 'c'],
  twinArgs: ['a', 'b', 'c'],
  global: [4 * wide],
  outputs: ['c'],
};

const side = 1024;
const blurred: Pair = {
  name: 'mean of nine by gathering',
  brook: `kernel void f(float a[][], out float b<>) {
  int4 at = instance();
  int x = at.x;
  int y = at.y;
  b = (a[y - 1][x - 1] + a[y - 1][x] + a[y - 1][x + 1] + a[y][x - 1] + a[y][x] + a[y][x + 1]
    + a[y + 1][x - 1] + a[y + 1][x] + a[y + 1][x + 1]) * 0.125f;
}`,
  openCL: `float at(global const float *a, int n, int x, int y) {
  return a[clamp(y, 0, n - 1) * n + clamp(x, 0, n - 1)];
}
kernel void f(global const float *a, global float *b, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  b[y * n + x] = (at(a, n, x - 1, y - 1) + at(a, n, x, y - 1) + at(a, n, x + 1, y - 1) + at(a, n, x - 1, y)
    + at(a, n, x, y) + at(a, n, x + 1, y) + at(a, n, x - 1, y + 1) + at(a, n, x, y + 1) + at(a, n, x + 1, y + 1)) * 0.125f;
}`,
  data: {
    a: { type: 'float', sizes: [side, side], content: digits(side * side) },
    b: { type: 'float', sizes: [side, side] },
  },
  args: ['a', 'b'],
  twinArgs: ['a', 'b', Int32Array.of(side)],
  global: [side, side],
  outputs: ['b'],
};

const scattered: Pair = {
  name: 'scatter by an index',
  brook: 'kernel void f(int at<>, float a<>, out float b[]) { b[at] = a; }',
  openCL: `kernel void f(global const int *at, global const float *a, global float *b, int n) {
  size_t i = get_global_id(0);
  int to = at[i];
  if (to >= 0 && to < n) b[to] = a[i];
}`,
  data: {
    at: {
      type: 'int',
      sizes: [wide],
      content: Int32Array.from({ length: wide }, (_, index) => Math.imul(index, 0x9e3779b1) & (wide - 1)),
    },
    a: { type: 'float', sizes: [wide], content: digits(wide) },
    b: { type: 'float', sizes: [wide] },
  },
  args: ['at', 'a', 'b'],
  twinArgs: ['at', 'a', 'b', Int32Array.of(wide)],
  global: [wide],
  outputs: ['b'],
};

const keys = 1 << 15;
const sorted = 1 << 12;
const searched: Pair = {
  name: 'binary search',
  brook: `kernel void f(int key<>, int a[], int n, out int found<>) {
  int low = 0;
  int high = n;
  while (low < high) {
    int middle = (low + high) >> 1;
    if (a[middle] < key) low = middle + 1;
    else high = middle;
  }
  found = a[low] == key ? low : -1;
}`,
  openCL: `kernel void f(global const int *key, global const int *a, int n, global int *found) {
  size_t i = get_global_id(0);
  int wanted = key[i], low = 0, high = n;
  while (low < high) {
    int middle = (low + high) >> 1;
    if (a[middle] < wanted) low = middle + 1;
    else high = middle;
  }
  found[i] = a[clamp(low, 0, n - 1)] == wanted ? low : -1;
}`,
  data: {
    key: {
      type: 'int',
      sizes: [keys],
      content: Int32Array.from(
        { length: keys },
        (_, index) => Math.imul(index, 0x9e3779b1) & (2 * sorted - 1),
      ),
    },
    a: {
      type: 'int',
      sizes: [sorted],
      content: Int32Array.from({ length: sorted }, (_, index) => 2 * index),
    },
    found: { type: 'int', sizes: [keys] },
  },
  args: ['key', 'a', sorted, 'found'],
  twinArgs: ['key', 'a', Int32Array.of(sorted), 'found'],
  global: [keys],
  outputs: ['found'],
};

const fractal: Pair = {
  name: 'Mandelbrot set',
  brook: `kernel void f(float scale, out int n<>) {
  int4 at = instance();
  float cx = (float)at.x * scale - 1.5f;
  float cy = (float)at.y * scale - 1.0f;
  float x = 0.0f;
  float y = 0.0f;
  int turns = 0;
  while (turns < 64 && x * x + y * y < 4.0f) {
    float next = x * x - y * y + cx;
    y = 2.0f * x * y + cy;
    x = next;
    turns++;
  }
  n = turns;
}`,
  openCL: `kernel void f(float scale, global int *n) {
  float cx = (float)get_global_id(0) * scale - 1.5f, cy = (float)get_global_id(1) * scale - 1.0f;
  float x = 0.0f, y = 0.0f;
  int turns = 0;
  while (turns < 64 && x * x + y * y < 4.0f) {
    float next = x * x - y * y + cx;
    y = 2.0f * x * y + cy;
    x = next;
    turns++;
  }
  n[get_global_id(1) * get_global_size(0) + get_global_id(0)] = turns;
}`,
  data: { n: { type: 'int', sizes: [256, 256] } },
  args: [1 / 128, 'n'],
  twinArgs: [Float32Array.of(1 / 128), 'n'],
  global: [256, 256],
  outputs: ['n'],
};

/** Matrices of n x n; the one with eight outputs has A and C in eight slices of rows, B in four. */
export function multiplications(n: number): readonly [simple: Pair, optimised: Pair] {
  const eight = [1, 2, 3, 4, 5, 6, 7, 8];
  const four = [1, 2, 3, 4];
  const matrix = { type: 'float', sizes: [n, n] };
  const [a, b] = [digits(n * n), digits(n * n, 5)];
  const simple: Pair = {
    name: `simple matrix multiplication, ${n}`,
    brook: `kernel void f(int n, float a[][], float b[][], out float c<>) {
  int4 at = instance();
  float total = 0.0f;
  int k = 0;
  for (k = 0; k < n; k++) total += a[at.y][k] * b[k][at.x];
  c = total;
}`,
    openCL: `kernel void f(int n, global const float *a, global const float *b, global float *c) {
  int x = get_global_id(0), y = get_global_id(1);
  float total = 0.0f;
  for (int k = 0; k < n; k++) total += a[y * n + k] * b[k * n + x];
  c[y * n + x] = total;
}`,
    data: { a: { ...matrix, content: a }, b: { ...matrix, content: b }, c: matrix },
    args: [n, 'a', 'b', 'c'],
    twinArgs: [Int32Array.of(n), 'a', 'b', 'c'],
    global: [n, n],
    outputs: ['c'],
  };
  const list = (places: readonly number[], text: (place: number) => string, separator = ', '): string =>
    places.map(text).join(separator);
  const turn = (place: number): string =>
    `c${place} += a${place}.xxxx * b1 + a${place}.yyyy * b2 + a${place}.zzzz * b3 + a${place}.wwww * b4;`;
  // Slice s of B has rows 4k + s, slice r of A and C rows 8k + r.
  const slices = (from: Float32Array, count: number): Float32Array[] =>
    Array.from({ length: count }, (_, slice) =>
      Float32Array.from({ length: (n * n) / count }, (_, index) => {
        const row = Math.floor(index / n) * count + slice;
        return from[row * n + (index % n)]!;
      }),
    );
  const data: Record<string, Data> = {};
  for (const [index, content] of slices(a, 8).entries())
    data[`A${index + 1}`] = { type: 'float4', sizes: [n / 4, n / 8], content };
  for (const [index, content] of slices(b, 4).entries())
    data[`B${index + 1}`] = { type: 'float4', sizes: [n / 4, n / 4], content };
  for (const place of eight) data[`C${place}`] = { type: 'float4', sizes: [n / 4, n / 8] };
  const names = [...eight.map((r) => `A${r}`), ...four.map((s) => `B${s}`), ...eight.map((r) => `C${r}`)];
  const optimised: Pair = {
    name: `matrix multiplication with eight outputs, ${n}`,
    brook: `kernel void f(int quads, ${list(eight, (r) => `float4 A${r}[][]`)}, ${list(four, (s) => `float4 B${s}[][]`)},
  ${list(eight, (r) => `out float4 C${r}<>`)}) {
  int4 at = instance();
  ${list(eight, (r) => `float4 c${r} = float4(0.0f, 0.0f, 0.0f, 0.0f);`, '\n  ')}
  int k = 0;
  for (k = 0; k < quads; k++) {
    ${list(eight, (r) => `float4 a${r} = A${r}[at.y][k];`, '\n    ')}
    ${list(four, (s) => `float4 b${s} = B${s}[k][at.x];`, '\n    ')}
    ${list(eight, turn, '\n    ')}
  }
  ${list(eight, (r) => `C${r} = c${r};`, '\n  ')}
}`,
    openCL: `kernel void f(int quads, ${list(eight, (r) => `global const float4 *A${r}`)}, ${list(four, (s) => `global const float4 *B${s}`)},
  ${list(eight, (r) => `global float4 *C${r}`)}) {
  int x = get_global_id(0), y = get_global_id(1);
  ${list(eight, (r) => `float4 c${r} = 0.0f;`, '\n  ')}
  for (int k = 0; k < quads; k++) {
    ${list(eight, (r) => `float4 a${r} = A${r}[y * quads + k];`, '\n    ')}
    ${list(four, (s) => `float4 b${s} = B${s}[k * quads + x];`, '\n    ')}
    ${list(eight, turn, '\n    ')}
  }
  ${list(eight, (r) => `C${r}[y * quads + x] = c${r};`, '\n  ')}
}`,
    data,
    args: [n / 4, ...names],
    twinArgs: [Int32Array.of(n / 4), ...names],
    global: [n / 4, n / 8],
    outputs: eight.map((r) => `C${r}`),
  };
  return [simple, optimised];
}

export const pairs: readonly Pair[] = [
  sum,
  vectors,
  bytes,
  blurred,
  scattered,
  searched,
  fractal,
  ...multiplications(256),
];
