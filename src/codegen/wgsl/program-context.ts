/** What the functions of one program share while they are written. */
import type * as ir from '../../ir/ir.ts';
import type { PrintfSite } from '../../ir/printf/record.ts';
import type { Span } from '../../source/span.ts';
import type { MemoryFunctions } from './memory-functions.ts';
import type { RuntimeName } from './runtime.ts';
import type { MemoryUse, Place, PlaceOf } from './spaces.ts';

/** A place in the source as text; undefined for one that is not to be shown. */
export type PlaceText = (span: Span) => string | undefined;

export interface ProgramContext {
  /** Division and square root are rounded correctly. */
  readonly isExact: boolean;
  /** Sums and products may be reordered. */
  readonly isRelaxed: boolean;
  readonly memory: MemoryUse;
  readonly functions: MemoryFunctions;
  readonly placeOf: PlaceOf;
  /** What comments say of a place in the source; absent where there are no such comments. */
  readonly placeText: PlaceText | undefined;
  /** Words of an element of that array: 1, 2 or 4. */
  elementWords(place: Place): number;
  /** The printf calls so far, whose places are the numbers of their formats. */
  readonly printfSites: PrintfSite[];
  /** Names a function of the runtime, which the program then gets. */
  use(name: RuntimeName): string;
  /** Names the function that floats of so many lanes go through where their order matters. */
  inOrder(lanes: number): string;
  nameOf(fn: ir.Function): string;
  /** Whether a function, or one that it calls, has a barrier. */
  meets(fn: ir.Function): boolean;
  /** Byte offset of a variable in the memory of its space. */
  offsetOf(variable: ir.Variable): number;
  /** Where a program-scope variable lies, as an expression. */
  addressOf(global: ir.GlobalVariable): string;
  /** The program takes conditions from one work-item for all. */
  usesUnified(): void;
  /** The program has work-group functions on values of a type of that many words. */
  collective(instruction: ir.Collective): string;
}
