/**
 * Writes instructions into a region, one method a kind. Languages lower with it and passes rewrite with it.
 * It fills in result types and does nothing clever: no folding, no checking (the verifier checks).
 */
import type { Span } from '../source/span.ts';
import { integerOf, splatOf } from './constants.ts';
import type * as ir from './ir.ts';
import {
  type AddressSpace,
  bool,
  elementOf,
  f32,
  i32,
  i64,
  pointerType,
  type ScalarType,
  type Type,
  type VectorType,
  vectorType,
  withElement,
} from './types.ts';

/** A fresh value of the type. */
export function newValue(type: Type, name?: string): ir.Value {
  return name === undefined ? { type } : { type, name };
}

/** An empty region; `parameters` for loop bodies. */
export function newRegion(parameters: ir.Value[] = []): ir.Region {
  return { parameters, instructions: [] };
}

/** Appends instructions at the end of `region`; set `region` to go on elsewhere, `span` to say where from. */
export class Builder {
  region: ir.Region;
  span: Span | undefined;
  /** The integer type of addresses and sizes. */
  readonly addressType: typeof i32 | typeof i64;

  constructor(region: ir.Region, addressBits: 32 | 64) {
    this.region = region;
    this.addressType = addressBits === 32 ? i32 : i64;
  }

  /** Appends an instruction made elsewhere. */
  append<T extends ir.Instruction>(instruction: T): T {
    if (instruction.span === undefined && this.span !== undefined) instruction.span = this.span;
    this.region.instructions.push(instruction);
    return instruction;
  }

  /** Runs `body` with the insertion point in `region`, then returns to the old place. */
  within<T>(region: ir.Region, body: () => T): T {
    const saved = this.region;
    this.region = region;
    try {
      return body();
    } finally {
      this.region = saved;
    }
  }

  constant(type: Type, value: ir.Constant['value']): ir.Value {
    const result = newValue(type);
    this.append({ op: 'constant', value, operands: [], results: [result], regions: [] });
    return result;
  }

  /** An integer constant of any int type, or the same in every lane of a vector of them. */
  integer(type: Type, value: number | bigint): ir.Value {
    return this.constant(type, splatOf(type, integerOf(type, value)));
  }

  undefined(type: Type): ir.Value {
    const result = newValue(type);
    this.append({ op: 'undefined', operands: [], results: [result], regions: [] });
    return result;
  }

  unary(fn: ir.UnaryFunction, x: ir.Value): ir.Value {
    const result = newValue(x.type);
    this.append({ op: 'unary', fn, operands: [x], results: [result], regions: [] });
    return result;
  }

  binary(fn: ir.BinaryFunction, a: ir.Value, b: ir.Value, contract = false, reassociate = false): ir.Value {
    const result = newValue(a.type);
    const extra = { ...(contract ? { contract } : {}), ...(reassociate ? { reassociate } : {}) };
    this.append({ op: 'binary', fn, ...extra, operands: [a, b], results: [result], regions: [] });
    return result;
  }

  fma(a: ir.Value, b: ir.Value, c: ir.Value): ir.Value {
    const result = newValue(a.type);
    this.append({ op: 'fma', operands: [a, b, c], results: [result], regions: [] });
    return result;
  }

  compare(fn: ir.CompareFunction, a: ir.Value, b: ir.Value): ir.Value {
    const result = newValue(withElement(a.type, bool));
    this.append({ op: 'compare', fn, operands: [a, b], results: [result], regions: [] });
    return result;
  }

  select(condition: ir.Value, a: ir.Value, b: ir.Value): ir.Value {
    const result = newValue(a.type);
    this.append({ op: 'select', operands: [condition, a, b], results: [result], regions: [] });
    return result;
  }

  convert(
    fn: ir.ConvertFunction,
    x: ir.Value,
    type: Type,
    options: { rounding?: ir.RoundingMode | undefined; saturate?: boolean } = {},
  ): ir.Value {
    const result = newValue(type);
    this.append({ op: 'convert', fn, ...options, operands: [x], results: [result], regions: [] });
    return result;
  }

  splat(scalar: ir.Value, type: VectorType): ir.Value {
    const result = newValue(type);
    this.append({ op: 'splat', operands: [scalar], results: [result], regions: [] });
    return result;
  }

  build(type: VectorType, lanes: ir.Value[]): ir.Value {
    const result = newValue(type);
    this.append({ op: 'build', operands: lanes, results: [result], regions: [] });
    return result;
  }

  extract(vector: ir.Value, lane: number): ir.Value {
    const result = newValue(elementOf(vector.type));
    this.append({ op: 'extract', lane, operands: [vector], results: [result], regions: [] });
    return result;
  }

  insert(vector: ir.Value, scalar: ir.Value, lane: number): ir.Value {
    const result = newValue(vector.type);
    this.append({ op: 'insert', lane, operands: [vector, scalar], results: [result], regions: [] });
    return result;
  }

  /** Picks lanes of a then b; the number of `lanes` must be a lane count. */
  shuffle(a: ir.Value, b: ir.Value, lanes: readonly number[]): ir.Value {
    const result = newValue(vectorType(elementOf(a.type) as ScalarType, lanes.length as VectorType['lanes']));
    this.append({ op: 'shuffle', lanes, operands: [a, b], results: [result], regions: [] });
    return result;
  }

  variable(space: 'private' | 'local', size: number, align: number, name: string): ir.Value {
    const result = newValue(pointerType(space), name);
    this.append({ op: 'variable', space, size, align, name, operands: [], results: [result], regions: [] });
    return result;
  }

  globalAddress(global: ir.GlobalVariable): ir.Value {
    const result = newValue(pointerType(global.space), global.name);
    this.append({ op: 'global_address', global, operands: [], results: [result], regions: [] });
    return result;
  }

  /** Moves a pointer by a number of bytes, given as a value of address width. */
  offset(pointer: ir.Value, bytes: ir.Value): ir.Value {
    const result = newValue(pointer.type);
    this.append({ op: 'offset', operands: [pointer, bytes], results: [result], regions: [] });
    return result;
  }

  /** Where the copies of a variable begin that lie by elements; at group level. */
  copiesAddress(variable: ir.Value): ir.Value {
    const result = newValue(variable.type);
    this.append({ op: 'copies_address', operands: [variable], results: [result], regions: [] });
    return result;
  }

  load(type: Type, pointer: ir.Value, align: number, isVolatile = false): ir.Value {
    const result = newValue(type);
    const extra = isVolatile ? { volatile: true } : {};
    this.append({ op: 'load', align, ...extra, operands: [pointer], results: [result], regions: [] });
    return result;
  }

  store(pointer: ir.Value, value: ir.Value, align: number, isVolatile = false): void {
    const extra = isVolatile ? { volatile: true } : {};
    this.append({ op: 'store', align, ...extra, operands: [pointer, value], results: [], regions: [] });
  }

  copy(destination: ir.Value, source: ir.Value, bytes: ir.Value, align: number): void {
    this.append({ op: 'copy', align, operands: [destination, source, bytes], results: [], regions: [] });
  }

  fill(destination: ir.Value, bytes: ir.Value, byte: number, align: number): void {
    this.append({ op: 'fill', byte, align, operands: [destination, bytes], results: [], regions: [] });
  }

  /** Result: the loaded or old value; undefined for a store. */
  atomic(
    fn: ir.AtomicFunction,
    operands: ir.Value[],
    type: Type,
    order: ir.MemoryOrder = 'relaxed',
    scope: ir.MemoryScope = 'device',
  ): ir.Value | undefined {
    const result = fn === 'store' ? undefined : newValue(type);
    this.append({ op: 'atomic', fn, order, scope, operands, results: result ? [result] : [], regions: [] });
    return result;
  }

  fence(spaces: readonly AddressSpace[], order: ir.MemoryOrder, scope: ir.MemoryScope): void {
    this.append({ op: 'fence', spaces, order, scope, operands: [], results: [], regions: [] });
  }

  barrier(spaces: readonly AddressSpace[], scope?: 'sub-group'): void {
    const extra = scope === undefined ? {} : { scope };
    this.append({ op: 'barrier', spaces, ...extra, operands: [], results: [], regions: [] });
  }

  /** @param index the linear id whose value is meant, for `broadcast` */
  collective(
    fn: ir.Collective['fn'],
    combine: ir.CombineFunction,
    scope: ir.Collective['scope'],
    value: ir.Value,
    index?: ir.Value,
  ): ir.Value {
    const result = newValue(value.type);
    const operands = index ? [value, index] : [value];
    this.append({ op: 'collective', fn, combine, scope, operands, results: [result], regions: [] });
    return result;
  }

  /** Whether a generic pointer leads to memory of the space. */
  inSpace(space: ir.InSpace['space'], pointer: ir.Value): ir.Value {
    const result = newValue(bool);
    this.append({ op: 'in_space', space, operands: [pointer], results: [result], regions: [] });
    return result;
  }

  /** Result: 0, or -1 if there was no room. */
  printf(format: string, operands: ir.Value[]): ir.Value {
    const result = newValue(i32);
    this.append({ op: 'printf', format, operands, results: [result], regions: [] });
    return result;
  }

  query(fn: ir.QueryFunction, dimension: 0 | 1 | 2 = 0): ir.Value {
    const result = newValue(fn === 'work_dim' ? i32 : this.addressType);
    this.append({ op: 'query', fn, dimension, operands: [], results: [result], regions: [] });
    return result;
  }

  /** @param at the sampler, if there is one, and the coordinates */
  imageRead(channels: ir.ImageChannels, image: ir.Value, at: readonly ir.Value[]): ir.Value {
    const result = newValue(vectorType(channels === 'float' ? f32 : i32, 4));
    this.append({ op: 'image_read', channels, operands: [image, ...at], results: [result], regions: [] });
    return result;
  }

  imageWrite(channels: ir.ImageChannels, image: ir.Value, coordinates: ir.Value, colour: ir.Value): void {
    const operands = [image, coordinates, colour];
    this.append({ op: 'image_write', channels, operands, results: [], regions: [] });
  }

  imageQuery(fn: ir.ImageQueryFunction, image: ir.Value): ir.Value {
    const result = newValue(i32);
    this.append({ op: 'image_query', fn, operands: [image], results: [result], regions: [] });
    return result;
  }

  call(callee: ir.Function, operands: ir.Value[]): ir.Value | undefined {
    const result = callee.result ? newValue(callee.result) : undefined;
    this.append({ op: 'call', callee, operands, results: result ? [result] : [], regions: [] });
    return result;
  }

  functionAddress(callee: ir.Function): ir.Value {
    const result = newValue(pointerType('private'), callee.name);
    this.append({ op: 'function_address', callee, operands: [], results: [result], regions: [] });
    return result;
  }

  /** @param pointer leads to a function that takes such operands and gives such a result, or none */
  callIndirect(
    pointer: ir.Value,
    operands: readonly ir.Value[],
    type: Type | undefined,
  ): ir.Value | undefined {
    const results = type ? [newValue(type)] : [];
    this.append({ op: 'call_indirect', operands: [pointer, ...operands], results, regions: [] });
    return results[0];
  }

  /** The regions are filled afterwards (see {@link within}). */
  if(condition: ir.Value, resultTypes: readonly Type[] = []): ir.If {
    const regions = [newRegion(), newRegion()];
    return this.append({
      op: 'if',
      operands: [condition],
      results: resultTypes.map((type) => newValue(type)),
      regions,
    });
  }

  /** One region a case, then the default's. */
  switch(value: ir.Value, cases: ir.Switch['cases'], resultTypes: readonly Type[] = []): ir.Switch {
    const regions = [...cases.map(() => newRegion()), newRegion()];
    const results = resultTypes.map((type) => newValue(type));
    return this.append({ op: 'switch', cases, operands: [value], results, regions });
  }

  block(resultTypes: readonly Type[] = []): ir.Block {
    const results = resultTypes.map((type) => newValue(type));
    return this.append({ op: 'block', operands: [], results, regions: [newRegion()] });
  }

  /** The body gets one parameter for each initial value. */
  loop(initial: ir.Value[] = [], resultTypes: readonly Type[] = [], unroll?: number): ir.Loop {
    const body = newRegion(initial.map((value) => newValue(value.type)));
    const results = resultTypes.map((type) => newValue(type));
    const extra = unroll === undefined ? {} : { unroll };
    return this.append({ op: 'loop', ...extra, operands: initial, results, regions: [body] });
  }

  items(): ir.WorkItemLoop {
    return this.append({ op: 'work_item_loop', operands: [], results: [], regions: [newRegion()] });
  }

  yield(values: ir.Value[] = []): void {
    this.append({ op: 'yield', operands: values, results: [], regions: [] });
  }

  break(target: ir.Block | ir.Loop, values: ir.Value[] = []): void {
    this.append({ op: 'break', target, operands: values, results: [], regions: [] });
  }

  continue(target: ir.Loop, values: ir.Value[] = []): void {
    this.append({ op: 'continue', target, operands: values, results: [], regions: [] });
  }

  return(value?: ir.Value): void {
    this.append({ op: 'return', operands: value ? [value] : [], results: [], regions: [] });
  }

  unreachable(): void {
    this.append({ op: 'unreachable', operands: [], results: [], regions: [] });
  }
}
