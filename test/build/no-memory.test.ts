// An engine that gives no memory for one array of a build, wherever that is. Without an array for the build cache it is good all the same.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { programFromBinary } from '../../src/api/javascript/binary.ts';
import { CL, type CLProgram, createContext } from '../../src/api/opencl/index.ts';
import { buildFromAsync } from '../../src/build/build-program.ts';
import { cachedFrontEnd } from '../../src/build/cache/cached-front-end.ts';
import { sourceFrontEnd } from '../../src/build/source-front-end.ts';
import { cloneModule } from '../../src/ir/clone.ts';
import type { Device, OpenDevice } from '../../src/runtime/device.ts';
import { refuseArray } from '../support/refused-arrays.ts';
import { compileForTest } from '../support/run-kernel.ts';

const source = 'kernel void k(global int *p) { p[get_global_id(0)] *= 3; }';

describe('an entry of the build cache', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'millrace-cache-'));
    vi.stubEnv('MILLRACE_CACHE', '1');
    vi.stubEnv('MILLRACE_CACHE_DIR', folder);
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true, force: true });
  });

  const module = compileForTest(source);
  const code = new Uint8Array(5000).fill(7);

  /** Builds with the cache before a front end that needs no memory; the code that it remembered, before it is given it. */
  function build(): Uint8Array | undefined {
    const lower = () => cloneModule(module);
    const result = cachedFrontEnd({ source, options: '', name: 'k.cl' }, 32, () => ({
      options: '',
      source,
      allowsUnread: false,
      read: () => ({ lower, diagnostics: [], hasInvalidOptions: false, log: '' }),
    })).read();
    expect(result.lower!().functions.map(({ name }) => name)).toContain('k');
    const known = result.code?.find('machine');
    result.code?.keep('machine', () => code);
    return known;
  }

  it.each([
    ['written', false],
    ['read', true],
  ])('is not %s, and the build is good', (_title, isThere) => {
    for (let which = 0; ; which += 1) {
      rmSync(folder, { recursive: true });
      if (isThere) build();
      const refused = refuseArray(which);
      build();
      refused.end();
      if (!refused.isRefused) {
        expect(which).toBeGreaterThan(isThere ? 0 : 2);
        break;
      }
      // Nobody finds a part of one.
      expect([undefined, code]).toContainEqual(build());
    }
    expect(readdirSync(folder)).toHaveLength(1);
    expect(build()).toEqual(code);
  });
});

// "CL_OUT_OF_HOST_MEMORY if there is a failure to allocate resources required by the OpenCL implementation on the host": each of these calls.
describe('every array that is refused is an error code of', () => {
  const text = `constant int table[4096] = {${Array.from({ length: 4096 }, (_, index) => index + 1).join()}};
    kernel void k(global int *p) { p[get_global_id(0)] = table[get_global_id(0)]; }`;
  const context = createContext(undefined, { shared: false });
  const { devices } = context;
  afterAll(() => context.releaseAll());

  /** Calls until no array of it is refused any more, and says how many were. */
  function callAgain(call: () => void, look?: (error: unknown) => void): number {
    for (let which = 0; ; which += 1) {
      const refused = refuseArray(which);
      let error: unknown;
      try {
        call();
      } catch (thrown) {
        error = thrown;
      }
      refused.end();
      // What can do without the array may go on.
      if (error !== undefined) expect(error).toMatchObject({ name: 'CL_OUT_OF_HOST_MEMORY' });
      look?.(error);
      if (refused.isRefused) continue;
      expect(error).toBeUndefined();
      return which;
    }
  }

  it.each(['build', 'compile'] as const)('clBuildProgram or clCompileProgram: %s', (how) => {
    let program: CLProgram;
    const count = callAgain(
      () => {
        program = context.createProgram(text);
        program[how]();
      },
      (error) => {
        const status = program.getBuildInfo(devices[0]!, CL.PROGRAM_BUILD_STATUS);
        expect(status).toBe(error === undefined ? CL.BUILD_SUCCESS : CL.BUILD_ERROR);
      },
    );
    // The front end's alone are more.
    expect(count).toBeGreaterThan(5);
  });

  it('clCreateProgramWithBinary, and of builds of it', () => {
    const program = context.createProgram(text);
    program.build();
    const binaries = program.getInfo(CL.PROGRAM_BINARIES);
    const create = () => context.createProgramWithBinary(devices, binaries);
    expect(callAgain(create)).toBeGreaterThan(0);
    const count = callAgain(() => {
      const again = create();
      // The second build reads the binary again.
      for (let round = 0; round < 2; round += 1) again.build();
    });
    expect(count).toBeGreaterThan(1);
  });

  it('a binary of the short form', async () => {
    const program = context.createProgram(text);
    program.build();
    const [bytes] = program.getInfo(CL.PROGRAM_BINARIES);
    const device = { info: { addressBits: 32 } } as Device;
    // The table is the first array that is large.
    const refused = refuseArray(0, 4096);
    await expect(programFromBinary({ device } as OpenDevice, bytes!, {})).rejects.toMatchObject({
      name: 'CL_OUT_OF_HOST_MEMORY',
    });
    expect(refused.isRefused).toBe(true);
  });
});

it('a build that is awaited has it, too', async () => {
  const device = { info: { addressBits: 32 } } as Device;
  const frontEnd = sourceFrontEnd({ source, options: '' }, device);
  const refused = refuseArray();
  await expect(buildFromAsync(frontEnd, { device } as OpenDevice)).rejects.toMatchObject({
    name: 'CL_OUT_OF_HOST_MEMORY',
  });
  expect(refused.isRefused).toBe(true);
});
