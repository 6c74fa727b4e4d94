/** Arguments of C in words: numbers by what the headers say that they are, and what pointers lead to where that says more. */
import type { HostMemory } from '../api/c/host-memory.ts';
import { CL } from '../api/opencl/constants.ts';
import { quoted } from '../tools/profile/index.ts';
import { type Prototype, prototypeOf } from './c-prototypes.ts';

/** Elements of a list, or bytes of a value, that are shown. */
const mostShown = 8;

/** Objects of OpenCL, of which programs have numbers. */
const handleType = /^cl_(?:platform_id|device_id|context|command_queue|mem|program|kernel|event|sampler)$/;

/** Types of one number each, by the beginnings of the names of their values. */
const named: Readonly<Record<string, string>> = {
  cl_platform_info: 'PLATFORM_',
  cl_device_info: 'DEVICE_',
  cl_context_info: 'CONTEXT_',
  cl_command_queue_info: 'QUEUE_',
  cl_mem_info: 'MEM_',
  cl_image_info: 'IMAGE_',
  cl_pipe_info: 'PIPE_',
  cl_sampler_info: 'SAMPLER_',
  cl_program_info: 'PROGRAM_',
  cl_program_build_info: 'PROGRAM_',
  cl_kernel_info: 'KERNEL_',
  cl_kernel_arg_info: 'KERNEL_ARG_',
  cl_kernel_work_group_info: 'KERNEL_',
  cl_kernel_sub_group_info: 'KERNEL_',
  cl_kernel_exec_info: 'KERNEL_EXEC_',
  cl_event_info: 'EVENT_',
  cl_profiling_info: 'PROFILING_',
  cl_mem_object_type: 'MEM_OBJECT_',
  cl_addressing_mode: 'ADDRESS_',
  cl_filter_mode: 'FILTER_',
};

/** Types of flags, in the same way. */
const flagged: Readonly<Record<string, string>> = {
  cl_device_type: 'DEVICE_TYPE_',
  cl_mem_flags: 'MEM_',
  cl_svm_mem_flags: 'MEM_',
  cl_map_flags: 'MAP_',
  cl_mem_migration_flags: 'MIGRATE_MEM_OBJECT_',
  cl_command_queue_properties: 'QUEUE_',
};

/** The arguments of a call as it was made, each with its parameter's name. */
export function argumentTexts(
  memory: HostMemory,
  name: string,
  args: readonly (number | bigint)[],
): string[] {
  const prototype = prototypeOf(name);
  return args.map((value, index) => {
    const parameter = prototype?.parameters[index];
    if (!prototype || !parameter) return String(value);
    return `${parameter.name}=${textOf(memory, prototype, parameter, value, args)}`;
  });
}

/** An object of OpenCL, as its arguments and results are shown. */
export function handleText(type: string, number: number): string {
  return number === 0 ? 'NULL' : `${type}#${number}`;
}

/** Whether a type of C is that of an object. */
export function isHandle(type: string): boolean {
  return handleType.test(type);
}

function textOf(
  memory: HostMemory,
  prototype: Prototype,
  { type, name }: Prototype['parameters'][number],
  value: number | bigint,
  args: readonly (number | bigint)[],
): string {
  if (type.includes('*')) return pointerText(memory, prototype, type, name, Number(value) >>> 0, args);
  if (typeof value === 'bigint') {
    const prefix = flagged[type];
    const bits = BigInt.asUintN(64, value);
    return prefix === undefined ? String(bits) : flagsText(prefix, Number(bits));
  }
  if (isHandle(type)) return handleText(type, value >>> 0);
  if (type === 'cl_bool') return value === 0 ? 'CL_FALSE' : value === 1 ? 'CL_TRUE' : String(value);
  const names = named[type];
  if (names !== undefined) return nameOf(names, value >>> 0) ?? `0x${(value >>> 0).toString(16)}`;
  const isSigned = /^(?:cl_)?(?:int|short|long|char)$|^CAL(?:int|boolean)$/.test(type);
  // Fractions are CAL's floats.
  return Number.isInteger(value) && !isSigned ? String(value >>> 0) : String(value);
}

function nameOf(prefix: string, value: number): string | undefined {
  const found = Object.entries(CL).find(([name, number]) => name.startsWith(prefix) && number === value);
  return found && `CL_${found[0]}`;
}

function flagsText(prefix: string, bits: number): string {
  if (bits === 0) return '0';
  const whole = nameOf(prefix, bits);
  if (whole !== undefined) return whole;
  const words: string[] = [];
  let rest = bits;
  for (let bit = 1; bit <= bits && bit < 2 ** 31; bit *= 2) {
    const name = rest & bit ? nameOf(prefix, bit) : undefined;
    if (name === undefined) continue;
    words.push(name);
    rest -= bit;
  }
  if (rest !== 0) words.push(`0x${rest.toString(16)}`);
  return words.join(' | ');
}

function pointerText(
  memory: HostMemory,
  prototype: Prototype,
  type: string,
  name: string,
  pointer: number,
  args: readonly (number | bigint)[],
): string {
  if (pointer === 0) return 'NULL';
  const plain = `0x${pointer.toString(16)}`;
  try {
    return pointedText(memory, prototype, type, name, pointer, args) ?? plain;
  } catch {
    // It leads out of the program's memory: the call will say so.
    return plain;
  }
}

/** What stands behind a pointer that the function reads; undefined if nobody knows, or nothing but the pointer matters. */
function pointedText(
  memory: HostMemory,
  prototype: Prototype,
  type: string,
  name: string,
  pointer: number,
  args: readonly (number | bigint)[],
): string | undefined {
  if (!type.startsWith('const ')) return undefined;
  const argument = (wanted: string): number | undefined => {
    const index = prototype.parameters.findIndex((parameter) => parameter.name === wanted);
    return index < 0 ? undefined : Number(args[index]) >>> 0;
  };
  const base = type.slice('const '.length).replace(/\s*\*$/, '');
  if (base === 'char' || base === 'CALchar') return quoted(memory.text(pointer));
  if (base === 'size_t') {
    const dimensions = argument('work_dim');
    const count = dimensions ?? (/origin|region|offset/.test(name) ? 3 : undefined);
    return count !== undefined && count <= 3 ? listText(memory.list(pointer, count)) : undefined;
  }
  if (base === 'void' && name === 'arg_value') {
    const bytes = argument('arg_size') ?? 0;
    return bytes > 4 * mostShown ? undefined : valueText(memory, pointer, bytes);
  }
  if (!isHandle(base)) return undefined;
  const index = prototype.parameters.findIndex((parameter) => parameter.name === name);
  const count = Number(args[index - 1]) >>> 0;
  const handles = memory.list(pointer, Math.min(count, mostShown)).map((each) => handleText(base, each));
  return `[${[...handles, ...(count > mostShown ? ['...'] : [])].join(', ')}]`;
}

/** A kernel's argument as words of 32 bits, which handles are, too; what does not come in words as bytes. */
function valueText(memory: HostMemory, pointer: number, bytes: number): string {
  if (bytes % 4 === 0) {
    return `{${memory
      .list(pointer, bytes / 4)
      .map((word) => `0x${word.toString(16)}`)
      .join(', ')}}`;
  }
  return `{${[...memory.bytes(pointer, bytes)].map((byte) => `0x${byte.toString(16).padStart(2, '0')}`).join(', ')}}`;
}

function listText(values: readonly number[]): string {
  return `{${values.join(', ')}}`;
}
