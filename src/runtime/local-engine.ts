/**
 * Runs command queues on the host thread itself: for devices where there is no shared memory, and for the interpreter.
 * Commands run in slices between turns of the event loop, so that a page stays alive, or straight through while a
 * blocking call waits for them.
 *
 * What holds, and conformance/models (`local-queues`, `local-waits`) looks for in every order of turns: each command begins once, behind all it waits for; out
 * of order one that waits keeps up none but those behind a barrier; failures are passed on; and no queue stands still while something can begin.
 */
import type { Command, CommandBody } from './command.ts';
import type { DeviceHost, DeviceQueue, QueueOptions } from './device.ts';
import { waitListError } from './event-table.ts';
import { later, now } from './host.ts';
import { isMemoryCommand, runMemoryCommand } from './memory-commands.ts';
import { statusCodes } from './status.ts';

export type LaunchBody = Extract<CommandBody, { kind: 'launch' }>;

/** A launch under way. */
export interface LocalLaunch {
  /** Runs a part of it and says whether it is complete. May throw, which ends it. */
  slice(): boolean;
  /** It is given up; called after a time-out. */
  end?(): void;
}

/**
 * Starts the launch of an event. May throw.
 * @param timeout milliseconds that the queue allows it, 0 for any time; those are looked at after each slice, and a launcher that
 *   can may end a slice by them
 */
export type LocalLauncher = (body: LaunchBody, event: number, timeout: number) => LocalLaunch;

/** How long a slice lasts before the event loop gets its turn. */
const sliceNanoseconds = 8e6;

export class LocalEngine {
  readonly #host: DeviceHost;
  readonly #launch: LocalLauncher;
  readonly #queues = new Set<LocalQueue>();
  #scheduled = false;
  #closed = false;

  constructor(host: DeviceHost, launch: LocalLauncher) {
    this.#host = host;
    this.#launch = launch;
    host.onBlock(() => this.#step());
  }

  createQueue(options: QueueOptions): DeviceQueue {
    const queue = new LocalQueue(this.#host, this.#launch, options, {
      wake: () => this.#schedule(),
      released: () => this.#queues.delete(queue),
    });
    this.#queues.add(queue);
    return queue;
  }

  close(): void {
    this.#closed = true;
    this.#queues.clear();
  }

  #schedule(): void {
    if (this.#scheduled || this.#closed) return;
    this.#scheduled = true;
    later(() => {
      this.#scheduled = false;
      const end = now() + sliceNanoseconds;
      while (this.#step()) {
        if (now() < end) continue;
        this.#schedule();
        return;
      }
    });
  }

  /** Runs a part of something. False if nothing can run now. */
  #step(): boolean {
    if (this.#closed) return false;
    for (const queue of this.#queues) if (queue.step()) return true;
    return false;
  }
}

interface Entry {
  readonly command: Command;
  /** How many commands of the queue came before it. */
  readonly number: number;
  ended: boolean;
}

/** Negative, while those of queues with a record are its place. */
let lastOwner = 0;

class LocalQueue implements DeviceQueue {
  readonly owner: number;
  readonly #host: DeviceHost;
  readonly #launch: LocalLauncher;
  readonly #options: QueueOptions;
  readonly #engine: { wake(): void; released(): void };
  /** Oldest first; those before `#oldest` have ended, others may have. */
  readonly #commands: Entry[] = [];
  #oldest = 0;
  #submitted = 0;
  #released = false;
  /** The launch under way, and when it began. */
  #running: { readonly entry: Entry; readonly launch: LocalLaunch; readonly since: number } | undefined;

  constructor(
    host: DeviceHost,
    launch: LocalLauncher,
    options: QueueOptions,
    engine: { wake(): void; released(): void },
  ) {
    lastOwner = (lastOwner - 1) | 0;
    this.owner = lastOwner;
    this.#host = host;
    this.#launch = launch;
    this.#options = options;
    this.#engine = engine;
  }

  submit(command: Command): void {
    this.#commands.push({ command, number: this.#submitted, ended: false });
    this.#submitted += 1;
    this.#host.events.setOwner(command.event, this.owner);
    for (const wait of command.waits) this.#host.whenDone(wait, () => this.#engine.wake());
    this.#engine.wake();
  }

  flush(): void {}

  completed(): number {
    return this.#commands[this.#oldest]?.number ?? this.#submitted;
  }

  release(): void {
    this.#released = true;
    if (this.#oldest === this.#commands.length) this.#engine.released();
  }

  /** Runs a part of the first command that can run. */
  step(): boolean {
    if (this.#running) return this.#slice();
    const entry = this.#firstReady();
    if (!entry) return false;
    const { command } = entry;
    const { events } = this.#host;
    events.submit(command.event);
    if (command.waits.some((wait) => events.status(wait) < 0)) {
      this.#end(entry, waitListError);
      return true;
    }
    events.start(command.event);
    const { body } = command;
    if (body.kind === 'launch') this.#start(entry, body);
    else if (body.kind === 'host') {
      events.callHost(command.event);
      this.#host.whenDone(command.event, () => {
        this.#forget(entry);
        this.#engine.wake();
      });
    } else {
      if (isMemoryCommand(body)) runMemoryCommand(body, this.#host.memory.bytes);
      this.#end(entry, statusCodes.CL_SUCCESS);
    }
    return true;
  }

  #firstReady(): Entry | undefined {
    const { events } = this.#host;
    for (let index = this.#oldest; index < this.#commands.length; index += 1) {
      const entry = this.#commands[index]!;
      if (entry.ended) continue;
      const { command } = entry;
      const { kind } = command.body;
      const gathers = (kind === 'marker' || kind === 'barrier') && command.waits.length === 0;
      const started = events.status(command.event) <= 1;
      if (
        !started &&
        (!gathers || index === this.#oldest) &&
        command.waits.every((wait) => events.isDone(wait))
      ) {
        return entry;
      }
      if (!this.#options.outOfOrder || kind === 'barrier') return undefined;
    }
    return undefined;
  }

  #start(entry: Entry, body: LaunchBody): void {
    try {
      this.#running = {
        entry,
        launch: this.#launch(body, entry.command.event, this.#options.timeout),
        since: now(),
      };
    } catch (error) {
      this.#fail(entry, error);
    }
  }

  #slice(): boolean {
    const { entry, launch, since } = this.#running!;
    try {
      if (launch.slice()) {
        this.#running = undefined;
        this.#end(entry, statusCodes.CL_SUCCESS);
      } else if (this.#options.timeout > 0 && now() - since > this.#options.timeout * 1e6) {
        launch.end?.();
        throw new Error(`it ran longer than the time-out of ${this.#options.timeout} ms`);
      }
    } catch (error) {
      this.#running = undefined;
      this.#fail(entry, error);
    }
    return true;
  }

  #fail(entry: Entry, error: unknown): void {
    const { name } = (entry.command.body as LaunchBody).kernel;
    const what = error instanceof Error ? error.message : String(error);
    const message = this.#host.events.writeMessage(`kernel '${name}' failed: ${what}`);
    this.#end(entry, statusCodes.CL_OUT_OF_RESOURCES, message);
  }

  #end(entry: Entry, status: number, message = 0): void {
    this.#host.events.complete(entry.command.event, status, message);
    this.#forget(entry);
  }

  #forget(entry: Entry): void {
    entry.ended = true;
    const { command } = entry;
    while (this.#commands[this.#oldest]?.ended) this.#oldest += 1;
    // Half of the list at a time, so that a command costs the same however many are waiting.
    if (this.#oldest > 64 && this.#oldest * 2 > this.#commands.length) {
      this.#commands.splice(0, this.#oldest);
      this.#oldest = 0;
    }
    for (const wait of command.waits) this.#host.events.release(wait);
    this.#host.events.release(command.event);
    if (this.#released && this.#oldest === this.#commands.length) this.#engine.released();
  }
}
