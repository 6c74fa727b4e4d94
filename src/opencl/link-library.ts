/**
 * Supplies the library functions that a lowered module calls. A body is read at most once in a process; a module gets
 * copies of just those functions that it reaches.
 */
import { PartsReader } from '../ir/binary/module-reader.ts';
import { type CloneMaps, copyRegion } from '../ir/clone.ts';
import { FreeNames } from '../ir/free-names.ts';
import { imageFunctionsOf } from '../ir/images.ts';
import type * as ir from '../ir/ir.ts';
import { walkFunction } from '../ir/walk.ts';
import { libraryBody, libraryHead, libraryPrefix } from '../library/index.ts';
import { singlesBody, singlesHead } from '../library/singles.ts';
import type { Diagnostics } from '../source/diagnostics.ts';
import { noSpan } from '../source/span.ts';

/** The library for one address width, or the one that computes in float alone; bodies are read as they are asked for. */
class Library {
  readonly #reader: PartsReader;
  readonly #body: (index: number) => Uint8Array;
  readonly #places = new Map<string, number>();

  constructor(kind: 32 | 64 | 'singles') {
    const isSingles = kind === 'singles';
    this.#body = isSingles ? singlesBody : (index) => libraryBody(kind, index);
    this.#reader = new PartsReader(isSingles ? singlesHead() : libraryHead(kind));
    this.#reader.module.functions.forEach(({ name }, index) => {
      this.#places.set(name, index);
    });
  }

  /** A function with its body, whose calls are of other functions of the library, bodies or not; nobody changes it. */
  function(name: string): ir.Function | undefined {
    const index = this.#places.get(name);
    if (index === undefined) return undefined;
    const fn = this.#reader.module.functions[index]!;
    fn.body ??= this.#reader.body(fn, this.#body(index));
    return fn;
  }
}

/** Native functions are the others under another name, for machines that have some of their own. */
const nativePrefix = `${libraryPrefix}native_`;

const libraries = new Map<32 | 64 | 'singles', Library>();

function libraryFor(kind: 32 | 64 | 'singles'): Library {
  let library = libraries.get(kind);
  if (!library) {
    library = new Library(kind);
    libraries.set(kind, library);
  }
  return library;
}

/** Gives functions of float that compute in double the bodies that do not, in a module that is linked, for machines whose doubles are slow. */
export function linkSingles(module: ir.Module): void {
  const functions = module.functions.filter(({ name, body }) => body && name.startsWith(libraryPrefix));
  if (functions.length === 0) return;
  const library = libraryFor('singles');
  const replaced = functions.filter(({ name }) => library.function(name));
  for (const fn of replaced) fn.body = undefined;
  const linker = new Linker(module, library);
  for (const fn of replaced) linker.supply(fn);
}

/**
 * Gives every library function that the module declares its body, and brings what that needs; and the functions that
 * the pass `lower-images` will call. A program that means something else by a name of the library is in error.
 */
export function linkLibrary(module: ir.Module, diagnostics: Diagnostics): void {
  const images = imageFunctionsOf(module);
  const named = module.functions.filter(({ name }) => name.startsWith(libraryPrefix));
  if (images.size === 0 && named.length === 0) return;
  const linker = new Linker(module, libraryFor(module.addressBits));
  for (const fn of named) {
    if (linker.supply(fn)) continue;
    diagnostics.error(fn.span ?? noSpan, `'${fn.name}' is the name of a function of the built-in library`);
  }
  for (const name of images) linker.bring(name);
}

class Linker {
  readonly #module: ir.Module;
  readonly #library: Library;
  /** Functions of the library, as they stand in the module. */
  readonly #functions = new Map<ir.Function, ir.Function>();
  readonly #globals = new Map<ir.GlobalVariable, ir.GlobalVariable>();
  readonly #globalNames: Set<string>;
  readonly #freeNames = new FreeNames((name) => this.#globalNames.has(name));

  constructor(module: ir.Module, library: Library) {
    this.#module = module;
    this.#library = library;
    this.#globalNames = new Set(module.globals.map(({ name }) => name));
    // Those that the module declares, before anything needs them.
    for (const fn of module.functions) {
      const definition = library.function(fn.name);
      if (definition && !fn.body && isSameType(fn, definition)) this.#functions.set(definition, fn);
    }
  }

  /** Fills in the body of a declared function; false if it is another than the library's of that name. */
  supply(declared: ir.Function): boolean {
    const plain = declared.name.replace(nativePrefix, libraryPrefix);
    const definition = this.#library.function(plain);
    if (!definition) return true;
    if (
      plain === declared.name
        ? this.#functions.get(definition) !== declared
        : !isSameType(declared, definition)
    )
      return false;
    this.#fill(declared, definition);
    return true;
  }

  /** Brings a library function that nothing calls yet. */
  bring(name: string): void {
    const definition = this.#library.function(name);
    if (!definition) throw new Error(`the library does not define ${name}`);
    this.#import(definition);
  }

  #import(callee: ir.Function): void {
    let copy = this.#functions.get(callee);
    if (!copy) {
      const parameters = callee.parameters.map((parameter) => ({
        ...parameter,
        value: { ...parameter.value },
      }));
      copy = { ...callee, parameters, body: undefined };
      this.#functions.set(callee, copy);
      this.#module.functions.push(copy);
    }
    this.#fill(copy, this.#library.function(callee.name)!);
  }

  #fill(target: ir.Function, definition: ir.Function): void {
    if (target.body) return;
    walkFunction(definition, (instruction) => {
      if (instruction.op === 'call') this.#import(instruction.callee);
      if (instruction.op === 'global_address') this.#importGlobal(instruction.global);
    });
    const values = new Map<ir.Value, ir.Value>();
    definition.parameters.forEach(({ value }, index) => {
      values.set(value, target.parameters[index]!.value);
    });
    const maps: CloneMaps = {
      values,
      instructions: new Map(),
      functions: this.#functions,
      globals: this.#globals,
    };
    target.body = copyRegion(definition.body!, maps);
    target.library = 'opencl';
    if (definition.isOutlined) target.isOutlined = true;
    if (definition.isCold) target.isCold = true;
    if (definition.serves) target.serves = definition.serves;
  }

  /** A table of the library, under another name if the program has one of that name. */
  #importGlobal(global: ir.GlobalVariable): void {
    if (this.#globals.has(global)) return;
    const names = this.#globalNames;
    const name = names.has(global.name) ? this.#freeNames.find(global.name) : global.name;
    names.add(name);
    const own = name === global.name ? global : { ...global, name };
    this.#globals.set(global, own);
    this.#module.globals.push(own);
  }
}

function isSameType(a: ir.Function, b: ir.Function): boolean {
  const typesOf = ({ parameters }: ir.Function): readonly unknown[] =>
    parameters.map(({ value }) => value.type);
  const types = typesOf(b);
  return (
    a.result === b.result &&
    a.parameters.length === types.length &&
    typesOf(a).every((type, index) => type === types[index])
  );
}
