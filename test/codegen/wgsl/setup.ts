/** Kernels as WGSL, and who judges them: Dawn's Tint and naga. */
import '../../support/webgpu.ts';
import { writeKernels } from '../../../src/codegen/wgsl/write-kernels.ts';
import type { WgslKernel } from '../../../src/codegen/wgsl/write-wgsl.ts';
import { findAdapter, type GpuAdapter, type GpuDevice } from '../../../src/devices/webgpu/gpu-api.ts';
import { provideLibraryForAll } from '../../../src/library/wide.ts';
import { compileOpenCL } from '../../../src/opencl/compile.ts';
import type { KnownHandles } from '../../../src/passes/images/known-images.ts';
import { optimiseForShaders } from '../../../src/passes/scalar/shader-passes.ts';
import { wgsl } from '../../../src/target/wgsl.ts';
import type { WgslCase } from './kernels.ts';

provideLibraryForAll();

/** The kernels of a source as shaders; or the messages of what has no form. */
export function shadersOf({
  source,
  options = '',
  known,
}: Omit<WgslCase, 'name'> & { readonly known?: ReadonlyMap<string, KnownHandles> }):
  | readonly WgslKernel[]
  | string[] {
  const { module, log } = compileOpenCL(source, { buildOptions: options });
  if (!module) throw new Error(log);
  optimiseForShaders(module, { target: wgsl, knownHandles: known });
  const { kernels, diagnostics } = writeKernels(module);
  if (diagnostics.errorCount > 0) return diagnostics.list.map(({ message }) => message);
  return kernels.map(({ shader }) => shader);
}

/** The shader of a source with one kernel. */
export function shaderOf(given: Parameters<typeof shadersOf>[0]): WgslKernel {
  const [shader] = shadersOf(given);
  if (!shader || typeof shader === 'string') throw new Error(`no shader: ${shader}`);
  return shader;
}

/** A device of WebGPU, or why there is none. */
export async function openGpu(): Promise<GpuDevice | string> {
  const adapter: GpuAdapter | string = await findAdapter();
  return typeof adapter === 'string' ? adapter : adapter.requestDevice({});
}

/** What Tint has against a shader; empty if nothing. */
export async function tintErrors(device: GpuDevice, code: string): Promise<string[]> {
  device.pushErrorScope('validation');
  const { messages } = await device.createShaderModule({ code }).getCompilationInfo();
  await device.popErrorScope();
  const lines = code.split('\n');
  return messages
    .filter(({ type }) => type === 'error')
    .map(({ message, lineNum }) => `${message}: ${lines[lineNum - 1]?.trim()}`);
}
