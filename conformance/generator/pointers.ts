/**
 * Random kernels that move pointers and lead back with their indices: `p = a + 5000; ... p[x - 4990]`. All constants of such an address
 * together lead into the object, those before and behind the index by themselves far beside it, which compilers must mind where
 * instructions do not wrap around as addresses do. Objects are buffers, first in memory or behind others, parts of them, local arrays and
 * arguments, private arrays, tables of constants; a pointer may lie in an array or come into a function. Elements are whole numbers of every
 * width, vectors, and floats that are whole.
 *
 * Every kernel has one meaning: accesses stay in their objects, pointers too (or just behind the end), work-items write to elements of
 * their own only, and read what is written or constant.
 */
import { Random } from '../../test/support/random.ts';
import type { TestArgument, TestRange } from '../../test/support/run-kernel.ts';
import { essential, line, type Program, printProgram, type Statement } from './syntax.ts';

export interface MovedPointers {
  /** With a kernel `k`. */
  readonly source: string;
  /** The same as a tree, for `reduce`. */
  readonly program: Program;
  readonly range: TestRange;
  /** Buffers are what the kernel starts from; copy them for each run. */
  readonly arguments: readonly TestArgument[];
}

const bytesOf = { char: 1, uchar: 1, short: 2, ushort: 2, int: 4, uint: 4, float: 4, long: 8 } as const;
type Element = keyof typeof bytesOf;
const elementTypes = Object.keys(bytesOf) as Element[];

/** A whole number of the kernel's from 0 to `most`. */
interface Index {
  readonly text: string;
  readonly most: number;
}

/** Something with elements. */
interface Region {
  /** With a blank behind it; nothing for private memory. */
  readonly space: string;
  readonly element: Element;
  readonly lanes: number;
  /** How many elements it has. */
  readonly length: number;
}

/** A pointer into it, so many elements from its beginning: those of the constant, of each number, and of a number of the work-item's. */
interface Pointer {
  readonly name: string;
  readonly region: Region;
  readonly moved: number;
  readonly numbers: readonly string[];
  readonly own: Index;
}

/** The most that a number among the arguments may be. */
const mostNumber = 12;
const nothing: Index = { text: '', most: 0 };

/** The same seed gives the same kernel. */
export function generatePointers(seed: number): MovedPointers {
  return new Generator(seed).generate();
}

class Generator {
  readonly #random: Random;
  readonly #definitions: Statement[] = [];
  readonly #locals: Statement[] = [];
  readonly #parameters: string[] = [];
  readonly #arguments: TestArgument[] = [];
  readonly #columns: number;
  readonly #rows: number;
  readonly #local: readonly number[];
  readonly #isHuge: boolean;
  #names = 0;

  constructor(seed: number) {
    const random = new Random(seed ^ 0x5f3759df);
    this.#random = random;
    const local = [random.pick([1, 4, 7, 8, 16, 16, 20]), random.pick([1, 1, 1, 2, 4])];
    this.#columns = local[0]! * (1 + random.below(3));
    this.#rows = local[1]! * (1 + random.below(2));
    this.#local = local;
    this.#isHuge = random.below(12) === 0;
  }

  generate(): MovedPointers {
    const statements: Statement[] = [
      essential`int x = get_global_id(0), y = get_global_id(1), lx = get_local_id(0), ly = get_local_id(1);`,
      essential`int at = y * ${this.#columns} + x, li = ly * ${this.#local[0]!} + lx;`,
      essential`uint s = 1;`,
    ];
    if (this.#chance(50)) this.#pad();
    const sources = [this.#input()];
    if (this.#chance(40)) this.#pad();
    if (this.#chance(60)) sources.push(this.#input());
    if (this.#chance(40)) sources.push(this.#table());
    const own = this.#ownRegion();
    for (const name of ['n', 'm']) {
      this.#parameters.push(`int ${name}`);
      this.#arguments.push({
        bytes: new Uint8Array(Int32Array.of(this.#random.below(mostNumber + 1)).buffer),
      });
    }
    const body: Statement[] = [];
    const pointers = sources.flatMap((source) => {
      const made = [this.#pointerTo(source, statements)];
      if (this.#chance(50)) made.push(this.#pointerFrom(made[0]!, statements));
      return made;
    });
    const ownPointer = this.#pointerTo(own.region, statements, own.name);
    const count = 3 + this.#random.below(5);
    for (let index = 0; index < count; index += 1) this.#statement(body, pointers, ownPointer, own.each);
    this.#store(body, ownPointer, own.each);
    const program: Program = {
      statements: [
        ...this.#definitions,
        essential`kernel void k(${this.#parameters.join(', ')}) ${[...this.#locals, ...statements, ...body]}`,
      ],
    };
    const global = [this.#columns, this.#rows];
    return {
      source: printProgram(program),
      program,
      range: { global, local: this.#local },
      arguments: this.#arguments,
    };
  }

  #chance(percent: number): boolean {
    return this.#random.below(100) < percent;
  }

  #name(prefix: string): string {
    this.#names += 1;
    return `${prefix}${this.#names}`;
  }

  get #items(): number {
    return this.#columns * this.#rows;
  }

  // ---------------------------------------------------------------------------------------------- objects

  /** A buffer that only has others lie behind it. */
  #pad(): void {
    this.#parameters.push(`global int *${this.#name('pad')}`);
    this.#arguments.push({ buffer: new Uint8Array(this.#random.pick([4, 500, 3000, 70_000])) });
  }

  #shape(space: string): Omit<Region, 'length'> {
    const element = this.#random.pick(elementTypes);
    return { space, element, lanes: this.#chance(25) ? this.#random.pick([2, 4]) : 1 };
  }

  /** Elements of the kind that are so many bytes, which is often near where a constant becomes too large to be folded. */
  #lengthOf({ element, lanes }: Omit<Region, 'length'>, isHuge = this.#isHuge): number {
    const bytes = isHuge
      ? this.#random.pick([1_200_000, 2_500_000, 4_300_000])
      : this.#random.pick([2000, 4000, 9000, 20_000, 70_000, 140_000]);
    return Math.max(300, Math.floor(bytes / (bytesOf[element] * lanes)));
  }

  /** A buffer that is read, or a part of one. */
  #input(): Region & { name: string } {
    const name = this.#name('a');
    const shape = this.#shape('global ');
    const length = this.#lengthOf(shape);
    const size = length * bytesOf[shape.element] * shape.lanes;
    const skipped = this.#chance(25) ? 16 * this.#random.below(200) : 0;
    const buffer = this.#filled(shape, size + skipped);
    if (skipped > 0) {
      this.#parameters.push(`global int *${this.#name('whole')}`);
      this.#arguments.push({ buffer });
      this.#arguments.push({ within: this.#arguments.length - 1, offset: skipped });
    } else this.#arguments.push({ buffer });
    this.#parameters.push(`global ${typeOf(shape)} *${name}`);
    return { ...shape, length, name };
  }

  /** Bytes that are small whole numbers of the type, without any that is no number. */
  #filled({ element }: Pick<Region, 'element'>, size: number): Uint8Array {
    const bytes = new Uint8Array(Math.ceil(size / 8) * 8);
    const { buffer } = bytes;
    const start = this.#random.bits();
    const next = (index: number): number => (Math.imul(index + start, 0x9e3779b1) >>> 25) - 60;
    const numbers = element === 'float' ? new Float32Array(buffer) : new Int32Array(buffer);
    for (let index = 0; index < numbers.length; index += 1)
      numbers[index] = element === 'float' ? next(index) : Math.imul(next(index), 0x10203);
    return bytes.subarray(0, size);
  }

  #table(): Region & { name: string } {
    const name = this.#name('table');
    const element = this.#random.pick(['int', 'short', 'uchar'] as const);
    const length = this.#random.pick([100, 300, 1200]);
    const values = Array.from({ length }, (_, index) => (index * 37) % 101);
    this.#definitions.push(essential`constant ${element} ${name}[${length}] = {${values.join(', ')}};`);
    return { space: 'constant ', element, lanes: 1, length, name };
  }

  /** Memory of which each work-item has elements of its own: how many, and those are one after another. */
  #ownRegion(): { region: Region & { name: string }; name: string; each: number } {
    const name = this.#name('b');
    const shape = { space: 'global ', element: this.#random.pick(elementTypes), lanes: 1 };
    const each = 2 + this.#random.below(6);
    const length = each * this.#items + this.#lengthOf(shape);
    this.#parameters.push(`global ${typeOf(shape)} *${name}`);
    this.#arguments.push({ buffer: this.#filled(shape, length * bytesOf[shape.element]) });
    return { region: { ...shape, length, name }, name, each };
  }

  // --------------------------------------------------------------------------------------------- pointers

  /** Declares a pointer somewhere into an object. */
  #pointerTo(region: Region & { name?: string }, statements: Statement[], object = region.name!): Pointer {
    const start: Pointer = { name: object, region, moved: 0, numbers: [], own: nothing };
    return this.#pointerFrom(start, statements, this.#chance(50) ? 1 : 2);
  }

  /** Declares a pointer that is another one, moved. */
  #pointerFrom(from: Pointer, statements: Statement[], moves = 1): Pointer {
    const { region } = from;
    const name = this.#name('p');
    let { moved, numbers, own } = from;
    statements.push(essential`${region.space}${typeOf(region)} *${name} = ${from.name};`);
    for (let move = 0; move < moves; move += 1) {
      const room = region.length - moved - mostNumber * numbers.length - own.most;
      const by = this.#random.below(Math.max(1, room - 3 * mostNumber - 60));
      // Mostly far, as that is what matters.
      const far = this.#chance(70) ? Math.max(by, Math.floor(room / 2) - 3 * mostNumber - 60) : by;
      if (far > 0) {
        moved += far;
        statements.push(
          this.#random.pick([
            essential`${name} += ${far};`,
            essential`${name} = &${name}[${far}];`,
            essential`${name} = ${name} + ${far + 7} - 7;`,
          ]),
        );
      } else if (moved > 9) {
        moved -= 9;
        statements.push(essential`${name} -= 9;`);
      }
    }
    if (numbers.length < 1 && this.#chance(30)) {
      numbers = ['n'];
      statements.push(essential`${name} += n;`);
    }
    const free = region.length - moved - mostNumber * numbers.length - own.most;
    if (own.most === 0 && this.#chance(25) && free > this.#items + 8) {
      own = this.#chance(50) ? this.#index('at') : this.#index('x');
      statements.push(essential`${name} += ${own.text};`);
    }
    return { name, region, moved, numbers, own };
  }

  #index(text: 'x' | 'y' | 'at' | 'li'): Index {
    const most = { x: this.#columns, y: this.#rows, at: this.#items, li: this.#local[0]! * this.#local[1]! };
    return { text, most: most[text] - 1 };
  }

  /** A number that differs between work-items. */
  #any(most = Number.POSITIVE_INFINITY): Index {
    const [x, at] = [this.#index('x'), this.#index('at')];
    const candidates: Index[] = [
      x,
      x,
      at,
      at,
      { text: `${x.most} - x`, most: x.most },
      { text: 'at * 2', most: at.most * 2 },
      { text: 'x * 5', most: x.most * 5 },
      { text: '(x * 7 & 15)', most: 15 },
      { text: '(int)(s & 31)', most: 31 },
      { text: 'y', most: this.#rows - 1 },
      { text: '(at ^ 1)', most: at.most | 1 },
      { text: 'm', most: mostNumber },
    ].filter((one) => one.most <= most);
    return candidates.length > 0 ? this.#random.pick(candidates) : { text: '0', most: 0 };
  }

  /** An index behind a pointer, for elements `g`, `g + 1` and so on to `g + extent` from some element of the object. */
  #indexFor(pointer: Pointer, { text, most }: Index, extent = 0, at?: number): string | undefined {
    const { region, moved, numbers, own } = pointer;
    const room = region.length - own.most - most - extent;
    if (room < 1) return undefined;
    const element = at ?? this.#random.below(room);
    const constant = element - moved;
    const back = numbers.map((number) => ` - ${number}`).join('');
    const by = this.#random.below(5000);
    const sum = (value: number): string => (value < 0 ? `- ${-value}` : `+ ${value}`);
    return this.#random.pick([
      `${text} ${sum(constant)}${back}`,
      `${text} ${sum(constant)}${back}`,
      `(${text}${back}) ${sum(constant)}`,
      `${constant}${back} + (${text})`,
      `(${text} ${sum(constant + by)}) - ${by}${back}`,
      `(long)(${text}) ${sum(constant)}${back}`,
    ]);
  }

  // -------------------------------------------------------------------------------------------- statements

  #statement(into: Statement[], pointers: readonly Pointer[], own: Pointer, each: number): void {
    const pointer = this.#random.pick(pointers);
    const kind = this.#random.below(16);
    if (kind < 3) this.#add(into, this.#load(pointer));
    else if (kind < 5) this.#guarded(into, pointer);
    else if (kind < 8) this.#loop(into, pointer);
    else if (kind < 9) this.#neighbours(into, pointer);
    else if (kind < 10) this.#fromTable(into, pointer);
    else if (kind < 11) this.#called(into, pointer);
    else if (kind < 12) this.#privateArray(into);
    else if (kind < 13) this.#localArray(into);
    else if (kind < 14) this.#atomic(into, own, each);
    else this.#store(into, own, each);
  }

  #add(into: Statement[], value: string | undefined): void {
    if (value !== undefined) into.push(line`s = s * ${this.#random.pick([3, 5, 31])} + ${value};`);
  }

  /** A number loaded through the pointer, as text. */
  #load(pointer: Pointer, index: Index = this.#any()): string | undefined {
    const { element, lanes } = pointer.region;
    const { name } = pointer;
    if (lanes === 1 && this.#chance(25)) {
      const count = this.#random.pick([2, 3, 4, 8]);
      const place = this.#indexFor(pointer, index, count - 1);
      const member = `s${this.#random.below(count)}`;
      return place && toNumber(element, `vload${count}(0, ${name} + (${place})).${member}`);
    }
    const place = this.#indexFor(pointer, index);
    if (!place) return undefined;
    const form = this.#chance(80) ? `${name}[${place}]` : `*(${name} + (${place}))`;
    return toNumber(element, lanes > 1 ? `(${form}).s${this.#random.below(lanes)}` : form);
  }

  #condition(): string {
    return this.#random.pick([
      'x & 1',
      's & 2',
      'x > 3',
      'm > 5',
      'at < n + 8',
      'y == 0',
      '(x + s) % 3 == 0',
    ]);
  }

  #guarded(into: Statement[], pointer: Pointer): void {
    const [one, other] = [this.#load(pointer), this.#load(pointer)];
    if (!one || !other) return;
    if (this.#chance(30)) {
      this.#lateLanes(into, pointer);
      return;
    }
    into.push(
      this.#random.pick([
        line`if (${this.#condition()}) s += ${one};`,
        line`if (${this.#condition()}) s += ${one}; else s ^= ${other};`,
        line`s ^= ${this.#condition()} ? ${one} : ${other};`,
        line`s += ${this.#condition()} ? ${one} : 7u;`,
      ]),
    );
  }

  /** Only work-items from some column on take part, far apart: where the others would be may be before all memory. */
  #lateLanes(into: Statement[], pointer: Pointer): void {
    const step = this.#random.pick([16, 40, 100, 250]);
    const first = 1 + this.#random.below(6);
    const most = Math.max(0, this.#columns - 1 - first) * step;
    const place = this.#indexFor(
      pointer,
      { text: `(x - ${first}) * ${step}`, most },
      0,
      this.#random.below(4),
    );
    if (!place) return;
    const { element, lanes } = pointer.region;
    const text = `${pointer.name}[${place}]`;
    into.push(line`if (x >= ${first}) s += ${toNumber(element, lanes > 1 ? `(${text}).x` : text)};`);
  }

  #loop(into: Statement[], pointer: Pointer): void {
    const [i, most] = [this.#name('i'), this.#random.pick([2, 4, 5, 9, 16])];
    const turns = this.#random.pick([`${most}`, `${most}`, `min(m, ${most})`, `min((x & 3) + 1, ${most})`]);
    const step = this.#random.pick([1, 1, 2, 16, 37, 100]);
    const { region, name } = pointer;
    const start = this.#any(64);
    const type = `${region.space}${typeOf(region)}`;
    const of = (text: string): string => toNumber(region.element, region.lanes > 1 ? `(${text}).x` : text);
    const kind = this.#random.below(4);
    if (kind < 2) {
      const index = { text: `${start.text} + ${i} * ${step}`, most: start.most + (most - 1) * step };
      const place = this.#indexFor(pointer, index);
      if (place)
        into.push(line`for (int ${i} = 0; ${i} < ${turns}; ${i}++) s = s * 3 + ${of(`${name}[${place}]`)};`);
      return;
    }
    // A pointer that walks, up from its first element or down from its last.
    const place = this.#indexFor(pointer, start, most * step);
    if (!place) return;
    const q = this.#name('q');
    const isDown = kind === 3;
    into.push(
      line`${[
        essential`${type} *${q} = ${name} + (${place})${isDown ? ` + ${most * step}` : ''};`,
        line`for (int ${i} = 0; ${i} < ${turns}; ${i}++, ${q} ${isDown ? '-' : '+'}= ${step}) s = s * 3 + ${of(`*${q}`)};`,
      ]}`,
    );
  }

  /** Elements beside each other, in one row and in those above and below. */
  #neighbours(into: Statement[], pointer: Pointer): void {
    const { region, name, moved, numbers, own } = pointer;
    const row = this.#random.pick([this.#columns + 2, 64, 100, 300]);
    const most = 2 * row + (this.#rows - 1) * row + this.#columns + 1;
    const room = region.length - own.most - most;
    if (room < 1) return;
    const first = this.#random.below(room);
    const back = numbers.map((number) => ` - ${number}`).join('');
    const center = `${own.text === 'x' || own.text === 'at' ? '0' : 'x'} + y * ${row}${back}`;
    const places = [0, 1, 2, row, row + 2, 2 * row, 2 * row + 1];
    const terms = places
      .filter(() => this.#chance(70))
      .map((place) => {
        const by = first + place - moved;
        const text = `${name}[${center} ${by < 0 ? `- ${-by}` : `+ ${by}`}]`;
        return toNumber(region.element, region.lanes > 1 ? `(${text}).y` : text);
      });
    if (terms.length > 0) into.push(line`s += ${terms.join(' + 3 * ')};`);
  }

  /** Pointers in an array, each with its own way back. */
  #fromTable(into: Statement[], pointer: Pointer): void {
    const { region, name } = pointer;
    const table = this.#name('t');
    const start = this.#any(64);
    const by = this.#random.below(Math.max(1, Math.floor((region.length - pointer.moved) / 4)));
    const other = { ...pointer, moved: pointer.moved + by };
    const [one, two] = [this.#indexFor(pointer, start), this.#indexFor(other, start)];
    if (!one || !two || by > region.length - pointer.moved - pointer.own.most - 2 * mostNumber) return;
    const which = this.#random.pick(['x & 1', 's & 1', 'm & 1']);
    const text = `${table}[${which}][(${which}) ? ${two} : ${one}]`;
    into.push(
      line`${[
        essential`${region.space}${typeOf(region)} *${table}[2];`,
        essential`${table}[0] = ${name}; ${table}[1] = ${name} + ${by};`,
        line`s += ${toNumber(region.element, region.lanes > 1 ? `(${text}).x` : text)};`,
      ]}`,
    );
  }

  /** A function that leads back, from a pointer that its caller has moved. */
  #called(into: Statement[], pointer: Pointer): void {
    const { region, name } = pointer;
    const helper = this.#name('helper');
    const most = 64;
    const inside: Pointer = { ...pointer, name: 'p', numbers: [] };
    const place = this.#indexFor(inside, { text: 'i', most });
    const start = this.#any(most);
    if (!place) return;
    const value = toNumber(region.element, region.lanes > 1 ? `(p[${place}]).x` : `p[${place}]`);
    this.#definitions.push(
      essential`uint ${helper}(${region.space}${typeOf(region)} *p, int i) ${[essential`return ${value};`]}`,
    );
    const back = pointer.numbers.map((number) => ` - ${number}`).join('');
    into.push(line`s = s * 5 + ${helper}(${name}${back}, ${start.text});`);
  }

  #privateArray(into: Statement[]): void {
    const [array, p, k] = [this.#name('own'), this.#name('p'), this.#name('k')];
    const element = this.#random.pick(elementTypes);
    const isHuge = this.#isHuge && this.#items < 20;
    const length = isHuge ? 300_000 : this.#random.pick([20, 50, 300, 1500]);
    const [count, step] = [Math.min(length, 20), Math.max(1, Math.floor(length / 20))];
    const moved = Math.floor(length * 0.9);
    const read = this.#random.pick([`(x % ${count})`, `(int)(s % ${count})`, `((at + m) % ${count})`]);
    into.push(
      line`${[
        essential`${element} ${array}[${length}];`,
        essential`${element} *${p} = ${array} + ${moved};`,
        essential`for (int ${k} = 0; ${k} < ${count}; ${k}++) ${p}[${k} * ${step} - ${moved}] = (${element})(${k} * 3 + (x & 7));`,
        line`s += ${toNumber(element, `${p}[${read} * ${step} - ${moved}]`)};`,
        line`for (int ${k} = 0; ${k} < ${count}; ${k}++) s = s * 3 + ${toNumber(element, `${p}[${k} * ${step} - ${moved}]`)};`,
      ]}`,
    );
  }

  /** Written by the group's work-items, each its own element, and read after they have met. */
  #localArray(into: Statement[]): void {
    const [array, p] = [this.#name('tile'), this.#name('p')];
    const element = this.#random.pick(elementTypes);
    const items = this.#local[0]! * this.#local[1]!;
    const step = this.#random.pick([1, 1, 3, 8]);
    const length = Math.max(items * step, this.#random.pick([100, 400, 1000]));
    const moved = Math.floor(length * 0.9);
    if (this.#chance(70)) {
      this.#locals.push(essential`local ${element} ${array}[${length}];`);
    } else {
      // An argument, for which the numbers among the arguments make room.
      this.#parameters.push(`local ${element} *${array}`);
      this.#arguments.push({ local: length * bytesOf[element] });
    }
    const meet = essential`barrier(CLK_LOCAL_MEM_FENCE);`;
    const other = this.#random.pick([`(${items - 1} - li)`, `((li + 1) % ${items})`, '0']);
    into.push(
      essential`local ${element} *${p} = ${array} + ${moved};`,
      essential`${p}[li * ${step} - ${moved}] = (${element})(s & 63);`,
      meet,
      line`s = s * 7 + ${toNumber(element, `${p}[${other} * ${step} - ${moved}]`)};`,
      meet,
    );
  }

  /** An element of the work-item's own, behind the pointer. */
  #ownPlace(own: Pointer, each: number): string {
    const j = this.#random.below(each);
    const isMoved = own.own.most > 0;
    // What the pointer has been moved by already is taken back.
    const back = isMoved ? ` - ${own.own.text}` : '';
    const constant = j - own.moved;
    const numbers = own.numbers.map((number) => ` - ${number}`).join('');
    const sum = constant < 0 ? `- ${-constant}` : `+ ${constant}`;
    return this.#random.pick([
      `at * ${each} ${sum}${numbers}${back}`,
      `(at * ${each}${back}) ${sum}${numbers}`,
      `${constant}${numbers} + at * ${each}${back}`,
    ]);
  }

  #store(into: Statement[], own: Pointer, each: number): void {
    const { element } = own.region;
    const place = `${own.name}[${this.#ownPlace(own, each)}]`;
    const value = `(${element})(s & 127)`;
    into.push(
      this.#random.pick([
        line`${place} = ${value};`,
        line`${place} += ${value};`,
        line`if (${this.#condition()}) ${place} = ${value};`,
      ]),
    );
    if (this.#chance(30)) this.#add(into, toNumber(element, `${own.name}[${this.#ownPlace(own, each)}]`));
  }

  #atomic(into: Statement[], own: Pointer, each: number): void {
    const { element } = own.region;
    if (element !== 'int' && element !== 'uint') return;
    const fn = this.#random.pick(['add', 'sub', 'xchg', 'min', 'max', 'and', 'or', 'xor']);
    const place = `(volatile global ${element} *)&${own.name}[${this.#ownPlace(own, each)}]`;
    into.push(line`s += (uint)atomic_${fn}(${place}, (${element})(s & 255));`);
  }
}

function typeOf({ element, lanes }: Pick<Region, 'element' | 'lanes'>): string {
  return lanes > 1 ? `${element}${lanes}` : element;
}

/** As a uint; a float is a whole number of either sign. */
function toNumber(element: Element, text: string): string {
  return element === 'float' ? `(uint)(int)${text}` : `(uint)${text}`;
}
