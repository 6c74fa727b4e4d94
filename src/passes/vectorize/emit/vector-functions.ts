/**
 * Vectorised calls of functions that only compute and stay functions (ir/computation.ts): they become calls of a function over vectors,
 * which is written once for each number of lanes. Such functions are for what hardly ever happens, as the reduction of large angles; the
 * vector code then has a call only, in place of a copy of the code for each lane.
 *
 *     %r = call @f(%x) : f32      =>      %r = call @f.x4(%xs, %mask) : f32x4
 *
 *     function @f.x4(%x: f32x4, %mask: boolx4) -> f32x4 internal outlined {
 *       %m0 = extract %mask, 0
 *       %r0 = if %m0 : f32x4 {                 the same for each lane
 *         %x0 = extract %x, 0
 *         %y0 = call @f(%x0)
 *         yield (insert 0, %y0, 0)
 *       } else { yield 0 }
 */
import { Builder, newRegion, newValue } from '../../../ir/builder.ts';
import { isComputation } from '../../../ir/computation.ts';
import type * as ir from '../../../ir/ir.ts';
import { bool, type LaneCount, type ScalarType, type Type, vectorType } from '../../../ir/types.ts';
import type { VectorContext } from './vector-context.ts';
import type { Mask, VectorValue } from './vector-value.ts';
import { cloneScalar } from './vectorize-operations.ts';

/** The functions over vectors of a module. */
export class VectorFunctions {
  readonly #made = new Map<ir.Function, Map<LaneCount, ir.Function>>();
  readonly #add: (fn: ir.Function) => void;
  readonly #addressBits: 32 | 64;

  /** @param add puts a function into the module */
  constructor(add: (fn: ir.Function) => void, addressBits: 32 | 64) {
    this.#add = add;
    this.#addressBits = addressBits;
  }

  /** @param scalar with scalars as parameters and as result */
  of(scalar: ir.Function, lanes: LaneCount): ir.Function {
    const all = this.#made.get(scalar) ?? new Map<LaneCount, ir.Function>();
    this.#made.set(scalar, all);
    let fn = all.get(lanes);
    if (!fn) {
      fn = vectorForm(scalar, lanes, this.#addressBits);
      all.set(lanes, fn);
      this.#add(fn);
    }
    return fn;
  }
}

/** Vectorises a call if its callee only computes; undefined for others. */
export function vectoriseCall(context: VectorContext, call: ir.Call, mask: Mask): VectorValue | undefined {
  const { writer, functions } = context;
  const result = call.results[0];
  if (!result || !isComputation(call.callee)) return undefined;
  if (context.shapeOf(result).kind === 'uniform')
    return { kind: 'uniform', value: cloneScalar(context, call) };
  const types = [result, ...call.operands].map(({ type }) => type);
  if (!types.every(isPlain)) return undefined;
  const parts = call.operands.flatMap((operand) => context.parts(operand));
  const all = mask ?? writer.once(vectorType(bool, writer.lanes), true);
  const value = newValue(vectorType(result.type as ScalarType, writer.lanes), result.name);
  const callee = functions.of(call.callee, writer.lanes);
  writer.append({ op: 'call', callee, operands: [...parts, all], results: [value], regions: [] });
  context.report.access(call, 'as a call', mask !== undefined);
  return { kind: 'lanes', parts: [value] };
}

function isPlain({ kind }: Type): boolean {
  return kind === 'int' || kind === 'float';
}

function vectorForm(scalar: ir.Function, lanes: LaneCount, addressBits: 32 | 64): ir.Function {
  const wide = (type: Type) => vectorType(type as ScalarType, lanes);
  const parameters = scalar.parameters.map(({ value }) => ({
    value: newValue(wide(value.type), value.name),
  }));
  const mask = newValue(vectorType(bool, lanes), 'mask');
  const type = wide(scalar.result!);
  const body = newRegion();
  const builder = new Builder(body, addressBits);
  let all =
    scalar.result!.kind === 'int'
      ? builder.integer(type, 0)
      : builder.constant(type, new Array<number>(lanes).fill(0));
  for (let lane = 0; lane < lanes; lane += 1) {
    const before = all;
    const branch = builder.if(builder.extract(mask, lane), [type]);
    builder.within(branch.regions[0]!, () => {
      const operands = parameters.map(({ value }) => builder.extract(value, lane));
      const result = builder.call(scalar, operands)!;
      builder.yield([builder.insert(before, result, lane)]);
    });
    builder.within(branch.regions[1]!, () => builder.yield([before]));
    all = branch.results[0]!;
  }
  builder.return(all);
  return {
    name: `${scalar.name}.x${lanes}`,
    kind: 'function',
    linkage: 'internal',
    parameters: [...parameters, { value: mask }],
    result: type,
    body,
    form: 'work-item',
    isOutlined: true,
    ...(scalar.isCold ? { isCold: true } : {}),
  };
}
