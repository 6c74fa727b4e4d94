/**
 * Writes one function's body: a statement for every instruction with an effect, a variable for every value that is
 * used more than once (or has a name of the source), and expressions for all others.
 */
import type * as ir from '../../ir/ir.ts';
import { type AddressSpace, elementOf, lanesOf } from '../../ir/types.ts';
import { loadExpression, storeStatements } from './accesses.ts';
import { offsetPointer, type TypedObject } from './addresses.ts';
import { atomicExpression, fenceFlags, fenceStatement, fencesAround } from './atomics.ts';
import { declaration, spaceName, typeText } from './c-types.ts';
import { ControlFlow } from './control-flow.ts';
import { resizedMask } from './conversions.ts';
import { OpenCLCError } from './error.ts';
import { call, type Expression, primary, unary, within, withSign } from './expression.ts';
import { FunctionPlan } from './function-plan.ts';
import { imageWrite } from './images.ts';
import { literal } from './literals.ts';
import type { MemoryPlan } from './memory-plan.ts';
import type { NameScope } from './names.ts';
import { operation } from './operations.ts';
import { printfExpression } from './printf.ts';
import type { ProgramContext } from './program-context.ts';
import type { ValueWriter } from './value-writer.ts';
import { arrayObject, declareVariable } from './variables.ts';

/** A line of the body and how deep it is. */
export interface Line {
  readonly depth: number;
  readonly text: string;
}

export class FunctionWriter implements ValueWriter {
  readonly addressBits: 32 | 64;
  readonly version: '1.1' | '1.2';
  readonly plan: FunctionPlan;
  readonly memory: MemoryPlan;
  readonly prelude: ProgramContext['prelude'];
  readonly fusesExplicitly: boolean;
  lines: Line[] = [];
  depth = 1;
  readonly #fn: ir.Function;
  readonly #context: ProgramContext;
  readonly #names: NameScope;
  readonly #control: ControlFlow;
  /** Values that have a text of their own. */
  readonly #known = new Map<ir.Value, Expression>();
  readonly #objects = new Map<ir.Value, TypedObject>();
  /** Structs that are parameters lie in private memory, whatever the IR says. */
  readonly #privatePointers = new Set<ir.Value>();
  /** Loads that are not written yet, in order: they must be before the next effect. */
  readonly #pending = new Set<ir.Value>();

  constructor(fn: ir.Function, body: ir.Region, context: ProgramContext) {
    const parameters = context.parametersOf(fn);
    this.#fn = fn;
    this.#context = context;
    this.addressBits = context.addressBits;
    this.version = context.version;
    this.prelude = context.prelude;
    this.plan = new FunctionPlan(body);
    this.memory = context.memoryOf(fn);
    this.#names = parameters.names;
    this.fusesExplicitly = context.contraction === 'mixed';
    this.#control = new ControlFlow(this);
    for (const each of parameters.list) {
      this.#known.set(each.value, each.expression);
      if (each.object) this.#objects.set(each.value, each.object);
      if (each.isPrivate) this.#privatePointers.add(each.value);
    }
  }

  /** The lines of the body, without its braces. */
  write(body: ir.Region): readonly Line[] {
    this.#declareVariables(body);
    this.region(body);
    if (
      this.#fn.result === undefined &&
      this.lines.at(-1)?.text === 'return;' &&
      this.lines.at(-1)?.depth === 1
    ) {
      this.lines.pop();
    }
    return this.lines;
  }

  // ----------------------------------------------------------------------------------------------- lines

  line(text: string): void {
    this.lines.push({ depth: this.depth, text });
  }

  /** Runs `body` with lines going to a list of their own, one level deeper. */
  nested(body: () => void): Line[] {
    const outer = this.lines;
    const lines: Line[] = [];
    this.lines = lines;
    this.depth += 1;
    body();
    this.depth -= 1;
    this.lines = outer;
    return lines;
  }

  /** A new name like the wish. */
  name(wish: string): string {
    return this.#names.unique(wish);
  }

  // ---------------------------------------------------------------------------------------------- values

  inlinedDefinition(value: ir.Value): ir.Instruction | undefined {
    return this.#known.has(value) || !this.plan.inlined.has(value)
      ? undefined
      : this.plan.definitions.get(value);
  }

  value(value: ir.Value): Expression {
    const known = this.#known.get(value);
    if (known) return known;
    const definition = this.plan.definitions.get(value);
    if (!definition) throw new Error('codegen: a value is used before its definition');
    this.#pending.delete(value);
    return this.#expression(definition, value);
  }

  unsigned(value: ir.Value): Expression {
    return this.#withSign(value, false);
  }

  signed(value: ir.Value): Expression {
    return this.#withSign(value, true);
  }

  #withSign(value: ir.Value, signed: boolean): Expression {
    const definition = this.inlinedDefinition(value);
    if (definition?.op === 'constant' && elementOf(value.type).kind === 'int') {
      return literal(value.type, definition.value, signed);
    }
    return withSign(this.value(value), value.type, signed);
  }

  atom(value: ir.Value, signed = false): Expression {
    const written = this.#withSign(value, signed);
    if (this.#known.has(value) || this.inlinedDefinition(value)?.op === 'constant') return written;
    this.declare(value, this.value(value));
    return this.#withSign(value, signed);
  }

  mask(value: ir.Value, bits: number): Expression {
    const definition = this.inlinedDefinition(value);
    if (definition?.op === 'constant') return literal(value.type, definition.value, true, bits);
    return resizedMask(this.value(value), this.plan.maskBitsOf(value), bits, lanesOf(value.type));
  }

  objectOf(pointer: ir.Value): TypedObject | undefined {
    const definition = this.plan.definitions.get(pointer);
    if (definition?.op === 'global_address') return this.#context.constants.objectOf(definition.global);
    return this.#objects.get(pointer);
  }

  spaceOf(pointer: ir.Value): AddressSpace {
    if (this.#isPrivate(pointer)) return 'private';
    return pointer.type.kind === 'pointer' ? pointer.type.space : 'private';
  }

  #isPrivate(pointer: ir.Value): boolean {
    if (this.#privatePointers.has(pointer)) return true;
    const definition = this.plan.definitions.get(pointer);
    return definition?.op === 'offset' && this.#isPrivate(definition.operands[0]!);
  }

  /** Gives a value a variable that holds the expression. */
  declare(value: ir.Value, expression: Expression): void {
    const name = this.name(value.name ?? 't');
    this.line(`${declaration(this.typeOf(value, expression.signed), name)} = ${expression.text};`);
    this.bind(value, primary(name, expression.signed));
  }

  /** The value's text from now on. */
  bind(value: ir.Value, expression: Expression): void {
    this.#known.set(value, expression);
    this.#pending.delete(value);
  }

  /** Whether the value has a text already. */
  has(value: ir.Value): boolean {
    return this.#known.has(value);
  }

  /** Whether the value is a vector of truth values. */
  isMask(value: ir.Value): boolean {
    return value.type.kind === 'vector' && value.type.element.kind === 'bool';
  }

  /** The C type in which a value is kept. */
  typeOf(value: ir.Value, signed = false): string {
    if (value.type.kind === 'pointer') return `${spaceName(this.spaceOf(value))} uchar *`;
    return typeText(value.type, signed, this.plan.maskBitsOf(value));
  }

  /** What is assigned to a variable that keeps `to`. */
  assigned(to: ir.Value, from: ir.Value): Expression {
    if (to.type.kind === 'vector') {
      return elementOf(to.type).kind === 'bool'
        ? this.mask(from, this.plan.maskBitsOf(to))
        : this.unsigned(from);
    }
    if (to.type.kind === 'pointer' && this.spaceOf(from) !== this.spaceOf(to)) {
      throw new OpenCLCError(`in '${this.#fn.name}' the address of a struct parameter flows where it cannot`);
    }
    // C converts between integers of one width without loss.
    return this.plan.definitions.get(from)?.op === 'constant'
      ? this.#withSign(from, false)
      : this.value(from);
  }

  /** Whether the variable of `target` is in the expression of `value`. */
  mentions(value: ir.Value, target: Expression): boolean {
    const known = this.#known.get(value);
    if (known) return known.text === target.text;
    const definition = this.plan.definitions.get(value);
    return definition?.operands.some((operand) => this.mentions(operand, target)) ?? false;
  }

  #expression(instruction: ir.Instruction, value: ir.Value): Expression {
    switch (instruction.op) {
      case 'variable': {
        const object = this.#objects.get(value);
        return unary(`(${spaceName(instruction.space)} uchar *)${object?.name ?? ''}`);
      }
      case 'global_address':
        return this.#context.constants.addressOf(instruction.global);
      case 'offset':
        return offsetPointer(this, instruction.operands[0]!, instruction.operands[1]!);
      case 'load':
        return this.#load(instruction);
      default:
        return operation(this, instruction);
    }
  }

  #load(instruction: ir.Load): Expression {
    const plain = this.#plainName(instruction.operands[0]!);
    return plain === undefined ? loadExpression(this, instruction) : primary(plain);
  }

  /** The C variable that a pointer is the address of, if it holds one value. */
  #plainName(pointer: ir.Value): string | undefined {
    return this.memory.plain.has(pointer) ? this.#objects.get(pointer)?.name : undefined;
  }

  // ------------------------------------------------------------------------------------------ statements

  /** OpenCL C wants local variables at the top of kernels; the others are there too, since they live as long. */
  #declareVariables(region: ir.Region): void {
    for (const instruction of region.instructions) {
      if (instruction.op === 'variable') this.#declareVariable(instruction);
      for (const nested of instruction.regions) this.#declareVariables(nested);
    }
  }

  #declareVariable(instruction: ir.Variable): void {
    const [value] = instruction.results as [ir.Value];
    if (this.plan.usesOf(value) === 0) return;
    if (instruction.space === 'local' && this.#fn.kind !== 'kernel') {
      throw new OpenCLCError(
        `local variable '${instruction.name}' in '${this.#fn.name}', which is no kernel`,
      );
    }
    const name = this.name(instruction.name || 'variable');
    const plain = this.memory.plain.get(value);
    const object = arrayObject(name, instruction, plain ?? this.memory.elementOf(value), this.addressBits);
    this.#objects.set(value, object);
    this.line(declareVariable(instruction, object, plain));
  }

  /** Writes a region's instructions, its terminator among them. */
  region(region: ir.Region): void {
    const { instructions } = region;
    for (const [index, instruction] of instructions.entries())
      this.#instruction(instruction, instructions[index + 1]);
  }

  #instruction(instruction: ir.Instruction, next: ir.Instruction | undefined): void {
    const [result] = instruction.results;
    switch (instruction.op) {
      case 'variable':
        return;
      case 'load':
        if (result && this.plan.inlined.has(result)) {
          if (this.plan.usesOf(result) > 0) this.#pending.add(result);
        } else if (result) this.declare(result, this.#load(instruction));
        return;
      case 'store':
        this.#effect(() => this.#store(instruction));
        return;
      case 'copy':
        this.#effect(() => this.#copy(instruction));
        return;
      case 'fill': {
        const [to, count] = instruction.operands as [ir.Value, ir.Value];
        this.#effect(() => {
          const name = this.prelude.fill(this.spaceOf(to));
          const byte = primary(String(instruction.byte));
          return [`${call(name, [this.value(to), byte, this.unsigned(count)]).text};`];
        });
        return;
      }
      case 'atomic':
        this.#atomic(instruction);
        return;
      case 'fence':
        this.#effect(() => [fenceStatement(instruction)]);
        return;
      case 'image_write':
        this.#effect(() => [imageWrite(this, instruction)]);
        return;
      case 'collective':
        throw new OpenCLCError('work-group functions need OpenCL C 2.0');
      case 'barrier':
        this.#effect(() => [`barrier(${fenceFlags(instruction.spaces)});`]);
        return;
      case 'call':
        this.#call(instruction);
        return;
      case 'printf':
        this.#printf(instruction);
        return;
      case 'context_array':
      case 'context_read':
      case 'context_write':
      case 'work_item_loop':
      case 'item_address':
        throw new OpenCLCError(`'${this.#fn.name}' is in work-group form`);
      case 'if':
      case 'switch':
      case 'block':
      case 'loop':
      case 'yield':
      case 'break':
      case 'continue':
      case 'return':
      case 'unreachable':
        this.#control.write(instruction, next);
        return;
      default:
        if (!result || this.plan.inlined.has(result)) return;
        if (this.plan.usesOf(result) > 0) this.declare(result, this.#expression(instruction, result));
    }
  }

  /** Writes statements with an effect; what was loaded before them must be loaded before them. */
  #effect(statements: () => readonly string[]): void {
    const texts = statements();
    this.flush();
    for (const text of texts) this.line(text);
  }

  /** Gives every load that is not written yet a variable. */
  flush(): void {
    for (const value of [...this.#pending]) {
      const definition = this.plan.definitions.get(value);
      if (this.#pending.has(value) && definition?.op === 'load') this.declare(value, this.#load(definition));
    }
  }

  #store(instruction: ir.Store): readonly string[] {
    const [pointer, value] = instruction.operands as [ir.Value, ir.Value];
    const plain = this.#plainName(pointer);
    if (plain === undefined) return storeStatements(this, instruction);
    return [
      `${plain} = ${value.type.kind === 'vector' ? this.unsigned(value).text : this.value(value).text};`,
    ];
  }

  #copy({ operands, align }: ir.Copy): readonly string[] {
    const [to, from, count] = operands as [ir.Value, ir.Value, ir.Value];
    const definition = this.inlinedDefinition(count);
    const bytes = definition?.op === 'constant' ? Number(definition.value) : undefined;
    if (bytes === 0) return [];
    // The largest piece that both the alignment and the number of bytes are a multiple of.
    let unit = 1;
    while (bytes !== undefined && unit < 16 && align % (unit * 2) === 0 && bytes % (unit * 2) === 0)
      unit *= 2;
    const [toSpace, fromSpace] = [this.spaceOf(to), this.spaceOf(from)];
    const name = this.prelude.copy(toSpace, fromSpace, unit);
    const typed = (pointer: ir.Value, space: AddressSpace): Expression => {
      const object = this.objectOf(pointer);
      const at = object ? unary(object.name) : this.value(pointer);
      return unit === 1 && !object
        ? at
        : unary(`(${space} uchar${unit === 1 ? '' : unit} *)${within(at, 14)}`);
    };
    const pieces = bytes === undefined ? this.unsigned(count) : primary(String(bytes / unit));
    return [`${call(name, [typed(to, toSpace), typed(from, fromSpace), pieces]).text};`];
  }

  #atomic(instruction: ir.Atomic): void {
    const { before, after } = fencesAround(instruction.order);
    const [result] = instruction.results;
    const expression = atomicExpression(this, instruction);
    this.flush();
    for (const text of before) this.line(text);
    if (result && this.plan.usesOf(result) > 0) this.declare(result, expression);
    else this.line(`${expression.text};`);
    for (const text of after) this.line(text);
  }

  #printf(instruction: ir.Printf): void {
    const expression = printfExpression(this, instruction);
    this.flush();
    const [result] = instruction.results;
    if (result && this.plan.usesOf(result) > 0) this.declare(result, expression);
    else this.line(`${expression.text};`);
  }

  #call({ callee, operands, results }: ir.Call): void {
    const parameters = this.#context.parametersOf(callee);
    const args = operands.map((operand, index) => {
      const expected = parameters.list[index]!;
      return expected.argument(this, operand);
    });
    const expression = call(this.#context.nameOf(callee), args);
    this.flush();
    const [result] = results;
    if (result && this.plan.usesOf(result) > 0) this.declare(result, expression);
    else this.line(`${expression.text};`);
  }
}
