/**
 * Random numbers on the devices that this machine has besides threads: machine code, drivers, WebGPU on a card (SwiftShader takes a quarter of an hour).
 * The words, and what is made of them without functions, are those of the wasm device; all have their distributions.
 */
import '../support/webgpu.ts';
import { type Device, devices, requestDevice } from 'millrace';
import { type Arrays, arrays, type RandomNumbers } from 'millrace/array';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkContinuous, checkDiscrete } from './distribution-checks.ts';

const requested = async (id: 'native' | 'webgpu'): Promise<Device | string> =>
  requestDevice(id).catch(({ message }: Error) => message);
const onCard = async (): Promise<Device | string> => {
  const found = await requested('webgpu');
  return typeof found !== 'string' && /SwiftShader/i.test(found.info.name)
    ? 'SwiftShader is too slow'
    : found;
};
const drivers = devices().filter(({ id }) => !['wasm', 'interpreter'].includes(id));
const all: readonly (readonly [name: string, found: Device | string])[] = [
  ['machine code', await requested('native')],
  ['WebGPU', await onCard()],
  ...(drivers.length > 0
    ? drivers.map((driver) => [driver.info.name, driver] as const)
    : [['drivers', 'there is none'] as const]),
];

const generators: readonly (readonly [string, (np: Arrays) => RandomNumbers])[] = [
  ['Philox', (np) => np.random(20_260)],
  ['MRG32k3a', (np) => np.mrg32k3a([20_260, 1, 2, 3, 4, 5])],
];

/** Programs are compiled, by software renderers too, on a machine that may be busy. */
const limit = { timeout: 600_000 };

for (const [name, found] of all) {
  const isThere = typeof found !== 'string';
  describe.skipIf(!isThere)(`on ${name}${isThere ? '' : ` (SKIPPED: ${found})`}`, () => {
    let np: Arrays;
    let own: Arrays;
    beforeAll(async () => {
      np = await arrays({ device: found as Device });
      own = await arrays({ device: devices({ drivers: false }).find(({ id }) => id === 'wasm')! });
    }, 600_000);
    afterAll(() => {
      np?.release();
      own?.release();
    });

    it.each(generators)(
      '%s gives the same words and uniform numbers as the wasm device',
      limit,
      async (_, open) => {
        const of = async (from: RandomNumbers) => [
          ...(await from.bits(1001).data()),
          ...(await from.uniform(501).data()),
          ...(await from.integers(-9, 90, 300, 'int32').data()),
          ...(await from.bernoulli(0.2, 333).data()),
          from.counter,
        ];
        expect(await of(open(np))).toEqual(await of(open(own)));
      },
    );

    it.each(generators)('continuous distributions of %s', limit, async (_, open) => {
      await checkContinuous(open(np), 'float32');
      if (np.device.info.extensions.includes('cl_khr_fp64')) await checkContinuous(open(np), 'float64');
    });

    it.each(generators)('discrete distributions of %s', limit, async (_, open) => {
      await checkDiscrete(open(np));
    });
  });
}
