/**
 * Checks what the parser does not see, because it stands in several instructions: that blocks are closed in turn, that
 * functions and macros are there once and those that are called are there, and that the program begins and ends.
 */
import type { Diagnostics } from '../source/diagnostics.ts';
import type { Span } from '../source/span.ts';
import type { Instruction, Program } from './tree.ts';

type BlockKind = 'if' | 'else' | 'loop' | 'switch' | 'func' | 'mdef';

interface Block {
  readonly kind: BlockKind;
  readonly name: string;
  readonly span: Span;
}

const openers: ReadonlyMap<string, BlockKind> = new Map<string, BlockKind>([
  ['ifc', 'if'],
  ['ifnz', 'if'],
  ['if_logicalz', 'if'],
  ['if_logicalnz', 'if'],
  ['loop', 'loop'],
  ['whileloop', 'loop'],
  ['switch', 'switch'],
  ['mdef', 'mdef'],
]);

const closers: ReadonlyMap<string, readonly BlockKind[]> = new Map<string, readonly BlockKind[]>([
  ['endif', ['if', 'else']],
  ['endloop', ['loop']],
  ['endswitch', ['switch']],
  ['mend', ['mdef']],
]);

/** So deep blocks may stand in one another; in lowering, where functions and macros are followed, with the calls between them. */
export const deepestBlocks = 200;

const expectedHeader = 'expected a header, il_ps_2_0, il_ps_3_0 or il_cs_2_0';

/** What stands only in certain blocks. */
const places: readonly (readonly [RegExp, readonly BlockKind[], string])[] = [
  [/^break/, ['loop', 'switch'], 'a loop or a switch'],
  [/^continue/, ['loop'], 'a loop'],
  [/^(case|default)$/, ['switch'], 'a switch'],
];

/** Reports what is wrong with the order of a program's instructions. */
export function checkIl(program: Program, diagnostics: Diagnostics): void {
  new Checker(diagnostics).check(program);
}

class Checker {
  readonly #diagnostics: Diagnostics;
  readonly #blocks = new OpenBlocks();
  readonly #functions = new Map<string, Span>();
  readonly #macros = new Map<string, Span>();
  readonly #calls: { readonly label: string; readonly kind: 'function' | 'macro'; readonly span: Span }[] =
    [];
  #hasHeader = false;
  #hasEnd = false;

  constructor(diagnostics: Diagnostics) {
    this.#diagnostics = diagnostics;
  }

  check({ file, items }: Program): void {
    for (const item of items) {
      if (this.#diagnostics.isFull) return;
      if (item.kind === 'header') this.#header(item.span);
      else if (item.kind === 'instruction') this.#instruction(item);
    }
    for (const { kind, name, span } of this.#blocks.list) {
      if (kind !== 'func') this.#diagnostics.error(span, `the block of this ${name} is not closed`);
    }
    this.#checkCalls();
    const end = { file, start: file.text.length, end: file.text.length };
    if (!this.#hasHeader) this.#diagnostics.error(end, `${expectedHeader}, the text ends`);
    else if (!this.#hasEnd) this.#diagnostics.error(end, "expected 'end', the text ends");
  }

  #header(span: Span): void {
    if (this.#hasHeader) this.#diagnostics.error(span, 'a program has one header, and this is the second');
    this.#hasHeader = true;
  }

  #open(block: Block): void {
    if (this.#blocks.list.length === deepestBlocks)
      this.#diagnostics.error(block.span, `blocks stand more than ${deepestBlocks} deep`);
    this.#blocks.push(block);
  }

  #instruction(instruction: Instruction): void {
    const { opcode, span } = instruction;
    const { name } = opcode;
    this.#checkPlace(name, span);
    const opened = openers.get(name);
    if (opened !== undefined) this.#open({ kind: opened, name, span });
    const closed = closers.get(name);
    if (closed !== undefined) this.#close(closed, name, span);
    if (name === 'else') this.#else(span);
    else if (name === 'func') this.#function(instruction);
    else if (name === 'endfunc') this.#endFunction(span);
    else if (name === 'mdef') this.#define(this.#macros, 'macro', macroNumber(instruction), span);
    else if (name === 'mcall') this.#calls.push({ kind: 'macro', label: macroNumber(instruction), span });
    else if (name.startsWith('call'))
      this.#calls.push({ kind: 'function', label: labelOf(instruction), span });
    else if (name === 'end') this.#hasEnd = true;
  }

  /** Macros stand before the header or behind the end, where a second end may be; everything else stands between them. */
  #checkPlace(name: string, span: Span): void {
    const isOfMacro = name === 'mdef' || this.#blocks.has('mdef');
    if (!this.#hasHeader && !isOfMacro) {
      this.#diagnostics.error(span, `${expectedHeader}, found ${name}`);
      this.#hasHeader = true;
    }
    if (this.#hasEnd && !isOfMacro && name !== 'end') {
      this.#diagnostics.error(span, `${name} stands after the end of the program`);
    }
    for (const [pattern, kinds, where] of places) {
      if (pattern.test(name) && !kinds.some((kind) => this.#blocks.has(kind))) {
        this.#diagnostics.error(span, `${name} stands outside of ${where}`);
      }
    }
  }

  #close(kinds: readonly BlockKind[], name: string, span: Span): void {
    const { last } = this.#blocks;
    if (last === undefined || last.kind === 'func') {
      this.#diagnostics.error(span, `${name} closes no block`);
      return;
    }
    if (!kinds.includes(last.kind)) {
      const notes = [{ message: `the block of this ${last.name} is open`, span: last.span }];
      this.#diagnostics.error(span, `${name} does not close the block that is open`, notes);
      if (!kinds.some((kind) => this.#blocks.has(kind))) return;
    }
    let popped: Block | undefined;
    do popped = this.#blocks.pop();
    while (popped !== undefined && !kinds.includes(popped.kind));
  }

  #else(span: Span): void {
    if (this.#blocks.last?.kind !== 'if') {
      this.#diagnostics.error(span, 'else stands outside of an if');
      return;
    }
    this.#blocks.pop();
    this.#blocks.push({ kind: 'else', name: 'else', span });
  }

  /** Functions end with endfunc in some programs; in others they go on to the next function or to the end. */
  #function(instruction: Instruction): void {
    const { span } = instruction;
    const { last } = this.#blocks;
    if (last?.kind === 'func') this.#blocks.pop();
    else if (last !== undefined)
      this.#diagnostics.error(span, `func stands inside the block of a ${last.name}`);
    this.#blocks.push({ kind: 'func', name: 'func', span });
    this.#define(this.#functions, 'function', labelOf(instruction), span);
  }

  #endFunction(span: Span): void {
    if (this.#blocks.last?.kind === 'func') this.#blocks.pop();
    else this.#diagnostics.error(span, 'endfunc ends no function');
  }

  #define(known: Map<string, Span>, what: string, label: string, span: Span): void {
    const other = known.get(label);
    if (other === undefined) known.set(label, span);
    else {
      const notes = [{ message: 'here it is for the first time', span: other }];
      this.#diagnostics.error(span, `${what} ${label} is there twice`, notes);
    }
  }

  #checkCalls(): void {
    for (const { kind, label, span } of this.#calls) {
      const known = kind === 'function' ? this.#functions : this.#macros;
      if (!known.has(label)) this.#diagnostics.error(span, `there is no ${kind} ${label}`);
    }
  }
}

/** The blocks that are open, outermost first, and how many there are of each kind. */
class OpenBlocks {
  readonly list: Block[] = [];
  readonly #counts = new Map<BlockKind, number>();

  get last(): Block | undefined {
    return this.list.at(-1);
  }

  has(kind: BlockKind): boolean {
    return (this.#counts.get(kind) ?? 0) > 0;
  }

  push(block: Block): void {
    this.list.push(block);
    this.#counts.set(block.kind, (this.#counts.get(block.kind) ?? 0) + 1);
  }

  pop(): Block | undefined {
    const block = this.list.pop();
    if (block !== undefined) this.#counts.set(block.kind, (this.#counts.get(block.kind) ?? 0) - 1);
    return block;
  }
}

/** The number behind call and func. */
function labelOf({ operands }: Instruction): string {
  const last = operands.at(-1);
  return last?.kind === 'number' ? String(last.bits) : '';
}

/** The number in the parentheses of mdef and mcall. */
function macroNumber({ modifiers }: Instruction): string {
  return String(Number(modifiers[0]?.values[0] ?? ''));
}
