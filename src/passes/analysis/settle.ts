/**
 * Ends the search of an analysis that lowers what it assumes of values until nothing changes (uniformity.ts). Rounds over the whole program
 * would be as many as a loop has variables where each is handed on to the next,
 *
 *     loop @l (%a = %0, %b = %0, %c = %0) { ... continue @l (%b, %c, %load) }
 *
 * so of the later rounds only that is done which depends on something that has changed, in the order of the program, as whole rounds would
 * do it: the answer is the same.
 */
import type * as ir from '../../ir/ir.ts';

/** The analysis: how control flows, and what it does with one thing. */
export interface Rounds {
  /** What ends a structure and has its results. */
  arrivals(structure: ir.Structured): readonly ir.Instruction[];
  /** What goes on with a loop and has its parameters. */
  repeats(loop: ir.Loop): readonly ir.Instruction[];
  /** From here on what changes is to be told. */
  begin(dependents: Dependents): void;
  visitValue(instruction: ir.Instruction): void;
  visitBranch(branch: ir.If | ir.Switch): void;
  visitParameter(loop: ir.Loop, index: number): void;
  visitResult(structure: ir.Structured, index: number): void;
}

/** Who is told of changes. */
export interface Dependents {
  changed(value: ir.Value): void;
  resultsChanged(structure: ir.Structured): void;
  parametersChanged(loop: ir.Structured): void;
}

/** Does one round of everything, and then what follows from it. */
export function settle(body: ir.Region, isPerItem: boolean, rounds: Rounds): void {
  const steps = new Steps(rounds);
  steps.add(body, isPerItem);
  rounds.begin(steps);
  steps.run();
}

/** What is done with one value or branch. */
type Step = () => void;

class Steps implements Dependents {
  readonly #rounds: Rounds;
  /** In the order of a round. */
  readonly #steps: Step[] = [];
  /** The steps that look at a value. */
  readonly #readers = new Map<ir.Value, number[]>();
  /** The first step of a structure's results, and of a loop's parameters. */
  readonly #results = new Map<ir.Structured, number>();
  readonly #parameters = new Map<ir.Structured, number>();
  /** Which steps are to be done: in this round, as a heap, and in the next. */
  readonly #isDue: boolean[] = [];
  #now: number[] = [];
  #later: number[] = [];
  #at = -1;

  constructor(rounds: Rounds) {
    this.#rounds = rounds;
  }

  add(region: ir.Region, isPerItem: boolean): void {
    for (const instruction of region.instructions) {
      switch (instruction.op) {
        case 'work_item_loop':
          for (const nested of instruction.regions) this.add(nested, true);
          break;
        case 'if':
        case 'switch':
          if (isPerItem) this.#step(() => this.#rounds.visitBranch(instruction), [instruction.operands[0]!]);
          for (const nested of instruction.regions) this.add(nested, isPerItem);
          this.#addResults(instruction);
          break;
        case 'block':
          this.add(instruction.regions[0]!, isPerItem);
          this.#addResults(instruction);
          break;
        case 'loop':
          this.#addParameters(instruction);
          this.add(instruction.regions[0]!, isPerItem);
          this.#addResults(instruction);
          break;
        default:
          // What is not done for each work-item stays as it is.
          if (isPerItem && instruction.results.length > 0)
            this.#step(() => this.#rounds.visitValue(instruction), instruction.operands);
      }
    }
  }

  #addParameters(loop: ir.Loop): void {
    this.#parameters.set(loop, this.#steps.length);
    const ways = this.#rounds.repeats(loop);
    for (const [index, operand] of loop.operands.entries()) {
      const reads = [operand, ...ways.map(({ operands }) => operands[index]!)];
      this.#step(() => this.#rounds.visitParameter(loop, index), reads);
    }
  }

  #addResults(structure: ir.Structured): void {
    this.#results.set(structure, this.#steps.length);
    const ways = this.#rounds.arrivals(structure);
    for (const index of structure.results.keys()) {
      const reads = ways.map(({ operands }) => operands[index]!);
      this.#step(() => this.#rounds.visitResult(structure, index), reads);
    }
  }

  #step(step: Step, reads: readonly ir.Value[]): void {
    const number = this.#steps.push(step) - 1;
    for (const value of reads) {
      const readers = this.#readers.get(value);
      if (readers) readers.push(number);
      else this.#readers.set(value, [number]);
    }
  }

  changed(value: ir.Value): void {
    for (const step of this.#readers.get(value) ?? []) this.#ask(step);
  }

  resultsChanged(structure: ir.Structured): void {
    this.#askAll(this.#results.get(structure)!, structure.results.length);
  }

  parametersChanged(loop: ir.Structured): void {
    this.#askAll(this.#parameters.get(loop)!, loop.operands.length);
  }

  #askAll(first: number, count: number): void {
    for (let step = first; step < first + count; step += 1) this.#ask(step);
  }

  #ask(step: number): void {
    if (this.#isDue[step]) return;
    this.#isDue[step] = true;
    if (step > this.#at) push(this.#now, step);
    else this.#later.push(step);
  }

  run(): void {
    this.#askAll(0, this.#steps.length);
    for (;;) {
      const step = pop(this.#now);
      if (step === undefined) {
        if (this.#later.length === 0) return;
        // What is sorted is a heap.
        this.#now = this.#later.sort((a, b) => a - b);
        this.#later = [];
        this.#at = -1;
        continue;
      }
      this.#at = step;
      this.#isDue[step] = false;
      this.#steps[step]!();
    }
  }
}

/** Adds to a binary heap with the least in front. */
function push(heap: number[], added: number): void {
  let at = heap.push(added) - 1;
  while (at > 0) {
    const above = (at - 1) >> 1;
    if (heap[above]! <= added) break;
    heap[at] = heap[above]!;
    at = above;
  }
  heap[at] = added;
}

/** Takes the least of a binary heap. */
function pop(heap: number[]): number | undefined {
  const least = heap[0];
  const last = heap.pop();
  if (last === undefined || heap.length === 0) return least;
  let at = 0;
  for (;;) {
    let below = 2 * at + 1;
    if (below >= heap.length) break;
    if (below + 1 < heap.length && heap[below + 1]! < heap[below]!) below += 1;
    if (heap[below]! >= last) break;
    heap[at] = heap[below]!;
    at = below;
  }
  heap[at] = last;
  return least;
}
