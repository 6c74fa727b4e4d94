/** What a program calls, as listeners, profiles and traces have it. The host here is JavaScript. */
import {
  type ApiCall,
  type BegunCall,
  callText,
  compile,
  logLine,
  profileTable,
  profileTrace,
  readTrace,
  startCallLog,
  startProfiling,
} from 'millrace';
import { brook } from 'millrace/brook';
import * as cal from 'millrace/cal';
import {
  CL,
  CLCommandQueue,
  CLEvent,
  createContext,
  getPlatforms,
  type OpenCLError,
  waitForEvents,
} from 'millrace/opencl';
import { createWebCL } from 'millrace/webcl';
import { describe, expect, it } from 'vitest';
import { traceProblems } from './trace-rules.ts';

const source = 'kernel void twice(global int *data) { data[get_global_id(0)] *= 2; }';

interface Heard {
  readonly begun: BegunCall[];
  readonly ended: ApiCall[];
  readonly names: () => string[];
}

/** What is told while `task` runs. */
async function during(task: () => unknown): Promise<Heard> {
  const begun: BegunCall[] = [];
  const ended: ApiCall[] = [];
  const end = startCallLog({ begun: (call) => begun.push(call), ended: (call) => ended.push(call) });
  try {
    await task();
  } finally {
    end();
  }
  return { begun, ended, names: () => ended.map(({ name }) => name) };
}

describe('calls of JavaScript', () => {
  it('are told as the program makes them, and nothing that they call inside', async () => {
    let code = 0;
    const heard = await during(() => {
      const [device] = getPlatforms()[0].getDevices();
      const context = createContext(device);
      const queue = context.createCommandQueue(device!);
      const buffer = context.createBuffer(CL.MEM_READ_WRITE, 16);
      const program = context.createProgram(source);
      program.build();
      const kernel = program.createKernel('twice');
      kernel.setArg(0, buffer);
      try {
        kernel.setArg(7, buffer);
      } catch (error) {
        code = (error as OpenCLError).code;
      }
      const event = new CLEvent();
      queue.enqueueNDRangeKernel(kernel, 1, null, [4], null, null, event);
      waitForEvents([event]);
      queue.finish();
      context.releaseAll();
    });
    expect(heard.names()).toEqual([
      'getPlatforms',
      'CLPlatform.getDevices',
      'createContext',
      'CLContext.createCommandQueue',
      'CLContext.createBuffer',
      'CLContext.createProgram',
      'CLProgram.build',
      'CLProgram.createKernel',
      'CLKernel.setArg',
      'CLKernel.setArg',
      'CLCommandQueue.enqueueNDRangeKernel',
      'waitForEvents',
      'CLCommandQueue.finish',
      'CLContext.releaseAll',
    ]);
    expect(heard.begun.map(({ name }) => name)).toEqual(heard.names());
    const indices = heard.ended.map(({ index }) => index);
    expect(indices).toEqual(indices.map((_, at) => indices[0]! + at));
    // The specification's number of CL_INVALID_ARG_INDEX.
    expect(code).toBe(-49);
    const failed = heard.ended.filter((call) => call.code !== 0);
    expect(failed).toMatchObject([{ name: 'CLKernel.setArg', code: -49, result: 'CL_INVALID_ARG_INDEX' }]);
    expect(failed[0]!.message).toMatch(/no argument 7/);
    for (const { started, ended } of heard.ended) expect(ended).toBeGreaterThanOrEqual(started);
    for (const [at, { started }] of heard.ended.entries()) {
      if (at > 0) expect(started).toBeGreaterThanOrEqual(heard.ended[at - 1]!.ended);
    }
    const launch = heard.ended.find(({ name }) => name.endsWith('enqueueNDRangeKernel'))!;
    expect(callText(launch)).toMatch(
      /^CLCommandQueue#\d+\.enqueueNDRangeKernel\(CLKernel#\d+, 1, null, \[4\], null, null, CLEvent#\d+\)$/,
    );
    expect(logLine(failed[0]!, failed[0]!.started)).toMatch(
      /^ *\d+ +0 +0\.000 +\d+\.\d{3} {2}CLKernel#\d+\.setArg\(7, CLBuffer#\d+\) = CL_INVALID_ARG_INDEX: /,
    );
  });

  it('of callbacks and native kernels are the program’s again', async () => {
    const heard = await during(async () => {
      const [device] = getPlatforms()[0].getDevices();
      const context = createContext(device);
      const queue = context.createCommandQueue(device!);
      const event = new CLEvent();
      const marker = new CLEvent();
      queue.enqueueNativeKernel(() => context.createUserEvent().release(), [], null, null, null, event);
      queue.enqueueMarkerWithWaitList([event], marker);
      const called = new Promise<void>((resolve) => {
        marker.setCallback(CL.COMPLETE, (done) => {
          done.getInfo(CL.EVENT_COMMAND_TYPE);
          resolve();
        });
      });
      queue.finish();
      await called;
      context.releaseAll();
    });
    const names = heard.names();
    expect(names).toContain('CLContext.createUserEvent');
    expect(names).toContain('CLUserEvent.release');
    expect(names).toContain('CLEvent.getInfo');
    const began = heard.begun.map(({ name }) => name);
    // In the call that waits.
    expect(began.indexOf('CLContext.createUserEvent')).toBeGreaterThan(
      began.indexOf('CLCommandQueue.finish'),
    );
    expect(names.indexOf('CLContext.createUserEvent')).toBeLessThan(names.indexOf('CLCommandQueue.finish'));
  });

  it('of the short form last until their promises are kept', async () => {
    const heard = await during(async () => {
      const program = await compile(source);
      const buffer = program.buffer(Int32Array.of(1, 2, 3));
      await program.kernel('twice')({ global: [3] }, buffer);
      expect([...(await buffer.read(Int32Array))]).toEqual([2, 4, 6]);
      await expect(compile('kernel void k( {')).rejects.toThrow();
      program.release();
    });
    expect(heard.names()).toEqual([
      'compile',
      'Program.buffer',
      'twice',
      'DeviceBuffer.read',
      'compile',
      'Program.release',
    ]);
    expect(heard.ended[4]).toMatchObject({ result: 'BuildError', code: undefined });
    expect(heard.ended[2]!.result).toContain('queued');
  });

  it('of WebCL, CAL and Brook+ have the names of these', async () => {
    const heard = await during(() => {
      const context = createWebCL().createContext();
      context.createCommandQueue().finish();
      context.releaseAll();
      expect(cal.calInit()).toBe(cal.CAL_RESULT_OK);
      expect(cal.calInit()).toBe(cal.CAL_RESULT_ALREADY);
      expect(cal.calDeviceOpen(99)[0]).toBe(cal.CAL_RESULT_INVALID_PARAMETER);
      expect(cal.calShutdown()).toBe(cal.CAL_RESULT_OK);
      const { kernels, stream } = brook('kernel void copy(float a<>, out float b<>) { b = a; }');
      const [a, b] = [stream('float', [4]), stream('float', [4])];
      a.read(Float32Array.of(1, 2, 3, 4));
      kernels['copy']!(a, b);
      const out = new Float32Array(4);
      b.write(out);
      expect([...out]).toEqual([1, 2, 3, 4]);
    });
    expect(heard.ended.map(({ api, name, code }) => [api, name, code])).toEqual([
      ['WebCL', 'WebCLRoot.createContext', 0],
      ['WebCL', 'WebCLContext.createCommandQueue', 0],
      ['WebCL', 'WebCLCommandQueue.finish', 0],
      ['WebCL', 'WebCLContext.releaseAll', 0],
      ['CAL', 'calInit', 0],
      ['CAL', 'calInit', 4],
      ['CAL', 'calDeviceOpen', 2],
      ['CAL', 'calShutdown', 0],
      ['Brook+', 'brook', 0],
      ['Brook+', 'stream', 0],
      ['Brook+', 'stream', 0],
      ['Brook+', 'Stream.read', 0],
      ['Brook+', 'copy', 0],
      ['Brook+', 'Stream.write', 0],
    ]);
    expect(heard.ended[6]!.result).toMatch(/^CAL_RESULT_INVALID_PARAMETER/);
  });

  it('cost nothing when nobody listens any more: the methods are those that they were', async () => {
    const own = (name: string): unknown => {
      for (
        let at: object | null = CLCommandQueue.prototype;
        at;
        at = Object.getPrototypeOf(at) as object | null
      ) {
        if (Object.hasOwn(at, name)) return Object.getOwnPropertyDescriptor(at, name)!.value;
      }
      return undefined;
    };
    const [device] = getPlatforms()[0].getDevices();
    const context = createContext(device);
    context.createCommandQueue(device!);
    const before = [own('finish'), own('enqueueReadBuffer'), own('release')];
    await during(() => expect(own('finish')).not.toBe(before[0]));
    expect([own('finish'), own('enqueueReadBuffer'), own('release')]).toEqual(before);
    context.releaseAll();
  });

  it('are in the profile: in its table by functions, and in its trace', () => {
    const profiler = startProfiling({ limit: 5 });
    const context = createContext();
    for (let turn = 0; turn < 3; turn += 1) context.createUserEvent();
    try {
      context.createBuffer(CL.MEM_READ_WRITE, -1);
    } catch {}
    context.releaseAll();
    const profile = profiler.stop();
    expect(profile.calls.map(({ name }) => name)).toEqual([
      'createContext',
      'CLContext.createUserEvent',
      'CLContext.createUserEvent',
      'CLContext.createUserEvent',
      'CLContext.createBuffer',
    ]);
    expect(profile.missedCalls).toBe(1);
    expect(profile.calls[0]!.started).toBeGreaterThanOrEqual(0);
    const table = profileTable(profile);
    const cells = (name: string): string[] =>
      table
        .split('\n')
        .map((line) => line.split(/ {2,}/))
        .find(([first]) => first === name) ?? [];
    expect(cells('CLContext.createUserEvent')[1]).toBe('3');
    expect(cells('CLContext.createBuffer').at(-1)).toBe('CL_INVALID_BUFFER_SIZE');
    expect(table).toContain('1 more calls are not in the profile');

    const trace = profileTrace(profile);
    expect(traceProblems(trace)).toEqual([]);
    const events = trace.traceEvents.filter(({ cat }) => cat === 'call');
    expect(events.map(({ name }) => name)).toEqual(profile.calls.map(({ name }) => name));
    expect(events[4]!.args).toMatchObject({
      code: -61,
      text: expect.stringMatching(/createBuffer\(1, -1\)$/),
    });
    const read = readTrace(JSON.stringify(trace));
    expect(read.calls).toEqual(profile.calls);
    expect(read.missedCalls).toBe(1);
  });
});
