/**
 * Results that leave a program by its outputs: they are kept in registers and exported at its end. A thread that does not
 * come to write them is killed, so that what it found in the output stays.
 */
import type * as ir from '../../ir/ir.ts';
import { bitsOfFloat } from './bits.ts';
import { type Emitter, literal, registerSource, zero } from './emitter.ts';
import { R600Error } from './error.ts';
import { opcode } from './opcodes.ts';
import { type Block, newGroup, newRegister, type Register, type Source } from './operations.ts';

export class Outputs {
  readonly #emitter: Emitter;
  readonly #kept = new Map<number, { registers: readonly Register[]; span: ir.Instruction['span'] }>();
  /** Where not all threads write results: 1.0 for those that do. */
  #written: { readonly flag: Register; readonly block: Block } | undefined;

  constructor(emitter: Emitter) {
    this.#emitter = emitter;
  }

  /** Keeps what goes out by one of the outputs. */
  write(number: number, words: readonly Source[], span: ir.Instruction['span']): void {
    let found = this.#kept.get(number);
    if (!found) {
      found = { registers: newGroup(words.length), span };
      this.#kept.set(number, found);
    }
    for (const [word, source] of words.entries()) this.#emitter.move(found.registers[word]!, source);
    if (this.#emitter.depth > 0) this.#noteWritten(span);
  }

  /** Results that only some threads come to. They must come to all of them: a thread is killed as a whole. */
  #noteWritten(span: ir.Instruction['span']): void {
    const emitter = this.#emitter;
    const { block } = emitter;
    if (!this.#written) {
      this.#written = { flag: newRegister(), block };
      emitter.move(this.#written.flag, zero, emitter.items[0] as Block);
      emitter.move(this.#written.flag, literal(bitsOfFloat(1)));
    } else if (this.#written.block !== block && this.#kept.size > 1) {
      throw new R600Error('results of which threads may write some and not others', span);
    } else if (this.#written.block !== block) emitter.move(this.#written.flag, literal(bitsOfFloat(1)));
  }

  /** Ends the program: the results go out. */
  finish(): void {
    if (this.#written) {
      const sources = [registerSource(this.#written.flag), zero];
      this.#emitter.block.operations.push({
        kind: 'alu',
        opcode: opcode('KILLE'),
        targets: [],
        sources,
        span: undefined,
      });
    }
    for (const [number, { registers, span }] of [...this.#kept].sort(([a], [b]) => a - b)) {
      this.#emitter.block.operations.push({
        kind: 'write',
        name: 'EXP',
        data: registers,
        index: undefined,
        base: number,
        span,
      });
    }
  }
}
