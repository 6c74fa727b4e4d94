/** Kernel parameters for tests of argument binding. */
import type { HostLayout, KernelParameter } from '../../src/index.ts';

export const float: HostLayout = { kind: 'float', size: 4 };
export const uint: HostLayout = { kind: 'integer', size: 4, signed: false };
export const long: HostLayout = { kind: 'integer', size: 8, signed: true };
export const uchar: HostLayout = { kind: 'integer', size: 1, signed: false };
export const uchar4: HostLayout = { kind: 'vector', element: uchar, lanes: 4, size: 4 };
export const float3: HostLayout = { kind: 'vector', element: float, lanes: 3, size: 16 };
export const float4: HostLayout = { kind: 'vector', element: float, lanes: 4, size: 16 };

/** A `global` pointer. */
export function pointer(
  name: string,
  pointee: HostLayout,
  more: Partial<KernelParameter> = {},
): KernelParameter {
  return {
    name,
    typeName: 'T*',
    kind: 'global',
    isConst: false,
    size: 4,
    layout: undefined,
    pointee,
    ...more,
  };
}

/** A parameter by value. */
export function value(name: string, layout: HostLayout): KernelParameter {
  return {
    name,
    typeName: 'T',
    kind: 'value',
    isConst: false,
    size: layout.size,
    layout,
    pointee: undefined,
  };
}

/** An image parameter. */
export function image(
  name: string,
  access: 'read_only' | 'write_only' = 'read_only',
  kind: 'image2d_t' | 'image3d_t' = 'image2d_t',
): KernelParameter {
  const none = { layout: undefined, pointee: undefined };
  return { name, typeName: kind, kind: 'image', isConst: false, size: 4, ...none, image: { kind, access } };
}

/** A sampler parameter. */
export function samplerParameter(name: string): KernelParameter {
  const none = { layout: undefined, pointee: undefined };
  return { name, typeName: 'sampler_t', kind: 'sampler', isConst: false, size: 4, ...none };
}
