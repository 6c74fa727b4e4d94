/**
 * WebGPU as far as the device uses it (W3C, WebGPU), and where it is found: a page and its workers have it, for Node it is the
 * package `webgpu`, which has to be installed.
 */
import { environment, machineModule } from '../../runtime/host.ts';

/** An opaque object of WebGPU. */
export interface GpuObject {
  readonly label?: string;
}

export interface GpuBuffer extends GpuObject {
  readonly size: number;
  mapAsync(mode: number): Promise<void>;
  getMappedRange(offset?: number, size?: number): ArrayBuffer;
  unmap(): void;
  destroy(): void;
}

export interface GpuComputePass {
  setPipeline(pipeline: GpuObject): void;
  setBindGroup(index: number, group: GpuObject, offsets?: readonly number[]): void;
  dispatchWorkgroups(x: number, y: number, z: number): void;
  end(): void;
}

export interface GpuRenderPass {
  setPipeline(pipeline: GpuObject): void;
  setBindGroup(index: number, group: GpuObject): void;
  draw(vertices: number): void;
  end(): void;
}

export interface GpuCanvasContext {
  configure(configuration: object): void;
  unconfigure(): void;
  getCurrentTexture(): { createView(): GpuObject };
}

export interface GpuEncoder {
  beginRenderPass(options: object): GpuRenderPass;
  beginComputePass(options?: object): GpuComputePass;
  copyBufferToBuffer(from: GpuBuffer, fromAt: number, to: GpuBuffer, toAt: number, size: number): void;
  clearBuffer(buffer: GpuBuffer, offset: number, size: number): void;
  resolveQuerySet(set: GpuObject, first: number, count: number, to: GpuBuffer, toAt: number): void;
  finish(): GpuObject;
}

export interface GpuQueue {
  submit(buffers: readonly GpuObject[]): void;
  writeBuffer(buffer: GpuBuffer, offset: number, data: Uint8Array, at?: number, size?: number): void;
  onSubmittedWorkDone(): Promise<void>;
}

export interface GpuError {
  readonly message: string;
}

export interface GpuShader extends GpuObject {
  getCompilationInfo(): Promise<{
    readonly messages: readonly {
      readonly type: string;
      readonly message: string;
      readonly lineNum: number;
    }[];
  }>;
}

export interface GpuDevice {
  readonly queue: GpuQueue;
  readonly lost: Promise<{ readonly reason: string; readonly message: string }>;
  readonly features: ReadonlySet<string>;
  readonly limits: Readonly<Record<string, number>>;
  createBuffer(descriptor: { size: number; usage: number; label?: string }): GpuBuffer;
  createShaderModule(descriptor: { code: string; label?: string }): GpuShader;
  createBindGroupLayout(descriptor: object): GpuObject;
  createPipelineLayout(descriptor: object): GpuObject;
  createBindGroup(descriptor: object): GpuObject;
  createComputePipelineAsync(descriptor: object): Promise<GpuObject>;
  createRenderPipelineAsync(descriptor: object): Promise<GpuObject>;
  createCommandEncoder(): GpuEncoder;
  createQuerySet(descriptor: { type: string; count: number }): GpuObject;
  pushErrorScope(filter: 'validation' | 'out-of-memory'): void;
  popErrorScope(): Promise<GpuError | null>;
  destroy(): void;
  onuncapturederror: ((event: { readonly error: GpuError }) => void) | null;
}

export interface GpuAdapter {
  readonly info: {
    readonly vendor?: string;
    readonly architecture?: string;
    readonly device?: string;
    readonly description?: string;
    /** It is software. */
    readonly isFallbackAdapter?: boolean;
  };
  readonly features: ReadonlySet<string>;
  readonly limits: Readonly<Record<string, number>>;
  requestDevice(descriptor: object): Promise<GpuDevice>;
}

export interface Gpu {
  requestAdapter(options?: object): Promise<GpuAdapter | null>;
}

/** Bits of GPUBufferUsage and GPUMapMode. */
export const usage = {
  mapRead: 1,
  copyFrom: 4,
  copyTo: 8,
  uniform: 64,
  storage: 128,
  queryResolve: 512,
} as const;
export const mapRead = 1;

const packageName = 'webgpu';

/** What the package gives is kept as long as the thread lives: without it, its devices are freed under those who use them. */
const kept = globalThis as { millraceGpu?: Gpu };

/** WebGPU's first object, or why there is none. */
export async function findGpu(): Promise<Gpu | string> {
  const { navigator } = globalThis as { navigator?: { gpu?: Gpu } };
  if (navigator?.gpu) return navigator.gpu;
  if (machineModule('node:module') === undefined)
    return 'this browser has no WebGPU, or not for pages like this one';
  if (kept.millraceGpu) return kept.millraceGpu;
  let module: { create(flags: readonly string[]): Gpu };
  try {
    module = (await import(/* @vite-ignore */ packageName)) as typeof module;
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    if (code === 'ERR_MODULE_NOT_FOUND') {
      return "WebGPU for Node is the package 'webgpu', which is not installed: npm install webgpu";
    }
    return `the package 'webgpu' does not load: ${message}`;
  }
  const given = (environment('MILLRACE_WEBGPU_FLAGS') ?? '').split(',').filter((flag) => flag !== '');
  // Profiling times are no secret here, and a tenth of a millisecond is long.
  const flags = given.some((flag) => flag.startsWith('disable-dawn-features'))
    ? given
    : ['disable-dawn-features=timestamp_quantization', ...given];
  kept.millraceGpu = module.create(flags);
  return kept.millraceGpu;
}

/** Limits that are asked for as high as the adapter has them. */
const wantedLimits = [
  'maxBufferSize',
  'maxStorageBufferBindingSize',
  'maxComputeWorkgroupStorageSize',
  'maxComputeInvocationsPerWorkgroup',
  'maxComputeWorkgroupSizeX',
  'maxComputeWorkgroupSizeY',
  'maxComputeWorkgroupSizeZ',
  'maxStorageBuffersPerShaderStage',
] as const;
/** Features that are used where the adapter has them. */
const wantedFeatures = ['timestamp-query'] as const;

/** Opens an adapter's device with all that it has of these. */
export function openDevice(adapter: GpuAdapter): Promise<GpuDevice> {
  return adapter.requestDevice({
    requiredLimits: Object.fromEntries(wantedLimits.map((name) => [name, adapter.limits[name]!])),
    requiredFeatures: wantedFeatures.filter((name) => adapter.features.has(name)),
  });
}

/** The adapter that the system prefers, or why there is none. */
export async function findAdapter(): Promise<GpuAdapter | string> {
  const gpu = await findGpu();
  if (typeof gpu === 'string') return gpu;
  const adapter = await gpu.requestAdapter({ powerPreference: 'high-performance' });
  return adapter ?? 'WebGPU finds no graphics card, and no stand-in for one';
}
