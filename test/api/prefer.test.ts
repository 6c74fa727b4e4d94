/** `compile(source, { prefer: 'gpu' })`: the preferred device where it can be had, else WebAssembly, and why. */
import { describe, expect, test } from 'vitest';
import { BuildError, compile, compilePreferring } from '../../src/api/javascript/compile.ts';
import { ownDevices } from '../../src/devices/own.ts';
import { BuildFailure, type Device } from '../../src/runtime/device.ts';
import { OpenCLError } from '../../src/runtime/status.ts';

const source = 'kernel void k(global int *p) { *p = 1; }';
const [wasm, interpreter] = ownDevices() as [Device, Device];
/** The interpreter, in the place of a card. */
const card: Device = Object.create(interpreter, { info: { value: { ...interpreter.info, type: 'gpu' } } });

/** The interpreter, but for programs, which it refuses for that reason. */
function refusing(reason: string): Device {
  const buildAsync = (): never => {
    throw new BuildFailure(reason);
  };
  return {
    id: 'refusing',
    info: card.info,
    imageFormats: (type, flags) => interpreter.imageFormats(type, flags),
    open: (host) => Object.assign(Object.create(interpreter.open(host)), { build: buildAsync, buildAsync }),
  };
}

describe('a preferred device', () => {
  test('is taken if it is there and takes the program', async () => {
    const program = await compilePreferring(async () => card, source, {});
    expect(program.device.id).toBe('interpreter');
    expect(program.fallback).toBeUndefined();
    program.release();
  });

  test('is not taken if it is not there, and the reason is told', async () => {
    const missing = async (): Promise<Device> => {
      throw new OpenCLError('CL_DEVICE_NOT_FOUND', 'no card');
    };
    const program = await compilePreferring(missing, source, {});
    expect(program.device.id).toBe(wasm.id);
    expect(program.fallback).toContain('no card');
    program.release();
  });

  test('is not taken if it is no card', async () => {
    const program = await compilePreferring(async () => interpreter, source, {});
    expect(program.device.id).toBe(wasm.id);
    expect(program.fallback).toContain('is no gpu');
    program.release();
  });

  test('is not taken if it refuses the program, and the reason is told', async () => {
    const program = await compilePreferring(async () => refusing('k cannot run there\n'), source, {});
    expect(program.device.id).toBe(wasm.id);
    expect(program.fallback).toContain('k cannot run there');
    program.release();
  });

  test('a source that is wrong is wrong everywhere', async () => {
    const wrong = compilePreferring(async () => card, 'kernel void k() { x = 1; }', {});
    await expect(wrong).rejects.toThrow(BuildError);
  });
});

test('without a card there is WebAssembly', async () => {
  const program = await compile(source, { prefer: 'gpu' });
  if (program.device.id !== 'webgpu') expect(program.fallback).toMatch(/WebGPU|webgpu/);
  else expect(program.device.info.type).toBe('gpu');
  program.release();
});

test('what else could be preferred is refused', async () => {
  await expect(compile(source, { prefer: 'cpu' as 'gpu' })).rejects.toThrow("prefer 'gpu'");
  const entry = { id: wasm.id, name: wasm.info.name, info: wasm.info };
  await expect(compile(source, { prefer: 'gpu', device: entry })).rejects.toThrow("prefer 'gpu'");
});
