/** Both ends of a stream of commands for the models of it: StreamQueue, which writes, and InOrderQueue, which reads, as a host and a processor use them. */
import { commonProcessorWords } from '../../src/devices/wasm/processor-words.ts';
import { queueWords } from '../../src/devices/wasm/shared-layout.ts';
import { head } from '../../src/runtime/control-memory.ts';
import type { Change, Coroutine } from './coroutines.ts';
import { device } from './device-words.ts';
import type { MakeModel } from './explore.ts';
import { classIn, controlOf, files, type Made, type Module, must, now } from './protocol.ts';

/** What kind commands are of: markers (commandKind.marker), which the model's engine ends where it meets them. */
const marker = 2;

/** A chunk has room for one command, so that every one leads on to another chunk. */
export const smallChunks: Change = {
  file: files.stream,
  from: 'const chunkWords = 8192;',
  to: 'const chunkWords = 10;',
};

export interface StreamUse {
  /** How many the host gives. */
  readonly commands: number;
  /** Whether the processor has been told of the queue before. */
  readonly isAnnounced: boolean;
  /** Whether the host gives the queue up at the end, and the processor its record. */
  readonly isReleased: boolean;
}

export function streamIn(
  load: (file: string) => Module,
  { commands, isAnnounced, isReleased }: StreamUse,
): MakeModel {
  const StreamQueue = classIn(load(files.streamQueue), 'StreamQueue');
  const { takeNewQueues } = load(files.newQueues) as Made;
  const ChunkPool = classIn(load(files.stream), 'ChunkPool');
  const { ringProcessor } = load(files.bell) as Made;
  return (words) => {
    const { raw, seen } = words;
    const control = controlOf(words);
    const newQueues = device.processor + commonProcessorWords.newQueues;
    const bell = device.processor + commonProcessorWords.bell;
    const asleep = device.processor + commonProcessorWords.asleep;
    // Behind the processor's words.
    control.next = device.launches;
    const pool = new ChunkPool(control);
    let isMade = false;
    // The constructor of a queue takes a chunk, and constructors are no coroutines.
    const chunks = { take: (): unknown => (isMade ? pool['take']!() : now(pool['take']!())) };
    const reader = {
      newQueues,
      isResting: false,
      wake() {},
      ring: () => ringProcessor!(seen, device.processor),
    };
    /** As devices write commands. */
    class Queue extends (StreamQueue as new (...args: unknown[]) => object) {
      declare readonly stream: Made;
      *write({ event, payload }: { readonly event: number; readonly payload: number }): Coroutine {
        const at = (yield* this.stream['begin']!(marker, event, [], 1)) as number;
        seen[at] = payload;
      }
    }
    const host = { control, events: { setOwner() {} } };
    const options = { outOfOrder: false, timeout: 0, profiling: false };
    const queue = new Queue(host, reader, chunks, options) as unknown as Made & { readonly owner: number };
    isMade = true;
    const record = queue.owner;
    /** As its constructor does. */
    function* announce(): Coroutine {
      yield* queue['handOver']!();
      yield* reader.ring();
    }
    if (isAnnounced) now(announce());
    function* hostThread(): Coroutine {
      if (!isAnnounced) yield* announce();
      for (let number = 1; number <= commands; number += 1)
        yield* queue['submit']!({ event: 100 + number, payload: 1000 + number });
      if (isReleased) yield* queue['release']!();
    }
    const ran: number[] = [];
    let isEarly = false;
    const engine = {
      control,
      events: {},
      dependencies: { add() {} },
      execute({ event, payload }: { readonly event: number; readonly payload: Int32Array }) {
        // Through the memory that is watched: the order of this and of the writing counts.
        ran.push(event, seen[payload.byteOffset / 4]!);
        return true;
      },
    };
    function* processor(): Coroutine {
      const queues: Made[] = [];
      let retired = 0;
      const isOver = (): boolean => (isReleased ? retired > 0 : ran.length === 2 * commands);
      // As Processor does it.
      while (!isOver()) {
        const rung = (yield { name: 'load', args: [seen, bell] }) as number;
        let isProgress = (yield* takeNewQueues!(engine, newQueues, undefined, (made: unknown) => {
          queues.push((made as { readonly reader: Made }).reader);
        })) as boolean;
        for (const one of [...queues]) {
          if ((yield* one['advance']!()) as boolean) isProgress = true;
          if (!((yield* one['retire']!()) as boolean)) continue;
          queues.splice(queues.indexOf(one), 1);
          retired += 1;
          isEarly = isEarly || ran.length < 2 * commands;
        }
        if (isProgress || isOver()) continue;
        yield { name: 'store', args: [seen, asleep, 1] };
        yield { name: 'wait', args: [seen, bell, rung] };
        yield { name: 'store', args: [seen, asleep, 0] };
      }
    }
    return {
      threads: { host: hostThread(), processor: processor() },
      check() {
        const all = Array.from({ length: commands }, (_, index) => [101 + index, 1001 + index]).flat();
        must(!isEarly, 'the record was given up with commands left');
        must(JSON.stringify(ran) === JSON.stringify(all), `commands ${ran} were run, not ${all}`);
        const completed = raw[record + queueWords.completed];
        must(completed === commands, `${completed} commands count as done`);
        const retired = raw[record + queueWords.retired];
        must(retired === Number(isReleased), isReleased ? 'the record was not given up' : 'it was given up');
        // All chunks that ever were are free, in the host's hands or on the list, but for the one that is written.
        const free: number[] = [];
        for (let at = raw[head.freeChunks]!; at !== 0 && free.length < 9; at = raw[at]!) free.push(at);
        const inHand: number[] = [];
        const before = control.next;
        while (inHand.length < 9) {
          const chunk = now(pool['take']!()) as number;
          if (control.next !== before) break;
          inHand.push(chunk);
        }
        must(new Set(inHand).size === inHand.length, `chunks came back twice: ${inHand}`);
        must(
          free.every((one) => inHand.includes(one)),
          `free chunks are lost: ${free}, taken: ${inHand}`,
        );
        // The records in memory are the chunks and the queue's own.
        const made = (before - device.launches - queueWords.size) / 10;
        const due = made - Number(!isReleased);
        must(inHand.length === due, `${inHand.length} of ${made} chunks are free`);
      },
    };
  };
}
