/**
 * Supplies the library functions that a lowered module calls. A library file is read at most once in a process, and a
 * function of it lowered at most once; a module gets copies of just those it reaches.
 */
import type { FunctionDeclaration } from '../c/ast.ts';
import { ModuleLowering } from '../c/lower/module-lowering.ts';
import type { FileSystem } from '../c/preprocessor.ts';
import { type CloneMaps, copyRegion } from '../ir/clone.ts';
import { imageFunctionName, isImageInstruction } from '../ir/images.ts';
import type * as ir from '../ir/ir.ts';
import { walkFunction } from '../ir/walk.ts';
import { libraryFileOf, libraryPrefix, librarySource } from '../library/index.ts';
import { Diagnostics } from '../source/diagnostics.ts';
import { renderDiagnostics } from '../source/render.ts';
import { SourceFile } from '../source/source-file.ts';
import { parseBuildOptions } from './build-options.ts';
import { readOpenCL } from './front-end.ts';
import { openCLLowering } from './lower/dialect.ts';

/** Library files may include one another. */
const libraryHeaders: FileSystem = { read: librarySource };

/** One file of the library for one address width, its functions lowered as they are asked for. */
class LibraryFile {
  readonly #name: string;
  readonly #diagnostics = new Diagnostics();
  readonly #declarations = new Map<string, FunctionDeclaration>();
  readonly #lowering: ModuleLowering;

  constructor(name: string, addressBits: 32 | 64) {
    this.#name = name;
    const { options } = parseBuildOptions('');
    const file = new SourceFile(name, librarySource(name));
    const unit = readOpenCL(file, { options, addressBits, files: libraryHeaders }, this.#diagnostics);
    this.#check();
    for (const declaration of unit.declarations) {
      if (declaration.kind === 'function') this.#declarations.set(declaration.name, declaration);
    }
    // The library's own arithmetic counts on every rounding, so nothing is fused.
    const settings = { addressBits, contract: false };
    this.#lowering = new ModuleLowering(openCLLowering(addressBits), this.#diagnostics, settings);
  }

  /** A function of the file, lowered together with what it calls. */
  function(name: string): ir.Function {
    const declaration = this.#declarations.get(name);
    if (!declaration?.body) throw new Error(`${this.#name} does not define ${name}`);
    const fn = this.#lowering.lowerEntry(declaration);
    this.#check();
    return fn;
  }

  #check(): void {
    if (this.#diagnostics.errorCount > 0) throw new Error(renderDiagnostics(this.#diagnostics.list));
  }
}

const libraryFiles = new Map<string, LibraryFile>();

function libraryFile(name: string, addressBits: 32 | 64): LibraryFile {
  const key = `${addressBits} ${name}`;
  let file = libraryFiles.get(key);
  if (!file) {
    file = new LibraryFile(name, addressBits);
    libraryFiles.set(key, file);
  }
  return file;
}

/** The definition of a library function; undefined if the name is none of the library's. */
function definitionOf(name: string, addressBits: 32 | 64): ir.Function | undefined {
  const file = name.startsWith(libraryPrefix) ? libraryFileOf(name) : undefined;
  return file === undefined ? undefined : libraryFile(file, addressBits).function(name);
}

/**
 * Gives every library function that the module declares its body, and brings what that needs; and the functions that
 * the pass `lower-images` will call.
 */
export function linkLibrary(module: ir.Module): void {
  const linker = new Linker(module);
  const names = new Set<string>();
  for (const fn of module.functions) {
    walkFunction(fn, (instruction) => {
      if (isImageInstruction(instruction)) names.add(imageFunctionName(instruction));
    });
  }
  for (const name of names) linker.bring(name);
  for (const fn of [...module.functions]) if (!fn.body) linker.supply(fn);
}

class Linker {
  readonly #module: ir.Module;
  /** Library functions by the object in the library, as they stand in the module. */
  readonly #functions = new Map<ir.Function, ir.Function>();
  readonly #globals = new Map<ir.GlobalVariable, ir.GlobalVariable>();
  readonly #byName = new Map<string, ir.Function>();

  constructor(module: ir.Module) {
    this.#module = module;
    for (const fn of module.functions) this.#byName.set(fn.name, fn);
  }

  /** Fills in the body of a declared function if it is the library's. */
  supply(declared: ir.Function): void {
    const definition = definitionOf(declared.name, this.#module.addressBits);
    if (!definition) return;
    this.#functions.set(definition, declared);
    this.#copyBody(definition, declared);
  }

  /** Brings a library function that nothing calls yet. */
  bring(name: string): void {
    const definition = definitionOf(name, this.#module.addressBits);
    if (!definition) throw new Error(`the library does not define ${name}`);
    this.#import(definition);
  }

  #copyBody(definition: ir.Function, target: ir.Function): void {
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
    target.body = definition.body && copyRegion(definition.body, maps);
  }

  /** Brings a function that a library function calls: one of the same file, or one that another file defines. */
  #import(callee: ir.Function): void {
    if (this.#functions.has(callee)) return;
    const definition = callee.body ? callee : definitionOf(callee.name, this.#module.addressBits);
    if (!definition) throw new Error(`the library does not define ${callee.name}`);
    let copy = this.#functions.get(definition) ?? this.#declared(definition.name);
    const isNew = !copy;
    if (!copy) {
      const parameters = definition.parameters.map((parameter) => ({
        ...parameter,
        value: { ...parameter.value },
      }));
      copy = { ...definition, name: this.#freeName(definition.name), parameters, body: undefined };
      this.#module.functions.push(copy);
      this.#byName.set(copy.name, copy);
    }
    this.#functions.set(callee, copy);
    this.#functions.set(definition, copy);
    if (isNew) this.#copyBody(definition, copy);
  }

  #declared(name: string): ir.Function | undefined {
    if (!name.startsWith(libraryPrefix)) return undefined;
    const declared = this.#byName.get(name);
    if (declared && !declared.body) this.supply(declared);
    return declared;
  }

  /** A table of the library, under another name if the program has one of that name. */
  #importGlobal(global: ir.GlobalVariable): void {
    if (this.#globals.has(global)) return;
    const names = new Set(this.#module.globals.map(({ name }) => name));
    let { name } = global;
    for (let number = 2; names.has(name); number += 1) name = `${global.name}.${number}`;
    const own = name === global.name ? global : { ...global, name };
    this.#globals.set(global, own);
    this.#module.globals.push(own);
  }

  /** Helpers of different files may have one name, and a program may have used it too. */
  #freeName(name: string): string {
    if (!this.#byName.has(name)) return name;
    let number = 2;
    while (this.#byName.has(`${name}.${number}`)) number += 1;
    return `${name}.${number}`;
  }
}
