/** What NumPy has no fixtures for: random numbers, kernels of users, large arrays, errors in words, what is computed when. */
import { compile, startProfiling } from 'millrace';
import { type Arrays, arrays } from 'millrace/array';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let np: Arrays;
beforeAll(async () => {
  np = await arrays();
});
afterAll(() => np.release());

const hex = (words: Iterable<number>): string =>
  [...words].map((word) => word.toString(16).padStart(8, '0')).join(' ');

describe('random numbers', () => {
  // Random123, tests/kat_vectors, lines "philox4x32 10": counter, key, result.
  it.each([
    ['00000000 00000000 00000000 00000000', '00000000 00000000', '6627e8d5 e169c58d bc57ac4c 9b00dbd8'],
    ['ffffffff ffffffff ffffffff ffffffff', 'ffffffff ffffffff', '408f276d 41c83b0e a20bc7c6 6d5451fd'],
    ['243f6a88 85a308d3 13198a2e 03707344', 'a4093822 299f31d0', 'd16cfe09 94fdcceb 5001e420 24126ea1'],
  ])('are those of Random123: counter %s, key %s', async (counter, key, expected) => {
    const number = (text: string) => BigInt(`0x${text.split(' ').reverse().join('')}`);
    const random = np.random(number(key), { counter: number(counter) });
    expect(hex(await random.bits(4).data())).toBe(expected);
  });

  it('go on where the last call ended, and over the end of 64 bits of the counter', async () => {
    const whole = await np
      .random(5, { counter: 2n ** 64n - 2n })
      .bits(16)
      .data();
    const random = np.random(5, { counter: 2n ** 64n - 2n });
    const parts = [await random.bits(8).data(), await random.bits([2, 4]).data()];
    expect(random.counter).toBe(2n ** 64n + 2n);
    expect(hex([...parts[0]!, ...parts[1]!])).toBe(hex(whole));
    expect(
      hex(
        await np
          .random(5, { counter: 2n ** 64n })
          .bits(4)
          .data(),
      ),
    ).toBe(hex(whole.slice(8, 12)));
  });

  it('are the same on the interpreter', async () => {
    const { devices } = await import('millrace');
    const device = devices({ drivers: false }).find(({ id }) => id === 'interpreter')!;
    const other = await arrays({ device });
    for (const one of [np, other]) expect(one.device.id).toBe(one === np ? 'wasm' : 'interpreter');
    const of = async (from: Arrays) => {
      const random = from.random(2n ** 40n + 3n);
      return [
        ...(await random.uniform(9).data()),
        ...(await random.uniform([5], { type: 'float64', low: -1, high: 3 }).data()),
        ...(await random.integers(-5, 250, 7, 'int16').data()),
      ];
    };
    expect(await of(other)).toEqual(await of(np));
    other.release();
  });

  it('have the mean and the deviation of their distributions', async () => {
    const random = np.random(1);
    const n = 200_000;
    // Five times the standard error of each.
    expect(Math.abs((await random.uniform(n).mean().item()) as number) - 0.5).toBeLessThan(
      (5 * 0.2887) / Math.sqrt(n),
    );
    for (const type of ['float32', 'float64'] as const) {
      const normal = await random.normal(n, { mean: 3, deviation: 2, type }).compute();
      expect(Math.abs(((await normal.mean().item()) as number) - 3)).toBeLessThan((5 * 2) / Math.sqrt(n));
      expect(Math.abs(((await normal.deviation().item()) as number) - 2)).toBeLessThan(
        (5 * 2) / Math.sqrt(2 * n),
      );
    }
    const dice = random.integers(1, 7, 60_000);
    const counts = await (await dice.bincount()).data();
    expect(counts[0]).toBe(0);
    for (const count of counts.slice(1)) expect(Math.abs(Number(count) - 10_000)).toBeLessThan(5 * 92);
    const all = await random
      .integers(-(2n ** 63n), 2n ** 63n, 1000, 'int64')
      .less(0)
      .sum()
      .item();
    expect(Math.abs(Number(all) - 500)).toBeLessThan(5 * 16);
  });
});

describe('kernels of users', () => {
  it('compute elements in place', async () => {
    const saxpy = np.elementwise('float a, const float *x, float *y', 'y[i] = twice(a) * x[i] + y[i]', {
      preamble: 'static float twice(float x) { return 2 * x; }',
    });
    const [x, y] = [np.arange(0, 5, 1, 'float32'), np.ones(5)];
    await saxpy(3, x, y);
    expect([...(await y.data())]).toEqual([1, 7, 13, 19, 25]);
    await expect(saxpy(3, x, np.ones(4))).rejects.toThrow(
      'arrays of shapes (5,) and (4,) have different sizes',
    );
    await expect(saxpy(3, np.arange(5), y)).rejects.toThrow("'x' is an array of float, not of int32");
    await expect(saxpy(3, x)).rejects.toThrow('takes 3 arguments (a, x, y); 2 were given');
  });

  it('reduce', async () => {
    const dot = np.reduction('float64', {
      parameters: 'const float *x, const float *y',
      map: 'x[i] * y[i]',
      reduce: 'a + b',
      neutral: '0',
    });
    const n = 100_003;
    const x = np.arange(n).mod(10).astype('float32');
    let sum = 0;
    for (let i = 0; i < n; i += 1) sum += (i % 10) ** 2;
    expect(await dot(x, x).item()).toBe(sum);
  });

  it('scan with an operator that is not commutative', async () => {
    // a, b as functions x -> m x + c modulo 256: their composition in order.
    const compose = np.scan('uint32', {
      parameters: 'const uint *x, uint *y',
      input: 'x[i]',
      scan: '(((a >> 8) * (b >> 8)) & 255) << 8 | ((a & 255) * (b >> 8) + (b & 255)) & 255',
      neutral: '256',
      output: 'y[i] = item',
    });
    const n = 70_001;
    const values = Uint32Array.from({ length: n }, (_, i) => (((i * 7 + 1) & 255) << 8) | ((i * 13) & 255));
    const y = np.zeros(n, 'uint32');
    await compose(np.array(values), y);
    let [m, c] = [1, 0];
    const expected = values.map((value) => {
      m = (m * (value >> 8)) & 255;
      c = (c * (value >> 8) + (value & 255)) & 255;
      return (m << 8) | c;
    });
    expect(await y.data()).toEqual(expected);
  });
});

describe('scans', () => {
  // Below, at and beyond the blocks that elements are joined in, the shortest strip, and the most strips of a processor.
  const lengths = [1, 2, 3, 4, 5, 7, 8, 9, 255, 256, 257, 259, 511, 513, 1025, 32_767, 32_769, 33_001];

  it('of every length, in rows and across them', { timeout: 240_000 }, async () => {
    for (const n of lengths) {
      const values = Int32Array.from({ length: 3 * n }, (_, i) => (Math.imul(i + 1, 40503) >>> 4) % 1000);
      // Sums along a step: 1 in a row, 3 across rows.
      const sums = (step: number, isExclusive: boolean) => {
        const out = new BigInt64Array(3 * n);
        for (let line = 0; line < 3; line += 1) {
          let sum = 0n;
          for (let k = 0; k < n; k += 1) {
            const i = step === 1 ? line * n + k : k * 3 + line;
            if (isExclusive) out[i] = sum;
            sum += BigInt(values[i]!);
            if (!isExclusive) out[i] = sum;
          }
        }
        return out;
      };
      const rows = np.array(values).reshape(3, n);
      const columns = np.array(values).reshape(n, 3);
      for (const exclusive of [false, true]) {
        expect(await rows.cumsum({ axis: 1, exclusive }).data(), `${n} in rows`).toEqual(sums(1, exclusive));
        expect(await columns.cumsum({ axis: 0, exclusive }).data(), `${n} across`).toEqual(
          sums(3, exclusive),
        );
      }
    }
  });
});

describe('large arrays', () => {
  const n = 300_007;
  const values = Int32Array.from({ length: n }, (_, i) => (Math.imul(i, 2654435761) >>> 3) - 2 ** 28);

  it('are sorted, summed and scanned as JavaScript does it', async () => {
    const x = np.array(values);
    expect(await x.sort().data()).toEqual(values.slice().sort());
    const floats = Float32Array.from(values, (value) => value / 1000);
    expect(await np.array(floats).sort().data()).toEqual(floats.slice().sort());
    expect(await x.sum().item()).toBe(values.reduce((sum, value) => sum + BigInt(value), 0n));
    const sums = new BigInt64Array(n + 1);
    for (let i = 0; i < n; i += 1) sums[i + 1] = sums[i]! + BigInt(values[i]!);
    expect(await x.cumsum().data()).toEqual(sums.slice(1));
    expect(await x.cumsum({ exclusive: true }).data()).toEqual(sums.slice(0, -1));
    const running = values.slice();
    for (let i = 1; i < n; i += 1) running[i] = Math.max(running[i]!, running[i - 1]!);
    expect(await x.scan('max(a, b)', { neutral: 'INT_MIN' }).data()).toEqual(running);
    expect(await x.argmax().item()).toBe(values.indexOf(values.reduce((a, b) => Math.max(a, b))));
    expect(await (await x.filter(x.mod(3).equal(0))).data()).toEqual(
      values.filter((value) => value % 3 === 0),
    );
    const wide = x.slice([0, -1]).reshape(-1, 7).sum({ axis: 0 });
    expect(Array.from(await wide.data(), Number)).toEqual(
      [0, 1, 2, 3, 4, 5, 6].map((k) =>
        values.reduce((s, value, i) => (i < n - 1 && i % 7 === k ? s + value : s), 0),
      ),
    );
  });

  it('are multiplied', async () => {
    const [a, b] = [np.random(1).integers(-9, 9, [67, 130]), np.random(2).integers(-9, 9, [130, 99])];
    const [left, right] = [await a.data(), await b.data()];
    const expected = Int32Array.from({ length: 67 * 99 }, (_, at) => {
      let sum = 0;
      for (let k = 0; k < 130; k += 1)
        sum += left[Math.floor(at / 99) * 130 + k]! * right[k * 99 + (at % 99)]!;
      return sum;
    });
    expect(await a.matmul(b).data()).toEqual(expected);
    expect(await a.astype('float32').matmul(b.astype('float32')).data()).toEqual(Float32Array.from(expected));
  });
});

describe('what is computed when', () => {
  const launches = async (work: () => Promise<unknown>): Promise<number> => {
    const profiler = startProfiling();
    await work();
    const { commands } = profiler.stop();
    return commands.filter(({ kernel }) => kernel !== undefined).length;
  };

  it('an expression is one launch, a sum of one two at most', async () => {
    const [x, y] = [np.array(new Float32Array(5000).fill(2)), np.array(new Float32Array(5000).fill(3))];
    const expression = () => x.mul(y).add(1).sqrt().sub(x).mul(np.arange(5000)).maximum(0);
    expect(await launches(() => expression().data())).toBe(1);
    expect(await launches(() => expression().sum().data())).toBe(2);
    const kept = await expression().compute();
    expect(await launches(() => kept.data())).toBe(0);
  });

  it('long chains and repeated uses are computed in parts', async () => {
    let x = np.zeros(3, 'int32');
    for (let i = 0; i < 3000; i += 1) x = x.add(1) as typeof x;
    let y = np.ones(2, 'uint32');
    for (let i = 0; i < 31; i += 1) y = y.add(y) as typeof y;
    expect([...(await x.data()), ...(await y.data())]).toEqual([3000, 3000, 3000, 2 ** 31, 2 ** 31]);
  });

  it('what a released array is used for is computed still', async () => {
    const x = np.array([1, 2, 3]);
    const y = x.add(1);
    x.release();
    expect([...(await y.data())]).toEqual([2, 3, 4]);
    await expect(x.data()).rejects.toThrow('the array has been released');
  });
});

describe('what goes wrong is said in words', () => {
  it.each([
    [() => np.ones([2, 3]).add(np.ones([2])), 'add: shapes (2, 3) and (2,) cannot be broadcast together'],
    [() => np.ones([2, 3]).matmul(np.ones([2, 3])), 'matmul: shapes (2, 3) and (2, 3) have no product'],
    [() => np.ones(6).reshape(4, 2), 'an array of shape (6,) has 6 elements, which is not what (4, 2) has'],
    [() => np.ones(6).sum({ axis: 1 }), 'there is no axis 1 in an array of shape (6,)'],
    [() => np.array([1, 2]).astype('int8').add(300), '300 is no int8: those are from -128 to 127'],
    [() => np.array([[1, 2], [3]]), 'the rows have different lengths'],
    [() => np.zeros(3, 'float16' as never), "there is no type 'float16'; there are bool, int8"],
    [() => np.zeros(0).max(), 'max of no elements has no value; the shape is (0,)'],
    [() => np.ones(3).bitAnd(1), 'bitAnd is for integers and bool, not for float32'],
    [() => np.ones(3).add('1' as never), "add takes an array or a number, not '1'"],
  ])('%s', (work, message) => expect(work).toThrow(message));

  it('arrays of another device', async () => {
    const { devices } = await import('millrace');
    const other = await arrays({
      device: devices({ drivers: false }).find(({ id }) => id === 'interpreter')!,
    });
    expect(() => np.ones(3).add(other.ones(3))).toThrow(/add: the array is on the device .*, not on /);
    other.release();
    expect(() => other.ones(3)).toThrow('these arrays have been released');
  });
});

it('leaves compile as it is', async () => {
  const program = await compile('kernel void f(global int *x) { x[0] = 1; }');
  const x = new Int32Array(1);
  await program.kernel('f')({ global: [1] }, x);
  expect(x[0]).toBe(1);
  program.release();
});
