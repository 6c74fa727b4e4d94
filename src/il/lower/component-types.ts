/**
 * What registers hold, as far as that can be told: a component that only floats are written to and read from becomes a
 * variable of floats, every other one of 32-bit integers. Either is right, since values are reinterpreted where they do not
 * fit; but a variable that fits saves this, and integers must not go through floats, which may change the bits of NaNs.
 *
 * Moves say nothing of a value's type, so components that are moved into one another are of one class.
 */
import type { Family } from '../opcodes.ts';
import type { Instruction, Program, Register, Source } from '../tree.ts';
import { stepsAt } from './source-modifiers.ts';
import { swizzleOf } from './swizzle.ts';

/** The families whose values are not floats. */
const integerFamilies: ReadonlySet<Family> = new Set<Family>([
  'integer',
  'bits',
  'long',
  'double',
  'lds',
  'gds',
  'uav',
  'macro',
  'flow',
]);

/** Of families with other types on their two sides. */
const integerResults = /^(eq|ge|lt|ne|mova|ftoi|ftou|dtoi|dtou|f2d|f_2_u4|f2f16|itod|utod|unpack.*)$/;
const integerSources = /^(itof|utof|d2f|itod|utod|dtoi|dtou|f162f|unpack.*)$/;

export class ComponentTypes {
  readonly #parents = new Map<string, string>();
  readonly #integers = new Set<string>();
  readonly #floats = new Set<string>();

  constructor({ items }: Program) {
    for (const item of items) {
      if (item.kind === 'instruction' && item.opcode.family !== 'declaration') this.#visit(item);
    }
    for (const key of [...this.#integers]) this.#integers.add(this.#root(key));
    for (const key of [...this.#floats]) this.#floats.add(this.#root(key));
  }

  isFloat(register: Register, component: number): boolean {
    const root = this.#root(keyOf(register, component));
    return this.#floats.has(root) && !this.#integers.has(root);
  }

  /** Whether nothing tells what a component holds, which then perhaps nobody reads. */
  isUnknown(register: Register, component: number): boolean {
    const root = this.#root(keyOf(register, component));
    return !this.#floats.has(root) && !this.#integers.has(root);
  }

  #visit(instruction: Instruction): void {
    const { name, family } = instruction.opcode;
    if (family === 'move') {
      this.#visitMove(instruction);
      return;
    }
    instruction.operands.forEach((operand, index) => {
      const operands = operand.kind === 'arguments' ? operand.operands : [operand];
      for (const one of operands) {
        if (one.kind !== 'source' && one.kind !== 'destination') continue;
        this.#visitIndices(one.register);
        // it hands bits on, of registers that it does not name
        if (name === 'transpose') continue;
        const isResult = index === 0 && one.kind === 'destination';
        // what an image or a memory holds may be anything
        if (isResult && family === 'texture') continue;
        const isInteger =
          integerFamilies.has(family) || (isResult ? integerResults : integerSources).test(name);
        for (let component = 0; component < 4; component += 1) {
          if (one.kind === 'source') this.#markSource(one, component, isInteger);
          else if (one.mask[component] !== 'keep') this.#mark(keyOf(one.register, component), isInteger);
        }
      }
    });
  }

  /** `mov`, `cmov_logical` and `cmp` hand bits on from all operands but the condition. */
  #visitMove({ opcode, operands }: Instruction): void {
    const [destination, ...sources] = operands;
    if (destination?.kind !== 'destination') return;
    this.#visitIndices(destination.register);
    sources.forEach((source, index) => {
      if (source.kind !== 'source') return;
      this.#visitIndices(source.register);
      const isCondition = sources.length > 1 && index === 0;
      for (let component = 0; component < 4; component += 1) {
        if (destination.mask[component] !== 'write') continue;
        if (isCondition) this.#markSource(source, component, opcode.name === 'cmov_logical');
        else if (opcode.name === 'mova') this.#markSource(source, component, false);
        else if (stepsAt(source, component).length > 0) {
          this.#markSource(source, component, false);
          this.#mark(keyOf(destination.register, component), false);
        } else {
          const selector = swizzleOf(source)[component]!;
          if (typeof selector === 'number') {
            this.#join(keyOf(destination.register, component), keyOf(source.register, selector));
          }
        }
      }
    });
  }

  #visitIndices({ indices }: Register): void {
    for (const { terms } of indices) {
      for (const term of terms) {
        if (term.kind !== 'source') continue;
        this.#visitIndices(term.register);
        for (let component = 0; component < 4; component += 1) this.#markSource(term, component, true);
      }
    }
  }

  #markSource(source: Source, position: number, isInteger: boolean): void {
    const selector = swizzleOf(source)[position]!;
    if (typeof selector === 'number') this.#mark(keyOf(source.register, selector), isInteger);
  }

  #mark(key: string, isInteger: boolean): void {
    (isInteger ? this.#integers : this.#floats).add(key);
  }

  #root(key: string): string {
    let root = key;
    for (let parent = this.#parents.get(root); parent !== undefined; parent = this.#parents.get(root)) {
      root = parent;
    }
    if (root !== key) this.#parents.set(key, root);
    return root;
  }

  #join(a: string, b: string): void {
    if (!a.startsWith('r') && !a.startsWith('o')) return;
    if (!b.startsWith('r')) return;
    const [first, second] = [this.#root(a), this.#root(b)];
    if (first !== second) this.#parents.set(first, second);
  }
}

const keyOf = ({ kind, number }: Register, component: number): string =>
  `${kind}${number ?? ''}.${component}`;
