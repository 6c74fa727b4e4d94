/**
 * Runs iterations of a loop together where work-items run one by one (vector-loops.ts says which loops):
 *
 *                                                 %s = ptoi of the first %q, less that of the first %p
 *                                                 if (eq %s, 0) or (uge (iadd %s, 31), 63) {
 *     loop @l (%k = %first) {                       loop @v (%k = %first) {
 *       if (slt %k, %n) { yield }                     if (slt %k, %n) and (ugt (isub %n, %k), 7) { yield }
 *       else { break @l }                             else { break @v %k }
 *       %x = load %p : f32                =>          %x = load %p : f32x8
 *       %y = fmul %x, %f                              %y = fmul %x, (splat %f)
 *       store %q, %y                                  store %q, %y
 *       continue @l (iadd %k, 1)                      continue @v (iadd %k, 8)
 *     }                                             }
 *                                                 }
 *                                                 the loop as it was, from where that has come to
 *
 * The test says that two places are the same, or as far apart as a vector is long. Iterations that are left run as before, as do all of them
 * where the test fails. It comes behind `vectorise`, whose planner has compared both (plan/planner.ts).
 */
import { Builder, newRegion, newValue } from '../../../ir/builder.ts';
import { cloneInstruction } from '../../../ir/clone.ts';
import { findDefinitions } from '../../../ir/definitions.ts';
import type * as ir from '../../../ir/ir.ts';
import { type ScalarType, vectorType } from '../../../ir/types.ts';
import { walkRegion, walkRegionsInsideOut } from '../../../ir/walk.ts';
import { isScalarOnly, scalarRegion } from '../../../ir/work-item-loops.ts';
import type { VectorTarget } from '../../../target/target.ts';
import { Memory } from '../../analysis/alias.ts';
import { loopOfSeveral } from '../../analysis/counted-loops.ts';
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
  readonly #addressBits: 32 | 64;
  /** What is before the vector loop. */
  readonly #before: Builder;
  /** In the vector loop: of what the body computes the first lane, and all of them. */
  readonly #scalars = new Map<ir.Value, ir.Value>();
  readonly #vectors = new Map<ir.Value, ir.Value>();

  constructor(loop: VectorLoop, addressBits: 32 | 64) {
    const { count } = loop;
    this.#loop = loop;
    this.#body = count.loop.regions[0]!.instructions;
    this.#addressBits = addressBits;
    this.#before = new Builder(newRegion(), addressBits);
  }

  /** What takes the loop's place. */
  write(): ir.Instruction[] {
    const { count, checks } = this.#loop;
    const { loop } = count;
    const [first] = loop.operands as [ir.Value];
    const before = this.#before;
    const safe = checks.map((check) => this.#isSafe(check, first));
    if (safe.length === 0) loop.operands = [this.#vectorLoop()];
    else {
      const choice = before.if(
        safe.reduce((all, one) => before.binary('and', all, one)),
        [first.type],
      );
      choice.span = loop.span;
      before.within(choice.regions[0]!, () => before.yield([this.#vectorLoop()]));
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

  /** Writes the vector loop. @returns what the counter has come to */
  #vectorLoop(): ir.Value {
    const { lanes, count } = this.#loop;
    const { counter, testAt } = count;
    const { several, builder } = loopOfSeveral(count, lanes, this.#addressBits);
    const [own] = several.regions[0]!.parameters as [ir.Value];
    this.#scalars.set(counter, own);
    this.#body.slice(0, -1).forEach((instruction, at) => {
      if (at !== testAt) this.#iterations(builder, instruction);
    });
    builder.continue(several, [builder.binary('iadd', own, builder.integer(own.type, lanes))]);
    this.#before.append(several);
    return several.results[0]!;
  }

  /** An instruction for all iterations that run together. */
  #iterations(builder: Builder, instruction: ir.Instruction): void {
    const { kinds } = this.#loop;
    const [result] = instruction.results;
    const [pointer] = instruction.operands;
    const isAccess = instruction.op === 'load' || instruction.op === 'store';
    const kind = isAccess ? kinds.get(pointer!) : result && kinds.get(result);
    if (kind === undefined || (!isAccess && kind !== 'lanes')) {
      builder.region.instructions.push(cloneInstruction(instruction, this.#scalars));
      return;
    }
    const results = instruction.results.map(({ type, name }) => newValue(this.#widened(type), name));
    const operands = instruction.operands.map((operand, at) => {
      // One answer for all lanes chooses all of them.
      const isShared = instruction.op === 'select' && at === 0 && kinds.get(operand) !== 'lanes';
      return operand === pointer && (isAccess || isShared)
        ? (this.#scalars.get(operand) ?? operand)
        : this.#vectorOf(builder, operand);
    });
    builder.append({ ...instruction, operands, results } as ir.Instruction);
    if (result) this.#vectors.set(result, results[0]!);
  }

  #widened(type: ir.Value['type']): ReturnType<typeof vectorType> {
    return vectorType(type as ScalarType, this.#loop.lanes);
  }

  /** What a value is in each iteration. */
  #vectorOf(builder: Builder, value: ir.Value): ir.Value {
    const known = this.#vectors.get(value);
    if (known) return known;
    const { kinds, lanes } = this.#loop;
    const type = this.#widened(value.type);
    const scalar = this.#scalars.get(value);
    const kind = kinds.get(value);
    // What comes from elsewhere is spread once.
    const at = scalar ? builder : this.#before;
    let vector = at.splat(scalar ?? value, type);
    if (typeof kind === 'object') {
      const steps = Array.from({ length: lanes }, (_, lane) => lane * kind.step);
      vector = builder.binary('iadd', vector, this.#before.constant(type, steps));
    }
    this.#vectors.set(value, vector);
    return vector;
  }
}
