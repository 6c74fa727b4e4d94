// Outputs are written at a position's own place only; the global buffer anywhere. Each position reads where it is to write, and
// writes there where it stands.
import * as cal from 'millrace/cal';
import { bind, check, given, load, mapped, type Print, run } from '../cal-support/cal-steps.ts';

/** g has rows, too, but addresses in it are numbers of elements: y times the pitch, which is in cb0, plus x. */
const kernel = `il_ps_2_0
dcl_input_position_interp(linear_noperspective) v0.xy__
dcl_cb cb0[1]
dcl_resource_id(0)_type(2d,unnorm)_fmtx(float)_fmty(float)_fmtz(float)_fmtw(float)
sample_resource(0)_sampler(0) r0, v0.xyxx
mad_ieee r1.x___, r0.y, cb0[0].x, r0.x
ftoi r1.x___, r1.x
flr r2.xy__, v0.xyxx
mov g[r1.x], r2.xyxy
end
`;

/** The width of a global buffer is a multiple of 64. */
const [width, height] = [128, 40];

/** Every place once, far from its neighbours': 7 has no divisor in common with 128, nor 9 with 40. */
const targetX = (x: number): number => (7 * x + 3) % width;
const targetY = (y: number): number => (9 * y + 1) % height;

export async function scatter(print: Print): Promise<void> {
  check(cal.calInit());
  const device = given(cal.calDeviceOpen(0));
  const { target } = given(cal.calDeviceGetInfo(0))!;
  const context = given(cal.calCtxCreate(device));
  const module = load(context, target, kernel);
  const input = given(cal.calResAllocLocal2D(device, width, height, cal.CAL_FORMAT_FLOAT_2, 0));
  const flags = cal.CAL_RESALLOC_GLOBAL_BUFFER;
  const buffer = given(cal.calResAllocLocal2D(device, width, height, cal.CAL_FORMAT_FLOAT_4, flags));
  const constants = given(cal.calResAllocRemote1D([device], 1, 1, cal.CAL_FORMAT_FLOAT_4, 0));
  mapped(input, (data, pitch) => {
    for (let y = 0; y < height; y += 1) {
      for (let x = 0; x < width; x += 1) data.set([targetX(x), targetY(y)], 2 * (y * pitch + x));
    }
  });
  mapped(buffer, (data, pitch) => {
    data.fill(-1);
    mapped(constants, (numbers) => numbers.set([pitch, 0, 0, 0]));
  });
  bind(context, module, 'i0', input);
  bind(context, module, 'g', buffer);
  bind(context, module, 'cb0', constants);
  await run(context, module, width, height);

  mapped(buffer, (data, pitch) => {
    let wrong = 0;
    for (let y = 0; y < height; y += 1) {
      for (let x = 0; x < width; x += 1) {
        const at = 4 * (targetY(y) * pitch + targetX(x));
        if (data[at] !== x || data[at + 1] !== y) wrong += 1;
      }
    }
    const at = 4 * (19 * pitch + 73);
    print(
      `${width * height} positions, ${wrong} of them wrong; ${data[at]}, ${data[at + 1]} wrote at 73, 19`,
    );
  });
  check(cal.calCtxDestroy(context));
  check(cal.calDeviceClose(device));
  check(cal.calShutdown());
}
