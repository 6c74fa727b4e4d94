/**
 * Block literals (OpenCL 2.0, 6.12.5). The body of each is a function that takes the captured variables before its own
 * parameters (src/c/check/blocks.ts). What the literal captures is copied into a record of private bytes when control
 * comes to it; a call reads the record. Which literal a block variable means is known here, so that calls are plain calls.
 */
import { Builder, newRegion } from '../../ir/builder.ts';
import type * as ir from '../../ir/ir.ts';
import type { BlockLiteral, Call, Capture, Expression } from '../ast.ts';
import { literalOf } from '../check/blocks.ts';
import { argumentValues } from './calls.ts';
import { value } from './expression.ts';
import type { FunctionLowering } from './function-lowering.ts';
import { isHandle } from './handle.ts';
import type { ModuleLowering } from './module-lowering.ts';

/** A literal that control has come to. */
export interface Block {
  readonly literal: BlockLiteral;
  /** Where its record lies; undefined if it captures nothing that can be stored. */
  readonly record: ir.Value | undefined;
  /** Captured values of opaque types, which no memory holds, by what they are captured as. */
  readonly handles: ReadonlyMap<Capture, ir.Value>;
}

/** How the captures of a literal lie in its record: like the fields of a struct. */
export interface RecordLayout {
  readonly fields: readonly { readonly capture: Capture; readonly offset: number }[];
  readonly size: number;
  readonly align: number;
}

/** @param isStored which captures are in the record */
export function recordLayout(
  module: ModuleLowering,
  captures: readonly Capture[],
  isStored: (capture: Capture) => boolean,
): RecordLayout {
  const fields: { capture: Capture; offset: number }[] = [];
  let end = 0;
  let align = 1;
  for (const capture of captures.filter(isStored)) {
    const { type } = capture.parameter.type;
    const own = module.alignOf(type);
    const offset = Math.ceil(end / own) * own;
    fields.push({ capture, offset });
    end = offset + module.sizeOf(type);
    align = Math.max(align, own);
  }
  return { fields, size: Math.ceil(end / align) * align, align };
}

/** The block that an expression of block type means. A literal is evaluated: its captures are copied. */
export function blockOf(fn: FunctionLowering, expression: Expression): Block {
  let found = expression;
  while (found.kind === 'cast') found = found.operand;
  if (found.kind === 'block-literal') return evaluateLiteral(fn, found);
  const variable = found.kind === 'name' && found.declaration.kind === 'variable' && found.declaration;
  const known = variable && fn.blocks.get(variable);
  if (known) return known;
  // At program scope nothing is captured.
  const literal = literalOf(found);
  if (!literal) throw new Error('an expression that is no block');
  return { literal, record: undefined, handles: new Map() };
}

function evaluateLiteral(fn: FunctionLowering, literal: BlockLiteral): Block {
  const { builder } = fn;
  const layout = recordOf(fn, literal);
  const handles = new Map<Capture, ir.Value>();
  for (const capture of literal.captures) {
    if (isHandle(fn, capture.parameter.type.type)) handles.set(capture, value(fn, capture.value));
  }
  if (layout.size === 0) return { literal, record: undefined, handles };
  const record = fn.reserve('private', layout.size, layout.align, literal.declaration.name);
  for (const { capture, offset } of layout.fields) {
    const place = fieldAt(builder, record, offset);
    const { type } = capture.parameter.type;
    const copied = value(fn, capture.value);
    const align = fn.module.alignOf(type);
    if (type.kind === 'record') {
      builder.copy(place, copied, builder.integer(builder.addressType, fn.module.sizeOf(type)), align);
    } else builder.store(place, copied, align);
  }
  return { literal, record, handles };
}

function recordOf(fn: FunctionLowering, { captures }: BlockLiteral): RecordLayout {
  return recordLayout(fn.module, captures, ({ parameter }) => !isHandle(fn, parameter.type.type));
}

function fieldAt(builder: Builder, record: ir.Value, offset: number): ir.Value {
  return offset === 0 ? record : builder.offset(record, builder.integer(builder.addressType, offset));
}

/**
 * The captured values as arguments, read from the record that `record` points to. Structs are passed by their places
 * there.
 */
export function capturedValues(
  module: ModuleLowering,
  builder: Builder,
  layout: RecordLayout,
  record: ir.Value,
): Map<Capture, ir.Value> {
  const values = new Map<Capture, ir.Value>();
  for (const { capture, offset } of layout.fields) {
    const { type } = capture.parameter.type;
    const place = fieldAt(builder, record, offset);
    const isRecord = type.kind === 'record';
    values.set(capture, isRecord ? place : builder.load(module.typeOf(type), place, module.alignOf(type)));
  }
  return values;
}

/** `block(arguments)` */
export function lowerBlockCall(fn: FunctionLowering, expression: Call): ir.Value | undefined {
  const { builder } = fn;
  const callee = expression.callee as Expression;
  const { type } = callee.type;
  if (type.kind !== 'block') throw new Error('a call of what is no block');
  const { literal, record, handles } = blockOf(fn, callee);
  const values = argumentValues(fn, type.function, expression.arguments);
  const stored = record && capturedValues(fn.module, builder, recordOf(fn, literal), record);
  const captured = literal.captures.map((capture) => (handles.get(capture) ?? stored?.get(capture))!);
  const result = expression.type.type;
  const bytes = result.kind === 'record' ? fn.temporary(result, 'result') : undefined;
  const all = [...(bytes ? [bytes] : []), ...captured, ...values];
  return builder.call(fn.module.functionFor(literal.declaration), all) ?? bytes;
}

/**
 * A function of the module that has no place in the source, its body written by `write`, which returns nothing.
 * It is put in the module as it is.
 */
export function writeFunction(
  module: ModuleLowering,
  fn: Omit<ir.Function, 'body' | 'form' | 'result'>,
  write: (builder: Builder) => void,
): ir.Function {
  const builder = new Builder(newRegion(), module.options.addressBits);
  if (fn.span) builder.span = fn.span;
  write(builder);
  builder.return();
  const made: ir.Function = { ...fn, result: undefined, form: 'work-item', body: builder.region };
  module.module.functions.push(made);
  return made;
}
