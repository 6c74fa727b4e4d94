/**
 * A device at work for the short form: one context and one in-order queue, which all programs compiled for that
 * device share. So a second program starts no new threads, programs can use each other's buffers, and all calls run
 * in the order in which they are made.
 */
import { Context } from '../../runtime/context.ts';
import type { Device } from '../../runtime/device.ts';
import { CommandQueue } from '../../runtime/queue.ts';
import { OpenCLError } from '../../runtime/status.ts';

/** Sessions by device and time-out: a time-out belongs to a queue. */
const sessions = new Map<Device, Map<number, Session>>();

/** Those without a program, in the order in which they lost their last one. */
const unused = new Set<Session>();

/** So many of them wait for a program: each time-out that a program asks for has one of its own. */
const mostUnused = 4;

export class Session {
  readonly context: Context;
  readonly #device: Device;
  readonly #timeout: number;
  #queue: CommandQueue | undefined;
  #users = 0;
  #hasDeviceQueue = false;

  /** For this class and those that extend it. */
  constructor(device: Device, timeout: number, context = new Context([device])) {
    this.context = context;
    this.#device = device;
    this.#timeout = timeout;
  }

  /**
   * The session of a device, begun if there is none or its device has died; `timeout` in milliseconds, 0 for none. The
   * caller uses it from now on, until it calls {@link leave}.
   */
  static of(device: Device, timeout: number): Session {
    let ofDevice = sessions.get(device);
    if (!ofDevice) {
      ofDevice = new Map();
      sessions.set(device, ofDevice);
    }
    let session = ofDevice.get(timeout);
    if (!session || session.context.lost) {
      session = new Session(device, timeout);
      ofDevice.set(timeout, session);
    }
    session.#users += 1;
    unused.delete(session);
    return session;
  }

  /** Made when first asked for, after the first build: with the queue the device's threads start. */
  get queue(): CommandQueue {
    this.#queue ??= new CommandQueue(this.context, this.#device, { timeout: this.#timeout });
    return this.#queue;
  }

  /**
   * Gives kernels a queue to launch others with, once: get_default_queue (OpenCL 2.0, 5.1). `bytes` are those of the first call.
   * @throws OpenCLError CL_INVALID_OPERATION on a device without such queues, CL_OUT_OF_RESOURCES
   */
  giveDeviceQueue(bytes: number | undefined): void {
    if (this.#hasDeviceQueue) return;
    const { deviceQueues: limits, name } = this.#device.info;
    const queues = this.context.opened(this.#device).onDeviceQueues;
    if (!limits || !queues) {
      throw new OpenCLError('CL_INVALID_OPERATION', `${name} has no queues for kernels that launch kernels`);
    }
    const size = bytes ?? limits.preferredSize;
    if (!(size > 0) || size > limits.maxSize) {
      throw new OpenCLError(
        'CL_INVALID_VALUE',
        `a queue of ${size} bytes; from 1 to ${limits.maxSize} are possible`,
      );
    }
    queues.setDefault(queues.create(size));
    this.#hasDeviceQueue = true;
  }

  /**
   * A program is released. An idle session waits for the next one, unless there are others that do. What a busy one still runs might never end, so the
   * next program gets a new session, and this one ends with its last command.
   */
  leave(): void {
    this.#users -= 1;
    if (this.#users > 0) return;
    const isIdle = this.#queue?.isIdle ?? true;
    if (isIdle && !this.context.lost) {
      unused.add(this);
      const [first] = unused;
      if (first && unused.size > mostUnused) first.#end(true);
    } else this.#end(isIdle);
  }

  #end(isIdle: boolean): void {
    unused.delete(this);
    const ofDevice = sessions.get(this.#device);
    if (ofDevice?.get(this.#timeout) === this) ofDevice.delete(this.#timeout);
    if (ofDevice?.size === 0) sessions.delete(this.#device);
    if (isIdle) this.context.close();
    else void this.#queue!.finished().then(() => this.context.close());
  }
}
