// Functions of half that those of float cannot answer. See src/opencl/lower/builtin-handler.ts for all others.

// The neighbour of x in the direction of y: numbers of one sign follow each other as their bits do.
half __millrace_nextafter_f16(half x, half y) {
  if (isnan(x) || isnan(y)) return x + y;
  if (x == y) return y;
  short bits = as_short(x);
  if (x == 0) return as_half((short)((y < 0 ? 0x8000 : 0) | 1));
  return as_half((short)(((x < y) == (bits >= 0)) ? bits + 1 : bits - 1));
}
