// The C11 atomics of OpenCL C 2.0 (6.13.11): every function in its short and explicit forms, on global, local and generic
// pointers, against the same arithmetic in JavaScript.
import { describe, expect, it } from 'vitest';
import { printModule } from '../../../src/ir/print.ts';
import { expectEverywhere } from '../../support/opencl-2.ts';
import { buffer, compileForTest } from '../../support/run-kernel.ts';

const types = {
  int: { array: Int32Array, wrap: (x: bigint) => BigInt.asIntN(32, x) },
  uint: { array: Uint32Array, wrap: (x: bigint) => BigInt.asUintN(32, x) },
  long: { array: BigInt64Array, wrap: (x: bigint) => BigInt.asIntN(64, x) },
  ulong: { array: BigUint64Array, wrap: (x: bigint) => BigInt.asUintN(64, x) },
} as const;
type TypeName = keyof typeof types;

const fetches: readonly [name: string, meaning: (old: bigint, x: bigint) => bigint][] = [
  ['exchange', (_, x) => x],
  ['fetch_add', (old, x) => old + x],
  ['fetch_sub', (old, x) => old - x],
  ['fetch_or', (old, x) => old | x],
  ['fetch_xor', (old, x) => old ^ x],
  ['fetch_and', (old, x) => old & x],
  ['fetch_min', (old, x) => (x < old ? x : old)],
  ['fetch_max', (old, x) => (x > old ? x : old)],
];

describe.each(Object.keys(types) as TypeName[])('atomic_%s', (type) => {
  const { array, wrap } = types[type];
  const arrayOf = (list: readonly bigint[]) => {
    const made = new array(list.length);
    for (const [index, value] of list.entries())
      made[index] = (type.endsWith('ong') ? value : Number(value)) as never;
    return made;
  };

  it('what gives the old value', () => {
    const starts = [5n, -3n, 1n << 31n, -(1n << 63n)].map(wrap);
    const operands = [7n, 0x1_0000_0001n, -1n].map(wrap);
    const forms = (name: string): string[] => [
      `atomic_${name}(p, x)`,
      `atomic_${name}_explicit(p, x, memory_order_relaxed)`,
      `atomic_${name}_explicit(p, x, memory_order_acq_rel, memory_scope_work_group)`,
    ];
    const source = `
      ${fetches
        .map(([name], index) =>
          forms(name)
            .map(
              (call, form) =>
                `${type} f${index}_${form}(volatile atomic_${type} *p, ${type} x) { return ${call}; }`,
            )
            .join('\n'),
        )
        .join('\n')}
      kernel void k(global ${type} *out, global atomic_${type} *g, local atomic_${type} *l, ${type} start, ${type} x) {
        int at = 0;
        ${fetches
          .map(([name], index) =>
            [0, 1, 2]
              .map(
                (form) => `
        atomic_init(g, start); out[at++] = ${forms(name)[form]!.replace('(p,', '(g,')}; out[at++] = atomic_load(g);
        atomic_init(l, start); out[at++] = f${index}_${form}(l, x); out[at++] = atomic_load_explicit(l, memory_order_acquire);`,
              )
              .join('\n'),
          )
          .join('\n')}
      }`;
    const [start, x] = [starts[3]!, operands[1]!];
    const expected = fetches.flatMap(([, meaning]) =>
      [0, 1, 2].flatMap(() => [start, wrap(meaning(start, x)), start, wrap(meaning(start, x))]),
    );
    const bytes = (value: bigint) => ({ bytes: new Uint8Array(arrayOf([value]).buffer) });
    expectEverywhere(
      source,
      { global: [1], local: [1] },
      arrayOf(expected),
      () => [buffer(arrayOf([0n])), { local: 8 }, bytes(start), bytes(x)],
      type === 'int' ? 'every form' : 'some forms',
    );
  });
});

describe('others', () => {
  const range = { global: [64], local: [16] };

  it('compare and exchange, strong and weak, of integers and floats', () => {
    const source = `
      kernel void k(global int *out, global atomic_int *i, global atomic_float *f, local atomic_double *d) {
        int at = 0;
        int seen = 4;
        atomic_store(i, 5);
        out[at++] = atomic_compare_exchange_strong(i, &seen, 9);
        out[at++] = seen; out[at++] = atomic_load(i);
        out[at++] = atomic_compare_exchange_weak_explicit(i, &seen, 9, memory_order_acq_rel, memory_order_relaxed, memory_scope_device);
        out[at++] = seen; out[at++] = atomic_load(i);
        float was = 1.5f;
        atomic_store(f, 2.5f);
        out[at++] = atomic_compare_exchange_strong_explicit(f, &was, 7.0f, memory_order_seq_cst, memory_order_seq_cst);
        out[at++] = was * 10;
        out[at++] = atomic_compare_exchange_strong(f, &was, 7.0f);
        out[at++] = atomic_exchange(f, 8.0f) * 10; out[at++] = atomic_load(f);
        double zero = -0.0;
        atomic_init(d, 0.0);
        out[at++] = atomic_compare_exchange_strong(d, &zero, 1.0);
        out[at++] = signbit(zero);
        out[at++] = atomic_exchange_explicit(d, 3.0, memory_order_relaxed) * 10; out[at++] = atomic_load(d);
      }`;
    const expected = Int32Array.of(0, 5, 5, 1, 5, 9, 0, 25, 1, 70, 8, 0, 0, 0, 3);
    expectEverywhere(source, { global: [1], local: [1] }, expected, () => [
      buffer(new Int32Array(1)),
      buffer(new Float32Array(1)),
      { local: 8 },
    ]);
  });

  it('flags', () => {
    const source = `kernel void k(global int *out, global atomic_flag *f) {
      out[0] = atomic_flag_test_and_set(f);
      out[1] = atomic_flag_test_and_set_explicit(f, memory_order_acquire, memory_scope_all_svm_devices);
      atomic_flag_clear(f);
      out[2] = atomic_flag_test_and_set(f);
      atomic_flag_clear_explicit(f, memory_order_release);
      out[3] = *(global int *)f + sizeof(atomic_flag) + sizeof(atomic_long) * 10;
    }`;
    expectEverywhere(source, { global: [1], local: [1] }, Int32Array.of(0, 1, 0, 84), () => [
      buffer(new Int32Array(1)),
    ]);
  });

  it('all work-items at once, and structures of atomic objects', () => {
    const source = `
      typedef struct { atomic_uint count; atomic_int most; } tally;
      void note(tally *t, int x) {
        atomic_fetch_add_explicit(&t->count, 1, memory_order_relaxed, memory_scope_device);
        atomic_fetch_max(&t->most, x);
      }
      kernel void k(global int *out, global tally *all) {
        local tally own;
        int x = get_local_id(0);
        if (x == 0) { atomic_init(&own.count, 0); atomic_init(&own.most, -1); }
        work_group_barrier(CLK_LOCAL_MEM_FENCE);
        note(&own, x * 3);
        note(all, (int)get_global_id(0));
        atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE, memory_order_acq_rel, memory_scope_work_group);
        work_group_barrier(CLK_LOCAL_MEM_FENCE);
        out[get_global_id(0)] = atomic_load(&own.count) * 100 + atomic_load(&own.most);
        if (get_global_id(0) == 63) out[63] = atomic_load(&all->count) * 100 + atomic_load(&all->most);
      }`;
    const expected = new Int32Array(64).fill(1645);
    expected[63] = 6463;
    expectEverywhere(source, range, expected, () => [buffer(new Int32Array(2))]);
  });

  it('orders and scopes are in the IR', () => {
    const module = compileForTest(
      `kernel void k(global atomic_int *p) {
         atomic_store_explicit(p, 1, memory_order_release, memory_scope_work_group);
         atomic_fetch_add(p, 2);
         atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acquire, memory_scope_sub_group);
       }`,
      '-cl-std=CL2.0',
    );
    expect(printModule(module).match(/(atomic (store|add)|fence) .*/g)).toEqual([
      expect.stringMatching(/release work-group$/),
      expect.stringMatching(/seq_cst device : i32$/),
      'fence (global) acquire sub-group',
    ]);
  });
});

describe('mistakes', () => {
  it.each([
    [
      'reading',
      'kernel void k(global atomic_int *p, global int *q) { *q = *p; }',
      /an object of type 'atomic_int' can only be used through the atomic functions/,
    ],
    [
      'writing',
      'kernel void k(global atomic_int *p) { *p = 3; }',
      /an object of type 'atomic_int' can only be used through the atomic functions/,
    ],
    ['counting', 'kernel void k(global atomic_int *p) { (*p)++; }', /atomic_int/],
    [
      'adding',
      'kernel void k(global atomic_int *p) { *p += 1; }',
      /an object of type 'atomic_int' can only be used/,
    ],
    [
      'a parameter of a kernel',
      'kernel void k(atomic_int x) {}',
      /'atomic_int' cannot be used as the type of a kernel parameter/,
    ],
    [
      'constant memory',
      'kernel void k(constant atomic_int *p) { atomic_load(p); }',
      /no matching function for call to 'atomic_load'/,
    ],
    [
      'sums of floats',
      'kernel void k(global atomic_float *p) { atomic_fetch_add(p, 1.0f); }',
      /no matching function for call to 'atomic_fetch_add'/,
    ],
    [
      'plain integers',
      'kernel void k(global int *p) { atomic_fetch_add(p, 1); }',
      /no matching function for call to 'atomic_fetch_add'/,
    ],
    [
      'an initializer in private memory',
      'kernel void k(void) { atomic_int x = ATOMIC_VAR_INIT(3); }',
      /atomic variable can be initialized only in global memory/,
    ],
  ])('%s', (_, source, message) => {
    expect(() => compileForTest(source, '-cl-std=CL2.0')).toThrow(message);
  });

  it('hosts are told of them by their names', () => {
    const module = compileForTest('kernel void k(global atomic_long *p) {}', '-cl-std=CL2.0');
    const { info } = module.functions[0]!.parameters[0]!;
    expect(info?.typeName).toBe('atomic_long*');
    expect(info?.pointee).toEqual({ kind: 'integer', size: 8, signed: true });
  });

  it('the names are free before version 2.0', () => {
    compileForTest(
      'typedef int atomic_int; int atomic_load(atomic_int x) { return x; } kernel void k(void) { atomic_load(1); }',
    );
  });
});
