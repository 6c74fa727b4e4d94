/**
 * A host on one thread for the models of it: LocalEngine's queues and what tells it of the ends of commands, with a program that does one thing after the other while
 * the event loop turns. Nothing comes between two operations there, so that a turn is one step; but turns come in any order.
 */
import type { Change, Coroutine } from './coroutines.ts';
import type { MakeModel, Model, WatchedWords } from './explore.ts';
import { KnownCommands, type Wishes } from './known-commands.ts';
import { base, classIn, controlOf, files, type Made, type Module, must, now } from './protocol.ts';
import { eventLoop } from './stand-ins.ts';

/** A turn of the event loop is one step of one command, and commands that have ended go at once. */
export const smallTurns: readonly Change[] = [
  { file: files.localEngine, from: 'const sliceNanoseconds = 8e6;', to: 'const sliceNanoseconds = 0;' },
  { file: files.localEngine, from: 'this.#oldest > 64 &&', to: 'this.#oldest > 0 &&' },
];

export interface LocalScenario extends Wishes {
  /** What the program has given to its queues when the event loop begins to turn, and what it gives or ends then, one after the other. */
  readonly first: readonly string[];
  readonly later: readonly string[];
}

export function localMachineIn(load: (file: string) => Module, scenario: LocalScenario): MakeModel {
  return (words) => localIn(load, words, scenario);
}

function localIn(load: (file: string) => Module, words: WatchedWords, scenario: LocalScenario): Model {
  const { seen } = words;
  const control = controlOf(words);
  // Behind it are the events.
  const turn = base;
  control.next = base + 16;
  const tasks: (() => unknown)[] = [];
  const messages: (() => unknown)[] = [];
  eventLoop.later = (task) => tasks.push(task);
  const EventTable = classIn(load(files.events), 'EventTable');
  const events = new EventTable(control, () => messages.push(() => notifications['pump']!()));
  const Notifications = classIn(load(files.notifications), 'Notifications');
  const notifications = new Notifications(control, events);
  const known = new KnownCommands(words, scenario, events);
  const [start, complete] = ['start', 'complete'].map((name) => events[name]!.bind(events));
  const watched = events as Record<string, (...args: number[]) => Coroutine>;
  watched['start'] = function* (event) {
    known.begin(event!);
    yield* start!(event);
  };
  watched['complete'] = function* (event, ...rest) {
    known.end(event!);
    yield* complete!(event, ...rest);
  };
  let number = 0;
  const launch = (_body: object, event: number) => {
    let slices = 0;
    return {
      slice() {
        slices += 1;
        if (slices < 2) return false;
        if (known.byEvent(event).fails !== undefined) throw new Error('it fails');
        return true;
      },
    };
  };
  const host = { events, onBlock() {}, whenDone: notifications['whenDone']!.bind(notifications) };
  const LocalEngine = classIn(load(files.localEngine), 'LocalEngine');
  const engine = new LocalEngine(host, launch);
  const made = new Map(
    Object.entries(scenario.queues).map(([name, { outOfOrder }]) => [
      name,
      now(engine['createQueue']!({ outOfOrder, timeout: 0, profiling: false })) as Made,
    ]),
  );
  function programDoes(name: string): void {
    const one = known.named(name);
    const { kind, event, fails = 0 } = one;
    if (kind === 'user') {
      now(events['complete']!(event, fails));
      now(events['release']!(event));
      return;
    }
    const waits = known.give(one);
    if (kind === 'host') now(notifications['setAction']!(event, () => events['complete']!(event, fails)));
    const body = { kind, kernel: { name } };
    now(made.get(one.queue!)!['submit']!({ body, event, waits }));
  }
  for (const name of scenario.first) programDoes(name);
  /** On one thread nothing comes between two operations: a turn is one step. */
  function* oneTurn(act: () => unknown): Coroutine {
    yield { name: 'add', args: [seen, turn, 1] };
    now(act());
    for (const [name, queue] of made) known.counted(name, now(queue['completed']!()) as number);
    yield { name: 'notify', args: [seen, turn] };
  }
  function* program(): Coroutine {
    for (const name of scenario.later) {
      for (;;) {
        const before = (yield { name: 'load', args: [seen, turn] }) as number;
        if (known.mayEnd(known.named(name))) break;
        yield { name: 'wait', args: [seen, turn, before] };
      }
      yield* oneTurn(() => programDoes(name));
      number += 1;
    }
  }
  /** Takes what has been put on a list, one after the other. */
  function* loop(list: (() => unknown)[]): Coroutine {
    for (;;) {
      const before = (yield { name: 'load', args: [seen, turn] }) as number;
      if (list.length > 0) yield* oneTurn(() => list.shift()!());
      else yield { name: 'wait', args: [seen, turn, before] };
    }
  }
  return {
    threads: { program: program(), tasks: loop(tasks), messages: loop(messages) },
    servants: ['tasks', 'messages'],
    check() {
      must(number === scenario.later.length, 'the program has not gone on');
      known.check();
    },
  };
}
