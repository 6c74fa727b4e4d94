/**
 * Kernels as programs in IL: they read as IL without a mistake, and lowered to IR again they compute what the kernels compute on the
 * runtime's own way, through OpenCL C.
 */
import { readFileSync } from 'node:fs';
import { brook, getDevices, type Stream } from 'millrace/brook';
import { afterAll, describe, expect, it } from 'vitest';
import { compileBrook } from '../../src/brook/compile.ts';
import { emitIl } from '../../src/brook/il/kernel.ts';
import { compileLog, runIl, type TestResource } from '../il/lower/run-il.ts';

const device = getDevices('cal')[0]!;
afterAll(() => device.close());

/** The program of the last kernel of a source. */
function ilOf(source: string): string {
  const compiled = compileBrook('k.br', source, { kernelsOnly: true });
  expect(compiled.log).toBe('');
  const made = emitIl(compiled.kernels[compiled.kernels.length - 1]!);
  if ('reason' in made) throw new Error(made.reason);
  return made.text;
}

function reasonOf(source: string): string {
  const made = emitIl(compileBrook('k.br', source, { kernelsOnly: true }).kernels.at(-1)!);
  return 'reason' in made ? made.reason : 'there is one';
}

type Numbers = Float32Array<ArrayBuffer> | Int32Array<ArrayBuffer> | Uint32Array<ArrayBuffer>;

/** A stream or an array for a kernel: its type, its sizes with x first, its numbers. */
interface Data {
  readonly type: string;
  readonly sizes: readonly [number, number];
  readonly numbers: Numbers;
}

/**
 * Runs the last kernel of a source, `f`, both ways. `inputs` are its streams and gather arrays, `constants` its values, each in their
 * order; these stand before its outputs. Both give the numbers of the outputs.
 */
function runBoth(
  source: string,
  inputs: readonly Data[],
  constants: readonly Numbers[],
  outputs: readonly Data[],
  order: readonly ('input' | 'constant' | 'output')[],
): { readonly il: Numbers[]; readonly brook: Numbers[] } {
  const { kernels, stream } = brook(source, { device });
  const made = ({ type, sizes, numbers }: Data, isFilled: boolean): Stream => {
    const one = stream(type, sizes);
    if (isFilled) one.read(numbers);
    return one;
  };
  const streams = outputs.map((data) => made(data, false));
  const lists = {
    input: inputs.map((data) => made(data, true)),
    constant: [...constants],
    output: [...streams],
  };
  kernels['f']!(...order.map((what) => lists[what].shift()!));
  const results = outputs.map(({ numbers }, index) => {
    const out = numbers.slice();
    streams[index]!.write(out);
    expect(streams[index]!.errorLog()).toBe('');
    return out;
  });
  const resource = ({ type, sizes: [width, height], numbers }: Data): TestResource => {
    const components = (
      Number(/\d$/.exec(type)?.[0] ?? 1) === 3 ? 4 : Number(/\d$/.exec(type)?.[0] ?? 1)
    ) as 1;
    return { width, height, format: { type: 'float32', components }, data: numbers.slice() };
  };
  const cb = new Uint8Array(16 * Math.max(constants.length, 1));
  for (const [index, numbers] of constants.entries())
    cb.set(new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength), 16 * index);
  const found = outputs.map(resource);
  const [width, height] = outputs[0]!.sizes;
  runIl(ilOf(source), {
    domain: [0, 0, width, height],
    constants: { 0: new Uint32Array(cb.buffer) },
    inputs: Object.fromEntries(inputs.map((data, index) => [index, resource(data)])),
    outputs: Object.fromEntries(found.map((data, index) => [index, data])),
  });
  return { il: found.map(({ data }) => data as Numbers), brook: results };
}

const floats = (...numbers: number[]): Float32Array<ArrayBuffer> => Float32Array.from(numbers);
const ints = (...numbers: number[]): Int32Array<ArrayBuffer> => Int32Array.from(numbers);

describe('IL of kernels', () => {
  it('has the form of brcc', () => {
    expect(ilOf('kernel void sum(float a<>, float b<>, out float c<>) { c = a + b; }')).toBe(`il_ps_2_0
dcl_literal l0,0x3F000000,0x3F000000,0x3F000000,0x3F000000
dcl_literal l1,0x00000000,0x00000000,0x00000000,0x00000000
dcl_output_usage(generic) o0.xyzw
dcl_resource_id(0)_type(2d,unnorm)_fmtx(float)_fmty(float)_fmtz(float)_fmtw(float)
dcl_resource_id(1)_type(2d,unnorm)_fmtx(float)_fmty(float)_fmtz(float)_fmtw(float)
dcl_input_position_interp(linear_noperspective) v0.xy__
sub r2.xy__,v0.xy00,l0.xx00
ftoi r3.xy__,r2.xy00
mov r1.xy__,r3.xy00
mov r1.__zw,l1.00xx
sample_resource(0)_sampler(0) r4.x___,v0.xy00
sample_resource(1)_sampler(1) r5.x___,v0.xy00
mov r6.x___,l1.x000
mov r7.x___,r4.x000
mov r8.x___,r5.x000
mov r9.x___,r6.x000
call 1
mov o0.xyzw,r9.x000
endmain

func 1
add r10.x___,r7.x000,r8.x000
mov r9.x___,r10.x000
ret

end
 
##!!BRCC
##narg:3
##s:1:a
##s:1:b
##o:1:c
##workspace:1024
##!!multipleOutputInfo:0:1:
##!!fullAddressTrans:0:
##!!reductionFactor:0:
`);
  });

  it('reads as IL without a mistake, for the samples', () => {
    const names = ['sum/sum', 'matrix-multiplication/matrix-multiplication', 'binary-search/binary-search'];
    names.push(
      'vector-constructors/vector-constructors',
      'scatter/scatter',
      'tiles/tiles',
      'devices/devices',
      'reductions/reductions',
      'small-integers/small-integers',
      'thread-groups/thread-groups',
    );
    for (const name of names) {
      const source = readFileSync(new URL(`../../samples/brook-${name}.br`, import.meta.url), 'utf8');
      for (const kernel of compileBrook(name, source).kernels) {
        if (kernel.form === 'function') continue;
        const made = emitIl(kernel);
        expect('text' in made ? compileLog(made.text) : made.reason, kernel.name).toBe('');
      }
    }
  });

  it('computes what kernels compute: numbers', () => {
    const source = `kernel void f(int a<>, int b<>, uint c<>, out int4 q<>, out uint4 r<>, out float4 s<>) {
      float x = (float)a * 0.5f;
      q = int4(a / b, a % b, a >> 2, ~a & b);
      q.x += a < b && c > 3u ? 100 : 200;
      r = uint4(c / 7u, c % 7u, c >> 1u, (uint)(a * b));
      s = float4(floor(x), abs(x), clamp(x, -2.0f, 3.0f), round(x)) + float4(1.0f, 2.0f, 3.0f, (float)b);
      s.wx = s.xw;
      s.y = (float)(char)(a * 37);
    }`;
    const numbers = [ints(7, -7, 100, -100, 0, 5), ints(2, 2, -7, -7, 3, 9)] as const;
    const sizes = [3, 2] as const;
    const { il, brook: own } = runBoth(
      source,
      [
        { type: 'int', sizes, numbers: numbers[0] },
        { type: 'int', sizes, numbers: numbers[1] },
        { type: 'uint', sizes, numbers: Uint32Array.of(1, 8, 0xffffffff, 3, 4, 70) },
      ],
      [],
      [
        { type: 'int4', sizes, numbers: new Int32Array(24) },
        { type: 'uint4', sizes, numbers: new Uint32Array(24) },
        { type: 'float4', sizes, numbers: new Float32Array(24) },
      ],
      ['input', 'input', 'input', 'output', 'output', 'output'],
    );
    expect(il).toEqual(own);
    expect([...il[0]!.subarray(0, 4)]).toEqual([203, 1, 1, ~7 & 2]);
    expect([...il[0]!.subarray(4, 6)]).toEqual([97, -1]);
  });

  it('computes what kernels compute: loops, calls and arrays', () => {
    const source = `
      kernel float twice(float a, out float half<>) { half = a * 0.5f; return a + a; }
      kernel float row_sum(float m[][], int row, int n) {
        float sum = 0.0f;
        int k = 0;
        for (k = 0; k < n; k++) {
          if (k == 2) continue;
          if (k > 100) break;
          sum += m[row][k];
          if (sum > 50.0f) return -sum;
        }
        return sum;
      }
      kernel void f(float a<>, float m[][], float v[], int n, float2 scale, out float4 c<>) {
        float half = 0.0f;
        float other = twice(a, half);
        int4 at = instance();
        int turns = 0;
        do {
          turns++;
          if (turns == 2) continue;
          half += 1.0f;
        } while (turns < 4);
        while (turns > 0) turns -= 3;
        c = float4(other * scale.x, half, row_sum(m, at.y, n), v[at.x + 1] + m[at.xy] + (float)turns + scale.y);
      }`;
    const { il, brook: own } = runBoth(
      source,
      [
        { type: 'float', sizes: [3, 2], numbers: floats(1, 2, 3, 4, 5, 6) },
        { type: 'float', sizes: [4, 2], numbers: floats(1, 2, 3, 4, 50, 60, 7, 8) },
        { type: 'float', sizes: [3, 1], numbers: floats(10, 20, 30) },
      ],
      [ints(4), floats(0.5, 7)],
      [{ type: 'float4', sizes: [3, 2], numbers: new Float32Array(24) }],
      ['input', 'input', 'input', 'constant', 'constant', 'output'],
    );
    expect(il).toEqual(own);
    // The first element: 2 * 1 * 0.5; a half and three more; 1 + 2 + 4; 20 + 1 - 2 + 7.
    expect([...il[0]!.subarray(0, 4)]).toEqual([1, 3.5, 7, 26]);
    expect(il[0]![14]).toBe(-110);
  });

  it('computes functions as exactly as the guide wants them', () => {
    const source = `kernel void f(float3 a<>, out float4 c<>, out float4 d<>) {
      float3 n = normalize(a);
      c = float4(sqrt(a.x), exp(a.y), log(a.z), pow(a.x, a.y));
      d = float4(dot(n, n), length(a), cross(a, n).y, fmod(a.z, a.x) + sign(a.y) + lerp(a.x, a.y, 0.25f));
    }`;
    const packed = [1.5, 2, 3, 0.25, -1, 8];
    const program = ilOf(source);
    const outputs = [0, 1].map((): TestResource => ({ width: 2, data: new Float32Array(8) }));
    const padded = floats(...packed.slice(0, 3), 0, ...packed.slice(3), 0);
    runIl(program, {
      domain: [0, 0, 2, 1],
      inputs: { 0: { width: 2, data: padded } },
      outputs: { 0: outputs[0]!, 1: outputs[1]! },
    });
    const expected = [packed.slice(0, 3), packed.slice(3)].flatMap(([x, y, z]) => {
      const length = Math.hypot(x!, y!, z!);
      const sum = (z! % x!) + Math.sign(y!) + 0.75 * x! + 0.25 * y!;
      return [Math.sqrt(x!), Math.exp(y!), Math.log(z!), x! ** y!, 1, length, 0, sum];
    });
    const found = [0, 1].flatMap((at) =>
      outputs.flatMap(({ data }) => [...data.subarray(4 * at, 4 * at + 4)]),
    );
    found.forEach((value, index) => {
      expect(value, `number ${index}`).toBeCloseTo(expected[index]!, 4);
    });
  });

  it('scatters into the global buffer, and nothing beyond', () => {
    const text = ilOf('kernel void f(int at<>, float2 a<>, out float2 c[][]) { c[at][1] = a; }');
    const global = new Float32Array(4 * 6).fill(9);
    runIl(text, {
      domain: [0, 0, 4, 1],
      constants: { 0: ints(3, 2, 0, 0) },
      inputs: {
        0: { width: 4, format: { type: 'float32', components: 1 }, data: ints(1, 0, 2, -1) },
        1: { width: 4, format: { type: 'float32', components: 2 }, data: floats(1, 2, 3, 4, 5, 6, 7, 8) },
      },
      global,
    });
    const rows = [0, 1].map((y) =>
      [0, 1, 2].map((x) => [...global.subarray(4 * (3 * y + x), 4 * (3 * y + x) + 2)]),
    );
    expect(rows).toEqual([
      [
        [9, 9],
        [3, 4],
        [9, 9],
      ],
      [
        [9, 9],
        [1, 2],
        [9, 9],
      ],
    ]);
  });

  it.each([
    ['kernel void f(double a<>, out double b<>) { b = sin(a); }', 'there is no sin of doubles in IL'],
    [
      `kernel void f(float a<>, ${[1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => `out float b${n}<>`).join(', ')}) { b1 = a; }`,
      'there is no IL for more than 8 outputs',
    ],
  ])('is not there for %s', (source, reason) => {
    expect(reasonOf(source)).toBe(reason);
  });
});
