/**
 * The functions that a program in C imports, as somebody watches what it calls: each call is told with its arguments, its result and
 * the code that it wrote. Programs that nobody watches get the functions as they are.
 */

import type { BrookProgram } from '../api/brook/program-functions.ts';
import type { HostMemory } from '../api/c/host-memory.ts';
import { callsAreWatched } from '../runtime/observe-calls.ts';
import { calOutcome, type Outcome, statusOutcome, traced } from '../tools/profile/index.ts';
import { prototypeOf } from './c-prototypes.ts';
import { argumentTexts, handleText, isHandle } from './call-arguments.ts';

type Imported = (...args: (number | bigint)[]) => unknown;
export type Imports = Readonly<Record<string, Imported>>;

/** Why the call that is under way has failed, in words: those who run programs are told before it returns. */
export class Reasons {
  #last: string | undefined;

  /** Notes a reason. */
  note(words: string): void {
    this.#last = words;
  }

  /** The reason of the call that ends now. */
  take(): string | undefined {
    const words = this.#last;
    this.#last = undefined;
    return words;
  }
}

/** Functions of OpenCL or CAL, told. */
export function tracedImports(
  api: 'OpenCL' | 'CAL',
  imports: Imports,
  memory: HostMemory,
  reasons: Reasons,
): Imports {
  if (!callsAreWatched()) return imports;
  const found: Record<string, Imported> = {};
  for (const [name, call] of Object.entries(imports)) {
    found[name] = (...args) => {
      // The frame changes them.
      const given = [...args];
      return traced(
        { api, name, object: '' },
        () => {
          memory.refresh();
          return argumentTexts(memory, name, given);
        },
        () => call(...args),
        (result) => {
          memory.refresh();
          const outcome =
            api === 'CAL' ? calResult(memory, name, result) : openclResult(memory, name, given, result);
          const message = reasons.take();
          return outcome.code === 0 || message === undefined ? outcome : { ...outcome, message };
        },
      );
    };
  }
  return found;
}

function openclResult(
  memory: HostMemory,
  name: string,
  args: readonly (number | bigint)[],
  result: unknown,
): Outcome {
  const prototype = prototypeOf(name);
  const number = typeof result === 'number' ? result : 0;
  if (!prototype || prototype.result === 'cl_int') return statusOutcome(number | 0);
  if (prototype.result === 'void') return { result: '', code: 0 };
  const shown = isHandle(prototype.result)
    ? handleText(prototype.result, number >>> 0)
    : number === 0
      ? 'NULL'
      : `0x${(number >>> 0).toString(16)}`;
  if (prototype.parameters.at(-1)?.name !== 'errcode_ret') return { result: shown, code: 0 };
  const code = codeAt(memory, Number(args.at(-1)) >>> 0);
  // Without a place for the code there is nothing but NULL to tell by.
  if (code === undefined) return { result: shown, code: number === 0 ? undefined : 0 };
  const status = statusOutcome(code);
  return { ...status, result: `${shown}, ${status.result}` };
}

function codeAt(memory: HostMemory, pointer: number): number | undefined {
  try {
    return pointer === 0 ? undefined : memory.i32(pointer);
  } catch {
    return undefined;
  }
}

function calResult(memory: HostMemory, name: string, result: unknown): Outcome {
  const returned = prototypeOf(name)?.result;
  if (typeof result === 'number' && returned?.includes('char')) {
    return { result: JSON.stringify(memory.text(result)), code: 0 };
  }
  return calOutcome(result);
}

/** What the runtime of Brook+ is called for, and by which name its user knows it; all others are between it and brcc's code. */
const brookNames: Readonly<Record<string, string>> = {
  create: 'Stream',
  read: 'read',
  write: 'write',
  read_flags: 'read',
  write_flags: 'write',
  set_property: 'setProperty',
  assign: 'assign',
  exec_domain: 'execDomain',
  finish: 'finish',
  is_sync: 'isSync',
  error: 'error',
  domain: 'domain',
};

/** Functions of Brook+, told. `reasons` has what streams said. */
export function tracedBrook(imports: Imports, program: BrookProgram, reasons: Reasons): Imports {
  if (!callsAreWatched()) return imports;
  const found: Record<string, Imported> = { ...imports };
  let kernel = 0;
  let given: number[] = [];
  const told = (name: string, args: () => readonly string[], call: () => unknown): unknown =>
    traced({ api: 'Brook+', name, object: '' }, args, call, (result) => {
      const message = reasons.take();
      const shown = result === undefined ? '' : String(result);
      return message === undefined
        ? { result: shown, code: 0 }
        : { result: 'failed', code: undefined, message };
    });
  const streamText = (handle: number | bigint): string => `Stream#${handle}`;
  for (const [name, known] of Object.entries(brookNames)) {
    const call = imports[name];
    if (!call) continue;
    found[name] = (...args) =>
      told(
        known,
        () => args.map((arg, index) => (index === 0 && name !== 'create' ? streamText(arg) : String(arg))),
        () => call(...args),
      );
  }
  found['begin'] = (...args) => {
    kernel = Number(args[0]);
    given = [];
    return imports['begin']!(...args);
  };
  found['stream_argument'] = (...args) => {
    given.push(Number(args[0]));
    return imports['stream_argument']!(...args);
  };
  found['run'] = (...args) =>
    told(
      program.kernels[kernel]?.name ?? 'kernel',
      () => given.map(streamText),
      () => imports['run']!(...args),
    );
  return found;
}
