/**
 * Selection of what computes: each instruction lane by lane, doubles in two words. Products and sums become one instruction where
 * the source allows it, and the products of IL, in which zero wins, the one that the chips have for them.
 */
import type * as ir from '../../ir/ir.ts';
import { elementOf } from '../../ir/types.ts';
import { binaryLane, compareLane, convertLane, type Lane, unaryLane } from './arithmetic.ts';
import { bitsOfFloat, rounded, wordsOfDouble } from './bits.ts';
import { allOnes, type Emitter, literal, negated, zero } from './emitter.ts';
import { R600Error } from './error.ts';
import { laneWords } from './parameters.ts';
import type { Scope } from './scope.ts';
import { isInsideTest } from './textures.ts';

export class Computation {
  readonly #scope: Scope;
  readonly #emitter: Emitter;

  constructor(scope: Scope, emitter: Emitter) {
    this.#scope = scope;
    this.#emitter = emitter;
  }

  /** What computes its result lane by lane. */
  select(instruction: ir.Instruction): void {
    const scope = this.#scope;
    const emitter = this.#emitter;
    const { operands, results, span } = instruction;
    const type = results[0]?.type;
    if (type) scope.requireType(type, span);
    const lanes = (index: number): readonly Lane[] => scope.lanes(operands[index]!);
    const from = operands[0]?.type;
    const each = (make: (lane: number) => Lane, like: readonly Lane[]): void =>
      scope.set(
        results[0]!,
        like.map((_, lane) => make(lane)),
      );
    switch (instruction.op) {
      case 'constant':
        scope.set(results[0]!, constantLanes(instruction));
        break;
      case 'undefined':
        scope.set(results[0]!, scope.zeros(type!));
        break;
      case 'unary': {
        const a = lanes(0);
        each((lane) => unaryLane(emitter, instruction, from!, a[lane]!), a);
        break;
      }
      case 'binary': {
        if (this.#isFlatGroup(results[0]!)) {
          scope.set(results[0]!, [[scope.flatGroup()]]);
          break;
        }
        const [a, b] = [lanes(0), lanes(1)];
        const fused = this.#fused(instruction);
        each((lane) => fused?.(lane) ?? binaryLane(emitter, instruction, from!, a[lane]!, b[lane]!), a);
        break;
      }
      case 'fma': {
        const [a, b, c] = [lanes(0), lanes(1), lanes(2)];
        each((lane) => this.#multiplyAdd(from!, a[lane]!, b[lane]!, c[lane]!), a);
        break;
      }
      case 'compare': {
        const [a, b] = [lanes(0), lanes(1)];
        each((lane) => [compareLane(emitter, instruction, from!, a[lane]!, b[lane]!)], a);
        break;
      }
      case 'select': {
        const product = this.#zeroProduct(results[0]!);
        if (product) {
          const [a, b] = product.map((value) => scope.lanes(value)) as [readonly Lane[], readonly Lane[]];
          each((lane) => [emitter.emit('MUL', a[lane]![0]!, b[lane]![0]!)], a);
          break;
        }
        if (this.#isGuardedRead(operands)) {
          scope.set(results[0]!, lanes(1));
          break;
        }
        const [condition, a, b] = [lanes(0), lanes(1), lanes(2)];
        each((lane) => {
          const [truth] = condition[condition.length === 1 ? 0 : lane]!;
          return a[lane]!.map((word, index) => emitter.emit('CNDE_INT', truth!, b[lane]![index]!, word));
        }, a);
        break;
      }
      case 'convert': {
        const a = lanes(0);
        if (instruction.fn === 'bitcast') {
          scope.setWords(results[0]!, a.flat());
          break;
        }
        const { fn, rounding, saturate } = instruction;
        const conversion = { fn, rounding, isSaturating: saturate === true };
        each((lane) => convertLane(emitter, conversion, from!, type!, a[lane]!), a);
        break;
      }
      case 'splat': {
        const count = type!.kind === 'vector' ? type!.lanes : 1;
        scope.set(results[0]!, Array<Lane>(count).fill(lanes(0)[0]!));
        break;
      }
      case 'build':
        scope.set(
          results[0]!,
          operands.flatMap((operand) => scope.lanes(operand)),
        );
        break;
      case 'extract':
        scope.set(results[0]!, [lanes(0)[instruction.lane]!]);
        break;
      case 'insert':
        scope.set(
          results[0]!,
          lanes(0).map((lane, index) => (index === instruction.lane ? lanes(1)[0]! : lane)),
        );
        break;
      case 'shuffle': {
        const all = [...lanes(0), ...lanes(1)];
        const nothing = scope.zeros(type!)[0]!;
        scope.set(
          results[0]!,
          instruction.lanes.map((lane) => all[lane] ?? nothing),
        );
        break;
      }
      default:
        throw new R600Error(`${described(instruction)}: the R600 family has nothing for it`, span);
    }
  }

  /**
   * The factors of a product that is 0 if one of them is, whatever the other: IL's `mul`, which R600 has besides the other
   * one, but the IR says as a choice: a = 0 or b = 0 ? 0 : a * b.
   */
  #zeroProduct(value: ir.Value): readonly [ir.Value, ir.Value] | undefined {
    const made = (one: ir.Value): ir.Instruction | undefined => this.#scope.definition(one);
    const choice = made(value);
    if (choice?.op !== 'select' || laneWords(value.type) === 2) return undefined;
    const [condition, zeros, otherwise] = choice.operands as [ir.Value, ir.Value, ir.Value];
    const product = made(otherwise);
    const either = made(condition);
    if (product?.op !== 'binary' || product.fn !== 'fmul') return undefined;
    if (either?.op !== 'binary' || either.fn !== 'or' || !this.#isZero(zeros)) return undefined;
    const tested = either.operands.map((operand) => {
      const test = made(operand);
      return test?.op === 'compare' && test.fn === 'feq' && this.#isZero(test.operands[1]!)
        ? test.operands[0]
        : undefined;
    });
    const [a, b] = product.operands as [ir.Value, ir.Value];
    return tested[0] === a && tested[1] === b ? [a, b] : undefined;
  }

  /** A read of a texture by integers that is 0 outside of it: the chip's are so by themselves. */
  #isGuardedRead([condition, read, otherwise]: readonly ir.Value[]): boolean {
    const scope = this.#scope;
    if (!this.#isZero(otherwise!) || !isInsideTest(condition!, scope)) return false;
    const made = scope.definition(read!);
    const load = made?.op === 'extract' ? scope.definition(made.operands[0]!) : made;
    return load?.op === 'load' && scope.textureOf(load.operands[0]!) !== undefined;
  }

  /** The number of the group, counted row by row: (z * rows + y) * columns + x. A compute kernel begins with it. */
  #isFlatGroup(value: ir.Value): boolean {
    const query = (one: ir.Value, fn: ir.QueryFunction, dimension: number): boolean => {
      const made = this.#scope.definition(one);
      return made?.op === 'query' && made.fn === fn && made.dimension === dimension;
    };
    const binary = (one: ir.Value, fn: string): readonly ir.Value[] => {
      const made = this.#scope.definition(one);
      return made?.op === 'binary' && made.fn === fn ? made.operands : [];
    };
    const step = (one: ir.Value, dimension: number): ir.Value | undefined => {
      const sum = binary(one, 'iadd');
      for (const [rows, own] of [sum, [...sum].reverse()]) {
        if (!rows || !own || !query(own, 'group_id', dimension)) continue;
        const product = binary(rows, 'imul');
        for (const [before, count] of [product, [...product].reverse()])
          if (before && count && query(count, 'num_groups', dimension)) return before;
      }
      return undefined;
    };
    if (!this.#scope.isCompute) return false;
    const rows = step(value, 0);
    const last = rows && step(rows, 1);
    return last !== undefined && query(last, 'group_id', 2);
  }

  #isZero(value: ir.Value): boolean {
    const made = this.#scope.definition(value);
    return (
      made?.op === 'constant' && this.#scope.words(value).every((w) => w.kind === 'literal' && w.bits === 0)
    );
  }

  #multiplyAdd(type: ir.Value['type'], a: Lane, b: Lane, c: Lane): Lane {
    const element = elementOf(type);
    const isDouble = element.kind === 'float' && element.bits === 64;
    if (isDouble) return this.#emitter.emitWide('MULADD_64', [...a, ...b, ...c], true);
    return [this.#emitter.emit('MULADD_e', a[0]!, b[0]!, c[0]!)];
  }

  /** An addition or subtraction together with a multiplication that nobody else needs, where the source allows it. */
  #fused(sum: ir.Binary): ((lane: number) => Lane) | undefined {
    if (!sum.contract || (sum.fn !== 'fadd' && sum.fn !== 'fsub')) return undefined;
    const { type } = sum.operands[0]!;
    const isDouble = laneWords(type) === 2;
    const zeroAt =
      sum.fn === 'fadd' ? sum.operands.findIndex((operand) => this.#onceZeroProduct(operand)) : -1;
    if (zeroAt >= 0) {
      const factors = this.#zeroProduct(sum.operands[zeroAt]!)!;
      const [a, b, c] = [...factors, sum.operands[1 - zeroAt]!].map((value) => this.#scope.lanes(value));
      return (lane) => [this.#emitter.emit('MULADD', a![lane]![0]!, b![lane]![0]!, c![lane]![0]!)];
    }
    const at = sum.operands.findIndex((operand) => {
      const made = this.#scope.definition(operand);
      return made?.op === 'binary' && made.fn === 'fmul' && made.contract && this.#scope.uses(operand) === 1;
    });
    // a * b - c and c - a * b would need the sign of a double's high word: left alone.
    if (at < 0 || (isDouble && sum.fn === 'fsub')) return undefined;
    const product = this.#scope.definition(sum.operands[at]!)!;
    const [a, b, c] = [product.operands[0]!, product.operands[1]!, sum.operands[1 - at]!].map((value) =>
      this.#scope.lanes(value),
    );
    return (lane) => {
      let [x, z] = [a![lane]!, c![lane]!];
      if (sum.fn === 'fsub') {
        if (at === 0) z = [negated(z[0]!)];
        else x = [negated(x[0]!)];
      }
      return this.#multiplyAdd(type, x, b![lane]!, z);
    };
  }

  #onceZeroProduct(value: ir.Value): boolean {
    return this.#scope.uses(value) === 1 && this.#zeroProduct(value) !== undefined;
  }
}

function constantLanes({ value, results }: ir.Constant): readonly Lane[] {
  const { type } = results[0]!;
  const element = elementOf(type);
  const scalars = Array.isArray(value)
    ? (value as readonly ir.ScalarConstant[])
    : [value as ir.ScalarConstant];
  return scalars.map((scalar): Lane => {
    if (typeof scalar === 'boolean') return [scalar ? allOnes : zero];
    if (element.kind !== 'float') return [literal(Number(BigInt.asIntN(32, BigInt(scalar))))];
    if (element.bits === 64) return wordsOfDouble(Number(scalar)).map(literal);
    return [literal(bitsOfFloat(rounded(Number(scalar))))];
  });
}
/** What an instruction is called in messages. */
function described(instruction: ir.Instruction): string {
  switch (instruction.op) {
    case 'atomic':
      return 'an atomic operation';
    case 'collective':
      return 'a function of the whole group';
    case 'copy':
    case 'fill':
      return 'a copy of a structure or array';
    case 'call_indirect':
    case 'function_address':
      return 'a pointer to a function';
    case 'in_space':
      return 'a generic pointer';
    default:
      return `'${instruction.op}'`;
  }
}
