// The global buffer can be read anywhere, like an input, but past the cache and without a sampler: by the number of an element.
// A matrix lies in it; the output is its transpose.
import * as cal from 'millrace/cal';
import { bind, check, given, load, mapped, type Print, run } from '../cal-support/cal-steps.ts';

/** Position (x, y) reads row x, element y. The pitch of g is in cb0. */
const kernel = `il_ps_2_0
dcl_input_position_interp(linear_noperspective) v0.xy__
dcl_output_generic o0
dcl_cb cb0[1]
flr r0.xy__, v0.xyxx
mad_ieee r1.x___, r0.x, cb0[0].x, r0.y
ftoi r1.x___, r1.x
mov o0, g[r1.x]
end
`;

/** The width of a global buffer is a multiple of 64. */
const [width, height] = [128, 40];

export async function gather(print: Print): Promise<void> {
  check(cal.calInit());
  const device = given(cal.calDeviceOpen(0));
  const { target } = given(cal.calDeviceGetInfo(0))!;
  const context = given(cal.calCtxCreate(device));
  const module = load(context, target, kernel);
  const flags = cal.CAL_RESALLOC_GLOBAL_BUFFER;
  const buffer = given(cal.calResAllocLocal2D(device, width, height, cal.CAL_FORMAT_FLOAT_4, flags));
  const output = given(cal.calResAllocLocal2D(device, height, width, cal.CAL_FORMAT_FLOAT_4, 0));
  const constants = given(cal.calResAllocRemote1D([device], 1, 1, cal.CAL_FORMAT_FLOAT_4, 0));
  mapped(buffer, (data, pitch) => {
    for (let y = 0; y < height; y += 1) {
      for (let x = 0; x < width; x += 1) data.set([x, y, x + y, x * y], 4 * (y * pitch + x));
    }
    mapped(constants, (numbers) => numbers.set([pitch, 0, 0, 0]));
  });
  bind(context, module, 'g', buffer);
  bind(context, module, 'o0', output);
  bind(context, module, 'cb0', constants);
  await run(context, module, height, width);

  mapped(output, (data, pitch) => {
    let wrong = 0;
    for (let x = 0; x < width; x += 1) {
      for (let y = 0; y < height; y += 1) {
        const found = data.subarray(4 * (x * pitch + y), 4 * (x * pitch + y) + 4);
        if ([x, y, x + y, x * y].some((value, index) => found[index] !== value)) wrong += 1;
      }
    }
    const at = 4 * (73 * pitch + 19);
    const element = [...data.subarray(at, at + 4)].join(', ');
    print(`${width * height} positions, ${wrong} of them wrong; row 73 has ${element} at 19`);
  });
  check(cal.calCtxDestroy(context));
  check(cal.calDeviceClose(device));
  check(cal.calShutdown());
}
