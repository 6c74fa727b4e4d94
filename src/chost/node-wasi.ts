/**
 * The machine that Node runs on, as WASI: arguments, clocks and the three standard streams are Node's own. Files are not, as Node's
 * WASI lets a program leave its folders through links: they are opened here (machine-folder.ts). What waits is done here, too, so
 * that callbacks of the program are called while it sleeps.
 */
import { machineModule } from '../runtime/host.ts';
import { Descriptor, Descriptors } from './descriptors.ts';
import { fileFunctions } from './file-functions.ts';
import { OpenMachineFolder } from './machine-descriptors.ts';
import { sleep } from './sleep.ts';
import type { Functions, Surroundings, System } from './system.ts';
import { framed, pollFiles } from './system-calls.ts';
import { descriptorFlag, errno, fileType } from './wasi.ts';
import { WasiMemory } from './wasi-memory.ts';

interface NodeWasi {
  readonly wasiImport: Functions;
  start(instance: object): number;
}

/**
 * One of Node's own descriptors, which are the standard streams. Calls that name it go to Node. One that a program closes stays open
 * for Node, which writes there, too.
 */
class Stream extends Descriptor {
  readonly type = fileType.characterDevice;
  readonly number: number;
  /** The program has asked that reading and writing do not wait. */
  isNonBlocking = false;

  constructor(number: number) {
    super();
    this.number = number;
  }
}

/** Milliseconds between two attempts at a stream that is not ready. */
const readyPause = 5;

type Call = (...args: (number | bigint)[]) => unknown;

/**
 * Undefined where there is no such system, as in a page.
 * @param folders of the machine by the names under which the program finds them
 * @throws Error if one of them is not there
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
  const wasi = new module.WASI({ version: 'preview1', args, env, returnOnExit: true });
  const nodes = wasi.wasiImport as Readonly<Record<string, Call>>;
  const descriptors = new Descriptors([
    ...[0, 1, 2].map((number) => new Stream(number)),
    ...openFolders(folders),
  ]);
  const programMemory = new WasiMemory(memory);
  const ours = framed(fileFunctions(programMemory, descriptors)) as Readonly<Record<string, Call>>;
  const functions: Record<string, Call> = { ...nodes, ...ours };
  for (const name of Object.keys(ours)) {
    if (name.startsWith('fd_') && !ownForStreams.has(name)) functions[name] = routed(name);
  }

  /** Node's for its streams, ours for the rest. */
  function routed(name: string): Call {
    return (number, ...rest) => {
      const stream = streamOf(Number(number));
      return stream ? ofStream(stream, name, rest) : ours[name]!(number!, ...rest);
    };
  }

  /**
   * A call of Node's that waits, if the program has not asked for the opposite: Node makes the pipes that it writes to itself
   * non-blocking, and what is written to a full one would be lost.
   */
  function ofStream(stream: Stream, name: string, rest: readonly (number | bigint)[]): unknown {
    for (;;) {
      const error = nodes[name]!(stream.number, ...rest);
      if (error === 0 && name === 'fd_fdstat_set_flags')
        stream.isNonBlocking = (Number(rest[0]) & descriptorFlag.nonBlocking) !== 0;
      if (error !== errno.again || stream.isNonBlocking) return error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, readyPause);
    }
  }

  function streamOf(number: number): Stream | undefined {
    const open = descriptors.find(number >>> 0);
    return open instanceof Stream ? open : undefined;
  }

  /** Whether files are among what is polled for, which are ready at once; for streams Node waits. */
  let isReady = false;
  const { poll } = framed({
    poll: (...given: [number, number, number, number]) => {
      isReady = pollFiles(programMemory, ...given, (number) => streamOf(number) !== undefined);
    },
  }) as unknown as Readonly<Record<string, Call>>;
  functions['poll_oneoff'] = (...given) => {
    const numbers = given.map((value) => Number(value) >>> 0) as [number, number, number, number];
    const slept = sleep(memory, numbers, attend);
    if (slept !== undefined) return slept;
    const error = poll!(...numbers);
    return error !== 0 || isReady ? error : nodes['poll_oneoff']!(...given);
  };

  functions['sched_yield'] = () => {
    attend();
    return 0;
  };
  return {
    functions: functions as unknown as Functions,
    start(exports, own) {
      try {
        return wasi.start({ exports: { ...exports, memory: own } });
      } finally {
        descriptors.closeAll();
      }
    },
  };
}

/** Of what is ours even if it is called with a stream. */
const ownForStreams = new Set(['fd_close', 'fd_renumber', 'fd_prestat_get', 'fd_prestat_dir_name']);

function openFolders(folders: Readonly<Record<string, string>>): OpenMachineFolder[] {
  const opened: OpenMachineFolder[] = [];
  try {
    for (const [name, path] of Object.entries(folders)) opened.push(OpenMachineFolder.given(path, name));
  } catch (error) {
    for (const folder of opened) folder.close();
    throw error;
  }
  return opened;
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
