/** Looks at work-items between two steps: their calls, the variables of those, expressions over them. */
import type { FunctionDeclaration, VariableDeclaration } from '../../c/ast.ts';
import { Checker } from '../../c/check/checker.ts';
import type { VariablePlace, Visible } from '../../c/lower/debug-record.ts';
import { arithmeticTypes, unqualified, vectorType } from '../../c/types.ts';
import { imageTypeFacts } from '../../ir/images.ts';
import type { MemoryObserver } from '../../ir/interpreter/observer.ts';
import type { Frame, WorkItem } from '../../ir/interpreter/state.ts';
import { type RuntimeValue, writerOf } from '../../ir/interpreter/values.ts';
import type * as ir from '../../ir/ir.ts';
import { sizeOf } from '../../ir/types.ts';
import type { DebugInfo } from '../../opencl/debug-info.ts';
import { openclDialect } from '../../opencl/dialect/index.ts';
import { Diagnostics } from '../../source/diagnostics.ts';
import { plainFunctionName, plainVariableName } from './brook-names.ts';
import { type Change, type Evaluation, Evaluator } from './evaluate.ts';
import {
  type CompiledExpression,
  compileExpression,
  ExpressionError,
  type ExpressionScope,
  type NamedPlace,
  type NamedVariable,
  visibleVariables,
} from './expressions.ts';
import type { Machine } from './machine.ts';
import { describeImage, type Picture, pictureOfElements, pictureOfImage } from './picture.ts';
import { placeOf, type SourcePlace, type Statement } from './source-map.ts';
import { asRegister, unrecordedVariables } from './unrecorded.ts';
import { bytesIn, type DebugValue, type IntegerBase, ValueReader } from './values.ts';

/** A call on the way from the kernel to where a work-item is. */
export interface CallView {
  readonly function: string;
  readonly place: SourcePlace | undefined;
  readonly statement: Statement | undefined;
  readonly frame: Frame;
}

export interface VariableGroups {
  /** Those of the function, private to the work-item. */
  readonly private: readonly DebugValue[];
  /** Of the work-group: variables in local memory. */
  readonly local: readonly DebugValue[];
  readonly arguments: readonly DebugValue[];
  /** Of program scope. */
  readonly program: readonly DebugValue[];
}

interface FunctionFacts {
  readonly declaration: FunctionDeclaration | undefined;
  readonly named: readonly NamedVariable[];
}

export class Inspector {
  readonly #machine: Machine;
  readonly #info: DebugInfo | undefined;
  readonly #scope: ExpressionScope;
  readonly #reader: ValueReader;
  readonly #evaluator: Evaluator;
  readonly #addressBits: 32 | 64;
  readonly #facts = new Map<ir.Function, Map<Visible | undefined, FunctionFacts>>();
  readonly #compiled = new WeakMap<FunctionFacts, Map<string, CompiledExpression>>();

  /** @param observe hands an observer to the interpreter */
  constructor(
    machine: Machine,
    info: DebugInfo | undefined,
    observe: (observer: MemoryObserver | undefined) => void,
  ) {
    this.#machine = machine;
    this.#info = info;
    const { context, memory } = machine.launch;
    this.#addressBits = context.addressBits;
    const dialect = openclDialect({ version: 120, addressBits: context.addressBits });
    this.#scope = info ?? {
      checker: new Checker(dialect, new Diagnostics()),
      macros: new Map(),
      globals: new Map(),
    };
    this.#reader = new ValueReader(memory, this.#scope.checker.dialect, context.addressBits);
    this.#evaluator = new Evaluator(machine.launch, observe);
  }

  /** The calls that a work-item is in, the innermost first; none for one that has ended. Library functions are left out. */
  calls(item: WorkItem): CallView[] {
    const calls: CallView[] = [];
    const { fault, map, running } = this.#machine;
    for (let frame = item.frame; frame; frame = frame.caller) {
      const { starts, around } = map.of(frame.code);
      if (!around.some((statement) => statement)) continue;
      const isInnermost = frame === item.frame;
      // A caller goes on behind its call, and who waits behind the barrier.
      const isAhead = isInnermost && running?.states[item.index] !== 'waits-group';
      const at = isAhead ? frame.next : frame.next - 1;
      const statement = starts[at] ?? around[at] ?? around.find((one) => one);
      const step = frame.code.steps[at];
      const isBetween = !isInnermost || (fault?.item === item && !starts[at]);
      const exact = isBetween && step?.instruction.span ? placeOf(step.instruction.span) : undefined;
      calls.push({
        function: this.#nameOf(frame.code.fn),
        place: exact ?? statement?.place,
        statement,
        frame,
      });
    }
    return calls;
  }

  #nameOf(fn: ir.Function): string {
    const name = this.#info?.record.functions.get(fn)?.declaration.name ?? fn.name;
    return plainFunctionName(name, this.#machine.launch.kernel.name);
  }

  /** What can be named in a call; without one, what is left of the kernel at its end. */
  variables(item: WorkItem, call: CallView | undefined, base?: IntegerBase): VariableGroups {
    const { named, declaration } = this.#factsAt(call);
    const groups = {
      private: [] as DebugValue[],
      local: [] as DebugValue[],
      arguments: [] as DebugValue[],
      program: [] as DebugValue[],
    };
    for (const { variable } of named) {
      const isParameter =
        variable.scope === 'parameter' || declaration?.parameters.some(({ span }) => span === variable.span);
      const list =
        variable.scope === 'program'
          ? groups.program
          : isParameter
            ? groups.arguments
            : variable.type.space === 'local'
              ? groups.local
              : groups.private;
      // A variable may be hidden by one of its name, or have no bytes.
      try {
        list.push(this.evaluate(variable.name, item, call, base));
      } catch (error) {
        if (!(error instanceof ExpressionError)) throw error;
      }
    }
    groups.arguments.reverse();
    groups.private.reverse();
    groups.local.reverse();
    return groups;
  }

  /**
   * What an expression is to a work-item in a call. Its effects are taken back.
   * @throws ExpressionError if it is wrong or does something wrong
   */
  evaluate(
    text: string,
    item: WorkItem,
    call: CallView | undefined,
    base: IntegerBase = 'decimal',
  ): DebugValue {
    const expression = this.#compile(text, call);
    return this.#run(expression, item, call, ({ value }) => this.#show(text, expression, value, item, base));
  }

  /** Evaluates an expression for its effects, and gives those: they have been taken back. */
  effects(text: string, item: WorkItem, call: CallView | undefined): readonly Change[] {
    return this.#run(this.#compile(text, call), item, call, ({ changes }) => changes);
  }

  /** Whether a condition holds. */
  isTrue(text: string, item: WorkItem, call: CallView | undefined): boolean {
    const expression = this.#compile(text, call, 'condition');
    return this.#run(expression, item, call, ({ value }) => isNonZero(value));
  }

  /** Where the object lies that an expression names, and its bytes. */
  placeOf(text: string, item: WorkItem, call: CallView | undefined): { address: number; bytes: number } {
    const { address, bytes } = this.evaluate(text, item, call);
    if (address === undefined) throw new ExpressionError(`'${text}' is a value, not a place in memory`);
    return { address, bytes };
  }

  /**
   * An image, or a buffer or array of pixels, as a picture.
   * @param width of a buffer or an array, whose height follows from it
   * @param slice of an image with several
   */
  picture(
    text: string,
    item: WorkItem,
    call: CallView | undefined,
    width: number | undefined,
    slice = 0,
  ): Picture {
    const expression = this.#compile(text, call);
    return this.#run(expression, item, call, ({ value }) => {
      const { memory } = this.#machine.launch;
      if (isImage(expression)) {
        const picture = pictureOfImage(memory, value as number, item, slice);
        if (!picture) throw new ExpressionError(`'${text}' has no such slice`);
        return picture;
      }
      const shown = this.#show(text, expression, value, item, 'decimal');
      const first = shown.children(0, 1)[0];
      const { type } = expression.type;
      const element =
        type.kind === 'pointer' ? type.pointee : type.kind === 'array' ? type.element : undefined;
      const allocation = first?.address === undefined ? undefined : memory.at(first.address);
      if (!element || !first || !allocation) {
        throw new ExpressionError(`'${text}' is neither an image nor a buffer`);
      }
      const [columns] = this.#machine.launch.launch.globalSize;
      const perRow = Math.min(width ?? columns, shown.count);
      const height = Math.floor(shown.count / perRow);
      const picture = pictureOfElements(element, bytesIn(allocation, first.address!), perRow, height);
      if (!picture) {
        throw new ExpressionError(
          `elements of type '${first.type}' are no pixels; those of uchar, uchar4, uint, float or float4 are`,
        );
      }
      return picture;
    });
  }

  /** @throws ExpressionError; what is right is remembered */
  #compile(
    text: string,
    call: CallView | undefined,
    wants: 'object' | 'condition' = 'object',
  ): CompiledExpression {
    const facts = this.#factsAt(call);
    let known = this.#compiled.get(facts);
    if (!known) {
      known = new Map();
      this.#compiled.set(facts, known);
    }
    const key = `${wants} ${text}`;
    let expression = known.get(key);
    if (!expression) {
      const { named, declaration } = facts;
      expression = compileExpression(text, this.#scope, named, declaration, this.#addressBits, wants);
      known.set(key, expression);
    }
    return expression;
  }

  /** Checks a condition that is to be evaluated at a statement. @throws ExpressionError */
  checkCondition(text: string, { fn, visible }: Statement): void {
    const { named, declaration } = this.#factsOf(fn, visible);
    compileExpression(text, this.#scope, named, declaration, this.#addressBits, 'condition');
  }

  #run<T>(
    expression: CompiledExpression,
    item: WorkItem,
    call: CallView | undefined,
    use: (evaluation: Evaluation) => T,
  ): T {
    return this.#evaluator.run(expression, item, (place) => this.#valueAt(place, call), use);
  }

  #valueAt(place: NamedPlace, call: CallView | undefined): RuntimeValue {
    const { value, isHandle, isIndirect, isValue } = place;
    const { launch } = this.#machine;
    if (isValue) {
      const index = launch.kernel.parameters.findIndex((parameter) => parameter.value === value);
      return this.#inMemory(value, launch.parameters[index] ?? 0);
    }
    if (call) {
      const at = call.frame.values[call.frame.code.numbers.get(value) ?? -1] ?? 0;
      return isIndirect ? this.#reader.addressAt(at as number) : at;
    }
    // The kernel has ended: its parameters are what they were.
    const record = this.#info?.record.functions.get(launch.kernel);
    const index = record?.declaration.parameters.findIndex(
      (parameter) => record.places.get(parameter)?.value === value,
    );
    const parameter = launch.kernel.parameters[index ?? -1];
    if (!parameter) return 0;
    const given = launch.parameters[index!]!;
    if (isHandle || parameter.aggregate) return given;
    return this.#inMemory(parameter.value, given);
  }

  /** Where a value lies as long as the expression is evaluated. */
  #inMemory({ type, name }: ir.Value, value: RuntimeValue): number {
    const bytes = new Uint8Array(sizeOf(type, this.#addressBits / 8));
    writerOf(type, this.#addressBits)(new DataView(bytes.buffer), 0, value);
    return this.#machine.launch.memory.allocate('private', bytes, name ?? 'argument').start;
  }

  #show(
    text: string,
    expression: CompiledExpression,
    value: RuntimeValue | undefined,
    item: WorkItem,
    base: IntegerBase,
  ): DebugValue {
    const { type } = expression;
    const { memory } = this.#machine.launch;
    if (value === undefined) return this.#reader.opaque(text, type, 'no value');
    if (isImage(expression)) {
      return this.#reader.opaque(text, type, describeImage(memory, value as number, item));
    }
    const full = /^[\w.[\]]+$/.test(text) ? text : `(${text})`;
    if (expression.isPlace || type.type.kind === 'array') {
      const address = value as number;
      const size = this.#reader.sizeOf(type);
      const allocation = memory.at(address);
      if (!allocation || address + size > allocation.start + allocation.size) {
        throw new ExpressionError(`'${text}' is at 0x${address.toString(16)}, where nothing is`);
      }
      const bytes = bytesIn(allocation, address);
      const shown = this.#reader.read(text, full, type, bytes, base);
      if (this.#info || type.type !== registerType) return shown;
      const integers = this.#reader.read('as integers', `as_int4(${text})`, integersType, bytes, base);
      return asRegister(shown, integers, base !== 'decimal');
    }
    const result = expression.fn.result!;
    if (result.kind === 'opaque') return this.#reader.opaque(text, type, String(value));
    // A vector of three lanes takes the room of four.
    const view = new DataView(
      new ArrayBuffer(Math.max(sizeOf(result, this.#addressBits / 8), this.#reader.sizeOf(type))),
    );
    writerOf(result, this.#addressBits)(view, 0, value);
    const bytes = { view, offset: 0, address: undefined, written: undefined };
    return this.#reader.read(text, full, type, bytes, base);
  }

  // -------------------------------------------------------------------------------------------------- names

  #factsAt(call: CallView | undefined): FunctionFacts {
    if (call) return this.#factsOf(call.frame.code.fn, call.statement?.visible);
    const { kernel } = this.#machine.launch;
    return this.#factsOf(kernel, this.#parametersOf(kernel));
  }

  #parametersOf(fn: ir.Function): Visible | undefined {
    const known = this.#ended;
    if (known) return known;
    let visible: Visible | undefined;
    for (const variable of this.#info?.record.functions.get(fn)?.declaration.parameters ?? []) {
      visible = { variable, outer: visible };
    }
    this.#ended = visible;
    return visible;
  }

  #ended: Visible | undefined;

  #factsOf(fn: ir.Function, visible: Visible | undefined): FunctionFacts {
    let known = this.#facts.get(fn);
    if (!known) {
      known = new Map();
      this.#facts.set(fn, known);
    }
    let facts = known.get(visible);
    if (!facts) {
      facts = this.#newFacts(fn, visible);
      known.set(visible, facts);
    }
    return facts;
  }

  #newFacts(fn: ir.Function, visible: Visible | undefined): FunctionFacts {
    const { launch } = this.#machine;
    if (!this.#info) return { declaration: undefined, named: unrecordedVariables(fn, this.#addressBits) };
    const record = this.#info.record.functions.get(fn);
    const named: NamedVariable[] = [];
    const names = new Set<string>();
    const { globals } = this.#info;
    const seen = visibleVariables(visible);
    const others = new Set(seen.map(({ name }) => name));
    const add = (variable: VariableDeclaration, place: VariablePlace | undefined) => {
      const name = plainVariableName(variable.name, launch.kernel.name, others);
      if (name === undefined || names.has(name)) return;
      names.add(name);
      const { type } = variable.type;
      // Outputs of kernels of Brook+ come as pointers, which nobody has written.
      const isOutput = name !== variable.name && type.kind === 'pointer' && type.pointee.space === 'private';
      if (name === variable.name) named.push({ variable, place });
      else if (!isOutput) named.push({ variable: { ...variable, name }, place });
      else {
        const target = { ...variable, name, type: type.pointee };
        named.push({ variable: target, place: place && { ...place, isIndirect: true } });
      }
    };
    for (const variable of seen) {
      const place = record?.places.get(variable);
      // Those that no code was made for are nowhere.
      if (place || globals.has(variable)) add(variable, place);
    }
    for (const [variable, global] of globals) {
      if (variable.scope === 'program' && launch.addressOf(global) !== undefined) add(variable, undefined);
    }
    return { declaration: record?.declaration, named };
  }
}

/** Programs without a record have their registers as such vectors. */
const registerType = vectorType(arithmeticTypes.float, 4);
const integersType = unqualified(vectorType(arithmeticTypes.int, 4));

function isImage({ fn, isPlace }: CompiledExpression): boolean {
  return !isPlace && fn.result !== undefined && imageTypeFacts(fn.result) !== undefined;
}

function isNonZero(value: RuntimeValue | undefined): boolean {
  if (typeof value === 'object' || value === undefined) return false;
  return typeof value === 'bigint' ? value !== 0n : Boolean(value) || Number.isNaN(value);
}
