// Copies and programs at once. Data that comes in tiles has two sets of resources on the device: while the program works on
// one of them, the next tile is copied into the other, and the results of the one before are copied back. The host only says
// what is to be done: commands that use the same resource wait for each other, all others may run side by side.
import * as cal from 'millrace/cal';
import { check, given, load, mapped, type Print } from '../cal-support/cal-steps.ts';

/** How many steps of "halve, or three times and one more" lead from a number to 1. */
const kernel = `il_ps_2_0
dcl_input_position_interp(linear_noperspective) v0.xy__
dcl_output_generic o0
dcl_resource_id(0)_type(2d,unnorm)_fmtx(float)_fmty(float)_fmtz(float)_fmtw(float)
dcl_literal l0, 0.0, 1.0, 0.5, 3.0
sample_resource(0)_sampler(0) r0, v0.xyxx
mov r1, l0.x
whileloop
  eq r2.x, r0.x, l0.y
  break_logicalnz r2.x
  mul_ieee r3.x, r0.x, l0.z
  flr r4.x, r3.x
  eq r2.x, r3.x, r4.x
  mad_ieee r5.x, r0.x, l0.w, l0.y
  cmov_logical r0.x, r2.x, r3.x, r5.x
  add r1.x, r1.x, l0.y
endloop
mov o0, r1.x
end
`;

const [tiles, width, height] = [8, 64, 16];
const inTile = width * height;

function steps(start: number): number {
  let count = 0;
  for (let number = start; number !== 1; count += 1) number = number % 2 === 0 ? number / 2 : 3 * number + 1;
  return count;
}

export async function overlap(print: Print): Promise<void> {
  check(cal.calInit());
  const device = given(cal.calDeviceOpen(0));
  const { target } = given(cal.calDeviceGetInfo(0))!;
  const context = given(cal.calCtxCreate(device));
  const module = load(context, target, kernel);
  const func = given(cal.calModuleGetEntry(context, module, 'main'));
  const [input, output] = ['i0', 'o0'].map((symbol) => given(cal.calModuleGetName(context, module, symbol)));
  const format = cal.CAL_FORMAT_FLOAT_1;
  const local = (): cal.CALresource => given(cal.calResAllocLocal2D(device, width, height, format, 0));
  const remote = (): cal.CALresource =>
    given(cal.calResAllocRemote2D([device], 1, width, height, format, cal.CAL_RESALLOC_CACHEABLE));
  const mem = (resource: cal.CALresource): cal.CALmem => given(cal.calCtxGetMem(context, resource));

  const sets = [0, 1].map(() => ({ from: mem(local()), to: mem(local()) }));
  const sources = Array.from({ length: tiles }, remote);
  const results = Array.from({ length: tiles }, remote);
  for (const [tile, source] of sources.entries()) {
    mapped(source, (data) => {
      for (let index = 0; index < inTile; index += 1) data[index] = tile * inTile + index + 1;
    });
  }

  const ends: cal.CALevent[] = [];
  for (let tile = 0; tile < tiles; tile += 1) {
    const { from, to } = sets[tile % 2]!;
    given(cal.calMemCopy(context, mem(sources[tile]!), from, 0));
    // A program keeps what was bound when it was started.
    check(cal.calCtxSetMem(context, input!, from));
    check(cal.calCtxSetMem(context, output!, to));
    given(cal.calCtxRunProgram(context, func, { x: 0, y: 0, width, height }));
    ends.push(given(cal.calMemCopy(context, to, mem(results[tile]!), 0)));
  }
  check(cal.calCtxFlush(context));

  // The host has time of its own meanwhile.
  const expected = Array.from({ length: tiles * inTile }, (_, index) => steps(index + 1));
  let wrong = 0;
  for (const [tile, end] of ends.entries()) {
    check(await cal.calAwaitEvent(context, end));
    mapped(results[tile]!, (data) => {
      for (let index = 0; index < inTile; index += 1) {
        if (data[index] !== expected[tile * inTile + index]) wrong += 1;
      }
      if (tile === 0) print(`27 takes ${data[26]} steps`);
    });
  }
  print(`${tiles} tiles, ${tiles * inTile} numbers, ${wrong} of them wrong`);
  check(cal.calCtxDestroy(context));
  check(cal.calDeviceClose(device));
  check(cal.calShutdown());
}
