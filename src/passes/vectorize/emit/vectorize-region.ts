/**
 * Writes the vector form of a work-item loop: W work-items go through its control flow together.
 *
 *     if %c { A } else { B }              with %c the same for all lanes: the same `if`
 *     C                                   else, for the lanes of mask %m:
 *                                           %a = and %m, %c       if (any %a) { A for %a }
 *                                           %b = and %m, not %c   if (any %b) { B for %b }
 *                                           C for %m
 *
 * What lanes take part travels along as a mask, undefined for all. The rule that everything else leans on is that code
 * runs only when a lane takes part: it may then load from addresses that are the same for all, follow branches that are
 * the same for all, and loop without asking who wanted it.
 *
 * **Structures that lanes leave at different iterations** (`Uniformity.isDivergent`) are not targets of jumps any more. A `break`
 * out of a divergent block keeps the values that it carries, for the lanes of its mask, in variables; what is behind
 * it runs with the mask of those who got there. A divergent loop goes on while a lane has come to a `continue`, and ends
 * when none has. A structure that lanes may leave for somewhere further out keeps in a variable the mask of those that
 * come to its own end, and what follows is skipped when that is empty. Other jumps stay jumps, for all who are there
 * take them.
 *
 * How results and loop parameters travel is in `carried-values.ts`.
 */
import { isPure } from '../../../ir/effects.ts';
import type * as ir from '../../../ir/ir.ts';
import { countInstructions, isEmpty } from '../../../ir/regions.ts';
import { isSlowToWaste } from '../../analysis/cost/slow.ts';
import { thresholds } from '../../analysis/cost/thresholds.ts';
import {
  type Carried,
  carry,
  type Exit,
  leave,
  noLanes,
  plainExit,
  receive,
  setCarried,
} from '../control/carried-values.ts';
import { canGoOnAlone, goOnAlone, type Leaving, leaveFew, leavingOf } from '../control/scalar-tail.ts';
import { findUnmaskedMainLoop, type UnmaskedMainLoop } from '../control/unmasked-main-loop.ts';
import { type RowReductions, vectoriseRowReductions } from '../memory/reduction-privatisation.ts';
import { type Divergence, findDivergence } from '../plan/divergence.ts';
import { type Assumptions, everyLane, writeTest } from '../plan/speculation.ts';
import type { VectorContext } from './vector-context.ts';
import type { Mask } from './vector-value.ts';
import type { Variable } from './vector-writer.ts';
import { vectoriseInstruction } from './vectorize-instruction.ts';

interface Target extends Exit {
  readonly isDivergent: boolean;
  /** What jumps go to where they stay jumps; for a divergent loop, the loop that goes on while anyone does. */
  physical: ir.Block | ir.Loop | undefined;
  readonly parameters: readonly Carried[];
  /** Divergent loops: who takes part in the next iteration, and who has come to a `continue` in this one. */
  readonly live: Variable | undefined;
  readonly continued: Variable | undefined;
  /** Divergent loops whose last lanes go on one by one. */
  readonly leaving: Leaving | undefined;
}

/** Where a list of instructions is. */
interface Place {
  readonly exit: Exit;
  /** The list is directly in the body of this divergent loop. */
  readonly loop?: Target | undefined;
}

export function vectoriseRegion(context: VectorContext, region: ir.Region): void {
  new RegionVectoriser(context, findDivergence(region, context.uniformity)).run(region);
}

/** Writes a region for vectors that are as assumed; `writeOthers` does it for those that are not. */
export function versionSpeculatively(
  usual: VectorContext,
  region: ir.Region,
  assumptions: Assumptions,
  writeOthers: () => void,
): void {
  const { writer } = usual;
  const branch = writer.if(writeTest(usual, assumptions));
  writer.within(branch.regions[0]!, () => vectoriseRegion(usual, region));
  writer.within(branch.regions[1]!, writeOthers);
  writer.yield();
}

class RegionVectoriser {
  readonly #context: VectorContext;
  readonly #divergence: Divergence;
  readonly #targets = new Map<ir.Instruction, Target>();

  constructor(context: VectorContext, divergence: Divergence) {
    this.#context = context;
    this.#divergence = divergence;
  }

  run(region: ir.Region): void {
    this.#list(region.instructions, undefined, { exit: plainExit });
    this.#writer.yield();
  }

  get #writer() {
    return this.#context.writer;
  }

  // ------------------------------------------------------------------------------------------------ lists

  /** @returns whether the current region has got its terminator */
  #list(instructions: readonly ir.Instruction[], entry: Mask, place: Place): boolean {
    let mask = entry;
    for (let at = 0; at < instructions.length; at += 1) {
      const instruction = instructions[at]!;
      switch (instruction.op) {
        case 'yield':
          leave(this.#context, place.exit, instruction.operands, mask);
          return false;
        case 'break':
        case 'continue':
          return this.#jump(instruction, mask, place);
        case 'unreachable':
          return false;
        case 'if':
        case 'switch':
        case 'block':
        case 'loop': {
          mask = this.#structure(instruction, mask);
          if (!this.#divergence.isLeft(instruction)) break;
          if (!this.#needsLanes(instructions, at + 1, place)) break;
          if (!place.loop || place.loop.continued)
            return this.#guarded(instructions.slice(at + 1), mask, place);
          this.#leaveIfGone(mask, place.loop);
          break;
        }
        default:
          vectoriseInstruction(this.#context, instruction, mask);
      }
    }
    return false;
  }

  /** Whether the instructions from `start` on may only run when a lane takes part; just setting lanes does no harm. */
  #needsLanes(instructions: readonly ir.Instruction[], start: number, place: Place): boolean {
    const first = instructions[start];
    if (instructions.length > start + 1 || !first) return true;
    if (first.op === 'yield') return false;
    if (first.op !== 'break' && first.op !== 'continue') return true;
    const target = this.#targets.get(first.target)!;
    return !target.isDivergent || target === place.loop;
  }

  /** What follows a structure that all lanes may have left. */
  #guarded(instructions: readonly ir.Instruction[], mask: Mask, place: Place): boolean {
    const writer = this.#writer;
    const branch = writer.if(writer.any(writer.maskValue(mask)));
    writer.within(branch.regions[0]!, () => {
      if (!this.#list(instructions, mask, { exit: place.exit })) writer.yield();
    });
    writer.within(branch.regions[1]!, () => writer.yield());
    return false;
  }

  /** Behind such a structure in a loop where nobody will come to the next iteration: what follows need not nest. */
  #leaveIfGone(mask: Mask, loop: Target): void {
    const writer = this.#writer;
    const branch = writer.if(writer.any(writer.maskValue(mask)));
    writer.within(branch.regions[0]!, () => writer.yield());
    writer.within(branch.regions[1]!, () => writer.break(loop.physical!));
  }

  /** A region of a structured instruction; `end` is written if the region does not end in a jump. */
  #region(
    into: ir.Region,
    instructions: readonly ir.Instruction[],
    mask: Mask,
    place: Place,
    end: () => void,
  ): void {
    this.#writer.within(into, () => {
      if (!this.#list(instructions, mask, place)) end();
    });
  }

  // ------------------------------------------------------------------------------------------ structures

  /** @returns the mask of those who come to its end */
  #structure(instruction: ir.If | ir.Switch | ir.Block | ir.Loop, mask: Mask): Mask {
    if (instruction.op === 'if' && this.#context.takesSecond(instruction)) {
      this.#list(instruction.regions[1]!.instructions, mask, { exit: plainExit });
      return mask;
    }
    const isUniformIf = instruction.op === 'if' && !this.#context.uniformity.isDivergent(instruction);
    if (isUniformIf && this.#picked(instruction, mask)) return mask;
    const results = instruction.results.map((result) => carry(this.#context, result));
    const arrived = this.#divergence.isLeft(instruction) ? noLanes(this.#writer) : undefined;
    const isDivergent = this.#context.uniformity.isDivergent(instruction);
    const [decider] = instruction.operands;
    const isGuard = instruction.op === 'if' && this.#context.isAssumed(decider!);
    this.#context.report.branch(instruction, isDivergent ? 'masked' : isGuard ? 'guard' : 'uniform');
    const exit: Exit = { results, arrived, isBlended: isDivergent };
    switch (instruction.op) {
      case 'if':
        if (isDivergent) this.#maskedIf(instruction, exit, mask);
        else this.#uniformChoice(instruction, exit, mask);
        break;
      case 'switch':
        if (isDivergent) this.#maskedSwitch(instruction, exit, mask);
        else this.#uniformChoice(instruction, exit, mask);
        break;
      case 'block':
        this.#block(instruction, exit, mask);
        break;
      case 'loop':
        this.#loop(instruction, exit, mask);
    }
    for (const result of results) receive(this.#context, result);
    return arrived ? this.#writer.read(arrived) : mask;
  }

  /**
   * An `if` with the same condition for all, both of whose sides are but a few computations: they are done, and the
   * condition picks. Conditions like `i < n && x < y` come as such.
   */
  #picked(branch: ir.If, mask: Mask): boolean {
    const { results, regions } = branch;
    const sides = regions.map(({ instructions }) => instructions);
    const isPickable =
      results.every((result) => this.#context.shapeOf(result).kind === 'varying') &&
      sides.every((side) => side.at(-1)!.op === 'yield' && this.#mayRunForNobody(side));
    if (!isPickable || results.length === 0) return false;
    const writer = this.#writer;
    const condition = writer.scalarOf(this.#context.vectorised(branch.operands[0]!));
    const [then, otherwise] = sides.map((side) => {
      this.#list(side.slice(0, -1), mask, { exit: plainExit });
      return side.at(-1)!.operands;
    }) as [ir.Value[], ir.Value[]];
    results.forEach((result, at) => {
      const left = this.#context.parts(then[at]!);
      const right = this.#context.parts(otherwise[at]!);
      const parts = left.map((part, component) => writer.pick(condition, part, right[component]!));
      this.#context.define(result, { kind: 'lanes', parts });
    });
    return true;
  }

  #uniformChoice(choice: ir.If | ir.Switch, exit: Exit, mask: Mask): void {
    const writer = this.#writer;
    const operand = writer.scalarOf(this.#context.vectorised(choice.operands[0]!));
    const copy = choice.op === 'if' ? writer.if(operand) : writer.switch(operand, choice.cases);
    choice.regions.forEach((region, at) => {
      this.#region(copy.regions[at]!, region.instructions, mask, { exit }, () => writer.yield());
    });
  }

  #maskedIf(branch: ir.If, exit: Exit, mask: Mask): void {
    const writer = this.#writer;
    const [condition] = this.#context.parts(branch.operands[0]!) as [ir.Value];
    const [then, otherwise] = branch.regions as [ir.Region, ir.Region];
    if (!mask && this.#guarding(branch, condition, exit)) return;
    if (!this.#noted(then, mask)) this.#side(then, exit, () => writer.and(mask, condition));
    const isFirst = !then.instructions.some(({ op, regions }) => op === 'break' || regions.length > 0);
    if (isFirst && this.#noted(otherwise, mask)) return;
    this.#side(otherwise, exit, () => writer.andNot(mask, condition));
  }

  /**
   * Guards such as `if (i < n)` around all that a kernel does are true for all work-items of nearly every vector: what they
   * guard is written twice, once without masks.
   */
  #guarding(branch: ir.If, condition: ir.Value, exit: Exit): boolean {
    const writer = this.#writer;
    const [then, otherwise] = branch.regions as [ir.Region, ir.Region];
    const isNegative = isEmpty(then);
    const guarded = isNegative ? otherwise : then;
    const isGuard =
      (isNegative || isEmpty(otherwise)) &&
      exit.results.length === 0 &&
      !exit.arrived &&
      this.#context.isRange(branch.operands[0]!, !isNegative) &&
      countInstructions(guarded) <= thresholds.mostTwice;
    if (!isGuard) return false;
    this.#context.report.isGuard();
    const taking = isNegative ? writer.unary('not', condition) : condition;
    const whole = writer.if(writer.all(taking));
    const { instructions } = guarded;
    this.#region(whole.regions[0]!, instructions, undefined, { exit }, () => writer.yield());
    writer.within(whole.regions[1]!, () => {
      this.#context.report.isQuiet = true;
      this.#side(guarded, exit, () => taking);
      this.#context.report.isQuiet = false;
      writer.yield();
    });
    return true;
  }

  /** One side of a divergent choice, skipped when nobody takes it. */
  #side(region: ir.Region, exit: Exit, maskOf: () => ir.Value): void {
    const writer = this.#writer;
    const { instructions } = region;
    const [first] = instructions;
    const isEmpty = first?.op === 'yield' && exit.results.length === 0 && !exit.arrived;
    if (isEmpty || first?.op === 'unreachable') return;
    const mask = maskOf();
    if (this.#mayRunForNobody(instructions)) {
      this.#list(instructions, mask, { exit });
      return;
    }
    const taken = writer.if(writer.any(mask));
    this.#region(taken.regions[0]!, instructions, mask, { exit }, () => writer.yield());
    writer.within(taken.regions[1]!, () => writer.yield());
  }

  /**
   * A side that does nothing but leave a loop with values needs no mask of its own: all who are there may note the values,
   * for who stays in the loop will note others when it leaves.
   * @param around the mask of both sides, none of whose lanes have left yet
   */
  #noted({ instructions }: ir.Region, around: Mask): boolean {
    const last = instructions.at(-1)!;
    if (last.op !== 'break' || last.target.op !== 'loop') return false;
    const target = this.#targets.get(last.target)!;
    if (!target.isDivergent || target.arrived || !this.#mayRunForNobody(instructions)) return false;
    this.#list(instructions, around, { exit: target });
    return true;
  }

  /** A few computations cost less than asking whether anybody wants them. */
  #mayRunForNobody(instructions: readonly ir.Instruction[]): boolean {
    const last = instructions.at(-1)!;
    if (instructions.length > thresholds.mostUnasked + 1) return false;
    const leaves =
      last.op === 'yield' ||
      ((last.op === 'break' || last.op === 'continue') && this.#targets.get(last.target)!.isDivergent);
    return leaves && instructions.slice(0, -1).every((one) => isPure(one) && !isSlowToWaste(one));
  }

  #maskedSwitch(choice: ir.Switch, exit: Exit, mask: Mask): void {
    const writer = this.#writer;
    const [value] = this.#context.parts(choice.operands[0]!) as [ir.Value];
    let rest: Mask = mask;
    choice.regions.forEach((region, at) => {
      const values = choice.cases[at];
      if (!values) {
        const others = rest;
        this.#side(region, exit, () => writer.maskValue(others));
        return;
      }
      let isCase: ir.Value | undefined;
      for (const one of values) {
        const equal = writer.compare('eq', value, writer.once(value.type, one));
        isCase = isCase ? writer.binary('or', isCase, equal) : equal;
      }
      if (!isCase) return;
      const chosen = isCase;
      const before = rest;
      this.#side(region, exit, () => writer.and(before, chosen));
      rest = writer.andNot(before, chosen);
    });
  }

  #block(block: ir.Block, exit: Exit, mask: Mask): void {
    const writer = this.#writer;
    const target: Target = {
      ...exit,
      isDivergent: exit.isBlended,
      physical: undefined,
      parameters: [],
      live: undefined,
      continued: undefined,
      leaving: undefined,
    };
    this.#targets.set(block, target);
    const { instructions } = block.regions[0]!;
    if (target.isDivergent) {
      if (this.#list(instructions, mask, { exit }))
        throw new Error('vectorise: a divergent block ends in a jump');
      return;
    }
    const copy = writer.block();
    target.physical = copy;
    this.#region(copy.regions[0]!, instructions, mask, { exit }, () => writer.yield());
  }

  #loop(loop: ir.Loop, exit: Exit, mask: Mask): void {
    const writer = this.#writer;
    const body = loop.regions[0]!;
    const parameters = body.parameters.map((parameter) => carry(this.#context, parameter));
    parameters.forEach((parameter, at) => {
      setCarried(this.#context, parameter, loop.operands[at]!, undefined, false);
    });
    const isDivergent = exit.isBlended;
    const sums = mask ? undefined : this.#context.rowReductions.get(loop);
    if (sums) this.#rowReductions(sums, parameters);
    const iterations = isDivergent && !mask ? findUnmaskedMainLoop(this.#context, loop) : undefined;
    const isMostlyWhole = iterations !== undefined && this.#unmaskedMainLoop(loop, iterations, parameters);
    const { report } = this.#context;
    const wasQuiet = report.isQuiet;
    if (isMostlyWhole) report.isGuard();
    if (isMostlyWhole || sums) report.isQuiet = true;
    const nestedRepeats = this.#divergence.nestedRepeats(loop);
    const live = isDivergent ? writer.variableOf(writer.maskType, 'live', writer.maskValue(mask)) : undefined;
    const continued = isDivergent && nestedRepeats > 0 ? noLanes(this.#writer) : undefined;
    const last = live && this.#context.scalarTails.get(loop);
    const leaving = last && canGoOnAlone(this.#context, loop) ? leavingOf(writer, last) : undefined;
    if (leaving) report.leavesLast();
    const copy = writer.loop();
    const target: Target = { ...exit, isDivergent, physical: copy, parameters, live, continued, leaving };
    this.#targets.set(loop, target);
    writer.loops += 1;
    writer.within(copy.regions[0]!, () => {
      for (const parameter of parameters) receive(this.#context, parameter);
      if (continued) {
        writer.write(continued, writer.once(writer.maskType, false));
        continued.isStored = true;
      }
      const place: Place = { exit, loop: isDivergent ? target : undefined };
      const inside = live ? writer.read(live) : mask;
      if (!this.#list(body.instructions, inside, place)) this.#endOfLoop(target, copy);
    });
    writer.loops -= 1;
    if (leaving)
      goOnAlone(this.#context, loop, parameters, (structure) => this.#targets.get(structure)!, leaving);
    report.isQuiet = wasQuiet;
  }

  /** The iterations of a loop that several of are done at once, before the loop itself. */
  #rowReductions(sums: RowReductions, parameters: readonly Carried[]): void {
    for (const parameter of parameters) receive(this.#context, parameter);
    const next = vectoriseRowReductions(this.#context, sums);
    for (const { source, variables } of parameters) this.#writer.write(variables[0]!, next.get(source)!);
  }

  /**
   * The iterations of a divergent loop in which all lanes go on, before the loop itself.
   * @returns false, having written nothing, if scalars cannot tell
   */
  #unmaskedMainLoop(loop: ir.Loop, iterations: UnmaskedMainLoop, parameters: readonly Carried[]): boolean {
    const writer = this.#writer;
    const test = everyLane(this.#context, iterations.condition, iterations.wanted);
    if (!test) return false;
    const copy = writer.loop();
    this.#targets.set(loop, {
      ...plainExit,
      isDivergent: false,
      physical: copy,
      parameters,
      live: undefined,
      continued: undefined,
      leaving: undefined,
    });
    writer.loops += 1;
    writer.within(copy.regions[0]!, () => {
      for (const parameter of parameters) receive(this.#context, parameter);
      for (const instruction of iterations.before)
        vectoriseInstruction(this.#context, instruction, undefined);
      const goesOn = writer.if(test());
      writer.within(goesOn.regions[0]!, () => writer.yield());
      writer.within(goesOn.regions[1]!, () => writer.break(copy));
      if (!this.#list(iterations.rest, undefined, { exit: plainExit }))
        throw new Error('vectorise: an iteration that does not go on');
    });
    writer.loops -= 1;
    return true;
  }

  /** Behind a body whose lanes have all jumped somewhere. */
  #endOfLoop({ live, continued, leaving }: Target, copy: ir.Loop): void {
    const writer = this.#writer;
    if (live && continued) {
      const next = writer.read(continued);
      const goesOn = writer.if(writer.any(next));
      writer.within(goesOn.regions[0]!, () => writer.yield());
      writer.within(goesOn.regions[1]!, () => writer.break(copy));
      writer.write(live, next);
      if (leaving) leaveFew(writer, copy, next, leaving);
      writer.continue(copy);
      return;
    }
    writer.break(copy);
  }

  // ------------------------------------------------------------------------------------------------ jumps

  #jump(instruction: ir.Break | ir.Continue, mask: Mask, place: Place): boolean {
    const writer = this.#writer;
    const target = this.#targets.get(instruction.target)!;
    if (instruction.op === 'break') {
      leave(this.#context, target, instruction.operands, mask);
      if (target.isDivergent) return false;
      writer.break(target.physical!);
      return true;
    }
    const isScattered = target.isDivergent && target.continued !== undefined;
    target.parameters.forEach((parameter, at) => {
      setCarried(this.#context, parameter, instruction.operands[at]!, mask, isScattered);
    });
    const loop = target.physical as ir.Loop;
    if (!target.isDivergent) {
      writer.continue(loop);
      return true;
    }
    if (target !== place.loop) {
      writer.include(target.continued!, mask);
      return false;
    }
    // Directly in the body, where somebody takes part.
    if (target.continued) writer.include(target.continued, mask);
    const next = target.continued ? writer.read(target.continued) : writer.maskValue(mask);
    writer.write(target.live!, next);
    if (target.leaving) leaveFew(writer, loop, next, target.leaving);
    writer.continue(loop);
    return true;
  }
}
