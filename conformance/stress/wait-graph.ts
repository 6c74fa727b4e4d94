/**
 * Who waits for whom: commands with names, the events that they wait for, and a time-out that tells what of all this has not
 * ended, for tests in which something may wait for ever.
 */
import { CL, type CLEvent } from 'millrace/opencl';

interface Entry {
  readonly name: string;
  readonly event: CLEvent;
  readonly waits: readonly CLEvent[];
}

const states = ['complete', 'running', 'submitted', 'queued'];

export class WaitGraph {
  #entries: Entry[] = [];

  /** Remembers a command, or a user event, that others may wait for. */
  add(name: string, event: CLEvent, waits: readonly CLEvent[] = []): void {
    this.#entries.push({ name, event, waits });
  }

  /** Forgets what has ended, and gives up its events. */
  sweep(): void {
    const [ended, open] = [[], []] as [Entry[], Entry[]];
    for (const entry of this.#entries) (stateOf(entry.event) <= 0 ? ended : open).push(entry);
    for (const { event } of ended) event.release();
    this.#entries = open;
  }

  /** Every command that has not ended, how far it is, and which of the events that it waits for have not ended either. */
  report(): string {
    const nameOf = (event: CLEvent): string =>
      this.#entries.find((entry) => entry.event === event)?.name ?? 'an event without a name';
    const lines = this.#entries
      .filter(({ event }) => stateOf(event) > 0)
      .map(({ name, event, waits }) => {
        const open = waits.filter((wait) => stateOf(wait) > 0).map(nameOf);
        const state = states[stateOf(event)];
        return `${name}: ${state}${open.length > 0 ? `, waits for ${open.join(', ')}` : ''}`;
      });
    return lines.length > 0 ? lines.join('\n') : 'everything has ended';
  }

  /** @throws Error with the {@link report} if the promise is not settled in time */
  async within<T>(milliseconds: number, what: string, promise: Promise<T>): Promise<T> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        reject(new Error(`${what} took more than ${milliseconds} ms\n${this.report()}`));
      }, milliseconds);
    });
    try {
      return await Promise.race([promise, late]);
    } finally {
      clearTimeout(timer);
    }
  }
}

/** 0 is complete, and less an error. */
function stateOf(event: CLEvent): number {
  try {
    return event.getInfo(CL.EVENT_COMMAND_EXECUTION_STATUS) as number;
  } catch {
    return 0;
  }
}
