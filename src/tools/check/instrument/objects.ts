/** What is known of the objects that pointers lead into: size, name, and how far into them a pointer is. */
import type * as ir from '../../../ir/ir.ts';
import type { AddressSpace, Type } from '../../../ir/types.ts';
import type { Base } from '../sites.ts';
import type { ArgumentFacts } from './check-context.ts';
import type { CheckWriter } from './check-writer.ts';
import type { PointerRoots, Root } from './pointer-roots.ts';

/** A place that an access is made at. */
export interface Place {
  readonly pointer: ir.Value;
  /** Bytes from the object's beginning, made safe; undefined where the object is not known. */
  readonly offset: ir.Value | undefined;
  readonly root: Root | undefined;
}

export class Objects {
  readonly #writer: CheckWriter;
  readonly #roots: PointerRoots;

  constructor(writer: CheckWriter, roots: PointerRoots) {
    this.#writer = writer;
    this.#roots = roots;
  }

  rootOf(pointer: ir.Value): Root | undefined {
    return this.#roots.rootOf(pointer);
  }

  definition(value: ir.Value): ir.Instruction | undefined {
    return this.#roots.definition(value);
  }

  /** The number that a value always is, or undefined. */
  constant(value: ir.Value): number | undefined {
    const definition = this.definition(value);
    if (definition?.op !== 'constant' || typeof definition.value !== 'number') return undefined;
    return definition.value;
  }

  /** Bytes from the object's beginning, if they are always the same. */
  constantOffset(pointer: ir.Value, root: Root): number | undefined {
    const parts = this.offsetParts(pointer, root);
    if (!parts) return undefined;
    let sum = 0;
    for (const part of parts) {
      const bytes = this.constant(part);
      if (bytes === undefined) return undefined;
      sum += bytes;
    }
    return sum;
  }

  /** What the bytes from the object's beginning are the sum of; undefined where the pointer comes there in other ways. */
  offsetParts(pointer: ir.Value, root: Root): readonly ir.Value[] | undefined {
    const parts: ir.Value[] = [];
    for (let at = pointer; at !== root.value; ) {
      const definition = this.definition(at);
      if (definition?.op === 'offset') parts.push(definition.operands[1]!);
      else if (definition?.op === 'global_address') break;
      else if (definition?.op !== 'convert') return undefined;
      at = definition.operands[0]!;
    }
    return parts;
  }

  /** How far a pointer is behind its object's beginning. */
  offsetFrom(pointer: ir.Value, root: Root): ir.Value {
    const writer = this.#writer;
    const { builder } = writer;
    let sum: ir.Value | undefined;
    let at = pointer;
    for (;;) {
      const definition = this.definition(at);
      if (at === root.value || definition?.op === 'global_address') return sum ?? writer.number(0);
      if (definition?.op === 'offset') {
        const bytes = definition.operands[1]!;
        sum = sum ? builder.binary('iadd', sum, bytes) : bytes;
      } else if (definition?.op !== 'convert') {
        const start = this.baseAddress(root, root.value.type);
        const way = builder.binary('isub', writer.address(at), writer.address(start));
        return sum ? builder.binary('iadd', way, sum) : way;
      }
      at = definition.operands[0]!;
    }
  }

  baseAddress(root: Root, type: Type): ir.Value {
    const { builder } = this.#writer;
    const value = root.kind === 'global' ? builder.globalAddress(root.global) : root.value;
    return value.type === type ? value : builder.convert('space', value, type);
  }

  /** Bytes of an object whose size the program tells. */
  sizeOf(root: Root): number | undefined {
    if (root.kind === 'variable') return root.variable.size;
    if (root.kind === 'global') return root.global.size;
    return this.#writer.fn.parameters[root.index]!.aggregate?.size;
  }

  /** What a launch says of an object that is an argument. */
  factsOf(root: Root | undefined): ArgumentFacts | undefined {
    return root?.kind === 'parameter' ? this.#writer.context.argumentFacts.get(root.index) : undefined;
  }

  spaceOf(root: Root): AddressSpace {
    const { type } = root.value;
    return type.kind === 'pointer' ? type.space : 'generic';
  }

  /** Where a pointer leads. */
  placeOf(pointer: ir.Value): Place {
    const root = this.rootOf(pointer);
    return { pointer, offset: root && this.offsetFrom(pointer, root), root };
  }

  /** Whether a pointer leads into memory of the work-item's own. */
  isPrivate({ type }: ir.Value, root: Root): boolean {
    const space = type.kind === 'pointer' ? type.space : 'generic';
    return (space === 'generic' ? this.spaceOf(root) : space) === 'private';
  }

  isPipe(root: Root): boolean {
    return root.kind === 'parameter' && this.#writer.fn.parameters[root.index]?.info?.handle?.kind === 'pipe';
  }

  /** How reports speak of the object. */
  baseOf(root: Root): Base {
    if (root.kind === 'variable') return baseOfVariable(root.variable);
    if (root.kind === 'global') {
      const { space, name, size } = root.global;
      return { kind: 'variable', space, name, size };
    }
    const parameter = this.#writer.fn.parameters[root.index]!;
    const name = parameter.info?.name ?? parameter.value.name ?? `argument ${root.index}`;
    const pointee = parameter.info?.pointee;
    return {
      kind: 'parameter',
      index: root.index,
      name,
      pointee: pointee?.kind === 'struct' ? pointee : undefined,
    };
  }

  /** What the program calls a pointer that is in a variable still, or the object it leads to. */
  nameOf(pointer: ir.Value): string | undefined {
    let definition = this.definition(pointer);
    while (definition?.op === 'offset') definition = this.definition(definition.operands[0]!);
    const root = this.rootOf(definition?.op === 'load' ? definition.operands[0]! : pointer);
    return root && this.baseOf(root).name;
  }
}

export function baseOfVariable({ space, name, size, declared }: ir.Variable): Base {
  // The parts that a struct is divided into say what it was.
  const isWhole = !declared?.layout || declared.layout.size === size;
  return { kind: 'variable', space, name, size, declared: isWhole ? declared : undefined };
}
