/**
 * A process that runs generated programs in every language on every device of this machine, as its parent asks (campaign/parts.ts). Every fourth
 * is one of conformance/generator, which has all of OpenCL C 1.2, on every device.
 */
import { devices, requestDevice } from 'millrace';
import { runGenerated } from '../differential/generated.ts';
import { serveSeeds } from '../support/seeds-in-children.ts';
import { findSoftwareWebGPU } from '../support/software-webgpu.ts';
import { checkCommon, reportOf } from './check.ts';
import { generateCommon } from './generate.ts';
import { sizeOf } from './lost.ts';

findSoftwareWebGPU();
process.env['MILLRACE_TIERS'] ??= '0';

/** Milliseconds for making one program small; 0 leaves it. */
const patience = Number(process.argv[2] ?? 0);
for (const id of ['native', 'webgpu'] as const) await requestDevice(id).catch(() => {});
const all = devices();
const names = all.map(({ id }) => id).join(', ');

serveSeeds(0, (seed) => ({
  name: `a program on ${names}`,
  async run() {
    const size = sizeOf(seed);
    if (size !== undefined) {
      const contestants = all.map((device) => ({ name: device.id, device, fromIr: false }));
      const [outcome] = await runGenerated({
        contestants,
        seed,
        count: 1,
        size,
        isReduced: patience > 0,
        patience,
      });
      if (outcome!.status === 'failed') throw new Error(outcome!.reason);
      return outcome!.status === 'passed'
        ? `alike in all of OpenCL C on ${all.length} devices`
        : 'computing with denormals, which a device flushes';
    }
    const program = generateCommon(seed);
    const failure = await checkCommon(program, all);
    if (failure) throw new Error(await reportOf(program, failure, patience));
    return `alike in five languages on ${all.length} devices`;
  },
}));
