/* The twins of loops.cl, as a C programmer writes them: one function a kernel, the work-items as its loops. */
#define restrict __restrict__

void saxpy(int n, float a, const float *restrict x, float *restrict y) {
  for (int i = 0; i < n; i++) y[i] = a * x[i] + y[i];
}

void matmul(int n, const float *restrict a, const float *restrict b, float *restrict c) {
  for (int row = 0; row < n; row++) {
    for (int column = 0; column < n; column++) {
      float sum = 0.0f;
      for (int k = 0; k < n; k++) sum += a[row * n + k] * b[k * n + column];
      c[row * n + column] = sum;
    }
  }
}

void smooth(int width, int height, const float *restrict in, float *restrict out) {
  for (int y = 0; y < height; y++) {
    for (int x = 0; x < width; x++) {
      float sum = 0.0f;
      for (int dy = -1; dy <= 1; dy++) {
        for (int dx = -1; dx <= 1; dx++) {
          int sx = x + dx < 0 ? 0 : x + dx >= width ? width - 1 : x + dx;
          int sy = y + dy < 0 ? 0 : y + dy >= height ? height - 1 : y + dy;
          sum += in[sy * width + sx] * (float)((2 - dx * dx) * (2 - dy * dy));
        }
      }
      out[y * width + x] = sum * 0.0625f;
    }
  }
}

void mandelbrot(int width, int height, int *restrict out) {
  for (int py = 0; py < height; py++) {
    for (int px = 0; px < width; px++) {
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
  }
}

unsigned rotate(unsigned x, int by) { return x << by | x >> (32 - by); }

void mix_words(int n, const unsigned *restrict in, unsigned *restrict out) {
  for (int i = 0; i < n; i++) {
    unsigned a = in[i], b = 0x9e3779b9u, c = (unsigned)i;
    for (int round = 0; round < 32; round++) {
      a += b ^ rotate(c, 7);
      b = rotate(b + a, 13) * 5u + 0xe6546b64u;
      c ^= a - (b >> 3);
    }
    out[i] = a ^ b ^ c;
  }
}

/* Bodies of the n-body step: positions in x, y, z, mass, one after the other. */
void forces(int n, const float *restrict bodies, float *restrict out) {
  for (int i = 0; i < n; i++) {
    float px = bodies[i * 4], py = bodies[i * 4 + 1], pz = bodies[i * 4 + 2];
    float ax = 0.0f, ay = 0.0f, az = 0.0f;
    for (int j = 0; j < n; j++) {
      float dx = bodies[j * 4] - px, dy = bodies[j * 4 + 1] - py, dz = bodies[j * 4 + 2] - pz;
      float square = dx * dx + dy * dy + dz * dz + 0.01f;
      float inverse = 1.0f / __builtin_sqrtf(square);
      float factor = bodies[j * 4 + 3] * inverse * inverse * inverse;
      ax += dx * factor;
      ay += dy * factor;
      az += dz * factor;
    }
    out[i * 3] = ax;
    out[i * 3 + 1] = ay;
    out[i * 3 + 2] = az;
  }
}

static const float weights[25] = {
    0.00f, 0.01f, 0.02f, 0.01f, 0.00f, 0.01f, 0.06f, 0.10f, 0.06f, 0.01f, 0.02f, 0.10f, 0.20f,
    0.10f, 0.02f, 0.01f, 0.06f, 0.10f, 0.06f, 0.01f, 0.00f, 0.01f, 0.02f, 0.01f, 0.00f};

/* A border of two is left out, as it is in the kernel. */
void convolve(int width, int height, const float *restrict in, float *restrict out) {
  for (int y = 0; y < height; y++) {
    for (int x = 0; x < width; x++) {
      if (x < 2 || y < 2 || x >= width - 2 || y >= height - 2) continue;
      float sum = 0.0f;
      for (int dy = 0; dy < 5; dy++)
        for (int dx = 0; dx < 5; dx++) sum += weights[dy * 5 + dx] * in[(y + dy - 2) * width + x + dx - 2];
      out[y * width + x] = sum;
    }
  }
}

/* Euclid's algorithm with its remainders. */
void common_divisors(int n, const unsigned *restrict in, unsigned *restrict out) {
  for (int i = 0; i < n; i++) {
    unsigned a = in[i], b = 360360u + (unsigned)i;
    while (b != 0) {
      unsigned rest = a % b;
      a = b;
      b = rest;
    }
    out[i] = a;
  }
}

/* For each place in a text, how much of the word stands there. */
void match(int n, int length, const unsigned char *restrict text, const unsigned char *restrict word,
           int *restrict out) {
  for (int i = 0; i < n; i++) {
    int at = 0;
    while (at < length && i + at < n && text[i + at] == word[at]) at++;
    out[i] = at;
  }
}

/* Running sums in a window of eight. */
void running_sums(int n, const float *restrict in, float *restrict out) {
  for (int i = 0; i < n; i++) {
    float sums[8];
    for (int k = 0; k < 8; k++) sums[k] = in[i + k];
    for (int step = 1; step < 8; step *= 2)
      for (int k = 7; k >= step; k--) sums[k] += sums[k - step];
    float total = 0.0f;
    for (int k = 0; k < 8; k++) total += sums[k] * sums[7 - k];
    out[i] = total;
  }
}

/* The commonest of the low four bits among 64 numbers: an array that stays in memory. */
void commonest(int n, const unsigned *restrict in, int *restrict out) {
  for (int i = 0; i < n; i++) {
    unsigned bins[16];
    for (int k = 0; k < 16; k++) bins[k] = 0;
    for (int k = 0; k < 64; k++) bins[in[i * 64 + k] & 15u]++;
    int best = 0;
    for (int k = 1; k < 16; k++)
      if (bins[k] > bins[best]) best = k;
    out[i] = best;
  }
}

void life(int width, int height, const unsigned char *restrict in, unsigned char *restrict out) {
  for (int y = 0; y < height; y++) {
    for (int x = 0; x < width; x++) {
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
  }
}
