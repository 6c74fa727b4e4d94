/**
 * Selection of control flow: regions become marks between blocks of operations, and what comes out of regions registers that each of
 * them writes.
 *
 * Blocks and loops of the IR are loops of the chip, blocks such that run once: its only jumps out of something are those that
 * leave a loop. A jump that leaves more than one sets a flag, which the loops around look at.
 */
import type * as ir from '../../ir/ir.ts';
import { containsReturn, isEmpty } from '../../ir/regions.ts';
import { comparePredicate } from './arithmetic.ts';
import { allOnes, type Emitter, literal, registerSource, zero } from './emitter.ts';
import { newRegister, type Register, type Source } from './operations.ts';
import { laneWords } from './parameters.ts';
import type { Scope } from './scope.ts';

/** A loop of the chip, or the kernel itself, that control can leave or begin again. */
interface Target {
  readonly of: ir.Block | ir.Loop | undefined;
  readonly results: readonly Register[];
  readonly parameters: readonly Register[];
  /** Set before a jump out of an inner loop that means this one. */
  breakFlag?: Register | undefined;
  continueFlag?: Register | undefined;
}

/** What the end of a region does with the operands of its `yield`, or of the `continue` to the loop around. */
export type AtEnd = (operands: readonly ir.Value[]) => void;

/** What selects what is inside of regions. */
export interface Inner {
  region(region: ir.Region, atEnd: AtEnd): void;
  instruction(instruction: ir.Instruction): void;
}

export class ControlFlow {
  readonly #scope: Scope;
  readonly #emitter: Emitter;
  readonly #inner: Inner;
  /** Innermost last. */
  readonly #targets: Target[] = [];

  constructor(scope: Scope, emitter: Emitter, inner: Inner) {
    this.#scope = scope;
    this.#emitter = emitter;
    this.#inner = inner;
  }

  /** The body of a kernel, from which control may return anywhere. */
  body(region: ir.Region): void {
    if (!returnsInside(region)) {
      this.#inner.region(region, () => {});
      return;
    }
    this.#emitter.mark('loop');
    this.#targets.push({ of: undefined, results: [], parameters: [] });
    this.#inner.region(region, () => this.#emitter.mark('break'));
    this.#targets.pop();
    this.#emitter.mark('end-loop');
  }

  return(atEnd: AtEnd): void {
    if (this.#targets.length === 0) atEnd([]);
    else this.#leave(this.#targets[0]!);
  }

  /** Registers for what comes out of several places. */
  #joining(values: readonly ir.Value[]): readonly Register[] {
    return values.flatMap((value) => this.#scope.join(value));
  }

  /** Sets such registers; sources that are among them are read before any is set. */
  #set(registers: readonly Register[], values: readonly ir.Value[]): void {
    const emitter = this.#emitter;
    const sources = values.flatMap((value) => this.#scope.words(value));
    const targets = new Set(registers);
    const saved = sources.map((source, index) => {
      const isOther =
        source.kind === 'register' && targets.has(source.register) && source.register !== registers[index];
      if (!isOther) return source;
      const copy = newRegister();
      emitter.move(copy, source);
      return registerSource(copy);
    });
    for (const [index, register] of registers.entries()) {
      const source = saved[index]!;
      if (source.kind === 'register' && source.register === register && !source.negate && !source.absolute)
        continue;
      emitter.move(register, source);
    }
  }

  /** Ends the block with the predicate that a condition holds, or fails. */
  #predicate(condition: ir.Value, holds: boolean): void {
    const made = this.#scope.definition(condition);
    if (made?.op === 'compare' && laneWords(made.operands[0]!.type) === 1) {
      const words = made.operands.map((operand) => this.#scope.word(operand)) as [Source, Source];
      if (comparePredicate(this.#emitter, made, words, holds)) return;
    }
    this.#emitter.predicate(holds ? 'PREDNE_INT' : 'PREDE_INT', [this.#scope.word(condition), zero]);
  }

  if(instruction: ir.If): void {
    const [condition] = instruction.operands as [ir.Value];
    const [yes, no] = instruction.regions as [ir.Region, ir.Region];
    const results = this.#joining(instruction.results);
    const known = this.#scope.word(condition);
    const take = (region: ir.Region): void =>
      this.#inner.region(region, (values) => this.#set(results, values));
    if (known.kind === 'literal') {
      take(known.bits !== 0 ? yes : no);
      return;
    }
    const isLeaving = (region: ir.Region): boolean => this.#onlyLeaves(region);
    const isPlain = results.length === 0;
    if (isPlain && isEmpty(yes) && isLeaving(no)) {
      this.#breakUnless(condition, true, no);
      return;
    }
    if (isPlain && isEmpty(no) && isLeaving(yes)) {
      this.#breakUnless(condition, false, yes);
      return;
    }
    if (isPlain && isEmpty(yes) && isEmpty(no)) return;
    const emitter = this.#emitter;
    const isTurned = isPlain && isEmpty(yes);
    this.#predicate(condition, !isTurned);
    emitter.mark('if');
    take(isTurned ? no : yes);
    if (!isPlain || !isEmpty(isTurned ? yes : no)) {
      emitter.mark('else');
      take(isTurned ? yes : no);
    }
    emitter.mark('end-if');
  }

  /** Whether a region does nothing but leave the innermost loop with values that are known outside. */
  #onlyLeaves({ instructions }: ir.Region): boolean {
    const last = instructions.at(-1);
    return (
      last?.op === 'break' &&
      this.#targets.at(-1)?.of === last.target &&
      instructions.slice(0, -1).every(({ op }) => op === 'constant' || op === 'undefined')
    );
  }

  /** Leaves the innermost loop where a condition does not come out as it should. Its results are set in any case. */
  #breakUnless(condition: ir.Value, holds: boolean, { instructions }: ir.Region): void {
    for (const instruction of instructions.slice(0, -1)) this.#inner.instruction(instruction);
    this.#set(this.#targets.at(-1)!.results, instructions.at(-1)!.operands);
    this.#predicate(condition, holds);
    this.#emitter.mark('break-if');
  }

  switch(instruction: ir.Switch): void {
    const emitter = this.#emitter;
    const [value] = instruction.operands as [ir.Value];
    const results = this.#joining(instruction.results);
    const chosen = this.#scope.word(value);
    const take = (region: ir.Region): void =>
      this.#inner.region(region, (values) => this.#set(results, values));
    for (const [index, numbers] of instruction.cases.entries()) {
      const isOne = numbers
        .map((number) => emitter.emit('SETE_INT', chosen, literal(Number(number))))
        .reduce((a, b) => emitter.emit('OR_INT', a, b));
      emitter.predicate('PREDNE_INT', [isOne, zero]);
      emitter.mark('if');
      take(instruction.regions[index]!);
      emitter.mark('else');
    }
    take(instruction.regions.at(-1)!);
    for (const _ of instruction.cases) emitter.mark('end-if');
  }

  block(instruction: ir.Block): void {
    const results = this.#joining(instruction.results);
    const body = instruction.regions[0]!;
    if (!hasBreakTo(body, instruction)) {
      this.#inner.region(body, (values) => this.#set(results, values));
      return;
    }
    const target: Target = { of: instruction, results, parameters: [] };
    this.#enclosed(target, () =>
      this.#inner.region(body, (values) => {
        this.#set(results, values);
        this.#emitter.mark('break');
      }),
    );
  }

  loop(instruction: ir.Loop): void {
    const results = this.#joining(instruction.results);
    const body = instruction.regions[0]!;
    const parameters = this.#joining(body.parameters);
    this.#set(parameters, instruction.operands);
    this.#enclosed({ of: instruction, results, parameters }, () => {
      this.#inner.region(body, (values) => this.#set(parameters, values));
    });
  }

  /** Flags that jumps have set in the loop that is being selected, or in those inside it. */
  #flagsSet = new Set<Register>();

  /** A loop of the chip, with what it needs before and behind for jumps that leave more than it. */
  #enclosed(target: Target, body: () => void): void {
    const emitter = this.#emitter;
    const before = emitter.block;
    const flagsOutside = this.#flagsSet;
    this.#flagsSet = new Set();
    emitter.mark('loop');
    this.#targets.push(target);
    body();
    this.#targets.pop();
    emitter.mark('end-loop');
    const flagsInside = this.#flagsSet;
    for (const [index, { breakFlag, continueFlag }] of this.#targets.entries()) {
      if (breakFlag && flagsInside.has(breakFlag)) {
        emitter.move(breakFlag, zero, before);
        this.#leaveIfSet(breakFlag);
      }
      if (!continueFlag || !flagsInside.has(continueFlag)) continue;
      emitter.move(continueFlag, zero, before);
      if (index === this.#targets.length - 1) {
        emitter.predicate('PREDNE_INT', [registerSource(continueFlag), zero]);
        emitter.mark('if');
        emitter.mark('continue');
        emitter.mark('end-if');
      } else this.#leaveIfSet(continueFlag);
    }
    this.#flagsSet = new Set([...flagsOutside, ...flagsInside]);
  }

  #leaveIfSet(flag: Register): void {
    this.#emitter.predicate('PREDE_INT', [registerSource(flag), zero]);
    this.#emitter.mark('break-if');
  }

  break({ target, operands }: ir.Break): void {
    const found = this.#targets.find(({ of }) => of === target)!;
    this.#set(found.results, operands);
    this.#leave(found);
  }

  /** Goes on behind a target. */
  #leave(target: Target): void {
    if (target !== this.#targets.at(-1)) {
      target.breakFlag ??= newRegister();
      this.#flagsSet.add(target.breakFlag);
      this.#emitter.move(target.breakFlag, allOnes);
    }
    this.#emitter.mark('break');
  }

  continue({ target, operands }: ir.Continue, atEnd: AtEnd): void {
    const found = this.#targets.find(({ of }) => of === target)!;
    const { instructions } = target.regions[0]!;
    // The last one of the loop's own body needs no jump: the loop's end is the next thing.
    if (
      instructions.at(-1)?.op === 'continue' &&
      (instructions.at(-1) as ir.Continue).operands === operands
    ) {
      atEnd(operands);
      return;
    }
    this.#set(found.parameters, operands);
    if (found === this.#targets.at(-1)) {
      this.#emitter.mark('continue');
      return;
    }
    found.continueFlag ??= newRegister();
    this.#flagsSet.add(found.continueFlag);
    this.#emitter.move(found.continueFlag, allOnes);
    this.#emitter.mark('break');
  }
}

/** Whether control returns from inside of something. */
function returnsInside(body: ir.Region): boolean {
  return body.instructions.some(({ regions }) => regions.some(containsReturn));
}

function hasBreakTo(region: ir.Region, block: ir.Block): boolean {
  return region.instructions.some(
    (instruction) =>
      (instruction.op === 'break' && instruction.target === block) ||
      instruction.regions.some((inner) => hasBreakTo(inner, block)),
  );
}
