/** The devices that are compared, and running one launch on one of them. */
import {
  compile,
  type Device,
  type DeviceBuffer,
  deviceProblems,
  devices,
  type KernelArgument,
  local,
  type Program,
} from 'millrace';
import { folderFiles } from '../support/folder-files.ts';
import type { LaunchPlan } from './judge.ts';

/** A device, and the way that programs take to it. */
export interface Contestant {
  readonly name: string;
  readonly device: Device;
  /** A driver's device gets OpenCL C written from our IR, not the source as it is. */
  readonly fromIr: boolean;
}

/** Milliseconds for one launch on a device that can stop it. */
const timeout = 60_000;
/** CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT */
const correctlyRounded = 1 << 7;
/** CL_FP_DENORM */
const denormals = 1;

/**
 * The devices meant by names or parts of names; without any, all but the interpreter, which is the judge. What is not
 * there is said in `missing`.
 */
export function chooseContestants(
  names: readonly string[],
  fromIr: boolean,
): { contestants: Contestant[]; missing: string[] } {
  const all = devices();
  const missing: string[] = [];
  const chosen = new Set<Device>();
  for (const name of names) {
    const part = name.toLowerCase();
    const found = all.filter(({ id, name: full }) =>
      [id, full].some((text) => text.toLowerCase().includes(part)),
    );
    for (const device of found) chosen.add(device);
    if (found.length === 0) missing.push(`no device is called '${name}'`);
  }
  if (names.length === 0) for (const device of all) if (device.id !== 'interpreter') chosen.add(device);
  const hasDriver = all.some(({ id }) => id.startsWith('icd:'));
  if (!hasDriver && (names.length === 0 || missing.length > 0)) missing.push(...deviceProblems());
  const contestants = [...chosen].flatMap((device): Contestant[] => {
    const plain = { name: device.id, device, fromIr: false };
    return fromIr && device.id.startsWith('icd:')
      ? [plain, { name: `${device.id} from IR`, device, fromIr }]
      : [plain];
  });
  return { contestants, missing };
}

export function roundsCorrectly({ device }: Contestant): boolean {
  return (device.info.singleFpConfig & correctlyRounded) !== 0;
}

export function keepsDenormals({ device }: Contestant): boolean {
  return (device.info.singleFpConfig & denormals) !== 0;
}

/** @throws BuildError and others, as `compile` does */
export function build(
  { device, fromIr }: Contestant,
  source: string,
  options: string,
  path: string,
  roots: readonly string[],
): Promise<Program> {
  const exact = '-cl-fp32-correctly-rounded-divide-sqrt';
  const isExact = (device.info.singleFpConfig & correctlyRounded) !== 0;
  const words = [options, ...(isExact ? [exact] : []), ...(fromIr ? ['-millrace-from-ir'] : [])];
  const text = words.join(' ').trim();
  return compile(source, { device, options: text, name: path, files: folderFiles(roots), timeout });
}

/** Runs a launch on fresh buffers and gives their bytes afterwards, by the arguments' places. */
export async function runOn(
  program: Program,
  plan: LaunchPlan,
): Promise<ReadonlyMap<number, Uint8Array<ArrayBuffer>>> {
  const buffers = new Map<number, DeviceBuffer>();
  const values = plan.arguments.map((argument, index): KernelArgument => {
    if (argument.kind === 'local') return local(argument.bytes);
    if (argument.kind === 'value') return argument.bytes;
    const buffer = program.buffer(argument.bytes);
    buffers.set(index, buffer);
    return buffer;
  });
  try {
    const { global, local: group, offset } = plan;
    await program.kernel(plan.kernel)({ global, local: group, offset }, ...values);
    const after = new Map<number, Uint8Array<ArrayBuffer>>();
    for (const [index, buffer] of buffers) {
      after.set(index, (await buffer.read(Uint8Array)) as Uint8Array<ArrayBuffer>);
    }
    return after;
  } finally {
    for (const buffer of buffers.values()) buffer.release();
  }
}
