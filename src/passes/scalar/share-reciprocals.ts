/**
 * Divides by multiplying where several divisions have the same divisor, or one in a loop has a divisor that the loop does not change, if
 * the program was built so that this is allowed (`reassociate` on an `fdiv`): a division takes several times as long as a product.
 *
 *     %x = fdiv reassociate %a, %d            %r = fdiv reassociate 1.0, %d       (once, by gvn; before the loop, by licm)
 *     %y = fdiv reassociate %b, %d      =>    %x = fmul contract %a, %r
 *                                             %y = fmul contract %b, %r
 *
 * A reciprocal is written at each division; gvn and licm, which come next, make one of them.
 */
import { newValue } from '../../ir/builder.ts';
import { splatOf } from '../../ir/constants.ts';
import type * as ir from '../../ir/ir.ts';

export function shareReciprocals(fn: ir.Function): boolean {
  return fn.body !== undefined && new Sharing().region(fn.body, 0, 0);
}

class Sharing {
  /** The loops around each value's definition; parameters of the function have none. */
  readonly #depths = new Map<ir.Value, number>();
  readonly #ones = new Set<ir.Value>();

  /**
   * @param depth how many loops are around
   * @param certain how many loops are around the outermost one that always comes here when it runs
   */
  region(region: ir.Region, depth: number, certain: number): boolean {
    let changed = false;
    const counts = new Map<ir.Value, number>();
    for (const one of region.instructions) {
      if (!isQuotient(one)) continue;
      const divisor = one.operands[1]!;
      counts.set(divisor, (counts.get(divisor) ?? 0) + 1);
    }
    for (const parameter of region.parameters) this.#depths.set(parameter, depth);
    const output: ir.Instruction[] = [];
    for (const instruction of region.instructions) {
      const isLoop = instruction.op === 'loop' || instruction.op === 'work_item_loop';
      for (const nested of instruction.regions) {
        const isConditional = !isLoop && instruction.op !== 'block';
        if (this.region(nested, isLoop ? depth + 1 : depth, isConditional ? depth : certain)) changed = true;
      }
      for (const result of instruction.results) this.#depths.set(result, depth);
      if (instruction.op === 'constant' && [instruction.value].flat().every((value) => value === 1))
        this.#ones.add(instruction.results[0]!);
      const [dividend, divisor] = instruction.operands;
      const isShared =
        isQuotient(instruction) &&
        !this.#ones.has(dividend!) &&
        (counts.get(divisor!)! > 1 || Math.max(this.#depths.get(divisor!) ?? 0, certain) < depth);
      if (!isShared) {
        output.push(instruction);
        continue;
      }
      changed = true;
      const { type } = divisor!;
      const [one, reciprocal] = [newValue(type), newValue(type)];
      const rest = { regions: [], ...(instruction.span ? { span: instruction.span } : {}) };
      output.push(
        { op: 'constant', value: splatOf(type, 1), operands: [], results: [one], regions: [] },
        {
          op: 'binary',
          fn: 'fdiv',
          reassociate: true,
          operands: [one, divisor!],
          results: [reciprocal],
          ...rest,
        },
        {
          op: 'binary',
          fn: 'fmul',
          contract: true,
          operands: [dividend!, reciprocal],
          results: instruction.results,
          ...rest,
        },
      );
    }
    region.instructions = output;
    return changed;
  }
}

function isQuotient(instruction: ir.Instruction): instruction is ir.Binary {
  return instruction.op === 'binary' && instruction.fn === 'fdiv' && instruction.reassociate === true;
}
