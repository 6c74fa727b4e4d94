/**
 * Wild kernels on every device of ours: what they do in their own context's memory is theirs, but another context's bytes, the control
 * memory of both and the process are never touched, and every command ends.
 */
import { requestDevice } from 'millrace';
import { CL, type CLContext, type CLDevice, createContext, getPlatforms } from 'millrace/opencl';
import type { Random } from '../../test/support/random.ts';
import type { FaultKind } from '../faults/fault-kind.ts';
import { mustBeRefusal, refusedOnly } from '../faults/workload.ts';
import { findSoftwareWebGPU } from '../support/software-webgpu.ts';
import { Bystander, ControlGuards } from './guards.ts';
import { wildKernel, wildNumber } from './wild-kernels.ts';

interface Place {
  readonly name: string;
  readonly device: CLDevice;
  readonly shared: boolean;
  /** Whether it has what OpenCL C 2.0 has. */
  readonly isNew: boolean;
}

const places: Place[] = [];
let bystander: Bystander;

export const isolationKind: FaultKind = {
  about: 'wild addresses, indices, sizes and handles on every device of ours, with guards round about',
  async start() {
    findSoftwareWebGPU();
    for (const name of ['native', 'webgpu'] as const) await requestDevice(name).catch(() => undefined);
    // ALL leaves out custom devices, as the interpreter is one.
    const [platform] = getPlatforms();
    const devices = [CL.DEVICE_TYPE_ALL, CL.DEVICE_TYPE_CUSTOM].flatMap((type) => platform!.getDevices(type));
    for (const device of devices) {
      const { id } = device.runtime;
      const isNew = id !== 'webgpu' && id !== 'interpreter';
      places.push({ name: id, device, shared: true, isNew });
      if (id === 'wasm') places.push({ name: 'wasm on one thread', device, shared: false, isNew });
    }
    bystander = new Bystander();
  },
  async run(random) {
    const place = random.pick(places);
    const context = createContext(place.device, { shared: place.shared, print: () => {} });
    let fate: string;
    try {
      fate = await attack(context, place, random);
    } finally {
      context.releaseAll();
    }
    bystander.check();
    bystander.work(random.below(1000));
    return `${place.name} ${fate}`;
  },
};

async function attack(context: CLContext, place: Place, random: Random): Promise<string> {
  const { source, isNew } = wildKernel(random, place.isNew);
  const guards = new ControlGuards(context);
  guards.add();
  if (isNew && place.shared) context.createCommandQueueWithProperties(null, deviceQueue);
  const queue = context.createCommandQueue(place.device, 0, { timeout: 4000 });
  const program = context.createProgram(source);
  const standard = isNew ? '-cl-std=CL2.0' : random.pick(['', '-cl-opt-disable', '-millrace-early']);
  if (!refusedOnly(() => program.build(undefined, standard))) return 'not built';
  guards.add();
  const format = { channelOrder: CL.RGBA, channelType: CL.FLOAT };
  const newImage = () =>
    context.createImage(CL.MEM_READ_WRITE, format, { type: CL.MEM_OBJECT_IMAGE2D, width: 7, height: 5 });
  const data = context.createBuffer(CL.MEM_READ_WRITE, 4096);
  const sink = context.createBuffer(CL.MEM_READ_WRITE, 64);
  const kernel = program.createKernel('wild');
  const size = context.runtime.memory.bytes.length;
  let fate = 'as if nothing were';
  for (let launch = 0; launch < 3; launch += 1) {
    const wild = (): bigint => wildNumber(random, size);
    const small = (): bigint => (random.below(3) === 0 ? wild() : BigInt(random.below(64)));
    const int = (value: bigint): number => Number(BigInt.asIntN(32, value));
    kernel.setArg(0, data);
    kernel.setArg(1, sink);
    kernel.setArg(2, 512, null);
    kernel.setArg(3, BigInt.asUintN(64, wild()));
    kernel.setArg(4, int(wild()));
    kernel.setArg(5, int(small()));
    kernel.setArg(6, random.below(100));
    kernel.setArg(7, size);
    kernel.setArg(8, newImage());
    kernel.setArg(9, newImage());
    if (isNew) for (const index of [10, 11]) kernel.setArg(index, context.createPipe(0, 4, 16));
    const local = random.pick([1, 4, 16]);
    const sleeps = place.shared && random.below(2) === 0;
    const isRun = refusedOnly(() => {
      queue.enqueueNDRangeKernel(kernel, 1, null, [local * random.pick([1, 4])], [local]);
      if (sleeps) queue.finish();
    });
    const isEnded = await endsOrRefuses(queue.finished());
    if (!isRun || !isEnded) fate = 'stopped';
    guards.check("the context's own");
    bystander.check();
  }
  // Its own bytes may be anything now, but it still runs what it is given.
  const tame = program.createKernel('tame');
  tame.setArg(0, context.createBuffer(CL.MEM_READ_WRITE, 256));
  tame.setArg(1, 1);
  refusedOnly(() => queue.enqueueNDRangeKernel(tame, 1, null, [64]));
  await endsOrRefuses(queue.finished());
  guards.check("the context's own");
  return fate;
}

async function endsOrRefuses(action: Promise<unknown>): Promise<boolean> {
  try {
    await action;
    return true;
  } catch (error) {
    mustBeRefusal(error);
    return false;
  }
}

/** CL_QUEUE_PROPERTIES with the queue that kernels use by default. */
const deviceQueue = [0x1093, 0b1101, 0];
