// What checked kernels call at their accesses to shared memory (src/tools/check): who wrote and read each granule of it last.
//
// A granule is the smallest piece that the kernel accesses at once: 1, 2 or 4 bytes, in local memory maybe others than in global. Each has a cell of four words in shadow
// memory: by whom it was written last and when, by whom it was read last and when. Time is counted in epochs: one begins with
// every work-group, and with every barrier of a group. Groups run one after another here, so two accesses are ordered if
// the earlier one's epoch is before the group's current phase and not before the group; or if one work-item makes both.
//
//     who: work-item in its group (13 bits) | site (15 bits) | flags (4 bits)
//
// src/tools/check/shadow-layout.ts has the same numbers for the host.

// Each epoch has a zero in the word before it, so that both together are a number that compares with half a cell: below.
#define EPOCH 1
#define GROUP 3
#define PHASE_LOCAL 5
#define LAUNCH 7
#define PHASE_GLOBAL 9
#define SHIFT 10
#define PAGES 11
#define ARRIVED 12
#define ITEMS 13
#define GROUP_EPOCHS 14
#define ARRIVALS 15
#define RANGES 16
#define RANGE_COUNT 17
#define OTHER_WHO 18
#define OTHER_EPOCH 19
#define PLACE 20
#define OLD_VALUE 21
#define COPIES 22
#define COPY_RECORDS 23
#define NEW_VALUE 24
#define GROUP_NUMBER 26
#define BARRIERS 27
#define STEPS 28
#define DIFFERS 29
// SHIFT and PAGES are those of global memory. A group's local memory has its cells in one piece; LOCAL_CELLS is where that of
// address 0 would be.
#define LOCAL_SHIFT 30
#define LOCAL_CELLS 31
#define LOCAL_START 32
#define LOCAL_BYTES 33
// The counter of the granules that the group has not written yet, of the object of local memory that is being written.
#define LEFT_AT 34
// What work-items that have come to the barrier want it to order, where its flags are no constant: any of them.
#define FENCED 35
// The table of the pages that say of each byte whether it is undefined, or 0; and whether the launch has stored such bytes.
#define UNDEFINED_PAGES 64
#define HAS_UNDEFINED 65
// Where it is noted who asked barriers for what, or 0 in kernels all of whose barriers have constant flags.
#define FENCES 66

// Words of a cell.
#define WRITER 0
#define WRITTEN 1
#define READER 2
#define SEEN 3

#define SITE_SHIFT 4
#define ITEM_SHIFT 19

// Flags of the last write. ATOMIC without CHANGED: the group has written otherwise before, which a barrier has ordered for it.
#define CHANGED 1u
#define ATOMIC 2u
#define SEVERAL_GROUPS 4u
// Without ATOMIC the same bit is another flag: a copy has stored bytes that are undefined. The pages say which.
#define PARTIAL 4u
// Of the last write or read: several work-items of the group, since its last barrier.
#define SEVERAL 8u

// What is found; src/tools/check/codes.ts has the words.
#define NOTHING 0u
#define WRITE_WRITE 1u
#define READ_WRITE 2u
#define WRITE_READ 3u
#define UNWRITTEN 4u

// The epoch of granules of global memory of which some bytes were undefined when the launch began. The pages say which.
#define NEVER 1u

static global uint *words_at(uint address) { return (global uint *)(size_t)address; }

static uint shift_of(global uint *state, uint is_local) { return state[is_local ? LOCAL_SHIFT : SHIFT]; }

// The cell of an address, or null where nobody watches.
static global uint *global_cell(global uint *state, uint address, uint shift) {
  uint page = words_at(state[PAGES])[address >> 16];
  return page == 0 ? (global uint *)0 : words_at(page + ((address & 0xffffu) >> shift) * 16u);
}

static global uint *local_cell(global uint *state, uint address, uint shift) {
  if (address - state[LOCAL_START] >= state[LOCAL_BYTES]) return (global uint *)0;
  return words_at(state[LOCAL_CELLS] + (address >> shift) * 16u);
}

static global uint *cell_of(global uint *state, uint address, uint is_local) {
  return is_local ? local_cell(state, address, state[LOCAL_SHIFT]) : global_cell(state, address, state[SHIFT]);
}

static uint cells_of(uint address, uint bytes, uint shift) {
  uint mask = (1u << shift) - 1u;
  return ((address & mask) + bytes + mask) >> shift;
}

static uint other(global uint *state, uint found, uint who, uint epoch, uint place) {
  state[OTHER_WHO] = who;
  state[OTHER_EPOCH] = epoch;
  state[PLACE] = place;
  return found;
}

// Where the flags of barriers differ, each work-item's own order its accesses (OpenCL 1.2, 6.12.8). PHASE_LOCAL and PHASE_GLOBAL then stay at
// barriers that not all have asked for a fence, and for each work-item it is noted which barrier it asked last. What all have asked for until
// the barrier that comes; the last barriers that any has asked for a fence of local and global memory; how many readers are listed.
#define FENCED_BY_ALL 0
#define ANY_LOCAL 1
#define ANY_GLOBAL 2
#define LISTED 3
#define FENCES_OF_ITEMS 4
// Three words for each work-item: its flags at the barrier that comes, the last barrier that it asked for each memory. Then three for each of
// the readers that a cell has no room for: the cell, who, when.
#define MOST_ITEMS 4096u
#define READERS (FENCES_OF_ITEMS + 3u * MOST_ITEMS)
#define MOST_READERS 4096u

static bool is_other(uint a, uint b) { return (a ^ b) >> ITEM_SHIFT != 0; }

static bool of_several_groups(uint writer) { return (writer & (ATOMIC | SEVERAL_GROUPS)) == (ATOMIC | SEVERAL_GROUPS); }

static bool is_partial(uint writer) { return (writer & (ATOMIC | PARTIAL)) == PARTIAL; }

// Where the pages say whether a byte is undefined; null where none does.
static global uchar *undefined_at(global uint *state, uint address) {
  uint table = state[UNDEFINED_PAGES];
  uint page = table == 0 ? 0 : words_at(table)[address >> 16];
  return page == 0 ? (global uchar *)0 : (global uchar *)(size_t)(page + (address & 0xffffu));
}

// Whether some of the bytes of a granule are undefined; where there are no pages, all are that nobody has written.
static bool has_undefined(global uint *state, uint address, uint bytes) {
  for (uint at = address; at < address + bytes; at++) {
    global uchar *byte = undefined_at(state, at);
    if (byte == 0 || *byte) return true;
  }
  return false;
}

// Whether the cell says that bytes of its granule may be undefined: never written, or copied so.
static bool may_be_undefined(global uint *state, global uint *cell, uint is_local) {
  uint written = cell[WRITTEN];
  if (is_local ? written < state[GROUP] : written == NEVER) return true;
  return written >= state[is_local ? GROUP : LAUNCH] && is_partial(cell[WRITER]);
}

// Whether some of the bytes, which lie in the cell's granule, are undefined.
static bool is_undefined(global uint *state, global uint *cell, uint address, uint bytes, uint is_local) {
  if (!may_be_undefined(state, cell, is_local)) return false;
  return (is_local && cell[WRITTEN] < state[GROUP]) || has_undefined(state, address, bytes);
}

// A read of what is undefined; the other party is the copy that stored it, 0 if it was never written.
static uint undefined_read(global uint *state, global uint *cell, uint place, uint is_local) {
  bool is_copied = cell[WRITTEN] >= state[is_local ? GROUP : LAUNCH] && is_partial(cell[WRITER]);
  return other(state, UNWRITTEN, is_copied ? cell[WRITER] : 0, is_copied ? cell[WRITTEN] : 0, place);
}

// Whether who made an access in an epoch of this group has asked for a fence since. Of several at once nobody knows which; that any has is
// enough, which errs on the side of silence.
static bool was_fenced(global uint *state, uint who, uint epoch, uint is_local) {
  uint item = who >> ITEM_SHIFT;
  if (state[FENCES] == 0 || epoch < state[GROUP] || item >= MOST_ITEMS) return false;
  global uint *fences = words_at(state[FENCES]);
  if (who & SEVERAL) return epoch < fences[is_local ? ANY_LOCAL : ANY_GLOBAL];
  return epoch < fences[FENCES_OF_ITEMS + 3u * item + (is_local ? 1u : 2u)];
}

// A read behind one that the cell knows of, since the last barrier that all have asked for a fence.
static void read_again(global uint *state, global uint *cell, uint who) {
  uint reader = cell[READER];
  bool is_alone = !(reader & SEVERAL) && !is_other(reader, who);
  if (is_other(reader, who)) cell[READER] = reader | SEVERAL;
  if (state[FENCES] == 0) return;
  if (is_alone) {
    cell[SEEN] = state[EPOCH];
    return;
  }
  global uint *fences = words_at(state[FENCES]);
  uint count = fences[LISTED];
  uint place = (uint)(size_t)cell;
  global uint *last = fences + READERS + 3u * (count - 1u);
  if (count != 0 && last[0] == place && !is_other(last[1], who)) {
    last[2] = state[EPOCH];
  } else if (count < MOST_READERS) {
    fences[LISTED] = count + 1u;
    last[3] = place;
    last[4] = who;
    last[5] = state[EPOCH];
  }
}

// Whether another work-item than `who` is among the readers of a cell and has not asked for a fence since. It is then what the cell names.
static bool has_unfenced_reader(global uint *state, global uint *cell, uint who, uint is_local) {
  uint reader = cell[READER];
  uint first = reader & ~SEVERAL;
  if (is_other(reader, who) && !was_fenced(state, first, cell[SEEN], is_local)) return true;
  if (!(reader & SEVERAL)) return false;
  global uint *fences = words_at(state[FENCES]);
  for (uint each = 0; each < fences[LISTED]; each++) {
    global uint *entry = fences + READERS + 3u * each;
    if (entry[0] != (uint)(size_t)cell || !is_other(entry[1], who)) continue;
    if (was_fenced(state, entry[1], entry[2], is_local)) continue;
    cell[READER] = entry[1] | SEVERAL;
    cell[SEEN] = entry[2];
    return true;
  }
  return false;
}

uint __millrace_check_read(global uint *state, uint address, uint bytes, uint who, uint is_local) {
  global uint *cell = cell_of(state, address, is_local);
  if (cell == 0) return NOTHING;
  uint launch = state[LAUNCH];
  uint group = state[GROUP];
  uint phase = state[is_local ? PHASE_LOCAL : PHASE_GLOBAL];
  uint epoch = state[EPOCH];
  uint shift = shift_of(state, is_local);
  if (bytes == 1u << shift) {
    // Mostly nobody has written since the last barrier, and all that is to be done is to note the read.
    uint written = cell[WRITTEN];
    if (is_local ? written >= group && written < phase && !is_partial(cell[WRITER]) : written < launch && written != NEVER) {
      uint seen = cell[SEEN];
      if (seen >= phase) {
        read_again(state, cell, who);
      } else if (is_local || seen < launch || seen >= group) {
        cell[SEEN] = epoch;
        cell[READER] = who;
      }
      return NOTHING;
    }
  }
  uint found = NOTHING;
  uint place = address;
  for (uint count = cells_of(address, bytes, shift); count != 0; count--, cell += 4, place += 1u << shift) {
    uint written = cell[WRITTEN];
    if (is_undefined(state, cell, place, min(1u << shift, address + bytes - place), is_local))
      found = undefined_read(state, cell, place, is_local);
    // What is of another group is never written to this one.
    if (written >= (is_local ? group : launch) && (cell[WRITER] & (CHANGED | ATOMIC))) {
      uint writer = cell[WRITER];
      if (written < group || of_several_groups(writer) ||
          (written >= phase && (is_other(writer, who) || (writer & SEVERAL)) && !was_fenced(state, writer, written, is_local)))
        found = other(state, WRITE_READ, writer, written, place);
    }
    uint seen = cell[SEEN];
    if (seen < launch || (seen >= group && seen < phase)) {
      cell[SEEN] = epoch;
      cell[READER] = who;
    } else if (is_local && seen < group) {
      cell[SEEN] = epoch;
      cell[READER] = who;
    } else if (seen >= phase) {
      read_again(state, cell, who);
    }
  }
  return found;
}

static bool was_read(global uint *state, global uint *cell, uint who, uint launch, uint phase, uint is_local) {
  uint seen = cell[SEEN];
  uint reader = cell[READER];
  if (seen < launch) return false;
  if (seen < state[GROUP]) return true;
  if (seen < phase || !(is_other(reader, who) || (reader & SEVERAL))) return false;
  return state[FENCES] == 0 || has_unfenced_reader(state, cell, who, is_local);
}

static uint write_cell(global uint *state, global uint *cell, uint place, bool changes, uint who, uint is_local) {
  uint launch = is_local ? state[GROUP] : state[LAUNCH];
  uint group = state[GROUP];
  uint phase = state[is_local ? PHASE_LOCAL : PHASE_GLOBAL];
  uint written = cell[WRITTEN];
  uint found = NOTHING;
  bool is_defined = written >= launch && is_partial(cell[WRITER]);
  // Of the first write of a group to its local memory nobody can say that it changes nothing.
  if (is_local) {
    if (written < group) {
      changes = true;
      --*words_at(state[LEFT_AT]);
    }
  } else if (written == NEVER) {
    changes = true;
  }
  if (written >= launch) {
    uint writer = cell[WRITER];
    bool is_foreign = written < group || of_several_groups(writer) ||
                      (written >= phase && (is_other(writer, who) || (writer & SEVERAL)) &&
                       !was_fenced(state, writer, written, is_local));
    if (is_foreign && (changes || (writer & ATOMIC))) found = other(state, WRITE_WRITE, writer, written, place);
  }
  if (changes && was_read(state, cell, who, launch, phase, is_local))
    found = other(state, READ_WRITE, cell[READER], cell[SEEN], place);
  if (changes || written < launch) {
    cell[WRITTEN] = state[EPOCH];
    cell[WRITER] = who | (changes ? CHANGED : 0u);
  } else if (is_defined) {
    cell[WRITER] &= ~PARTIAL;
  }
  return found;
}

uint __millrace_check_write1(global uint *state, uint address, uint value, uint who, uint is_local) {
  global uint *cell = cell_of(state, address, is_local);
  if (cell == 0) return NOTHING;
  uint before = *(global uchar *)(size_t)address;
  uint found = write_cell(state, cell, address, before != (value & 0xffu), who, is_local);
  if (found) {
    state[OLD_VALUE] = before;
    state[NEW_VALUE] = value & 0xffu;
  }
  return found;
}

uint __millrace_check_write2(global uint *state, uint address, uint value, uint who, uint is_local) {
  global uint *cell = cell_of(state, address, is_local);
  if (cell == 0) return NOTHING;
  if (shift_of(state, is_local) == 0) {
    uint low = __millrace_check_write1(state, address, value, who, is_local);
    uint high = __millrace_check_write1(state, address + 1, value >> 8, who, is_local);
    return high ? high : low;
  }
  uint before = *(global ushort *)(size_t)address;
  uint found = write_cell(state, cell, address, before != (value & 0xffffu), who, is_local);
  if (found) {
    state[OLD_VALUE] = before;
    state[NEW_VALUE] = value & 0xffffu;
  }
  return found;
}

uint __millrace_check_write4(global uint *state, uint address, uint value, uint who, uint is_local) {
  global uint *cell = cell_of(state, address, is_local);
  if (cell == 0) return NOTHING;
  if (shift_of(state, is_local) != 2) {
    uint low = __millrace_check_write2(state, address, value, who, is_local);
    uint high = __millrace_check_write2(state, address + 2, value >> 16, who, is_local);
    return high ? high : low;
  }
  uint before = *words_at(address);
  uint found = write_cell(state, cell, address, before != value, who, is_local);
  if (found) {
    state[OLD_VALUE] = before;
    state[NEW_VALUE] = value;
  }
  return found;
}

uint __millrace_check_write8(global uint *state, uint address, ulong value, uint who, uint is_local) {
  uint low = __millrace_check_write4(state, address, (uint)value, who, is_local);
  uint high = __millrace_check_write4(state, address + 4, (uint)(value >> 32), who, is_local);
  return high ? high : low;
}

// Bytes from another place, or with `from` null, all of them `value`.
uint __millrace_check_write_range(global uint *state, uint address, uint from, uint value, uint bytes, uint who,
                                  uint is_local) {
  global uint *cell = cell_of(state, address, is_local);
  if (cell == 0) return NOTHING;
  uint size = 1u << shift_of(state, is_local);
  uint found = NOTHING;
  for (uint done = 0; done < bytes; done += size, cell += 4) {
    bool changes = false;
    for (uint at = done; at < done + size && at < bytes; at++) {
      uchar byte = from == 0 ? (uchar)value : *(global uchar *)(size_t)(from + at);
      if (*(global uchar *)(size_t)(address + at) != byte) changes = true;
    }
    uint here = write_cell(state, cell, address + done, changes, who, is_local);
    if (here) found = here;
  }
  return found;
}

// An atomic operation that changes memory; a store does not look at what was there.
uint __millrace_check_atomic(global uint *state, uint address, uint bytes, uint who, uint is_local, uint is_store) {
  global uint *cell = cell_of(state, address, is_local);
  if (cell == 0) return NOTHING;
  uint launch = is_local ? state[GROUP] : state[LAUNCH];
  uint group = state[GROUP];
  uint phase = state[is_local ? PHASE_LOCAL : PHASE_GLOBAL];
  uint shift = shift_of(state, is_local);
  uint found = NOTHING;
  uint place = address;
  for (uint count = cells_of(address, bytes, shift); count != 0; count--, cell += 4, place += 1u << shift) {
    uint written = cell[WRITTEN];
    uint flags = CHANGED | ATOMIC;
    bool stays = false;
    if (!is_store && is_undefined(state, cell, place, min(1u << shift, address + bytes - place), is_local))
      found = undefined_read(state, cell, place, is_local);
    if (written >= launch && is_partial(cell[WRITER])) cell[WRITER] &= ~PARTIAL;
    uint writer = cell[WRITER];
    if (written >= launch) {
      bool is_old = written < group;
      bool is_beside = written >= phase && is_other(writer, who) && !was_fenced(state, writer, written, is_local);
      if (!(writer & ATOMIC)) {
        if (is_old || is_beside) found = other(state, WRITE_WRITE, writer, written, place);
        else if (written >= phase) stays = true;
        else flags = ATOMIC;
      } else {
        bool had_plain = !(writer & CHANGED);
        if (had_plain && is_old) found = other(state, WRITE_WRITE, writer, written, place);
        if (had_plain && !is_old) flags = ATOMIC;
        if (is_old || (writer & SEVERAL_GROUPS)) flags |= SEVERAL_GROUPS;
        if (is_beside || (written >= phase && (writer & SEVERAL))) flags |= SEVERAL;
      }
    }
    if (was_read(state, cell, who, launch, phase, is_local))
      found = other(state, READ_WRITE, cell[READER], cell[SEEN], place);
    // To others it is the plain write before that counts.
    if (stays) {
      cell[WRITER] |= CHANGED;
    } else {
      cell[WRITTEN] = state[EPOCH];
      cell[WRITER] = who | flags;
    }
  }
  return found;
}

// An atomic load: it races with plain writes only.
uint __millrace_check_atomic_load(global uint *state, uint address, uint bytes, uint who, uint is_local) {
  global uint *cell = cell_of(state, address, is_local);
  if (cell == 0) return NOTHING;
  uint written = cell[WRITTEN];
  uint writer = cell[WRITER];
  if (is_undefined(state, cell, address, min(bytes, 1u << shift_of(state, is_local)), is_local))
    return undefined_read(state, cell, address, is_local);
  if (written < state[LAUNCH] || !(writer & CHANGED) || (writer & ATOMIC)) return NOTHING;
  bool is_foreign = written < state[GROUP] ||
                    (written >= state[is_local ? PHASE_LOCAL : PHASE_GLOBAL] && is_other(writer, who) &&
                     !was_fenced(state, writer, written, is_local));
  return is_foreign ? other(state, WRITE_READ, writer, written, address) : NOTHING;
}

// What copies know. A companion is private bytes beside those of a variable, all ones where these were set.

// Whether a byte of memory that others see, or of a companion, is undefined.
static bool is_undefined_byte(global uint *state, uint address, uint is_companion) {
  if (is_companion) return *(global uchar *)(size_t)address != 0xffu;
  uint is_local = address - state[LOCAL_START] < state[LOCAL_BYTES];
  global uint *cell = cell_of(state, address, is_local);
  return cell != 0 && is_undefined(state, cell, address, 1, is_local);
}

// To a companion that says that all was set, from memory that others see.
void __millrace_check_learn(global uint *state, uint to, uint from, uint bytes) {
  uint is_local = from - state[LOCAL_START] < state[LOCAL_BYTES];
  uint size = 1u << shift_of(state, is_local);
  for (uint done = 0; done < bytes;) {
    uint end = min(((from + done) & ~(size - 1u)) + size - from, bytes);
    global uint *cell = cell_of(state, from + done, is_local);
    bool is_possible = cell != 0 && may_be_undefined(state, cell, is_local);
    for (; done < end; done++) {
      if (is_possible && is_undefined(state, cell, from + done, 1, is_local)) *(global uchar *)(size_t)(to + done) = 0;
    }
  }
}

// Behind a write of bytes that come from memory that others see, or as a companion says: those that are undefined stay so.
// Result: whether some are.
uint __millrace_check_pass_on(global uint *state, uint to, uint from, uint bytes, uint who, uint is_local,
                              uint is_companion) {
  uint size = 1u << shift_of(state, is_local);
  uint found = 0;
  for (uint done = 0; done < bytes;) {
    uint start = (to + done) & ~(size - 1u);
    uint end = min(start + size - to, bytes);
    bool is_here = false;
    for (uint place = start; place < start + size; place++) {
      uint at = place - to;
      bool is_bad = at >= done && at < end && is_undefined_byte(state, from + at, is_companion);
      global uchar *byte = undefined_at(state, place);
      if (byte != 0) *byte = is_bad;
      is_here = is_here || is_bad;
    }
    global uint *cell = is_here ? cell_of(state, start, is_local) : (global uint *)0;
    if (cell != 0) {
      if (cell[WRITER] & ATOMIC) {
        cell[WRITTEN] = state[EPOCH];
        cell[WRITER] = who | CHANGED;
      }
      cell[WRITER] |= PARTIAL;
      state[HAS_UNDEFINED] = 1;
      found = 1;
    }
    done = end;
  }
  return found;
}

// What mostly happens, without a call: these stand in checked code. They are for accesses of one granule, and leave to the
// functions above whatever may be a fault. Those of local memory take half of a cell for one number, an epoch with who it was in
// the lower bits; `is_inside` says that the address is sure to lie in local memory.

static ulong epoch_of(global uint *state, uint word) { return *(global ulong *)(state + word - 1); }

// Whether half a cell is of this epoch, and of the work-item alone.
static bool is_own(ulong party, ulong now) {
  return ((party ^ now) & (~(ulong)0 << ITEM_SHIFT | SEVERAL)) == 0;
}

static global ulong *short_cell(global uint *state, uint address, uint shift, uint is_inside) {
  if (!is_inside && address - state[LOCAL_START] >= state[LOCAL_BYTES]) return (global ulong *)0;
  return (global ulong *)(size_t)(state[LOCAL_CELLS] + (address >> shift) * 16u);
}

uint __millrace_check_read_local(global uint *state, uint address, uint bytes, uint who, uint shift, uint is_inside) {
  global ulong *cell = short_cell(state, address, shift, is_inside);
  if (is_inside || cell != 0) {
    ulong written = cell[0];
    ulong seen = cell[1];
    ulong group = epoch_of(state, GROUP);
    ulong phase = epoch_of(state, PHASE_LOCAL);
    ulong now = epoch_of(state, EPOCH) | who;
    // In this group, before this phase.
    if (written - group < phase - group) {
      if (seen < phase) {
        cell[1] = now;
        return NOTHING;
      }
      if ((seen & SEVERAL) || is_own(seen, now)) return NOTHING;
    } else if (is_own(written, now)) {
      if (seen < phase) cell[1] = now;
      if (seen < phase || is_own(seen, now)) return NOTHING;
    }
  }
  return __millrace_check_read(state, address, bytes, who, 1);
}

uint __millrace_check_read_global(global uint *state, uint address, uint bytes, uint who, uint shift) {
  global uint *cell = global_cell(state, address, shift);
  if (cell != 0) {
    uint written = cell[WRITTEN];
    if (written < state[LAUNCH] && written != NEVER && cell[SEEN] < state[LAUNCH]) {
      cell[SEEN] = state[EPOCH];
      cell[READER] = who;
      return NOTHING;
    }
  }
  return __millrace_check_read(state, address, bytes, who, 0);
}

// Of four bytes; `left` is the counter of the object's granules that are not written yet.
uint __millrace_check_write_local(global uint *state, uint address, uint value, uint who, uint shift, uint is_inside,
                                  uint left) {
  global ulong *cell = short_cell(state, address, shift, is_inside);
  if (is_inside || cell != 0) {
    ulong written = cell[0];
    ulong seen = cell[1];
    ulong phase = epoch_of(state, PHASE_LOCAL);
    ulong now = epoch_of(state, EPOCH) | who;
    // Both at once is what mostly holds.
    if (max(written, seen) < phase || ((written < phase || is_own(written, now)) && (seen < phase || is_own(seen, now)))) {
      if (written < epoch_of(state, GROUP)) {
        --*words_at(left);
        cell[0] = now | CHANGED;
      } else if (*words_at(address) != value) {
        cell[0] = now | CHANGED;
      }
      return NOTHING;
    }
  }
  state[LEFT_AT] = left;
  return __millrace_check_write4(state, address, value, who, 1);
}

// A write of four bytes behind a read of the same by the same work-item, which nobody has looked at yet. Result: whether that
// was all; else there is something to look at in both.
uint __millrace_check_update_local(global uint *state, uint address, uint value, uint reader, uint who, uint shift,
                                   uint is_inside) {
  global ulong *cell = short_cell(state, address, shift, is_inside);
  if (is_inside || cell != 0) {
    ulong written = cell[0];
    ulong seen = cell[1];
    ulong phase = epoch_of(state, PHASE_LOCAL);
    if (written >= epoch_of(state, GROUP) && max(written, seen) < phase) {
      // That it was read is of no account where it was written, too.
      if (*words_at(address) != value) cell[0] = epoch_of(state, EPOCH) | who | CHANGED;
      else cell[1] = epoch_of(state, EPOCH) | reader;
      return 1;
    }
  }
  return 0;
}

// Of four bytes.
uint __millrace_check_write_global(global uint *state, uint address, uint value, uint who, uint shift) {
  global uint *cell = global_cell(state, address, shift);
  if (cell != 0) {
    uint written = cell[WRITTEN];
    if (written < state[LAUNCH] && cell[SEEN] < state[LAUNCH]) {
      cell[WRITTEN] = state[EPOCH];
      cell[WRITER] = who | (written == NEVER || *words_at(address) != value ? CHANGED : 0u);
      return NOTHING;
    }
  }
  return __millrace_check_write4(state, address, value, who, 0);
}

// One that follows others: what they have made of the cell stays.
uint __millrace_check_atomic_on_local(global uint *state, uint address, uint bytes, uint who, uint shift, uint is_inside,
                                      uint is_store) {
  global ulong *cell = short_cell(state, address, shift, is_inside);
  if (is_inside || cell != 0) {
    ulong written = cell[0];
    ulong seen = cell[1];
    ulong phase = epoch_of(state, PHASE_LOCAL);
    ulong now = epoch_of(state, EPOCH) | who;
    if ((written & ATOMIC) && written >= phase && (seen < phase || is_own(seen, now))) {
      bool is_alone = ((uint)(written ^ now) & (~0u << ITEM_SHIFT | SEVERAL)) == 0;
      cell[0] = now | (written & (CHANGED | ATOMIC)) | (is_alone ? 0u : SEVERAL);
      return NOTHING;
    }
  }
  return __millrace_check_atomic(state, address, bytes, who, 1, is_store);
}

// What is known of other work-items is forgotten: an operation has ordered what came before.
void __millrace_check_order(global uint *state) {
  uint epoch = ++state[EPOCH];
  state[LAUNCH] = epoch;
  state[PHASE_GLOBAL] = epoch;
  state[PHASE_LOCAL] = epoch;
}

void __millrace_check_group(global uint *state, uint items, uint number) {
  uint epoch = ++state[EPOCH];
  state[GROUP] = epoch;
  state[PHASE_GLOBAL] = epoch;
  state[PHASE_LOCAL] = epoch;
  state[ITEMS] = items;
  state[ARRIVED] = 0;
  state[GROUP_NUMBER] = number;
  words_at(state[GROUP_EPOCHS])[number] = epoch;
  if (state[FENCES] != 0) {
    words_at(state[FENCES])[FENCED_BY_ALL] = 3u;
    words_at(state[FENCES])[LISTED] = 0;
  }
}

// A group of a kernel with async copies begins.
void __millrace_check_steps(global uint *state, uint items) {
  state[STEPS] = 0;
  global uint *copies = words_at(state[COPIES]);
  for (uint item = 0; item < items; item++) {
    copies[2 * item] = 0;
    copies[2 * item + 1] = 0;
  }
}

// Steps of a group that are remembered.
#define MOST_STEPS 1024u

// Words of what is remembered of a step. Of a copy: where to and from, elements, its event while nobody has waited for it, bytes of
// an element, bytes from one to the next.
#define STEP_WORDS 8u
#define STEP_WHO 3
#define STEP_PENDING 4
#define STEP_BYTES 5
#define STEP_TO 6
#define STEP_FROM 7

#define EVERY_EVENT 0xffffffffu

// Elements of a copy that are looked at again at a barrier.
#define MOST_RENEWED 1048576u

// What all work-items of a group must do alike: async copies and waits for their events. The first to take a step says what it
// is. Result: the number of the step, from 1 on.
static uint take_step(global uint *state, uint item, uint a, uint b, uint c, uint who) {
  uint step = words_at(state[COPIES])[2 * item]++;
  state[DIFFERS] = 0;
  if (step >= MOST_STEPS) return step + 1;
  global uint *record = words_at(state[COPY_RECORDS]) + STEP_WORDS * step;
  if (step >= state[STEPS]) {
    state[STEPS] = step + 1;
    record[0] = a;
    record[1] = b;
    record[2] = c;
    record[STEP_WHO] = who;
    record[STEP_PENDING] = 0;
  } else {
    state[DIFFERS] = record[0] != a || record[1] != b || record[2] != c;
  }
  return step + 1;
}

// An async copy; `event` is 0 or that of earlier copies. Result: its event, which is the number of a step.
uint __millrace_check_copy(global uint *state, uint item, uint to, uint from, uint count, uint event, uint bytes,
                           uint to_step, uint from_step, uint who) {
  uint steps = state[STEPS];
  uint step = take_step(state, item, to, from, count, who);
  uint made = event != 0 && event < step ? event : step;
  if (state[STEPS] != steps) {
    global uint *record = words_at(state[COPY_RECORDS]) + STEP_WORDS * (step - 1);
    record[STEP_PENDING] = made;
    record[STEP_BYTES] = bytes;
    record[STEP_TO] = to_step;
    record[STEP_FROM] = from_step;
  }
  words_at(state[COPIES])[2 * item + 1] |= 1u << (made & 31u);
  return made;
}

// The wait for an event: 1 if no copy has made it, 2 if other work-items wait for another, 3 if they begin a copy here, which is
// then the other party.
uint __millrace_check_wait(global uint *state, uint item, uint event, uint who) {
  global uint *copies = words_at(state[COPIES]) + 2 * item;
  bool is_every = event == EVERY_EVENT;
  if (!is_every && (event == 0 || event > copies[0])) return 1;
  copies[1] &= is_every ? 0u : ~(1u << (event & 31u));
  uint steps = state[STEPS];
  uint step = take_step(state, item, event, 0xffffffffu, 0, who);
  if (state[STEPS] != steps) {
    for (uint each = 0; each < step - 1; each++) {
      global uint *known = words_at(state[COPY_RECORDS]) + STEP_WORDS * each;
      if (is_every || known[STEP_PENDING] == event) known[STEP_PENDING] = 0;
    }
  }
  if (!state[DIFFERS]) return 0;
  global uint *record = words_at(state[COPY_RECORDS]) + STEP_WORDS * (step - 1);
  if (record[1] == 0xffffffffu) return 2;
  state[OTHER_WHO] = record[STEP_WHO];
  return 3;
}

// The end of a work-item: whether it has not waited for a copy, which is then the other party.
uint __millrace_check_end(global uint *state, uint item) {
  global uint *copies = words_at(state[COPIES]) + 2 * item;
  if (copies[1] == 0) return 0;
  for (uint step = 0; step < copies[0] && step < MOST_STEPS; step++) {
    global uint *record = words_at(state[COPY_RECORDS]) + STEP_WORDS * step;
    if (record[1] != 0xffffffffu && copies[1] & (1u << ((step + 1) & 31u))) {
      state[OTHER_WHO] = record[STEP_WHO];
      break;
    }
  }
  copies[1] = 0;
  return 1;
}

// A work-item comes to a barrier whose flags are no constant, with its own: 1 local memory, 2 global.
void __millrace_check_fence(global uint *state, uint item, uint own) {
  global uint *fences = words_at(state[FENCES]);
  state[FENCED] |= own;
  fences[FENCED_BY_ALL] &= own;
  fences[FENCES_OF_ITEMS + 3u * item] = own;
}

// What a barrier orders for all: what the code says, and what all have asked for. For the others it is noted who has. The barrier's epoch has
// begun already.
static uint fenced(global uint *state, uint spaces) {
  uint some = state[FENCED];
  if (some == 0) return spaces;
  global uint *fences = words_at(state[FENCES]);
  uint all = spaces | (some & fences[FENCED_BY_ALL]);
  uint differing = some & ~all;
  uint epoch = state[EPOCH];
  uint items = state[ITEMS];
  for (uint item = 0; item < items; item++) {
    global uint *own = fences + FENCES_OF_ITEMS + 3u * item;
    if (own[0] & differing & 1u) own[1] = epoch;
    if (own[0] & differing & 2u) own[2] = epoch;
    own[0] = 0;
  }
  if (differing & 1u) fences[ANY_LOCAL] = epoch;
  if (differing & 2u) fences[ANY_GLOBAL] = epoch;
  fences[FENCED_BY_ALL] = 3u;
  state[FENCED] = 0;
  return all;
}

// The first work-item goes on from a barrier that all surely reach.
void __millrace_check_next(global uint *state, uint wanted) {
  uint epoch = ++state[EPOCH];
  uint spaces = fenced(state, wanted);
  if (spaces & 1u) state[PHASE_LOCAL] = epoch;
  if (spaces & 2u) state[PHASE_GLOBAL] = epoch;
}

void __millrace_check_arrive(global uint *state, uint item) {
  state[ARRIVED]++;
  words_at(state[ARRIVALS])[item] = state[BARRIERS];
}

// What a copy touches that is under way still, in bytes of one element: it happens in the epoch that begins now, too.
static void renew(global uint *state, uint address, uint bytes, uint who, bool is_write) {
  uint is_local = address - state[LOCAL_START] < state[LOCAL_BYTES];
  global uint *cell = cell_of(state, address, is_local);
  if (cell == 0) return;
  uint itself = (1u << 12) << ITEM_SHIFT;
  for (uint count = cells_of(address, bytes, shift_of(state, is_local)); count != 0; count--, cell += 4) {
    if (is_write && cell[WRITTEN] >= state[GROUP] && !is_other(cell[WRITER], itself)) cell[WRITTEN] = state[EPOCH];
    if (!is_write && cell[SEEN] >= state[GROUP]) {
      cell[SEEN] = state[EPOCH];
      cell[READER] = itself | (who & ((1u << ITEM_SHIFT) - (1u << SITE_SHIFT)));
    }
  }
}

// A barrier that no wait stands before orders nothing for copies.
static void renew_copies(global uint *state) {
  uint steps = min(state[STEPS], MOST_STEPS);
  for (uint step = 0; step < steps; step++) {
    global uint *record = words_at(state[COPY_RECORDS]) + STEP_WORDS * step;
    if (record[STEP_PENDING] == 0) continue;
    uint count = min(record[2], MOST_RENEWED);
    for (uint each = 0; each < count; each++) {
      renew(state, record[0] + each * record[STEP_TO], record[STEP_BYTES], record[STEP_WHO], true);
      renew(state, record[1] + each * record[STEP_FROM], record[STEP_BYTES], record[STEP_WHO], false);
    }
  }
}

// The first to go on begins a new epoch. Result: 1 if somebody had not arrived, 2 if some have begun
// copies that others have not. Who goes on may come to the next barrier before others have gone on from this one.
uint __millrace_check_pass(global uint *state, uint item, uint wanted) {
  if (words_at(state[ARRIVALS])[item] != state[BARRIERS]) return 0;
  uint arrived = state[ARRIVED];
  state[ARRIVED] = 0;
  state[BARRIERS]++;
  uint epoch = ++state[EPOCH];
  uint spaces = fenced(state, wanted);
  if (spaces & 1u) state[PHASE_LOCAL] = epoch;
  if (spaces & 2u) state[PHASE_GLOBAL] = epoch;
  renew_copies(state);
  uint items = state[ITEMS];
  if (arrived != items) return 1;
  // All have taken the same steps; else who has taken more is the other party, at the first of them.
  global uint *copies = words_at(state[COPIES]);
  for (uint one = 0; one < items; one++) {
    uint least = min(copies[2 * one], copies[2 * item]);
    if (copies[2 * one] != copies[2 * item] && least < MOST_STEPS) {
      state[OTHER_WHO] = words_at(state[COPY_RECORDS])[STEP_WORDS * least + STEP_WHO];
      for (uint each = 0; each < items; each++) copies[2 * each] = state[STEPS];
      return 2;
    }
  }
  return 0;
}

// Which range that the launch may reach holds the bytes: its index and one, or 0. Three words each: start, end, kind.
uint __millrace_check_find(global uint *state, uint address, uint bytes) {
  global uint *ranges = words_at(state[RANGES]);
  uint low = 0;
  uint high = state[RANGE_COUNT];
  while (low < high) {
    uint middle = (low + high) >> 1;
    if (ranges[3 * middle] <= address) low = middle + 1;
    else high = middle;
  }
  if (low == 0) return 0;
  global uint *range = ranges + 3 * (low - 1);
  return address + bytes <= range[1] && address + bytes >= address ? low : 0;
}
