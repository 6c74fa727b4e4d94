/**
 * The wasm device where memory cannot be shared: launches run in slices on the host thread. Loaded only there; others have threads.
 */
import type { DeviceHost, DeviceQueue, QueueOptions } from '../../runtime/device.ts';
import { LocalDeviceQueues } from '../../runtime/device-queues.ts';
import { now } from '../../runtime/host.ts';
import { type LaunchBody, LocalEngine, type LocalLaunch } from '../../runtime/local-engine.ts';
import type { ThreadWatch } from '../../runtime/thread-watch.ts';
import { LocalLaunches } from './local-launches.ts';
import { OpenWasmDevice } from './open-wasm-device.ts';
import { launchBlockBytes } from './shared-layout.ts';
import { VisitLog, VisitRings } from './thread-visits.ts';
import { trapMessage } from './trap-message.ts';
import type { WasmDevice } from './wasm-device.ts';
import type { WasmKernel } from './wasm-program.ts';

/** Nanoseconds between which a slice of a launch on the host thread should last. */
const shortSlice = 0.5e6;
const longSlice = 4e6;

/** Launches in slices on the host thread. */
export class LocalWasmDevice extends OpenWasmDevice {
  readonly #engine: LocalEngine;
  readonly #launches: LocalLaunches;
  readonly #visits: VisitRings;
  readonly #log: VisitLog;
  readonly onDeviceQueues = new LocalDeviceQueues();

  constructor(device: WasmDevice, host: DeviceHost) {
    super(device, host);
    this.#launches = new LocalLaunches(host, this.onDeviceQueues);
    const place = host.control.allocate(4);
    this.#visits = new VisitRings(host.control, place, 1);
    this.#log = new VisitLog(host.control, host.events, place, 0);
    this.#engine = new LocalEngine(host, (body, event) => this.launch(body, event));
  }

  createQueue(options: QueueOptions): DeviceQueue {
    return this.#engine.createQueue(options);
  }

  /** The host thread is the one that there is; each slice is a visit. */
  watchThreads(): ThreadWatch {
    return this.#visits.watch();
  }

  close(): void {
    this.#engine.close();
  }

  protected launch(body: LaunchBody, event: number): LocalLaunch {
    const kernel = body.kernel as WasmKernel;
    const { groups, entries, entry, bytes, area, calls } = this.#launches.prepare(body, event);
    const { launches } = calls;
    let running = { entry, bytes, groups };
    let first = 0;
    let count = 1;
    const slice = () => {
      this.#launches.take(calls, running.bytes);
      const end = Math.min(first + count, running.groups);
      const began = now();
      this.#log.begin(event, began);
      try {
        running.entry.run(this.#launches.block, first, end, area | 0);
      } catch (error) {
        const { part } = kernel;
        const title = running.entry.nested?.code.title;
        const number = title === undefined ? kernel.index : undefined;
        const block = () =>
          new Int32Array(this.host.memory.memory.buffer, this.#launches.block, launchBlockBytes >> 2);
        const message = trapMessage(error, () => part.accesses, number, block);
        throw new Error(title === undefined ? message : `${title}: ${message}`, { cause: error });
      }
      launches.groupEnded();
      const took = now() - began;
      this.#log.extend();
      // Short enough that the page stays alive and a time-out is noticed, long enough that the turns cost little.
      if (took < shortSlice) count *= 2;
      else if (took > longSlice) count = Math.max(1, count >> 1);
      first = end;
      if (first < running.groups) return false;
      launches.ended();
      const next = launches.next();
      if (next) {
        running = { entry: entries[next.kernel]!, bytes: next.block, groups: next.groups };
        first = 0;
        return false;
      }
      if (launches.isComplete) return true;
      throw new Error(calls.stuck());
    };
    return { slice };
  }
}
