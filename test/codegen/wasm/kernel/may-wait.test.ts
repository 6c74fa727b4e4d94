/** Which kernels may wait for what other groups do meanwhile, and so are not fused. */
import { expect, it } from 'vitest';
import { findFusion } from '../../../../src/codegen/wasm/kernel/work-group-fusion.ts';
import { compileModule } from '../../../../src/codegen/wasm/module/compile-module.ts';
import { optimise } from '../../../../src/passes/pipeline.ts';
import { compileForTest } from '../../../support/run-kernel.ts';

it.each([
  ['an atomic in a loop', 'while (atomic_add(flag, 0) < n) ;', true],
  ['a volatile load in a loop', 'while (*flag < n) ;', true],
  ['a fence in a loop', 'while (*plain < n) mem_fence(CLK_GLOBAL_MEM_FENCE);', true],
  ['a loop in a function', 'wait(flag, n);', true],
  ['a function in a loop', 'while (look(flag) != n) ;', true],
  [
    'a flag that another work-item looks at',
    `
    local int seen;
    do {
      if (get_local_id(0) == 0) seen = atomic_or(flag, 0);
      barrier(CLK_LOCAL_MEM_FENCE);
    } while (seen != n);`,
    true,
  ],
  [
    'one that is put down under a condition',
    `
    own[0] = 0;
    do {
      if (get_local_id(0) == 0 && atomic_or(flag, 0) == n) own[0] = 1;
      barrier(CLK_LOCAL_MEM_FENCE);
    } while (own[0] == 0);`,
    true,
  ],
  ['a lock', 'while (atomic_cmpxchg(flag, 0, 1) != 0) ;', true],
  [
    'a lock that is looked at before',
    `
    int old;
    do old = *flag & ~1; while (atomic_cmpxchg(flag, old, old | 1) != old);`,
    true,
  ],
  [
    'a lock that is looked at by a plain load',
    `
    int old;
    do old = *plain; while ((old & 1) != 0 || atomic_cmpxchg(plain, old, old | 1) != old);`,
    true,
  ],
  [
    'a compare-exchange that tries again, of what is no other memory',
    `
    int old;
    do old = *plain; while (atomic_cmpxchg(plain, old, max(old, n)) != old);`,
    false,
  ],
  [
    'rows that end where memory says, and atomics elsewhere',
    'for (int i = plain[n]; i < plain[n + 1]; i++) atomic_inc(&flag[i]);',
    false,
  ],
  [
    'sums along rows that end where memory says',
    `
    for (int i = plain[n]; i < plain[n + 1]; i++) {
      global int *sum = plain + 100 + plain[200 + i];
      int old;
      do old = *sum; while (atomic_cmpxchg(sum, old, as_int(as_float(old) + 0.5f)) != old);
    }`,
    false,
  ],
  [
    'a compare-exchange that tries again',
    `
    int old;
    do old = *flag; while (atomic_cmpxchg(flag, old, old * n) != old);`,
    false,
  ],
  [
    'such loops in a loop',
    `
    for (int i = 0; i < n; i++) {
      volatile global float *sum = (volatile global float *)flag + plain[i];
      float old;
      do old = *sum;
      while (atomic_cmpxchg((volatile global int *)sum, as_int(old), as_int(old + 0.5f)) != as_int(old));
    }`,
    false,
  ],
  [
    'one that goes on with what it has found',
    `
    int old = *plain, found;
    while ((found = atomic_cmpxchg(flag, old, old * n)) != old) old = found;`,
    true,
  ],
  ['a histogram', 'for (int i = 0; i < n; i++) atomic_inc(&flag[plain[i]]);', false],
  [
    'places that atomics give away',
    `
    for (int i = get_global_id(0); i < n; i += 64) {
      int at = atomic_inc(flag);
      if (at < 100) plain[at] = i;
    }`,
    false,
  ],
  ['an atomic', 'atomic_inc(flag);', false],
  ['atomics in local memory', 'for (int i = 0; i < n; i++) atomic_inc(&own[plain[i]]);', false],
  ['a loop', 'for (int i = 0; i < n; i++) plain[i] += n;', false],
])('asked about %s', (_, body, expected) => {
  const module = compileForTest(`
int look(volatile global int *flag) { return *flag; }
void wait(volatile global int *flag, int n) { while (atomic_or(flag, 0) != n) ; }
kernel void test(volatile global int *flag, global int *plain, int n, local int *own) { ${body} }`);
  optimise(module, { inlineLimit: 0 });
  const { kernels } = compileModule(module, { shared: true });
  expect(kernels[0]!.mayWait).toBe(expected);
});

it.each([
  ['nothing', '', true],
  ['a helper that waits', 'wait(flag, i);', false],
  ['a helper that looks', 'if (look(flag) == i) plain[i] = 1;', true],
])('fuses groups through a loop with barriers and %s', (_, body, expected) => {
  const module = compileForTest(`
int look(volatile global int *flag) { return *flag; }
void wait(volatile global int *flag, int n) { while (*flag < n) ; }
kernel void test(volatile global int *flag, global int *plain, int n) {
  local int tile[4][4];
  int x = get_local_id(0), y = get_local_id(1), sum = 0;
  for (int i = 0; i < n; i++) {
    tile[y][x] = plain[(i + y) * n + get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 4; k++) sum += tile[k][x];
    ${body}
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  plain[get_global_id(1) * n + get_global_id(0)] = sum;
}`);
  optimise(module, { inlineLimit: 0 });
  const kernel = module.functions.find(({ kind }) => kind === 'kernel')!;
  expect(findFusion(kernel) !== undefined).toBe(expected);
});
