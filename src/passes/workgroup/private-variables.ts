/**
 * Private variables of a kernel that is cut into pieces: one that a single piece uses stays a variable there, others
 * have a copy for each work-item that lives as long as the group.
 */
import type * as ir from '../../ir/ir.ts';
import { walkRegion } from '../../ir/walk.ts';

/** A use of a private variable in a piece. */
interface AddressUse {
  readonly instruction: ir.ItemAddress;
  readonly inLoop: boolean;
}

export class PrivateVariables {
  readonly #variables = new Map<ir.Value, ir.Variable>();
  readonly #uses = new Map<ir.Value, AddressUse[]>();
  /** The private variable that a pointer is derived from. */
  readonly #derivedFrom = new Map<ir.Value, ir.Value>();
  /** Private variables whose address goes elsewhere than to loads and stores. */
  readonly #escaping = new Set<ir.Value>();

  add(variable: ir.Variable): void {
    this.#variables.set(variable.results[0]!, variable);
  }

  has(value: ir.Value): boolean {
    return this.#variables.has(value);
  }

  /** Notes that a piece takes the variable's address, by that instruction. */
  use(value: ir.Value, instruction: ir.ItemAddress, inLoop: boolean): void {
    const use = { instruction, inLoop };
    const uses = this.#uses.get(value);
    if (uses) uses.push(use);
    else this.#uses.set(value, [use]);
  }

  /** Notes that a pointer, which may lead into a private variable, lives from one piece to another. */
  keepAddress(pointer: ir.Value): void {
    const root = this.#derivedFrom.get(pointer);
    if (root) this.#escaping.add(root);
  }

  /** Finds variables whose address is used for more than loads, stores and offsets. */
  findEscaping(body: ir.Region): void {
    for (const value of this.#variables.keys()) this.#derivedFrom.set(value, value);
    walkRegion(body, (instruction) => {
      instruction.operands.forEach((operand, index) => {
        const root = this.#derivedFrom.get(operand);
        if (!root) return;
        const isAddress =
          instruction.op === 'load' ||
          instruction.op === 'copy' ||
          instruction.op === 'fill' ||
          ((instruction.op === 'store' || instruction.op === 'atomic') && index === 0);
        if (instruction.op === 'offset') this.#derivedFrom.set(instruction.results[0]!, root);
        else if (!isAddress) this.#escaping.add(root);
      });
    });
  }

  /**
   * Appends variables with a copy for each work-item to `variables`.
   * @returns for each variable that one piece alone uses, the variable in the place of the instruction that took its
   *   address there
   */
  settle(variables: ir.Variable[]): Map<ir.Instruction, ir.Instruction> {
    const replaced = new Map<ir.Instruction, ir.Instruction>();
    for (const [value, variable] of this.#variables) {
      const uses = this.#uses.get(value);
      if (!uses) continue;
      if (uses.length === 1 && !uses[0]!.inLoop && !this.#escaping.has(value)) {
        const { instruction } = uses[0]!;
        replaced.set(instruction, { ...variable, results: instruction.results });
      } else variables.push({ ...variable, perItem: true });
    }
    return replaced;
  }
}
