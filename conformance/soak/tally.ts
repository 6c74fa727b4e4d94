/** What a soak has done: commands and events by what became of them. Whoever enqueues counts here, and whoever is told of an end, too. */
import { CL, CLEvent } from 'millrace/opencl';

export class Tally {
  /** Commands that were enqueued. */
  commands = 0;
  /** Events that were asked for a callback, and callbacks that came. */
  watched = 0;
  called = 0;
  readonly rounds = new Map<string, number>();

  /** Counts a command, and gives an event for it that is watched at times. To be followed by `watch` once the command has it. */
  command(): CLEvent {
    this.commands += 1;
    return new CLEvent();
  }

  /** Asks for a callback, which must come once, with `expected`. */
  watch(event: CLEvent, expected: (status: number) => boolean): void {
    this.watched += 1;
    event.setCallback(CL.COMPLETE, (_, status) => {
      this.called += 1;
      if (!expected(status)) this.wrongStatuses.push(status);
    });
  }

  /** Statuses with which callbacks came that should have come with others. */
  readonly wrongStatuses: number[] = [];

  round(name: string): void {
    this.rounds.set(name, (this.rounds.get(name) ?? 0) + 1);
  }

  /** @throws Error if callbacks are missing, or came twice, or with another status */
  async settle(): Promise<void> {
    // Callbacks come with the event loop, all of them in one or two rounds of it.
    for (let wait = 0; this.called < this.watched && wait < 2000; wait += 1)
      await new Promise((resolve) => setTimeout(resolve, wait < 100 ? 0 : 10));
    if (this.called !== this.watched)
      throw new Error(`${this.watched} callbacks are due, ${this.called} came`);
    const [wrong] = this.wrongStatuses;
    if (wrong !== undefined) throw new Error(`a callback came with status ${wrong}`);
  }
}
