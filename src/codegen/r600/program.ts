/**
 * A finished program: what a listing shows, the validator checks, the simulator runs and the model counts. All places are numbers;
 * nothing leads back to how it was made but spans.
 */
import type { Span } from '../../source/span.ts';
import type { Lock, SlotName } from './bundles.ts';
import type { Chip } from './chips.ts';
import type { Opcode } from './opcodes.ts';
import type { Channel, FetchName, WriteName } from './operations.ts';
import type { BankSwizzle } from './ports.ts';

/** A word of a general register (R), or of a clause temporary (T). */
export interface Place {
  readonly file: 'general' | 'temporary';
  readonly index: number;
  readonly channel: Channel;
}

interface Modifiers {
  readonly negate?: boolean | undefined;
  readonly absolute?: boolean | undefined;
}

export type Operand = Modifiers &
  (
    | ({ readonly kind: 'place' } & Place)
    /** What the bundle before computed in a slot. */
    | { readonly kind: 'previous'; readonly slot: SlotName }
    | {
        readonly kind: 'constant';
        readonly buffer: number;
        readonly index: number;
        readonly channel: Channel;
      }
    /** A pattern that every instruction knows, or one of the bundle's literals, by its place among them. */
    | { readonly kind: 'number'; readonly bits: number; readonly literal: Channel | undefined }
  );

export interface AluInstruction {
  readonly slot: SlotName;
  readonly opcode: Opcode;
  /** Undefined if nobody reads it there; the bundle behind may take it all the same. */
  readonly target: Place | undefined;
  readonly sources: readonly Operand[];
  readonly swizzle: BankSwizzle;
  /** Threads for which the predicate fails are switched off, or leave the loop. */
  readonly setsMask: boolean;
  readonly span: Span | undefined;
}

export interface AluBundle {
  /** Bundles and fetches are numbered together. */
  readonly number: number;
  readonly instructions: readonly AluInstruction[];
  readonly literals: readonly number[];
}

export interface FetchInstruction {
  readonly number: number;
  readonly name: FetchName;
  readonly target: number;
  /** For each channel of the target, the component of what is fetched that goes there; undefined leaves it as it is. */
  readonly components: readonly (number | undefined)[];
  readonly address: number;
  /** For each coordinate, the channel of the address; undefined for those that are not used. */
  readonly coordinates: readonly (Channel | undefined)[];
  readonly resource: number;
  readonly sampler: number | undefined;
  readonly offset: number;
  readonly format: string | undefined;
  /** Bytes that come. */
  readonly bytes: number;
  readonly isNormalised: boolean;
  readonly isConstant: boolean;
  readonly span: Span | undefined;
}

export interface WriteInstruction {
  readonly name: WriteName;
  readonly source: number;
  /** For each channel of an export, the channel of the source; for memory, whether it is written. */
  readonly channels: readonly (Channel | undefined)[];
  readonly index: Place | undefined;
  readonly base: number;
  /** The program exports nothing more. */
  readonly isLast: boolean;
  readonly span: Span | undefined;
}

export type AluClauseName = 'ALU' | 'ALU_PUSH_BEFORE' | 'ALU_POP_AFTER' | 'ALU_BREAK';

/** An instruction of the control flow program. Those with an address run the clause there. */
export type ControlFlow =
  | {
      readonly kind: 'alu';
      readonly name: AluClauseName;
      readonly address: number;
      readonly words: number;
      readonly locks: readonly Lock[];
      readonly bundles: readonly AluBundle[];
    }
  | {
      readonly kind: 'fetch';
      readonly name: 'TEX' | 'VTX';
      readonly address: number;
      readonly fetches: readonly FetchInstruction[];
    }
  | { readonly kind: 'write'; readonly write: WriteInstruction }
  /** `to` is the number of the instruction that it goes to. */
  | {
      readonly kind: 'branch';
      readonly name: 'JUMP' | 'ELSE' | 'POP' | 'LOOP_DX10' | 'ENDLOOP' | 'BREAK' | 'CONTINUE';
      readonly to: number;
      readonly pops: 0 | 1;
      /** How many loops are around a LOOP_DX10 or ENDLOOP. */
      readonly depth: number;
      readonly span: Span | undefined;
    };

export interface Program {
  readonly name: string;
  readonly chip: Chip;
  readonly kind: 'pixel' | 'compute';
  readonly controlFlow: readonly ControlFlow[];
  /** General registers and clause temporaries. */
  readonly registers: number;
  readonly temporaries: number;
  readonly localBytes: number;
  readonly scratchBytes: number;
  /** Of these, words that would be in registers if there were enough. */
  readonly spilledWords: number;
  readonly notes: readonly { readonly text: string; readonly span: Span | undefined }[];
}
