/**
 * Runs iterations of a loop together where work-items run one by one (vector-loops.ts says which loops):
 *
 *                                                 %s = ptoi of the first %q, less that of the first %p
 *                                                 if (eq %s, 0) or (uge (iadd %s, 31), 63) {
 *                                                   %limit = isub %n, 7; %first if that is less
 *     loop @l (%k = %first) {                       loop @v (%k = %first) {
 *       if (slt %k, %n) { yield }                     if (slt %k, %limit) { yield }
 *       else { break @l }                             else { break @v %k }
 *       %x = load %p : f32                =>          %x = load %p : f32x8
 *       %y = fmul %x, %f                              %y = fmul %x, (splat %f)
 *       store %q, %y                                  store %q, %y
 *       continue @l (iadd %k, 1)                      continue @v (iadd %k, 8)
 *     }                                             }
 *                                                 }
 *                                                 the loop as it was, from where that has come to
 *
 * The test says that two places are the same, or as far apart as a vector is long. What is left runs in a second such loop of shorter vectors,
 * and then as before, as do all iterations where the test fails. It comes behind `vectorise`, whose planner has compared both (plan/planner.ts).
 */
import { Builder, newRegion } from '../../../ir/builder.ts';
import { cloneInstruction } from '../../../ir/clone.ts';
import { findDefinitions } from '../../../ir/definitions.ts';
import type * as ir from '../../../ir/ir.ts';
import { walkRegion, walkRegionsInsideOut } from '../../../ir/walk.ts';
import { isScalarOnly, scalarRegion } from '../../../ir/work-item-loops.ts';
import type { VectorTarget } from '../../../target/target.ts';
import { Memory } from '../../analysis/alias.ts';
import { VectorLoopWriter } from './vector-loop-writer.ts';
import { type Check, findVectorLoops, type VectorLoop } from './vector-loops.ts';

export function vectoriseLoops(fn: ir.Function, addressBits: 32 | 64, { vectors }: VectorTarget): void {
  if (!fn.body) return;
  let found: { definitions: ReadonlyMap<ir.Value, ir.Instruction>; memory: Memory } | undefined;
  walkRegion(fn.body, (itemLoop) => {
    if (itemLoop.op !== 'work_item_loop' || !isScalarOnly(itemLoop)) return;
    if (!found) {
      const definitions = findDefinitions(fn.body!);
      found = { definitions, memory: new Memory(fn, definitions) };
    }
    const loops = findVectorLoops(scalarRegion(itemLoop), found.definitions, found.memory, vectors);
    if (loops.size === 0) return;
    walkRegionsInsideOut(scalarRegion(itemLoop), (region) => {
      region.instructions = region.instructions.flatMap((one) => {
        const loop = one.op === 'loop' ? loops.get(one) : undefined;
        return loop ? new LoopWriter(loop, addressBits).write() : [one];
      });
    });
  });
}

/** Writes one loop. */
class LoopWriter {
  readonly #loop: VectorLoop;
  readonly #body: readonly ir.Instruction[];
  /** What is before the vector loop. */
  readonly #before: Builder;

  constructor(loop: VectorLoop, addressBits: 32 | 64) {
    const { count } = loop;
    this.#loop = loop;
    this.#body = count.loop.regions[0]!.instructions;
    this.#before = new Builder(newRegion(), addressBits);
  }

  /** What takes the loop's place. */
  write(): ir.Instruction[] {
    const { count, checks } = this.#loop;
    const { loop } = count;
    const [first] = loop.operands as [ir.Value];
    const before = this.#before;
    const safe = checks.map((check) => this.#isSafe(check, first));
    if (safe.length === 0) loop.operands = [this.#vectorLoops(first)];
    else {
      const choice = before.if(
        safe.reduce((all, one) => before.binary('and', all, one)),
        [first.type],
      );
      choice.span = loop.span;
      before.within(choice.regions[0]!, () => before.yield([this.#vectorLoops(first)]));
      before.within(choice.regions[1]!, () => before.yield([first]));
      loop.operands = [...choice.results];
    }
    return [...before.region.instructions, loop];
  }

  /** Whether two accesses meet in the same iteration, or in none that run together. */
  #isSafe({ one, other }: Check, first: ir.Value): ir.Value {
    const before = this.#before;
    const { lanes, bytes } = this.#loop;
    const addressOf = (pointer: ir.Value): ir.Value =>
      before.convert('ptoi', this.#atFirst(pointer, first), before.addressType);
    const distance = before.binary('isub', addressOf(other), addressOf(one));
    const least = before.integer(distance.type, lanes * bytes - 1);
    const apart = before.integer(distance.type, 2 * lanes * bytes - 1);
    return before.binary(
      'or',
      before.compare('eq', distance, before.integer(distance.type, 0)),
      before.compare('uge', before.binary('iadd', distance, least), apart),
    );
  }

  /** A pointer as it is in the first iteration. */
  #atFirst(pointer: ir.Value, first: ir.Value): ir.Value {
    const { counter } = this.#loop.count;
    const values = new Map([[counter, first]]);
    const visit = (value: ir.Value): void => {
      const definition = this.#body.find(({ results }) => results.includes(value));
      if (!definition || values.has(value)) return;
      definition.operands.forEach(visit);
      this.#before.region.instructions.push(cloneInstruction(definition, values));
    };
    visit(pointer);
    return values.get(pointer) ?? pointer;
  }

  /** Writes the vector loops, from the iteration `first` on. @returns what the counter has come to */
  #vectorLoops(first: ir.Value): ir.Value {
    const { lanes, lanesOfRest } = this.#loop;
    const second = new VectorLoopWriter(this.#loop, lanes, this.#before).write(first);
    if (!lanesOfRest) return second;
    return new VectorLoopWriter(this.#loop, lanesOfRest, this.#before).write(second);
  }
}
