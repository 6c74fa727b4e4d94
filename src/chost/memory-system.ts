/**
 * A system for host programs that is nowhere but in memory: files that it is given, input that is there at the start, outputs
 * that go to functions. It is what programs have in a page, and in Node where they shall not see the machine's files.
 */
import { Descriptors, Input, Output, type OutputFunction } from './descriptors.ts';
import { fileFunctions, type SystemFunctions } from './file-functions.ts';
import { OpenMemoryFolder } from './memory-descriptors.ts';
import type { MemoryFiles } from './memory-files.ts';
import { sleep } from './sleep.ts';
import type { Surroundings, System } from './system.ts';
import { framed, pollFiles } from './system-calls.ts';
import { clock, SystemError, size } from './wasi.ts';
import { WasiMemory } from './wasi-memory.ts';

export interface MemorySystemOptions extends Surroundings {
  readonly files: MemoryFiles;
  readonly stdin: Uint8Array;
  readonly stdout: OutputFunction;
  readonly stderr: OutputFunction;
}

/** Thrown through the program to end it. */
class Exit {
  readonly code: number;

  constructor(code: number) {
    this.code = code;
  }
}

/** @param attend deals with what has come in for the program; called while it sleeps */
export function memorySystem(
  { args, env, files, stdin, stdout, stderr }: MemorySystemOptions,
  sharedMemory: WebAssembly.Memory,
  attend: () => void,
): System {
  const memory = new WasiMemory(sharedMemory);
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const descriptors = new Descriptors([
    new Input(stdin),
    new Output(stdout),
    new Output(stderr),
    // Paths with a slash before them and those without mean the same.
    new OpenMemoryFolder(files, files.root, '.'),
    new OpenMemoryFolder(files, files.root, '/'),
  ]);
  const functions: SystemFunctions = {
    ...fileFunctions(memory, descriptors),

    args_sizes_get: (count: number, bytes: number) => memory.setTextSizes(count, bytes, args),
    args_get: (list: number, at: number) => memory.setTexts(list, at, args),
    environ_sizes_get: (count: number, bytes: number) => memory.setTextSizes(count, bytes, variables),
    environ_get: (list: number, at: number) => memory.setTexts(list, at, variables),

    clock_time_get(id: number, _precision: bigint, result: number) {
      memory.setU64(result, timeOf(id));
    },

    clock_res_get(id: number, result: number) {
      timeOf(id);
      memory.setU64(result, 1000n);
    },

    random_get(at: number, length: number) {
      const room = memory.bytes(at, length);
      for (let done = 0; done < length; done += mostRandom) {
        const part = new Uint8Array(Math.min(mostRandom, length - done));
        room.set(crypto.getRandomValues(part), done);
      }
    },

    poll_oneoff(subscriptions: number, events: number, count: number, written: number) {
      if (count === 0) throw new SystemError('invalid');
      memory.view(events, count * size.event);
      memory.setU32(written, 0);
      if (pollFiles(memory, subscriptions, events, count, written)) return;
      sleep(sharedMemory, [subscriptions, events, count, written], attend, () => performance.now());
    },

    sched_yield: () => attend(),

    proc_exit(code: number) {
      throw new Exit(code);
    },

    proc_raise() {
      throw new SystemError('notSupported');
    },
  };
  for (const name of unsupported) {
    functions[name] = () => {
      throw new SystemError('notSupported');
    };
  }
  return {
    functions: framed(functions),
    start(exports) {
      try {
        (exports['_start'] as () => void)();
        return 0;
      } catch (error) {
        if (error instanceof Exit) return error.code;
        throw error;
      }
    },
  };
}

/** What is provided and always fails: there are neither links nor sockets. */
const unsupported = ['path_link', 'path_symlink', 'sock_accept', 'sock_recv', 'sock_send', 'sock_shutdown'];

/** The most bytes that crypto.getRandomValues gives at a time. */
const mostRandom = 65536;

/** Nanoseconds. @throws SystemError invalid if there is no such clock */
function timeOf(id: number): bigint {
  if (id > clock.mostKnown) throw new SystemError('invalid');
  const milliseconds = performance.now() + (id === clock.realtime ? performance.timeOrigin : 0);
  return BigInt(Math.round(milliseconds * 1000)) * 1000n;
}
