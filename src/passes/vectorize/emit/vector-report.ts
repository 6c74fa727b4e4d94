/** What vectorisation decided, for people: `millrace compile --emit vectors` prints it. */
import type * as ir from '../../../ir/ir.ts';
import type { Span } from '../../../source/span.ts';

/** How the lanes of a vector reach memory. */
export type AccessShape =
  | 'uniform' // one access for all lanes
  | 'consecutive'
  | 'reversed'
  | 'interleaved' // the components of neighbouring user vectors, loaded together and sorted
  | 'strided' // at a fixed distance: lane by lane from one address
  | 'transposed' // neighbouring elements of each lane's own: vectors of them, transposed
  | 'along rows' // neighbouring elements of each lane's own, in vectors of their own
  | 'consecutive or scattered' // asked at run time
  | 'scattered' // gathered from, or scattered to, an address for each lane
  | 'as a call' // one for all lanes (vector-functions.ts)
  | 'lane by lane'; // one work-item after another, with everything that belongs to the access

/** How a branch or loop is vectorised. */
export type BranchShape =
  | 'uniform'
  | 'masked'
  | 'masked, last ones alone' // a loop whose last lanes leave the vector (scalar-tail.ts)
  | 'guard'; // written twice, with masks for vectors that only partly fulfil it

export interface AccessNote {
  readonly op: string;
  readonly shape: AccessShape;
  readonly isMasked: boolean;
  readonly span: Span | undefined;
}

export interface BranchNote {
  readonly op: 'if' | 'switch' | 'block' | 'loop';
  shape: BranchShape;
  readonly span: Span | undefined;
}

/** One work-item loop. */
export class VectorReport {
  readonly accesses: AccessNote[] = [];
  readonly branches: BranchNote[] = [];
  /** While code is written that is written once more elsewhere. */
  isQuiet = false;
  readonly #copies: ReadonlySet<ir.Instruction>;

  /** @param copies instructions that are there once more, which is not worth mentioning */
  constructor(copies: ReadonlySet<ir.Instruction> = new Set()) {
    this.#copies = copies;
  }

  access(instruction: ir.Instruction, shape: AccessShape, isMasked: boolean): void {
    const { op, span } = instruction;
    if (this.isQuiet || this.#copies.has(instruction)) return;
    this.accesses.push({ op, shape, isMasked, span });
  }

  /** The branch noted last is a guard. */
  isGuard(): void {
    const last = this.branches.at(-1);
    if (last && !this.isQuiet) last.shape = 'guard';
  }

  /** The last lanes of the loop that was noted last go on by themselves. */
  leavesLast(): void {
    const last = this.branches.at(-1);
    if (last && !this.isQuiet) last.shape = 'masked, last ones alone';
  }

  branch(instruction: ir.Structured, shape: BranchShape): void {
    if (instruction.op === 'work_item_loop' || this.isQuiet || this.#copies.has(instruction)) return;
    this.branches.push({ op: instruction.op, shape, span: instruction.span });
  }
}
