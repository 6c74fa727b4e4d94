/**
 * Context arrays in which what all work-items write is combined: not cells in memory but locals, one for work-items that run one by
 * one and vectors for vector regions. The work-item loop that writes them sets them to what changes nothing; reading them puts all
 * together.
 */
import { combinedContextArrays, identityOf } from '../../../ir/collectives.ts';
import type * as ir from '../../../ir/ir.ts';
import { type FloatType, type IntType, vectorType } from '../../../ir/types.ts';
import { scalarRegion } from '../../../ir/work-item-loops.ts';
import type { FunctionCompiler } from '../kernel/function-compiler.ts';
import { partsOf, wasmTypeOf } from '../kernel/value-layout.ts';
import type { OpName } from '../module/opcodes.ts';

/** The locals of such a context array. */
export interface CombinedLocals {
  readonly scalar: number;
  readonly parts: readonly number[];
  /** How many lanes of a part mean anything: of vectors of two, not all that there is room for. */
  readonly lanes: number;
}

type Element = (IntType & { bits: 32 | 64 }) | (FloatType & { bits: 32 | 64 });

/** What such context arrays may hold. */
function elementOf({ type }: ir.ContextArray): Element {
  return type as Element;
}

/** Sets the context arrays that a work-item loop writes, and gives them locals where they have none yet. */
export function openCombined(fc: FunctionCompiler, itemLoop: ir.WorkItemLoop): void {
  const { code } = fc;
  for (const contextArray of combinedContextArrays(itemLoop)) {
    const type = elementOf(contextArray);
    let locals = fc.combinedLocals.get(contextArray);
    if (!locals) {
      const isVector = itemLoop.lanes !== undefined && !isScanned(itemLoop, contextArray);
      const count = isVector ? partsOf(vectorType(type, itemLoop.lanes!)) : 0;
      locals = {
        scalar: code.allocate(wasmTypeOf(type), contextArray.name),
        parts: Array.from({ length: count }, () => code.allocate('v128', contextArray.name)),
        lanes: Math.min(itemLoop.lanes ?? 1, 128 / type.bits),
      };
      fc.combinedLocals.set(contextArray, locals);
    }
    pushIdentity(fc, contextArray);
    code.set(locals.scalar);
    for (const part of locals.parts) {
      pushIdentity(fc, contextArray);
      code.op(`${shapeOf(type)}.splat` as OpName);
      code.set(part);
    }
  }
}

/** Whether what comes together goes from one work-item, or one vector, to the next. */
function isScanned(itemLoop: ir.WorkItemLoop, contextArray: ir.ContextArray): boolean {
  return scalarRegion(itemLoop).instructions.some(
    (write) => write.op === 'context_write' && write.contextArray === contextArray && write.scan,
  );
}

function pushIdentity({ code }: FunctionCompiler, contextArray: ir.ContextArray): void {
  const { kind, bits } = elementOf(contextArray);
  const identity = identityOf(contextArray.combine!, contextArray.type);
  if (kind === 'int' && bits === 64) code.i64(BigInt(identity));
  else if (kind === 'int') code.i32(Number(identity));
  else if (bits === 64) code.f64(Number(identity));
  else code.f32(Number(identity));
}

/** Combines what a work-item or a vector brings with what is there. */
export function emitCombinedWrite(
  fc: FunctionCompiler,
  { contextArray, operands, results, scan }: ir.ContextWrite,
): void {
  const { code } = fc;
  const type = elementOf(contextArray);
  const value = operands[0]!;
  const { scalar, parts } = fc.combinedLocals.get(contextArray)!;
  if (value.type !== contextArray.type) {
    fc.settle(value);
    parts.forEach((local, part) => {
      code.get(local);
      fc.push(value, part);
      code.op(vectorOp(contextArray.combine!, type));
      code.set(local);
    });
    return;
  }
  fc.push(value);
  const given = code.toTemporary(wasmTypeOf(type));
  const keep = (): void => {
    code.get(scalar);
    code.set(fc.assignLocals(results[0]!)[0]!);
  };
  if (scan === 'exclusive') keep();
  combineScalars(fc, contextArray, scalar, given);
  code.set(scalar);
  code.release(given);
  if (scan === 'inclusive') keep();
}

/** Pushes what has come together. */
export function emitCombinedRead(fc: FunctionCompiler, { contextArray }: ir.ContextRead): void {
  const { code } = fc;
  const type = elementOf(contextArray);
  const { scalar, parts, lanes } = fc.combinedLocals.get(contextArray)!;
  const [first, ...others] = parts;
  if (first !== undefined) {
    for (const part of others) {
      code.get(first);
      code.get(part);
      code.op(vectorOp(contextArray.combine!, type));
      code.set(first);
    }
    for (let lane = 0; lane < lanes; lane += 1) {
      code.get(first);
      code.lane(`${shapeOf(type)}.extract_lane` as OpName, lane);
      const given = code.toTemporary(wasmTypeOf(type));
      combineScalars(fc, contextArray, scalar, given);
      code.set(scalar);
      code.release(given);
    }
  }
  code.get(scalar);
}

/** Pushes two locals combined. */
function combineScalars(
  { code }: FunctionCompiler,
  contextArray: ir.ContextArray,
  a: number,
  b: number,
): void {
  const { kind, bits } = elementOf(contextArray);
  const word = `${kind === 'int' ? 'i' : 'f'}${bits}`;
  const combine = contextArray.combine!;
  const isLess = combine.endsWith('min');
  if (isLess || combine.endsWith('max')) {
    // As the vector instructions for floats have it: b if b < a, else a; and for the greater one b if a < b.
    const sign = kind === 'float' ? '' : combine.startsWith('u') ? '_u' : '_s';
    for (const local of [b, a, ...(isLess ? [b, a] : [a, b])]) code.get(local);
    code.op(`${word}.lt${sign}` as OpName);
    code.op('select');
    return;
  }
  code.get(a);
  code.get(b);
  code.op(`${word}.${combine === 'iadd' || combine === 'fadd' ? 'add' : combine}` as OpName);
}

function vectorOp(combine: ir.CombineFunction, type: Element): OpName {
  switch (combine) {
    case 'iadd':
    case 'fadd':
      return `${shapeOf(type)}.add` as OpName;
    case 'and':
    case 'or':
      return `v128.${combine}`;
    case 'fmin':
    case 'fmax':
      return `${shapeOf(type)}.p${combine.slice(1)}` as OpName;
    default:
      return `${shapeOf(type)}.${combine.slice(1)}_${combine.charAt(0)}` as OpName;
  }
}

function shapeOf({ kind, bits }: Element): string {
  return `${kind === 'int' ? 'i' : 'f'}${bits}x${128 / bits}`;
}
