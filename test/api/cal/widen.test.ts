/** Programs for devices with addresses of 64 bits are right IR, and such a device runs them. */
import * as cal from 'millrace/cal';
import { afterAll, describe, expect, it } from 'vitest';
import { widenAddresses } from '../../../src/api/cal/widen.ts';
import { compileIl } from '../../../src/build/compile-il.ts';
import { nativeDevices } from '../../../src/devices/icd/discover.ts';
import { verifyModule } from '../../../src/ir/verify.ts';
import * as il from './il-programs.ts';

const { scale, copy, sumAndDifference, scatter, squareDouble, doubledIds } = il;

afterAll(() => {
  il.end();
  cal.calShutdown();
});

describe('addresses of 64 bits', () => {
  it.each(Object.entries({ scale, copy, sumAndDifference, scatter, squareDouble, doubledIds }))(
    'make right IR of %s',
    (_, source) => {
      expect(verifyModule(widenAddresses(compileIl(source).program!.module))).toEqual([]);
    },
  );

  it.skipIf(nativeDevices().length === 0)("run on a driver's device, whose memory is copied to ours", () => {
    const [driver] = nativeDevices();
    cal.calChooseDevices(`webassembly,${driver!.info.name.split(',')[0]}`);
    const { device, context } = il.begin(1);
    const { module, func } = il.load(context, il.scale);
    const output = il.filled(device, 10, 3, cal.CAL_FORMAT_FLOAT_1, () => 0);
    il.bind(
      context,
      module,
      'i0',
      il.filled(device, 10, 3, cal.CAL_FORMAT_FLOAT_1, (index) => index),
    );
    il.bind(
      context,
      module,
      'cb0',
      il.filled(device, 1, 1, cal.CAL_FORMAT_FLOAT_4, () => 3),
    );
    const source = il.bind(context, module, 'o0', output);
    const event = il.ok(cal.calCtxRunProgram(context, func, { x: 0, y: 0, width: 10, height: 3 }));
    const ours = il.ok(cal.calResAllocLocal2D(il.open(0), 10, 3, cal.CAL_FORMAT_FLOAT_1, 0));
    const target = il.ok(cal.calCtxGetMem(context, ours));
    // The copy reads what the program writes, and waits for it.
    il.finish(context, il.ok(cal.calMemCopy(context, source, target, 0)));
    il.finish(context, event);
    const expected = Array.from({ length: 30 }, (_, index) => index * 3);
    expect(il.numbers(output, 10, 3)).toEqual(expected);
    expect(il.numbers(ours, 10, 3)).toEqual(expected);
  });
});
