/** `millrace devices`: what this machine can run kernels on. */
import type { Command } from 'commander';
import { type Device, type DeviceInfo, deviceProblems, devices, requestDevice } from 'millrace';
import { messages, output, terminalWidth } from '../terminal.ts';
import { wrapWords } from '../wrap-words.ts';

/** Declares arguments, options and action of the subcommand. */
export function devicesCommand(command: Command): void {
  command
    .option('--json', 'all properties as JSON, sizes in bytes')
    .option('--formats', 'the formats of images too')
    .option('--webgpu', "look for WebGPU's graphics card too")
    .action(async (options: { json?: true; formats?: true; webgpu?: true }) => {
      const problems: string[] = [];
      // Only then: Dawn writes what it finds wrong with the machine's Vulkan drivers to the terminal.
      if (options.webgpu) await requestDevice('webgpu').catch(({ message }: Error) => problems.push(message));
      await requestDevice('native').catch(({ message }: Error) => problems.push(message));
      const found = devices();
      // The API that is asked for them is loaded by nobody else.
      const formatsOf = options.formats ? (await import('./image-formats.ts')).formatProperties : undefined;
      if (options.json) {
        const list = found.map((device) => ({ id: device.id, ...device.info }));
        console.log(JSON.stringify(list, undefined, 2));
      } else {
        console.log(found.map((device) => describeDevice(device, formatsOf)).join('\n\n'));
      }
      // Why a driver that might be expected is not in the list.
      for (const problem of [...deviceProblems(), ...problems]) console.error(messages.dim(problem));
    });
}

type Property = readonly [label: string, value: string];

function describeDevice(device: Device, formatsOf?: (device: Device) => readonly Property[]): string {
  const { info } = device;
  const lines = [
    `${output.bold(device.name)} (--device ${device.id})`,
    `  ${info.version}, ${info.languageVersion}, ${info.profile === 'FULL_PROFILE' ? 'full' : 'embedded'} profile`,
  ];
  const formats = formatsOf ? [['Image formats', formatsOf(device)] as const] : [];
  for (const [title, properties] of [...groups(info), ...formats]) {
    lines.push(`  ${output.bold(title)}`);
    for (const [label, value] of properties) {
      const [first, ...more] = wrapWords(value, terminalWidth() - valueColumn);
      lines.push(`    ${label}`.padEnd(valueColumn) + first);
      for (const line of more) lines.push(' '.repeat(valueColumn) + line);
    }
  }
  return lines.join('\n');
}

const valueColumn = 31;

function groups(info: DeviceInfo): readonly (readonly [title: string, properties: readonly Property[]])[] {
  const widths = (of: DeviceInfo['vectorWidths']): string =>
    Object.entries(of)
      .filter(([, lanes]) => lanes > 0)
      .map(([type, lanes]) => `${type} ${lanes}`)
      .join(', ');
  return [
    [
      'Device',
      [
        ['type', { cpu: 'CPU', gpu: 'GPU', accelerator: 'accelerator', custom: 'custom' }[info.type]],
        ['vendor', info.vendor],
        ['driver', info.driverVersion],
        ['available', yesNo(info.available)],
        ['compiler, linker', `${yesNo(info.compilerAvailable)}, ${yesNo(info.linkerAvailable)}`],
        ['addresses', `${info.addressBits} bits, ${info.littleEndian ? 'little' : 'big'}-endian`],
        ...(info.extensions.length > 0 ? [['extensions', info.extensions.join(' ')] as const] : []),
      ],
    ],
    [
      'Execution',
      [
        ['compute units', String(info.maxComputeUnits)],
        ['clock', info.maxClockFrequency > 0 ? `${info.maxClockFrequency} MHz` : 'unknown'],
        [
          'work-group',
          `at most ${info.maxWorkGroupSize} work-items, ${info.maxWorkItemSizes.join(' x ')} by dimension`,
        ],
        ['preferred multiple', `${info.preferredWorkGroupMultiple} work-items`],
        ['out-of-order queues', yesNo(info.outOfOrderQueues)],
        ['profiling timer', `${info.profilingTimerResolution} ns`],
      ],
    ],
    [
      'Memory',
      [
        ['global', bytesText(info.globalMemSize)],
        ['largest buffer', bytesText(info.maxMemAllocSize)],
        ['local', `${bytesText(info.localMemSize)} a work-group`],
        ['constant', `${bytesText(info.maxConstantBufferSize)} a buffer, ${info.maxConstantArgs} arguments`],
        ['kernel arguments', `${bytesText(info.maxParameterSize)} in all`],
        ['cache', cacheText(info)],
        ['buffer alignment', `${info.memBaseAddrAlign / 8} bytes`],
        ['shared with the host', yesNo(info.hostUnifiedMemory)],
        ['error correction', yesNo(info.errorCorrection)],
      ],
    ],
    [
      'Arithmetic',
      [
        ['vectors, preferred', widths(info.vectorWidths)],
        ['vectors, native', widths(info.nativeVectorWidths)],
        ['half', floatText(info.halfFpConfig)],
        ['float', floatText(info.singleFpConfig)],
        ['double', floatText(info.doubleFpConfig)],
      ],
    ],
    [
      'Images',
      info.imageSupport
        ? [
            ['largest 2D', info.image2dMax.join(' x ')],
            ['largest 3D', info.image3dMax.join(' x ')],
            ['read, written by a kernel', `${info.maxReadImageArgs}, ${info.maxWriteImageArgs}`],
            ['samplers', String(info.maxSamplers)],
          ]
        : [['supported', 'no']],
    ],
  ];
}

function yesNo(value: boolean): string {
  return value ? 'yes' : 'no';
}

/** `64 KiB`, `3.94 GiB`: three digits in the largest unit that leaves a whole part. */
function bytesText(bytes: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${Number(value.toFixed(2))} ${units[unit]}`;
}

function cacheText(info: DeviceInfo): string {
  if (info.globalMemCacheType === 'none') return 'none';
  const size = info.globalMemCacheSize > 0 ? bytesText(info.globalMemCacheSize) : 'size unknown';
  return `${info.globalMemCacheType}, ${size}, lines of ${info.globalMemCacheLineSize} bytes`;
}

/** The bits CL_FP_* in words. */
function floatText(config: number): string {
  if (config === 0) return 'not supported';
  const names = [
    'denormals',
    'inf and nan',
    'round to nearest',
    'round to zero',
    'round to infinity',
    'fma',
    'soft float',
    'correctly rounded divide and sqrt',
  ];
  return names.filter((_, bit) => config & (1 << bit)).join(', ');
}
