/**
 * The functions that came with OpenCL C 2.0, as lines of the table in signatures.ts; those of cl_khr_subgroups among
 * them. Programs in an older version may use these names as they like.
 */

import { enqueueNames } from './enqueue.ts';

type Line = readonly [names: string, patterns: string];

/** Names with each of the ways in which the values of a group are combined. */
function combined(...names: readonly string[]): string {
  return names.flatMap((name) => ['add', 'min', 'max'].map((way) => `${name}_${way}`)).join(' ');
}

/** Atomic functions, and their `_explicit` forms with an order, or two, and perhaps a scope. */
function atomic(names: string, pattern: string, orders = 1): Line[] {
  const order = ',i'.repeat(orders);
  const ordered = pattern.replace(')', `${order})`);
  const scoped = pattern.replace(')', `${order},i)`);
  const explicit = names
    .split(' ')
    .map((name) => `${name}_explicit`)
    .join(' ');
  return [
    [names, pattern],
    [explicit, `${ordered};${scoped}`],
  ];
}

const integers = 'iIlL';
const groupValues = `${integers}hfd`;

const workGroupLines: readonly Line[] = [
  ['work_group_barrier', '-:1 v(u);-:1 v(u,i)'],
  ['work_group_all work_group_any', '-:1 i(i)'],
  ['work_group_broadcast', [1, 2, 3].map((ids) => `${groupValues}:1 T(T${',z'.repeat(ids)})`).join(';')],
  [
    combined('work_group_reduce', 'work_group_scan_exclusive', 'work_group_scan_inclusive'),
    `${groupValues}:1 T(T)`,
  ],
];

const subGroupLines: readonly Line[] = [
  ['sub_group_barrier', '-:1 v(u);-:1 v(u,i)'],
  ['sub_group_all sub_group_any', '-:1 i(i)'],
  ['sub_group_broadcast', `${groupValues}:1 T(T,u)`],
  [
    combined('sub_group_reduce', 'sub_group_scan_exclusive', 'sub_group_scan_inclusive'),
    `${groupValues}:1 T(T)`,
  ],
  [
    'get_sub_group_size get_max_sub_group_size get_num_sub_groups get_enqueued_num_sub_groups get_sub_group_id ' +
      'get_sub_group_local_id',
    '-:1 u()',
  ],
];

/** Objects are reached through generic pointers, which the others convert to. */
const atomicLines: readonly Line[] = [
  ['atomic_init', `${integers}fd:1 v(*Gv:A,E)`],
  ['atomic_work_item_fence', '-:1 v(u,i,i)'],
  ...atomic('atomic_store', `${integers}fd:1 v(*Gv:A,E)`),
  ...atomic('atomic_load', `${integers}fd:1 E(*Gv:A)`),
  ...atomic('atomic_exchange', `${integers}fd:1 E(*Gv:A,E)`),
  ...atomic(
    'atomic_compare_exchange_strong atomic_compare_exchange_weak',
    `${integers}fd:1 b(*Gv:A,*G:E,E)`,
    2,
  ),
  ...atomic(
    'atomic_fetch_add atomic_fetch_sub atomic_fetch_or atomic_fetch_xor atomic_fetch_and atomic_fetch_min atomic_fetch_max',
    `${integers}:1 E(*Gv:A,E)`,
  ),
  ...atomic('atomic_flag_test_and_set', '-:1 b(*Gv:F)'),
  ...atomic('atomic_flag_clear', '-:1 v(*Gv:F)'),
];

export const laterSignatures: readonly Line[] = [
  // 6.13.1 work-item functions
  ['get_enqueued_local_size', '-:1 z(u)'],
  ['get_global_linear_id get_local_linear_id', '-:1 z()'],

  // 6.13.3 integer functions
  ['ctz', 'cCsSiIlL:* T(T)'],

  // 6.13.9 address space qualifier functions; to_global and its like keep the type, which resolve.ts knows
  ['get_fence', '-:1 u(*Gcv:v)'],
  ['to_global', '-:1 *g:v(*Gcv:v)'],
  ['to_local', '-:1 *l:v(*Gcv:v)'],
  ['to_private', '-:1 *p:v(*Gcv:v)'],

  // 6.13.17 enqueueing kernels; enqueue.ts has those that take blocks
  [enqueueNames.join(' '), '-:1 i(...)'],
  ['get_default_queue', '-:1 queue_t()'],
  ['create_user_event', '-:1 clk_event_t()'],
  ['retain_event release_event', '-:1 v(clk_event_t)'],
  ['is_valid_event', '-:1 b(clk_event_t)'],
  ['set_user_event_status', '-:1 v(clk_event_t,i)'],
  ['capture_event_profiling_info', '-:1 v(clk_event_t,i,*g:v)'],
  ['ndrange_1D', '-:1 ndrange_t(z);-:1 ndrange_t(z,z);-:1 ndrange_t(z,z,z)'],
  [
    'ndrange_2D ndrange_3D',
    [1, 2, 3].map((count) => `-:1 ndrange_t(${new Array(count).fill('*Gc:z').join(',')})`).join(';'),
  ],

  ...atomicLines,
  ...workGroupLines,
  ...subGroupLines,
];

/** All their names. */
export const laterNames: readonly string[] = laterSignatures.flatMap(([names]) => names.split(' '));
