/** One call of a program: its arguments as the engine takes them, by the words of the signatures, and what comes back as the program has it. */
import { numbers as standard } from '../constants.ts';
import { HandleArray } from '../handle-array.ts';
import { keepAlive } from '../keep-alive.ts';
import { isHandleKind, signatures } from '../signatures.ts';
import type { Program } from './program.ts';
import { rankToEngine, rankToProgram, statusBytes, tagToEngine } from './statuses.ts';

type Numbers = Readonly<Record<string, number>>;

/** Names of numbers that mean something, by what they are of. */
const meanings: Readonly<Record<string, readonly (keyof typeof standard)[]>> = {
  splittype: ['MPI_COMM_TYPE_SHARED', 'MPI_UNDEFINED'],
  order: ['MPI_ORDER_C', 'MPI_ORDER_FORTRAN'],
  keyval: ['MPI_TAG_UB', 'MPI_HOST', 'MPI_IO', 'MPI_WTIME_IS_GLOBAL', 'MPI_APPNUM', 'MPI_UNIVERSE_SIZE'],
  outcompare: ['MPI_IDENT', 'MPI_CONGRUENT', 'MPI_SIMILAR', 'MPI_UNEQUAL'],
  outtopology: ['MPI_CART', 'MPI_GRAPH', 'MPI_DIST_GRAPH'],
  level: ['MPI_THREAD_SINGLE', 'MPI_THREAD_FUNNELED', 'MPI_THREAD_SERIALIZED', 'MPI_THREAD_MULTIPLE'],
};

const inPlace = 1;

export class Converted {
  readonly values: number[] = [];
  readonly #after: (() => void)[] = [];
  readonly #kept: unknown[] = [];

  constructor(
    readonly program: Program,
    readonly name: string,
    readonly args: readonly number[],
  ) {
    for (const [index, parameter] of signatures.get(name)!.entries())
      this.values.push(this.#value(parameter, args[index]!));
  }

  /** After the call: what it has written is brought to the program. */
  finish(): void {
    keepAlive(this.#kept);
    for (const task of this.#after) task();
  }

  #value(parameter: string, value: number): number {
    const { program } = this;
    const { library, handles } = program;
    const { numbers } = library.table;
    if (isHandleKind(parameter)) return handles.engine(parameter, value >>> 0);
    const kind = parameter.slice(1);
    if (parameter.startsWith('+')) return this.#made(kind, value);
    if (parameter.startsWith('*')) return this.#changed(kind, value);
    switch (parameter) {
      case 'int':
      case 'aint':
      case 'function':
        return value;
      case 'rank':
      case 'root':
        return rankToEngine(value, numbers);
      case 'tag':
        return tagToEngine(value, numbers);
      case 'splittype':
      case 'order':
      case 'keyval':
        return toEngine(parameter, value, numbers);
      case 'buf':
        // Null is the beginning of all memory, from which MPI_Get_address counts.
        return value === inPlace ? library.table.inPlace : program.base + (value >>> 0);
      case 'ptr':
      case 'bool':
        return program.address(value);
      case 'outrank':
        return this.#int(value, (rank) => rankToProgram(rank, numbers));
      case 'outcompare':
      case 'outtopology':
        return this.#int(value, (number) => toProgram(parameter, number, numbers));
      case 'aints':
        return this.name.startsWith('MPI_Type_get_') ? this.#sizeOut(value) : this.#sizesIn(value);
      case 'types':
        return this.#types(value);
      case 'requests':
        return this.#requests(value);
      case 'status':
        return this.#statuses(value, 1, false);
      case 'statuses':
        return this.#statuses(value, this.args[0]!, true);
      case 'instatus':
        return this.#statusIn(value);
      default:
        throw new Error(`MPI functions have no parameters that are '${parameter}'`);
    }
  }

  #made(kind: string, pointer: number): number {
    const { program } = this;
    program.check(pointer, 4);
    const place = new HandleArray(program.library, [program.handles.null(kind)]);
    this.#kept.push(place);
    this.#after.push(() => program.setInt(pointer, program.handles.number(kind, place.get(0))));
    return place.address;
  }

  #changed(kind: string, pointer: number): number {
    const { program } = this;
    const number = program.int(pointer) >>> 0;
    const before = program.handles.engine(kind, number);
    const place = new HandleArray(program.library, [before]);
    this.#kept.push(place);
    this.#after.push(() => {
      if (kind === 'type') program.forgetType(before);
      program.setInt(pointer, program.handles.changed(kind, number, place.get(0)));
    });
    return place.address;
  }

  #requests(pointer: number): number {
    const { program } = this;
    const list = program.ints(pointer, this.args[0]!).map((number) => number >>> 0);
    const places = new HandleArray(
      program.library,
      list.map((number) => program.handles.engine('request', number)),
    );
    this.#kept.push(places);
    this.#after.push(() => {
      for (const [index, number] of list.entries()) {
        const after = program.handles.changed('request', number, places.get(index));
        if (after !== number) program.setInt(pointer + 4 * index, after);
      }
    });
    return places.address;
  }

  #types(pointer: number): number {
    const { program, args } = this;
    const isStruct = this.name === 'MPI_Type_create_struct';
    const count = isStruct
      ? args[0]!
      : program.ask('MPI_Comm_size', program.handles.engine('comm', args.at(-1)!));
    const list = program.ints(pointer, count).map((number) => program.handles.engine('type', number >>> 0));
    const places = new HandleArray(program.library, list);
    this.#kept.push(places);
    return places.address;
  }

  #sizesIn(pointer: number): number {
    const sizes = this.program.ints(pointer, this.args[0]!);
    const wide = new BigInt64Array(sizes.length === 0 ? [0n] : sizes.map(BigInt));
    this.#kept.push(wide);
    return this.program.library.addressOf(wide);
  }

  #sizeOut(pointer: number): number {
    const { program } = this;
    program.check(pointer, 4);
    const wide = new BigInt64Array(1);
    this.#after.push(() => program.setInt(pointer, Number(wide[0])));
    return program.library.addressOf(wide);
  }

  #int(pointer: number, convert: (value: number) => number): number {
    const { program } = this;
    program.check(pointer, 4);
    this.#after.push(() => program.setInt(pointer, convert(program.int(pointer))));
    return program.address(pointer);
  }

  #statuses(pointer: number, count: number, withError: boolean): number {
    const { program } = this;
    const { library, statuses } = program;
    const { statusIgnore, status } = library.table;
    if (pointer === 0) return statusIgnore;
    program.check(pointer, statusBytes * Math.max(count, 0));
    const bytes = new Uint8Array(status.bytes * Math.max(count, 1));
    const view = new DataView(bytes.buffer);
    // What the call leaves alone stays as it was.
    for (let index = 0; index < count; index += 1)
      statuses.toEngine(
        program.view,
        (pointer >>> 0) + statusBytes * index,
        new DataView(bytes.buffer, status.bytes * index, status.bytes),
      );
    const before = bytes.slice();
    this.#after.push(() => {
      for (let index = 0; index < count; index += 1) {
        const at = status.bytes * index;
        if (!differ(before, bytes, at, status.bytes)) continue;
        statuses.toProgram(view, at, program.view, (pointer >>> 0) + statusBytes * index, withError);
      }
    });
    return library.addressOf(bytes);
  }

  #statusIn(pointer: number): number {
    const { program } = this;
    program.check(pointer, statusBytes);
    const bytes = new Uint8Array(program.library.table.status.bytes);
    program.statuses.toEngine(program.view, pointer >>> 0, new DataView(bytes.buffer));
    this.#kept.push(bytes);
    return program.library.addressOf(bytes);
  }
}

/** A number that means something, as the engine has it; one that means nothing is refused by the engine. */
export function toEngine(what: string, value: number, numbers: Numbers): number {
  const name = meanings[what]!.find((known) => standard[known] === value);
  return name ? numbers[name]! : -1;
}

export function toProgram(what: string, value: number, numbers: Numbers): number {
  const name = meanings[what]!.find((known) => numbers[known] === value);
  return name ? standard[name] : value;
}

function differ(a: Uint8Array, b: Uint8Array, at: number, count: number): boolean {
  for (let index = at; index < at + count; index += 1) if (a[index] !== b[index]) return true;
  return false;
}
