// Several devices at one picture. Each has a context of its own and computes its share of the rows; the output lies in memory that
// all of them reach, so that nothing has to be put together in the end.
import * as cal from 'millrace/cal';
import { bind, check, given, load, mapped, type Print } from '../cal-support/cal-steps.ts';

/** x^2 + y^2, and who computed it: cb0[0].x. */
const kernel = `il_ps_2_0
dcl_input_position_interp(linear_noperspective) v0.xy__
dcl_output_generic o0
dcl_cb cb0[1]
flr r0.xy__, v0.xyxx
mul_ieee r1.xy__, r0.xyxx, r0.xyxx
add r2.x___, r1.x, r1.y
mov r2._y__, cb0[0].x
mov o0, r2.xyxx
end
`;

const [width, height] = [48, 50];

export async function multiDevice(print: Print): Promise<void> {
  check(cal.calInit());
  const count = given(cal.calDeviceGetCount());
  const devices = Array.from({ length: count }, (_, ordinal) => given(cal.calDeviceOpen(ordinal)));
  const output = given(cal.calResAllocRemote2D(devices, count, width, height, cal.CAL_FORMAT_FLOAT_2, 0));
  mapped(output, (data) => data.fill(-1));

  // The more SIMDs a device has, the more rows it gets.
  const simds = devices.map((_, ordinal) => given(cal.calDeviceGetAttribs(ordinal))!.numberOfSIMD);
  const all = simds.reduce((sum, one) => sum + one, 0);
  let before = 0;
  const shares = simds.map((one) => {
    const first = Math.floor((height * before) / all);
    before += one;
    return { first, rows: Math.floor((height * before) / all) - first };
  });

  // All are started before the first is waited for.
  const started = devices.map((device, ordinal) => {
    const context = given(cal.calCtxCreate(device));
    const module = load(context, given(cal.calDeviceGetInfo(ordinal))!.target, kernel);
    const constants = given(cal.calResAllocRemote1D([device], 1, 1, cal.CAL_FORMAT_FLOAT_4, 0));
    mapped(constants, (data) => data.set([ordinal, 0, 0, 0]));
    bind(context, module, 'cb0', constants);
    bind(context, module, 'o0', output);
    const func = given(cal.calModuleGetEntry(context, module, 'main'));
    const { first, rows } = shares[ordinal]!;
    const event = given(cal.calCtxRunProgram(context, func, { x: 0, y: first, width, height: rows }));
    check(cal.calCtxFlush(context));
    return { context, event };
  });
  for (const { context, event } of started) check(await cal.calAwaitEvent(context, event));

  mapped(output, (data, pitch) => {
    for (const [ordinal, { first, rows }] of shares.entries()) {
      let wrong = 0;
      for (let y = first; y < first + rows; y += 1) {
        for (let x = 0; x < width; x += 1) {
          const at = 2 * (y * pitch + x);
          if (data[at] !== x * x + y * y || data[at + 1] !== ordinal) wrong += 1;
        }
      }
      print(`device ${ordinal}: rows ${first} to ${first + rows - 1}, ${wrong} elements wrong`);
    }
  });
  for (const { context } of started) check(cal.calCtxDestroy(context));
  for (const device of devices) check(cal.calDeviceClose(device));
  check(cal.calShutdown());
}
