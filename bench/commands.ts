/**
 * Commands in great numbers: how many launches of an empty kernel one queue takes a second, from the first call until all are
 * complete, from JavaScript and from a program in C (hosts/commands.c); and the memory of commands that wait for one another.
 */
import { execFileSync } from 'node:child_process';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { CL, type CLContext, CLEvent, createContext } from 'millrace/opencl';
import { firstDevices } from './frame/bench-device.ts';
import type { Row } from './measure.ts';

const launches = 200_000;
const waiting = 100_000;
/** The fastest counts: neighbours on the machine only ever add. */
const rounds = 5;
/** Microseconds a command, which is 200,000 a second. */
const goal = 5;
const root = new URL('../../', import.meta.url);

export async function measureCommands(): Promise<Row[]> {
  const context = createContext(firstDevices()[0]);
  // First, while the process is small.
  const memory = await memoryOfWaiting(context);
  const inJavaScript = fromJavaScript(context);
  context.releaseAll();
  const name = `memory of ${waiting.toLocaleString('en')} commands, each waiting for the one before`;
  return [
    rate('from JavaScript', inJavaScript),
    rate('from a program in C', fromC()),
    { name, value: memory, unit: 'MB', goal: 200 },
  ];
}

function rate(from: string, microseconds: number): Row {
  const perSecond = Math.round(1e6 / microseconds).toLocaleString('en');
  return { name: `a launch ${from} (${perSecond} a second)`, value: microseconds, unit: 'us', goal };
}

/** Microseconds a launch. */
function fromJavaScript(context: CLContext): number {
  const queue = context.createCommandQueue();
  const program = context.createProgram('kernel void empty(void) {}');
  program.build();
  const kernel = program.createKernel('empty');
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    for (let index = 0; index < launches; index++)
      queue.enqueueNDRangeKernel(kernel, 1, null, [1], [1], null, null);
    queue.finish();
    least = Math.min(least, performance.now() - start);
  }
  for (const object of [kernel, program, queue]) object.release();
  return (least * 1000) / launches;
}

/** The same by a program in C, which prints it. */
function fromC(): number {
  const command = fileURLToPath(new URL('dist/millrace.js', root));
  const host = fileURLToPath(new URL('bench/hosts/commands.c', root));
  const text = execFileSync(process.execPath, [command, 'run', host, String(launches), String(rounds)], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return Number(text);
}

/** Megabytes that the process takes more while commands wait, each with an event. */
async function memoryOfWaiting(context: CLContext): Promise<number> {
  const queue = context.createCommandQueue(null, CL.QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  const buffer = context.createBuffer(CL.MEM_READ_WRITE, 4);
  const before = process.memoryUsage.rss();
  const gate = context.createUserEvent();
  const events: CLEvent[] = [];
  for (let index = 0; index < waiting; index++) {
    const event = new CLEvent();
    queue.enqueueFillBuffer(buffer, new Uint32Array(1), 0, 4, [events.at(-1) ?? gate], event);
    events.push(event);
  }
  queue.flush();
  gate.setStatus(CL.COMPLETE);
  await queue.finished();
  // The threads have read all of them now, and nothing has been given back.
  const after = process.memoryUsage.rss();
  for (const object of [gate, ...events, buffer, queue]) object.release();
  return (after - before) / 1e6;
}
