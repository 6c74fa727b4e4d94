// Kernels of the plainest kind: what compiles them is loaded by every page that compiles, and nothing else (split-rest.mjs).

const kernels = [
  `kernel void saxpy(float a, global const float* x, global float* y) {
     size_t i = get_global_id(0);
     y[i] = a * x[i] + y[i];
   }`,
  `__kernel void saxpy(__global const float *x, __global float *y, const float a, const int n) {
     int i = get_global_id(0);
     if (i < n) y[i] = a * x[i] + y[i];
   }`,
  `__kernel void square(__global const float* in, __global float* out, const unsigned int count) {
     int i = get_global_id(0);
     if (i < count) out[i] = in[i] * in[i];
   }`,
  `kernel void sum(global const float* x, global float* sums, local float* part) {
     size_t i = get_local_id(0);
     part[i] = x[get_global_id(0)];
     barrier(CLK_LOCAL_MEM_FENCE);
     for (size_t step = get_local_size(0) / 2; step > 0; step >>= 1) {
       if (i < step) part[i] += part[i + step];
       barrier(CLK_LOCAL_MEM_FENCE);
     }
     if (i == 0) sums[get_group_id(0)] = part[0];
   }`,
  `#define TILE 16
   __kernel void multiply(__global const float* a, __global const float* b, __global float* c, const int size) {
     __local float partOfA[TILE][TILE];
     __local float partOfB[TILE][TILE];
     const int column = get_global_id(0), row = get_global_id(1);
     const int x = get_local_id(0), y = get_local_id(1);
     float sum = 0.0f;
     for (int start = 0; start < size; start += TILE) {
       partOfA[y][x] = a[row * size + start + x];
       partOfB[y][x] = b[(start + y) * size + column];
       barrier(CLK_LOCAL_MEM_FENCE);
       for (int k = 0; k < TILE; k++) sum += partOfA[y][k] * partOfB[k][x];
       barrier(CLK_LOCAL_MEM_FENCE);
     }
     c[row * size + column] = sum;
   }`,
  `kernel void mandelbrot(global int* counts, int width, int height, int most) {
     int x = get_global_id(0), y = get_global_id(1);
     float cr = (float)x / width * 3.0f - 2.0f, ci = (float)y / height * 2.0f - 1.0f;
     float zr = 0, zi = 0;
     int i = 0;
     while (i < most && zr * zr + zi * zi <= 4.0f) {
       float next = zr * zr - zi * zi + cr;
       zi = 2 * zr * zi + ci;
       zr = next;
       i++;
     }
     counts[y * width + x] = i == most ? -1 : i;
   }`,
];

/** @param load imports a module of src; @returns what compiles the kernels, now that all is loaded */
export async function compilePlainKernels(load) {
  const reader = await load('api/javascript/reader.ts');
  const { programFromSource } = await load('api/javascript/build.ts');
  const { compileForWasm } = await load('devices/wasm/compile-kernels.ts');
  const { moduleOfPart, outlineOf } = await load('devices/wasm/program-outline.ts');
  const device = { namesPlaces: true, info: { addressBits: 32 } };
  const wasm = { maximumPages: 65536, lowestAddress: 1024, lowestArea: 1024 };
  const buildWith = (options) => async (input) => {
    const whole = input.lower();
    const own = moduleOfPart(whole, outlineOf(whole), 0);
    compileForWasm(own, { ...wasm, ...options }, input.options, true);
    return { kernels: [], log: '' };
  };
  return async () => {
    for (const source of kernels) {
      for (const fuses of [false, true]) {
        for (const shared of [false, true]) {
          const opened = { device, buildAsync: buildWith({ shared, fuses }) };
          const { program, log } = await programFromSource(opened, source, {}, reader);
          if (!program) throw new Error(log);
        }
      }
    }
  };
}
