/**
 * Devices whose programs share one context: a buffer of one is there for all, and nothing else is. Each has a queue of its own, so whoever uses
 * a buffer on another device awaits the calls before. The context ends when all programs have been released.
 */
import { begin } from '../../build/machine.ts';
import { isRequested } from '../../devices/requested.ts';
import { Context } from '../../runtime/context.ts';
import type { Device as RuntimeDevice } from '../../runtime/device.ts';
import { OpenCLError } from '../../runtime/status.ts';
import { shown } from '../../source/shown.ts';
import { deviceOf, loaded, type ProgramOptions } from './program.ts';
import { Session } from './session.ts';

/** The session of a device in a group, which counts the users of all. */
class MemberSession extends Session {
  readonly #group: SessionGroup;

  constructor(device: RuntimeDevice, timeout: number, group: SessionGroup) {
    super(device, timeout, group.context);
    this.#group = group;
  }

  override leave(): void {
    this.#group.leave();
  }
}

export class SessionGroup {
  readonly context: Context;
  readonly #sessions: ReadonlyMap<RuntimeDevice, Session>;
  #users = 0;

  /** @param timeout in milliseconds, 0 for none */
  constructor(devices: readonly RuntimeDevice[], timeout: number) {
    const different = [...new Set(devices)];
    this.context = new Context(different);
    this.#sessions = new Map(different.map((device) => [device, new MemberSession(device, timeout, this)]));
  }

  /** The session of one of the devices, which the caller uses from now on, until it calls {@link Session.leave}. */
  of(device: RuntimeDevice): Session {
    this.#users += 1;
    return this.#sessions.get(device)!;
  }

  /** A session has lost a user. */
  leave(): void {
    this.#users -= 1;
    if (this.#users > 0) return;
    const ends = [...this.context.queues].map((queue) => queue.finished());
    void Promise.all(ends).then(() => this.context.close());
  }
}

/** Devices of a group, for programs. */
export interface GroupDevice {
  readonly runtime: RuntimeDevice;
  readonly group: SessionGroup;
}

type Named = ProgramOptions['device'] | { readonly runtime: RuntimeDevice };

async function runtimeDeviceOf(device: Named): Promise<RuntimeDevice> {
  if (typeof device === 'object' && device !== null && 'runtime' in device) return device.runtime;
  if (isRequested(device) || typeof device?.id === 'string') return deviceOf(device);
  throw new OpenCLError('CL_INVALID_DEVICE', `a device is one of a list of devices, not ${shown(device)}`);
}

/**
 * @param devices as options name them, or devices themselves
 * @throws OpenCLError CL_INVALID_DEVICE, CL_DEVICE_NOT_FOUND
 */
export async function openGroup(
  devices: readonly Named[],
  timeout: number | undefined,
): Promise<GroupDevice[]> {
  begin();
  const all = await Promise.all(devices.map(runtimeDeviceOf));
  await loaded(Promise.all(all.map((runtime) => runtime.load?.())));
  const group = new SessionGroup(all, timeout ?? 0);
  return all.map((runtime) => ({ runtime, group }));
}
