/** Writes one function's body: a constant name for every value that is computed, a variable for what structures carry. */
import type * as ir from '../../ir/ir.ts';
import { elementOf, lanesOf, type Type } from '../../ir/types.ts';
import { binaryText, compareText, hasVectorForm, unaryText } from './arithmetic.ts';
import { builtinText, isBuiltin } from './builtins.ts';
import { ControlFlow } from './control-flow.ts';
import { convertText, fromWords, wordsOf } from './conversions.ts';
import { ElementIndices } from './element-indices.ts';
import { WgslError } from './error.ts';
import { findHidden, type Hidden } from './kept-apart.ts';
import { literal, unsignedLiteral } from './literals.ts';
import { writeAtomic, writeCopy, writeFill, writeLoad, writeStore } from './memory.ts';
import { writePrintf } from './printf.ts';
import type { ProgramContext } from './program-context.ts';
import { isImageParameter } from './provenance.ts';
import { argumentWord, launchWords, queryText } from './queries.ts';
import type { RuntimeName } from './runtime.ts';
import { built, isNativeVector, laneText, laneType, shapedAs, typeText } from './types.ts';
import { UniformControl } from './uniform-control.ts';

/** A line of the body and how deep it is. */
export interface Line {
  readonly depth: number;
  readonly text: string;
  /** Where in the source it comes from, if that is asked for and is not where the line before comes from. */
  readonly place?: string | undefined;
}

export class FunctionWriter {
  lines: Line[] = [];
  depth = 1;
  readonly context: ProgramContext;
  readonly fn: ir.Function;
  readonly #known = new Map<ir.Value, string>();
  readonly #constants = new Set<ir.Value>();
  /** Constants that are 1 in all lanes, of what values are square roots, and of what one divided by a root. */
  readonly #ones = new Set<ir.Value>();
  readonly #squares = new Map<ir.Value, ir.Value>();
  readonly #inverses = new Map<ir.Value, ir.Value>();
  readonly #uses = new Map<ir.Value, number>();
  readonly #hidden: Hidden;
  readonly #indices: ElementIndices;
  readonly #control: ControlFlow;
  readonly #uniform: UniformControl;
  #names = 0;
  /** Where the instruction is in the source, and where the last line came from. */
  #place: string | undefined;
  #lastPlace: string | undefined;

  constructor(fn: ir.Function, body: ir.Region, context: ProgramContext) {
    this.fn = fn;
    this.context = context;
    this.#countUses(body);
    this.#hidden = findHidden(body, context.isRelaxed);
    this.#indices = new ElementIndices(fn, body, context);
    this.#indices.leaveOut((value) => {
      this.#uses.set(value, this.usesOf(value) - 1);
      return this.usesOf(value) === 0;
    });
    this.#control = new ControlFlow(this);
    this.#uniform = new UniformControl(fn, body, (callee) => context.meets(callee));
  }

  /** The lines of the body, without its braces. `known` are the parameters. */
  write(body: ir.Region, known: ReadonlyMap<ir.Value, string>): readonly Line[] {
    for (const [value, text] of known) this.#known.set(value, text);
    this.region(body);
    const last = this.lines.at(-1)?.text ?? '';
    if (this.fn.result && !last.startsWith('return')) this.line(`return ${typeText(this.fn.result)}();`);
    if (!this.fn.result && last === 'return;' && this.lines.at(-1)!.depth === 1) this.lines.pop();
    return this.lines;
  }

  // ------------------------------------------------------------------------------------------------- lines

  line(text: string): void {
    const place = this.#place === this.#lastPlace ? undefined : this.#place;
    this.#lastPlace = this.#place;
    this.lines.push({ depth: this.depth, text, place });
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

  temporary(wish = 't'): string {
    this.#names += 1;
    return `${wish}_${this.#names}`;
  }

  use(name: RuntimeName): string {
    return this.context.use(name);
  }

  // ------------------------------------------------------------------------------------------------ values

  usesOf(value: ir.Value): number {
    return this.#uses.get(value) ?? 0;
  }

  /** The text of a value: a name or a constant. */
  value(value: ir.Value): string {
    const known = this.#known.get(value);
    if (known === undefined) throw new Error('codegen: a value is used before its definition');
    return known;
  }

  /** The index of the element at an address, in its array. */
  elementIndex(pointer: ir.Value): string {
    return this.#indices.of(pointer, (each) => this.value(each));
  }

  lane(value: ir.Value, lane: number): string {
    return laneText(this.value(value), value.type, lane);
  }

  /** The text of a value as a name, so that WGSL does not compute with constants, where it refuses what OpenCL C defines. */
  named(value: ir.Value): string {
    const text = this.value(value);
    if (!this.#constants.has(value)) return text;
    const name = this.temporary();
    this.line(`let ${name} = ${text};`);
    return name;
  }

  /** A new name for a value, after that which it has in the source. */
  declareName(value: ir.Value): string {
    const wish = (value.name ?? 'v').replace(/[^A-Za-z0-9]+/g, '_').replace(/^_+|_+$/g, '');
    const name = this.temporary(/^[A-Za-z]/.test(wish) ? wish : 'v');
    this.#known.set(value, name);
    return name;
  }

  define(value: ir.Value, text: string): void {
    this.line(`let ${this.declareName(value)} = ${text};`);
  }

  #bind(value: ir.Value, text: string): void {
    this.#known.set(value, text);
    this.#constants.add(value);
  }

  isUnified(instruction: ir.Instruction): boolean {
    return this.#uniform.unified.has(instruction);
  }

  /** A condition or a choice as the first work-item has it, for all of the group. */
  unified(text: string, isBool: boolean): string {
    this.context.usesUnified();
    const name = this.temporary();
    const word = isBool ? `select(0u, 1u, ${text})` : text;
    this.line(`let ${name} = of_first_item(${word})${isBool ? ' != 0u' : ''};`);
    return name;
  }

  /** A condition that is false, which WGSL cannot know. */
  never(): string {
    return 'arguments[0].w > 3u';
  }

  #countUses(region: ir.Region): void {
    for (const instruction of region.instructions) {
      this.#findInverseRoot(instruction);
      // An inverse root is computed from the square, so that the root itself may be left without a use.
      const square = this.#inverses.get(instruction.results[0]!);
      const used = square ? [instruction.operands[0]!, square] : instruction.operands;
      for (const operand of used) this.#uses.set(operand, this.usesOf(operand) + 1);
      for (const nested of instruction.regions) this.#countUses(nested);
    }
  }

  // ------------------------------------------------------------------------------------------ instructions

  region(region: ir.Region): void {
    for (const instruction of region.instructions) this.#instruction(instruction);
  }

  #instruction(instruction: ir.Instruction): void {
    const [result] = instruction.results;
    if (instruction.span) this.#place = this.context.placeText?.(instruction.span);
    switch (instruction.op) {
      case 'constant':
        this.#bind(
          result!,
          literal(result!.type, instruction.value, (name) => this.use(name)),
        );
        return;
      case 'undefined':
        this.#bind(result!, `${typeText(result!.type)}()`);
        return;
      case 'variable':
        this.#bind(result!, unsignedLiteral(this.context.offsetOf(instruction)));
        return;
      case 'store':
        writeStore(this, instruction);
        return;
      case 'copy':
        writeCopy(this, instruction);
        return;
      case 'fill':
        writeFill(this, instruction);
        return;
      case 'atomic':
        writeAtomic(this, instruction);
        return;
      case 'printf':
        writePrintf(this, instruction);
        return;
      case 'fence':
        // Atomics are all there is for work-items that do not wait for each other, and WGSL's are relaxed.
        return;
      case 'barrier':
        this.#barrier(instruction);
        return;
      case 'collective':
        this.define(result!, this.#collective(instruction));
        return;
      case 'call':
        this.#call(instruction);
        return;
      case 'if':
      case 'switch':
      case 'block':
      case 'loop':
      case 'yield':
      case 'break':
      case 'continue':
      case 'return':
      case 'unreachable':
        this.#control.write(instruction);
        return;
    }
    if (!result || this.usesOf(result) === 0) return;
    if (instruction.op === 'load') {
      writeLoad(this, instruction);
      return;
    }
    if (instruction.op === 'offset') {
      const word = this.#descriptorWord(instruction.operands);
      if (word !== undefined) {
        this.#bind(result, unsignedLiteral(word));
        return;
      }
      const index = this.#indices.define(
        result,
        () => this.temporary('index'),
        (each) => this.value(each),
      );
      if (index !== undefined) this.line(index);
      if (this.#indices.isOnlyIndex(result)) return;
    }
    this.define(result, this.#expression(instruction, result));
  }

  /** Where a word of an image's descriptor is in the block of a launch, if that is where the descriptor is. */
  #descriptorWord([pointer, distance]: readonly ir.Value[]): number | undefined {
    const isImage = this.fn.parameters.some((each) => each.value === pointer && isImageParameter(each));
    if (!isImage || this.context.placeOf(pointer!) !== 'block' || !this.#constants.has(distance!))
      return undefined;
    return Number.parseInt(this.value(pointer!), 10) + Number.parseInt(this.value(distance!), 10);
  }

  #barrier({ spaces, scope, span }: ir.Barrier): void {
    if (scope === 'sub-group') throw new WgslError('barriers of sub-groups: the device has none', span);
    this.line('workgroupBarrier();');
    if (spaces.some((space) => space === 'global' || space === 'generic')) this.line('storageBarrier();');
  }

  #collective(instruction: ir.Collective): string {
    if (instruction.scope === 'sub-group')
      throw new WgslError('functions of sub-groups: the device has none', instruction.span);
    const name = this.context.collective(instruction);
    const [value, place] = instruction.operands as [ir.Value, ir.Value?];
    const words = wordsOf(this.named(value), value.type);
    const pair = words.length === 2 ? `vec2<u32>(${words.join(', ')})` : `vec2<u32>(${words[0]}, 0u)`;
    const index = place ? this.#indexWord(place) : '0u';
    const temporary = this.temporary();
    this.line(`let ${temporary} = ${name}(${pair}, ${index});`);
    return fromWords(value.type, [`${temporary}.x`, `${temporary}.y`]);
  }

  #indexWord(value: ir.Value): string {
    return value.type.kind === 'int' && value.type.bits === 64 ? `${this.named(value)}.x` : this.value(value);
  }

  #call({ callee, operands, results, span }: ir.Call): void {
    if (!callee.body)
      throw new WgslError(`a call of '${callee.name}', which the device does not supply`, span);
    const [result] = results;
    if (isBuiltin(callee)) {
      const names = operands.map((operand) => this.named(operand));
      if (result && this.usesOf(result) > 0) this.define(result, builtinText(callee, names));
      return;
    }
    const text = `${this.context.nameOf(callee)}(${operands.map((operand) => this.value(operand)).join(', ')})`;
    if (result && this.usesOf(result) > 0) this.define(result, text);
    else this.line(callee.result ? `_ = ${text};` : `${text};`);
  }

  /** Lane by lane, or all lanes at once if the operation has a vector form. */
  #lanewise(
    result: ir.Value,
    operands: readonly ir.Value[],
    hasForm: boolean,
    text: (operands: readonly string[]) => string,
  ): string {
    const allConstant = operands.every((operand) => this.#constants.has(operand));
    const names = operands.map((operand, index) =>
      allConstant && index === 0 ? this.named(operand) : this.value(operand),
    );
    if (result.type.kind !== 'vector' || hasForm) return text(names);
    const named = operands.map((operand) => this.named(operand));
    const lanes = Array.from({ length: lanesOf(result.type) }, (_, lane) =>
      text(named.map((name, index) => laneText(name, operands[index]!.type, lane))),
    );
    return built(result.type, lanes);
  }

  #expression(instruction: ir.Instruction, result: ir.Value): string {
    const { operands } = instruction;
    const [first, second] = operands as [ir.Value, ir.Value];
    const use = (name: RuntimeName): string => this.use(name);
    switch (instruction.op) {
      case 'unary':
      case 'binary': {
        const hasForm = hasVectorForm(instruction.fn, result.type);
        const type = hasForm ? result.type : elementOf(result.type);
        const operation = { type, use };
        const inverse = this.#inverseRoot(result);
        if (inverse) return inverse;
        const text = this.#lanewise(result, operands, hasForm, ([a, b]) => {
          if (instruction.op === 'unary') return unaryText(operation, instruction.fn, a!);
          // What is 0, or NaN.
          const isDifference = instruction.fn === 'fsub' && a === b && laneType(type) === 'f32';
          const zeros = (this.#hidden.zeros.get(instruction) ?? 0) | (isDifference ? 2 : 0);
          const [x, y] = [a!, b!].map((each, at) =>
            (zeros >> at) & 1 ? this.#opaqueText(type, each) : each,
          );
          const made = binaryText(operation, instruction.fn, x!, y!);
          return hasForm ? made : this.#apartText(result, type, made);
        });
        return hasForm ? this.#apartText(result, type, text) : text;
      }
      case 'fma':
        return this.#lanewise(result, operands, false, (texts) => this.#fma(elementOf(result.type), texts));
      case 'compare': {
        const hasForm = hasVectorForm(instruction.fn, first.type);
        const operation = { type: hasForm ? first.type : elementOf(first.type), use };
        return this.#lanewise(result, operands, hasForm, ([a, b]) =>
          compareText(operation, instruction.fn, a!, b!),
        );
      }
      case 'select':
        return this.#select(instruction, operands as [ir.Value, ir.Value, ir.Value], result);
      case 'convert':
        return this.#convert(instruction, first, result);
      case 'splat':
        return isNativeVector(result.type)
          ? `${typeText(result.type)}(${this.value(first)})`
          : built(
              result.type,
              Array.from({ length: lanesOf(result.type) }, () => this.value(first)),
            );
      case 'build':
        return built(
          result.type,
          operands.map((operand) => this.value(operand)),
        );
      case 'extract':
        return laneText(this.named(first), first.type, instruction.lane);
      case 'insert': {
        const name = this.named(first);
        const lanes = Array.from({ length: lanesOf(first.type) }, (_, lane) =>
          lane === instruction.lane ? this.value(second) : laneText(name, first.type, lane),
        );
        return built(result.type, lanes);
      }
      case 'shuffle': {
        const [a, b] = [this.named(first), this.named(second)];
        const width = lanesOf(first.type);
        const lanes = instruction.lanes.map((lane) =>
          lane < width ? laneText(a, first.type, Math.max(lane, 0)) : laneText(b, first.type, lane - width),
        );
        return built(result.type, lanes);
      }
      case 'offset':
        return `(${this.named(first)} + ${this.#indexWord(second)})`;
      case 'query':
        return queryText(instruction);
      case 'global_address':
        return this.context.addressOf(instruction.global);
      case 'in_space': {
        const pointer = this.value(first);
        if (instruction.space === 'global') return `(${pointer} < 0x80000000u)`;
        const tag = instruction.space === 'local' ? 2 : 3;
        return `((${pointer} >> 30u) == ${tag}u)`;
      }
      default:
        throw new WgslError(`'${instruction.op}' has no form in WGSL`, instruction.span);
    }
  }

  /** Notes one divided by a root, for which WGSL has a function. */
  #findInverseRoot(instruction: ir.Instruction): void {
    const { operands, results } = instruction;
    const [result] = results as [ir.Value];
    if (instruction.op === 'constant') {
      if ([instruction.value].flat().every((each) => each === 1)) this.#ones.add(result);
      return;
    }
    if ((instruction.op !== 'unary' && instruction.op !== 'binary') || laneType(result.type) !== 'f32')
      return;
    const [first, second] = operands as [ir.Value, ir.Value?];
    if (instruction.fn === 'fsqrt') this.#squares.set(result, first);
    if (instruction.fn !== 'fdiv' || !this.#ones.has(first) || this.context.isExact) return;
    const square = this.#squares.get(second!);
    if (square) this.#inverses.set(result, square);
  }

  #inverseRoot(result: ir.Value): string | undefined {
    const square = this.#inverses.get(result);
    return square && this.#lanewise(result, [square], false, ([a]) => `${this.use('f32_rsqrt')}(${a})`);
  }

  /** A value of which compilers do not know where it comes from. */
  #opaqueText(type: Type, text: string): string {
    const bits = shapedAs(type, 'u32');
    const zero = argumentWord(launchWords.zero);
    const zeros = type.kind === 'vector' ? `${bits}(${zero})` : zero;
    return `bitcast<${typeText(type)}>(bitcast<${bits}>(${text}) ^ ${zeros})`;
  }

  /** A sum or a product, hidden if it has to be. */
  #apartText(result: ir.Value, type: Type, text: string): string {
    const how = this.#hidden.apart.get(result);
    if (how === undefined) return text;
    if (how === 'always') return this.#opaqueText(type, text);
    const bare = text.startsWith('(') && text.endsWith(')') ? text : `(${text})`;
    return `${this.context.inOrder(lanesOf(type))}${bare}`;
  }

  #fma(element: Type, [a, b, c]: readonly string[]): string {
    if (element.kind === 'float' && element.bits === 16) {
      // The product is exact in single precision; the sum, rounded there and then again, would not be.
      const [x, y, z] = [a, b, c].map((each) => `${this.use('f32_of_f16')}(${each})`);
      const wide = this.use('f64_of_f32');
      const sum = `${this.use('f64_add')}(${wide}(${x} * ${y}), ${wide}(${z}))`;
      return `${this.use('f16_of_f64')}(${sum}, 0u)`;
    }
    const isDouble = element.kind === 'float' && element.bits === 64;
    return `${this.use(isDouble ? 'f64_fma' : 'f32_fma')}(${a}, ${b}, ${c})`;
  }

  #select(
    select: ir.Select,
    [condition, a, b]: readonly [ir.Value, ir.Value, ir.Value],
    result: ir.Value,
  ): string {
    const isScalarChoice = condition.type.kind !== 'vector';
    const hide = (type: Type, text: string): string =>
      this.#hidden.choices.has(select) ? this.#opaqueText(type, text) : text;
    if (result.type.kind !== 'vector' || isNativeVector(result.type)) {
      const [ifTrue, ifFalse] = [a, b].map((value) => hide(result.type, this.value(value)));
      return `select(${ifFalse}, ${ifTrue}, ${this.value(condition)})`;
    }
    const [x, y] = [this.named(a), this.named(b)];
    const chosen = this.named(condition);
    const lanes = Array.from({ length: lanesOf(result.type) }, (_, lane) => {
      const which = isScalarChoice ? chosen : laneText(chosen, condition.type, lane);
      const [ifTrue, ifFalse] = [x, y].map((name) =>
        hide(elementOf(result.type), laneText(name, result.type, lane)),
      );
      return `select(${ifFalse}, ${ifTrue}, ${which})`;
    });
    return built(result.type, lanes);
  }

  #convert(instruction: ir.Convert, from: ir.Value, result: ir.Value): string {
    switch (instruction.fn) {
      case 'bitcast': {
        if (laneType(from.type) === laneType(result.type) && typeText(from.type) === typeText(result.type)) {
          return this.value(from);
        }
        const words = wordsOf(this.named(from), from.type);
        const names = words.map((word) => {
          if (/^[\w.[\]]+$/.test(word)) return word;
          const name = this.temporary();
          this.line(`let ${name} = ${word};`);
          return name;
        });
        return fromWords(result.type, names);
      }
      case 'ptoi':
      case 'itop':
        return this.value(from);
      case 'space': {
        const { placeOf } = this.context;
        const text = this.context.functions.space(placeOf(from), placeOf(result), this.value(from));
        return text;
      }
      default:
        return this.#lanewise(result, [from], false, ([a]) =>
          convertText(
            (name) => this.use(name),
            instruction,
            a!,
            elementOf(from.type),
            elementOf(result.type),
          ),
        );
    }
  }
}
