/**
 * Joins modules into one: what one declares, another defines. Symbols are found by their names; those of internal
 * linkage belong to their module and give way where two share a name. The modules given stay as they are.
 *
 * Whatever is wrong is a diagnostic with the source places of both sides: two definitions of one name, a declaration
 * that does not fit its definition, a circle of calls through several modules, and (see {@link reportMissing}) something
 * that is used and nowhere defined.
 */
import type { Diagnostics, Note } from '../source/diagnostics.ts';
import { replaceAll } from '../source/lists.ts';
import type { SourceFile } from '../source/source-file.ts';
import { noSpan } from '../source/span.ts';
import { type CloneMaps, copyRegion } from './clone.ts';
import { FreeNames } from './free-names.ts';
import type * as ir from './ir.ts';
import { typeName } from './types.ts';
import { CallFacts } from './verify/call-facts.ts';
import { walkFunction } from './walk.ts';

type Symbol = ir.Function | ir.GlobalVariable;
type Relocation = ir.GlobalVariable['relocations'][number];
type FunctionPlace = NonNullable<ir.GlobalVariable['functions']>[number];

/**
 * The joined module. It is of use only if no error was reported. The modules must have one address width, and all or none be
 * programs for the host.
 * @param libraries modules whose definitions count only where the others have none of the name
 */
export function linkModules(
  modules: readonly ir.Module[],
  diagnostics: Diagnostics,
  libraries: readonly ir.Module[] = [],
): ir.Module {
  const linker = new Linker(modules[0] ?? { addressBits: 32 }, diagnostics);
  for (const module of modules) linker.define(module);
  for (const module of libraries) linker.define(module, true);
  const all = [...modules, ...libraries];
  for (const module of all) linker.declare(module);
  for (const module of all) linker.copy(module);
  if (!linker.module.isHosted) linker.findCircles();
  return linker.module;
}

/** Drops what no entry reaches: no kernel, if nothing else is said. */
export function keepReachable(module: ir.Module, isEntry = (fn: ir.Function) => fn.kind === 'kernel'): void {
  const { functions, globals } = reachableFrom(module.functions.filter(isEntry));
  keep(module.functions, functions);
  keep(module.globals, globals);
}

/** The functions and variables that some functions reach, themselves among them. */
export function reachableFrom(entries: Iterable<ir.Function>): {
  readonly functions: ReadonlySet<ir.Function>;
  readonly globals: ReadonlySet<ir.GlobalVariable>;
} {
  const functions = new Set<ir.Function>();
  const globals = new Set<ir.GlobalVariable>();
  const newFunctions = [...entries];
  const newGlobals: ir.GlobalVariable[] = [];
  const reachFunction = (fn: ir.Function): void => {
    if (!functions.has(fn)) newFunctions.push(fn);
  };
  const reachGlobal = (global: ir.GlobalVariable): void => {
    if (!globals.has(global)) newGlobals.push(global);
  };
  while (newFunctions.length > 0 || newGlobals.length > 0) {
    for (const fn of newFunctions.splice(0)) {
      if (functions.has(fn)) continue;
      functions.add(fn);
      walkFunction(fn, (instruction) => {
        if (instruction.op === 'call' || instruction.op === 'function_address')
          reachFunction(instruction.callee);
        else if (instruction.op === 'global_address') reachGlobal(instruction.global);
      });
    }
    for (const global of newGlobals.splice(0)) {
      if (globals.has(global)) continue;
      globals.add(global);
      for (const { target } of global.relocations) reachGlobal(target);
      for (const { target } of global.functions ?? []) reachFunction(target);
    }
  }
  return { functions, globals };
}

/** Everything that is used and only declared is an error at its first use. */
export function reportMissing(module: ir.Module, diagnostics: Diagnostics): void {
  const missing = new Set<Symbol>();
  for (const fn of module.functions) if (!fn.body && !fn.imported) missing.add(fn);
  for (const global of module.globals) if (global.isDeclared) missing.add(global);
  const report = (what: string, symbol: Symbol, how: string, user: Symbol, span = user.span): void => {
    if (!missing.delete(symbol)) return;
    diagnostics.error(
      span ?? symbol.span ?? noSpan,
      `${what} '${symbol.name}' is ${how} by '${user.name}' but not defined`,
      placeNote(symbol, 'declared'),
    );
  };
  for (const fn of missing.size > 0 ? module.functions : []) {
    walkFunction(fn, (instruction) => {
      if (instruction.op === 'call') report('function', instruction.callee, 'called', fn, instruction.span);
      if (instruction.op === 'function_address')
        report('function', instruction.callee, 'used', fn, instruction.span);
      if (instruction.op === 'global_address')
        report('variable', instruction.global, 'used', fn, instruction.span);
    });
  }
  for (const global of missing.size > 0 ? module.globals : []) {
    for (const { target } of global.relocations) report('variable', target, 'used', global);
    for (const { target } of global.functions ?? []) report('function', target, 'used', global);
  }
}

class Linker {
  readonly module: ir.Module;
  readonly #diagnostics: Diagnostics;
  /** What names mean to all modules: definitions, and declarations of what has none. */
  readonly #functions = new Map<string, ir.Function>();
  readonly #globals = new Map<string, ir.GlobalVariable>();
  /** Every symbol of the modules, and what it has become. */
  readonly #functionOf = new Map<ir.Function, ir.Function>();
  readonly #globalOf = new Map<ir.GlobalVariable, ir.GlobalVariable>();
  readonly #relocations = new Map<ir.GlobalVariable, Relocation[]>();
  readonly #functionPlaces = new Map<ir.GlobalVariable, FunctionPlace[]>();
  readonly #values = new Map<ir.Value, ir.Value>();
  /** Where second definitions have been reported. */
  readonly #reportedTwice = new Map<SourceFile, Set<number>>();
  readonly #names = new Set<string>();
  readonly #freeNames = new FreeNames((name) => this.#names.has(name));

  constructor(like: Pick<ir.Module, 'addressBits' | 'isHosted'>, diagnostics: Diagnostics) {
    const hosted = like.isHosted ? { isHosted: true } : {};
    this.module = { addressBits: like.addressBits, ...hosted, globals: [], functions: [] };
    this.#diagnostics = diagnostics;
  }

  /** Takes the definitions that other modules may mean. Those of a library give way. */
  define(module: ir.Module, isLibrary = false): void {
    for (const fn of module.functions) {
      if (!fn.body || fn.linkage === 'internal') continue;
      const earlier = this.#functions.get(fn.name);
      if (isLibrary ? earlier : this.#isTwice(fn, earlier)) continue;
      this.#functions.set(fn.name, this.#addFunction(fn, fn.name));
    }
    for (const global of module.globals) {
      if (global.isDeclared || global.linkage === 'internal') continue;
      const earlier = this.#globals.get(global.name);
      if (isLibrary ? earlier : this.#isTwice(global, earlier)) continue;
      this.#globals.set(global.name, this.#addGlobal(global, global.name));
    }
  }

  /** Finds what declarations mean, and takes what is the module's own. */
  declare(module: ir.Module): void {
    for (const fn of module.functions) {
      if (this.#functionOf.has(fn)) continue;
      const known = fn.linkage === 'internal' ? undefined : this.#functions.get(fn.name);
      if (!known) {
        const added = this.#addFunction(fn, fn.body ? this.#freeName(fn.name) : fn.name);
        if (!fn.body) this.#functions.set(fn.name, added);
        continue;
      }
      this.#functionOf.set(fn, known);
      const difference = fn.body ? undefined : functionDifference(fn, known);
      if (difference) this.#reportDifference(fn, known, difference);
    }
    for (const global of module.globals) {
      if (this.#globalOf.has(global)) continue;
      const known = global.linkage === 'internal' ? undefined : this.#globals.get(global.name);
      if (!known) {
        const added = this.#addGlobal(global, global.isDeclared ? global.name : this.#freeName(global.name));
        if (global.isDeclared) this.#globals.set(global.name, added);
        continue;
      }
      this.#globalOf.set(global, known);
      const difference = global.isDeclared ? globalDifference(global, known) : undefined;
      if (difference) this.#reportDifference(global, known, difference);
    }
  }

  /** Copies the bodies and addresses, which may mean any symbol. */
  copy(module: ir.Module): void {
    const maps: CloneMaps = {
      values: this.#values,
      instructions: new Map(),
      functions: this.#functionOf,
      globals: this.#globalOf,
    };
    for (const fn of module.functions) {
      const copy = this.#functionOf.get(fn)!;
      // A second definition has no copy of its own.
      if (fn.body && !copy.body) copy.body = copyRegion(fn.body, maps);
    }
    for (const global of module.globals) {
      const copy = this.#globalOf.get(global)!;
      const list = this.#relocations.get(copy)!;
      if (global.isDeclared || list.length > 0) continue;
      for (const { offset, target, addend } of global.relocations) {
        list.push({ offset, target: this.#globalOf.get(target) ?? target, addend });
      }
      const places = this.#functionPlaces.get(copy) ?? [];
      for (const { offset, target } of places.length > 0 ? [] : (global.functions ?? [])) {
        places.push({ offset, target: this.#functionOf.get(target) ?? target });
      }
    }
  }

  /** Each module was free of recursion alone. */
  findCircles(): void {
    const calls = new CallFacts();
    const reported = new Set<ir.Function>();
    for (const fn of this.module.functions) {
      walkFunction(fn, (instruction) => {
        if (instruction.op !== 'call' || reported.has(fn)) return;
        const { callee } = instruction;
        if (!calls.areCircular(callee, fn)) return;
        reported.add(fn);
        reported.add(callee);
        const how = callee === fn ? 'itself' : `'${callee.name}', which leads back to it`;
        this.#diagnostics.error(
          instruction.span ?? fn.span ?? noSpan,
          `recursion is not allowed in OpenCL: '${fn.name}' calls ${how}`,
          placeNote(callee, 'declared'),
        );
      });
    }
  }

  #addFunction(fn: ir.Function, name: string): ir.Function {
    this.#names.add(name);
    const parameters = fn.parameters.map((parameter) => {
      const value = { ...parameter.value };
      this.#values.set(parameter.value, value);
      return { ...parameter, value };
    });
    const copy: ir.Function = { ...fn, name, parameters, body: undefined };
    this.module.functions.push(copy);
    this.#functionOf.set(fn, copy);
    return copy;
  }

  #addGlobal(global: ir.GlobalVariable, name: string): ir.GlobalVariable {
    this.#names.add(name);
    const relocations: Relocation[] = [];
    const places: FunctionPlace[] = [];
    const functions = global.functions ? { functions: places } : {};
    const copy: ir.GlobalVariable = { ...global, name, relocations, ...functions };
    this.#functionPlaces.set(copy, places);
    this.module.globals.push(copy);
    this.#globalOf.set(global, copy);
    this.#relocations.set(copy, relocations);
    return copy;
  }

  #isTwice(symbol: Symbol, earlier: Symbol | undefined): boolean {
    if (!earlier) return false;
    const { span = noSpan } = symbol;
    // A kernel and the function that stands for it where it is called have one place, and are one mistake.
    const reported = this.#reportedTwice.get(span.file) ?? new Set();
    if (span !== noSpan && reported.has(span.start)) return true;
    this.#reportedTwice.set(span.file, reported.add(span.start));
    this.#diagnostics.error(
      span,
      `'${symbol.name}' is defined more than once`,
      placeNote(earlier, 'also defined'),
    );
    return true;
  }

  #reportDifference(declared: Symbol, defined: Symbol, difference: string): void {
    this.#diagnostics.error(
      declared.span ?? noSpan,
      `'${declared.name}' is declared otherwise than elsewhere: ${difference}`,
      placeNote(defined, 'also declared'),
    );
  }

  #freeName(name: string): string {
    if (!this.#names.has(name) && !this.#functions.has(name) && !this.#globals.has(name)) return name;
    return this.#freeNames.find(name);
  }
}

function keep<T>(list: T[], wanted: ReadonlySet<T>): void {
  replaceAll(
    list,
    list.filter((one) => wanted.has(one)),
  );
}

function placeNote(symbol: Symbol, what: string): readonly Note[] {
  return symbol.span ? [{ message: `'${symbol.name}' is ${what} here`, span: symbol.span }] : [];
}

/** How a declaration differs from what it is to mean, in IR types. */
function functionDifference(a: ir.Function, b: ir.Function): string | undefined {
  if (a.isUnprototyped || b.isUnprototyped) return undefined;
  if (a.parameters.length !== b.parameters.length) {
    return `with ${a.parameters.length} parameters, not ${b.parameters.length}`;
  }
  if (a.result !== b.result) return `its result is ${resultName(a)}, not ${resultName(b)}`;
  for (const [index, { value, aggregate }] of a.parameters.entries()) {
    const other = b.parameters[index]!;
    if (value.type !== other.value.type) {
      return `parameter ${index + 1} is ${typeName(value.type)}, not ${typeName(other.value.type)}`;
    }
    if (aggregate?.size !== other.aggregate?.size) {
      return `parameter ${index + 1} is a struct of ${aggregate?.size ?? 0} bytes, not ${other.aggregate?.size ?? 0}`;
    }
  }
  return undefined;
}

function resultName({ result }: ir.Function): string {
  return result ? typeName(result) : 'void';
}

function globalDifference(a: ir.GlobalVariable, b: ir.GlobalVariable): string | undefined {
  if (a.space !== b.space) return `in ${a.space} memory, not ${b.space}`;
  // An array may be declared without its length.
  return a.size !== b.size && a.size !== 0 && b.size !== 0 ? `${a.size} bytes, not ${b.size}` : undefined;
}
