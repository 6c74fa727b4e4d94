/**
 * Runs a program thread by thread: what a listing means, for tests that compare it with the IR's interpreter, and for the model, which
 * wants to know what threads fetch and how often they turn in loops. A thread goes its own way; that the others of its
 * wavefront wait meanwhile, the model adds. Groups of threads, which would have to wait for each other, are not run.
 */
import { bitsOfFloat, doubleOfWords, floatOfBits, rounded, wordsOfDouble } from './bits.ts';
import type { SlotName } from './bundles.ts';
import type { Opcode } from './opcodes.ts';
import type {
  AluBundle,
  AluInstruction,
  FetchInstruction,
  Operand,
  Program,
  WriteInstruction,
} from './program.ts';

/** What a program finds outside of itself. Words are patterns. */
export interface Surroundings {
  constant(buffer: number, word: number): number;
  /** A word of a texture or buffer: `component` of the element at the coordinates, or of what lies at the address. */
  fetch(fetch: FetchInstruction, address: readonly number[], component: number): number;
  write(write: WriteInstruction, index: number, words: readonly (number | undefined)[]): void;
}

export interface Thread {
  /** What R0 and R1 hold at the beginning. */
  readonly inputs: readonly (readonly number[])[];
}

export interface Run {
  /** How often each instruction of control flow was carried out. */
  readonly counts: readonly number[];
}

export interface SimulateOptions {
  /** Goes on at barriers, for who wants to know what is done and not what comes out. */
  readonly ignoresBarriers?: boolean | undefined;
  /** Instructions of control flow after which a thread is given up. Default 2^20. */
  readonly mostSteps?: number | undefined;
}

/**
 * Runs one thread.
 * @throws Error if it takes too long, or needs other threads
 */
export function simulate(
  program: Program,
  thread: Thread,
  around: Surroundings,
  options: SimulateOptions = {},
): Run {
  return new Simulation(program, thread, around, options).run();
}

class Simulation {
  readonly #program: Program;
  readonly #around: Surroundings;
  readonly #ignoresBarriers: boolean;
  readonly #mostSteps: number;
  readonly #general = new Int32Array(128 * 4);
  readonly #temporary = new Int32Array(4 * 4);
  readonly #scratch = new Map<number, number>();
  #previous = new Map<SlotName, number>();
  #predicate = true;
  #isKilled = false;

  constructor(
    program: Program,
    thread: Thread,
    around: Surroundings,
    { ignoresBarriers = false, mostSteps = 1 << 20 }: SimulateOptions,
  ) {
    this.#program = program;
    this.#around = around;
    this.#ignoresBarriers = ignoresBarriers;
    this.#mostSteps = mostSteps;
    for (const [index, words] of thread.inputs.entries())
      for (const [channel, word] of words.entries()) this.#general[index * 4 + channel] = word;
  }

  run(): Run {
    const { controlFlow } = this.#program;
    const counts = controlFlow.map(() => 0);
    let steps = 0;
    for (let at = 0; at < controlFlow.length && !this.#isKilled; steps += 1) {
      if (steps > this.#mostSteps) throw new Error('the thread does not end');
      const one = controlFlow[at]!;
      counts[at]! += 1;
      at += 1;
      switch (one.kind) {
        case 'alu':
          this.#previous = new Map();
          for (const bundle of one.bundles) this.#bundle(bundle);
          if (one.name === 'ALU_BREAK' && !this.#predicate) at = this.#behindLoop(at);
          break;
        case 'fetch':
          for (const fetch of one.fetches) this.#fetch(fetch);
          break;
        case 'write':
          this.#write(one.write);
          break;
        case 'branch':
          switch (one.name) {
            case 'JUMP': {
              const target = controlFlow[one.to];
              // The ELSE itself would skip what comes now.
              if (!this.#predicate)
                at = target?.kind === 'branch' && target.name === 'ELSE' ? one.to + 1 : one.to;
              break;
            }
            case 'ELSE':
            case 'CONTINUE':
            case 'ENDLOOP':
              at = one.to;
              break;
            case 'BREAK':
              at = one.to + 1;
              break;
          }
      }
    }
    return { counts };
  }

  /** The instruction behind the innermost loop around one. */
  #behindLoop(at: number): number {
    const { controlFlow } = this.#program;
    let depth = 0;
    for (let index = at; ; index += 1) {
      const one = controlFlow[index]!;
      if (one.kind !== 'branch') continue;
      if (one.name === 'LOOP_DX10') depth += 1;
      if (one.name === 'ENDLOOP') {
        if (depth === 0) return index + 1;
        depth -= 1;
      }
    }
  }

  #bundle({ instructions, literals }: AluBundle): void {
    const results = new Map<SlotName, number>();
    const read = (operand: Operand): number => this.#read(operand, literals);
    for (let index = 0; index < instructions.length; ) {
      const instruction = instructions[index]!;
      const { opcode, slot } = instruction;
      const width = opcode.units === 'quad' ? 4 : opcode.units === 'pair' ? 2 : 1;
      const parts = instructions.slice(index, index + width);
      index += width;
      if (opcode.name === 'GROUP_BARRIER') {
        if (!this.#ignoresBarriers) throw new Error('threads wait for each other');
        continue;
      }
      if (width > 1) this.#wide(opcode, parts, read, results);
      else {
        const [a = 0, b = 0, c = 0] = instruction.sources.map(read);
        results.set(slot, opcode.compute!(a, b, c) | 0);
      }
      if (opcode.name === 'KILLE' && results.get(slot) !== 0) this.#isKilled = true;
      if (opcode.isPredicate) {
        const truth = results.get(slot) !== 0;
        if (instruction.setsMask) this.#predicate = truth;
        results.set(slot, truth ? 0 : bitsOfFloat(1));
      }
    }
    for (const { slot, target } of instructions) {
      if (!target) continue;
      const file = target.file === 'general' ? this.#general : this.#temporary;
      file[target.index * 4 + target.channel] = results.get(slot)!;
    }
    this.#previous = results;
  }

  #wide(
    opcode: Opcode,
    parts: readonly AluInstruction[],
    read: (operand: Operand) => number,
    results: Map<SlotName, number>,
  ): void {
    const [first, last] = [parts[0]!, parts.at(-1)!];
    const set = (words: readonly number[]): void => {
      for (const [index, { slot }] of parts.entries()) results.set(slot, words[index] ?? 0);
    };
    if (opcode.name === 'FLT32_TO_FLT64') {
      set(wordsOfDouble(floatOfBits(read(first.sources[0]!))));
      return;
    }
    const [a = 0, b = 0, c = 0] = first.sources.map((high, index) =>
      doubleOfWords(read(last.sources[index]!), read(high)),
    );
    if (opcode.name === 'FLT64_TO_FLT32') {
      set([bitsOfFloat(rounded(a))]);
      return;
    }
    const value = opcode.computeDouble!(a, b, c);
    set(opcode.isPredicate ? [value] : wordsOfDouble(value));
  }

  #read(operand: Operand, literals: readonly number[]): number {
    let bits: number;
    switch (operand.kind) {
      case 'place':
        bits = (operand.file === 'general' ? this.#general : this.#temporary)[
          operand.index * 4 + operand.channel
        ]!;
        break;
      case 'previous':
        bits = this.#previous.get(operand.slot)!;
        break;
      case 'constant':
        bits = this.#around.constant(operand.buffer, operand.index * 4 + operand.channel);
        break;
      case 'number':
        bits = operand.literal === undefined ? operand.bits : literals[operand.literal]!;
    }
    if (operand.absolute) bits &= 0x7fffffff;
    return operand.negate ? bits ^ 0x80000000 : bits;
  }

  #fetch(fetch: FetchInstruction): void {
    const address = fetch.coordinates.map((channel) => this.#general[fetch.address * 4 + (channel ?? 0)]!);
    const words = fetch.components.map((component) => {
      if (component === undefined) return undefined;
      if (fetch.name === 'READ_SCRATCH')
        return this.#scratch.get((fetch.offset + (address[0] ?? 0)) * 4 + component) ?? 0;
      return this.#around.fetch(fetch, address, component);
    });
    for (const [channel, word] of words.entries())
      if (word !== undefined) this.#general[fetch.target * 4 + channel] = word;
  }

  #write(write: WriteInstruction): void {
    const words = write.channels.map((channel) =>
      channel === undefined ? undefined : this.#general[write.source * 4 + channel]!,
    );
    const index = write.index ? this.#general[write.index.index * 4 + write.index.channel]! : 0;
    if (write.name === 'MEM_SCRATCH_WRITE_IND') {
      for (const [word, bits] of words.entries())
        if (bits !== undefined) this.#scratch.set((write.base + index) * 4 + word, bits);
      return;
    }
    this.#around.write(write, index, words);
  }
}
