/** What the functions of a program share while they are selected: labels of each other, of traps and of routines. */

import type { EncodedFunction, ImportedFunction } from '../../wasm/module/encoder.ts';
import type { Program } from '../assembler/program.ts';
import type { RoutineName } from '../machine/routines.ts';
import type { FunctionSelector } from './function-selector.ts';
import { intrinsicsFor } from './intrinsics.ts';
import type { PlainRule, Rule } from './rule.ts';
import { rulesFor } from './rules.ts';

export class ModuleSelector {
  readonly program: Program;
  /** Of functions by number, those that are imported not counted. */
  readonly labels: readonly number[];
  readonly #imports: readonly ImportedFunction[];
  readonly #functions: readonly EncodedFunction[];
  readonly #traps = new Map<number, number>();
  readonly #routines = new Map<RoutineName, number>();

  /** By function: what stands in the place of calls of it. */
  readonly #intrinsics: readonly (PlainRule | undefined)[];

  /** What each instruction becomes, by its name. */
  readonly rules: ReadonlyMap<string, Rule>;

  /** @param runtimeFrom the place among `functions` of the first that comes from codegen/wasm's runtime */
  constructor(
    program: Program,
    imports: readonly ImportedFunction[],
    functions: readonly EncodedFunction[],
    { runtimeFrom, avx512 }: { readonly runtimeFrom: number; readonly avx512: boolean },
  ) {
    this.program = program;
    this.rules = rulesFor(avx512);
    const intrinsics = intrinsicsFor(avx512);
    this.#intrinsics = functions.map(({ name }, at) =>
      at >= runtimeFrom ? intrinsics.get(name) : undefined,
    );
    this.#imports = imports;
    this.#functions = functions;
    this.labels = functions.map(() => program.newLabel());
  }

  /** Where a kernel ends with a status. */
  trap(status: number): number {
    return this.#labelOf(this.#traps, status);
  }

  routine(name: RoutineName): number {
    return this.#labelOf(this.#routines, name);
  }

  get traps(): ReadonlyMap<number, number> {
    return this.#traps;
  }

  get routines(): ReadonlyMap<RoutineName, number> {
    return this.#routines;
  }

  #labelOf<K>(map: Map<K, number>, key: K): number {
    let found = map.get(key);
    if (found === undefined) {
      found = this.program.newLabel();
      map.set(key, found);
    }
    return found;
  }

  call(s: FunctionSelector, index: number): void {
    const imported = this.#imports[index];
    if (imported) {
      s.callImported(index, imported.signature);
      return;
    }
    const at = index - this.#imports.length;
    const { name, signature } = this.#functions[at]!;
    const intrinsic = this.#intrinsics[at];
    if (intrinsic) {
      intrinsic(s);
      return;
    }
    this.callees.push([s.fn.name, name]);
    s.callInternal(this.labels[at]!, signature);
  }

  /** Whether a function is never called, as instructions stand in the place of calls. Those that are imported are not counted. */
  isIntrinsic(at: number): boolean {
    return this.#intrinsics[at] !== undefined;
  }

  /** Who calls whom, by name. */
  readonly callees: [string, string][] = [];
}
