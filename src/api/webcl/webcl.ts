/** The object that programs know as `webcl` (WebCL 1.0, 3.3): constants, platforms, contexts. */
import { mayBlock } from '../../runtime/host.ts';
import { CL } from '../opencl/constants.ts';
import type { CLContext } from '../opencl/context.ts';
import { createContext } from '../opencl/create-context.ts';
import { waitForEvents as waitForCLEvents } from '../opencl/event.ts';
import { type CLDevice, type CLPlatform, defaultPlatform, getPlatforms } from '../opencl/platform.ts';
import { WebCLContext } from './context.ts';
import { type WebCLEvent, waitForEvents } from './event.ts';
import { attempt, WebCLException } from './exception.ts';
import {
  checkSharesGL,
  enableExtension,
  enableInPage,
  supportedExtensions,
  supportedInPage,
} from './extensions.ts';
import { innerOf, type WebCLCallback, watchWebCL } from './handles.ts';
import { platformFor, WebCLDevice, WebCLPlatform } from './platform.ts';

export interface WebCLOptions {
  /**
   * Whether contexts have threads of their own. Default: where this thread may sleep. A page's own thread may not, and
   * programs for WebCL often block there, so they get contexts that work on it; with `true` they get threads, and must use
   * callbacks.
   */
  readonly shared?: boolean | undefined;
}

class WebCLRoot {
  readonly #options: WebCLOptions;
  readonly #contexts = new Set<WeakRef<WebCLContext>>();
  // Looking whether they are still there would keep them until the event loop turns.
  readonly #collected = new FinalizationRegistry<WeakRef<WebCLContext>>((reference) =>
    this.#contexts.delete(reference),
  );

  constructor(options: WebCLOptions) {
    watchWebCL(new.target);
    this.#options = options;
  }

  getPlatforms(): WebCLPlatform[] {
    return getPlatforms().map(platformFor);
  }

  /**
   * A context of devices, of a device, of a platform's devices of a type, or of the default platform's.
   * @throws WebCLException INVALID_VALUE, INVALID_DEVICE, INVALID_DEVICE_TYPE, DEVICE_NOT_FOUND
   */
  createContext(what?: DeviceChoice, deviceType?: number): WebCLContext;
  /**
   * A context that shares with one of WebGL 2 (KHR_gl_sharing).
   * @throws WebCLException also WEBCL_EXTENSION_NOT_ENABLED, INVALID_GL_SHAREGROUP_REFERENCE_KHR, INVALID_OPERATION
   */
  createContext(gl: object, what?: DeviceChoice, deviceType?: number): WebCLContext;
  createContext(...given: readonly unknown[]): WebCLContext {
    const [gl, what, deviceType = CL.DEVICE_TYPE_DEFAULT] = (
      isGLContext(given[0]) ? given : [undefined, ...given]
    ) as [object | undefined, DeviceChoice, number | undefined];
    const extras = {
      shared: this.#options.shared ?? (mayBlock() ? undefined : false),
      properties: gl ? [CL.GL_CONTEXT_KHR, gl, 0] : null,
    };
    const context = new WebCLContext(
      attempt((): CLContext => {
        const devices = chosenDevices(what, deviceType);
        if (gl) checkSharesGL(devices);
        return createContext(devices, extras);
      }),
    );
    const reference = new WeakRef(context);
    this.#contexts.add(reference);
    this.#collected.register(context, reference);
    return context;
  }

  /** The extensions that a device has, KHR_fp64, KHR_fp16 and KHR_gl_sharing, and those of a page: WEBCL_html_image, WEBCL_html_video. */
  getSupportedExtensions(): string[] {
    return [...supportedExtensions(allDevices()), ...supportedInPage()];
  }

  /** Enables an extension for all devices that have it, or for the page. False if none has. */
  enableExtension(extensionName: string): boolean {
    return enableInPage(extensionName) || enableExtension(allDevices(), extensionName);
  }

  /**
   * Sleeps until all commands have ended; with a callback it returns at once and calls it then.
   * @throws WebCLException INVALID_VALUE, INVALID_CONTEXT, INVALID_EVENT_WAIT_LIST (also for user events that are not
   *   complete, when it would sleep), EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST; TypeError
   */
  waitForEvents(eventWaitList: readonly WebCLEvent[], whenFinished?: WebCLCallback<WebCLEvent>): void {
    waitForEvents(eventWaitList, whenFinished, waitForCLEvents);
  }

  /** Ends all contexts with everything in them. */
  releaseAll(): void {
    for (const reference of this.#contexts) reference.deref()?.releaseAll();
    this.#contexts.clear();
  }
}

/** Devices, a device, a platform, or a type of devices. */
type DeviceChoice = number | WebCLPlatform | WebCLDevice | readonly WebCLDevice[] | null | undefined;

/** @throws WebCLException, OpenCLError as WebCL.createContext */
function chosenDevices(what: DeviceChoice, deviceType: number): CLDevice[] {
  if (what instanceof WebCLPlatform) return innerOf<CLPlatform>(what).getDevices(deviceType);
  if (what === undefined || what === null) return defaultPlatform().getDevices(CL.DEVICE_TYPE_DEFAULT);
  if (typeof what === 'number') return defaultPlatform().getDevices(what);
  const devices = [what].flat();
  if (!devices.every((device) => device instanceof WebCLDevice)) {
    throw new WebCLException('INVALID_DEVICE', 'a context needs devices of WebCL', CL.INVALID_DEVICE);
  }
  return devices.map((device) => innerOf<CLDevice>(device));
}

/** Whether a value is a context of WebGL, of whatever version. */
function isGLContext(value: unknown): value is object {
  return /^\[object WebGL2?RenderingContext\]$/.test(Object.prototype.toString.call(value));
}

function allDevices(): CLDevice[] {
  return getPlatforms().flatMap((platform) => platform.getDevices());
}

/** What `webcl` is: its methods, and the numbers of OpenCL without `CL_`. */
export type WebCL = WebCLRoot & typeof CL;

export function createWebCL(options: WebCLOptions = {}): WebCL {
  return Object.assign(new WebCLRoot(options), CL);
}

/** For programs that expect it to be there. */
export const webcl: WebCL = createWebCL();
