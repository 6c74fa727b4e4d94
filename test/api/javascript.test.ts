/** The short form through the built package. */
import { BuildError, compile, devices, local, OpenCLError, type Program, sampler } from 'millrace';
import { afterEach, describe, expect, it } from 'vitest';

let program: Program | undefined;
afterEach(() => program?.release());

const source = `
typedef struct { float x, y; int count; } Point;
kernel void saxpy(float a, global const float *x, global float *y) {
  int i = get_global_id(0);
  y[i] = a * x[i] + y[i];
}
kernel void values(global float *out, Point p, float2 v, long big, uchar flag) {
  out[0] = p.x; out[1] = p.y; out[2] = p.count; out[3] = v.x + v.y; out[4] = (float)(big >> 32); out[5] = flag;
}
kernel void group_sums(global const int *in, global int *out, local int *tile) {
  int l = get_local_id(0);
  tile[l] = in[get_global_id(0)];
  for (int half_size = get_local_size(0) / 2; half_size > 0; half_size /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < half_size) tile[l] += tile[l + half_size];
  }
  if (l == 0) out[get_group_id(0)] = tile[0];
}
kernel void is_null(global int *out, global int *maybe) { out[0] = maybe == 0; }`;

describe.each(devices().map((device) => [device.id, device] as const))('on the %s device', (_id, device) => {
  it('copies arrays in and back', async () => {
    program = await compile(source, { device });
    const x = Float32Array.from({ length: 100 }, (_, index) => index);
    const y = new Float32Array(100).fill(1);
    const times = await program.kernel('saxpy')({ global: [100] }, 2, x, y);
    expect(y).toEqual(x.map((value) => 2 * value + 1));
    expect(times.started <= times.ended && times.queued <= times.submitted).toBe(true);
    expect(times.ended <= times.completed).toBe(true);
  });

  it('leaves arrays as they were to calls that follow at once, however soon the first has ended', async () => {
    program = await compile('kernel void inc(global int *a) { a[get_global_id(0)]++; }', { device });
    const inc = program.kernel('inc');
    // Only where kernels run beside the host can the first have ended by then, now and then.
    const turns = device.id === 'wasm' ? 300 : 20;
    for (let turn = 0; turn < turns; turn += 1) {
      const a = new Int32Array(2);
      await Promise.all([inc({ global: [2] }, a), inc({ global: [2] }, a)]);
      expect([...a]).toEqual([1, 1]);
    }
  });

  const hasHalf = device.info.extensions.includes('cl_khr_fp16');
  it.runIf(hasHalf)('takes halves as numbers, and as bits in arrays', async () => {
    program = await compile(
      `typedef struct { half x; short n; half3 v; } S;
      kernel void k(global half *out, half a, half4 v, S s) {
        out[0] = a; vstore4(v, 0, out + 1); out[5] = s.x * s.n; vstore3(s.v, 0, out + 6);
      }`,
      { device },
    );
    const out = new Uint16Array(9);
    await program.kernel('k')({ global: [1] }, out, 1.5, [1, -2, 65520, 1e-7], {
      x: -2,
      n: 3,
      v: [0.1, 0, 1],
    });
    const bits = [0x3e00, 0x3c00, 0xc000, 0x7c00, 0x0002, 0xc600, 0x2e66, 0, 0x3c00];
    expect([...out]).toEqual(bits);
    const v = Uint16Array.of(0x3c00, 0xc000, 0x7c00, 0x0002);
    await program.kernel('k')({ global: [1] }, out, 1.5, v, {
      x: -2,
      n: 3,
      v: Uint16Array.of(0x2e66, 0, 0x3c00),
    });
    expect([...out]).toEqual(bits);
  });

  it('takes structs, vectors, 64-bit numbers and truth values', async () => {
    program = await compile(source, { device });
    const out = new Float32Array(6);
    const values = program.kernel('values');
    await values({ global: [1] }, out, { x: 1.5, y: -2, count: 7 }, [3, 4], 5n << 32n, true);
    expect([...out]).toEqual([1.5, -2, 7, 7, 5, 1]);
  });

  it('runs barriers with local memory, and many calls at a time in their order', async () => {
    program = await compile(source, { device });
    const numbers = program.buffer(Int32Array.from({ length: 256 }, (_, index) => index));
    const sums = program.buffer(4 * 4);
    const kernel = program.kernel('group_sums');
    const calls = [
      kernel({ global: [256], local: [64] }, numbers, sums, local(256)),
      kernel({ global: [4], local: [4] }, sums, sums, local(16)),
    ];
    await Promise.all(calls);
    // 0 + ... + 255, then the sum of the four sums in the first element.
    expect((await sums.read(Int32Array))[0]).toBe((255 * 256) / 2);
    expect(sums.map(Int32Array, 1, 1)[0]).toBe(((64 + 127) * 64) / 2);
    await sums.write(Int32Array.of(5), 4);
    expect([...(await sums.read(Int32Array, 1, 1))]).toEqual([5]);
    const answer = new Int32Array(1);
    await program.kernel('is_null')({ global: [1] }, answer, null);
    expect(answer[0]).toBe(1);
  });
});

describe('shared memory', () => {
  it('is followed by its addresses, and seen by both sides', async () => {
    program = await compile('kernel void f(global int *global *table) { *table[0] += 1; *table[1] *= 2; }', {
      options: '-cl-std=CL2.0',
    });
    const [table, numbers] = [program.shared(8), program.shared(64)];
    const words = numbers.view(Int32Array, 4, 2);
    words.set([20, 21]);
    table.view(Uint32Array).set([numbers.address + 16, numbers.address + 20]);
    await program.kernel('f')({ global: [1] }, table);
    expect([...words]).toEqual([21, 42]);
    expect(() => numbers.view(Int32Array, 15, 2)).toThrow(/elements 15 to 17/);
    table.release();
    await expect(program.kernel('f')({ global: [1] }, table)).rejects.toMatchObject({
      name: 'CL_INVALID_MEM_OBJECT',
    });
  });

  it('and a queue for kernels that launch others', async () => {
    program = await compile(
      'kernel void f(global int *n) { enqueue_kernel(get_default_queue(), 0, ndrange_1D(4), ^{ n[get_global_id(0)] += 7; }); }',
      { options: '-cl-std=CL2.0' },
    );
    expect(() => program!.deviceQueue(-1)).toThrow(/a queue of -1 bytes/);
    program.deviceQueue();
    program.deviceQueue();
    const numbers = Int32Array.of(1, 2, 3, 4);
    await program.kernel('f')({ global: [1] }, numbers);
    expect([...numbers]).toEqual([8, 9, 10, 11]);
  });

  it('is not there on the devices of drivers', async () => {
    for (const device of devices().filter(({ info }) => info.svmCapabilities === 0)) {
      program = await compile(source, { device });
      expect(() => program!.shared(4)).toThrow(/no shared virtual memory/);
      program.release();
    }
  });
});

describe('wrong use', () => {
  it('of the source is a BuildError with the compiler’s words', async () => {
    const wrong = compile('kernel void f(global int *x) { x[0] = y; }', { name: 'wrong.cl' });
    await expect(wrong).rejects.toBeInstanceOf(BuildError);
    await expect(wrong).rejects.toThrow(/wrong\.cl:1:39: error: /);
  });

  it('of kernels and arguments is an OpenCLError that names the argument', async () => {
    program = await compile(source);
    expect(() => program!.kernel('nothing')).toThrow(/'saxpy'/);
    const saxpy = program.kernel('saxpy');
    const x = new Float32Array(4);
    const range = { global: [4] };
    await expect(saxpy(range, 1, x)).rejects.toMatchObject({ name: 'CL_INVALID_KERNEL_ARGS' });
    await expect(saxpy(range, [1, 2], x, x)).rejects.toThrow(/'float a'/);
    await expect(saxpy(range, 1, 5, x)).rejects.toMatchObject({ name: 'CL_INVALID_ARG_VALUE' });
    await expect(saxpy(range, 1, x, local(4))).rejects.toMatchObject({ name: 'CL_INVALID_ARG_VALUE' });
    await expect(saxpy({ global: [5], local: [2] }, 1, x, x)).rejects.toMatchObject({
      name: 'CL_INVALID_WORK_GROUP_SIZE',
    });
    await expect(program.kernel('values')({ global: [1] }, x, { x: 1, y: 2 }, [1, 2], 1, 1)).rejects.toThrow(
      /field 'count' is missing/,
    );
    expect(() => program!.buffer(0)).toThrow(/0 bytes/);
    const buffer = program.buffer(16);
    buffer.release();
    await expect(saxpy(range, 1, buffer, x)).rejects.toMatchObject({ name: 'CL_INVALID_MEM_OBJECT' });
    program.release();
    await expect(saxpy(range, 1, x, x)).rejects.toMatchObject({ name: 'CL_INVALID_PROGRAM' });
  });

  it('of a call without its range, and of sizes that are no array', async () => {
    program = await compile(source);
    const saxpy = program.kernel('saxpy') as unknown as (...args: unknown[]) => Promise<unknown>;
    const x = new Float32Array(4);
    await expect(saxpy(1, x, x)).rejects.toThrow(
      "kernel 'saxpy' is called with a range before its arguments, such as { global: [1024] }",
    );
    await expect(saxpy({ global: 4 }, 1, x, x)).rejects.toThrow('such as [1024], not 4');
    expect(() => program!.buffer('4' as never)).toThrow('a number of bytes or a typed array');
    await expect(program.buffer(4).read(undefined as never)).rejects.toThrow('such as Float32Array');
  });

  it('of a work-group size or an offset that does not go with the range', async () => {
    program = await compile(source);
    const saxpy = program.kernel('saxpy') as unknown as (...args: unknown[]) => Promise<unknown>;
    const x = new Float32Array(4);
    await expect(saxpy({ global: [4], local: [2, 2] }, 1, x, x)).rejects.toThrow(
      "kernel 'saxpy': global has 1 size, local 2",
    );
    await expect(saxpy({ global: [4], lokal: [2] }, 1, x, x)).rejects.toThrow(
      "kernel 'saxpy': a range has no 'lokal', only global, local, offset",
    );
    await expect(saxpy({ global: [4], local: 2 }, 1, x, x)).rejects.toMatchObject({
      name: 'CL_INVALID_WORK_GROUP_SIZE',
      message: "kernel 'saxpy': local is an array of as many numbers as global, such as [64], not 2",
    });
    await expect(saxpy({ global: [4], offset: 3 }, 1, x, x)).rejects.toMatchObject({
      name: 'CL_INVALID_GLOBAL_OFFSET',
    });
    await expect(saxpy({ global: ['4'] }, 1, x, x)).rejects.toThrow("global work size in x is '4'");
  });

  it('of values says what was given', async () => {
    program = await compile(`
      typedef struct { int n; } inner;
      typedef struct { inner in; float x; } outer;
      kernel void f(global int *o, outer s, int n) { o[0] = s.in.n + n; }`);
    const f = program.kernel('f') as unknown as (...args: unknown[]) => Promise<unknown>;
    const o = new Int32Array(1);
    const wrong = (s: unknown, n: unknown) => f({ global: [1] }, o, s, n).catch((error) => error.message);
    expect(await wrong({ in: { n: 1 }, x: 2 }, '8')).toMatch(/'8' is not a 32-bit signed integer$/);
    expect(await wrong({ in: { n: 1 }, x: 2, y: 3 }, 8)).toMatch(
      /the struct has no field 'y' \(it has in, x\)$/,
    );
    expect(await wrong({ in: {}, x: 2 }, 8)).toMatch(/\.in: field 'n' is missing$/);
    expect(await wrong('text', 8)).toMatch(/'text' is not a struct$/);
  });

  it('of buffers and images', async () => {
    program = await compile(source);
    const buffer = program.buffer(16);
    const image = program.image({ width: 2, height: 2 });
    const shared = program.shared(16);
    const array = new Float32Array(4) as unknown as Float32ArrayConstructor;
    await expect(buffer.read(array)).rejects.toThrow('and comes as a new one: give its class');
    await expect(image.read(array)).rejects.toThrow('an image is read as a kind of typed array');
    expect(() => buffer.map(array)).toThrow(OpenCLError);
    expect(() => shared.view(array)).toThrow(OpenCLError);
    expect(() => program!.image(undefined as never)).toThrow('an image is made from its size');
    expect(() => local('64' as never)).toThrow("local('64'): it takes a number of bytes");
    await expect(buffer.write([1, 2] as never)).rejects.toThrow('from a typed array, not an array of 2');
    expect(() => program!.buffer(new ArrayBuffer(8) as never)).toThrow('a number of bytes or a typed array');
    expect(() => sampler('linear' as never)).toThrow("such as { filter: 'linear' }, not 'linear'");
    expect(() => sampler({ filtr: 'linear' } as never)).toThrow(
      "a sampler has no 'filtr', only normalized, addressing, filter",
    );
  });

  it('of arrays whose numbers are of another kind', async () => {
    program =
      await compile(`kernel void k(global float *f, global ulong *l, global uchar4 *c, global half *h) {
      f[0] = 2; l[0] = 3; c[0] = 4; vstore_half(1.0f, 0, h);
    }`);
    const k = program.kernel('k');
    const call = (
      ...args: Parameters<typeof k> extends [unknown, ...infer A] ? A : never
    ): Promise<unknown> => k({ global: [1] }, ...args);
    const [f, l, c, h] = [new Float32Array(1), new BigUint64Array(1), new Uint8Array(4), new Uint16Array(4)];
    await expect(call(new Float64Array(1), l, c, h)).rejects.toThrow(
      "argument 'float* f' of kernel 'k': give a Float32Array, or its bytes as a Uint8Array, not Float64Array",
    );
    await expect(call(new Int32Array(1), l, c, h)).rejects.toThrow('give a Float32Array');
    await expect(call(f, new Uint32Array(2), c, h)).rejects.toThrow('give a BigUint64Array');
    await expect(call(f, l, new Float32Array(1), h)).rejects.toThrow('give a Uint8Array');
    await expect(call(f, l, c, new Float32Array(1))).rejects.toThrow('give a Uint16Array');
    // Bits: of floats, of pixels, of anything.
    const [bits, pixels, bytes] = [new Uint32Array(1), new Uint32Array(1), new Uint8Array(8)];
    await call(bits, bytes, pixels, h);
    expect([bits[0], pixels[0], bytes[0], h[0]]).toEqual([0x40000000, 0x04040404, 3, 0x3c00]);
  });

  it('of compile names what it was given', async () => {
    await expect(compile(undefined as never)).rejects.toThrow('compile was given undefined');
    await expect(compile(source, { device: 'interpreter' as never })).rejects.toMatchObject({
      name: 'CL_INVALID_DEVICE',
    });
    await expect(compile(source, { options: ['-D'] as never })).rejects.toThrow('one string');
    await expect(compile(source, { timeout: Number.NaN })).rejects.toThrow('a time-out of NaN');
    await expect(compile(source, '-D N=8' as never)).rejects.toThrow(
      "an object, such as { options: '-D N=8' }, not '-D N=8'",
    );
    await expect(compile(source, { opts: '-D N=8' } as never)).rejects.toThrow(
      "compile takes no 'opts', only options, device, prefer, timeout, print, name, files, strict, check, budget",
    );
    await expect(compile('kernels/add.cl')).rejects.toThrow("read 'kernels/add.cl' first");
    await expect(compile(source, { print: 'log' as never })).rejects.toThrow('print is a function, which');
    await expect(compile(source, { name: 5 as never })).rejects.toThrow('is a string, not 5');
    await expect(compile(source, { files: new Map() as never })).rejects.toThrow('whose read(path) gives');
    const files = { read: (async () => 'int x;') as never };
    await expect(compile('#include "x.h"', { files })).rejects.toThrow(
      "files.read('x.h') gives a text at once, or undefined; it gave an object",
    );
    // What a store such as a page's localStorage says of what it has not.
    await expect(compile('#include "x.h"', { files: { read: () => null as never } })).rejects.toThrow(
      "'x.h' file not found",
    );
  });

  it('stops a kernel at the time-out', async () => {
    program = await compile('kernel void f(global volatile int *x) { while (x[0] == 0) ; }', { timeout: 60 });
    await expect(program.kernel('f')({ global: [8] }, new Int32Array(1))).rejects.toThrow(
      /time-out of 60 ms/,
    );
  });
});
