/**
 * Atomic operations and fences. Memory that other threads can see uses the atomic instructions, which are sequentially
 * consistent and so satisfy every order that is asked for. A work-group runs on one thread from start to
 * end, one work-item at a time, so local and private memory need plain reads and writes only. The private memory of a program for
 * the host is everything it has, and kernels may see it.
 */
import type * as ir from '../../../ir/ir.ts';
import type { Value } from '../../../ir/ir.ts';
import type { Type } from '../../../ir/types.ts';
import type { FunctionCompiler } from '../kernel/function-compiler.ts';
import { wasmTypeOf } from '../kernel/value-layout.ts';
import type { OpName } from '../module/opcodes.ts';
import { scalarAccess } from './memory-access.ts';

export function emitAtomic(fc: FunctionCompiler, atomic: ir.Atomic): void {
  const pointer = atomic.operands[0]!;
  const space = pointer.type.kind === 'pointer' ? pointer.type.space : 'global';
  const isSeen = space !== 'local' && (space !== 'private' || fc.module.options.sharesPrivate);
  if (!isSeen) emitPlain(fc, atomic);
  else emitShared(fc, atomic);
}

/** Stores the old value from the stack in the result's local, or drops it. */
function keepResult(fc: FunctionCompiler, result: Value | undefined): void {
  if (result && fc.info(result).uses > 0) fc.code.set(fc.assignLocals(result)[0]!);
  else if (result) fc.code.op('drop');
}

function emitShared(fc: FunctionCompiler, atomic: ir.Atomic): void {
  const { code } = fc;
  const pointer = atomic.operands[0]!;
  const type: Type = atomic.results[0]?.type ?? atomic.operands[1]!.type;
  const int = wasmTypeOf(type) === 'i64' || wasmTypeOf(type) === 'f64' ? 'i64' : 'i32';
  const bytes = type.kind === 'int' ? type.bits / 8 : int === 'i64' ? 8 : 4;
  const isFloat = type.kind === 'float';
  const offset = fc.pushAddress(pointer);
  const isMinMax = atomic.fn.endsWith('min') || atomic.fn.endsWith('max');
  if (isMinMax && offset > 0) {
    code.i32(offset);
    code.op('i32.add');
  }
  for (const operand of atomic.operands.slice(1)) {
    fc.push(operand);
    if (isFloat) code.op(int === 'i64' ? 'i64.reinterpret_f64' : 'i32.reinterpret_f32');
    if (bytes < 4 && atomic.fn === 'compare_exchange') {
      // The instruction compares with what it has read, extended by zeros.
      code.i32(bytes === 1 ? 0xff : 0xffff);
      code.op('i32.and');
    }
  }
  fc.flushLoads();
  if (isMinMax) code.call(fc.module.runtimeFunction(`atomic_${atomic.fn}_${int}`));
  else if (bytes < 4) code.memory(narrowOp(bytes === 1 ? 8 : 16, atomic.fn), offset, bytes);
  else code.memory(sharedOp(int, atomic.fn), offset, bytes);
  if (bytes < 4 && atomic.results.length > 0) code.op(bytes === 1 ? 'i32.extend8_s' : 'i32.extend16_s');
  if (isFloat && atomic.results.length > 0) {
    code.op(int === 'i64' ? 'f64.reinterpret_i64' : 'f32.reinterpret_i32');
  }
  keepResult(fc, atomic.results[0]);
}

function sharedOp(int: 'i32' | 'i64', fn: ir.AtomicFunction): OpName {
  switch (fn) {
    case 'load':
    case 'store':
      return `${int}.atomic.${fn}`;
    case 'exchange':
      return `${int}.atomic.rmw.xchg`;
    case 'compare_exchange':
      return `${int}.atomic.rmw.cmpxchg`;
    case 'add':
    case 'sub':
    case 'and':
    case 'or':
    case 'xor':
      return `${int}.atomic.rmw.${fn}`;
    default:
      throw new Error(`codegen: no atomic instruction for ${fn}`);
  }
}

function narrowOp(bits: 8 | 16, fn: ir.AtomicFunction): OpName {
  const op = sharedOp('i32', fn);
  if (op === 'i32.atomic.load') return `${op}${bits}_u`;
  if (op === 'i32.atomic.store') return `${op}${bits}`;
  return `${op.replace('rmw', `rmw${bits}`)}_u` as OpName;
}

function emitPlain(fc: FunctionCompiler, atomic: ir.Atomic): void {
  const { code } = fc;
  const [pointer, ...rest] = atomic.operands as [Value, ...Value[]];
  const type: Type = atomic.results[0]?.type ?? rest[0]!.type;
  const wasm = wasmTypeOf(type);
  const access = scalarAccess(type);
  if (atomic.fn === 'load') {
    const offset = fc.pushAddress(pointer);
    code.memory(access.load, offset, access.bytes);
    keepResult(fc, atomic.results[0]);
    return;
  }
  const offset = fc.pushAddress(pointer);
  const base = code.toTemporary('i32');
  const locals = rest.map((operand) => {
    fc.push(operand);
    return code.toTemporary(wasm);
  });
  fc.flushLoads();
  code.get(base);
  code.memory(access.load, offset, access.bytes);
  const old = code.toTemporary(wasm);
  code.get(base);
  const [first, second] = locals as [number, number];
  switch (atomic.fn) {
    case 'store':
    case 'exchange':
      code.get(first);
      break;
    case 'compare_exchange':
      code.get(second);
      code.get(old);
      code.get(old);
      code.get(first);
      code.op(`${wasm as 'i32' | 'i64'}.eq`);
      code.op('select');
      break;
    case 'smin':
    case 'smax':
    case 'umin':
    case 'umax': {
      const int = wasm as 'i32' | 'i64';
      const compare = atomic.fn.endsWith('min') ? 'lt' : 'gt';
      code.get(first);
      code.get(old);
      code.get(first);
      code.get(old);
      code.op(atomic.fn.startsWith('s') ? `${int}.${compare}_s` : `${int}.${compare}_u`);
      code.op('select');
      break;
    }
    default:
      code.get(old);
      code.get(first);
      code.op(`${wasm as 'i32' | 'i64'}.${atomic.fn}`);
  }
  code.memory(access.store, offset, access.bytes);
  for (const local of locals) code.release(local);
  code.release(base);
  if (atomic.results[0]) {
    code.get(old);
    keepResult(fc, atomic.results[0]);
  }
  code.release(old);
}

/** Only memory that other threads see needs an instruction. */
export function emitFence(fc: FunctionCompiler, fence: ir.Fence): void {
  const isSeen = fence.spaces.some((space) => space === 'global' || space === 'generic');
  const isNeeded = fc.module.options.shared && (isSeen || fc.module.options.sharesPrivate);
  if (isNeeded && fence.scope !== 'work-item') fc.code.atomicFence();
}
