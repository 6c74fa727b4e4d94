/**
 * Machine code that must not take its process down: kernels with everything that a processor faults at, a thousand launches of each, with the
 * numbers that addresses, divisions and loops end in. Every launch must end well or with an error code.
 */
import { requestDevice } from 'millrace';
import {
  CL,
  type CLBuffer,
  type CLCommandQueue,
  type CLContext,
  createContext,
  getPlatforms,
} from 'millrace/opencl';
import type { Random } from '../../test/support/random.ts';
import type { FaultKind } from '../faults/fault-kind.ts';
import { mustBeRefusal, refusedOnly } from '../faults/workload.ts';
import { Bystander, ControlGuards } from './guards.ts';
import { endlessStatement, hostileFunctions, hostileStatement } from './hostile-statements.ts';
import { kernelOf, wildNumber, wildStatement } from './wild-kernels.ts';

/** Launches of a kernel. */
export const launchesEach = 1000;
/** So many are waited for at a time. */
const together = 50;
/** Milliseconds that a launch may take. */
const timeout = 250;
/** Programs of a context: what they have written at random is memory that the system had to give. */
const programsEach = 20;

/** A context with what kernels are given. */
class Target {
  readonly context: CLContext;
  readonly queue: CLCommandQueue;
  readonly data: CLBuffer;
  readonly sink: CLBuffer;
  readonly guards: ControlGuards;
  programs = 0;

  constructor() {
    const native = getPlatforms()[0]!
      .getDevices(CL.DEVICE_TYPE_ALL)
      .find(({ runtime }) => runtime.id === 'native')!;
    this.context = createContext(native, { print: () => {} });
    this.guards = new ControlGuards(this.context);
    this.guards.add();
    this.queue = this.context.createCommandQueue(native, 0, { timeout });
    this.data = this.context.createBuffer(CL.MEM_READ_WRITE, 4096);
    this.sink = this.context.createBuffer(CL.MEM_READ_WRITE, 64);
  }
}

let isThere = false;
let bystander: Bystander;
let target: Target | undefined;

export const machineCodeKind: FaultKind = {
  about: `machine code: wild addresses, divisions that fault, endless loops, deep arrays, ${launchesEach} launches a program`,
  async start() {
    isThere = await requestDevice('native').then(
      () => true,
      () => false,
    );
    bystander = new Bystander();
  },
  async run(random) {
    if (!isThere) return 'without machine code on this machine';
    target ??= new Target();
    const fate = await attack(target, random);
    target.programs += 1;
    if (target.programs === programsEach || fate.includes('stopped')) {
      target.guards.check("the context's own");
      target.context.releaseAll();
      target = undefined;
      bystander.check();
      bystander.work(random.below(1000));
    }
    return fate;
  },
};

async function attack({ context, queue, data, sink }: Target, random: Random): Promise<string> {
  const last = endlessStatement(random);
  const statements = Array.from({ length: 2 + random.below(6) }, () =>
    random.below(3) === 0
      ? wildStatement(random, { allowsNew: false, allowsLong: false })
      : hostileStatement(random),
  );
  const { source } = kernelOf(last ? [...statements, last] : statements, false, hostileFunctions);
  const program = context.createProgram(source);
  const options = random.pick(['', '', '-cl-fast-relaxed-math', '-cl-opt-disable', '-millrace-early']);
  if (!refusedOnly(() => program.build(undefined, options))) {
    program.release();
    return 'not built';
  }
  const format = { channelOrder: CL.RGBA, channelType: CL.FLOAT };
  const images = [0, 1].map(() =>
    context.createImage(CL.MEM_READ_WRITE, format, { type: CL.MEM_OBJECT_IMAGE2D, width: 7, height: 5 }),
  );
  const kernel = program.createKernel('wild');
  const size = context.runtime.memory.bytes.length;
  kernel.setArg(0, data);
  kernel.setArg(1, sink);
  kernel.setArg(2, 512, null);
  kernel.setArg(7, size);
  for (const [index, image] of images.entries()) kernel.setArg(8 + index, image);
  const int = (value: bigint): number => Number(BigInt.asIntN(32, value));
  const launch = (value: number): void => {
    kernel.setArg(3, BigInt.asUintN(64, wildNumber(random, size)));
    kernel.setArg(4, int(random.below(2) === 0 ? wildNumber(random, size) : BigInt(random.below(64))));
    // As counts they would last long.
    kernel.setArg(5, random.below(40) === 0 ? int(wildNumber(random, size)) : random.below(66) - 2);
    kernel.setArg(6, value);
    const local = random.pick([1, 4, 16, 64]);
    const groups = random.pick([1, 3, 8]);
    refusedOnly(() => queue.enqueueNDRangeKernel(kernel, 1, null, [local * groups], [local]));
    launches += 1;
  };
  let launches = 0;
  let isStopped = false;
  // The first one compiles, which takes long, and ends by itself.
  launch(0);
  await queue.finished().catch(mustBeRefusal);
  while (launches < launchesEach && !isStopped) {
    const begun = performance.now();
    for (let one = 0; one < together; one += 1) launch(random.below(100));
    await queue.finished().catch(mustBeRefusal);
    isStopped = performance.now() - begun > timeout;
  }
  for (const one of [kernel, ...images, program]) one.release();
  return isStopped ? `stopped after ${launches} launches` : `with ${launches} launches`;
}
