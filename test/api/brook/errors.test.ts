/**
 * What streams say of what goes wrong: every text of A.8 of the Stream Computing User Guide that can arise here, and the way of
 * errors from stream to stream. The texts are the guide's, with the spaces of Brook+ 1.4.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrookArgument, type BrookDevice, brook, getDevices, type Stream } from 'millrace/brook';
import { type CLCommandQueue, OpenCLError } from 'millrace/opencl';
import { afterAll, describe, expect, it, vi } from 'vitest';

const devices = [getDevices('cal')[0]!, getDevices('cpu')[0]!] as const;

afterAll(() => {
  for (const device of devices) device.close();
});

const source = `
  typedef struct Pair_t { float a; int b; } Pair;
  kernel void copy(float a<>, out float b<>) { b = a; }
  kernel void sum(float a<>, float b<>, out float c<>) { c = a + b; }
  kernel void both(float a<>, out float b<>, out float c<>) { b = a; c = a; }
  kernel void scaled(Pair p, float a<>, out float b<>) { b = a * p.a; }
  kernel void gathered(float a[], out float b<>) { b = a[0]; }
  reduce void total(float a<>, reduce float r<>) { r += a; }`;

/** A way to go wrong with streams, and what it leads to. */
interface Mistake {
  readonly text: string;
  readonly error: string;
  /** Does it; gives the stream that keeps the error. */
  make(tools: Tools): Stream;
}

type Tools = ReturnType<typeof toolsOf>;

function toolsOf(device: BrookDevice) {
  const { kernels, stream } = brook(source, { device });
  const filled = (...sizes: number[]): Stream => {
    const made = stream('float', sizes);
    made.read(Float32Array.from({ length: sizes.reduce((all, size) => all * size, 1) }, (_, index) => index));
    return made;
  };
  const call = (name: string, ...args: readonly BrookArgument[]): void => kernels[name]!(...args);
  return { device, kernels, stream, filled, call };
}

/** Makes the next call of a function of the device's OpenCL objects fail as if there were no memory left. */
function failing<T extends object>(object: T, name: keyof T & string, status = 'CL_OUT_OF_RESOURCES'): void {
  vi.spyOn(object as Record<string, () => unknown>, name).mockImplementationOnce(() => {
    throw new OpenCLError(status as 'CL_OUT_OF_RESOURCES', 'for the test');
  });
}

/** Makes the launch that a call makes fail only when its turn comes, as a driver's may. */
failing.late = (queue: CLCommandQueue, call: () => void): void => {
  vi.spyOn(queue, 'enqueueNDRangeKernel').mockImplementationOnce((...[, , , , , waits, event]) => {
    const failed = (): never => {
      throw new Error('for the test');
    };
    return queue.enqueueNativeKernel(failed, [], [], [], waits, event);
  });
  call();
};

const kernelError = 'BR_ERROR_KERNEL';
const wrongUse = 'BR_ERROR_INVALID_PARAMATER';

const mistakes: readonly Mistake[] = [
  {
    text: 'Stream Allocation : Failed to create buffer',
    error: 'BR_ERROR_DECLARATION',
    make({ stream }) {
      const good = stream('float', [1]);
      failing(good.session.context, 'createBuffer');
      return stream('float', [1]);
    },
  },
  ...[[0], [], [2.5], [1, 1, 1, 1, 1], [2 ** 26 + 1]].map((sizes) => ({
    text: 'Stream Allocation : This dimension not supported on underlying hardware',
    error: 'BR_ERROR_DECLARATION',
    make: ({ stream }: Tools) => stream('float', sizes),
  })),
  {
    text: 'Stream Allocation : Double precision not supported on underlying hardware',
    error: 'BR_ERROR_NOT_SUPPORTED',
    make({ stream }) {
      const { session } = stream('float', [1]);
      vi.spyOn(session, 'hasDouble', 'get').mockReturnValueOnce(false);
      return stream('double', [1]);
    },
  },
  {
    text: 'Stream Allocation : Stream of this type not supported on the device',
    error: 'BR_ERROR_DECLARATION',
    make: ({ stream }) => stream('float4', [64, 64], 'd3d9'),
  },
  {
    text: "Stream Allocation : Struct streams doesn't support this stream type",
    error: 'BR_ERROR_DECLARATION',
    make: ({ stream }) => stream('Pair', [64, 64], 'd3d9'),
  },
  {
    text: "Stream Allocation : Rank and dimension of stream doesn't support this stream type",
    error: 'BR_ERROR_DECLARATION',
    make: ({ stream }) => stream('float', [4, 4, 4], 'd3d10'),
  },
  {
    text: 'Set Property : This is not an interoperable stream',
    error: wrongUse,
    make({ filled }) {
      const a = filled(4);
      a.setProperty('d3dDevice', {});
      return a;
    },
  },
  {
    text: "Stream Read : Stream can't read from a NULL pointer",
    error: wrongUse,
    make({ stream }) {
      const a = stream('float', [4]);
      a.read(null);
      return a;
    },
  },
  {
    text: 'Stream Read : Internal buffer is not initialized',
    error: 'BR_ERROR_READ',
    make: ({ filled }) => released(filled(4), (a) => a.read(new Float32Array(4))),
  },
  {
    text: 'Stream Read : Failed to Initiate DMA',
    error: 'BR_ERROR_READ',
    make({ filled }) {
      const a = filled(4);
      failing(a.session.queue, 'enqueueWriteBuffer');
      a.read(new Float32Array(4));
      return a;
    },
  },
  {
    text: "Stream Write : Stream can't write to a NULL pointer",
    error: wrongUse,
    make({ filled }) {
      const a = filled(4);
      a.write(null);
      return a;
    },
  },
  {
    text: 'Stream Write : Internal buffer is not initialized',
    error: 'BR_ERROR_WRITE',
    make: ({ filled }) => released(filled(4), (a) => a.write(new Float32Array(4))),
  },
  {
    text: 'Stream Write : Uninitialized stream',
    error: 'BR_ERROR_WRITE',
    make({ stream }) {
      const a = stream('float', [4]);
      a.write(new Float32Array(4));
      return a;
    },
  },
  {
    text: 'Stream Write : Failed to Initiate DMA',
    error: 'BR_ERROR_WRITE',
    make({ filled }) {
      const a = filled(4);
      failing(a.session.queue, 'enqueueReadBuffer');
      a.write(new Float32Array(4));
      return a;
    },
  },
  {
    text: 'Stream Assign : Destination Internal buffer is not initialized',
    error: wrongUse,
    make: ({ filled }) => released(filled(4), (a) => a.assign(filled(4))),
  },
  {
    text: "Stream Assign : Input stream rank and dimension doesn't match with destination",
    error: wrongUse,
    make: ({ filled }) => assigned(filled(4), filled(2, 2)),
  },
  {
    text: 'Stream Assign : Uninitialized input stream',
    error: wrongUse,
    make: ({ filled, stream }) => assigned(filled(4), stream('float', [4])),
  },
  {
    text: 'Stream Assign : Invalid input stream',
    error: wrongUse,
    make: ({ filled }) => assigned(filled(4), released(filled(4))),
  },
  {
    text: 'Assign : Could not flush previous events',
    error: wrongUse,
    make({ filled }) {
      const [a, b] = [filled(4), filled(4)];
      failing(a.session.queue, 'enqueueCopyBuffer');
      return assigned(a, b);
    },
  },
  ...(
    [
      [null, [2, 2], "Domain start point can't be NULL"],
      [[1, 1], null, "Domain end point can't be NULL"],
      [[2, 2], [1, 3], 'Start point is more than end point, failed to create domain stream'],
      [[0.5, 0], [2, 2], 'Start point is more than end point, failed to create domain stream'],
      [[0, 0], [4, 5], 'Domain dimensions are bigger than original stream, failed to create domain stream'],
      [[-1, 0], [4, 4], 'Domain dimensions are bigger than original stream, failed to create domain stream'],
      [
        [0, 0, 0],
        [2, 2, 1],
        'Domain dimensions are bigger than original stream, failed to create domain stream',
      ],
      [
        [0, 0],
        [2, 2, 1],
        'Domain dimensions are bigger than original stream, failed to create domain stream',
      ],
      [
        [0, 0, 0],
        [2, 2],
        'Domain dimensions are bigger than original stream, failed to create domain stream',
      ],
      [[0, 0], [5, 4], 'Domain dimensions are bigger than original stream, failed to create domain stream'],
    ] as const
  ).map(([start, end, text]) => ({
    text: `Domain Operator : ${text}`,
    error: 'BR_ERROR_DOMAIN',
    make({ filled }: Tools) {
      const whole = filled(4, 4);
      expect(whole.domain(start, end).error()).toBe('BR_ERROR_DOMAIN');
      return whole;
    },
  })),
  {
    text: 'Domain Operator : Internal buffer is not initialized',
    error: 'BR_ERROR_DOMAIN',
    make: ({ filled }) => released(filled(4), (a) => a.domain([0], [1])),
  },
  {
    text: 'Exec Domain : Internal buffer is not initialized',
    error: wrongUse,
    make: ({ filled }) => released(filled(4), (a) => a.execDomain(1)),
  },
  {
    text: 'Exec Domain : Number of threads must be more than 0',
    error: wrongUse,
    make: ({ filled }) => threads(filled(4), 0),
  },
  {
    text: 'Exec Domain : This API is valid only for 1D stream',
    error: wrongUse,
    make: ({ filled }) => threads(filled(4, 4), 2),
  },
  {
    text: 'Exec Domain : Number of threads specified more than stream dimension',
    error: wrongUse,
    make: ({ filled }) => threads(filled(4), 5),
  },
  {
    text: 'Kernel Execution : Invalid output stream.',
    error: wrongUse,
    make: ({ filled, stream, call }) => {
      const c = stream('float', [4]);
      call('both', filled(4), null, c);
      return c;
    },
  },
  {
    text: 'Kernel Execution : Invalid Input stream.',
    error: wrongUse,
    make: ({ stream, call }) => output(stream('float', [4]), (b) => call('copy', null, b)),
  },
  {
    text: 'Kernel Execution : Output stream device is different from current device',
    error: kernelError,
    make: ({ device, filled, call }) => output(elsewhere(device), (b) => call('copy', filled(4), b)),
  },
  {
    text: 'Kernel Execution : Input stream device is different from current device',
    error: kernelError,
    make: ({ device, stream, call }) =>
      output(stream('float', [4]), (b) => call('copy', elsewhere(device), b)),
  },
  {
    text: 'Kernel Execution : Input streams Allocation failed.',
    error: kernelError,
    make: ({ filled, stream, call }) =>
      output(stream('float', [4]), (b) => call('copy', released(filled(4)), b)),
  },
  {
    text: 'Kernel Execution : Output stream is not allocated',
    error: kernelError,
    make: ({ filled, call }) => released(filled(4), (b) => call('copy', filled(4), b)),
  },
  {
    text: 'Kernel Execution : Error with input streams',
    error: kernelError,
    make: ({ filled, stream, call }) =>
      output(stream('float', [4]), (b) => {
        const a = filled(4);
        a.read(null);
        call('copy', a, b);
      }),
  },
  {
    text: 'Kernel Execution : Error with output streams',
    error: 'BR_ERROR_DECLARATION',
    make: ({ filled, stream, call }) => output(stream('float', [0]), (b) => call('copy', filled(4), b)),
  },
  {
    text: 'Kernel Execution : Input stream is same as output stream.\nBinding kernels read-write is prohibited. The environment variable BRT_PERMIT_READ_WRITE_ALIASING permits it.',
    error: wrongUse,
    make: ({ filled, call }) => output(filled(4), (a) => call('copy', a, a)),
  },
  {
    text: "Kernel Execution : input stream rank doesn't match with first output rank.",
    error: wrongUse,
    make: ({ filled, stream, call }) => output(stream('float', [4]), (b) => call('copy', filled(2, 2), b)),
  },
  {
    text: "Kernel Execution : Reduction operation don't allow output rank > input rank",
    error: wrongUse,
    make: ({ filled, stream, call }) => output(stream('float', [2, 2]), (b) => call('total', filled(4), b)),
  },
  {
    text: 'Kernel Execution : Input dimensions should be integral multiple of output dimensions.\nThe results might be undefined.',
    error: wrongUse,
    make: ({ filled, stream, call }) => output(stream('float', [8]), (b) => call('total', filled(4), b)),
  },
  {
    text: 'Kernel Execution : Unable to create temporary stream required for reduction',
    error: kernelError,
    make({ filled, stream, call }) {
      const [a, b] = [filled(20_000), stream('float', [2])];
      failing(a.session.context, 'createBuffer');
      call('total', a, b);
      return b;
    },
  },
  {
    text: 'Kernel Execution : Failed to execute a reduction pass',
    error: kernelError,
    make({ filled, stream, call }) {
      const [a, b] = [filled(4), stream('float', [2])];
      failing(a.session.queue, 'enqueueNDRangeKernel', 'CL_INVALID_WORK_GROUP_SIZE');
      call('total', a, b);
      return b;
    },
  },
  {
    text: 'Kernel Execution : Failed to create Program',
    error: kernelError,
    make({ filled, stream, call }) {
      const [a, b] = [filled(4), stream('float', [4])];
      failing(a.session.context, 'createProgram', 'CL_BUILD_PROGRAM_FAILURE');
      call('gathered', a, b);
      return b;
    },
  },
  {
    text: 'Kernel Execution : Failed to create Constants',
    error: kernelError,
    make({ filled, stream, call }) {
      const [a, b] = [filled(4), stream('float', [4])];
      failing(a.session.context, 'createBuffer');
      call('scaled', Float32Array.of(1, 2), a, b);
      return b;
    },
  },
  {
    text: 'Kernel Execution : Failed to run kernel',
    error: kernelError,
    make({ filled, stream, call }) {
      const [a, b] = [filled(4), stream('float', [4])];
      failing(a.session.queue, 'enqueueNDRangeKernel', 'CL_INVALID_WORK_GROUP_SIZE');
      call('copy', a, b);
      return b;
    },
  },
];

function released(stream: Stream, then: (stream: Stream) => unknown = () => undefined): Stream {
  stream.release();
  then(stream);
  return stream;
}

function assigned(target: Stream, from: Stream): Stream {
  target.assign(from);
  return target;
}

function threads(stream: Stream, count: number): Stream {
  stream.execDomain(count);
  return stream;
}

function output(stream: Stream, write: (stream: Stream) => void): Stream {
  write(stream);
  return stream;
}

/** A stream with content on the other device. */
function elsewhere(device: BrookDevice): Stream {
  return toolsOf(device === devices[0] ? devices[1] : devices[0]).filled(4);
}

describe('errors of streams', () => {
  const tools = toolsOf(devices[0]);

  it.each(mistakes.map((mistake) => [mistake.text.split('\n')[0]!, mistake] as const))('%s', (_, mistake) => {
    const stream = mistake.make(tools);
    expect(stream.errorLog()).toContain(`${mistake.text}\n`);
    expect(stream.error()).toBe(mistake.error);
    // Asked once, it is forgotten; the log stays.
    expect(stream.error()).toBe('BR_NO_ERROR');
    expect(stream.errorLog()).toContain(mistake.text);
  });

  it.each([
    ['Kernel Execution : Uninitialized Input streams. The results might be undefined.', [4], [4]],
    [
      "Kernel Execution : Input stream dimension doesn't match with output dimension. An implicit resize is done to match output dimension. In the next release this feature will be deprecated",
      [8],
      [4],
    ],
  ])('%s (a warning)', (text, from, to) => {
    const { stream, filled, call } = tools;
    const b = stream('float', to);
    call('copy', from.join() === to.join() ? stream('float', from) : filled(...from), b);
    expect(b.errorLog()).toBe(`${text}\n`);
    expect(b.error()).toBe('BR_NO_ERROR');
  });

  it.each([
    ["Kernel Execution : output stream rank doesn't match with first output rank.", [4, 1]],
    ["Kernel Execution : output stream dimension doesn't match with first output dimension.", [5]],
  ])('%s (a warning)', (text, sizes) => {
    const { stream, filled, call } = tools;
    const c = stream('float', sizes);
    call('both', filled(4), stream('float', [4]), c);
    expect(c.errorLog()).toBe(`${text} The results might be undefined\n`);
    expect(c.error()).toBe('BR_NO_ERROR');
  });

  it('warns of blocks that leave a rest', () => {
    const { stream, filled, call } = tools;
    const b = stream('float', [2]);
    call('total', filled(5), b);
    expect(b.errorLog()).toContain('Input dimensions should be integral multiple of output dimensions.');
    expect(b.error()).toBe('BR_NO_ERROR');
  });

  it('go the way of the data', () => {
    const { stream, call } = tools;
    const [a, b, c, d] = [0, 1, 2, 3].map(() => stream('float', [4])) as [Stream, Stream, Stream, Stream];
    a.read(null);
    b.read(new Float32Array(4));
    call('sum', a, b, c);
    call('copy', c, d);
    expect([b, c, d].map((one) => one.error())).toEqual(['BR_NO_ERROR', kernelError, kernelError]);
    expect(d.errorLog()).toBe('Kernel Execution : Error with input streams\n');
    expect(d.hasContent).toBe(false);
    // The first error is kept: the one that was made last is in the log only.
    a.write(null);
    expect(a.error()).toBe(wrongUse);
    expect(a.errorLog().trimEnd().split('\n')).toHaveLength(2);
  });

  it('stay where what is in the stream is as good as before', () => {
    const { stream, filled, call } = tools;
    const [a, b] = [filled(4), stream('float', [4])];
    // The last step of programs that go through a matrix by smaller and smaller parts has none left.
    const none = a.domain([4], [4]);
    call('copy', none, stream('float', [4]));
    a.execDomain(0);
    a.write(null);
    call('copy', a, b);
    const out = new Float32Array(4);
    b.write(out);
    expect([...out]).toEqual([0, 1, 2, 3]);
    expect([b, a, none].map((one) => one.error())).toEqual([
      'BR_NO_ERROR',
      'BR_ERROR_DOMAIN',
      'BR_ERROR_DOMAIN',
    ]);
  });

  it('of commands that fail when their turn comes reach what was computed from them', () => {
    const { stream, filled, call } = tools;
    const a = filled(4);
    const names = ['failed', 'sum', 'copy', 'assigned', 'again', 'other'] as const;
    const streams = Object.fromEntries(names.map((name) => [name, stream('float', [4])]));
    const { failed, sum, copy, assigned, again, other } = streams as Record<(typeof names)[number], Stream>;
    const { queue } = a.session;
    failing.late(queue, () => call('copy', a, failed));
    call('sum', a, failed, sum);
    call('copy', sum, copy);
    assigned.assign(failed);
    call('copy', failed, again);
    again.read(new Float32Array(4));
    call('copy', again, other);
    other.finish();
    const told = [failed, sum, copy, assigned, other, a].map((one) => one.error());
    expect(told).toEqual([kernelError, kernelError, kernelError, wrongUse, 'BR_NO_ERROR', 'BR_NO_ERROR']);
    expect(failed.errorLog()).toBe(
      'Kernel Execution : Failed to run kernel\nthe native kernel failed: for the test\n',
    );
    expect(copy.errorLog()).toBe('Kernel Execution : Error with input streams\n');
    expect(assigned.errorLog()).toBe('Stream Assign : Invalid input stream\n');
    // A reduction to a variable has its input to tell.
    failing.late(queue, () => call('total', other, new Float32Array(1)));
    expect([other.error(), other.error()]).toEqual([kernelError, 'BR_NO_ERROR']);
  });

  it('are in the file that BRT_LOG_FILE names, too', () => {
    const folder = mkdtempSync(join(tmpdir(), 'millrace-brook-log-'));
    const path = join(folder, 'brook.log');
    try {
      vi.stubEnv('BRT_LOG_FILE', path);
      const a = tools.stream('float', [4]);
      expect(existsSync(path)).toBe(false);
      a.read(null);
      a.write(null);
      expect(readFileSync(path, 'utf8')).toBe(a.errorLog());
      // A log that cannot be written stops nothing.
      vi.stubEnv('BRT_LOG_FILE', join(folder, 'nowhere', 'brook.log'));
      a.read(null);
      expect(a.errorLog().trimEnd().split('\n')).toHaveLength(3);
    } finally {
      vi.unstubAllEnvs();
      rmSync(folder, { recursive: true });
    }
  });

  it('of aliases are no more where BRT_PERMIT_READ_WRITE_ALIASING permits them', () => {
    const { filled, call } = tools;
    const a = filled(4);
    vi.stubEnv('BRT_PERMIT_READ_WRITE_ALIASING', '1');
    try {
      call('sum', a, a, a);
    } finally {
      vi.unstubAllEnvs();
    }
    const out = new Float32Array(4);
    a.write(out);
    expect([...out]).toEqual([0, 2, 4, 6]);
    expect(a.error()).toBe('BR_NO_ERROR');
  });

  it.each(devices)('a part that could not be made has no elements of the whole', (device) => {
    const { filled, call } = toolsOf(device);
    const [a, b] = [filled(4), filled(2)];
    const part = () => a.domain([2], [2]);
    const out = Float32Array.of(-1, -2, -3, -4);
    const written = part();
    written.write(out);
    expect([...out]).toEqual([-1, -2, -3, -4]);
    expect(written.errorLog()).toMatch(/Stream Write : Internal buffer is not initialized/);
    part().read(Float32Array.of(9, 9, 9, 9));
    const computed = part();
    call('copy', b, computed);
    expect(computed.errorLog()).toMatch(/Kernel Execution : Error with output streams/);
    computed.error();
    call('copy', b, computed);
    expect(computed.errorLog()).toMatch(/Output stream is not allocated/);
    expect(b.error()).toBe('BR_NO_ERROR');
    a.write(out);
    expect([...out]).toEqual([0, 1, 2, 3]);
  });
});
