// Pipes (OpenCL 2.0, 6.13.16): who may fill or empty which packets. The packets themselves are copied by the caller.
//
// A pipe is its memory object's bytes in global memory; docs/pipes.md has the layout, src/runtime/pipe-layout.ts the same
// for the host. Packets lie in a ring of slots. An end of the pipe is a place (a slot, and how often the ring has been gone
// round) that only moves on, by an exchange that fails if somebody else was faster. A slot's state counts: twice the round
// if it may be written, one more if it may be read. So whoever moves an end owns the slots that it passes, and commits
// each by adding one to its state. Nobody waits for anybody: a packet that is not committed yet looks like the pipe's
// end to those who come after it.
//
// A place is one word, as not every device has atomics of 64 bits: as many of its bits as a slot needs are the slot, the others count
// rounds, and begin again at 0 when they overflow. There are at least four rounds, as memory has 2^32 bytes.

#define WORD_SLOTS 1
#define WORD_STATES 48

/** Words of the two ends, by the way: 0 writes, 1 reads. Each has a cache line of its own. */
#define WORD_OF_END(way) (16u + 16u * (way))

/** Bits of a slot in a place: 1 to 30. */
static uint slot_bits(uint slots) { return slots <= 2 ? 1u : 32u - clz(slots - 1); }

static bool all_ready(global uint *ring, uint slots, uint slot, uint lap, uint wanted, uint way) {
  // A state counts one bit further than rounds do.
  uint mask = 0xffffffffu >> (slot_bits(slots) - 1);
  for (uint i = 0; i < wanted; i++) {
    volatile global atomic_uint *state = (volatile global atomic_uint *)(ring + WORD_STATES + slot);
    uint now = atomic_load_explicit(state, memory_order_acquire);
    if (((now - (2u * lap + way)) & mask) != 0) return false;
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
  uint bits = slot_bits(slots);
  volatile global atomic_uint *end = (volatile global atomic_uint *)(ring + WORD_OF_END(way));
  uint place = atomic_load_explicit(end, memory_order_acquire);
  for (;;) {
    uint slot = place & ((1u << bits) - 1);
    uint lap = place >> bits;
    if (!all_ready(ring, slots, slot, lap, wanted, way)) {
      // Only where the end has stayed does that say something of the slots behind it.
      uint now = atomic_load_explicit(end, memory_order_acquire);
      if (now == place) return 0;
      place = now;
      continue;
    }
    uint next = slot + wanted;
    if (next >= slots) {
      next -= slots;
      lap++;
    }
    uint moved = lap << bits | next;
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
  uint read = atomic_load_explicit((volatile global atomic_uint *)(ring + WORD_OF_END(1)), memory_order_acquire);
  uint written = atomic_load_explicit((volatile global atomic_uint *)(ring + WORD_OF_END(0)), memory_order_acquire);
  uint slots = ring[WORD_SLOTS];
  uint bits = slot_bits(slots);
  uint laps = ((written >> bits) - (read >> bits)) & (0xffffffffu >> bits);
  uint mask = (1u << bits) - 1;
  // In 64 bits: where an end has been overtaken meanwhile, there are more rounds than packets.
  ulong packets = (ulong)laps * slots + (written & mask) - (read & mask);
  return packets > slots ? slots : (uint)packets;
}

uint __millrace_pipe_slots(global uint *ring) { return ring[WORD_SLOTS]; }
