// The first program of everyone who learns CAL: each element of a matrix times a constant, out = in * 0.5.
import * as cal from 'millrace/cal';
import { bind, check, given, load, mapped, type Print, run } from '../cal-support/cal-steps.ts';

/** Reads the input at its own position, multiplies by the constant, writes the output at that position. */
const kernel = `il_ps_2_0
dcl_input_position_interp(linear_noperspective) v0.xy__
dcl_output_generic o0
dcl_cb cb0[1]
dcl_resource_id(0)_type(2d,unnorm)_fmtx(float)_fmty(float)_fmtz(float)_fmtw(float)
sample_resource(0)_sampler(0) r0, v0.xyxx
mul o0, r0, cb0[0].x
ret_dyn
end
`;

const size = 256;

export async function hello(print: Print): Promise<void> {
  check(cal.calInit());
  const device = given(cal.calDeviceOpen(0));
  const { target } = given(cal.calDeviceGetInfo(0))!;
  const context = given(cal.calCtxCreate(device));
  const module = load(context, target, kernel);

  const input = given(cal.calResAllocLocal2D(device, size, size, cal.CAL_FORMAT_FLOAT_1, 0));
  const output = given(cal.calResAllocLocal2D(device, size, size, cal.CAL_FORMAT_FLOAT_1, 0));
  const constants = given(cal.calResAllocRemote1D([device], 1, 1, cal.CAL_FORMAT_FLOAT_4, 0));
  mapped(input, (data, pitch) => {
    for (let y = 0; y < size; y += 1) for (let x = 0; x < size; x += 1) data[y * pitch + x] = y * pitch + x;
  });
  mapped(constants, (data) => data.set([0.5, 0, 0, 0]));
  mapped(output, (data) => data.fill(0));

  const mems = [
    bind(context, module, 'i0', input),
    bind(context, module, 'o0', output),
    bind(context, module, 'cb0', constants),
  ];
  await run(context, module, size, size);
  mapped(output, (data, pitch) => {
    for (let y = 0; y < 8; y += 1) {
      const row = Array.from(data.subarray(y * pitch, y * pitch + 8), (value) => `${value.toFixed(6)} `);
      print(row.join(''));
    }
  });

  check(cal.calModuleUnload(context, module));
  for (const mem of mems) check(cal.calCtxReleaseMem(context, mem));
  for (const resource of [input, output, constants]) check(cal.calResFree(resource));
  check(cal.calCtxDestroy(context));
  check(cal.calDeviceClose(device));
  check(cal.calShutdown());
}
