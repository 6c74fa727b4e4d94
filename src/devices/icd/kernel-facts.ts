/**
 * What is known of a native device's kernels: from our front end, which knows everything; or, where that does not take
 * the source, from the driver (OpenCL 1.2, clGetKernelArgInfo), which knows types by their names alone.
 */
import { type ImageAccess, imageTypeNames } from '../../ir/images.ts';
import type { HandleInfo, HostLayout, KernelAttributes, Module, ParameterInfo } from '../../ir/ir.ts';
import { BuildFailure, type DeviceInfo, type KernelParameter } from '../../runtime/device.ts';
import type { Driver } from './driver.ts';
import { answerNumber, answerNumbers, answerText, type Query } from './info-queries.ts';
import type { NativeDevice } from './native-device.ts';

export interface NativeKernelFacts {
  readonly name: string;
  readonly parameters: readonly KernelParameter[];
  readonly attributes: KernelAttributes | undefined;
}

const query = {
  argumentCount: 0x1191,
  address: 0x1196,
  access: 0x1197,
  typeName: 0x1198,
  typeQualifiers: 0x1199,
  name: 0x119a,
  requiredWorkGroupSize: 0x11b1,
} as const;

/** CL_KERNEL_ARG_ADDRESS_GLOBAL and so on; what is in none of them is passed by value. */
const pointers: ReadonlyMap<number, 'global' | 'local' | 'constant'> = new Map([
  [0x119b, 'global'],
  [0x119c, 'local'],
  [0x119d, 'constant'],
]);

/** CL_KERNEL_ARG_ACCESS_READ_ONLY and so on. */
const accesses: ReadonlyMap<number, ParameterInfo['accessQualifier']> = new Map([
  [0x11a0, 'read_only'],
  [0x11a1, 'write_only'],
  [0x11a2, 'read_write'],
]);

/** Bits of CL_KERNEL_ARG_TYPE_*, from the lowest. */
const qualifiers = ['const', 'restrict', 'volatile', 'pipe'] as const;

/** The kernels of a program that our front end has taken. */
export function factsFromModule(module: Module, info: DeviceInfo): NativeKernelFacts[] {
  const pointerBytes = info.addressBits / 8;
  return module.functions
    .filter((fn) => fn.kind === 'kernel' && fn.body !== undefined)
    .map((fn) => ({
      name: fn.name,
      attributes: fn.attributes,
      parameters: fn.parameters.map((parameter): KernelParameter => {
        const { aggregate, info: said, value } = parameter;
        if (aggregate) return { kind: 'aggregate', ...aggregate, info: said };
        // The driver's own handle.
        if (said?.handle)
          return { kind: said.handle.kind, size: pointerBytes, align: pointerBytes, info: said };
        if (value.type.kind === 'pointer') {
          const { space } = value.type;
          const kind = space === 'local' || space === 'constant' ? space : 'global';
          return { kind, size: pointerBytes, align: pointerBytes, info: said };
        }
        const size = said?.layout?.size ?? 0;
        return { kind: 'value', size, align: size, info: said };
      }),
    }));
}

/**
 * A kernel as its driver describes it.
 * @throws BuildFailure if the driver does not say what the arguments are, or one is of a kind that cannot be passed
 */
export function factsFromDriver(
  driver: Driver,
  device: NativeDevice,
  kernel: number,
  name: string,
): NativeKernelFacts {
  const count = answerNumber((...asked) => driver.clGetKernelInfo(kernel, ...asked), query.argumentCount);
  const required = answerNumbers(
    (...asked) => driver.clGetKernelWorkGroupInfo(kernel, device.handle, ...asked),
    query.requiredWorkGroupSize,
  );
  const [x = 0, y = 0, z = 0] = required;
  return {
    name,
    attributes: x > 0 ? { requiredWorkGroupSize: [x, y, z] } : undefined,
    parameters: Array.from({ length: count }, (_, index) => {
      const ask: Query = (...asked) => driver.clGetKernelArgInfo(kernel, index, ...asked);
      return parameterFromDriver(ask, device.info, `argument ${index} of kernel '${name}'`);
    }),
  };
}

function parameterFromDriver(ask: Query, { addressBits }: DeviceInfo, what: string): KernelParameter {
  const address = answerNumber(ask, query.address, -1);
  if (address < 0) {
    throw new BuildFailure(
      `Millrace cannot read the source, and the driver does not say what ${what} is: it cannot be called\n`,
    );
  }
  const typeName = plainTypeName(answerText(ask, query.typeName));
  const bits = answerNumber(ask, query.typeQualifiers);
  const accessQualifier = accesses.get(answerNumber(ask, query.access));
  const said: ParameterInfo = {
    name: answerText(ask, query.name),
    typeName,
    typeQualifiers: qualifiers.filter((_, bit) => bits & (1 << bit)),
    ...(accessQualifier ? { accessQualifier } : {}),
  };
  const handle = handleOfType(typeName, accessQualifier);
  if (handle) {
    const size = addressBits / 8;
    return { kind: handle.kind, size, align: size, info: { ...said, handle } };
  }
  if (/^(image\w*|event_t|queue_t|pipe\b.*)$/.test(typeName)) {
    throw new BuildFailure(`${what} is of type '${typeName}', which cannot be passed\n`);
  }
  const kind = pointers.get(address);
  if (kind) {
    const pointee = layoutOfType(typeName.replace(/\s*\*$/, ''), addressBits);
    const size = addressBits / 8;
    return { kind, size, align: size, info: pointee ? { ...said, pointee } : said };
  }
  const layout = layoutOfType(typeName, addressBits);
  if (!layout) return { kind: 'value', size: 0, align: 1, info: said };
  return { kind: 'value', size: layout.size, align: layout.size, info: { ...said, layout } };
}

function handleOfType(typeName: string, access: ImageAccess | undefined): HandleInfo | undefined {
  if (typeName === 'sampler_t') return { kind: 'sampler' };
  const type = imageTypeNames.find((name) => name === typeName);
  return type && { kind: 'image', type, access: access ?? 'read_only' };
}

/** Drivers write `unsigned int`, `const float*` or `float *` as they like. */
function plainTypeName(name: string): string {
  return name
    .replace(/\b(const|volatile|restrict|__global|__local|__constant|__private)\b/g, '')
    .replace(/\bunsigned (char|short|int|long)\b/g, 'u$1')
    .replace(/\s+/g, ' ')
    .replace(/\s*\*/g, '*')
    .trim();
}

const scalars: Readonly<Record<string, HostLayout>> = {
  char: { kind: 'integer', size: 1, signed: true },
  uchar: { kind: 'integer', size: 1, signed: false },
  short: { kind: 'integer', size: 2, signed: true },
  ushort: { kind: 'integer', size: 2, signed: false },
  int: { kind: 'integer', size: 4, signed: true },
  uint: { kind: 'integer', size: 4, signed: false },
  long: { kind: 'integer', size: 8, signed: true },
  ulong: { kind: 'integer', size: 8, signed: false },
  half: { kind: 'float', size: 2 },
  float: { kind: 'float', size: 4 },
  double: { kind: 'float', size: 8 },
};

/** The layout of a scalar or vector type by its name; undefined for what a name does not tell. */
export function layoutOfType(name: string, addressBits: 32 | 64): HostLayout | undefined {
  if (/^(size|uintptr)_t$/.test(name)) return addressBits === 64 ? scalars['ulong'] : scalars['uint'];
  if (/^(ptrdiff|intptr)_t$/.test(name)) return addressBits === 64 ? scalars['long'] : scalars['int'];
  const [, word = '', digits] = /^([a-z]+)(2|3|4|8|16)?$/.exec(name) ?? [];
  const element = Object.hasOwn(scalars, word) ? scalars[word] : undefined;
  if (!element || digits === undefined) return element;
  const lanes = Number(digits);
  return { kind: 'vector', element, lanes, size: element.size * (lanes === 3 ? 4 : lanes) };
}
