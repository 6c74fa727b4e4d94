/**
 * The companions of private variables, which say of each byte whether it has been set (definedness.ts). In the first stage
 * those variables have one that are accessed at constant places only, in the second those others whose address goes nowhere.
 */
import type * as ir from '../../../ir/ir.ts';
import { i32, sizeOf } from '../../../ir/types.ts';
import { walkRegion } from '../../../ir/walk.ts';
import { codes } from '../codes.ts';
import { mostPadding, paddingOf } from '../layouts.ts';
import { accessesOf } from './accesses-of.ts';
import type { Stage } from './check-context.ts';
import type { CheckWriter } from './check-writer.ts';
import type { CopyMark } from './copy-marks.ts';
import { Definedness } from './definedness.ts';
import { baseOfVariable, type Objects, type Place } from './objects.ts';
import { closedVariables, type PointerRoots } from './pointer-roots.ts';

export class Companions {
  readonly definedness: Definedness;
  readonly #writer: CheckWriter;
  readonly #objects: Objects;
  /** Variables that get a companion now. */
  readonly #watched: Set<ir.Variable>;
  /** The companions of this stage. */
  readonly #companions: Map<ir.Variable, ir.Value>;

  constructor(writer: CheckWriter, objects: Objects, roots: PointerRoots, stage: Stage) {
    this.#writer = writer;
    this.#objects = objects;
    const { settled } = writer.context;
    this.#watched = closedVariables(writer.fn, roots);
    this.#companions = stage === 'values' ? settled : new Map();
    const own = new Set(settled.values());
    for (const variable of this.#watched) {
      if (settled.has(variable) || own.has(variable.results[0]!)) this.#watched.delete(variable);
    }
    if (stage === 'values') this.#keepFixed(writer.fn.body!);
    this.definedness = new Definedness(writer.builder, (isBad, { variable, offset, bytes }) =>
      writer.reportIf(isBad, {
        code: codes.undefinedValue,
        kind: 'value',
        base: baseOfVariable(variable),
        bytes,
        offset,
      }),
    );
  }

  /** Leaves those variables whose every access is at a constant place inside. */
  #keepFixed(body: ir.Region): void {
    const objects = this.#objects;
    walkRegion(body, (instruction) => {
      for (const { pointer, bytes } of accessesOf(instruction)) {
        const root = objects.rootOf(pointer);
        if (root?.kind !== 'variable') continue;
        const at = objects.constantOffset(pointer, root);
        const count = typeof bytes === 'number' ? bytes : objects.constant(bytes);
        const isFixed =
          at !== undefined && count !== undefined && at >= 0 && at + count <= root.variable.size;
        if (!isFixed) this.#watched.delete(root.variable);
      }
    });
  }

  /** Makes the companions of this stage, of which no byte is set but padding, which nobody needs; at the function's top. */
  make(): void {
    const { builder } = this.#writer;
    const number = (value: number): ir.Value => builder.constant(i32, value);
    for (const variable of this.#watched) {
      const { size, align, name, declared } = variable;
      const companion = builder.variable('private', size, align, `${name}.set`);
      this.#companions.set(variable, companion);
      builder.fill(companion, number(size), 0, align);
      const layout = declared?.layout;
      const padding = layout?.size === size ? paddingOf(layout, mostPadding) : undefined;
      for (const { offset, bytes } of padding ?? []) {
        builder.fill(builder.offset(companion, number(offset)), number(bytes), 0xff, 1);
      }
    }
  }

  /** The companion of the variable that a pointer leads into, if it has one. */
  of(pointer: ir.Value): ir.Value | undefined {
    const root = this.#objects.rootOf(pointer);
    return root?.kind === 'variable' ? this.#companions.get(root.variable) : undefined;
  }

  /** What an access in the first stage does to what is known of variables. */
  followFixed(instruction: ir.Instruction): void {
    if (instruction.op === 'copy') {
      this.#copyFixed(instruction);
      return;
    }
    for (const { pointer } of accessesOf(instruction)) {
      const place = this.#fixedPlace(pointer);
      if (place) this.follow(instruction, place);
    }
  }

  /** What an access does to what is known of a private variable; not copies. */
  follow(instruction: ir.Instruction, place: Place): void {
    const { builder, context } = this.#writer;
    const at = this.at(place);
    if (!at || place.root?.kind !== 'variable') return;
    switch (instruction.op) {
      case 'load': {
        // The copy itself hands on what is undefined.
        if (context.copies.isOfCopy(instruction)) break;
        const from = { variable: place.root.variable, offset: place.offset! };
        this.definedness.loaded(instruction.results[0]!, from, at, instruction.align);
        break;
      }
      case 'store':
        this.definedness.stored(instruction.operands[1]!, at, instruction.align);
        break;
      case 'atomic':
        if (instruction.fn !== 'load') {
          const bytes = sizeOf((instruction.results[0] ?? instruction.operands[1])!.type);
          builder.fill(at, this.#writer.number(bytes), 0xff, 1);
        }
        break;
      case 'fill':
        builder.fill(at, instruction.operands[1]!, 0xff, instruction.align);
        break;
      default:
    }
  }

  /** A copy in the first stage. */
  #copyFixed(copy: ir.Copy): void {
    const { builder, context } = this.#writer;
    const { copies } = context;
    const [toPointer, fromPointer, size] = copy.operands as [ir.Value, ir.Value, ir.Value];
    const toPlace = this.#fixedPlace(toPointer);
    const fromPlace = this.#fixedPlace(fromPointer);
    const to = toPlace && this.at(toPlace);
    const from = fromPlace && this.at(fromPlace);
    const mark = (way: CopyMark['way'], { pointer, root }: Place): CopyMark => ({
      way,
      bytes: this.#objects.constant(size)!,
      base: this.#objects.baseOf(root!),
      offset: this.#objects.constantOffset(pointer, root!)!,
    });
    if (to && from) builder.copy(to, from, size, copy.align);
    else if (to) {
      builder.fill(to, size, 0xff, copy.align);
      if (!this.#mayBeUndefined(fromPointer)) return;
      copies.claim(copy);
      copies.write(builder, fromPointer, to, mark('learn', toPlace));
    } else if (from) {
      copies.claim(copy);
      copies.write(builder, toPointer, from, mark('pass on', fromPlace));
    }
  }

  /** Constants and structs that the host gives are all set. */
  #mayBeUndefined(pointer: ir.Value): boolean {
    const root = this.#objects.rootOf(pointer);
    if (pointer.type.kind === 'pointer' && pointer.type.space === 'constant') return false;
    return root?.kind !== 'parameter' || !this.#writer.fn.parameters[root.index]!.aggregate;
  }

  /** A place in a companion. */
  at({ root, offset }: Place): ir.Value | undefined {
    const companion = root?.kind === 'variable' ? this.#companions.get(root.variable) : undefined;
    if (!companion || !offset) return undefined;
    const definition = this.#objects.definition(offset);
    const isStart = definition?.op === 'constant' && definition.value === 0;
    return isStart ? companion : this.#writer.builder.offset(companion, offset);
  }

  /** In the first stage, where a pointer leads that has a companion. */
  #fixedPlace(pointer: ir.Value): Place | undefined {
    const root = this.#objects.rootOf(pointer);
    if (root?.kind !== 'variable' || !this.of(pointer)) return undefined;
    return { pointer, offset: this.#writer.number(this.#objects.constantOffset(pointer, root)!), root };
  }
}
