/** Program calls with arguments of all kinds: whatever comes, the answer is a result or an error code. */
import { CL, createContext, getPlatforms, OpenCLError } from 'millrace/opencl';
import { describe, expect, it } from 'vitest';
import { Random } from '../support/random.ts';

describe('program calls with anything at all', () => {
  it('give results or OpenCLErrors', () => {
    const random = new Random(7);
    const context = createContext();
    const [device] = context.devices;
    const foreign = createContext(getPlatforms()[0]!, CL.DEVICE_TYPE_CUSTOM);
    const source = 'kernel void k(global int *x) { x[0] = 1; }';
    const built = context.createProgram(source);
    built.build();
    const [binary] = built.getInfo(CL.PROGRAM_BINARIES) as readonly Uint8Array[];
    const object = context.createProgram(source);
    object.compile();
    const released = context.createProgram(source);
    released.release();
    const values: readonly unknown[] = [
      undefined,
      null,
      0,
      -1,
      Number.NaN,
      2 ** 40,
      true,
      '',
      'millrace_copy',
      '-D A',
      '-create-library',
      ';',
      source,
      'int f( {',
      Symbol('s'),
      {},
      [],
      [null],
      [undefined, 1],
      new Uint8Array(0),
      new Uint8Array(20),
      binary,
      [binary],
      [binary!.subarray(0, 30)],
      [new Float32Array(4)],
      device,
      [device],
      [device, device],
      foreign.devices,
      built,
      object,
      released,
      [object],
      [object, object],
      [released],
      [built],
      ['a.h'],
      context,
      () => {},
      Object.create(null),
    ];
    const any = () => (random.below(2) === 0 ? undefined : random.pick(values)) as never;
    const calls = [
      () => context.createProgram(any()),
      () => context.createProgramWithBinary(any(), any(), any()),
      () => context.createProgramWithBinary([device!], any(), any()),
      () => context.createProgramWithBuiltInKernels(any(), any()),
      () => context.linkProgram(any(), any(), any()),
      () => context.linkProgram(null, '', any()),
      () => random.pick([built, object, released]).build(any(), any()),
      () => random.pick([built, object, released]).compile(any(), any(), any(), any()),
      () => random.pick([built, object, released]).getInfo(any()),
      () => random.pick([built, object, released]).getBuildInfo(any(), any()),
      () => random.pick([built, object, released]).createKernel(any()).release(),
    ];
    let results = 0;
    const codes = new Set<string>();
    for (let round = 0; round < 1500; round += 1) {
      const call = random.pick(calls);
      try {
        call();
        results += 1;
      } catch (error) {
        if (!(error instanceof OpenCLError))
          throw new Error(`round ${round}: ${call}: ${(error as Error).stack}`);
        expect(error.message).not.toBe('');
        codes.add(error.name);
      }
    }
    expect(results).toBeGreaterThan(50);
    expect(codes.size).toBeGreaterThan(6);
    foreign.releaseAll();
    context.releaseAll();
  });
});
