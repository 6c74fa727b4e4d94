/**
 * No memory: one allocation fails, and the next succeeds. What fails is a WebAssembly memory, its growth, a large array or a thread, all of this
 * thread. The call in which it happens must say so with an error code and leave everything as it was.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clearCache } from 'millrace';
import { type CLContext, createContext } from 'millrace/opencl';
import type { Random } from '../../test/support/random.ts';
import type { FaultKind } from './fault-kind.ts';
import { injectFaults, livingThreads, watchThreads } from './watched-threads.ts';
import { buildFor, endAll, enqueueAll, makeLanes, mustBeRefusal } from './workload.ts';

/** Arrays below so many bytes are never refused: an engine that cannot give these ends the process. */
const leastBytes = 4096;

/** Allocations until the one that fails; 0 if none is to. */
let left = 0;
let failed = '';

export const memoryFaults: FaultKind = {
  about: 'no memory, once, at any of the larger allocations of the host',
  start() {
    const folder = mkdtempSync(join(tmpdir(), 'millrace-campaign-'));
    process.env['MILLRACE_CACHE_DIR'] = folder;
    process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
    watchThreads();
    injectFaults(() => (isRefused('a thread') ? 'refused' : undefined));
    watchMemories();
    watchArrays();
  },
  async run(random) {
    failed = '';
    chooseCache(random);
    left = 1 + random.below(random.pick([4, 12, 40]));
    const shared = random.below(4) > 0;
    const ending = await tryContext(random, shared);
    left = 0;
    if (failed === '' && ending !== 'right') throw new Error(`nothing failed, and it is ${ending}`);
    if ((await tryContext(random, shared)) !== 'right') throw new Error('the next context does not work');
    await threadsEnd();
    return failed === '' ? 'nothing failed' : `${failed}: ${ending}`;
  },
};

/** With an entry in the build cache most of the compiler has nothing to do. */
function chooseCache(random: Random): void {
  const choice = random.below(4);
  process.env['MILLRACE_CACHE'] = choice === 0 ? '0' : '1';
  if (choice === 1) clearCache();
}

function isRefused(what: string): boolean {
  if (left === 0) return false;
  left -= 1;
  if (left > 0) return false;
  failed = what;
  return true;
}

function watchMemories(): void {
  const { Memory } = WebAssembly;
  const { grow } = Memory.prototype;
  Memory.prototype.grow = function (this: WebAssembly.Memory, pages: number): number {
    if (isRefused('growth'))
      throw new RangeError('WebAssembly.Memory.grow(): Unable to grow instance memory');
    return grow.call(this, pages);
  };
  WebAssembly.Memory = new Proxy(Memory, {
    construct(target, values) {
      if (isRefused('a memory')) throw new RangeError('WebAssembly.Memory(): could not allocate memory');
      return Reflect.construct(target, values);
    },
  });
}

const arrayTypes = [
  'ArrayBuffer',
  'SharedArrayBuffer',
  'Uint8Array',
  'Int32Array',
  'Uint32Array',
  'Float64Array',
] as const;

function watchArrays(): void {
  for (const name of arrayTypes) {
    const own = globalThis[name] as unknown as {
      new (...values: unknown[]): object;
      BYTES_PER_ELEMENT?: number;
    };
    const size = own.BYTES_PER_ELEMENT ?? 1;
    const watched: typeof own = new Proxy(own, {
      construct(target, values, newTarget): object {
        const [first] = values;
        const bytes = typeof first === 'number' ? first * size : 0;
        if (bytes >= leastBytes && isRefused('an array'))
          throw new RangeError('Array buffer allocation failed');
        return Reflect.construct(target, values, newTarget === watched ? target : newTarget);
      },
    });
    Object.defineProperty(globalThis, name, { value: watched, configurable: true, writable: true });
  }
}

async function tryContext(random: Random, shared: boolean): Promise<string> {
  let context: CLContext | undefined;
  try {
    context = createContext(undefined, { shared });
    const hasQueues = shared && random.below(2) === 0;
    if (hasQueues) context.createCommandQueueWithProperties(null, [0x1093, 0b1101, 0]);
    const program = buildFor(context, hasQueues);
    const lanes = makeLanes(context, 1 + random.below(3));
    enqueueAll(lanes, { context, program, random, commands: 1 + random.below(30), hasQueues });
    return await endAll(lanes, shared && random.below(2) === 0);
  } catch (error) {
    mustBeRefusal(error);
    return (error as Error).name;
  } finally {
    context?.releaseAll();
  }
}

async function threadsEnd(): Promise<void> {
  const until = performance.now() + 20_000;
  while (livingThreads().size > 0) {
    if (performance.now() > until) throw new Error(`${livingThreads().size} threads do not end`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
