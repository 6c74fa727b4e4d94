/** Kernels that change elements of scatter arrays: all of them, single components, and with what is there. Values are worked out by hand. */
import { type BrookDevice, brook, getDevices } from 'millrace/brook';
import { afterAll, describe, expect, it } from 'vitest';

const devices = [getDevices('cal')[0]!, getDevices('cpu')[0]!];

afterAll(() => {
  for (const device of devices) device.close();
});

describe.each(devices.map((device) => [device.getType(), device] as const))(
  'on %s',
  (_, device: BrookDevice) => {
    const { kernels, stream } = brook(
      `
    kernel void lanes(float4 a<>, out float4 c[]) {
      int i = instance().x;
      c[i].xz = a.yw;
      c[i].w += a.x;
      c[i].zyx.y *= 2.0f;
    }
    kernel void three(float a<>, out float3 c[]) {
      int i = instance().x;
      c[i].z = a;
      c[i].yx += float2(a, 1.0f);
    }
    kernel void rows(int a<>, out int c[][]) {
      int i = instance().x;
      int before = c[0][i]++;
      c[1][i] = before * 100 + --c[1][i];
      c[2][a] <<= 2;
      c[2][3 - i++] |= 1;
      c[1][i] -= 1000 * (i - instance().x);
    }
    kernel void bytes(uchar a<>, out uchar2 c[]) {
      c[instance().x] += uchar2(a, (uchar)1);
      c[instance().x + 100] = uchar2(a, a);
    }`,
      { device },
    );

    it('writes and changes single components', () => {
      const [a, c] = [stream('float4', [2]), stream('float4', [2])];
      a.read(Float32Array.of(1, 2, 3, 4, 5, 6, 7, 8));
      c.read(Float32Array.of(10, 20, 30, 40, 50, 60, 70, 80));
      kernels['lanes']!(a, c);
      const out = new Float32Array(8);
      c.write(out);
      expect([...out]).toEqual([2, 40, 4, 41, 6, 120, 8, 85]);
      expect(c.errorLog()).toBe('');
    });

    it('does so where vectors have three', () => {
      const [a, c] = [stream('float', [2]), stream('float3', [2])];
      a.read(Float32Array.of(7, 8));
      c.read(Float32Array.of(1, 2, 3, 4, 5, 6));
      kernels['three']!(a, c);
      const out = new Float32Array(6);
      c.write(out);
      expect([...out]).toEqual([2, 9, 7, 5, 13, 8]);
    });

    it('computes with what is there, and each subscript once', () => {
      const [a, c] = [stream('int', [4]), stream('int', [4, 3])];
      a.read(Int32Array.of(3, 2, 1, 0));
      c.read(Int32Array.of(1, 2, 3, 4, 50, 60, 70, 80, 1, 1, 1, 1));
      kernels['rows']!.domainSize(1);
      kernels['rows']!(a, c);
      const out = new Int32Array(12);
      c.write(out);
      expect([...out]).toEqual([2, 2, 3, 4, 149, -940, 70, 80, 1, 1, 1, 5]);
    });

    it('keeps small numbers small, and leaves out what is beyond the array', () => {
      const [a, c] = [stream('uchar', [2]), stream('uchar2', [2])];
      a.read(Uint8Array.of(250, 3));
      c.read(Uint8Array.of(10, 255, 1, 2));
      kernels['bytes']!(a, c);
      const out = new Uint8Array(4);
      c.write(out);
      expect([...out]).toEqual([4, 0, 4, 3]);
    });
  },
);
