/**
 * The syntax tree of an AMD IL program: its instructions in the order of the text, each with its modifiers and operands.
 *
 * IL has no expressions, so the tree is flat; which instructions belong to which block, function or macro is for check.ts
 * to see. Masks are kept by component, swizzles as they are written, since what a short swizzle stands for depends on the
 * instruction.
 */
import type { SourceFile } from '../source/source-file.ts';
import type { Span } from '../source/span.ts';
import type { Opcode } from './opcodes.ts';
import type { RegisterKind } from './registers.ts';

export interface Program {
  readonly file: SourceFile;
  readonly items: readonly Item[];
}

export type Item = Header | Instruction | Comment;

/** `il_ps_2_0`: what kind of program it is, and of which version of the language. */
export interface Header {
  readonly kind: 'header';
  readonly shader: 'ps' | 'cs';
  /** As in the text, `2_0`; empty where it is left out. */
  readonly version: string;
  readonly span: Span;
}

/** From a semicolon to the end of the line. */
export interface Comment {
  readonly kind: 'comment';
  /** without the semicolon and blanks at the end */
  readonly text: string;
  /** whether it stands behind an instruction */
  readonly isTrailing: boolean;
  readonly span: Span;
}

export interface Instruction {
  readonly kind: 'instruction';
  readonly opcode: Opcode;
  readonly modifiers: readonly Modifier[];
  readonly operands: readonly Operand[];
  readonly span: Span;
}

/** A part of the mnemonic behind the opcode: `_ieee`, `_sampler(0)`, `_aoffimmi(1,0,0)`. */
export interface Modifier {
  /** without the underscore; empty for the number of a macro, `mcall(3)` */
  readonly name: string;
  readonly values: readonly string[];
  readonly span: Span;
}

export type Operand = Destination | Source | NumberOperand | WordOperand | MacroArguments;

/** What an instruction does to one component of its destination. */
export type Write = 'write' | 'keep' | 'zero' | 'one';

export interface Destination {
  readonly kind: 'destination';
  readonly register: Register;
  /** for x, y, z and w */
  readonly mask: readonly [Write, Write, Write, Write];
  readonly span: Span;
}

/** A component that a swizzle picks, or a constant in its place. */
export type Selector = 'x' | 'y' | 'z' | 'w' | '0' | '1';

export interface Source {
  readonly kind: 'source';
  readonly register: Register;
  /** one to four selectors as written; undefined where there is no swizzle */
  readonly swizzle: readonly Selector[] | undefined;
  /** in the order of the text */
  readonly modifiers: readonly SourceModifier[];
  readonly span: Span;
}

export interface SourceModifier {
  readonly name: string;
  /** of `_neg` and `_divcomp`: the components */
  readonly components: string;
}

export interface Register {
  readonly kind: RegisterKind;
  /** `3` of `r3`; undefined for registers of which there is one, `vAbsTidFlat` and `g` */
  readonly number: number | undefined;
  /** what stands in brackets, from left to right */
  readonly indices: readonly Index[];
}

/** `[r1.x + 4]`: a sum of registers and numbers. */
export interface Index {
  readonly terms: readonly (Source | NumberOperand)[];
}

export interface NumberOperand {
  readonly kind: 'number';
  /** as written */
  readonly text: string;
  /** whether it is written as an integer, in decimal or hexadecimal digits, or as a float */
  readonly isFloat: boolean;
  /** the 32 bits it stands for, as an unsigned integer */
  readonly bits: number;
  readonly span: Span;
}

/** A name that is no register: a flag of dcl_global_flags. */
export interface WordOperand {
  readonly kind: 'word';
  readonly text: string;
  readonly span: Span;
}

/** `(r1, r2)` of mcall: what the macro writes, or what it reads. */
export interface MacroArguments {
  readonly kind: 'arguments';
  readonly operands: readonly (Destination | Source)[];
  readonly span: Span;
}
