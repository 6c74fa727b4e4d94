/**
 * Node's own WASI, with files under the folders that the user names. What waits is done here instead, so that callbacks of the
 * program are called while it sleeps.
 */
import { machineModule } from '../runtime/host.ts';
import { sleep } from './sleep.ts';
import type { Functions, Surroundings, System } from './system.ts';

interface NodeWasi {
  readonly wasiImport: Functions;
  start(instance: object): number;
}

/**
 * Undefined where there is no such system, as in a page.
 * @param folders of the machine by the names under which the program finds them
 */
export function nodeSystem(
  { args, env }: Surroundings,
  folders: Readonly<Record<string, string>>,
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
