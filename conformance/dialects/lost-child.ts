/** A process that runs one program in one language on one device, which may take it down (lost.ts). */
import { devices, requestDevice } from 'millrace';
import { faultOf } from '../differential/generated.ts';
import { generateKernel } from '../generator/generate.ts';
import { findSoftwareWebGPU } from '../support/software-webgpu.ts';
import { faultIn, pairsOf } from './check.ts';
import { languages } from './languages.ts';
import type { LostChild, LostTrial } from './lost.ts';

if (!process.send) throw new Error('this is a part of a campaign, and nothing by itself');
findSoftwareWebGPU();
process.env['MILLRACE_TIERS'] ??= '0';
for (const id of ['native', 'webgpu'] as const) await requestDevice(id).catch(() => {});
const all = devices();
const deviceOf = (id: string | undefined) => all.find((device) => device.id === id);

async function run(trial: LostTrial): Promise<void> {
  if (trial.kind === 'common') {
    const { language, device } = trial.pair;
    await faultIn(trial.program, languages.find(({ name }) => name === language)!, deviceOf(device));
    return;
  }
  const { seed, size, source } = trial;
  const device = deviceOf(trial.device)!;
  const generated = generateKernel(seed, { size, isForPocl: true });
  await faultOf(generated, source, [{ name: device.id, device, fromIr: false }]);
}

// What it computes, and what it is refused for, are none of this.
process.on('message', (trial: LostTrial) => {
  void run(trial).then(
    () => process.send!('survived'),
    () => process.send!('refused'),
  );
});
process.on('disconnect', () => process.exit());
const hello: LostChild = {
  pairs: pairsOf(all).map(([{ name }, device]) => ({ language: name, device: device?.id })),
  devices: all.map(({ id }) => id),
};
process.send({ hello });
