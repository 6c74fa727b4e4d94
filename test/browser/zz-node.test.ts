import '../support/webgpu.ts';
import { requestDevice } from 'millrace';
import { it } from 'vitest';
import { livingKernels } from '../../playground/src/gallery/living.ts';
import { Frames } from '../../playground/src/live/frames.ts';
it('x', { timeout: 300000 }, async () => {
  await requestDevice('webgpu');
  for (const one of livingKernels) {
    const document = { ...(await one.load()), device: (process.env.MDEV ?? 'webgpu') as 'webgpu' };
    const t0 = performance.now();
    try {
      const frames = await Frames.create(document);
      const t1 = performance.now();
      let out = `${one.id} build ${(t1 - t0).toFixed(0)}`;
      for (let i = 0; i < 4; i++) {
        const a = performance.now();
        const ns = await frames.run({ time: i / 10, frame: i, mouse: { x: 100, y: 100, pressed: false } });
        out += ` | ${(ns / 1e6).toFixed(1)} in ${(performance.now() - a).toFixed(1)}`;
      }
      console.log(out);
      frames.release();
    } catch (error) { console.log(one.id, (error as Error).message, performance.now() - t0); }
  }
});
