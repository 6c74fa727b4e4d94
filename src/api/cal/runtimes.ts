/**
 * The contexts of the runtime below CAL's devices. Millrace's own devices share one, so that a resource that several of them
 * may use has one place in memory; a driver's device, which keeps copies of what it uses, has one of its own.
 */
import { Context, type LaunchRules } from '../../runtime/context.ts';
import type { Device } from '../../runtime/device.ts';
import type { MemoryPool } from '../../runtime/memory-pool.ts';
import { CommandQueue } from '../../runtime/queue.ts';

export class Runtimes {
  readonly #own: readonly Device[];
  readonly #pool: MemoryPool | undefined;
  readonly #launches: LaunchRules;
  readonly #contexts = new Map<Device | 'own', Context>();

  /** `devices`: all that will be asked for; `pool`: the memory of a host program; `launches`: what holds for all programs. */
  constructor(devices: readonly Device[], pool: MemoryPool | undefined, launches: LaunchRules = {}) {
    this.#own = [...new Set(devices)].filter(({ platform }) => platform === undefined);
    this.#pool = pool;
    this.#launches = launches;
  }

  /** The context of a device, made when it is first asked for. */
  contextOf(device: Device): Context {
    const key = device.platform === undefined ? 'own' : device;
    let context = this.#contexts.get(key);
    if (!context || context.lost) {
      const devices = key === 'own' ? this.#own : [device];
      context = new Context(devices, { pool: this.#pool, releasesAll: true, ...this.#launches });
      this.#contexts.set(key, context);
    }
    return context;
  }

  queueOn(context: Context, device: Device): CommandQueue {
    return new CommandQueue(context, device);
  }

  /** Lets what waits for the host thread go on. */
  attend(): void {
    for (const { notifications } of this.#contexts.values())
      if (notifications.isAwaited) notifications.pump();
  }

  /** Ends everything. Where this thread may not wait, commands under way end first and then the threads do. */
  close(): void {
    for (const context of this.#contexts.values()) closeWhenIdle(context);
    this.#contexts.clear();
  }
}

function closeWhenIdle(context: Context): void {
  const busy = [...context.queues].filter((queue) => !queue.isIdle);
  if (busy.length === 0 || context.lost) context.close();
  else void Promise.all(busy.map((queue) => queue.finished())).then(() => context.close());
}
