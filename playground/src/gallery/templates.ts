/** What one begins with who begins anew, by language. */
import { type Document, type Language, noLaunch } from '../document.ts';

function template(language: Language, name: string, source: string, launch = noLaunch): Document {
  return { name, language, source, options: '', launch, study: '' };
}

export const templates: readonly Document[] = [
  template(
    'opencl',
    'OpenCL C kernel',
    `kernel void twice(global const float *numbers, global float *result) {
    size_t i = get_global_id(0);
    result[i] = 2 * numbers[i];
}
`,
    { ...noLaunch, global: '1024', args: { numbers: 'range:1024' } },
  ),
  template(
    'brook',
    'Brook+ program',
    `#include <stdio.h>

kernel void twice(float number<>, out float result<>) {
  result = 2.0f * number;
}

int main(void) {
  float numbers[10];
  float stream<10>, results<10>;
  for (int i = 0; i < 10; i++) numbers[i] = (float)i;
  streamRead(stream, numbers);
  twice(stream, results);
  streamWrite(results, numbers);
  for (int i = 0; i < 10; i++) printf("%g\\n", numbers[i]);
  return 0;
}
`,
  ),
  template(
    'il',
    'AMD IL program',
    `il_ps_2_0
dcl_input_position_interp(linear_noperspective) vWinCoord0.xy__
dcl_output_generic o0
dcl_literal l0, 0.00390625, 0.5, 1.0, 0.0
mul_ieee r0.xy__, vWinCoord0.xyxx, l0.x
mov r0.z, l0.y
mov r0.w, l0.z
mov o0, r0
end
`,
    { ...noLaunch, global: '256,256' },
  ),
  template(
    'c',
    'C program',
    `#include <CL/cl.h>
#include <stdio.h>

int main(void) {
  cl_platform_id platform;
  char name[80];
  clGetPlatformIDs(1, &platform, NULL);
  clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof name, name, NULL);
  printf("%s\\n", name);
  return 0;
}
`,
  ),
];
