/**
 * What passes may assume about memory: where a pointer comes from, and whether two of them can meet.
 *
 * A pointer is followed through offsets and address-space conversions to its root: a variable, a program-scope
 * variable, a parameter, or something else (loaded, selected, made from an integer). Two roots that are different
 * objects never meet; a `restrict` parameter meets no other parameter or object (C99, 6.7.3.1); memory of different
 * address spaces never meets, but generic pointers lead anywhere. Numbers of different types never share memory (C99, 6.5,
 * paragraph 7), which is taken for granted of two kernel parameters only, each accessed as the type it is declared with:
 *
 *     kernel void k(global int *starts, global float *sums)    a store to sums[i] leaves starts[j] as it was
 */
import { effectsOf } from '../../ir/effects.ts';
import type * as ir from '../../ir/ir.ts';
import { type AddressSpace, sizeOf, type Type } from '../../ir/types.ts';

/** Where a pointer comes from. */
export interface Root {
  readonly value: ir.Value;
  readonly kind: 'variable' | 'global' | 'parameter' | 'unknown';
  readonly space: AddressSpace;
  /** Nothing reached through this root changes while the kernel runs. */
  readonly readOnly: boolean;
  readonly isRestrict: boolean;
  /** That many bytes from the root can always be read: the size of an aggregate parameter, say. */
  readonly readableBytes: number;
  /** Of an access: what numbers it is to, where a kernel's parameter is declared to lead to such. */
  readonly element?: Element | undefined;
}

/** Numbers that share no memory with others. Bytes may be anything's, and 16 bits a half or an integer. */
type Element = 'int 4' | 'int 8' | 'float 4' | 'float 8';

/** A pointer as a root-side base and a constant number of bytes. */
export interface Place {
  readonly base: ir.Value;
  readonly offset: number;
}

/** Finds the instructions that define pointers; made once a pass. */
export class Memory {
  readonly #definitions: ReadonlyMap<ir.Value, ir.Instruction>;
  readonly #parameters = new Map<ir.Value, ir.Parameter>();
  readonly #roots = new Map<ir.Value, Root>();
  /** By root and what is accessed: each access of a kind is the same object, as roots are. */
  readonly #accesses = new Map<Root, Map<Element, Root>>();

  /** @param definitions may grow while the pass walks on */
  constructor(fn: ir.Function, definitions: ReadonlyMap<ir.Value, ir.Instruction>) {
    this.#definitions = definitions;
    for (const parameter of fn.parameters) this.#parameters.set(parameter.value, parameter);
  }

  /** Whether a value is a parameter of the function. */
  isParameter(value: ir.Value): boolean {
    return this.#parameters.has(value);
  }

  rootOf(pointer: ir.Value): Root {
    let root = this.#roots.get(pointer);
    if (!root) {
      const definition = this.#definitions.get(pointer);
      const passesOn =
        definition?.op === 'offset' ||
        definition?.op === 'item_address' ||
        definition?.op === 'copies_address' ||
        (definition?.op === 'convert' && definition.fn === 'space');
      root = passesOn ? this.rootOf(definition.operands[0]!) : this.#describe(pointer, definition);
      this.#roots.set(pointer, root);
    }
    return root;
  }

  /** The root of what an instruction accesses through a pointer, its first operand if nothing else is said, and as what numbers. */
  accessedBy(instruction: ir.Instruction, pointer = instruction.operands[0]!): Root {
    if (instruction.op === 'load') return this.accessedAs(pointer, instruction.results[0]!.type);
    if (instruction.op === 'store') return this.accessedAs(pointer, instruction.operands[1]!.type);
    return this.rootOf(pointer);
  }

  /** The root of an access to numbers of a type. */
  accessedAs(pointer: ir.Value, type: Type): Root {
    const root = this.rootOf(pointer);
    const pointee = this.#parameters.get(root.value)?.info?.pointee;
    const element = pointee && elementOf(type);
    if (!element) return root;
    let known = this.#accesses.get(root);
    if (!known) {
      known = new Map();
      this.#accesses.set(root, known);
    }
    let access = known.get(element);
    if (!access) {
      access = holds(pointee, element) && !hasUnion(pointee) ? { ...root, element } : root;
      known.set(element, access);
    }
    return access;
  }

  #describe(value: ir.Value, definition: ir.Instruction | undefined): Root {
    const space = value.type.kind === 'pointer' ? value.type.space : 'generic';
    const parameter = this.#parameters.get(value);
    const kind = parameter
      ? 'parameter'
      : definition?.op === 'variable'
        ? 'variable'
        : definition?.op === 'global_address'
          ? 'global'
          : 'unknown';
    // An object has one root however many instructions give its address.
    const identity = definition?.op === 'global_address' ? this.#globalRoot(definition.global, value) : value;
    const isRestrict = parameter?.isRestrict === true;
    return {
      value: identity,
      kind,
      space,
      readOnly:
        space === 'constant' ||
        parameter?.aggregate !== undefined ||
        (isRestrict && parameter?.isConst === true && parameter.isVolatile !== true),
      isRestrict,
      readableBytes: parameter?.aggregate?.size ?? parameter?.readableBytes ?? 0,
    };
  }

  /**
   * Whether a load reads what never changes and can always be read, so that it may be done anywhere: of an aggregate argument, an
   * image's descriptor or a constant buffer, within the bounds that are known.
   */
  isFree(load: ir.Load, addressBytes?: number): boolean {
    const root = this.rootOf(load.operands[0]!);
    return root.readOnly && !load.volatile && this.isWithin(load, root, addressBytes);
  }

  /** Whether a load stays within the bytes that can be read from its root on. */
  isWithin(load: ir.Load, root: Root, addressBytes?: number): boolean {
    if (root.readableBytes === 0) return false;
    const { base, offset } = this.placeOf(load.operands[0]!);
    return (
      base === root.value &&
      offset >= 0 &&
      offset + sizeOf(load.results[0]!.type, addressBytes) <= root.readableBytes
    );
  }

  readonly #globals = new Map<ir.GlobalVariable, ir.Value>();

  #globalRoot(global: ir.GlobalVariable, value: ir.Value): ir.Value {
    const known = this.#globals.get(global);
    if (known) return known;
    this.#globals.set(global, value);
    return value;
  }

  /** The pointer without the constant offsets at its end. */
  placeOf(pointer: ir.Value): Place {
    let base = pointer;
    let offset = 0;
    for (;;) {
      const definition = this.#definitions.get(base);
      if (definition?.op !== 'offset') return { base, offset };
      const amount = this.#definitions.get(definition.operands[1]!);
      if (amount?.op !== 'constant' || Array.isArray(amount.value)) return { base, offset };
      offset += Number(amount.value);
      base = definition.operands[0]!;
    }
  }
}

function elementOf(type: Type): Element | undefined {
  if (type.kind === 'vector') return elementOf(type.element);
  if (type.kind !== 'int' && type.kind !== 'float') return undefined;
  return type.bits === 32 || type.bits === 64 ? `${type.kind} ${type.bits === 32 ? 4 : 8}` : undefined;
}

/** Whether a type as the source declares it has such numbers in it. */
function holds(layout: ir.HostLayout, element: Element): boolean {
  switch (layout.kind) {
    case 'integer':
      return element === `int ${layout.size}`;
    case 'float':
      return element === `float ${layout.size}`;
    case 'vector':
    case 'array':
      return holds(layout.element, element);
    case 'struct':
      return layout.fields.some((field) => holds(field.layout, element));
  }
}

/** Whether members of a struct share memory anywhere in a type: what one writes may be read as another. */
function hasUnion(layout: ir.HostLayout): boolean {
  if (layout.kind === 'array') return hasUnion(layout.element);
  if (layout.kind !== 'struct') return false;
  // Members of a struct follow each other; those of a union all begin where it does.
  let end = 0;
  return layout.fields.some((field) => {
    const isShared = field.offset < end;
    end = Math.max(end, field.offset + field.layout.size);
    return isShared || hasUnion(field.layout);
  });
}

/** Whether a write through `a` may change what is read through `b` (or the other way round). */
export function mayAlias(a: Root, b: Root): boolean {
  // First of all, for a source may cast a promised const away and write through the very same pointer.
  if (a.value === b.value) return true;
  if (a.readOnly || b.readOnly) return false;
  if (a.space !== b.space && a.space !== 'generic' && b.space !== 'generic') return false;
  if (a.element && b.element && a.element !== b.element) return false;
  const isObject = (root: Root): boolean => root.kind === 'variable' || root.kind === 'global';
  if (isObject(a) && isObject(b)) return false;
  if (a.isRestrict && b.kind !== 'unknown') return false;
  if (b.isRestrict && a.kind !== 'unknown') return false;
  // A local variable of the kernel and a local argument are different allocations.
  if (a.kind === 'variable' && b.kind === 'parameter') return false;
  if (b.kind === 'variable' && a.kind === 'parameter') return false;
  return true;
}

/**
 * What an instruction writes by itself, without its regions: memory that its first operand leads to, or whatever there is, as
 * far as anybody knows here. Context arrays are no memory.
 */
export function writeOf(instruction: ir.Instruction): 'through first operand' | 'anything' | undefined {
  const { writes, acquires } = effectsOf(instruction);
  if (acquires || writes === 'anywhere') return 'anything';
  return writes === 'through first operand' ? writes : undefined;
}
