/**
 * The stream of commands from the host thread to a processor: records in chunks of control memory that are linked as
 * they fill, so that writing never has to wait. The host writes and counts `produced` up; the processor reads, and
 * gives chunks back when it has read them through.
 *
 * A record is: its length in words, kind, event slot, number of waits, the waits, and what the kind needs. A length of 0
 * says that the stream goes on in the chunk whose word index follows.
 *
 * What holds, and conformance/models (`stream`, `stream-start`, `stream-end`, `stream-chunks`) looks for in every order of steps, for the chunks in
 * random ones: each record is read once, in order and as it was written; the processor does not sleep over one; a chunk is written again
 * only when it has been read through, and none is lost; the record of a queue is given up when all has been read.
 */
import { type ControlMemory, head } from '../../runtime/control-memory.ts';
import { pushOnto } from '../../runtime/event-table.ts';
import { type MemoryKind, memoryKinds } from '../../runtime/memory-commands.ts';

const firstMemoryKind = 5;

export const commandKind = {
  launch: 1,
  marker: 2,
  barrier: 3,
  host: 4,
  ...(Object.fromEntries(memoryKinds.map((kind, index) => [kind, firstMemoryKind + index])) as Record<
    MemoryKind,
    number
  >),
} as const;

/** Which of the commands that move bytes it is, if it is one. */
export function memoryKindOf(kind: number): MemoryKind | undefined {
  return memoryKinds[kind - firstMemoryKind];
}

const chunkWords = 8192;
/** A chunk's first word links it into the list of free chunks. */
const firstRecord = 2;
const recordHead = 4;

/** Chunks for all streams of a device, handed out by the host. */
export class ChunkPool {
  readonly #control: ControlMemory;
  readonly #free: number[] = [];

  constructor(control: ControlMemory) {
    this.#control = control;
  }

  take(): number {
    const { words } = this.#control;
    if (this.#free.length === 0) {
      let chunk = Atomics.exchange(words, head.freeChunks, 0);
      while (chunk !== 0) {
        this.#free.push(chunk);
        chunk = words[chunk]!;
      }
    }
    return this.#free.pop() ?? this.#control.allocate(chunkWords * 4);
  }
}

/** The host's end. */
export class StreamWriter {
  readonly #control: ControlMemory;
  readonly #chunks: ChunkPool;
  #chunk: number;
  #offset = firstRecord;

  constructor(control: ControlMemory, chunks: ChunkPool) {
    this.#control = control;
    this.#chunks = chunks;
    this.#chunk = chunks.take();
  }

  /** Where a reader begins that has read nothing. */
  get chunk(): number {
    return this.#chunk;
  }

  /** Writes from the beginning of its chunk again: all has been read, and a reader that begins anew comes. */
  rewind(): void {
    this.#offset = firstRecord;
  }

  /**
   * Begins a record with so many words of payload; gives the index where the payload goes. The caller writes it and
   * then counts the queue's `produced` up.
   */
  begin(kind: number, event: number, waits: readonly number[], payloadWords: number): number {
    const length = recordHead + waits.length + payloadWords;
    if (this.#offset + length + 2 > chunkWords) this.#nextChunk();
    const { words } = this.#control;
    let at = this.#chunk + this.#offset;
    this.#offset += length;
    words[at] = length;
    words[at + 1] = kind;
    words[at + 2] = event;
    words[at + 3] = waits.length;
    at += recordHead;
    for (let index = 0; index < waits.length; index += 1) words[at + index] = waits[index]!;
    return at + waits.length;
  }

  #nextChunk(): void {
    const next = this.#chunks.take();
    const { words } = this.#control;
    words[this.#chunk + this.#offset] = 0;
    words[this.#chunk + this.#offset + 1] = next;
    this.#chunk = next;
    this.#offset = firstRecord;
  }
}

/** A record as read. `payload` stays valid until the next one is read. */
export interface StreamRecord {
  kind: number;
  event: number;
  waits: number[];
  payload: Int32Array;
}

/** The processor's end. */
export class StreamReader {
  readonly #control: ControlMemory;
  #chunk: number;
  #offset = firstRecord;

  constructor(control: ControlMemory, firstChunk: number) {
    this.#control = control;
    this.#chunk = firstChunk;
  }

  /** The next record; the caller knows from `produced` that there is one. */
  read(): StreamRecord {
    this.#control.reach(this.#chunk + chunkWords - 1);
    let { words } = this.#control;
    let at = this.#chunk + this.#offset;
    if (words[at] === 0) {
      const next = words[at + 1]!;
      pushOnto(words, head.freeChunks, this.#chunk, this.#chunk);
      this.#chunk = next;
      this.#offset = firstRecord;
      this.#control.reach(next + chunkWords - 1);
      words = this.#control.words;
      at = next + firstRecord;
    }
    const length = words[at]!;
    this.#offset += length;
    const waitCount = words[at + 3]!;
    const payload = at + recordHead + waitCount;
    return {
      kind: words[at + 1]!,
      event: words[at + 2]!,
      waits: waitCount === 0 ? noWaits : Array.from(words.subarray(at + recordHead, payload)),
      payload: words.subarray(payload, at + length),
    };
  }

  /** Gives the last chunk back: the queue is released and read to its end. */
  close(): void {
    this.#control.reach(this.#chunk);
    pushOnto(this.#control.words, head.freeChunks, this.#chunk, this.#chunk);
  }
}

const noWaits: number[] = [];
