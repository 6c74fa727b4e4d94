/**
 * The assembler: a listing, as print.ts writes it and people change it, becomes a program again. Numbers of bundles and of control
 * flow only have to rise; addresses, counts, locks of constants and the cycles of reads are worked out anew. What comes out
 * keeps the rules of validate.ts.
 */
import type { Diagnostics } from '../../../source/diagnostics.ts';
import { LineIsLost } from '../../../source/line-cursor.ts';
import type { SourceFile } from '../../../source/source-file.ts';
import type { Span } from '../../../source/span.ts';
import { giveAddresses, wordsOfBundles } from '../addresses.ts';
import { type Lock, locked, type SlotName } from '../bundles.ts';
import type { Chip } from '../chips.ts';
import type { FetchName } from '../operations.ts';
import type { AluBundle, AluInstruction, ControlFlow, FetchInstruction, Program } from '../program.ts';
import { validate } from '../validate.ts';
import { controlFlow, type Head } from './control-flow.ts';
import { Cursor } from './cursor.ts';
import { aluInstruction, fetchInstruction, isFetchName, withSwizzles } from './instructions.ts';
import type { BundleContext } from './operands.ts';

export interface AssembleOptions {
  readonly chip: Chip;
  readonly kind: Program['kind'];
  /** Where the listing begins in the file. */
  readonly from: number;
  readonly localBytes: number;
  readonly scratchBytes: number;
}

/** Assembles a listing; undefined if it has mistakes, which are reported. Nothing that a user writes makes this throw. */
export function assemble(
  file: SourceFile,
  diagnostics: Diagnostics,
  options: AssembleOptions,
): Program | undefined {
  return new Assembler(file, diagnostics, options).run();
}

/** A bundle while its lines are read. */
interface OpenBundle extends BundleContext {
  readonly number: number;
  readonly instructions: AluInstruction[];
  readonly span: Span;
}

/** A clause or another instruction of control flow, with the number that the text gives it. */
interface Entry {
  readonly number: number;
  readonly head: Head;
  readonly span: Span;
  readonly bundles: OpenBundle[];
  readonly fetches: FetchInstruction[];
}

class Assembler {
  readonly #cursor: Cursor;
  readonly #diagnostics: Diagnostics;
  readonly #options: AssembleOptions;
  readonly #entries: Entry[] = [];
  #lastNumber = -1;
  #isEnded = false;

  constructor(file: SourceFile, diagnostics: Diagnostics, options: AssembleOptions) {
    this.#cursor = new Cursor(file, diagnostics);
    this.#cursor.offset = options.from;
    this.#diagnostics = diagnostics;
    this.#options = options;
  }

  run(): Program | undefined {
    const cursor: Cursor = this.#cursor;
    const before = this.#diagnostics.errorCount;
    while (!cursor.isAtEnd && !this.#diagnostics.isFull) {
      try {
        if (!cursor.isLineDone) this.#line();
      } catch (error) {
        if (!(error instanceof LineIsLost)) throw error;
      }
      cursor.nextLine();
    }
    const program = this.#diagnostics.errorCount === before ? this.#finish() : undefined;
    return this.#diagnostics.errorCount === before ? program : undefined;
  }

  #line(): void {
    const cursor: Cursor = this.#cursor;
    const start = cursor.here();
    if (this.#isEnded) cursor.lost('END_OF_PROGRAM is the end');
    if (cursor.word(/END_OF_PROGRAM\b/y) !== '') {
      this.#isEnded = true;
      this.#lineEnd();
      return;
    }
    const digits = cursor.word(/\d+(?!\w)/y);
    const slot = cursor.word(/[xyzwt](?=\s*:)/y) as SlotName | '';
    if (slot !== '') {
      cursor.expect(':');
      this.#alu(digits, slot, start);
      this.#lineEnd();
      return;
    }
    if (digits === '') cursor.lost('expected the number of an instruction, or the slot of one');
    const nameAt = cursor.here();
    const name = cursor.read(/\w+/y);
    if (isFetchName(name)) this.#fetch(digits, name as FetchName, nameAt);
    else {
      cursor.offset = nameAt;
      this.#control(Number(digits), start);
    }
    this.#lineEnd();
  }

  #lineEnd(): void {
    if (!this.#cursor.isLineDone) this.#cursor.lost('expected the end of the line');
  }

  #control(number: number, start: number): void {
    const last = this.#entries.at(-1);
    if (last && number <= last.number)
      this.#cursor.fail(start, `instruction ${number} stands behind ${last.number}: numbers must rise`);
    const head = controlFlow(this.#cursor);
    this.#entries.push({ number, head, span: this.#cursor.spanFrom(start), bundles: [], fetches: [] });
  }

  #number(digits: string, start: number): number {
    const number = Number(digits);
    if (number <= this.#lastNumber)
      this.#cursor.fail(start, `number ${number} stands behind ${this.#lastNumber}: numbers must rise`);
    this.#lastNumber = number;
    return number;
  }

  #alu(digits: string, slot: SlotName, start: number): void {
    const cursor: Cursor = this.#cursor;
    const entry = this.#entries.at(-1);
    if (entry?.head.kind !== 'alu') cursor.fail(start, 'an ALU instruction that stands in no ALU clause');
    const { bundles } = entry;
    if (digits !== '') {
      const previous = bundles.at(-1)?.number;
      const number = this.#number(digits, start);
      bundles.push({ number, previous, literals: [], instructions: [], span: cursor.spanFrom(start) });
    }
    const bundle = bundles.at(-1);
    if (!bundle) cursor.fail(start, 'the first instruction of a clause begins a bundle: expected its number');
    bundle.instructions.push(aluInstruction(cursor, slot, bundle, this.#options.chip));
  }

  #fetch(digits: string, name: FetchName, start: number): void {
    const cursor: Cursor = this.#cursor;
    const entry = this.#entries.at(-1);
    const unit = name === 'VFETCH' ? 'VTX' : 'TEX';
    if (entry?.head.kind !== 'fetch' || entry.head.name !== unit)
      cursor.fail(start, `${name} stands in a ${unit} clause`);
    entry.fetches.push(fetchInstruction(cursor, name, this.#number(digits, start), start));
  }

  #finish(): Program | undefined {
    const entries = this.#entries;
    const { chip, kind, localBytes, scratchBytes } = this.#options;
    if (!this.#isEnded) {
      const end = this.#cursor.file.text.length;
      this.#diagnostics.error({ file: this.#cursor.file, start: end, end }, 'expected END_OF_PROGRAM');
      return undefined;
    }
    const made = this.#formed();
    const program: Program = {
      name: 'main',
      chip,
      kind,
      controlFlow: giveAddresses(made),
      registers: registersOf(made, kind),
      temporaries: 0,
      localBytes,
      scratchBytes,
      spilledWords: 0,
      notes: [],
    };
    for (const problem of validate(program)) {
      const [, where, what] = /^(\d+): (.*)$/s.exec(problem) ?? [];
      const span = where === undefined ? undefined : entries[Number(where)]?.span;
      if (span) this.#diagnostics.error(span, what!);
      else this.#diagnostics.error(entries[0]?.span ?? this.#cursor.spanFrom(0), problem);
    }
    return program;
  }

  /** The entries with everything that follows from their order. */
  #formed(): readonly ControlFlow[] {
    let number = 0;
    let depth = 0;
    const made: ControlFlow[] = [];
    for (const entry of this.#entries) {
      const { head } = entry;
      if (head.kind === 'write') made.push(head);
      else if (head.kind === 'branch') {
        if (head.name === 'ENDLOOP') depth = Math.max(0, depth - 1);
        made.push({ ...head, to: this.#target(entry, head.to), depth });
        if (head.name === 'LOOP_DX10') depth += 1;
      } else if (head.kind === 'fetch') {
        const fetches = entry.fetches.map((fetch, index) => ({ ...fetch, number: number + index }));
        number += fetches.length;
        made.push({ ...head, address: 0, fetches });
      } else {
        const from = number;
        const bundles = entry.bundles.map((bundle, index) => this.#bundle(bundle, from + index));
        number += bundles.length;
        const words = wordsOfBundles(bundles);
        made.push({ ...head, address: 0, words, locks: this.#locks(entry, bundles), bundles });
      }
    }
    return made;
  }

  #bundle({ instructions, literals, span }: OpenBundle, number: number): AluBundle {
    const order = [...instructions].sort((a, b) => 'xyzwt'.indexOf(a.slot) - 'xyzwt'.indexOf(b.slot));
    const read = withSwizzles(order, this.#options.chip);
    if (!read) this.#diagnostics.error(span, 'the bundle reads more than its ports can');
    const filled = Array.from(literals, (bits) => bits ?? 0);
    return { number, instructions: read ?? order, literals: filled };
  }

  #locks(entry: Entry, bundles: readonly AluBundle[]): readonly Lock[] {
    let locks: readonly Lock[] = [];
    for (const { sources } of bundles.flatMap(({ instructions }) => instructions)) {
      for (const source of sources) {
        if (source.kind !== 'constant') continue;
        const more = locked(locks, source.buffer, source.index);
        if (!more) {
          this.#diagnostics.error(entry.span, 'the clause reads more constants than it can lock');
          return locks;
        }
        locks = more;
      }
    }
    return locks;
  }

  /** The place of a numbered instruction; that behind the last one has the number behind the last. */
  #target({ span }: Entry, number: number): number {
    const entries = this.#entries;
    const at = entries.findIndex((entry) => entry.number >= number);
    if (at >= 0 && entries[at]!.number === number) return at;
    if (at < 0 && number === entries.at(-1)!.number + 1) return entries.length;
    this.#diagnostics.error(span, `there is no instruction ${number}`);
    return entries.length;
  }
}

/** General registers that a program names, and those that it begins with. */
function registersOf(program: readonly ControlFlow[], kind: Program['kind']): number {
  let most = kind === 'compute' ? 1 : 0;
  const see = (index: number): void => {
    most = Math.max(most, index);
  };
  for (const one of program) {
    if (one.kind === 'alu') {
      for (const { target, sources } of one.bundles.flatMap(({ instructions }) => instructions)) {
        for (const each of [target, ...sources])
          if (each && 'file' in each && each.file === 'general') see(each.index);
      }
    } else if (one.kind === 'fetch') {
      for (const { target, address } of one.fetches) {
        see(target);
        see(address);
      }
    } else if (one.kind === 'write') {
      see(one.write.source);
      if (one.write.index) see(one.write.index.index);
    }
  }
  return most + 1;
}
