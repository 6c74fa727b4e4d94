/**
 * The companions of private variables, which say of each byte whether it has been set (definedness.ts). In the first stage
 * those variables have one that are accessed at constant places only, in the second those others whose address goes nowhere.
 */
import type * as ir from '../../ir/ir.ts';
import { i32, sizeOf } from '../../ir/types.ts';
import { walkRegion } from '../../ir/walk.ts';
import { codes } from '../codes.ts';
import { accessesOf } from './accesses-of.ts';
import type { Stage } from './check-context.ts';
import type { CheckWriter } from './check-writer.ts';
import { Definedness } from './definedness.ts';
import { baseOfVariable, type Objects, type Place } from './objects.ts';
import { closedVariables, type PointerRoots } from './pointer-roots.ts';

export class Companions {
  readonly definedness: Definedness;
  readonly #writer: CheckWriter;
  readonly #objects: Objects;
  readonly #stage: Stage;
  /** Variables that get a companion now. */
  readonly #watched: Set<ir.Variable>;
  /** The companions of this stage. */
  readonly #companions: Map<ir.Variable, ir.Value>;

  constructor(writer: CheckWriter, objects: Objects, roots: PointerRoots, stage: Stage) {
    this.#writer = writer;
    this.#objects = objects;
    this.#stage = stage;
    const { settled } = writer.context;
    this.#watched = closedVariables(writer.fn, roots);
    this.#companions = stage === 'values' ? settled : new Map();
    for (const variable of settled.keys()) this.#watched.delete(variable);
    if (stage === 'values') this.#keepFixed(writer.fn.body!);
    this.definedness = new Definedness(writer.builder, (isBad, variable) =>
      writer.reportIf(isBad, { code: codes.undefinedValue, kind: 'value', base: baseOfVariable(variable) }),
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

  /** Makes the companions of this stage, of which no byte is set; at the function's top. */
  make(): void {
    const { builder } = this.#writer;
    for (const variable of this.#watched) {
      const { size, align, name } = variable;
      const companion = builder.variable('private', size, align, `${name}.set`);
      this.#companions.set(variable, companion);
      builder.fill(companion, builder.constant(i32, size), 0, align);
    }
  }

  /** The companion of the variable that a pointer leads into, if it has one. */
  of(pointer: ir.Value): ir.Value | undefined {
    const root = this.#objects.rootOf(pointer);
    return root?.kind === 'variable' ? this.#companions.get(root.variable) : undefined;
  }

  /** What an access in the first stage does to what is known of a variable. */
  followFixed(instruction: ir.Instruction, pointer: ir.Value): void {
    const root = this.#objects.rootOf(pointer);
    if (root?.kind !== 'variable' || !this.of(pointer)) return;
    const offset = this.#writer.number(this.#objects.constantOffset(pointer, root)!);
    this.follow(instruction, pointer, { pointer, offset, root });
  }

  /** What an access does to what is known of a private variable; `source` is the place that a copy reads. */
  follow(instruction: ir.Instruction, pointer: ir.Value, place: Place, source?: Place): void {
    const { builder } = this.#writer;
    const at = this.#at(place);
    if (!at || place.root?.kind !== 'variable') return;
    switch (instruction.op) {
      case 'load':
        this.definedness.loaded(instruction.results[0]!, place.root.variable, at, instruction.align);
        break;
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
      case 'copy': {
        if (this.#stage === 'values' && pointer !== instruction.operands[0]) break;
        const from = source ? this.#at(source) : this.#fixed(instruction.operands[1]!);
        if (from) builder.copy(at, from, instruction.operands[2]!, instruction.align);
        else builder.fill(at, instruction.operands[2]!, 0xff, instruction.align);
        break;
      }
      default:
    }
  }

  /** A place in a companion. */
  #at({ root, offset }: Place): ir.Value | undefined {
    const companion = root?.kind === 'variable' ? this.#companions.get(root.variable) : undefined;
    if (!companion || !offset) return undefined;
    const definition = this.#objects.definition(offset);
    const isStart = definition?.op === 'constant' && definition.value === 0;
    return isStart ? companion : this.#writer.builder.offset(companion, offset);
  }

  /** In the first stage, where the companion of a copy's source is. */
  #fixed(pointer: ir.Value): ir.Value | undefined {
    const root = this.#objects.rootOf(pointer);
    const companion = this.of(pointer);
    const offset = root && this.#objects.constantOffset(pointer, root);
    if (!companion || offset === undefined) return undefined;
    return offset === 0 ? companion : this.#writer.builder.offset(companion, this.#writer.number(offset));
  }
}
