/**
 * The C library as programs get it: compiled and optimised when Millrace is built (scripts/compile-c-library.ts), and kept as
 * bytes of IR, a function apart. A program gets a module of just what it reaches.
 */
import { PartsReader } from '../ir/binary/module-reader.ts';
import type * as ir from '../ir/ir.ts';
import { walkFunction } from '../ir/walk.ts';
import { bytesOfText } from '../library/text-bytes.ts';
import { embedded } from './embedded-library.ts';

/** The library, its bodies read as they are asked for. Linking copies what it takes, so it stays as it is. */
class CLibrary {
  readonly #reader = new PartsReader(bytesOfText(embedded.head));
  readonly #bodies = embedded.bodies.split(' ');
  readonly #places = new Map<ir.Function, number>();
  /** What others may mean by a name. */
  readonly #functions = new Map<string, ir.Function>();
  readonly #globals = new Map<string, ir.GlobalVariable>();

  constructor() {
    const { functions, globals } = this.#reader.module;
    for (const [index, fn] of functions.entries()) {
      this.#places.set(fn, index);
      if (fn.linkage !== 'internal') this.#functions.set(fn.name, fn);
    }
    for (const global of globals) if (global.linkage !== 'internal') this.#globals.set(global.name, global);
  }

  /** What there is of these names, with everything that it needs in turn. */
  reached(names: Iterable<string>): ir.Module {
    const functions = new Set<ir.Function>();
    const globals = new Set<ir.GlobalVariable>();
    const waiting: (ir.Function | ir.GlobalVariable)[] = [];
    for (const name of names) {
      const found = [this.#functions.get(name), this.#globals.get(name)];
      waiting.push(...found.filter((symbol) => symbol !== undefined));
    }
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      if ('space' in next) {
        if (globals.has(next)) continue;
        globals.add(next);
        for (const { target } of [...next.relocations, ...(next.functions ?? [])]) waiting.push(target);
        continue;
      }
      if (functions.has(next)) continue;
      functions.add(next);
      this.#readBody(next);
      walkFunction(next, (instruction) => {
        if (instruction.op === 'call' || instruction.op === 'function_address')
          waiting.push(instruction.callee);
        else if (instruction.op === 'global_address') waiting.push(instruction.global);
      });
    }
    const { module } = this.#reader;
    return {
      ...module,
      functions: module.functions.filter((fn) => functions.has(fn)),
      globals: module.globals.filter((global) => globals.has(global)),
    };
  }

  #readBody(fn: ir.Function): void {
    const text = this.#bodies[this.#places.get(fn)!]!;
    if (text === '' || fn.body) return;
    fn.body = this.#reader.body(fn, bytesOfText(text));
    fn.library = 'c';
  }
}

let library: CLibrary | undefined;

/**
 * What a program needs of the library: all that its units declare without a definition, and more names.
 * @param names of functions that are needed in any case
 */
export function libraryFor(units: readonly ir.Module[], names: readonly string[]): ir.Module {
  library ??= new CLibrary();
  const wanted = new Set(names);
  for (const { functions, globals } of units) {
    for (const { name, body } of functions) if (!body) wanted.add(name);
    for (const { name, isDeclared } of globals) if (isDeclared) wanted.add(name);
  }
  return library.reached(wanted);
}
