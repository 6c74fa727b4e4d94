/** Reductions with functions of the program: what is combined is in the engine's memory, and is copied to the program's and back. */
import { HandleArray } from '../handle-array.ts';
import type { Callback } from '../library.ts';
import type { Program, ProgramHost } from './program.ts';

/** In front of the elements: how many there are, and their type. */
const headBytes = 16;

export class Operations {
  readonly #opened: () => Program;
  /** By the program's number of the operation. */
  readonly #callbacks = new Map<number, Callback>();
  #block: ReturnType<ProgramHost['take']>;

  constructor(opened: () => Program) {
    this.#opened = opened;
  }

  create(pointer: number, commutes: number, place: number): number {
    const program = this.#opened();
    const { library, handles, codes, host } = program;
    program.check(place, 4);
    const combine = host.callback(pointer >>> 0);
    const callback = library.callback((input, inout, length, type) => {
      // Nothing may be thrown through the engine; the end of the program, say, is thrown behind it.
      if (program.escaped) return;
      try {
        this.#combine(program, combine, input, inout, length, type);
      } catch (error) {
        program.escaped = { error };
      }
    });
    const made = new HandleArray(library, 1);
    const code = library.function('MPI_Op_create')(callback.address, commutes, made.address);
    if (code !== 0) {
      callback.release();
      return codes.number(code);
    }
    const number = handles.number('op', made.get(0));
    this.#callbacks.set(number, callback);
    program.setInt(place, number);
    return 0;
  }

  free(place: number, free: (place: number) => number): number {
    const number = this.#opened().int(place) >>> 0;
    const code = free(place);
    if (code !== 0) return code;
    this.#callbacks.get(number)?.release();
    this.#callbacks.delete(number);
    return 0;
  }

  #combine(
    program: Program,
    combine: (...args: number[]) => unknown,
    inputAt: number,
    inoutAt: number,
    lengthAt: number,
    typeAt: number,
  ): void {
    const { library, handles } = program;
    const length = new Int32Array(library.view(lengthAt, 4))[0]!;
    const type =
      library.table.handleType === 'int32_t'
        ? new Int32Array(library.view(typeAt, 4))[0]!
        : Number(new BigUint64Array(library.view(typeAt, 8))[0]);
    if (length === 0) return;
    const { extent, trueLowerBound, trueExtent } = program.typeOf(type);
    // From the first byte that an element touches to the last.
    const bytes = (length - 1) * extent + trueExtent;
    const room = (bytes + 15) & ~15;
    const start = this.#room(program, headBytes + 2 * room);
    const [first, second] = [start + headBytes, start + headBytes + room];
    const input = new Uint8Array(library.view(inputAt + trueLowerBound, bytes));
    const inout = new Uint8Array(library.view(inoutAt + trueLowerBound, bytes));
    new Uint8Array(program.view.buffer, first, bytes).set(input);
    new Uint8Array(program.view.buffer, second, bytes).set(inout);
    program.setInt(start, length);
    program.setInt(start + 4, handles.find('type', type));
    combine(first - trueLowerBound, second - trueLowerBound, start, start + 4);
    inout.set(new Uint8Array(program.view.buffer, second, bytes));
  }

  /** Memory of the program, which is kept for the next time. */
  #room({ host }: Program, bytes: number): number {
    if (this.#block && this.#block.end - this.#block.start >= bytes) return this.#block.start;
    if (this.#block) host.giveBack(this.#block);
    this.#block = host.take(bytes);
    if (!this.#block) throw new WebAssembly.RuntimeError('there is no memory for what a reduction combines');
    return this.#block.start;
  }
}
