// Kernels whose barriers stand in loops, branches and nests of both, with values and arrays that live across
// them. Every kernel has the same parameters: `in` and `out` hold one int a work-item, `tile` two ints a
// work-item of the group. Each writes out[gid()] and nothing else.

inline int lid(void) {
  return ((int)get_local_id(2) * (int)get_local_size(1) + (int)get_local_id(1)) * (int)get_local_size(0) + (int)get_local_id(0);
}

inline int group_items(void) {
  return (int)(get_local_size(0) * get_local_size(1) * get_local_size(2));
}

inline int gid(void) {
  int group = ((int)get_group_id(2) * (int)get_num_groups(1) + (int)get_group_id(1)) * (int)get_num_groups(0) + (int)get_group_id(0);
  return group * group_items() + lid();
}

#define PARAMETERS global const int *in, global int *out, local int *tile, int n

kernel void neighbour(PARAMETERS) {
  tile[lid()] = in[gid()];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[gid()] = tile[(lid() + 1) % group_items()];
}

kernel void two_barriers(PARAMETERS) {
  tile[lid()] = in[gid()];
  barrier(CLK_LOCAL_MEM_FENCE);
  int right = tile[(lid() + 1) % group_items()];
  barrier(CLK_LOCAL_MEM_FENCE);
  tile[lid()] = right * 3;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[gid()] = right - tile[(lid() + 2) % group_items()];
}

kernel void barrier_first(PARAMETERS) {
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  out[gid()] = in[gid()] ^ lid();
}

kernel void barrier_last(PARAMETERS) {
  out[gid()] = in[gid()] + n;
  barrier(CLK_GLOBAL_MEM_FENCE);
}

kernel void rotate_in_loop(PARAMETERS) {
  int value = in[gid()];
  for (int i = 0; i < n; i++) {
    tile[lid()] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    value = tile[(lid() + 1) % group_items()] + i;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[gid()] = value;
}

kernel void tree_sum(PARAMETERS) {
  tile[lid()] = in[gid()];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int step = 1; step < group_items(); step *= 2) {
    if (lid() % (2 * step) == 0 && lid() + step < group_items()) tile[lid()] += tile[lid() + step];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[gid()] = tile[0];
}

kernel void scan_two_buffers(PARAMETERS) {
  int from = 0;
  tile[lid()] = in[gid()];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int distance = 1; distance < group_items(); distance <<= 1) {
    int to = group_items() - from;
    int value = tile[from + lid()];
    if (lid() >= distance) value += tile[from + lid() - distance];
    tile[to + lid()] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    from = to;
  }
  out[gid()] = tile[from + lid()];
}

kernel void while_loop(PARAMETERS) {
  int value = in[gid()];
  int left = n;
  while (left > 0) {
    tile[lid()] = value + left;
    barrier(CLK_LOCAL_MEM_FENCE);
    value ^= tile[group_items() - 1 - lid()];
    left -= 2;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[gid()] = value;
}

kernel void do_while_loop(PARAMETERS) {
  int value = in[gid()];
  int round = 0;
  do {
    tile[lid()] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    value = tile[(lid() + round) % group_items()] * 2 + 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    round++;
  } while (round < n);
  out[gid()] = value;
}

kernel void loop_with_uniform_break(PARAMETERS) {
  int value = in[gid()];
  for (int i = 0;; i++) {
    tile[lid()] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i == n) break;
    value += tile[(lid() + 3) % group_items()];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[gid()] = value + tile[0];
}

kernel void loop_with_uniform_continue(PARAMETERS) {
  int value = in[gid()];
  for (int i = 0; i < n + 3; i++) {
    if (i & 1) continue;
    tile[lid()] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    value = value * 5 - tile[(lid() + i) % group_items()];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[gid()] = value;
}

kernel void break_on_shared_value(PARAMETERS) {
  int value = in[gid()] & 15;
  for (int i = 0; i < 20; i++) {
    tile[lid()] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    int first = tile[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (first > 40) break;
    value += 7 + (lid() & 1);
  }
  out[gid()] = value;
}

kernel void nested_loops(PARAMETERS) {
  int value = in[gid()];
  for (int i = 0; i < n; i++) {
    int outer = value + i;
    for (int j = 0; j <= i; j++) {
      tile[lid()] = value + j;
      barrier(CLK_LOCAL_MEM_FENCE);
      value += tile[(lid() + j + 1) % group_items()];
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    value -= outer;
  }
  out[gid()] = value;
}

kernel void nested_loops_outer_barrier(PARAMETERS) {
  int value = in[gid()];
  for (int i = 0; i < n; i++) {
    int sum = 0;
    for (int j = 0; j < (lid() & 3) + 1; j++) sum += value * j + 1;
    tile[lid()] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    value = tile[(lid() + 1) % group_items()];
    for (int j = 0; j < (value & 3); j++) value += lid();
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[gid()] = value;
}

kernel void uniform_branch(PARAMETERS) {
  int value = in[gid()];
  if (n > 3) {
    tile[lid()] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    value = tile[(lid() + 1) % group_items()];
  } else {
    value = -value;
  }
  out[gid()] = value;
}

kernel void uniform_branch_both_sides(PARAMETERS) {
  int value = in[gid()];
  if (get_group_id(0) % 2 == 0) {
    tile[lid()] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    value = tile[(lid() + 1) % group_items()];
  } else {
    tile[lid()] = value * 2;
    barrier(CLK_LOCAL_MEM_FENCE);
    value = tile[(lid() + 2) % group_items()];
    barrier(CLK_LOCAL_MEM_FENCE);
    tile[lid()] = value;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[gid()] = value + tile[0];
}

kernel void branch_in_loop(PARAMETERS) {
  int value = in[gid()];
  for (int i = 0; i < n + 2; i++) {
    if (i % 3 == 1) {
      tile[lid()] = value;
      barrier(CLK_LOCAL_MEM_FENCE);
      value += tile[(lid() + i) % group_items()];
      barrier(CLK_LOCAL_MEM_FENCE);
    } else {
      value = value * 3 + lid();
    }
  }
  out[gid()] = value;
}

kernel void loop_in_branch(PARAMETERS) {
  int value = in[gid()];
  if (n != 0) {
    for (int i = 0; i < n; i++) {
      tile[lid()] = value;
      barrier(CLK_LOCAL_MEM_FENCE);
      value = tile[(lid() + 1) % group_items()] + value;
      barrier(CLK_LOCAL_MEM_FENCE);
    }
  }
  out[gid()] = value;
}

kernel void divergent_work_between(PARAMETERS) {
  int value = in[gid()];
  if (lid() & 1) {
    value *= 7;
    if (value > 100) value -= 50;
  } else {
    for (int i = 0; i < lid(); i++) value += i;
  }
  tile[lid()] = value;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (lid() > 2) value += tile[lid() - 2];
  out[gid()] = value;
}

kernel void array_across(PARAMETERS) {
  int history[8];
  for (int i = 0; i < 8; i++) history[i] = in[gid()] + i * lid();
  tile[lid()] = history[n & 7];
  barrier(CLK_LOCAL_MEM_FENCE);
  int sum = tile[(lid() + 1) % group_items()];
  for (int i = 0; i < 8; i++) sum += history[(i + lid()) & 7] * i;
  out[gid()] = sum;
}

kernel void array_filled_in_loop(PARAMETERS) {
  int seen[6];
  int value = in[gid()];
  for (int i = 0; i < 6; i++) {
    tile[lid()] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    seen[i] = tile[(lid() + i) % group_items()];
    value = seen[i] + 1;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  int result = 0;
  for (int i = 0; i < 6; i++) result = result * 3 + seen[(i + lid()) % 6];
  out[gid()] = result;
}

kernel void pointer_into_array_across(PARAMETERS) {
  int pair[2];
  pair[0] = in[gid()];
  pair[1] = lid();
  int *where = &pair[lid() & 1];
  tile[lid()] = *where;
  barrier(CLK_LOCAL_MEM_FENCE);
  *where += tile[(lid() + 1) % group_items()];
  out[gid()] = pair[0] * 31 + pair[1];
}

typedef struct { int count; float weight; int2 position; } State;

kernel void struct_across(PARAMETERS) {
  State state;
  state.count = in[gid()];
  state.weight = 0.5f * lid();
  state.position = (int2)(lid(), n);
  tile[lid()] = state.count;
  barrier(CLK_LOCAL_MEM_FENCE);
  state.count += tile[(lid() + 1) % group_items()];
  state.position += tile[0];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[gid()] = state.count + (int)(state.weight * 4.0f) + state.position.x * 3 + state.position.y;
}

kernel void vectors_across(PARAMETERS) {
  int4 v = (int4)(in[gid()], lid(), n, 1);
  float2 f = (float2)(lid(), 0.25f);
  tile[lid()] = v.x;
  barrier(CLK_LOCAL_MEM_FENCE);
  v.yw += tile[(lid() + 1) % group_items()];
  f *= 2.0f;
  barrier(CLK_LOCAL_MEM_FENCE);
  v = v.wzyx;
  out[gid()] = v.x + v.y * 3 + v.z * 5 + v.w * 7 + (int)(f.x + f.y * 8.0f);
}

kernel void long_and_small_values_across(PARAMETERS) {
  long wide = (long)in[gid()] << 33;
  uchar narrow = (uchar)(in[gid()] * 3);
  short middle = (short)(lid() * -700);
  bool flag = in[gid()] & 1;
  tile[lid()] = narrow;
  barrier(CLK_LOCAL_MEM_FENCE);
  narrow += (uchar)tile[(lid() + 1) % group_items()];
  out[gid()] = (int)(wide >> 31) + narrow + middle + (flag ? 1000 : 0);
}

kernel void static_local(PARAMETERS) {
  local int mine[64];
  local int total;
  if (lid() == 0) total = 0;
  mine[lid() & 63] = lid();
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&total, in[gid()]);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[gid()] = total + mine[lid() & 63];
}

kernel void local_counters(PARAMETERS) {
  local int bins[16];
  for (int i = lid(); i < 16; i += group_items()) bins[i] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_inc(&bins[in[gid()] & 15]);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[gid()] = bins[lid() & 15];
}

inline int exchange(local int *tile, int value, int distance) {
  tile[lid()] = value;
  barrier(CLK_LOCAL_MEM_FENCE);
  int other = tile[(lid() + distance) % group_items()];
  barrier(CLK_LOCAL_MEM_FENCE);
  return other;
}

kernel void barrier_in_function(PARAMETERS) {
  int value = in[gid()];
  value += exchange(tile, value, 1);
  value -= exchange(tile, value * 2, 3);
  out[gid()] = value;
}

int sum_until(local int *tile, int value, int limit) {
  for (int i = 0; i < 10; i++) {
    value += exchange(tile, value & 7, i);
    if (i == limit) return value;
  }
  return -value;
}

kernel void early_return_in_function(PARAMETERS) {
  int value = sum_until(tile, in[gid()], n);
  out[gid()] = value + sum_until(tile, lid(), 20);
}

kernel void uniform_early_return(PARAMETERS) {
  out[gid()] = in[gid()];
  if (get_group_id(0) == 1 || n == 0) return;
  tile[lid()] = in[gid()];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[gid()] = tile[(lid() + 1) % group_items()];
}

kernel void uniform_switch(PARAMETERS) {
  int value = in[gid()];
  switch (n & 3) {
    case 0:
      value = 1;
      break;
    case 1:
      tile[lid()] = value;
      barrier(CLK_LOCAL_MEM_FENCE);
      value = tile[(lid() + 1) % group_items()];
      // falls through
    case 2:
      value *= 2;
      break;
    default:
      tile[lid()] = value + 1;
      barrier(CLK_LOCAL_MEM_FENCE);
      value = tile[(lid() + 2) % group_items()];
  }
  out[gid()] = value;
}

kernel void switch_in_loop(PARAMETERS) {
  int value = in[gid()];
  for (int i = 0; i < 7; i++) {
    switch ((i + n) % 4) {
      case 0:
        tile[lid()] = value;
        barrier(CLK_LOCAL_MEM_FENCE);
        value = tile[(lid() + 1) % group_items()];
        barrier(CLK_LOCAL_MEM_FENCE);
        break;
      case 1:
        value += i;
        continue;
      case 2:
        value ^= lid();
      default:
        value++;
    }
    value *= 3;
  }
  out[gid()] = value;
}

kernel void varying_loop_inside_region(PARAMETERS) {
  int value = in[gid()];
  int steps = 0;
  while (value > 3 && steps < 50) {
    value = (value & 1) ? (value * 3 + 1) & 1023 : value / 2;
    steps++;
  }
  tile[lid()] = steps;
  barrier(CLK_LOCAL_MEM_FENCE);
  int most = 0;
  for (int i = 0; i < group_items(); i++) most = max(most, tile[i]);
  out[gid()] = most * 100 + steps;
}

kernel void loop_carried_swap(PARAMETERS) {
  int a = in[gid()], b = lid(), c = n;
  for (int i = 0; i < n; i++) {
    tile[lid()] = a;
    barrier(CLK_LOCAL_MEM_FENCE);
    int t = a;
    a = b + tile[(lid() + 1) % group_items()];
    b = c;
    c = t;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[gid()] = a * 7 + b * 3 + c;
}

kernel void global_memory_barrier(PARAMETERS) {
  out[gid()] = in[gid()] * 2;
  barrier(CLK_GLOBAL_MEM_FENCE);
  int base = gid() - lid();
  int other = out[base + (lid() + 1) % group_items()];
  barrier(CLK_GLOBAL_MEM_FENCE);
  out[gid()] = other;
}

kernel void bitonic_group(PARAMETERS) {
  tile[lid()] = in[gid()];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int size = 2; size <= group_items(); size <<= 1) {
    for (int stride = size >> 1; stride > 0; stride >>= 1) {
      int partner = lid() ^ stride;
      if (partner > lid() && partner < group_items()) {
        bool up = (lid() & size) == 0;
        int a = tile[lid()], b = tile[partner];
        if ((a > b) == up) {
          tile[lid()] = b;
          tile[partner] = a;
        }
      }
      barrier(CLK_LOCAL_MEM_FENCE);
    }
  }
  out[gid()] = tile[lid()];
}

kernel void pointers_across(PARAMETERS) {
  global const int *source = in + gid();
  local int *slot = tile + lid();
  *slot = *source;
  barrier(CLK_LOCAL_MEM_FENCE);
  local int *other = tile + (lid() + 1) % group_items();
  int value = *other;
  barrier(CLK_LOCAL_MEM_FENCE);
  *slot = value + *source;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[gid()] = *other + *slot;
}

kernel void three_levels(PARAMETERS) {
  int value = in[gid()];
  for (int i = 0; i < 2; i++) {
    if (n > i) {
      for (int j = 0; j < 2; j++) {
        if (j == 1) {
          tile[lid()] = value;
          barrier(CLK_LOCAL_MEM_FENCE);
          value += tile[(lid() + i + 1) % group_items()];
          barrier(CLK_LOCAL_MEM_FENCE);
        }
        value += j * lid();
      }
    }
    value ^= i;
  }
  out[gid()] = value;
}

kernel void conditional_expression_values(PARAMETERS) {
  int value = in[gid()];
  int chosen = lid() % 3 == 0 ? value * 2 : value - lid();
  tile[lid()] = chosen;
  barrier(CLK_LOCAL_MEM_FENCE);
  int again = (lid() & 1) && tile[0] > 5 ? chosen : tile[lid() ? lid() - 1 : 0];
  out[gid()] = again;
}

kernel void do_while_shared_condition(PARAMETERS) {
  local int again;
  int value = in[gid()] & 255;
  int rounds = 0;
  do {
    if (lid() == 0) again = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    value = value / 2;
    rounds++;
    if (value > 0) again = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    int more = again;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (!more) break;
  } while (rounds < 20);
  out[gid()] = rounds * 1000 + value;
}

kernel void ids_across(PARAMETERS) {
  size_t x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  tile[lid()] = (int)(x + 10 * y + 100 * z);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[gid()] = tile[(lid() + 1) % group_items()] * 2 + (int)(x * 3 + y * 5 + z * 7) + (int)get_global_size(0) + in[gid()] * 0;
}
