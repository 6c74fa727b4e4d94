/** Checks that accesses stay in their objects, are aligned, and do not write what is constant. */
import type * as ir from '../../../ir/ir.ts';
import { bool, i32, i64, type Type } from '../../../ir/types.ts';
import { codes } from '../codes.ts';
import type { Base } from '../sites.ts';
import type { Access } from './accesses-of.ts';
import { Alignments } from './alignments.ts';
import type { CheckWriter } from './check-writer.ts';
import type { Objects, Place } from './objects.ts';
import type { PointerRoots, Root } from './pointer-roots.ts';

export class Bounds {
  readonly #writer: CheckWriter;
  readonly #objects: Objects;
  readonly #alignments: Alignments;

  constructor(writer: CheckWriter, objects: Objects, roots: PointerRoots) {
    this.#writer = writer;
    this.#objects = objects;
    this.#alignments = new Alignments(roots);
  }

  /**
   * Sees to it that the access stays in its object; where it would not, it is reported and made elsewhere. `whenInside` writes
   * what is to be done with one that does. Of some it is known already (loop-versions.ts).
   */
  guard(
    pointer: ir.Value,
    bytes: number,
    align: number,
    access: Access,
    isInRange: boolean,
    whenInside: (place: Place) => void,
  ): Place {
    this.#checkAlignment(pointer, align, access, bytes);
    const objects = this.#objects;
    const writer = this.#writer;
    const root = objects.rootOf(pointer);
    const size = root && objects.sizeOf(root);
    if (root && isInRange) {
      const place = { pointer, offset: objects.offsetFrom(pointer, root), root };
      whenInside(place);
      return place;
    }
    if (root && size !== undefined) {
      const place = this.#guardInside(pointer, root, size, bytes, access);
      if (place.root) whenInside(place);
      return place;
    }
    const offset = root && objects.offsetFrom(pointer, root);
    const isBad = this.#isOutside(pointer, root, offset, writer.number(bytes), access);
    const base = root && objects.baseOf(root);
    const { builder } = writer;
    const choice = builder.if(isBad, [pointer.type]);
    builder.within(choice.regions[0]!, () => {
      writer.report({ code: codes.outOfBounds, kind: access, base, bytes, pointer, offset });
      builder.yield([this.#scratch(pointer.type)]);
    });
    builder.within(choice.regions[1]!, () => {
      whenInside({ pointer, offset, root });
      builder.yield([pointer]);
    });
    return { pointer: choice.results[0]!, offset, root };
  }

  /** The same in an object of a size that the program tells. */
  #guardInside(pointer: ir.Value, root: Root, size: number, bytes: number, access: Access): Place {
    const objects = this.#objects;
    const writer = this.#writer;
    const { builder } = writer;
    const constant = objects.constantOffset(pointer, root);
    if (constant !== undefined && constant >= 0 && constant + bytes <= size) {
      return { pointer, offset: writer.number(constant), root };
    }
    const offset = objects.offsetFrom(pointer, root);
    const base = objects.baseOf(root);
    const isBad =
      size < bytes
        ? builder.constant(bool, true)
        : builder.compare('ugt', offset, writer.number(size - bytes));
    if (access !== 'load' && objects.spaceOf(root) === 'constant') {
      writer.reportIf(builder.constant(bool, true), {
        code: codes.constantWritten,
        kind: access,
        base,
        bytes,
      });
    }
    writer.reportIf(isBad, { code: codes.outOfBounds, kind: access, base, bytes, pointer, offset });
    if (size < bytes) return { pointer: this.#scratch(pointer.type), offset: undefined, root: undefined };
    const safe = builder.select(isBad, writer.number(0), offset);
    return { pointer: builder.offset(objects.baseAddress(root, pointer.type), safe), offset: safe, root };
  }

  /** The same for a number of bytes that the program computes: none are touched where it leaves the object. */
  guardRange(pointer: ir.Value, bytes: ir.Value, access: Access): { place: Place; bytes: ir.Value } {
    const objects = this.#objects;
    const writer = this.#writer;
    const { builder } = writer;
    const known = objects.constant(bytes);
    const root = objects.rootOf(pointer);
    const size = root && objects.sizeOf(root);
    const constant = root && objects.constantOffset(pointer, root);
    if (size !== undefined && constant !== undefined && known !== undefined && constant >= 0) {
      if (constant + known <= size) {
        return { place: { pointer, offset: writer.number(constant), root }, bytes };
      }
    }
    const offset = root && objects.offsetFrom(pointer, root);
    const isBad = this.#isOutside(pointer, root, offset, bytes, access);
    const base = root && objects.baseOf(root);
    writer.reportIf(isBad, {
      code: codes.outOfBounds,
      kind: access,
      base,
      bytes: known ?? 0,
      pointer,
      offset,
    });
    const count = builder.select(isBad, writer.number(0), bytes);
    const safe = offset && builder.select(isBad, writer.number(0), offset);
    return { place: { pointer, offset: safe, root }, bytes: count };
  }

  /**
   * An array inside of something larger has bounds of its own. Of an array of arrays those of the whole count, for many
   * programs go through it with one index.
   */
  checkSubscripts(pointer: ir.Value, instruction: ir.Instruction): void {
    const objects = this.#objects;
    let run: { bytes: ir.Value[]; size: number } | undefined;
    const finish = (array: ir.Value): void => {
      const root = objects.rootOf(array);
      const isWhole = root?.value === array && objects.sizeOf(root) === run?.size;
      // Whoever checks the access to the object sees the same.
      if (run && !isWhole) this.#checkArray(array, run.bytes, run.size, instruction);
    };
    for (let at = pointer; ; ) {
      const definition = objects.definition(at);
      if (definition?.op !== 'offset') {
        finish(at);
        return;
      }
      const [inner, bytes] = definition.operands as [ir.Value, ir.Value];
      if (definition.within === undefined) {
        finish(at);
        run = undefined;
      } else if (run && run.size <= definition.within) {
        run.bytes.push(bytes);
        run.size = definition.within;
      } else {
        finish(at);
        run = { bytes: [bytes], size: definition.within };
      }
      at = inner;
    }
  }

  #checkArray(array: ir.Value, bytes: readonly ir.Value[], size: number, { op }: ir.Instruction): void {
    const writer = this.#writer;
    const { builder } = writer;
    const offset = bytes.reduce((a, b) => builder.binary('iadd', a, b));
    const { type } = array;
    const space = type.kind === 'pointer' && type.space !== 'generic' ? type.space : 'private';
    const name = `array in ${this.#objects.nameOf(array) ?? 'memory'}`;
    const base: Base = { kind: 'variable', space, name, size };
    const isBad = builder.compare('uge', offset, writer.number(size));
    const kind = op === 'load' || op === 'store' ? op : 'copy';
    // The address would be for nobody, and private variables whose address goes elsewhere have no companions.
    writer.reportIf(isBad, { code: codes.outOfBounds, kind, base, offset });
  }

  /** Whether bytes at a place are not all in its object; for what is no access of the program's. */
  isOutside({ pointer, root, offset }: Place, bytes: ir.Value, access: Access): ir.Value {
    return this.#isOutside(pointer, root, offset, bytes, access);
  }

  #isOutside(
    pointer: ir.Value,
    root: Root | undefined,
    offset: ir.Value | undefined,
    bytes: ir.Value,
    access: Access,
  ): ir.Value {
    const writer = this.#writer;
    const { builder } = writer;
    const facts = this.#objects.factsOf(root);
    const size = root && this.#objects.sizeOf(root);
    if (offset && (facts || size !== undefined)) {
      const wide = (value: ir.Value) => builder.convert('zext', value, i64);
      // What is the same for all work-items stands on one side.
      const isBeyond = (end: ir.Value): ir.Value =>
        builder.compare('sgt', wide(offset), builder.binary('isub', wide(end), wide(bytes)));
      if (!facts) return isBeyond(writer.number(size!));
      const limit =
        access === 'atomic'
          ? builder.binary('umin', facts.readable, facts.writable)
          : access === 'store'
            ? facts.writable
            : facts.readable;
      return isBeyond(limit);
    }
    const range = writer.call('find', [writer.address(pointer), bytes]);
    return builder.compare('eq', range, writer.number(0));
  }

  /** Where accesses are made that must not be made. */
  #scratch(type: Type): ir.Value {
    const { builder, context } = this.#writer;
    const address = builder.convert('ptoi', context.runtime.scratch(builder), i32);
    return builder.convert('itop', address, type);
  }

  /** Whether the address is sure to be a multiple of so many bytes. */
  isAligned(pointer: ir.Value, align: number): boolean {
    return align <= 1 || this.#alignments.of(pointer) % align === 0;
  }

  #checkAlignment(pointer: ir.Value, align: number, access: Access, bytes: number): void {
    if (this.isAligned(pointer, align)) return;
    const writer = this.#writer;
    const { builder } = writer;
    const low = builder.binary('and', writer.address(pointer), writer.number(align - 1));
    const root = this.#objects.rootOf(pointer);
    const base = root && this.#objects.baseOf(root);
    const isBad = builder.compare('ne', low, writer.number(0));
    writer.reportIf(isBad, { code: codes.misaligned, kind: access, base, bytes, pointer });
  }
}
