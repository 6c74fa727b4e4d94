/**
 * Writes what R work-items, neighbours along dimension 1, do together, from what one does: they go through its control
 * flow together. What does not depend on the row is done once, everything else once for each row.
 *
 *     %y = query global_id 1            %y = query global_id 1
 *                                       %y.1 = iadd %y, 1
 *     %p = imul %y, %n             =>   %p = imul %y, %n
 *                                       %p.1 = imul %y.1, %n
 *     loop (%sum, %k) {                 loop (%sum, %sum.1, %k) {
 *       %b = load %q                      %b = load %q
 *       ...
 *
 * Structures through which rows take different ways are written once for each row, one after another; guards that
 * nearly all rows pass are asked for all of them at once (`guards.ts`).
 *
 * **Order.** Work-items may run in any order, so that only the order within a row counts. Rows are interleaved so
 * that few values are alive at a time: what computes values is held back until it uses a shared vector for the last
 * time, and is then written row by row. What has an effect is written for all rows at its place.
 */

import { integerOf } from '../../../ir/constants.ts';
import { isPure } from '../../../ir/effects.ts';
import type * as ir from '../../../ir/ir.ts';
import { isTerminator } from '../../../ir/ir.ts';
import type { Type } from '../../../ir/types.ts';
import { append } from '../../../source/lists.ts';
import type { Uniformity } from '../../analysis/uniformity.ts';
import { findGuard, type Guard } from './guards.ts';
import { lastUses } from './last-uses.ts';

export interface JamFacts {
  readonly rows: number;
  /** Along dimension 1. */
  readonly column: Uniformity;
  /** Along dimension 0. */
  readonly row: Uniformity;
  /** What computes each value of the kernel. */
  readonly definitions: ReadonlyMap<ir.Value, ir.Instruction>;
}

export interface Jammed {
  readonly region: ir.Region;
  /** What is done when not all rows pass a guard, and at the border, also of the region that was given. */
  readonly unlikely: ReadonlySet<ir.Region>;
  /** What asks whether all rows pass a guard. If not they go one by one, which may be done in any case. */
  readonly guards: ReadonlySet<ir.Instruction>;
}

/** @returns a new region; the old one stays as it is. `jam-obstacles.ts` says what cannot be done. */
export function unrollAndJam(region: ir.Region, facts: JamFacts): Jammed {
  const jam = new Jam(facts);
  const instructions = jam.instructions(region.instructions, []);
  return { region: { parameters: [], instructions }, unlikely: jam.unlikely, guards: jam.guards };
}

class Jam {
  readonly unlikely = new Set<ir.Region>();
  readonly guards = new Set<ir.Instruction>();
  readonly #facts: JamFacts;
  readonly #allRows: readonly number[];
  /** The rows that are being written: all, or a single one. */
  #rows: readonly number[];
  /** What has become of each value, by row. */
  readonly #copies = new Map<ir.Value, ir.Value[]>();
  readonly #targets = new Map<ir.Instruction, ir.Block | ir.Loop>();
  #output: ir.Instruction[] = [];
  /** What is held back, in order, and its results. */
  #held: ir.Instruction[] = [];
  readonly #heldResults = new Set<ir.Value>();

  constructor(facts: JamFacts) {
    this.#facts = facts;
    this.#allRows = Array.from({ length: facts.rows }, (_, row) => row);
    this.#rows = this.#allRows;
  }

  /** @param results what a `yield` at the end gives its values to */
  instructions(instructions: readonly ir.Instruction[], results: readonly ir.Value[]): ir.Instruction[] {
    const saved = this.#output;
    const output: ir.Instruction[] = [];
    this.#output = output;
    const last = lastUses(instructions);
    /** A shared vector has been used for the last time by what is held back. */
    let isDue = false;
    const release = (): void => {
      this.#release();
      isDue = false;
    };
    for (const [index, instruction] of instructions.entries()) {
      if (isTerminator(instruction)) {
        release();
        this.#terminator(instruction, results);
      } else if (instruction.regions.length > 0) {
        release();
        this.#structure(instruction as ir.Structured);
      } else if (this.#isShared(instruction)) {
        // What does not depend on the row may come of what does: `(3 - row) + row`.
        const asksForHeld = instruction.operands.some((operand) => this.#heldResults.has(operand));
        if (asksForHeld || !isComputing(instruction)) release();
        this.#share(instruction);
      } else if (isComputing(instruction)) {
        const goesOn = instruction.operands.some((operand) => this.#heldResults.has(operand));
        if (isDue && !goesOn) release();
        this.#held.push(instruction);
        for (const result of instruction.results) this.#heldResults.add(result);
        isDue ||= instruction.operands.some(
          (operand) => last.get(operand) === index && this.#isVector(operand),
        );
      } else {
        release();
        for (const row of this.#rows) this.#copy(instruction, row);
      }
    }
    this.#output = saved;
    return output;
  }

  #release(): void {
    const held = this.#held;
    this.#held = [];
    this.#heldResults.clear();
    for (const row of this.#rows) for (const instruction of held) this.#copy(instruction, row);
  }

  /** Whether the value is one for all rows. */
  #isOne(value: ir.Value): boolean {
    return this.#rows.length > 1 && this.#facts.column.isUniform(value);
  }

  /** One for all rows, and different from lane to lane. */
  #isVector(value: ir.Value): boolean {
    return this.#isOne(value) && this.#facts.row.of(value).kind === 'varying';
  }

  /** Whether doing it once serves all rows. */
  #isShared(instruction: ir.Instruction): boolean {
    switch (instruction.op) {
      case 'fence':
        return true;
      case 'store':
        return !instruction.volatile && instruction.operands.every((operand) => this.#isOne(operand));
      case 'load':
        return !instruction.volatile && this.#isOne(instruction.results[0]!);
      default:
        return isPure(instruction) && this.#isOne(instruction.results[0]!);
    }
  }

  // ------------------------------------------------------------------------------------------------ values

  #valueOf(value: ir.Value, row: number): ir.Value {
    return this.#copies.get(value)?.[row] ?? value;
  }

  #define(value: ir.Value, row: number): ir.Value {
    const copy: ir.Value = row > 0 && value.name ? { ...value, name: `${value.name}.${row}` } : { ...value };
    let copies = this.#copies.get(value);
    if (!copies) {
      copies = [];
      this.#copies.set(value, copies);
    }
    copies[row] = copy;
    return copy;
  }

  #defineForAll(value: ir.Value): ir.Value {
    const copy: ir.Value = { ...value };
    this.#copies.set(
      value,
      this.#allRows.map(() => copy),
    );
    return copy;
  }

  /** A result or parameter, one or as many as there are rows. */
  #receive(values: readonly ir.Value[]): ir.Value[] {
    return values.flatMap((value) =>
      this.#isOne(value) ? [this.#defineForAll(value)] : this.#rows.map((row) => this.#define(value, row)),
    );
  }

  /** What goes to such results or parameters. */
  #give(values: readonly ir.Value[], receivers: readonly ir.Value[]): ir.Value[] {
    return values.flatMap((value, index) => {
      const rows = this.#isOne(receivers[index]!) ? this.#rows.slice(0, 1) : this.#rows;
      return rows.map((row) => this.#valueOf(value, row));
    });
  }

  // ------------------------------------------------------------------------------------------ instructions

  #share(instruction: ir.Instruction): void {
    const operands = instruction.operands.map((operand) => this.#valueOf(operand, 0));
    const results = instruction.results.map((result) => this.#defineForAll(result));
    this.#output.push({ ...instruction, operands, results, regions: [] });
  }

  #copy(instruction: ir.Instruction, row: number): void {
    const operands = instruction.operands.map((operand) => this.#valueOf(operand, row));
    const results = instruction.results.map((result) => this.#define(result, row));
    const copy: ir.Instruction = { ...instruction, operands, results, regions: [] };
    if (row === 0) this.#output.push(copy);
    else if (copy.op === 'context_read' || copy.op === 'context_write' || copy.op === 'item_address') {
      this.#output.push({ ...copy, row });
    } else if (copy.op === 'query') this.#query(copy, row);
    else this.#output.push(copy);
  }

  /** An id so many rows further on. */
  #query(query: ir.Query, row: number): void {
    const result = query.results[0]!;
    const { type } = result;
    const isLinear = query.fn === 'linear_local_id';
    const isId = query.fn === 'local_id' || query.fn === 'global_id';
    if (!isLinear && !(isId && query.dimension === 1)) {
      this.#output.push(query);
      return;
    }
    const first: ir.Value = { type };
    this.#output.push({ ...query, results: [first] });
    let distance = this.#constant(type, row);
    if (isLinear) {
      const width: ir.Value = { type };
      const size: ir.Query = {
        op: 'query',
        fn: 'local_size',
        dimension: 0,
        operands: [],
        results: [width],
        regions: [],
      };
      this.#output.push(size);
      distance = this.#binary('imul', distance, width, { type });
    }
    this.#binary('iadd', first, distance, result);
  }

  #constant(type: Type, value: number): ir.Value {
    const result: ir.Value = { type };
    this.#output.push({
      op: 'constant',
      value: integerOf(type, value),
      operands: [],
      results: [result],
      regions: [],
    });
    return result;
  }

  #binary(fn: ir.BinaryFunction, a: ir.Value, b: ir.Value, result: ir.Value): ir.Value {
    this.#output.push({ op: 'binary', fn, operands: [a, b], results: [result], regions: [] });
    return result;
  }

  #terminator(instruction: ir.Instruction, results: readonly ir.Value[]): void {
    const { operands } = instruction;
    switch (instruction.op) {
      case 'yield':
        this.#output.push({
          ...instruction,
          operands: this.#give(operands, results),
          results: [],
          regions: [],
        });
        break;
      case 'break':
      case 'continue': {
        const { target } = instruction;
        const receivers = instruction.op === 'break' ? target.results : target.regions[0]!.parameters;
        const jump = { ...instruction, operands: this.#give(operands, receivers), results: [], regions: [] };
        jump.target = this.#targets.get(target)!;
        this.#output.push(jump);
        break;
      }
      default:
        this.#output.push({ ...instruction, operands: [], results: [], regions: [] });
    }
  }

  // -------------------------------------------------------------------------------------------- structures

  #structure(structure: ir.Structured): void {
    const isApart = this.#rows.length > 1 && this.#facts.column.isDivergent(structure);
    if (!isApart) {
      this.#together(structure);
      return;
    }
    const guard = structure.op === 'if' ? findGuard(structure, this.#facts) : undefined;
    if (guard) this.#guarded(structure as ir.If, guard);
    else this.#oneByOne(structure);
  }

  #together(structure: ir.Structured): void {
    const { op, operands, regions, results } = structure;
    const body = regions[0]!;
    const given =
      op === 'loop'
        ? this.#give(operands, body.parameters)
        : operands.map((operand) => this.#valueOf(operand, this.#rows[0]!));
    const copy: ir.Structured = { ...structure, operands: given, results: [], regions: [] };
    if (copy.op === 'block' || copy.op === 'loop') this.#targets.set(structure, copy);
    copy.regions = regions.map((region) => {
      const parameters = this.#receive(region.parameters);
      return { parameters, instructions: this.instructions(region.instructions, results) };
    });
    copy.results = this.#receive(results);
    this.#output.push(copy);
  }

  #oneByOne(structure: ir.Structured): void {
    const rows = this.#rows;
    for (const row of rows) {
      this.#rows = [row];
      this.#together(structure);
    }
    this.#rows = rows;
  }

  /** If all rows pass they go on together, else one by one. */
  #guarded(branch: ir.If, guard: Guard): void {
    let passes: ir.Value | undefined;
    const type = branch.operands[0]!.type;
    const also = (condition: ir.Value): void => {
      passes = passes ? this.#binary('and', passes, condition, { type }) : condition;
    };
    const asWanted = (value: ir.Value): ir.Value => {
      if (guard.wanted) return value;
      const result: ir.Value = { type };
      this.#output.push({ op: 'unary', fn: 'not', operands: [value], results: [result], regions: [] });
      return result;
    };
    for (const condition of guard.ofRows) {
      for (const row of this.#rows) also(asWanted(this.#valueOf(condition, row)));
    }
    const all = this.#if(passes!, branch);
    this.guards.add(all);
    passes = undefined;
    this.#within(all.regions[0]!, () => {
      for (const condition of guard.ofAll) also(asWanted(this.#valueOf(condition, 0)));
      const { instructions } = guard.guarded;
      if (!passes) {
        append(this.#output, this.instructions(instructions.slice(0, -1), []));
        return;
      }
      const some = this.#if(passes, branch);
      this.#within(some.regions[0]!, () => {
        append(this.#output, this.instructions(instructions.slice(0, -1), []));
      });
      this.unlikely.add(some.regions[1]!).add(guard.rest);
      this.#within(some.regions[1]!, () => {
        append(this.#output, this.instructions(guard.rest.instructions.slice(0, -1), []));
      });
    });
    this.unlikely.add(all.regions[1]!);
    this.#within(all.regions[1]!, () => this.#oneByOne(branch));
  }

  #if(condition: ir.Value, { span }: ir.If): ir.If {
    const regions = [0, 1].map(() => ({ parameters: [], instructions: [] }));
    const branch: ir.If = { op: 'if', operands: [condition], results: [], regions, span };
    this.#output.push(branch);
    return branch;
  }

  /** Fills a region of a new `if`. */
  #within(region: ir.Region, body: () => void): void {
    const saved = this.#output;
    this.#output = region.instructions;
    body();
    this.#output.push({ op: 'yield', operands: [], results: [], regions: [] });
    this.#output = saved;
  }
}

/** Whether it only makes values, so that it may be done later than what other rows do. */
function isComputing(instruction: ir.Instruction): boolean {
  if (instruction.op === 'load') return !instruction.volatile;
  return isPure(instruction) || instruction.op === 'context_read';
}
