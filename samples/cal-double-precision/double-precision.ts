// The same square in single and in double precision. (1 + 2^-13)^2 is 1 + 2^-12 + 2^-26: a float keeps 24 bits and loses the last
// term, a double keeps it. A double takes two components of a register; dmul reads and writes pairs of them.
import * as cal from 'millrace/cal';
import { bind, check, given, load, mapped, type Print, run } from '../cal-support/cal-steps.ts';

/** f2d makes a double of each input; its square goes to o0, that of the float to o1. */
const kernel = `il_ps_2_0
dcl_input_position_interp(linear_noperspective) v0.xy__
dcl_output_generic o0
dcl_output_generic o1
dcl_resource_id(0)_type(2d,unnorm)_fmtx(float)_fmty(float)_fmtz(float)_fmtw(float)
sample_resource(0)_sampler(0) r0, v0.xyxx
f2d r1.xy__, r0.x
dmul o0.xy__, r1.xy, r1.xy
mul o1.x___, r0.x, r0.x
end
`;

const count = 64;

export async function doublePrecision(print: Print): Promise<void> {
  check(cal.calInit());
  const device = given(cal.calDeviceOpen(0));
  const { target } = given(cal.calDeviceGetInfo(0))!;
  if (!given(cal.calDeviceGetAttribs(0))!.doublePrecision) {
    print('the device has no doubles');
    return;
  }
  const context = given(cal.calCtxCreate(device));
  const module = load(context, target, kernel);
  const input = given(cal.calResAllocLocal2D(device, count, 1, cal.CAL_FORMAT_FLOAT_1, 0));
  const squares = given(cal.calResAllocLocal2D(device, count, 1, cal.CAL_FORMAT_DOUBLE_1, 0));
  const singles = given(cal.calResAllocLocal2D(device, count, 1, cal.CAL_FORMAT_FLOAT_1, 0));
  mapped(input, (data) => data.fill(1 + 2 ** -13));
  bind(context, module, 'i0', input);
  bind(context, module, 'o0', squares);
  bind(context, module, 'o1', singles);
  await run(context, module, count, 1);

  // How many times 2^-26 the last term is there.
  const lastTerm = (square: number): number => (square - 1 - 2 ** -12) * 2 ** 26;
  mapped(singles, (data) => print(`the last term in single precision: ${lastTerm(data[count - 1]!)}`));
  mapped(squares, (data) => print(`the last term in double precision: ${lastTerm(data[count - 1]!)}`));
  check(cal.calCtxDestroy(context));
  check(cal.calDeviceClose(device));
  check(cal.calShutdown());
}
