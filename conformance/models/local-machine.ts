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

/** Words that threads sleep on: what is in the lists of the event loop, and how many commands have begun. */
const words = { turn: base, tasks: base + 1, messages: base + 2, begun: base + 3 } as const;
type Word = (typeof words)[keyof typeof words];

function localIn(load: (file: string) => Module, watched: WatchedWords, scenario: LocalScenario): Model {
  const { seen } = watched;
  const control = controlOf(watched);
  // Behind the words are the events.
  control.next = base + 16;
  const awaits = Object.values(scenario.commands).some(({ until }) => until);
  /** Words that have changed in this turn. */
  const changed = new Set<Word>();
  function setWord(word: Word, value: number): void {
    seen[word] = value;
    // Nobody sleeps on a list that had something.
    if (word === words.begun ? awaits : value === 1) changed.add(word);
  }
  const tasks: (() => unknown)[] = [];
  const messages: (() => unknown)[] = [];
  eventLoop.later = (task) => setWord(words.tasks, tasks.push(task));
  const EventTable = classIn(load(files.events), 'EventTable');
  const events = new EventTable(control, () => {
    setWord(
      words.messages,
      messages.push(() => notifications['pump']!()),
    );
  });
  const Notifications = classIn(load(files.notifications), 'Notifications');
  const notifications = new Notifications(control, events);
  const known = new KnownCommands(watched, scenario, events);
  const [start, complete] = ['start', 'complete'].map((name) => events[name]!.bind(events));
  const mine = events as Record<string, (...args: number[]) => Coroutine>;
  mine['start'] = function* (event) {
    known.begin(event!);
    setWord(words.begun, seen[words.begun]! + 1);
    yield* start!(event);
  };
  mine['complete'] = function* (event, ...rest) {
    known.end(event!);
    yield* complete!(event, ...rest);
  };
  let number = 0;
  const launch = (_body: object, event: number) => {
    return {
      slice() {
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
  /** On one thread nothing comes between two operations: a turn is a part of one step, which no other is independent of. */
  function turn(act: () => unknown): void {
    seen[words.turn] = seen[words.turn]! + 1;
    now(act());
    for (const [name, queue] of made) known.counted(name, now(queue['completed']!()) as number);
  }
  function* wakeOthers(): Coroutine {
    for (const word of changed) {
      changed.delete(word);
      yield { name: 'notify', args: [seen, word] };
    }
  }
  function* program(): Coroutine {
    for (const name of scenario.later) {
      yield { name: 'load', args: [seen, words.turn] };
      while (!known.mayEnd(known.named(name)))
        yield { name: 'wait', args: [seen, words.begun, seen[words.begun]!] };
      turn(() => programDoes(name));
      number += 1;
      yield* wakeOthers();
    }
  }
  /** Takes what has been put on a list, one after the other. */
  function* loop(list: (() => unknown)[], word: Word): Coroutine {
    for (;;) {
      // It ends at once if there is something.
      if ((yield { name: 'wait', args: [seen, word, 0] }) === 'ok') continue;
      const task = list.shift()!;
      seen[word] = list.length;
      turn(task);
      // It looks there by itself.
      changed.delete(word);
      yield* wakeOthers();
    }
  }
  return {
    threads: {
      program: program(),
      tasks: loop(tasks, words.tasks),
      messages: loop(messages, words.messages),
    },
    servants: ['tasks', 'messages'],
    // What changes in a turn is changed by plain writes.
    patience: 1000,
    check() {
      must(number === scenario.later.length, 'the program has not gone on');
      known.check();
    },
  };
}
