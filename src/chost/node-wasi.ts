/**
 * The system that a host program sees (WASI preview 1): Node's own, with files under the folders that the user names. What
 * waits is done here instead, so that callbacks of the program are called while it sleeps.
 */
import { machineModule } from '../runtime/host.ts';

/** Functions of WebAssembly by their names. */
type Functions = Record<string, (...args: never[]) => unknown>;

interface NodeWasi {
  readonly wasiImport: Functions;
  start(instance: object): number;
}

export interface SystemOptions {
  /** The first is the program's name. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Folders of the machine by the names under which the program finds them. */
  readonly folders: Readonly<Record<string, string>>;
}

export interface System {
  /** What the program imports from the module `wasi_snapshot_preview1`. */
  readonly functions: Functions;
  /** Runs the program to its end and gives its exit code. */
  start(exports: WebAssembly.Exports, memory: WebAssembly.Memory): number;
}

/** Undefined where there is no such system, as in a page. */
export function nodeSystem(
  { args, env, folders }: SystemOptions,
  memory: WebAssembly.Memory,
  attend: () => void,
): System | undefined {
  const module = quietly(() => machineModule('node:wasi')) as
    | { readonly WASI: new (options: object) => NodeWasi }
    | undefined;
  if (!module) return undefined;
  const wasi = new module.WASI({ version: 'preview1', args, env, preopens: folders, returnOnExit: true });
  const functions: Functions = { ...wasi.wasiImport };
  const { poll_oneoff: poll } = functions;
  functions['poll_oneoff'] = (subscriptions: number, events: number, count: number, written: number) =>
    sleep(memory, [subscriptions >>> 0, events >>> 0, count >>> 0, written >>> 0], attend) ??
    poll!(...([subscriptions, events, count, written] as never[]));
  functions['sched_yield'] = () => {
    attend();
    return 0;
  };
  return { functions, start: (exports, own) => wasi.start({ exports: { ...exports, memory: own } }) };
}

/** Node says at first use that its WASI may change; that is nothing to the user of a program. */
function quietly<T>(load: () => T): T {
  const { process } = globalThis as { process?: { emitWarning: unknown } };
  if (!process) return load();
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return load();
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** Layout of `subscription` (48 bytes) and `event` (32 bytes) of WASI. */
const subscriptionBytes = 48;
const eventBytes = 32;
const clockTag = 0;
const realtime = 0;

/** Milliseconds between looks at what has come in for the program. */
const nap = 2;

/**
 * poll_oneoff for nothing but clocks, which is how programs sleep: until the first of them has come. Undefined for anything
 * else.
 */
function sleep(
  memory: WebAssembly.Memory,
  [subscriptions, events, count, written]: [number, number, number, number],
  attend: () => void,
): number | undefined {
  const view = new DataView(memory.buffer);
  if (count === 0 || subscriptions + count * subscriptionBytes > view.byteLength) return undefined;
  if (events + count * eventBytes > view.byteLength || written + 4 > view.byteLength) return undefined;
  const now = { realtime: Date.now(), monotonic: performance.now() };
  const clocks: { readonly data: bigint; readonly left: number }[] = [];
  for (let index = 0; index < count; index += 1) {
    const at = subscriptions + index * subscriptionBytes;
    if (view.getUint8(at + 8) !== clockTag) return undefined;
    const time = Number(view.getBigUint64(at + 24, true)) / 1e6;
    const isAbsolute = (view.getUint16(at + 40, true) & 1) !== 0;
    // Moments on the monotonic clock are Node's own affair.
    if (isAbsolute && view.getUint32(at + 16, true) !== realtime) return undefined;
    clocks.push({ data: view.getBigUint64(at, true), left: isAbsolute ? time - now.realtime : time });
  }
  const first = Math.min(...clocks.map(({ left }) => left));
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (;;) {
    attend();
    const left = now.monotonic + first - performance.now();
    if (left <= 0) break;
    Atomics.wait(pause, 0, 0, Math.min(left, nap));
  }
  // The program's callbacks may have grown its memory; what was there is where it was.
  const over = clocks.filter(({ left }) => left <= first);
  for (const [index, { data }] of over.entries()) {
    const at = events + index * eventBytes;
    view.setBigUint64(at, data, true);
    view.setUint16(at + 8, 0, true);
    view.setUint8(at + 10, clockTag);
  }
  view.setUint32(written, over.length, true);
  return 0;
}
