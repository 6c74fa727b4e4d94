// How many bytes a second go to and from global memory: the least work that reads, writes and copies whole vectors.

// Each work-item adds up so many vectors, a whole range apart from each other, as its neighbours read what lies between.
kernel void read_vectors(global const uint4 *in, uint apart, uint times, global uint4 *sums) {
  uint i = get_global_id(0);
  uint4 sum = 0;
  for (uint t = 0; t < times; t++) sum += in[i + t * apart];
  sums[i] = sum;
}

kernel void write_vectors(global uint4 *out, uint apart, uint times, uint value) {
  uint i = get_global_id(0);
  for (uint t = 0; t < times; t++) out[i + t * apart] = value + t;
}

kernel void copy_vectors(global const uint4 *in, uint apart, uint times, global uint4 *out) {
  uint i = get_global_id(0);
  for (uint t = 0; t < times; t++) out[i + t * apart] = in[i + t * apart];
}
