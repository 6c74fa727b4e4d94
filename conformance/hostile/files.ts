/** Files and texts that programs and people hand on: pictures, arrays, simulations, traces, links, entries of the build cache. */
import { deflateRawSync } from 'node:zlib';
import { encode as encodePng } from 'fast-png';
import jpeg from 'jpeg-js';
import type { Document } from '../../playground/src/document.ts';
import { decodeDocument, encodeDocument } from '../../playground/src/share.ts';
import { decodeEntry, encodeEntry } from '../../src/build/cache/cache-entry.ts';
import { elementShape } from '../../src/cli/arguments/elements.ts';
import { encodeNetpbm } from '../../src/cli/arguments/netpbm.ts';
import { readNpy } from '../../src/cli/arguments/npy.ts';
import { encodeBmp } from '../../src/cli/bmp.ts';
import { FailureError, UsageError } from '../../src/cli/errors.ts';
import { decodePicture } from '../../src/cli/picture.ts';
import { readSimulation } from '../../src/cli/simulation.ts';
import { readTrace, TraceError } from '../../src/tools/profile/read-trace.ts';
import { profileTrace } from '../../src/tools/profile/trace.ts';
import { mutate } from '../../test/fuzz/mutate.ts';
import { Random } from '../../test/support/random.ts';
import { damagedBytes, type HostileKind, refusedAs } from './kind.ts';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

export function pictureKind(): HostileKind {
  const random = new Random(1);
  const [width, height] = [13, 9];
  const picture = {
    width,
    height,
    data: Uint8Array.from({ length: width * height * 4 }, () => random.below(256)),
  };
  const png = (channels: 1 | 2 | 3 | 4, depth: 8 | 16): Uint8Array =>
    encodePng({
      width,
      height,
      channels,
      depth,
      data: Uint16Array.from({ length: width * height * channels }, () => random.below(2 ** depth)),
    });
  const originals = [
    encodeBmp(picture),
    encodeNetpbm(picture, true),
    encodeNetpbm(picture, false),
    bytesOf(`P2 3 2 255\n1 2 3\n4 5 255\n`),
    bytesOf(`P3 # comment\n2 1 65535\n1 2 3 4 5 65535\n`),
    png(1, 8),
    png(2, 8),
    png(3, 16),
    png(4, 8),
    ...[30, 95].map((quality) => Uint8Array.from(jpeg.encode(picture, quality).data)),
  ];
  return {
    originals: originals.length,
    make: (random) => damagedBytes(originals, random),
    run: (bytes) =>
      refusedAs([FailureError], () => {
        const { width, height, data } = decodePicture(bytes as Uint8Array, 'hostile');
        if (data.length !== width * height * 4)
          throw new Error(`${data.length} bytes for ${width} x ${height}`);
        return 'read';
      }),
  };
}

/** A .npy file as NumPy's format page describes it. */
function npy(dtype: string, shape: readonly number[], bytes: number): Uint8Array {
  const tuple = `(${shape.join(', ')}${shape.length === 1 ? ',' : ''})`;
  const text = `{'descr': '${dtype}', 'fortran_order': False, 'shape': ${tuple}, }`;
  const padded = `${text.padEnd(Math.ceil((text.length + 11) / 64) * 64 - 11)}\n`;
  const head = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, padded.length & 255, padded.length >> 8];
  return Uint8Array.from([...head, ...bytesOf(padded), ...new Array<number>(bytes).fill(7)]);
}

export function npyKind(): HostileKind {
  const originals = [
    npy('<f4', [3, 4], 48),
    npy('<i2', [5], 10),
    npy('|u1', [2, 2, 4], 16),
    npy('<f8', [1], 8),
    npy('<i8', [2], 16),
  ];
  const shape = elementShape(undefined);
  return {
    originals: originals.length,
    make: (random) => damagedBytes(originals, random),
    run: (bytes) =>
      refusedAs([FailureError, UsageError], () => {
        readNpy('hostile.npy', Uint8Array.from(bytes as Uint8Array).buffer, shape);
        return 'read';
      }),
  };
}

export function simulationKind(): HostileKind {
  const originals = [
    'saxpy.cl\nsaxpy\n64 1 1\n16 1 1\n2.5\n<size=256 fill=1 ro>\n<size=256 range=0:1:63>\n<size=64>\n<null>\n',
    '# ARGS: --build-options -DN=4\nk.cl k 4 4 1 2 2 1\n<size=16 float dump> 1.5 -2 1e9 nan\n<size=64 noinit wo hex>\nuchar 255\n',
  ];
  return {
    originals: originals.length,
    make: (random) => mutate(random.pick(originals), originals, random),
    run: (text) =>
      refusedAs([UsageError], () => {
        readSimulation(String(text), 'hostile.sim');
        return 'read';
      }),
  };
}

export function traceKind(): HostileKind {
  const command = { device: 0, queue: 1, bytes: 0, queued: 0, submitted: 1, started: 2, ended: 5, status: 0 };
  const launch = { ...command, kind: 'NDRANGE_KERNEL', kernel: 'k', global: [64], local: [16] };
  const call = {
    index: 1,
    thread: 0,
    api: 'OpenCL',
    object: '',
    args: ['queue 1'],
    started: 0,
    ended: 6,
    code: 0,
  };
  const none = { unfinished: 0, missed: 0, missedCalls: 0, missedSpans: 0 };
  const profile = {
    devices: [{ name: 'WebAssembly', units: 2 }],
    commands: [
      { ...launch, threads: [{ thread: 1, started: 2, ended: 5 }] },
      { ...command, kind: 'WRITE_BUFFER', bytes: 256 },
    ],
    builds: [{ device: 0, kind: 'compile', kernels: ['k'], started: 0, ended: 1 } as const],
    calls: [{ ...call, name: 'clFinish', result: 'CL_SUCCESS' }],
    ...none,
  };
  const nothing = { devices: [], commands: [], builds: [], calls: [], ...none };
  const originals = [profile, nothing].map((each) => JSON.stringify(profileTrace(each)));
  return {
    originals: originals.length,
    make: (random) => mutate(random.pick(originals), originals, random),
    run: (text) =>
      refusedAs([TraceError], () => {
        readTrace(String(text));
        return 'read';
      }),
  };
}

/** Damaged as a link, which hardly ever unpacks then, or before it is packed. */
export async function linkKind(): Promise<HostileKind> {
  const launch = { kernel: 'k', global: '64,2', local: '', args: { x: 'zeros:128' } };
  const document: Document = {
    name: 'k.cl',
    language: 'opencl',
    source: 'kernel void k(global int *x) {}',
    options: '-D N=4',
    launch,
    study: '',
  };
  const program: Document = {
    ...document,
    language: 'c',
    surroundings: { input: '1 2', deviceType: 'gpu' },
  };
  const texts = [document, program].map((each) => JSON.stringify(each));
  const links = await Promise.all([document, program].map(encodeDocument));
  return {
    originals: links.length,
    make: (random) =>
      random.below(2) === 0
        ? mutate(random.pick(links), links, random)
        : deflateRawSync(mutate(random.pick(texts), texts, random)).toString('base64url'),
    async run(text) {
      const shared = await decodeDocument(String(text));
      if ('document' in shared) return 'read';
      if (shared.problem === '') throw new Error('no problem is named');
      return 'refused';
    },
  };
}

export function cacheKind(): HostileKind {
  const key = 'a'.repeat(64);
  const originals = [encodeEntry(key, bytesOf('content of an entry')), encodeEntry(key, new Uint8Array(0))];
  return {
    originals: originals.length,
    make: (random) => damagedBytes(originals, random),
    run(bytes) {
      const whole = bytes as Uint8Array;
      const content = decodeEntry(key, whole);
      if (!content) return 'refused';
      // Whatever is taken must be one that was written.
      const same = originals.some(
        (one) => one.length === whole.length && one.every((byte, at) => byte === whole[at]),
      );
      if (!same) throw new Error('a damaged entry was taken');
      return 'taken whole';
    },
  };
}
