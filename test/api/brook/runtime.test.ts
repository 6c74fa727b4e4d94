/** The runtime of streams beside what kernels compute: environment, flags, parts, domains, devices, and the largest streams. */
import { type BrookModule, brook, getDevices, type Stream } from 'millrace/brook';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';

const [cal, cpu] = [getDevices('cal')[0]!, getDevices('cpu')[0]!];

afterAll(() => {
  cal.close();
  cpu.close();
});
afterEach(() => {
  vi.unstubAllEnvs();
});

const source = `
  kernel void copy(float a<>, out float b<>) { b = a; }
  kernel void place(out float b<>) { int4 at = instance(); b = (float)(at.x + 10 * at.y + 100 * at.z); }
  kernel void far(float a[], int n, out float b<>) { b = a[n - 1 - instance().x]; }
  reduce void total(float a<>, reduce float r<>) { r += a; }`;

const made = (device = cal): BrookModule => brook(source, { device });

function filled({ stream }: BrookModule, sizes: readonly number[]): Stream {
  const one = stream('float', sizes);
  one.read(Float32Array.from({ length: sizes.reduce((all, size) => all * size, 1) }, (_, index) => index));
  return one;
}

function content(stream: Stream): number[] {
  const out = new Float32Array(stream.byteLength / 4);
  stream.write(out);
  expect(stream.error()).toBe('BR_NO_ERROR');
  return [...out];
}

describe.each([
  ['cal', cal],
  ['cpu', cpu],
])('domains on %s', (_, device) => {
  it('may begin beyond the dimensions of an array that is scattered to', () => {
    const text =
      'kernel void rows(int n, out float b[]) { int4 at = instance(); b[at.x + at.y * n] = (float)(at.x + 10 * at.y + 100 * at.z + 1000 * at.w); }';
    const { kernels, stream } = brook(text, { device });
    const b = stream('float', [12]);
    for (const [y, offset] of [
      [0, [0, 0, 0, 0]],
      [1, [0, 1, 0, 0]],
      [2, [0, 2, 3, 4]],
    ] as const) {
      kernels['rows']!.domainOffset(...offset);
      kernels['rows']!.domainSize(4, 1, 1, 1);
      kernels['rows']!(4, b);
      expect(content(b).slice(4 * y, 4 * y + 4)).toEqual(
        [0, 1, 2, 3].map((x) => x + 10 * y + 100 * offset[2] + 1000 * offset[3]),
      );
    }
  });
});

describe('the environment', () => {
  const deviceNow = () =>
    brook('kernel void f(out float a<>) { a = 1.0f; }').stream('float', [1]).session.device;

  it('says which device is used (environment)', () => {
    expect(deviceNow()).toBe(cal.device);
    vi.stubEnv('BRT_RUNTIME', 'cpu');
    expect(deviceNow()).toBe(cpu.device);
    vi.stubEnv('BRT_RUNTIME', 'cal');
    expect(deviceNow()).toBe(cal.device);
    const all = getDevices('cal');
    vi.stubEnv('BRT_ADAPTER', String(all.length - 1));
    expect(deviceNow()).toBe(all[all.length - 1]!.device);
    // There is none in that place: the first one.
    vi.stubEnv('BRT_ADAPTER', '99');
    expect(deviceNow()).toBe(cal.device);
  });

  it('has nothing to share memory with (bindings)', () => {
    expect(
      getDevices('all')
        .map((device) => device.getBindings())
        .join(''),
    ).toBe('');
  });
});

describe('streams', () => {
  it('take flags, and copy what they read at once (flags)', () => {
    const { kernels, stream } = made();
    const [a, b] = [stream('float', [4]), stream('float', [4])];
    const from = Float32Array.of(1, 2, 3, 4);
    a.read(from, 'async nocopy');
    from.fill(9);
    kernels['copy']!(a, b);
    const out = new Float32Array(4);
    b.write(out, 'nocopy');
    expect([...out]).toEqual([1, 2, 3, 4]);
    out.fill(0);
    b.write(out, 'async');
    b.finish();
    expect(b.isSync()).toBe(true);
    expect([...out]).toEqual([1, 2, 3, 4]);
  });

  it('are synchronised in time when nobody waits (flags)', async () => {
    const module = made();
    const a = filled(module, [1000]);
    const b = module.stream('float', [1000]);
    for (let turn = 0; turn < 10; turn += 1) module.kernels['copy']!(a, b);
    for (let tries = 0; tries < 1000 && !b.isSync(); tries += 1)
      await new Promise((then) => setTimeout(then, 1));
    expect(b.isSync()).toBe(true);
  });

  it('are parts of parts (parts of parts)', () => {
    const module = made();
    const whole = filled(module, [6, 4, 2]);
    const part = whole.domain([1, 1, 0], [5, 4, 2]).domain([1, 1, 1], [3, 3, 2]);
    expect(content(part)).toEqual([38, 39, 44, 45]);
    const other = module.stream('float', [2, 2, 1]);
    other.assign(part);
    expect(content(other)).toEqual([38, 39, 44, 45]);
    part.read(Float32Array.of(-1, -2, -3, -4));
    expect(content(whole).filter((value) => value < 0)).toEqual([-1, -2, -3, -4]);
  });

  it('go from device to device (assigns)', () => {
    const [one, other] = [made(cal), made(cpu)];
    const a = filled(one, [3, 2]);
    const b = other.stream('float', [3, 2]);
    b.assign(a);
    expect(content(b)).toEqual([0, 1, 2, 3, 4, 5]);
    const c = one.stream('float', [2, 2]);
    c.assign(b.domain([1, 0], [3, 2]));
    expect(content(c)).toEqual([1, 2, 4, 5]);
  });

  it('are computed in any part (domains)', () => {
    const module = made();
    const c = module.stream('float', [4, 3, 2]);
    c.read(new Float32Array(24));
    const place = module.kernels['place']!;
    place.domainOffset(1, 1, 1);
    place.domainSize(2, 2, 1);
    place(c);
    const expected = new Array<number>(24).fill(0);
    for (const [x, y] of [
      [1, 1],
      [2, 1],
      [1, 2],
      [2, 2],
    ] as const)
      expected[12 + 4 * y + x] = x + 10 * y + 100;
    expect(content(c)).toEqual(expected);
    // A domain is for one call.
    place(c);
    expect(content(c)).toEqual(
      Array.from({ length: 24 }, (_, i) => (i % 4) + 10 * (Math.floor(i / 4) % 3) + (i < 12 ? 0 : 100)),
    );
  });

  it('have up to 2^26 elements (large)', () => {
    const module = made();
    const count = 2 ** 26;
    const large = module.stream('float', [count]);
    module.kernels['place']!(large);
    const tail = large.domain([count - 3], [count]);
    // Neighbours of 2^26 are not floats of their own.
    expect(content(tail)).toEqual([count - 3, count - 2, count - 1].map(Math.fround));
    const back = module.stream('float', [2]);
    module.kernels['far']!(large, count, back);
    expect(content(back)).toEqual([count - 1, count - 2].map(Math.fround));
    large.release();
    expect(module.stream('float', [8192, 8193]).error()).toBe('BR_ERROR_DECLARATION');
  });
});
