/*
 * The product of two matrices, an element at a time and in blocks. A is y + k in row y and column k, B is k - x: an element of the
 * product is the sum of k^2 + (y - x) k - x y over all k, for which there is a formula. All sums are whole and fit into a float.
 */
#include "../cal-support/check.h"

#define INPUT(n) "dcl_resource_id(" #n ")_type(2d,unnorm)_fmtx(float)_fmty(float)_fmtz(float)_fmtw(float)\n"

/* One element a position: a row of i0 (A) times a column of i1 (B), both of one float; cb0[0].x is how long these are. */
static const char basic_kernel[] =
    "il_ps_2_0\n"
    "dcl_input_position_interp(linear_noperspective) vWinCoord0.xy__\n"
    "dcl_output_generic o0\n"
    "dcl_cb cb0[1]\n"
    INPUT(0) INPUT(1)
    "dcl_literal l0, 0.0, 1.0, 0.5, 0.0\n"
    "mov r0, l0.x\n"
    "mov r1.x, l0.z                ; (k, y) in A\n"
    "mov r1.y, vWinCoord0.y\n"
    "mov r2.x, vWinCoord0.x        ; (x, k) in B\n"
    "mov r2.y, l0.z\n"
    "whileloop\n"
    "  ge r3.x, r1.x, cb0[0].x\n"
    "  break_logicalnz r3.x\n"
    "  sample_resource(0)_sampler(0) r4, r1.xy\n"
    "  sample_resource(1)_sampler(1) r5, r2.xy\n"
    "  mad_ieee r0.x, r4.x, r5.x, r0.x\n"
    "  add r1.x, r1.x, l0.y\n"
    "  add r2.y, r2.y, l0.y\n"
    "endloop\n"
    "mov o0, r0.x\n"
    "end\n";

#define EIGHT(line) line(0) line(1) line(2) line(3) line(4) line(5) line(6) line(7)
#define OUTPUT(i) "dcl_output_generic o" #i "\n"
#define ZERO(i) "mov r1" #i ", l0.x\n"
#define STORE(i) "mov o" #i ", r1" #i "\n"
#define ROW_OF_B(j) "sample_resource(1)_sampler(1)_aoffimmi(0," #j ",0) r2" #j ", r2.xy\n"
#define ROW_OF_A(i) \
  "sample_resource(0)_sampler(0)_aoffimmi(0," #i ",0) r6, r1.xy\n" \
  "mad_ieee r1" #i ", r6.x, r20, r1" #i "\n" \
  "mad_ieee r1" #i ", r6.y, r21, r1" #i "\n" \
  "mad_ieee r1" #i ", r6.z, r22, r1" #i "\n" \
  "mad_ieee r1" #i ", r6.w, r23, r1" #i "\n"

/*
 * Eight rows of four columns a position. Four elements of a row lie in one float4, so that a turn loads four of them from B and
 * eight from A and makes 128 products. Offsets in the instructions pick the rows; row 8 y + i of the product is row y of output i.
 * cb0[0].x is the length of a row in float4.
 */
static const char blocked_kernel[] =
    "il_ps_2_0\n"
    "dcl_input_position_interp(linear_noperspective) vWinCoord0.xy__\n"
    EIGHT(OUTPUT)
    "dcl_cb cb0[1]\n"
    INPUT(0) INPUT(1)
    "dcl_literal l0, 0.0, 1.0, 0.5, 4.0\n"
    "dcl_literal l1, 8.0, 0.0, 0.0, 0.0\n"
    EIGHT(ZERO)
    "flr r1.y, vWinCoord0.y        ; (k, 8 y) in A\n"
    "mad_ieee r1.y, r1.y, l1.x, l0.z\n"
    "mov r1.x, l0.z\n"
    "mov r2.x, vWinCoord0.x        ; (x, 4 k) in B\n"
    "mov r2.y, l0.z\n"
    "whileloop\n"
    "  ge r3.x, r1.x, cb0[0].x\n"
    "  break_logicalnz r3.x\n"
    ROW_OF_B(0) ROW_OF_B(1) ROW_OF_B(2) ROW_OF_B(3)
    EIGHT(ROW_OF_A)
    "  add r1.x, r1.x, l0.y\n"
    "  add r2.y, r2.y, l0.w\n"
    "endloop\n"
    EIGHT(STORE)
    "end\n";

enum { size = 64, sum = size * (size - 1) / 2, sum_of_squares = size * (size - 1) * (2 * size - 1) / 6 };

static float product(int x, int y) { return (float)(sum_of_squares + (y - x) * sum - size * x * y); }

static float of_a(int k, int y) { return (float)(y + k); }
static float of_b(int x, int k) { return (float)(k - x); }
static float unset(int x, int y) { (void)x, (void)y; return -1; }

/* A matrix, or the rows of one; four elements of a row make one of a resource of FLOAT_4. */
static CALresource matrix(CALdevice device, int rows, int packed, float (*value)(int x, int y)) {
  CALresource resource;
  CALuint pitch;
  float *data;
  const CALformat format = packed == 4 ? CAL_FORMAT_FLOAT_4 : CAL_FORMAT_FLOAT_1;
  CHECK(calResAllocLocal2D(&resource, device, size / packed, rows, format, 0));
  CHECK(calResMap((CALvoid **)&data, &pitch, resource, 0));
  for (int y = 0; y < rows; y++)
    for (int x = 0; x < size; x++) data[y * pitch * packed + x] = value(x, y);
  CHECK(calResUnmap(resource));
  return resource;
}

static void multiply(CALdevice device, CALtarget target, const char *name, const char *kernel, int packed, int parts) {
  CALcontext ctx;
  CALmodule module;
  CALresource constants, outputs[8];
  CALuint pitch;
  float *data, found = 0;
  int wrong = 0;
  CHECK(calCtxCreate(&ctx, device));
  module = load(ctx, target, kernel);
  CHECK(calResAllocRemote1D(&constants, &device, 1, 1, CAL_FORMAT_FLOAT_4, 0));
  CHECK(calResMap((CALvoid **)&data, &pitch, constants, 0));
  data[0] = (float)size / packed;
  CHECK(calResUnmap(constants));
  bind(ctx, module, "i0", matrix(device, size, packed, of_a));
  bind(ctx, module, "i1", matrix(device, size, packed, of_b));
  bind(ctx, module, "cb0", constants);
  for (int part = 0; part < parts; part++) {
    const char symbol[] = {'o', (char)('0' + part), 0};
    bind(ctx, module, symbol, outputs[part] = matrix(device, size / parts, packed, unset));
  }
  run(ctx, module, size / packed, size / parts);
  for (int part = 0; part < parts; part++) {
    CHECK(calResMap((CALvoid **)&data, &pitch, outputs[part], 0));
    for (int row = 0; row < size / parts; row++)
      for (int x = 0; x < size; x++) {
        const int y = row * parts + part;
        const float element = data[row * pitch * packed + x];
        if (element != product(x, y)) wrong++;
        if (y == 3 && x == 5) found = element;
      }
    CHECK(calResUnmap(outputs[part]));
  }
  printf("%s: %d of %d elements wrong, the one in row 3, column 5 is %g\n", name, wrong, size * size, found);
  CHECK(calCtxDestroy(ctx));
}

int main(void) {
  CALdevice device;
  CALdeviceinfo info;
  CHECK(calInit());
  CHECK(calDeviceOpen(&device, 0));
  CHECK(calDeviceGetInfo(&info, 0));
  multiply(device, info.target, "basic", basic_kernel, 1, 1);
  multiply(device, info.target, "blocked", blocked_kernel, 4, 8);
  CHECK(calDeviceClose(device));
  CHECK(calShutdown());
  return 0;
}
