// The least number of any range, with two look-ups. Row k of a table has the least of the 2^k numbers from each place on;
// two entries of the right row cover a range. The host keeps the rows' addresses in a table of pointers.

// One row from the one before it: two neighbours of half the width make one.
kernel void widen_row(global const int *narrow, uint width, uint count, global int *wide) {
  uint i = get_global_id(0);
  if (i >= count) return;
  uint other = i + width;
  wide[i] = other < count ? min(narrow[i], narrow[other]) : narrow[i];
}

// `ranges` are first and last places, both included.
kernel void least_of_ranges(global const int *global const *rows, global const uint2 *ranges, uint count,
                            global int *least) {
  uint i = get_global_id(0);
  if (i >= count) return;
  uint first = ranges[i].x, last = ranges[i].y;
  // The widest row whose entries fit into the range.
  uint k = 31 - clz(last - first + 1);
  global const int *row = rows[k];
  least[i] = min(row[first], row[last + 1 - (1u << k)]);
}
