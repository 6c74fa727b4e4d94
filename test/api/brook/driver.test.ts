/** Kernels of Brook+ on the machine's own OpenCL driver, which compiles the OpenCL C that they become. */
import { brook, getDevices } from 'millrace/brook';
import { afterAll, describe, expect, it } from 'vitest';

const device = getDevices('cal').find(
  ({ device: { platform } }) => platform !== getDevices('cpu')[0]!.device.platform,
);

afterAll(() => device?.close());

describe.skipIf(!device)('on a driver', () => {
  it('maps, reduces, scatters and shares', () => {
    const { kernels, stream } = brook(
      `typedef struct { float4 a; float b; } Pair;
       kernel void sum(float3 a<>, float3 b, out float3 c<>) { c = a + b; }
       kernel void swapped(Pair p<>, out Pair q<>) { q.a = p.a.wzyx; q.b = -p.b; }
       reduce void total(float a<>, reduce float r<>) { r += a; }
       kernel void scatter(float i<>, float a<>, out float b[]) { b[i] = a; }
       Attribute[GroupSize(64)] kernel void turned(float4 a<>, out float4 c[][]) {
         shared float4 lds[64];
         lds[1 * instanceInGroup().x + 0] = a;
         syncGroup();
         c[instance().y][instance().x] = lds[63 - instanceInGroup().x];
       }`,
      { device },
    );
    const filled = (type: string, sizes: readonly number[], values: readonly number[]) => {
      const made = stream(type, sizes);
      made.read(Float32Array.from(values));
      return made;
    };
    const floats = (from: ReturnType<typeof stream>): number[] => {
      const out = new Float32Array(from.byteLength / 4);
      from.write(out);
      expect(from.errorLog()).toBe('');
      return [...out];
    };
    const c = stream('float3', [2]);
    kernels['sum']!(filled('float3', [2], [1, 2, 3, 4, 5, 6]), [10, 20, 30], c);
    expect(floats(c)).toEqual([11, 22, 33, 14, 25, 36]);
    const q = stream('Pair', [2]);
    kernels['swapped']!(filled('Pair', [2], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]), q);
    expect(floats(q)).toEqual([4, 3, 2, 1, -5, 9, 8, 7, 6, -10]);
    const result = new Float32Array(1);
    kernels['total']!(filled('float', [300, 400], new Array<number>(120_000).fill(1)), result);
    expect(result[0]).toBe(120_000);
    const b = filled('float', [4], [0, 0, 0, 0]);
    kernels['scatter']!(filled('float', [4], [3, 2, -1, 9]), filled('float', [4], [1, 2, 3, 4]), b);
    expect(floats(b)).toEqual([0, 0, 2, 1]);
    const turned = stream('float4', [64]);
    const values = Array.from({ length: 256 }, (_, index) => index);
    kernels['turned']!(filled('float4', [64], values), turned);
    expect(floats(turned).filter((_, index) => index % 4 === 0)).toEqual(
      Array.from({ length: 64 }, (_, index) => (63 - index) * 4),
    );
  });
});
