/**
 * What copies do to what is known of the bytes that they copy, in the second stage: undefined ones are passed on, to companions
 * (companions.ts) and to memory that work-items share, whose shadow memory knows them from then on (src/library/check.cl). That is no
 * fault before global memory, which the host sees: what is said of it there the host of checked code decides, who knows the
 * members (launch-reports.ts).
 */
import type * as ir from '../../../ir/ir.ts';
import { bool } from '../../../ir/types.ts';
import { codes } from '../codes.ts';
import type { CopySource } from '../sites.ts';
import type { Bounds } from './bounds.ts';
import type { CheckWriter } from './check-writer.ts';
import type { Companions } from './companions.ts';
import type { CopyMark } from './copy-marks.ts';
import type { Objects, Place } from './objects.ts';
import { whereShared } from './shared-places.ts';

/** Where copied bytes come from, and what of them is known there. */
interface Origin {
  /** A companion, or the bytes themselves. */
  readonly pointer: ir.Value;
  readonly isCompanion: boolean;
  /** Bytes from the beginning of the object. */
  readonly offset: ir.Value;
  readonly source: CopySource;
}

export class CopyChecks {
  readonly #writer: CheckWriter;
  readonly #objects: Objects;
  readonly #bounds: Bounds;
  readonly #companions: Companions;

  constructor(writer: CheckWriter, objects: Objects, bounds: Bounds, companions: Companions) {
    this.#writer = writer;
    this.#objects = objects;
    this.#bounds = bounds;
    this.#companions = companions;
  }

  /** What the first stage has left behind a copy. */
  mark({ operands }: ir.Call, { way, bytes: count, base, offset }: CopyMark): void {
    const writer = this.#writer;
    const { builder } = writer;
    const [other, companion] = operands as [ir.Value, ir.Value];
    const bytes = writer.number(count);
    const place = this.#objects.placeOf(other);
    // Outside of its object nothing has been copied.
    const isOutside = this.#bounds.isOutside(place, bytes, way === 'learn' ? 'load' : 'store');
    writer.when(builder.compare('eq', isOutside, builder.constant(bool, false)), () => {
      if (way === 'learn') this.#learn(companion, place, bytes, 1);
      else {
        const source = { base, offset, hasArrays: true };
        const origin = { pointer: companion, isCompanion: true, offset: writer.number(offset), source };
        this.#passOn(place, origin, bytes, count);
      }
    });
  }

  /** Behind a copy. @param count of bytes, 0 if only the run knows */
  copied({ align }: ir.Copy, target: Place, source: Place, bytes: ir.Value, count: number): void {
    const to = this.#companions.at(target);
    if (to) {
      this.#writer.builder.fill(to, bytes, 0xff, align);
      this.#learn(to, source, bytes, align);
      return;
    }
    this.passOn(target, source, bytes, count);
  }

  /** Behind a write of bytes that have been read elsewhere. */
  passOn(target: Place, from: Place, bytes: ir.Value, count: number): void {
    const companion = this.#companions.at(from);
    if (!companion && !this.#isShared(from)) return;
    const { root } = from;
    const origin = {
      pointer: companion ?? from.pointer,
      isCompanion: companion !== undefined,
      offset: from.offset ?? this.#writer.number(0),
      source: {
        base: from.offset && root && this.#objects.baseOf(root),
        offset: root && this.#objects.constantOffset(from.pointer, root),
        hasArrays: false,
      },
    };
    this.#passOn(target, origin, bytes, count);
  }

  #isShared({ pointer, root }: Place): boolean {
    return root === undefined || !this.#objects.isPrivate(pointer, root);
  }

  /** To a companion that says that all is set. */
  #learn(companion: ir.Value, source: Place, bytes: ir.Value, align: number): void {
    const writer = this.#writer;
    const from = this.#companions.at(source);
    if (from) writer.builder.copy(companion, from, bytes, align);
    else {
      whereShared(writer, this.#objects, source, () => {
        const operands = [writer.address(companion), writer.address(source.pointer), bytes];
        writer.context.runtime.call(writer.builder, 'learn', operands);
      });
    }
  }

  #passOn(target: Place, origin: Origin, bytes: ir.Value, count: number): void {
    const writer = this.#writer;
    const { builder, context } = writer;
    const to = this.#companions.at(target);
    if (to) {
      if (origin.isCompanion) builder.copy(to, origin.pointer, bytes, 1);
      return;
    }
    whereShared(writer, this.#objects, target, (space) => {
      const base = target.root && this.#objects.baseOf(target.root);
      const who = writer.who('store', base, count, origin.source);
      const address = writer.address(target.pointer);
      const found = writer.call('pass_on', [
        address,
        writer.address(origin.pointer),
        bytes,
        who,
        writer.number(space === 'local' ? 1 : 0),
        writer.number(origin.isCompanion ? 1 : 0),
      ]);
      if (space !== 'global') return;
      writer.when(builder.compare('ne', found, writer.number(0)), () =>
        context.runtime.report(builder, writer.number(codes.undefinedStored), who, address, origin.offset),
      );
    });
  }
}
