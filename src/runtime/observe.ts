/**
 * Whoever watches what the runtime does (src/tools/profile): every command of every queue, every build. Without an observer
 * nothing is spent but a look at a variable.
 */
import type { CommandBody } from './command.ts';
import type { Device } from './device.ts';
import type { CommandQueue } from './queue.ts';

/** A build, or the compilation of one kernel later; times in nanoseconds on the clock of events. */
export interface ObservedBuild {
  readonly device: Device;
  /**
   * The front end and the device's compiler, or only the latter when a kernel is first launched; `baseline`: as far as code that
   * runs at once (devices/wasm/baseline); `wasm`: to WebAssembly that runs until there is machine code (devices/native).
   */
  readonly kind: 'build' | 'compile' | 'baseline' | 'wasm';
  /** The kernels that came of it; none if it failed. */
  readonly kernels: readonly string[];
  readonly started: number;
  readonly ended: number;
}

export interface CommandObserver {
  /**
   * A queue has taken a command. `type` is CL_COMMAND_* or 0 for the runtime's own; `body` is undefined for what the host has
   * done by itself at once, which moved so many bytes. Who wants to look at the event's slot later retains it.
   */
  command(
    queue: CommandQueue,
    type: number,
    body: CommandBody | undefined,
    slot: number,
    bytes: number,
  ): void;
  build(build: ObservedBuild): void;
}

let observers: readonly CommandObserver[] = [];
let current: CommandObserver | undefined;

/** Whom to tell in this thread of JavaScript; undefined if nobody watches. */
export function commandObserver(): CommandObserver | undefined {
  return current;
}

/**
 * Begins to tell an observer; the result ends that. Queues that were made while nobody watched may not know when their commands
 * began.
 */
export function observeCommands(observer: CommandObserver): () => void {
  setObservers([...observers, observer]);
  return () => setObservers(observers.filter((each) => each !== observer));
}

function setObservers(list: readonly CommandObserver[]): void {
  observers = list;
  current = list.length > 1 ? tellingAll(list) : list[0];
}

function tellingAll(list: readonly CommandObserver[]): CommandObserver {
  return {
    command(...seen) {
      for (const each of list) each.command(...seen);
    },
    build(seen) {
      for (const each of list) each.build(seen);
    },
  };
}
