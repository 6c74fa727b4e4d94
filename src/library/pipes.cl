// Pipes (OpenCL 2.0, 6.13.16): who may fill or empty which packets. The packets themselves are copied by the caller.
//
// A pipe is its memory object's bytes in global memory; docs/pipes.md has the layout, src/runtime/pipe-layout.ts the same
// for the host. Packets lie in a ring of slots. An end of the pipe is a place (a slot, and how often the ring has been gone
// round) that only moves on, by an exchange that fails if somebody else was faster. A slot's state counts: twice the round
// if it may be written, one more if it may be read. So whoever moves an end owns the slots that it passes, and commits
// each by adding one to its state. Nobody waits for anybody: a packet that is not committed yet looks like the pipe's
// end to those who come after it.

#define WORD_SLOTS 1
#define WORD_STATES 48

/** Words of the two ends, by the way: 0 writes, 1 reads. Each has a cache line of its own. */
#define WORD_OF_END(way) (16u + 16u * (way))

static bool all_ready(global uint *ring, uint slots, uint slot, uint lap, uint wanted, uint way) {
  for (uint i = 0; i < wanted; i++) {
    volatile global atomic_uint *state = (volatile global atomic_uint *)(ring + WORD_STATES + slot);
    if (atomic_load_explicit(state, memory_order_acquire) != 2u * lap + way) return false;
    if (++slot == slots) {
      slot = 0;
      lap++;
    }
  }
  return true;
}

/** Moves an end by `wanted` slots: the first of them and one, or 0 if there are not so many. */
static uint take_slots(global uint *ring, uint wanted, uint way) {
  uint slots = ring[WORD_SLOTS];
  if (wanted == 0 || wanted > slots) return 0;
  volatile global atomic_ulong *end = (volatile global atomic_ulong *)(ring + WORD_OF_END(way));
  ulong place = atomic_load_explicit(end, memory_order_acquire);
  for (;;) {
    uint slot = (uint)place;
    uint lap = (uint)(place >> 32);
    if (!all_ready(ring, slots, slot, lap, wanted, way)) {
      // Only where the end has stayed does that say something of the slots behind it.
      ulong now = atomic_load_explicit(end, memory_order_acquire);
      if (now == place) return 0;
      place = now;
      continue;
    }
    uint next = slot + wanted;
    if (next >= slots) {
      next -= slots;
      lap++;
    }
    ulong moved = (ulong)lap << 32 | next;
    if (atomic_compare_exchange_strong_explicit(end, &place, moved, memory_order_acq_rel, memory_order_acquire,
                                                memory_scope_device))
      return slot + 1;
  }
}

/** A slot that this work-item owns now, and one; 0 if there is none. */
__attribute__((noinline)) uint __millrace_pipe_take(global uint *ring, uint way) { return take_slots(ring, 1, way); }

static void pass_on(global uint *ring, uint slot) {
  volatile global atomic_uint *state = (volatile global atomic_uint *)(ring + WORD_STATES + slot);
  uint own = atomic_load_explicit(state, memory_order_relaxed);
  atomic_store_explicit(state, own + 1, memory_order_release);
}

/** The packet in a slot (and one) that was taken is whole, or has been read. */
void __millrace_pipe_pass(global uint *ring, uint slot_and_one) { pass_on(ring, slot_and_one - 1); }

/** A reservation: how many slots, and the first of them; 0 is none. */
__attribute__((noinline)) ulong __millrace_pipe_reserve(global uint *ring, uint wanted, uint way) {
  uint first = take_slots(ring, wanted, way);
  return first == 0 ? 0 : (ulong)wanted << 32 | (first - 1);
}

/** The slot of a packet of a reservation, and one; 0 if it is none of them. */
uint __millrace_pipe_slot(global uint *ring, ulong reservation, uint index) {
  if (index >= (uint)(reservation >> 32)) return 0;
  uint slots = ring[WORD_SLOTS];
  uint slot = (uint)reservation + index;
  if (slot >= slots) slot -= slots;
  return slot < slots ? slot + 1 : 0;
}

/** Its packets are whole, or have been read. */
__attribute__((noinline)) void __millrace_pipe_commit(global uint *ring, ulong reservation) {
  uint slots = ring[WORD_SLOTS];
  uint slot = (uint)reservation;
  uint count = min((uint)(reservation >> 32), slots);
  for (uint i = 0; i < count && slot < slots; i++) {
    pass_on(ring, slot);
    if (++slot == slots) slot = 0;
  }
}

/** How many packets have been written and not read: an answer that is old at once. */
uint __millrace_pipe_packets(global uint *ring) {
  // The end that is read first can only fall behind.
  ulong read = atomic_load_explicit((volatile global atomic_ulong *)(ring + WORD_OF_END(1)), memory_order_acquire);
  ulong written = atomic_load_explicit((volatile global atomic_ulong *)(ring + WORD_OF_END(0)), memory_order_acquire);
  uint slots = ring[WORD_SLOTS];
  uint laps = (uint)(written >> 32) - (uint)(read >> 32);
  ulong packets = (ulong)laps * slots + (uint)written - (uint)read;
  return packets > slots ? slots : (uint)packets;
}

uint __millrace_pipe_slots(global uint *ring) { return ring[WORD_SLOTS]; }
