/**
 * Which buffer each pointer of a kernel leads to, for the variant with a binding for each buffer. It exists where that is known of every
 * pointer to global and constant memory: it comes from one parameter, or from the program's variables, through offsets, choices and loops
 * only. A pointer that is loaded, stored, made of an integer, compared with null, given to a function or made generic has no such place.
 * Pixels of an image do: their address is the first word of its descriptor, which is loaded and nothing else.
 */
import type * as ir from '../../ir/ir.ts';
import { elementOf, lanesOf, sizeOf, type Type } from '../../ir/types.ts';
import { walkFunction } from '../../ir/walk.ts';
import { placeBehind } from './spaces.ts';

/** A parameter's index; -1 for the program's variables; below that the pixels of images. */
export type Root = number;
export const variablesRoot: Root = -1;

/** Whose root the pixels of that parameter's image are. */
export function pixelsRoot(parameter: number): Root {
  return -2 - parameter;
}

/** The parameter whose image's pixels a root is; undefined for all others. */
export function imageBehind(root: Root): number | undefined {
  return root < variablesRoot ? -2 - root : undefined;
}

/** Whether a parameter is an image's descriptor. */
export function isImageParameter({ info }: ir.Function['parameters'][number]): boolean {
  return info?.handle?.kind === 'image';
}

/** How a buffer is declared, and what its accesses are like. */
export interface BufferUse {
  readonly root: Root;
  /** The parameter is a struct, or an image's descriptor: its bytes lie in the launch's block. */
  readonly isStruct: boolean;
  readonly isWritten: boolean;
  /** Words of its elements: 2 or 4 where all accesses are of such vectors as a whole, or of a part of one that is only read. */
  readonly elementWords: 1 | 2 | 4;
}

export interface Provenance {
  readonly rootOf: ReadonlyMap<ir.Value, Root>;
  readonly buffers: readonly BufferUse[];
}

function isMemory(value: ir.Value): boolean {
  return value.type.kind === 'pointer' && placeBehind(value) === 'memory';
}

function bytesOf(type: Type): number {
  return sizeOf(elementOf(type)) * lanesOf(type);
}

/** Undefined where a pointer's buffer is not known. `callees` are all functions that the kernel calls. */
export function findProvenance(kernel: ir.Function, callees: readonly ir.Function[]): Provenance | undefined {
  const finder = new Finder(kernel);
  return [...callees, kernel].every((fn) => finder.visit(fn)) ? finder.result() : undefined;
}

class Finder {
  readonly #roots = new Map<ir.Value, Root>();
  readonly #structs = new Set<Root>();
  /** Images by their descriptors, and the roots of pixels by the addresses that were loaded from those. */
  readonly #images = new Map<ir.Value, number>();
  readonly #pixelAddresses = new Map<ir.Value, Root>();
  readonly #accesses = new Map<Root, { isWritten: boolean; readonly types: Set<Type | undefined> }>();
  #changed = false;
  #fails = false;

  constructor(kernel: ir.Function) {
    for (const [index, parameter] of kernel.parameters.entries()) {
      const { value, aggregate } = parameter;
      if (!isMemory(value)) continue;
      this.#roots.set(value, index);
      if (isImageParameter(parameter)) this.#images.set(value, index);
      if (aggregate || this.#images.has(value)) this.#structs.add(index);
    }
  }

  visit(fn: ir.Function): boolean {
    if (fn.kind !== 'kernel' && fn.parameters.some(({ value }) => isMemory(value))) return false;
    if (fn.result && fn.result.kind === 'pointer') return false;
    // What loops carry may be known by a later round only.
    do {
      this.#changed = false;
      walkFunction(fn, (instruction) => this.#flow(instruction));
    } while (this.#changed && !this.#fails);
    if (this.#fails) return false;
    walkFunction(fn, (instruction) => this.#use(instruction));
    return !this.#fails;
  }

  result(): Provenance {
    const buffers = [...this.#accesses].map(([root, { isWritten, types }]): BufferUse => {
      return {
        root,
        isStruct: this.#structs.has(root),
        isWritten,
        elementWords: elementWordsOf([...types], isWritten),
      };
    });
    return { rootOf: this.#roots, buffers: buffers.toSorted((a, b) => a.root - b.root) };
  }

  /** `to` is what `from` is. */
  #same(to: ir.Value, from: ir.Value): void {
    if (!isMemory(to)) return;
    const root = this.#roots.get(from);
    if (root === undefined) return;
    const known = this.#roots.get(to);
    if (known === undefined) {
      this.#roots.set(to, root);
      this.#changed = true;
    } else if (known !== root) {
      this.#fails = true;
    }
  }

  /** A pointer that is made of an address. */
  #pixels(pointer: ir.Value, address: ir.Value): void {
    const root = this.#pixelAddresses.get(address);
    if (root !== undefined && isMemory(pointer)) this.#roots.set(pointer, root);
  }

  #flow(instruction: ir.Instruction): void {
    const { operands, results } = instruction;
    switch (instruction.op) {
      case 'offset':
        this.#same(results[0]!, operands[0]!);
        return;
      case 'select':
        this.#same(results[0]!, operands[1]!);
        this.#same(results[0]!, operands[2]!);
        return;
      case 'global_address': {
        const [result] = results as [ir.Value];
        if (isMemory(result)) this.#roots.set(result, variablesRoot);
        return;
      }
      case 'load': {
        const image = this.#images.get(operands[0]!);
        if (image !== undefined) this.#pixelAddresses.set(results[0]!, pixelsRoot(image));
        return;
      }
      case 'convert':
        if (instruction.fn === 'itop') this.#pixels(results[0]!, operands[0]!);
        else if (instruction.fn === 'bitcast') this.#same(results[0]!, operands[0]!);
        else if (instruction.fn === 'space' && isMemory(operands[0]!)) this.#same(results[0]!, operands[0]!);
        return;
      case 'if':
      case 'switch':
        for (const region of instruction.regions) this.#yields(region, results);
        return;
      case 'block':
        this.#yields(instruction.regions[0]!, results);
        return;
      case 'loop':
        for (const [index, parameter] of instruction.regions[0]!.parameters.entries()) {
          this.#same(parameter, operands[index]!);
        }
        return;
      case 'break':
        for (const [index, result] of instruction.target.results.entries())
          this.#same(result, operands[index]!);
        return;
      case 'continue':
        for (const [index, parameter] of instruction.target.regions[0]!.parameters.entries()) {
          this.#same(parameter, operands[index]!);
        }
        return;
    }
  }

  #yields(region: ir.Region, results: readonly ir.Value[]): void {
    const end = region.instructions.at(-1);
    if (end?.op !== 'yield') return;
    for (const [index, result] of results.entries()) this.#same(result, end.operands[index]!);
  }

  #access(pointer: ir.Value, type: Type | undefined, how: 'read' | 'written'): void {
    if (!isMemory(pointer)) {
      if (pointer.type.kind === 'pointer' && placeBehind(pointer) === 'generic') this.#fails = true;
      return;
    }
    const root = this.#roots.get(pointer);
    if (root === undefined) {
      this.#fails = true;
      return;
    }
    const known = this.#accesses.get(root) ?? { isWritten: false, types: new Set() };
    this.#accesses.set(root, known);
    if (how === 'written') known.isWritten = true;
    // The block of a launch is a uniform.
    if (known.isWritten && this.#structs.has(root)) this.#fails = true;
    for (const other of known.types) if (other && type && sameType(other, type)) return;
    known.types.add(type);
  }

  #use(instruction: ir.Instruction): void {
    const { operands, results } = instruction;
    switch (instruction.op) {
      case 'load': {
        const [result] = results as [ir.Value];
        // A pointer that is loaded leads anywhere.
        if (isMemory(result)) this.#fails = true;
        this.#access(
          operands[0]!,
          instruction.align >= bytesOf(result.type) ? result.type : undefined,
          'read',
        );
        return;
      }
      case 'store': {
        const [pointer, value] = operands as [ir.Value, ir.Value];
        if (isMemory(value)) this.#fails = true;
        this.#access(pointer, instruction.align >= bytesOf(value.type) ? value.type : undefined, 'written');
        return;
      }
      case 'atomic':
        this.#access(operands[0]!, undefined, 'written');
        if (operands.slice(1).some(isMemory)) this.#fails = true;
        return;
      case 'copy':
      case 'fill':
        this.#access(operands[0]!, undefined, 'written');
        if (instruction.op === 'copy') this.#access(operands[1]!, undefined, 'read');
        return;
      case 'compare': {
        const [a, b] = operands as [ir.Value, ir.Value];
        if ((isMemory(a) || isMemory(b)) && !this.#haveOneRoot(a, b)) this.#fails = true;
        return;
      }
      case 'offset':
      case 'select':
      case 'global_address':
      case 'if':
      case 'switch':
      case 'block':
      case 'loop':
      case 'yield':
      case 'break':
      case 'continue':
        for (const value of [...results, ...instruction.regions.flatMap(({ parameters }) => parameters)]) {
          if (isMemory(value) && !this.#roots.has(value)) this.#fails = true;
        }
        // A null pointer among what is chosen from has no root.
        if (operands.some((each) => isMemory(each) && !this.#roots.has(each))) this.#fails = true;
        return;
      case 'convert':
        if (operands.some(isMemory) && !results.some((each) => this.#roots.has(each))) this.#fails = true;
        return;
      case 'constant':
      case 'undefined':
        return;
      default:
        if (operands.some(isMemory) || results.some(isMemory)) this.#fails = true;
    }
  }

  #haveOneRoot(a: ir.Value, b: ir.Value): boolean {
    const root = this.#roots.get(a);
    return root !== undefined && root === this.#roots.get(b);
  }
}

/** @param types of all accesses; undefined for one that is not aligned as it is long */
function elementWordsOf(types: readonly (Type | undefined)[], isWritten: boolean): 1 | 2 | 4 {
  const sizes = types.map((type) => (type ? bytesOf(type) : 0));
  for (const words of [4, 2] as const) {
    const isWhole = (size: number): boolean => size > 0 && size % (words * 4) === 0;
    // A part that is aligned as it is long lies within one element.
    const isPart = (size: number): boolean => !isWritten && (size === 4 || size === 8);
    if (sizes.some(isWhole) && sizes.every((size) => isWhole(size) || isPart(size))) return words;
  }
  return 1;
}

function sameType(a: Type, b: Type): boolean {
  return bytesOf(a) === bytesOf(b) && lanesOf(a) === lanesOf(b) && elementOf(a).kind === elementOf(b).kind;
}
