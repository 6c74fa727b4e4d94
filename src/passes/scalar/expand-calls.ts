/**
 * Puts the bodies of called functions in the place of calls: what inline.ts and its relatives have decided is done here.
 *
 * What a body returns, and the parameters of a body that is moved and not copied, are replaced in one walk at the end. A chain
 * of functions that each call the next is so put together in time that grows with its length, and without recursion.
 */
import { cloneRegion } from '../../ir/clone.ts';
import type * as ir from '../../ir/ir.ts';
import { walkRegion } from '../../ir/walk.ts';
import type { Span } from '../../source/span.ts';

/**
 * What is done with a call: it stays, or the callee's body takes its place. A body that nobody else wants is moved, and the calls in
 * it are then asked about as well; one that is copied has been through this before.
 */
export type Expansion = 'none' | 'copy' | 'move';

/** Replaces calls in the region and those nested in it, as `expansionOf` says. @returns whether any was replaced */
export function expandCalls(region: ir.Region, expansionOf: (call: ir.Call) => Expansion): boolean {
  const expander = new Expander(expansionOf);
  expander.region(region);
  expander.replace(region);
  return expander.hasExpanded;
}

/** A list of instructions on its way to the output. */
interface Open {
  readonly list: readonly ir.Instruction[];
  next: number;
}

class Expander {
  hasExpanded = false;
  readonly #expansionOf: (call: ir.Call) => Expansion;
  readonly #replaced = new Map<ir.Value, ir.Value>();

  constructor(expansionOf: (call: ir.Call) => Expansion) {
    this.#expansionOf = expansionOf;
  }

  region(region: ir.Region): void {
    if (!region.instructions.some(({ op, regions }) => op === 'call' || regions.length > 0)) return;
    const output: ir.Instruction[] = [];
    // Bodies that need no block go straight to the output, with the bodies that they call.
    const open: Open[] = [{ list: region.instructions, next: 0 }];
    for (let top = open.at(-1); top; top = open.at(-1)) {
      const instruction = top.list[top.next];
      top.next += 1;
      if (!instruction) {
        open.pop();
        continue;
      }
      for (const nested of instruction.regions) this.region(nested);
      const expansion = instruction.op === 'call' ? this.#expansionOf(instruction) : 'none';
      if (instruction.op !== 'call' || expansion === 'none') output.push(instruction);
      else this.#expand(instruction, expansion, output, open);
    }
    region.instructions = output;
  }

  #expand(call: ir.Call, expansion: 'copy' | 'move', output: ir.Instruction[], open: Open[]): void {
    this.hasExpanded = true;
    const { callee } = call;
    const isMoved = expansion === 'move';
    const values = isMoved ? this.#replaced : new Map<ir.Value, ir.Value>();
    callee.parameters.forEach((parameter, index) => {
      values.set(parameter.value, call.operands[index]!);
    });
    const body = isMoved ? callee.body! : cloneRegion(callee.body!, values);
    if (isMoved) callee.body = undefined;
    // What the library does is done where it is called.
    if (call.span && !callee.span) placeAt(body, call.span);

    const last = body.instructions.at(-1)!;
    if (needsNoBlock(body)) {
      body.instructions.pop();
      if (isMoved) open.push({ list: body.instructions, next: 0 });
      else for (const instruction of body.instructions) output.push(instruction);
      if (call.results.length > 0) this.#replaced.set(call.results[0]!, last.operands[0]!);
      return;
    }

    const block: ir.Block = {
      op: 'block',
      operands: [],
      results: call.results,
      regions: [body],
      span: call.span,
    };
    returnsToBreaks(body, block);
    if (last.op === 'return') {
      const end: ir.Yield = { ...last, op: 'yield' };
      body.instructions[body.instructions.length - 1] = end;
    }
    if (isMoved) this.region(body);
    output.push(block);
  }

  /** Puts what parameters and results have become in their place. */
  replace(region: ir.Region): void {
    if (this.#replaced.size === 0) return;
    walkRegion(region, ({ operands }) => {
      for (let index = 0; index < operands.length; index += 1) {
        if (this.#replaced.has(operands[index]!)) operands[index] = this.#final(operands[index]!);
      }
    });
  }

  /** What a value has become in the end. Values on the way there remember it, for chains may be long. */
  #final(value: ir.Value): ir.Value {
    let end = value;
    for (let next = this.#replaced.get(end); next; next = this.#replaced.get(end)) end = next;
    for (let at = value; at !== end; ) {
      const next = this.#replaced.get(at)!;
      this.#replaced.set(at, end);
      at = next;
    }
    return end;
  }
}

/** Whether a body only returns at its end. */
export function needsNoBlock(body: ir.Region): boolean {
  return body.instructions.at(-1)!.op === 'return' && countReturns(body) === 1;
}

function countReturns(region: ir.Region): number {
  let count = 0;
  walkRegion(region, ({ op }) => {
    if (op === 'return') count += 1;
  });
  return count;
}

function placeAt(region: ir.Region, span: Span): void {
  walkRegion(region, (instruction) => {
    instruction.span ??= span;
  });
}

function returnsToBreaks(region: ir.Region, target: ir.Block): void {
  const last = region.instructions.length - 1;
  region.instructions.forEach((instruction, index) => {
    for (const nested of instruction.regions) returnsToBreaks(nested, target);
    if (instruction.op === 'return' && (index !== last || region !== target.regions[0])) {
      const jump: ir.Break = { ...instruction, op: 'break', target };
      region.instructions[index] = jump;
    }
  });
}
