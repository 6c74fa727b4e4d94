/**
 * Takes away control structure that decides nothing:
 *
 *     if true { A } else { B }                      =>  A
 *     if %c { yield %a } else { yield %b }          =>  select %c, %a, %b      (also with a few cheap instructions)
 *     switch 3 { ... }                              =>  the region of case 3
 *     block @b { A; yield %x }  (nothing breaks)    =>  A
 *     loop @l (%i = %z) { A; break @l (%x) }        =>  A                      (nothing continues)
 *     block @b { if %c { A; break @b (%x) } B; yield %y }  =>  if %c { A; yield %x } else { B; yield %y }
 *     if %c { A; continue @l } else { break @l }    =>  if %c { yield } else { break @l }  A; continue @l
 *     if %c { jump } else { A; yield }  B           stays: jumps out of a structure are cheap everywhere
 *
 * What follows an instruction that control cannot get past is removed. The passes before leave such things behind:
 * inlining its blocks, folding its constant conditions.
 */

import { newValue } from '../../ir/builder.ts';
import { isPure } from '../../ir/effects.ts';
import type * as ir from '../../ir/ir.ts';
import { isTerminator } from '../../ir/ir.ts';
import { append } from '../../source/lists.ts';
import { isSlowToWaste } from '../analysis/cost/slow.ts';

/** How many cheap instructions both sides of an `if` together may have to become selects. */
const selectLimit = 4;

/** How many breaks of one block may become nested ifs. */
const nestingLimit = 12;

export function simplifyCfg(fn: ir.Function): void {
  if (!fn.body) return;
  const flattening = new Flattening();
  flattening.countJumps(fn.body);
  flattening.region(fn.body);
}

class Flattening {
  readonly #constants = new Map<ir.Value, ir.Constant['value']>();
  readonly #replaced = new Map<ir.Value, ir.Value>();
  /** Breaks to each block and loop, and continues to each loop, that are still there. */
  readonly #breaks = new Map<ir.Instruction, number>();
  readonly #continues = new Map<ir.Instruction, number>();

  countJumps(region: ir.Region, step = 1): void {
    for (const instruction of region.instructions) {
      const counts =
        instruction.op === 'break'
          ? this.#breaks
          : instruction.op === 'continue'
            ? this.#continues
            : undefined;
      if (counts) {
        const { target } = instruction as ir.Break | ir.Continue;
        counts.set(target, (counts.get(target) ?? 0) + step);
      }
      for (const nested of instruction.regions) this.countJumps(nested, step);
    }
  }

  region(region: ir.Region): void {
    const output: ir.Instruction[] = [];
    for (const instruction of region.instructions) {
      if (this.#instruction(instruction, output)) break;
    }
    region.instructions = output;
  }

  /** Appends what the instruction becomes. @returns whether control does not get past it */
  #instruction(instruction: ir.Instruction, output: ir.Instruction[]): boolean {
    const { operands } = instruction;
    for (let index = 0; index < operands.length; index += 1)
      operands[index] = this.#resolve(operands[index]!);
    switch (instruction.op) {
      case 'constant':
        this.#constants.set(instruction.results[0]!, instruction.value);
        break;
      case 'if':
        return this.#if(instruction, output);
      case 'switch':
        return this.#switch(instruction, output);
      case 'block':
        return this.#block(instruction, output);
      case 'loop':
        return this.#loop(instruction, output);
      case 'work_item_loop':
        for (const region of instruction.regions) this.region(region);
        break;
      default:
    }
    output.push(instruction);
    return isTerminator(instruction);
  }

  #resolve(value: ir.Value): ir.Value {
    let result = value;
    for (let next = this.#replaced.get(result); next; next = this.#replaced.get(result)) result = next;
    return result;
  }

  /** Puts the instructions of a region in place; its final yield or break gives `results`. */
  #splice(region: ir.Region, results: readonly ir.Value[], output: ir.Instruction[]): boolean {
    const last = region.instructions.at(-1)!;
    const ends = last.op !== 'yield';
    const length = ends ? region.instructions.length : region.instructions.length - 1;
    for (let index = 0; index < length; index += 1) output.push(region.instructions[index]!);
    if (!ends) {
      results.forEach((result, index) => {
        this.#replaced.set(result, last.operands[index]!);
      });
    }
    return ends;
  }

  #discard(region: ir.Region): void {
    this.countJumps(region, -1);
  }

  #if(instruction: ir.If, output: ir.Instruction[]): boolean {
    const [thenRegion, elseRegion] = instruction.regions as [ir.Region, ir.Region];
    const condition = this.#constants.get(instruction.operands[0]!);
    if (typeof condition === 'boolean') {
      const taken = condition ? thenRegion : elseRegion;
      this.#discard(condition ? elseRegion : thenRegion);
      this.region(taken);
      return this.#splice(taken, instruction.results, output);
    }
    this.region(thenRegion);
    this.region(elseRegion);
    if (this.#becomesSelects(instruction, thenRegion, elseRegion)) {
      const thenEnd = thenRegion.instructions.pop()!;
      const elseEnd = elseRegion.instructions.pop()!;
      append(output, thenRegion.instructions);
      append(output, elseRegion.instructions);
      instruction.results.forEach((result, index) => {
        const a = thenEnd.operands[index]!;
        const b = elseEnd.operands[index]!;
        if (a === b) {
          this.#replaced.set(result, a);
          return;
        }
        const select: ir.Select = {
          op: 'select',
          operands: [instruction.operands[0]!, a, b],
          results: [result],
          regions: [],
          span: instruction.span,
        };
        output.push(select);
      });
      return false;
    }
    output.push(instruction);
    if (this.#continueAfter(instruction, output)) return true;
    return this.#endIfNobodyYields(instruction, output);
  }

  /** Where one side goes on with the loop and the other jumps elsewhere, the first may as well follow the `if`. */
  #continueAfter(instruction: ir.If, output: ir.Instruction[]): boolean {
    if (instruction.results.length > 0) return false;
    const ends = instruction.regions.map((region) => region.instructions.at(-1)!.op);
    if (ends.includes('yield')) return false;
    const region = instruction.regions[ends.indexOf('continue')];
    if (!region) return false;
    for (const moved of region.instructions) output.push(moved);
    region.instructions = [{ op: 'yield', operands: [], results: [], regions: [] }];
    return true;
  }

  /** Structures whose regions all jump away need an `unreachable` after them, which is there already. */
  #endIfNobodyYields(instruction: ir.If | ir.Switch, output: ir.Instruction[]): boolean {
    const yields = instruction.regions.some((region) => region.instructions.at(-1)!.op === 'yield');
    if (yields) return false;
    output.push({ op: 'unreachable', operands: [], results: [], regions: [], span: instruction.span });
    return true;
  }

  #becomesSelects(instruction: ir.If, thenRegion: ir.Region, elseRegion: ir.Region): boolean {
    if (instruction.results.some(({ type }) => type.kind === 'opaque')) return false;
    let count = instruction.results.length;
    for (const { instructions } of [thenRegion, elseRegion]) {
      const last = instructions.at(-1)!;
      if (last.op !== 'yield' || instructions.length > 1 + selectLimit) return false;
      for (const inner of instructions) {
        if (inner === last || inner.op === 'constant' || inner.op === 'undefined') continue;
        if (!isPure(inner) || isSlowToWaste(inner)) return false;
        count += 1;
      }
    }
    return count <= selectLimit;
  }

  #switch(instruction: ir.Switch, output: ir.Instruction[]): boolean {
    const value = this.#constants.get(instruction.operands[0]!);
    if (value !== undefined && typeof value !== 'object') {
      const at = instruction.cases.findIndex((labels) => labels.includes(value as number | bigint));
      const taken = instruction.regions[at < 0 ? instruction.cases.length : at]!;
      for (const region of instruction.regions) {
        if (region !== taken) this.#discard(region);
      }
      this.region(taken);
      return this.#splice(taken, instruction.results, output);
    }
    for (const region of instruction.regions) this.region(region);
    if (instruction.regions.length === 1)
      return this.#splice(instruction.regions[0]!, instruction.results, output);
    output.push(instruction);
    return this.#endIfNobodyYields(instruction, output);
  }

  #block(block: ir.Block, output: ir.Instruction[]): boolean {
    const region = block.regions[0]!;
    this.region(region);
    // Each jump nests what follows it one deeper: a block with very many stays a block.
    const breaks = this.#breaks.get(block) ?? 0;
    if (breaks > 0 && breaks <= nestingLimit) {
      this.#jumpsToEnds(block, region);
      // An `if` that no longer jumps may be worth nothing now.
      if (!this.#breaks.get(block)) this.region(region);
    }
    if (!this.#breaks.get(block)) return this.#splice(region, block.results, output);
    output.push(block);
    return false;
  }

  /**
   * Turns breaks to a block into ways to its end, where they are in an `if` at the block's top: what follows
   * the `if` moves into the other side.
   */
  #jumpsToEnds(block: ir.Block, region: ir.Region): void {
    if (!this.#breaks.get(block)) return;
    const last = region.instructions.at(-1)!;
    if (last.op === 'break' && last.target === block) {
      region.instructions[region.instructions.length - 1] = { ...last, op: 'yield' };
      this.#drop(block);
    }
    for (let at = 0; at < region.instructions.length; at += 1) {
      const instruction = region.instructions[at]!;
      if (instruction.op !== 'if') continue;
      const side = instruction.regions.findIndex((inner) => {
        const end = inner.instructions.at(-1)!;
        return end.op === 'break' && end.target === block;
      });
      if (side < 0) continue;
      const leaving = instruction.regions[side]!;
      const staying = instruction.regions[1 - side]!;
      const rest = region.instructions.splice(at + 1);
      const end = staying.instructions.at(-1)!;
      if (end.op === 'yield') {
        staying.instructions.pop();
        for (const [index, result] of instruction.results.entries()) {
          this.#replaced.set(result, end.operands[index]!);
        }
        for (const following of rest) staying.instructions.push(following);
        if (instruction.results.length > 0) this.#resolveOperands(staying);
      } else this.#discard({ parameters: [], instructions: rest });
      const leave = leaving.instructions.at(-1)!;
      leaving.instructions[leaving.instructions.length - 1] = { ...leave, op: 'yield' } as ir.Yield;
      this.#drop(block);
      const results = block.results.map(({ type, name }) => newValue(type, name));
      instruction.results = results;
      region.instructions.push({ op: 'yield', operands: [...results], results: [], regions: [] });
      // The ends of both sides are now as good as the block's.
      this.#jumpsToEnds(block, staying);
      this.#jumpsToEnds(block, leaving);
      return;
    }
  }

  #drop(block: ir.Block): void {
    this.#breaks.set(block, this.#breaks.get(block)! - 1);
  }

  #resolveOperands(region: ir.Region): void {
    for (const { operands, regions } of region.instructions) {
      for (let index = 0; index < operands.length; index += 1)
        operands[index] = this.#resolve(operands[index]!);
      for (const nested of regions) this.#resolveOperands(nested);
    }
  }

  #loop(loop: ir.Loop, output: ir.Instruction[]): boolean {
    const region = loop.regions[0]!;
    if (!this.#continues.get(loop)) {
      region.parameters.forEach((parameter, index) => {
        this.#replaced.set(parameter, loop.operands[index]!);
      });
      const block: ir.Block = {
        op: 'block',
        operands: [],
        results: loop.results,
        regions: [{ parameters: [], instructions: region.instructions }],
        span: loop.span,
      };
      this.#retarget(block.regions[0]!, loop, block);
      this.#breaks.set(block, this.#breaks.get(loop) ?? 0);
      return this.#block(block, output);
    }
    this.region(region);
    output.push(loop);
    if (this.#breaks.get(loop)) return false;
    output.push({ op: 'unreachable', operands: [], results: [], regions: [], span: loop.span });
    return true;
  }

  #retarget(region: ir.Region, from: ir.Loop, to: ir.Block): void {
    for (const instruction of region.instructions) {
      if (instruction.op === 'break' && instruction.target === from) instruction.target = to;
      for (const nested of instruction.regions) this.#retarget(nested, from, to);
    }
  }
}
