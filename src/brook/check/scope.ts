/** What is known while a kernel is checked: its parameters and variables, the kernels before it, the sink of messages. */

import type { Kernel } from '../syntax/ast.ts';
import type { ElementType } from '../types.ts';
import type { Report } from './report.ts';
import type { CheckedKernel, Formal, Local, SharedArray, Typed } from './tree.ts';

export type Meaning = Formal | Local | SharedArray;

export class Scope {
  readonly report: Report;
  readonly kernel: Kernel;
  /** Kernels of the file by name: those defined so far, and prototypes as undefined. */
  readonly kernels: ReadonlyMap<string, CheckedKernel | undefined>;
  /** Functions of the file that are no kernels. */
  readonly hostFunctions: ReadonlySet<string>;
  readonly isReduction: boolean;
  readonly groupSize: number | undefined;
  /** Called by other kernels only, so that who calls it decides whether there are groups. */
  readonly isFunction: boolean;
  readonly #levels: Map<string, Meaning>[] = [new Map()];
  #locals = 0;
  /** Loops around the statement. */
  loops = 0;
  shared: SharedArray | undefined;
  /** Operators with which the variable of a reduction was changed; `?` for a change that is no such thing. */
  readonly reduceOperators = new Set<string>();
  /** How often that variable was named, and how often as part of such changes. */
  reduceUses = 0;
  reduceUsesExplained = 0;

  constructor(
    report: Report,
    kernel: Kernel,
    kernels: ReadonlyMap<string, CheckedKernel | undefined>,
    facts: {
      readonly hostFunctions: ReadonlySet<string>;
      readonly isReduction: boolean;
      readonly isFunction: boolean;
      readonly groupSize: number | undefined;
    },
  ) {
    this.report = report;
    this.kernel = kernel;
    this.kernels = kernels;
    this.hostFunctions = facts.hostFunctions;
    this.isReduction = facts.isReduction;
    this.isFunction = facts.isFunction;
    this.groupSize = facts.groupSize;
  }

  enter(): void {
    this.#levels.push(new Map());
  }

  leave(): void {
    this.#levels.pop();
  }

  find(name: string): Meaning | undefined {
    for (let level = this.#levels.length - 1; level >= 0; level -= 1) {
      const found = this.#levels[level]!.get(name);
      if (found) return found;
    }
    return undefined;
  }

  /** False if the innermost block has the name already. */
  declare(name: string, meaning: Meaning): boolean {
    const innermost = this.#levels[this.#levels.length - 1]!;
    if (innermost.has(name)) return false;
    innermost.set(name, meaning);
    return true;
  }

  /** A change of a reduction's variable by an operator that names it `uses` times. */
  noteReduceChange(target: Typed, operator: string, uses: number): void {
    if (target.kind !== 'formal' || target.formal.role !== 'reduce') return;
    this.reduceOperators.add(operator);
    this.reduceUsesExplained += uses;
  }

  /** `r = r + a` and `r = a + r` are changes by an operator; other assignments are not. */
  noteReduceAssignment(target: Typed, value: Typed): void {
    const isVariable = (one: Typed): boolean => one.kind === 'formal' && one.formal.role === 'reduce';
    const isChange = value.kind === 'binary' && isVariable(value.left) !== isVariable(value.right);
    this.noteReduceChange(target, isChange ? value.operator : '?', 2);
  }

  /** The operator that all changes have in common, if the variable is used for nothing else. */
  get reduceOperator(): string | undefined {
    const [operator, ...others] = this.reduceOperators;
    const isKnown = operator !== undefined && ['+', '*', '|', '^', '&'].includes(operator);
    return isKnown && others.length === 0 && this.reduceUses === this.reduceUsesExplained
      ? operator
      : undefined;
  }

  local(name: string, type: ElementType, isConst: boolean): Local {
    this.#locals += 1;
    return { name, unique: `${name}_${this.#locals}`, type, isConst };
  }
}

export function isFormal(meaning: Meaning): meaning is Formal {
  return 'role' in meaning;
}

export function isLocal(meaning: Meaning): meaning is Local {
  return 'unique' in meaning;
}

export function isShared(meaning: Meaning): meaning is SharedArray {
  return !isFormal(meaning) && !isLocal(meaning);
}
