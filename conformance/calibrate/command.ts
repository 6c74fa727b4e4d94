/**
 * `npm run calibrate`: measures the classes of the wasm target's cost table on this machine and prints them next to the table in use. A figure
 * is how many simple instructions of the same kind (scalar, or of a vector register) take as long.
 */
import { Command } from 'commander';
import { CL, type CLContext, CLEvent, createContext } from 'millrace/opencl';
import { wasm } from '../../src/target/wasm.ts';
import { type CostClass, classes, kernelOf } from './classes.ts';

export function calibrateCommand(): Command {
  return new Command('calibrate')
    .description('measures what instructions cost, by class, next to the cost table in use')
    .option('--rounds <count>', 'how often each is measured; the least counts', Number, 9)
    .action(({ rounds }: { rounds: number }) => {
      process.env['MILLRACE_THREADS'] ??= '1';
      calibrate(rounds);
    });
}

const iterations = 2000;
const workItems = 1024;
const lanes = 8;
/** Pieces in an iteration; and twice as many. */
const pieces = 16;

function calibrate(rounds: number): void {
  const context = createContext();
  const simple = { scalar: Number.NaN, register: Number.NaN };
  console.log(
    `${'class'.padEnd(24)} ${'for one'.padEnd(10)} ${'measured'.padStart(9)} ${'in use'.padStart(8)}`,
  );
  for (const one of classes) {
    process.env['MILLRACE_VECTORISE'] = one.per === 'scalar' ? '0' : String(lanes);
    const [few, many] = [pieces, 2 * pieces].map((times) => least(context, one, times, rounds));
    const perItem = (many! - few!) / pieces / iterations / workItems;
    const bits = wasm.vectors!.bits;
    const each = one.per === 'register' ? (perItem * bits) / 32 : perItem;
    if (one.cost === 'simple') simple[one.per as 'scalar' | 'register'] = each;
    // What lanes cost is told in scalar instructions, for they are done one by one.
    const unit = one.per === 'register' ? simple.register : simple.scalar;
    const measured = each / unit - one.beside;
    const name = `${one.cost} (${one.type})`;
    const used = wasm.costs![one.cost].toFixed(1);
    console.log(
      `${name.padEnd(24)} ${one.per.padEnd(10)} ${measured.toFixed(1).padStart(9)} ${used.padStart(8)}`,
    );
  }
  const measured = new Set(classes.map(({ cost }) => cost));
  const others = Object.keys(wasm.costs!).filter((cost) => !measured.has(cost as keyof typeof wasm.costs));
  console.log(`\nnot measured here: ${others.join(', ')}`);
  context.releaseAll();
  process.exit(0);
}

/** The shortest time of a kernel on the device, in nanoseconds. */
function least(context: CLContext, one: CostClass, times: number, rounds: number): number {
  const program = context.createProgram(kernelOf(one, times));
  program.build();
  const kernel = program.createKernel('work');
  const queue = context.createCommandQueue(undefined, CL.QUEUE_PROFILING_ENABLE);
  const [memory, out] = [1024, 4 * workItems].map((bytes) => context.createBuffer(CL.MEM_READ_WRITE, bytes));
  kernel.setArg(0, memory!);
  kernel.setArg(1, out!);
  kernel.setArg(2, Int32Array.of(iterations));
  kernel.setArg(3, Float32Array.of(1.000001));
  kernel.setArg(4, Int32Array.of(1_234_567));
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round += 1) {
    const event = new CLEvent();
    queue.enqueueNDRangeKernel(kernel, 1, null, [workItems], [64], null, event);
    queue.finish();
    const end = event.getProfilingInfo(CL.PROFILING_COMMAND_END);
    best = Math.min(best, Number(end - event.getProfilingInfo(CL.PROFILING_COMMAND_START)));
  }
  for (const object of [kernel, program, queue, memory!, out!]) object.release();
  return best;
}
