/**
 * The atomic functions of programs for the host, as compilers of GNU C have them: `__c11_atomic_...`, which <stdatomic.h> is made
 * of, and the older `__atomic_...` and `__sync_...` for objects of any type. Whatever order a program asks for, it gets
 * sequential consistency, which satisfies all.
 */
import type { BuiltinResolution } from '../c/dialect.ts';
import {
  atomicCompareExchange,
  atomicFetch,
  atomicLoad,
  atomicStore,
  atomicUpdate,
} from '../c/lower/atomic-objects.ts';
import { offsetByElements } from '../c/lower/expression.ts';
import type { FunctionLowering } from '../c/lower/function-lowering.ts';
import { arithmeticOf, pointerTo, withoutAtomic } from '../c/type-facts.ts';
import { arithmeticTypes, type CType, type QualifiedType, unqualified, voidType } from '../c/types.ts';
import type * as ir from '../ir/ir.ts';
import { i8, i32 } from '../ir/types.ts';
import { type Emit, found, noMatch } from './builtin.ts';

const { int, bool, uint } = arithmeticTypes;
const voidResult = unqualified(voidType);
const boolResult = unqualified(bool);
const order = unqualified(int);

/** What a function takes behind the pointer to the object, and how it is compiled. */
interface Form {
  readonly parameters: readonly QualifiedType[];
  readonly result: QualifiedType;
  readonly emit: (
    fn: FunctionLowering,
    pointer: ir.Value,
    operands: readonly ir.Value[],
  ) => ir.Value | undefined;
}

type FormOf = (value: QualifiedType) => Form | undefined;

type Fetched = 'add' | 'sub' | 'and' | 'or' | 'xor' | 'nand';

const placeFor = (value: QualifiedType): QualifiedType =>
  unqualified(pointerTo({ ...value, space: 'private' }));

function truth(fn: FunctionLowering, condition: ir.Value): ir.Value {
  return fn.builder.convert('zext', condition, i8);
}

function loadFrom(fn: FunctionLowering, place: ir.Value, value: QualifiedType): ir.Value {
  return fn.builder.load(fn.typeOf(value.type), place, fn.module.alignOf(value.type));
}

function storeTo(fn: FunctionLowering, place: ir.Value, stored: ir.Value, value: QualifiedType): void {
  fn.builder.store(place, stored, fn.module.alignOf(value.type));
}

/** What the object holds goes to `place` if it is not what was expected. */
function exchangeIfSame(
  fn: FunctionLowering,
  pointer: ir.Value,
  place: ir.Value,
  desired: ir.Value,
  value: QualifiedType,
): ir.Value {
  const { isSame, old } = atomicCompareExchange(fn, pointer, loadFrom(fn, place, value), desired);
  fn.branch(
    isSame,
    () => {},
    () => storeTo(fn, place, old, value),
  );
  return truth(fn, isSame);
}

// ------------------------------------------------------------------------------------ moving and comparing

const load: FormOf = (value) => ({
  parameters: [order],
  result: value,
  emit: (fn, pointer) => atomicLoad(fn, pointer, value.type),
});

const store: FormOf = (value) => ({
  parameters: [value, order],
  result: voidResult,
  emit: (fn, pointer, [stored]) => {
    atomicStore(fn, pointer, stored!);
    return undefined;
  },
});

const exchange: FormOf = (value) => ({
  parameters: [value, order],
  result: value,
  emit: (fn, pointer, [stored]) => atomicFetch(fn, 'exchange', pointer, stored!),
});

/** Nobody else may look at the object yet, so it is an ordinary store (C11, 7.17.2.2). */
const initialise: FormOf = (value) => ({
  parameters: [value],
  result: voidResult,
  emit: (fn, pointer, [stored]) => {
    storeTo(fn, pointer, stored!, value);
    return undefined;
  },
});

/** `isFlagged` where a parameter tells the weak form, which here never fails without a reason, from the strong one. */
const compareExchange =
  (isFlagged: boolean): FormOf =>
  (value) => ({
    parameters: [placeFor(value), value, ...(isFlagged ? [boolResult] : []), order, order],
    result: boolResult,
    emit: (fn, pointer, [place, desired]) => exchangeIfSame(fn, pointer, place!, desired!, value),
  });

const loadInto: FormOf = (value) => ({
  parameters: [placeFor(value), order],
  result: voidResult,
  emit: (fn, pointer, [place]) => {
    storeTo(fn, place!, atomicLoad(fn, pointer, value.type), value);
    return undefined;
  },
});

const storeFrom: FormOf = (value) => ({
  parameters: [placeFor(value), order],
  result: voidResult,
  emit: (fn, pointer, [place]) => {
    atomicStore(fn, pointer, loadFrom(fn, place!, value));
    return undefined;
  },
});

const exchangeInto: FormOf = (value) => ({
  parameters: [placeFor(value), placeFor(value), order],
  result: voidResult,
  emit: (fn, pointer, [from, to]) => {
    storeTo(fn, to!, atomicFetch(fn, 'exchange', pointer, loadFrom(fn, from!, value)), value);
    return undefined;
  },
});

const compareExchangeFrom: FormOf = (value) => ({
  parameters: [placeFor(value), placeFor(value), boolResult, order, order],
  result: boolResult,
  emit: (fn, pointer, [place, desired]) =>
    exchangeIfSame(fn, pointer, place!, loadFrom(fn, desired!, value), value),
});

const compareAndSwap =
  (gives: 'truth' | 'old'): FormOf =>
  (value) => ({
    parameters: [value, value],
    result: gives === 'truth' ? boolResult : value,
    emit: (fn, pointer, [expected, desired]) => {
      const { isSame, old } = atomicCompareExchange(fn, pointer, expected!, desired!);
      return gives === 'truth' ? truth(fn, isSame) : old;
    },
  });

const lockExchange: FormOf = (value) => ({ ...exchange(value)!, parameters: [value] });

const lockRelease: FormOf = (value) => ({
  parameters: [],
  result: voidResult,
  emit: (fn, pointer) => {
    const type = fn.typeOf(value.type);
    atomicStore(
      fn,
      pointer,
      type.kind === 'pointer' ? fn.builder.constant(type, 0) : fn.builder.integer(type, 0),
    );
    return undefined;
  },
});

// ---------------------------------------------------------------------------------------------- computing

interface Fetching {
  readonly operation: Fetched;
  readonly gives: 'old' | 'new';
  /** A pointer moves by elements, as in C11, and not by bytes. */
  readonly byElements: boolean;
  readonly hasOrder: boolean;
}

function computed(fn: FunctionLowering, operation: Fetched, old: ir.Value, operand: ir.Value): ir.Value {
  const { builder } = fn;
  if (operation === 'add' || operation === 'sub') return builder.binary(`i${operation}`, old, operand);
  if (operation === 'nand') return builder.unary('not', builder.binary('and', old, operand));
  return builder.binary(operation, old, operand);
}

const fetching =
  ({ operation, gives, byElements, hasOrder }: Fetching): FormOf =>
  (value) => {
    const { type } = value;
    const orders = hasOrder ? [order] : [];
    if (type.kind === 'pointer') {
      if (operation !== 'add' && operation !== 'sub') return undefined;
      const element = byElements ? type.pointee.type : arithmeticTypes.char;
      const emit: Form['emit'] = (fn, pointer, [distance]) => {
        const back = operation === 'sub';
        const change = (old: ir.Value) => offsetByElements(fn, old, distance!, int, element, back);
        const update = atomicUpdate(fn, pointer, type, change);
        return gives === 'old' ? update.old : update.renewed;
      };
      return { parameters: [unqualified(int), ...orders], result: value, emit };
    }
    const arithmetic = arithmeticOf(type);
    if (!arithmetic || arithmetic.floating || arithmetic.name === 'bool') return undefined;
    const emit: Form['emit'] = (fn, pointer, [operand]) => {
      if (operation === 'nand') {
        const update = atomicUpdate(fn, pointer, type, (old) => computed(fn, operation, old, operand!));
        return gives === 'old' ? update.old : update.renewed;
      }
      const old = atomicFetch(fn, operation, pointer, operand!);
      return gives === 'old' ? old : computed(fn, operation, old, operand!);
    };
    return { parameters: [value, ...orders], result: value, emit };
  };

const c11Forms: Record<string, FormOf> = {
  load,
  store,
  exchange,
  init: initialise,
  compare_exchange_strong: compareExchange(false),
  compare_exchange_weak: compareExchange(false),
};

const gnuForms: Record<string, FormOf> = {
  __atomic_load_n: load,
  __atomic_store_n: store,
  __atomic_exchange_n: exchange,
  __atomic_compare_exchange_n: compareExchange(true),
  __atomic_load: loadInto,
  __atomic_store: storeFrom,
  __atomic_exchange: exchangeInto,
  __atomic_compare_exchange: compareExchangeFrom,
  __sync_bool_compare_and_swap: compareAndSwap('truth'),
  __sync_val_compare_and_swap: compareAndSwap('old'),
  __sync_lock_test_and_set: lockExchange,
  __sync_lock_release: lockRelease,
};

for (const operation of ['add', 'sub', 'and', 'or', 'xor', 'nand'] as const) {
  const gnu = { operation, byElements: false };
  c11Forms[`fetch_${operation}`] = fetching({ operation, gives: 'old', byElements: true, hasOrder: true });
  gnuForms[`__atomic_fetch_${operation}`] = fetching({ ...gnu, gives: 'old', hasOrder: true });
  gnuForms[`__atomic_${operation}_fetch`] = fetching({ ...gnu, gives: 'new', hasOrder: true });
  gnuForms[`__sync_fetch_and_${operation}`] = fetching({ ...gnu, gives: 'old', hasOrder: false });
  gnuForms[`__sync_${operation}_and_fetch`] = fetching({ ...gnu, gives: 'new', hasOrder: false });
}

// ------------------------------------------------------------------------------------- flags and fences

/** Functions whose parameters are the same for all. */
interface Plain {
  readonly parameters: readonly QualifiedType[];
  readonly result: QualifiedType;
  readonly emit: Emit;
}

const anyPointer = unqualified(
  pointerTo({ ...unqualified(voidType), isVolatile: true, isConst: true, space: 'private' }),
);
const writablePointer = unqualified(
  pointerTo({ ...unqualified(voidType), isVolatile: true, space: 'private' }),
);

const fence =
  (scope: ir.MemoryScope): Emit =>
  (fn) => {
    fn.builder.fence(['private'], 'seq_cst', scope);
    return undefined;
  };

const isLockFree: Emit = (fn, [size]) => {
  const { builder } = fn;
  const bits = builder.binary('and', size!, builder.binary('isub', size!, builder.integer(i32, 1)));
  const isPower = builder.compare('eq', bits, builder.integer(i32, 0));
  const fits = builder.compare('ule', size!, builder.integer(i32, 8));
  return truth(fn, builder.binary('and', isPower, fits));
};

const lockFree: Plain = { parameters: [unqualified(uint), anyPointer], result: boolResult, emit: isLockFree };
const threadFence: Plain = { parameters: [order], result: voidResult, emit: fence('all-devices') };
const signalFence: Plain = { parameters: [order], result: voidResult, emit: fence('work-item') };

const plains: Readonly<Record<string, Plain>> = {
  __c11_atomic_thread_fence: threadFence,
  __c11_atomic_signal_fence: signalFence,
  __atomic_thread_fence: threadFence,
  __atomic_signal_fence: signalFence,
  __sync_synchronize: { ...threadFence, parameters: [] },
  __c11_atomic_is_lock_free: { ...lockFree, parameters: [unqualified(uint)] },
  __atomic_is_lock_free: lockFree,
  __atomic_always_lock_free: lockFree,
  __atomic_test_and_set: {
    parameters: [writablePointer, order],
    result: boolResult,
    emit: (fn, [pointer]) => {
      const { builder } = fn;
      const old = atomicFetch(fn, 'exchange', pointer!, builder.integer(i8, 1));
      return truth(fn, builder.compare('ne', old, builder.integer(i8, 0)));
    },
  },
  __atomic_clear: {
    parameters: [writablePointer, order],
    result: voidResult,
    emit: (fn, [pointer]) => {
      atomicStore(fn, pointer!, fn.builder.integer(i8, 0));
      return undefined;
    },
  },
};

// ---------------------------------------------------------------------------------------------- by name

const c11Prefix = '__c11_atomic_';

function formFor(name: string): FormOf | undefined {
  if (Object.hasOwn(gnuForms, name)) return gnuForms[name];
  const rest = name.startsWith(c11Prefix) ? name.slice(c11Prefix.length) : '';
  return Object.hasOwn(c11Forms, rest) ? c11Forms[rest] : undefined;
}

export function isAtomicBuiltin(name: string): boolean {
  return Object.hasOwn(plains, name) || formFor(name) !== undefined;
}

/** The form of an atomic function for arguments of these types. */
export function resolveAtomic(name: string, types: readonly QualifiedType[]): BuiltinResolution {
  if (Object.hasOwn(plains, name)) {
    const plain = plains[name]!;
    return found(name, types, plain.parameters, plain.result, plain.emit);
  }
  const candidates = [`'${name}' takes a pointer to an object ${objectsOf(name)} first`];
  const first = types[0];
  if (first?.type.kind !== 'pointer') return noMatch(candidates);
  const object = first.type.pointee;
  const isC11 = name.startsWith(c11Prefix);
  if (isC11 && object.type.kind !== 'atomic') return noMatch(candidates);
  const changes = !/_load(_n)?$/.test(name);
  if (changes && object.isConst) return noMatch([`'${name}' takes a pointer to an object that is not const`]);
  const value = unqualified(withoutAtomic(object).type);
  const form = isMovable(value.type) ? formFor(name)!(value) : undefined;
  if (!form) return noMatch(candidates);
  const emit: Emit = (fn, [pointer, ...operands]) => form.emit(fn, pointer!, operands);
  // The functions of __sync_ take a list of what they protect behind their arguments.
  const count = form.parameters.length + 1;
  const given = name.startsWith('__sync_') ? types.slice(0, Math.max(count, 0)) : types;
  return found(name, given, [first, ...form.parameters], form.result, emit);
}

function objectsOf(name: string): string {
  if (/fetch/.test(name)) return /add|sub/.test(name) ? 'of integer or pointer type' : 'of integer type';
  return name.startsWith(c11Prefix) ? "of atomic type ('_Atomic')" : 'of arithmetic or pointer type';
}

function isMovable(type: CType): boolean {
  return type.kind === 'arithmetic' || type.kind === 'enum' || type.kind === 'pointer';
}
