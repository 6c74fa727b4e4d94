/**
 * A graphics card that goes: WebGPU's device is destroyed at any of the calls that Millrace makes to it, or is not given at all. Every wait must
 * end, commands that ended well must have done their work, the next context must get a new device and work, and no thread may be left.
 */
import { requestDevice } from 'millrace';
import { CL, type CLDevice, getPlatforms } from 'millrace/opencl';
import { findSoftwareWebGPU } from '../support/software-webgpu.ts';
import type { FaultKind } from './fault-kind.ts';
import { everyThreadEnds, tryContext } from './try-context.ts';
import { injectFaults, watchThreads } from './watched-threads.ts';

let device: CLDevice | undefined;

export const deviceLossFaults: FaultKind = {
  about: 'a WebGPU device that is destroyed at any call to it, or is refused',
  async start() {
    watchThreads();
    findSoftwareWebGPU();
    await requestDevice('webgpu').catch(() => undefined);
    const [platform] = getPlatforms();
    device = platform!.getDevices(CL.DEVICE_TYPE_ALL).find(({ runtime }) => runtime.id === 'webgpu');
  },
  async run(random) {
    if (!device) return 'no WebGPU here';
    // Early calls are few and special, late ones many and alike.
    const at = random.below(20) === 0 ? 0 : 1 + random.below(2 ** (2 + random.below(8)));
    injectFaults((file) => (file === 'gpu.js' ? { kind: 'device loss', at } : undefined));
    const ending = await tryContext({ random, device, hasQueues: false });
    injectFaults(undefined);
    await everyThreadEnds();
    if ((await tryContext({ random, device, hasQueues: false })) !== 'right')
      throw new Error('the next context does not work');
    await everyThreadEnds();
    return `${at === 0 ? 'refused' : 'destroyed'}: ${ending}`;
  },
};
