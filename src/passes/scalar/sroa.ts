/**
 * Replaces a private struct or small array that is only touched at constant offsets by one variable for each part.
 *
 *     %s = variable private 8                 %s.0 = variable private 4
 *     store %s, %x                            %s.4 = variable private 4
 *     %p = offset %s, 4              =>       store %s.0, %x
 *     store %p, %y                            store %s.4, %y
 *     copy %out, %s, 8                        store %out, (load %s.0); store (offset %out, 4), (load %s.4)
 *
 * The parts then become values (`mem2reg`). Copies between two such variables pass the boundaries of
 * parts on from one to the other; copies from and to other memory become loads and stores of the parts; fills
 * become stores. A variable stays whole when its address goes anywhere else, when accesses overlap without being
 * equal, or when the parts would be very many.
 */
import { Builder, newRegion } from '../../ir/builder.ts';
import type * as ir from '../../ir/ir.ts';
import { elementOf, f32, f64, i8, i16, i32, i64, sizeOf, type Type } from '../../ir/types.ts';
import { walkRegion } from '../../ir/walk.ts';

/** More parts than this are better indexed in memory. */
const partLimit = 128;

export function sroa(fn: ir.Function, addressBits: 32 | 64): void {
  if (fn.body) new Splitting(addressBits).run(fn.body);
}

/** A range of a variable that is accessed as a whole. */
interface Part {
  readonly offset: number;
  readonly size: number;
  readonly type: Type;
  readonly result: ir.Value;
}

interface Candidate {
  readonly variable: ir.Variable;
  /** By offset. */
  readonly parts: Map<number, Part>;
  /** There are offsets, copies or fills: more than whole loads and stores. */
  divided: boolean;
}

/** A candidate and a constant offset into it. */
interface Place {
  readonly candidate: Candidate;
  readonly offset: number;
}

/** A copy or fill that touches a candidate; undefined sides are other memory. */
interface Range {
  readonly to: Place | undefined;
  readonly from: Place | undefined;
  readonly isCopy: boolean;
  readonly size: number;
}

class Splitting {
  readonly #addressBits: 32 | 64;
  readonly #addressBytes: number;
  readonly #places = new Map<ir.Value, Place>();
  readonly #constants = new Map<ir.Value, number>();
  readonly #candidates = new Set<Candidate>();

  constructor(addressBits: 32 | 64) {
    this.#addressBits = addressBits;
    this.#addressBytes = addressBits / 8;
  }

  run(body: ir.Region): void {
    this.#findCandidates(body);
    if (this.#candidates.size === 0) return;
    const ranges = this.#findParts(body);
    this.#settleParts(ranges);
    if (this.#candidates.size > 0) this.#region(body);
  }

  #place(value: ir.Value): Place | undefined {
    const place = this.#places.get(value);
    return place && this.#candidates.has(place.candidate) ? place : undefined;
  }

  #findCandidates(body: ir.Region): void {
    walkRegion(body, (instruction) => {
      if (instruction.op === 'variable' && instruction.space === 'private' && !instruction.perItem) {
        const candidate: Candidate = { variable: instruction, parts: new Map(), divided: false };
        this.#candidates.add(candidate);
        this.#places.set(instruction.results[0]!, { candidate, offset: 0 });
      } else if (instruction.op === 'constant' && elementOf(instruction.results[0]!.type).kind === 'int') {
        if (typeof instruction.value !== 'object') {
          this.#constants.set(instruction.results[0]!, Number(instruction.value));
        }
      }
    });
  }

  /** Records the accesses of each candidate; drops those whose address goes elsewhere. */
  #findParts(body: ir.Region): Range[] {
    const ranges: Range[] = [];
    walkRegion(body, (instruction) => {
      const { operands } = instruction;
      let others = 0;
      switch (instruction.op) {
        case 'offset': {
          const place = this.#place(operands[0]!);
          const bytes = this.#constants.get(operands[1]!);
          if (!place) break;
          if (bytes === undefined) this.#candidates.delete(place.candidate);
          else {
            place.candidate.divided = true;
            this.#places.set(instruction.results[0]!, {
              candidate: place.candidate,
              offset: place.offset + bytes,
            });
          }
          return;
        }
        case 'load':
        case 'store': {
          const place = this.#place(operands[0]!);
          const type = instruction.op === 'load' ? instruction.results[0]!.type : operands[1]!.type;
          if (place && instruction.volatile) this.#candidates.delete(place.candidate);
          else if (place) this.#addPart(place.candidate, place.offset, type);
          others = 1;
          break;
        }
        case 'copy':
          this.#addRange(this.#place(operands[0]!), this.#place(operands[1]!), operands[2]!, true, ranges);
          return;
        case 'fill':
          this.#addRange(this.#place(operands[0]!), undefined, operands[1]!, false, ranges);
          return;
        default:
      }
      for (let index = others; index < operands.length; index += 1) {
        const place = this.#place(operands[index]!);
        if (place) this.#candidates.delete(place.candidate);
      }
    });
    return ranges;
  }

  #addRange(
    to: Place | undefined,
    from: Place | undefined,
    bytes: ir.Value,
    isCopy: boolean,
    ranges: Range[],
  ): void {
    const size = this.#constants.get(bytes);
    for (const place of [to, from]) {
      if (!place) continue;
      if (size === undefined) this.#candidates.delete(place.candidate);
      else place.candidate.divided = true;
    }
    if ((to || from) && size !== undefined) ranges.push({ to, from, isCopy, size });
  }

  /** Notes an access; an overlap with a different range makes the candidate stay whole. */
  #addPart(candidate: Candidate, offset: number, type: Type): boolean {
    const size = sizeOf(type, this.#addressBytes);
    const known = candidate.parts.get(offset);
    if (known?.size === size) return false;
    if (known || offset < 0 || offset + size > candidate.variable.size || candidate.parts.size >= partLimit) {
      this.#candidates.delete(candidate);
      return false;
    }
    const { name } = candidate.variable;
    const result: ir.Value = { type: candidate.variable.results[0]!.type, name: `${name}.${offset}` };
    candidate.parts.set(offset, { offset, size, type, result });
    return true;
  }

  /**
   * Gives both sides of every copy the same parts, and what is copied to other memory a part everywhere; then drops
   * the candidates whose parts overlap or are cut. Either may make more of the other necessary.
   */
  #settleParts(ranges: readonly Range[]): void {
    for (let changed = true; changed; ) {
      changed = false;
      const before = this.#candidates.size;
      for (const { to, from, isCopy, size } of ranges) {
        const target = this.#alive(to);
        const source = this.#alive(from);
        if (target && source) {
          if (this.#passParts(source, target, size)) changed = true;
          if (this.#passParts(target, source, size)) changed = true;
        } else if (source && isCopy && this.#coverGaps(source, size)) changed = true;
        for (const place of [target, source]) {
          if (place && this.#cuts(place, size)) this.#candidates.delete(place.candidate);
        }
      }
      for (const candidate of this.#candidates) {
        if (!this.#isWorthwhile(candidate)) this.#candidates.delete(candidate);
      }
      // What was copied to or from one that stays whole after all has to be looked at again.
      if (this.#candidates.size < before) changed = true;
    }
  }

  #alive(place: Place | undefined): Place | undefined {
    return place && this.#candidates.has(place.candidate) ? place : undefined;
  }

  #passParts(from: Place, to: Place, size: number): boolean {
    let changed = false;
    for (const part of this.#partsIn(from, size)) {
      if (!this.#candidates.has(to.candidate) || !this.#candidates.has(from.candidate)) return changed;
      if (this.#addPart(to.candidate, part.offset - from.offset + to.offset, part.type)) changed = true;
    }
    return changed;
  }

  #partsIn({ candidate, offset }: Place, size: number): Part[] {
    return inOrder(candidate.parts.values()).filter(
      (part) => part.offset >= offset && part.offset + part.size <= offset + size,
    );
  }

  /** Whether the parts are apart from each other; those that nothing divides are left to be promoted whole. */
  #isWorthwhile(candidate: Candidate): boolean {
    if (!candidate.divided) return false;
    const parts = inOrder(candidate.parts.values());
    return parts.every(
      (part, index) => index === 0 || parts[index - 1]!.offset + parts[index - 1]!.size <= part.offset,
    );
  }

  /** Whether a copy or fill of a range would divide a part. */
  #cuts({ candidate, offset }: Place, size: number): boolean {
    for (const part of candidate.parts.values()) {
      const inside = part.offset >= offset && part.offset + part.size <= offset + size;
      const outside = part.offset + part.size <= offset || part.offset >= offset + size;
      if (!inside && !outside) return true;
    }
    return false;
  }

  /** Adds parts for what nothing else touches. @returns whether there were such ranges */
  #coverGaps(place: Place, size: number): boolean {
    const { candidate } = place;
    const end = place.offset + size;
    let changed = false;
    let offset = place.offset;
    while (offset < end && this.#candidates.has(candidate)) {
      const part = candidate.parts.get(offset);
      if (part) {
        offset += part.size;
        continue;
      }
      let next = end;
      for (const start of candidate.parts.keys()) {
        if (start > offset && start < next) next = start;
      }
      const type = [i64, i32, i16, i8].find(
        ({ bits }) => bits / 8 <= next - offset && offset % (bits / 8) === 0,
      )!;
      this.#addPart(candidate, offset, type);
      changed = true;
    }
    return changed;
  }

  // ------------------------------------------------------------------------------------------------- rewriting

  #region(region: ir.Region): void {
    const output = newRegion();
    const builder = new Builder(output, this.#addressBits);
    for (const instruction of region.instructions) {
      builder.span = instruction.span;
      for (const nested of instruction.regions) this.#region(nested);
      const place = instruction.operands[0] && this.#place(instruction.operands[0]);
      switch (instruction.op) {
        case 'variable': {
          const own = this.#place(instruction.results[0]!);
          if (!own) builder.append(instruction);
          else this.#declareParts(own.candidate, builder);
          continue;
        }
        case 'offset':
          if (!place) builder.append(instruction);
          continue;
        case 'load':
        case 'store':
          if (place) instruction.operands[0] = place.candidate.parts.get(place.offset)!.result;
          builder.append(instruction);
          continue;
        case 'fill':
          if (place) this.#fill(instruction, place, builder);
          else builder.append(instruction);
          continue;
        case 'copy':
          this.#copy(instruction, builder);
          continue;
        default:
          builder.append(instruction);
      }
    }
    region.instructions = output.instructions;
  }

  #declareParts({ variable, parts }: Candidate, builder: Builder): void {
    for (const { offset, size, result } of inOrder(parts.values())) {
      const align = Math.min(variable.align, offset === 0 ? variable.align : offset & -offset, 16);
      builder.append<ir.Variable>({
        ...variable,
        size,
        align,
        name: result.name!,
        results: [result],
      });
    }
  }

  #fill(fill: ir.Fill, place: Place, builder: Builder): void {
    const size = this.#constants.get(fill.operands[1]!)!;
    for (const part of this.#partsIn(place, size)) {
      builder.store(part.result, filledWith(part.type, fill.byte, builder), 1);
    }
  }

  #copy(copy: ir.Copy, builder: Builder): void {
    const [toPointer, fromPointer] = copy.operands as [ir.Value, ir.Value];
    const to = this.#place(toPointer);
    const from = this.#place(fromPointer);
    if (!to && !from) {
      builder.append(copy);
      return;
    }
    const size = this.#constants.get(copy.operands[2]!)!;
    const known = (to ?? from)!;
    // All loads come before all stores: the two sides may be one place.
    const moves: { at: number; value: ir.Value; to: ir.Value }[] = [];
    for (const part of this.#partsIn(known, size)) {
      const at = part.offset - known.offset;
      const align = Math.max(1, Math.min(copy.align, at === 0 ? copy.align : at & -at));
      const source = from
        ? from.candidate.parts.get(from.offset + at)!.result
        : this.#address(fromPointer, at, builder);
      const target = to
        ? to.candidate.parts.get(to.offset + at)!.result
        : this.#address(toPointer, at, builder);
      moves.push({ at: align, value: builder.load(part.type, source, align), to: target });
    }
    for (const { at, value, to: target } of moves) builder.store(target, value, at);
  }

  #address(pointer: ir.Value, offset: number, builder: Builder): ir.Value {
    return offset === 0 ? pointer : builder.offset(pointer, builder.integer(builder.addressType, offset));
  }
}

function inOrder(parts: Iterable<Part>): Part[] {
  return [...parts].sort((a, b) => a.offset - b.offset);
}

/** The value of a type all of whose bytes are `byte`. */
function filledWith(type: Type, byte: number, builder: Builder): ir.Value {
  const element = elementOf(type);
  if (element.kind === 'pointer' || element.kind === 'opaque' || element.kind === 'bool') {
    const bits = builder.addressType.bits;
    return builder.convert('itop', builder.integer(builder.addressType, repeat(byte, bits)), type);
  }
  if (byte === 0 && element.kind === 'float') {
    return builder.constant(type, type.kind === 'vector' ? new Array<number>(type.lanes).fill(0) : 0);
  }
  if (element.kind === 'int') return builder.integer(type, repeat(byte, element.bits));
  const bits = element === f32 ? i32 : element === f64 ? i64 : i16;
  const scalar = builder.convert('bitcast', builder.integer(bits, repeat(byte, bits.bits)), element);
  return type.kind === 'vector' ? builder.splat(scalar, type) : scalar;
}

function repeat(byte: number, bits: number): bigint {
  let value = 0n;
  for (let at = 0; at < bits; at += 8) value = (value << 8n) | BigInt(byte);
  return value;
}
