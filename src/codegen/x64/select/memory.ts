/**
 * Accesses: at the memory's address + an address of 32 bits + what the instruction adds. Nothing is checked: all that this can reach is mapped
 * (calling-convention.ts). Atomic accesses are checked for alignment, as the processor may end a process for one across two lines.
 */
import {
  type GeneralRegister,
  general,
  immediate,
  instruction,
  label,
  type MemoryOperand,
  memory,
} from '../assembler/instruction.ts';
import { greatestDisplacement } from '../calling-convention.ts';
import { sized } from '../machine/function.ts';
import { memoryRegister } from '../machine/operation.ts';
import type { FunctionSelector } from './function-selector.ts';
import type { Rule } from './rule.ts';

const base = general(memoryRegister, 64);

/** Pops an address. */
export function popPlace({ fn, stack }: FunctionSelector, bits: number, offset: number): MemoryOperand {
  const entry = stack.pop();
  if (entry.kind === 'number') {
    const address = BigInt.asUintN(32, entry.value) + BigInt(offset);
    if (address < 0x8000_0000n) return memory(bits, { base, offset: Number(address) });
  }
  const index = general(stack.register(entry), 64);
  if (offset <= greatestDisplacement) return memory(bits, { base, index, offset });
  const sum = fn.general(32);
  fn.emit('lea', sum, memory(0, { base: index, offset: offset | 0 }));
  return memory(bits, { base, index: general(sum.number, 64) });
}

function load(mnemonic: string, bits: number, type: 'i32' | 'i64', written: 32 | 64): Rule {
  return (s, { offset }) => {
    const place = popPlace(s, bits, offset);
    s.fn.emit(mnemonic, general(s.stack.result(type as 'i32').number, written), place);
  };
}

function loadFloat(mnemonic: string, bits: number, type: 'f32' | 'f64' | 'v128'): Rule {
  return (s, { offset }) => {
    const place = popPlace(s, bits, offset);
    s.fn.emit(mnemonic, s.stack.result(type), place);
  };
}

function store(bits: 8 | 16 | 32 | 64): Rule {
  return (s, { offset }) => {
    const value = s.stack.pop();
    // A number is stored as it is.
    if (value.kind === 'number') {
      const number = BigInt.asIntN(bits, value.value);
      if (bits < 64 || (number >= -0x8000_0000n && number < 0x8000_0000n)) {
        s.fn.emit('mov', popPlace(s, bits, offset), immediate(number));
        return;
      }
    }
    const from = general(s.stack.register(value), bits);
    s.fn.emit('mov', popPlace(s, bits, offset), from);
  };
}

function storeFloat(mnemonic: string, bits: number): Rule {
  return (s, { offset }) => {
    const from = s.stack.popVector();
    s.fn.emit(mnemonic, popPlace(s, bits, offset), from);
  };
}

/** A vector of what is in memory. */
function loadLanes(mnemonic: string, bits: number): Rule {
  return loadFloat(mnemonic, bits, 'v128');
}

function loadLane(name: string, bits: number): Rule {
  return (s, { offset, value }) => {
    const from = s.stack.popVector();
    const place = popPlace(s, bits, offset);
    s.fn.emit(name, s.stack.result('v128'), from, place, immediate(value));
  };
}

function storeLane(name: string, bits: number): Rule {
  return (s, { offset, value }) => {
    const from = s.stack.popVector();
    s.fn.emit(name, popPlace(s, bits, offset), from, immediate(value));
  };
}

// ----------------------------------------------------------------------------------------------------- atomics

/** The place of an atomic access, checked. */
function popAtomicPlace(s: FunctionSelector, bits: number, offset: number): MemoryOperand {
  const { fn, stack } = s;
  const entry = stack.pop();
  const address = fn.general(32);
  fn.emit('lea', address, memory(0, { base: general(stack.register(entry), 64), offset: offset | 0 }));
  if (bits > 8) {
    fn.emit('test', address, immediate(bits / 8 - 1));
    s.trapIf('ne', 'misaligned');
  }
  return memory(bits, { base, index: general(address.number, 64) });
}

type Bits = 8 | 16 | 32 | 64;

/** What was there, with zeros above it. */
function pushRead(
  { fn, stack }: FunctionSelector,
  from: GeneralRegister,
  bits: Bits,
  type: 'i32' | 'i64',
): void {
  if (bits < 32) fn.emit('movzx', stack.result('i32'), sized(from, bits));
  else stack.pushRegister(type, from.number);
}

/** Of the atomic operations that read and write, those that are one instruction if nobody wants what was read. */
const writesAlone = new Set(['add', 'sub', 'and', 'or', 'xor']);

function atomic(fn: string, bits: Bits, type: 'i32' | 'i64'): Rule {
  const whole = type === 'i64' ? 64 : 32;
  return (s, { offset, isDropped }) => {
    const { stack } = s;
    const f = s.fn;
    if (isDropped && writesAlone.has(fn)) {
      const value = stack.popGeneral(whole);
      f.append({ ...instruction(fn, popAtomicPlace(s, bits, offset), sized(value, bits)), lock: true });
      // For the `drop`.
      stack.push({ kind: 'number', type, value: 0n });
      return;
    }
    switch (fn) {
      case 'load': {
        const place = popAtomicPlace(s, bits, offset);
        const to = f.general(whole);
        if (bits < 32) f.emit('movzx', to, place);
        else f.emit('mov', to, place);
        stack.pushGeneral(to);
        return;
      }
      case 'store':
      case 'xchg': {
        const value = stack.popCopy() as GeneralRegister;
        f.emit('xchg', popAtomicPlace(s, bits, offset), sized(value, bits));
        if (fn === 'xchg') pushRead(s, value, bits, type);
        return;
      }
      case 'add':
      case 'sub': {
        const value = stack.popCopy() as GeneralRegister;
        if (fn === 'sub') f.emit('neg', value);
        f.append({
          ...instruction('xadd', popAtomicPlace(s, bits, offset), sized(value, bits)),
          lock: true,
        });
        pushRead(s, value, bits, type);
        return;
      }
      case 'cmpxchg': {
        const value = stack.popGeneral(whole);
        const expected = stack.popGeneral(whole);
        const place = popAtomicPlace(s, bits, offset);
        const rax = general(0, whole);
        f.emit('mov', rax, expected);
        f.append(
          { ...instruction('cmpxchg', place, sized(value, bits)), lock: true },
          { uses: [0], definitions: [0] },
        );
        const read = f.general(whole);
        f.emit('mov', read, rax);
        pushRead(s, read, bits, type);
        return;
      }
      default: {
        const value = stack.popGeneral(whole);
        const place = popAtomicPlace(s, bits, offset);
        const read = f.general(whole);
        if (bits < 32) f.emit('movzx', read, place);
        else f.emit('mov', read, place);
        const again = f.newLabel();
        const rax = general(0, whole);
        f.place(again);
        const wanted = f.general(whole);
        f.emit('mov', wanted, read);
        f.emit(fn, wanted, value);
        f.emit('mov', rax, read);
        f.append(
          { ...instruction('cmpxchg', place, sized(wanted, bits)), lock: true },
          { uses: [0], definitions: [0] },
        );
        // A move leaves the flags.
        f.emit('mov', read, rax);
        f.append(instruction('jne', label(again)));
        pushRead(s, read, bits, type);
      }
    }
  };
}

const readsAndWrites = ['add', 'sub', 'and', 'or', 'xor', 'xchg', 'cmpxchg'];

const atomics: [string, Rule][] = [
  ...(['i32', 'i64'] as const).flatMap((type): [string, Rule][] => {
    const bits = type === 'i32' ? 32 : 64;
    return [
      [`${type}.atomic.load`, atomic('load', bits, type)],
      [`${type}.atomic.store`, atomic('store', bits, type)],
      ...readsAndWrites.map((fn): [string, Rule] => [`${type}.atomic.rmw.${fn}`, atomic(fn, bits, type)]),
    ];
  }),
  ...([8, 16] as const).flatMap((bits): [string, Rule][] => [
    [`i32.atomic.load${bits}_u`, atomic('load', bits, 'i32')],
    [`i32.atomic.store${bits}`, atomic('store', bits, 'i32')],
    ...readsAndWrites.map((fn): [string, Rule] => [`i32.atomic.rmw${bits}.${fn}_u`, atomic(fn, bits, 'i32')]),
  ]),
];

/** By name of the instruction in stack code. */
export const memoryRules: readonly [string, Rule][] = [
  ['i32.load', load('mov', 32, 'i32', 32)],
  ['i64.load', load('mov', 64, 'i64', 64)],
  ['f32.load', loadFloat('vmovss', 32, 'f32')],
  ['f64.load', loadFloat('vmovsd', 64, 'f64')],
  ['i32.load8_s', load('movsx', 8, 'i32', 32)],
  ['i32.load8_u', load('movzx', 8, 'i32', 32)],
  ['i32.load16_s', load('movsx', 16, 'i32', 32)],
  ['i32.load16_u', load('movzx', 16, 'i32', 32)],
  ['i64.load8_s', load('movsx', 8, 'i64', 64)],
  ['i64.load8_u', load('movzx', 8, 'i64', 32)],
  ['i64.load16_s', load('movsx', 16, 'i64', 64)],
  ['i64.load16_u', load('movzx', 16, 'i64', 32)],
  ['i64.load32_s', load('movsxd', 32, 'i64', 64)],
  ['i64.load32_u', load('mov', 32, 'i64', 32)],
  ['i32.store', store(32)],
  ['i64.store', store(64)],
  ['i32.store8', store(8)],
  ['i32.store16', store(16)],
  ['i64.store8', store(8)],
  ['i64.store16', store(16)],
  ['i64.store32', store(32)],
  ['f32.store', storeFloat('vmovss', 32)],
  ['f64.store', storeFloat('vmovsd', 64)],
  ['v128.load', loadLanes('vmovups', 128)],
  ['v128.store', storeFloat('vmovups', 128)],
  ['v128.load8x8_s', loadLanes('vpmovsxbw', 64)],
  ['v128.load8x8_u', loadLanes('vpmovzxbw', 64)],
  ['v128.load16x4_s', loadLanes('vpmovsxwd', 64)],
  ['v128.load16x4_u', loadLanes('vpmovzxwd', 64)],
  ['v128.load32x2_s', loadLanes('vpmovsxdq', 64)],
  ['v128.load32x2_u', loadLanes('vpmovzxdq', 64)],
  ['v128.load8_splat', loadLanes('vpbroadcastb', 8)],
  ['v128.load16_splat', loadLanes('vpbroadcastw', 16)],
  ['v128.load32_splat', loadLanes('vbroadcastss', 32)],
  ['v128.load64_splat', loadLanes('vmovddup', 64)],
  ['v128.load32_zero', loadLanes('vmovss', 32)],
  ['v128.load64_zero', loadLanes('vmovsd', 64)],
  ['v128.load8_lane', loadLane('vpinsrb', 8)],
  ['v128.load16_lane', loadLane('vpinsrw', 16)],
  ['v128.load32_lane', loadLane('vpinsrd', 32)],
  ['v128.load64_lane', loadLane('vpinsrq', 64)],
  ['v128.store8_lane', storeLane('vpextrb', 8)],
  ['v128.store16_lane', storeLane('vpextrw', 16)],
  ['v128.store32_lane', storeLane('vpextrd', 32)],
  ['v128.store64_lane', storeLane('vpextrq', 64)],
  ...atomics,
];

// ------------------------------------------------------------------------------------------------------- ranges

/** Moves arguments to where the routine takes them, and calls it: rdi and rsi or eax, rcx. Ranges outside memory end the kernel. */
export function copyOrFill(routine: 'copy' | 'fill'): Rule {
  return (s) => {
    const { fn, stack } = s;
    const [rax, rcx, rsi, rdi] = [0, 1, 6, 7].map((number) => general(number, 64)) as [
      GeneralRegister,
      GeneralRegister,
      GeneralRegister,
      GeneralRegister,
    ];
    const count = stack.popGeneral(64);
    const from = stack.popGeneral(64);
    const to = stack.popGeneral(64);
    const limit = fn.general(64);
    fn.emit('mov', limit, immediate(0x1_0000_0000n));
    for (const start of routine === 'copy' ? [to, from] : [to]) {
      const end = fn.general(64);
      fn.emit('lea', end, memory(0, { base: start, index: count }));
      fn.emit('cmp', end, limit);
      s.trapIf('a', 'unreachable');
    }
    const source = routine === 'copy' ? rsi : rax;
    fn.emit('mov', rcx, count);
    if (routine === 'copy') fn.emit('lea', source, memory(0, { base, index: from }));
    else fn.emit('mov', source, from);
    fn.emit('lea', rdi, memory(0, { base, index: to }));
    fn.append(instruction('call', label(s.module.routine(routine))), {
      uses: [1, source.number, 7],
      definitions: [0, 1, 6, 7],
    });
  };
}
