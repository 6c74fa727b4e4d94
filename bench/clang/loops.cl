// The twins of loops.c, as an OpenCL programmer writes them: what one work-item does.

kernel void saxpy(int n, float a, global const float *restrict x, global float *restrict y) {
  int i = get_global_id(0);
  if (i < n) y[i] = a * x[i] + y[i];
}

kernel void matmul(int n, global const float *restrict a, global const float *restrict b, global float *restrict c) {
  int column = get_global_id(0);
  int row = get_global_id(1);
  float sum = 0.0f;
  for (int k = 0; k < n; k++) sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}

kernel void smooth(int width, int height, global const float *restrict in, global float *restrict out) {
  int x = get_global_id(0);
  int y = get_global_id(1);
  float sum = 0.0f;
  for (int dy = -1; dy <= 1; dy++) {
    for (int dx = -1; dx <= 1; dx++) {
      int sx = clamp(x + dx, 0, width - 1);
      int sy = clamp(y + dy, 0, height - 1);
      sum += in[sy * width + sx] * (float)((2 - dx * dx) * (2 - dy * dy));
    }
  }
  out[y * width + x] = sum * 0.0625f;
}

kernel void mandelbrot(int width, int height, global int *restrict out) {
  int px = get_global_id(0);
  int py = get_global_id(1);
  float cx = -2.0f + 2.5f * (float)px / (float)width;
  float cy = -1.25f + 2.5f * (float)py / (float)height;
  float x = 0.0f, y = 0.0f;
  int count = 0;
  while (x * x + y * y <= 4.0f && count < 256) {
    float next = x * x - y * y + cx;
    y = 2.0f * x * y + cy;
    x = next;
    count++;
  }
  out[py * width + px] = count;
}

kernel void mix_words(int n, global const uint *restrict in, global uint *restrict out) {
  int i = get_global_id(0);
  uint a = in[i], b = 0x9e3779b9u, c = (uint)i;
  for (int round = 0; round < 32; round++) {
    a += b ^ rotate(c, 7u);
    b = rotate(b + a, 13u) * 5u + 0xe6546b64u;
    c ^= a - (b >> 3);
  }
  out[i] = a ^ b ^ c;
}

kernel void forces(int n, global const float *restrict bodies, global float *restrict out) {
  int i = get_global_id(0);
  float px = bodies[i * 4], py = bodies[i * 4 + 1], pz = bodies[i * 4 + 2];
  float ax = 0.0f, ay = 0.0f, az = 0.0f;
  for (int j = 0; j < n; j++) {
    float dx = bodies[j * 4] - px, dy = bodies[j * 4 + 1] - py, dz = bodies[j * 4 + 2] - pz;
    float square = dx * dx + dy * dy + dz * dz + 0.01f;
    float inverse = 1.0f / sqrt(square);
    float factor = bodies[j * 4 + 3] * inverse * inverse * inverse;
    ax += dx * factor;
    ay += dy * factor;
    az += dz * factor;
  }
  out[i * 3] = ax;
  out[i * 3 + 1] = ay;
  out[i * 3 + 2] = az;
}

constant float weights[25] = {
    0.00f, 0.01f, 0.02f, 0.01f, 0.00f, 0.01f, 0.06f, 0.10f, 0.06f, 0.01f, 0.02f, 0.10f, 0.20f,
    0.10f, 0.02f, 0.01f, 0.06f, 0.10f, 0.06f, 0.01f, 0.00f, 0.01f, 0.02f, 0.01f, 0.00f};

// A border of two is left out.
kernel void convolve(int width, int height, global const float *restrict in, global float *restrict out) {
  int x = get_global_id(0);
  int y = get_global_id(1);
  if (x < 2 || y < 2 || x >= width - 2 || y >= height - 2) return;
  float sum = 0.0f;
  for (int dy = 0; dy < 5; dy++)
    for (int dx = 0; dx < 5; dx++) sum += weights[dy * 5 + dx] * in[(y + dy - 2) * width + x + dx - 2];
  out[y * width + x] = sum;
}

// Euclid's algorithm with its remainders.
kernel void common_divisors(int n, global const uint *restrict in, global uint *restrict out) {
  int i = get_global_id(0);
  uint a = in[i], b = 360360u + (uint)i;
  while (b != 0) {
    uint rest = a % b;
    a = b;
    b = rest;
  }
  out[i] = a;
}

// For each place in a text, how much of the word stands there.
kernel void match(int n, int length, global const uchar *restrict text, global const uchar *restrict word,
                  global int *restrict out) {
  int i = get_global_id(0);
  int at = 0;
  while (at < length && i + at < n && text[i + at] == word[at]) at++;
  out[i] = at;
}

// Running sums in a window of eight.
kernel void running_sums(int n, global const float *restrict in, global float *restrict out) {
  int i = get_global_id(0);
  float sums[8];
  for (int k = 0; k < 8; k++) sums[k] = in[i + k];
  for (int step = 1; step < 8; step *= 2)
    for (int k = 7; k >= step; k--) sums[k] += sums[k - step];
  float total = 0.0f;
  for (int k = 0; k < 8; k++) total += sums[k] * sums[7 - k];
  out[i] = total;
}

// The commonest of the low four bits among 64 numbers: an array that stays in memory.
kernel void commonest(int n, global const uint *restrict in, global int *restrict out) {
  int i = get_global_id(0);
  uint bins[16];
  for (int k = 0; k < 16; k++) bins[k] = 0;
  for (int k = 0; k < 64; k++) bins[in[i * 64 + k] & 15u]++;
  int best = 0;
  for (int k = 1; k < 16; k++)
    if (bins[k] > bins[best]) best = k;
  out[i] = best;
}

kernel void life(int width, int height, global const uchar *restrict in, global uchar *restrict out) {
  int x = get_global_id(0);
  int y = get_global_id(1);
  int around = 0;
  for (int dy = -1; dy <= 1; dy++) {
    for (int dx = -1; dx <= 1; dx++) {
      int sx = x + dx, sy = y + dy;
      if ((dx != 0 || dy != 0) && sx >= 0 && sx < width && sy >= 0 && sy < height)
        around += in[sy * width + sx];
    }
  }
  out[y * width + x] = around == 3 || (around == 2 && in[y * width + x]) ? 1 : 0;
}
