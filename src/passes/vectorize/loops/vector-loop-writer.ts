/**
 * Writes a loop that does several iterations of another at once (vectorize-loops.ts has an example). What grows evenly from iteration to iteration
 * is computed for the first of them, what differs otherwise as vectors.
 */
import { type Builder, newValue } from '../../../ir/builder.ts';
import { cloneInstruction } from '../../../ir/clone.ts';
import type * as ir from '../../../ir/ir.ts';
import { type LaneCount, type ScalarType, vectorType } from '../../../ir/types.ts';
import { loopOfSeveral } from '../../analysis/counted-loops.ts';
import type { VectorLoop } from './vector-loops.ts';

export class VectorLoopWriter {
  readonly #loop: VectorLoop;
  readonly #lanes: LaneCount;
  readonly #before: Builder;
  /** Of what the body computes the first lane, and all of them. */
  readonly #scalars = new Map<ir.Value, ir.Value>();
  readonly #vectors = new Map<ir.Value, ir.Value>();

  /** @param before where the loop goes, and what it needs once */
  constructor(loop: VectorLoop, lanes: LaneCount, before: Builder) {
    this.#loop = loop;
    this.#lanes = lanes;
    this.#before = before;
  }

  /** Writes the loop, from the iteration `first` on. @returns what the counter has come to */
  write(first: ir.Value): ir.Value {
    const { count } = this.#loop;
    const { loop, counter, testAt } = count;
    const { several, builder } = loopOfSeveral(count, this.#lanes, this.#before, first);
    const [own] = several.regions[0]!.parameters as [ir.Value];
    this.#scalars.set(counter, own);
    loop.regions[0]!.instructions.slice(0, -1).forEach((instruction, at) => {
      if (at !== testAt) this.#iterations(builder, instruction);
    });
    builder.continue(several, [builder.binary('iadd', own, builder.integer(own.type, this.#lanes))]);
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
    return vectorType(type as ScalarType, this.#lanes);
  }

  /** What a value is in each iteration. */
  #vectorOf(builder: Builder, value: ir.Value): ir.Value {
    const known = this.#vectors.get(value);
    if (known) return known;
    const { kinds } = this.#loop;
    const type = this.#widened(value.type);
    const scalar = this.#scalars.get(value);
    const kind = kinds.get(value);
    // What comes from elsewhere is spread once.
    const at = scalar ? builder : this.#before;
    let vector = at.splat(scalar ?? value, type);
    if (typeof kind === 'object') {
      const steps = Array.from({ length: this.#lanes }, (_, lane) => lane * kind.step);
      vector = builder.binary('iadd', vector, this.#before.constant(type, steps));
    }
    this.#vectors.set(value, vector);
    return vector;
  }
}
