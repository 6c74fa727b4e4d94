/**
 * What can be known about the objects of a function's memory: a variable that is only loaded and stored whole is a C
 * variable; one whose accesses have one type is an array of it. Where bytes are written as one type and read as
 * another, a C compiler may assume that the two do not meet, so such accesses go through vectors of bytes.
 */
import type * as ir from '../../ir/ir.ts';
import { elementOf, type ScalarType, sizeOf, type Type } from '../../ir/types.ts';
import { walkRegion } from '../../ir/walk.ts';

/** What a pointer leads to: a parameter's or variable's value, a program-scope variable, or some place in a space. */
export type Root = ir.Value | ir.GlobalVariable | string;

interface Accesses {
  /** The element types of the scalars and vectors that are loaded and stored. */
  readonly elements: Set<Type>;
  /** Scalar types that a compiler may tell apart. */
  readonly classes: Set<Type>;
}

export class MemoryPlan {
  /** Variables that hold one value, by the result of their instruction. */
  readonly plain = new Map<ir.Value, Type>();
  readonly #addressBytes: number;
  readonly #roots = new Map<ir.Value, Root>();
  readonly #accesses = new Map<Root, Accesses>();

  constructor(body: ir.Region, addressBits: 32 | 64) {
    this.#addressBytes = addressBits / 8;
    this.#findPlain(body);
    this.#trace(body);
    this.#mergeUnknown();
  }

  /** Whether memory behind the pointer is accessed as several types. */
  isMixed(pointer: ir.Value): boolean {
    const root = this.#rootOf(pointer);
    // What nobody writes may be read as anything.
    if (spaceOf(root) === 'constant') return false;
    return (this.#accesses.get(root)?.classes.size ?? 0) > 1;
  }

  /** The types that an object is accessed as, added to `types`. */
  addElements(root: Root, types: Set<Type>): void {
    for (const each of this.#accesses.get(root)?.elements ?? []) types.add(each);
  }

  /** The one type of all accesses to an object, or undefined. */
  elementOf(root: Root): ScalarType | undefined {
    const elements = this.#accesses.get(root)?.elements;
    if (elements?.size !== 1) return undefined;
    const [element] = elements;
    return element?.kind === 'int' || element?.kind === 'float' ? element : undefined;
  }

  #findPlain(body: ir.Region): void {
    const broken = new Set<ir.Value>();
    const sizes = new Map<ir.Value, number>();
    walkRegion(body, (instruction) => {
      if (instruction.op === 'variable') sizes.set(instruction.results[0]!, instruction.size);
      for (const [index, operand] of instruction.operands.entries()) {
        const size = sizes.get(operand);
        if (size === undefined || broken.has(operand)) continue;
        const type = index === 0 ? wholeAccess(instruction) : undefined;
        const known = this.plain.get(operand);
        if (!type || (known && known !== type) || sizeOf(type, this.#addressBytes) > size)
          broken.add(operand);
        else this.plain.set(operand, type);
      }
    });
    for (const value of broken) this.plain.delete(value);
  }

  #trace(body: ir.Region): void {
    const stored = this.#singleStores(body);
    walkRegion(body, (instruction) => {
      const [result] = instruction.results;
      switch (instruction.op) {
        case 'offset':
          this.#roots.set(result!, this.#rootOf(instruction.operands[0]!));
          break;
        case 'variable':
          this.#roots.set(result!, result!);
          break;
        case 'global_address':
          this.#roots.set(result!, instruction.global);
          break;
        case 'load': {
          const source = stored.get(instruction.operands[0]!);
          if (source) this.#roots.set(result!, this.#rootOf(source));
          else if (result!.type.kind === 'pointer') this.#roots.set(result!, result!.type.space);
          this.#access(instruction.operands[0]!, result!.type);
          break;
        }
        case 'store':
          this.#access(instruction.operands[0]!, instruction.operands[1]!.type);
          break;
        case 'atomic':
          this.#access(instruction.operands[0]!, (result ?? instruction.operands[1]!).type);
          break;
        default:
          for (const each of instruction.results) {
            if (each.type.kind === 'pointer') this.#roots.set(each, each.type.space);
          }
          for (const region of instruction.regions) {
            for (const each of region.parameters) {
              if (each.type.kind === 'pointer') this.#roots.set(each, each.type.space);
            }
          }
      }
    });
  }

  /** What is stored in variables that hold a pointer and are stored once. */
  #singleStores(body: ir.Region): Map<ir.Value, ir.Value> {
    const stored = new Map<ir.Value, ir.Value>();
    const twice = new Set<ir.Value>();
    walkRegion(body, (instruction) => {
      if (instruction.op !== 'store') return;
      const [to, value] = instruction.operands as [ir.Value, ir.Value];
      if (this.plain.get(to)?.kind !== 'pointer') return;
      if (stored.has(to)) twice.add(to);
      stored.set(to, value);
    });
    for (const each of twice) stored.delete(each);
    return stored;
  }

  #rootOf(pointer: ir.Value): Root {
    return this.#roots.get(pointer) ?? pointer;
  }

  #access(pointer: ir.Value, type: Type): void {
    if (this.plain.has(pointer)) return;
    const { elements, classes } = this.#accessesOf(this.#rootOf(pointer));
    elements.add(elementOf(type));
    // Bytes may be accessed as anything; compilers treat vectors like bytes.
    if (type.kind !== 'vector' && sizeOf(type) > 1)
      classes.add(type.kind === 'pointer' ? pointerClass : type);
  }

  #accessesOf(root: Root): Accesses {
    let accesses = this.#accesses.get(root);
    if (!accesses) {
      accesses = { elements: new Set(), classes: new Set() };
      this.#accesses.set(root, accesses);
    }
    return accesses;
  }

  /** A pointer that nobody knows may lead to any object of its space. */
  #mergeUnknown(): void {
    for (const [space, unknown] of this.#accesses) {
      if (typeof space !== 'string') continue;
      for (const [root, { classes }] of this.#accesses) {
        if (spaceOf(root) === space) for (const each of classes) unknown.classes.add(each);
      }
      if (unknown.classes.size < 2) continue;
      for (const [root, { classes }] of this.#accesses) {
        if (spaceOf(root) === space) for (const each of unknown.classes) classes.add(each);
      }
    }
  }
}

/** All pointers are one class, whatever they point to. */
const pointerClass: Type = { kind: 'pointer', space: 'private' };

function spaceOf(root: Root): string | undefined {
  if (typeof root === 'string') return root;
  if ('space' in root) return root.space;
  return root.type.kind === 'pointer' ? root.type.space : undefined;
}

/** The type in which an instruction loads or stores all of what its first operand points to. */
function wholeAccess(instruction: ir.Instruction): Type | undefined {
  if (instruction.op === 'load') return instruction.volatile ? undefined : instruction.results[0]!.type;
  if (instruction.op !== 'store' || instruction.volatile) return undefined;
  const [to, value] = instruction.operands;
  return to === value ? undefined : value!.type;
}
