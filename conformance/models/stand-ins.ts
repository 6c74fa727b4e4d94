/** What models have in the place of files that no thread shares anything through: kernels that only count, logs that keep nothing. */
import { launchOffsets } from '../../src/codegen/wasm/module/abi.ts';
import { launchPayload } from '../../src/devices/wasm/launch-payload.ts';
import * as nestedTables from '../../src/devices/wasm/nested/words.ts';
import * as layoutWords from '../../src/devices/wasm/shared-layout.ts';
import * as deviceQueues from '../../src/ir/device-queues.ts';
import { failureRing, head, messageRing } from '../../src/runtime/control-memory.ts';
import * as deviceEvents from '../../src/runtime/device-events.ts';
import { isMemoryCommand, memoryKinds } from '../../src/runtime/memory-commands.ts';
import { executionStatus, OpenCLError, statusCodes, statusName } from '../../src/runtime/status.ts';

/** What workers are given in the place of kernels. */
export const workerParts = {
  control: {} as object,
  run: (_first: number, _end: number, _block: number): void => {},
};

/** The event loop, in models of one thread. */
export const eventLoop = { later: (_task: () => unknown): void => {} };

class NoScheduler {
  readonly isUsed = false;
  readonly isHolding = false;
  begin(): void {}
  chunkEnded(): void {}
}

class NoWaiting {
  readonly mayBe = false;
}

/** Launches are divided as they ask. */
class NoCosts {
  note(): void {}
  divide<Division>(_kernel: object, division: Division): Division {
    return division;
  }
}

class NoLog {
  pause(): void {}
  begin(): void {}
  extend(): void {}
}

class Kernels {
  entries(): readonly object[] {
    return [
      { name: 'k', run: (block: number, first: number, end: number) => workerParts.run(first, end, block) },
    ];
  }
}

/** Device memory: a few words, which all threads see, and in which nothing races. */
class DeviceWords {
  readonly bytes = new Uint8Array(0);
  readonly #words: Int32Array;
  constructor(memory: { readonly deviceWords: Int32Array }) {
    this.#words = memory.deviceWords;
  }
  words(): Int32Array {
    return this.#words;
  }
}

/** Launches of kernels ask for so many chunks in the place of a range. */
const encoding = {
  readRequest: (_view: unknown, _kernel: unknown, range: number) => ({ chunks: range }),
  shapeOf: ({ chunks }: { readonly chunks: number }) => ({
    areaBytes: 0,
    groups: chunks,
    groupsPerChunk: 1,
    chunks,
    wholeChunks: chunks,
  }),
  encodeLaunch: () => {},
};

/** By the name of the file. */
export const standIns: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'control-memory.ts': {
    failureRing,
    head,
    messageRing,
    ControlMemory: { attach: (control: object) => control },
  },
  'status.ts': { executionStatus, statusCodes, statusName, OpenCLError },
  'host.ts': { now: () => 1, mayBlock: () => true, later: (task: () => unknown) => eventLoop.later(task) },
  'shared-layout.ts': { ...layoutWords, launchSlots: 2 },
  'words.ts': { ...nestedTables },
  'device-events.ts': { ...deviceEvents },
  'device-queues.ts': { ...deviceQueues },
  'abi.ts': { launchOffsets },
  'memory-view.ts': { DeviceView: DeviceWords },
  'read-request.ts': encoding,
  'launch-encoding.ts': encoding,
  'memory-commands.ts': { memoryKinds, isMemoryCommand },
  'launch-costs.ts': { LaunchCosts: NoCosts },
  'launch-payload.ts': { launchPayload },
  'waiting.ts': { WaitingLaunches: NoWaiting },
  'waiting-launches.ts': { describeWaiting: () => '' },
  'scheduler.ts': { NestedScheduler: NoScheduler },
  'module-cache.ts': { ModuleCache: Kernels, readAccessNotes: () => [] },
  'imports.ts': { queueImports: () => ({}) },
  'system-threads.ts': { systemThread: () => 0 },
  'thread-visits.ts': { VisitLog: NoLog },
  'trap-message.ts': { trapMessage: (error: unknown) => String(error) },
  'launch-chunks.ts': { startOfChunk: (chunk: number) => chunk },
};
