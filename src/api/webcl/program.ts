/** Programs of WebCL (3.10). */
import { CL } from '../opencl/constants.ts';
import type { CLContext } from '../opencl/context.ts';
import type { CLDevice } from '../opencl/platform.ts';
import type { CLProgram } from '../opencl/program.ts';
import type { WebCLContext } from './context.ts';
import { attempt, notEnabled, WebCLException } from './exception.ts';
import { isEnabled } from './extensions.ts';
import { checkCallback, checkName, innerOf, outerOf, type WebCLCallback, WebCLObject } from './handles.ts';
import { WebCLKernel } from './kernel.ts';
import { type Refusal, refuseKernels, refuseOptions, refuseSource } from './language.ts';
import { deviceFor, givenDevice, type WebCLDevice } from './platform.ts';

const names = [CL.PROGRAM_NUM_DEVICES, CL.PROGRAM_DEVICES, CL.PROGRAM_SOURCE, CL.PROGRAM_CONTEXT];
const buildNames = [CL.PROGRAM_BUILD_STATUS, CL.PROGRAM_BUILD_OPTIONS, CL.PROGRAM_BUILD_LOG];

export type WebCLProgramInfo = number | string | WebCLContext | WebCLDevice[];

export class WebCLProgram extends WebCLObject<CLProgram> {
  /** Why the last build was refused, if WebCL and not the compiler did it. */
  #refusal: Refusal | undefined;
  #options = '';

  /** PROGRAM_NUM_DEVICES, _DEVICES, _SOURCE, _CONTEXT. @throws WebCLException INVALID_VALUE */
  getInfo(name: number): WebCLProgramInfo {
    const inner = innerOf<CLProgram>(this);
    attempt(() => inner.check());
    checkName(name, names);
    switch (name) {
      case CL.PROGRAM_DEVICES:
        return inner.devices.map(deviceFor);
      case CL.PROGRAM_CONTEXT:
        return outerOf<CLContext, WebCLContext>(inner.context, () => {
          throw new Error('a context of OpenCL without one of WebCL');
        });
      default:
        return attempt(() => inner.getInfo(name)) as number | string;
    }
  }

  /** PROGRAM_BUILD_STATUS, _BUILD_OPTIONS, _BUILD_LOG. @throws WebCLException INVALID_VALUE, INVALID_DEVICE */
  getBuildInfo(device: WebCLDevice, name: number): number | string {
    const inner = innerOf<CLProgram>(this);
    const answer = attempt(() => inner.getBuildInfo(givenDevice(device), CL.PROGRAM_BUILD_STATUS));
    checkName(name, buildNames);
    if (name === CL.PROGRAM_BUILD_OPTIONS) return this.#options;
    if (this.#refusal) return name === CL.PROGRAM_BUILD_STATUS ? CL.BUILD_ERROR : this.#refusal.log;
    return name === CL.PROGRAM_BUILD_STATUS
      ? answer
      : attempt(() => inner.getBuildInfo(givenDevice(device), name));
  }

  /**
   * Builds the program for some of its devices, by default all. With a callback it returns at once.
   * @throws WebCLException INVALID_VALUE, INVALID_DEVICE, INVALID_BUILD_OPTIONS, INVALID_OPERATION, BUILD_PROGRAM_FAILURE,
   *   WEBCL_EXTENSION_NOT_ENABLED for a double or half without its extension; TypeError
   */
  build(
    devices?: WebCLDevice | readonly WebCLDevice[] | null,
    options?: string | null,
    whenFinished?: WebCLCallback<WebCLProgram>,
  ): void {
    checkCallback(whenFinished);
    const inner = innerOf<CLProgram>(this);
    attempt(() => inner.check());
    const list = devices === null || devices === undefined ? null : [devices].flat().map(givenDevice);
    const text = options ?? '';
    const wrong = refuseOptions(text);
    if (wrong) throw new WebCLException('INVALID_BUILD_OPTIONS', wrong, CL.INVALID_BUILD_OPTIONS);
    const targets = list ?? inner.devices;
    this.#options = text;
    this.#refusal = refuseSource(inner.source, text, (extension) =>
      targets.every((device) => isEnabled(device, extension)),
    );
    if (this.#refusal) {
      this.#fail(this.#refusal, whenFinished);
      return;
    }
    // What WebCL tells of arguments it always tells.
    const asked = `${text} -cl-kernel-arg-info`;
    if (whenFinished) {
      attempt(() =>
        inner.build(list, asked, () => {
          this.#refuseKernels(inner, targets);
          whenFinished(this);
        }),
      );
      return;
    }
    attempt(() => inner.build(list, asked));
    this.#refuseKernels(inner, targets);
    if (this.#refusal) this.#fail(this.#refusal, null);
  }

  /** @throws WebCLException INVALID_PROGRAM_EXECUTABLE, INVALID_KERNEL_NAME, INVALID_KERNEL_DEFINITION */
  createKernel(kernelName: string): WebCLKernel {
    return new WebCLKernel(attempt(() => this.#built().createKernel(kernelName)));
  }

  /** @throws WebCLException INVALID_PROGRAM_EXECUTABLE */
  createKernelsInProgram(): WebCLKernel[] {
    return attempt(() => this.#built().createKernelsInProgram()).map((kernel) => new WebCLKernel(kernel));
  }

  #built(): CLProgram {
    const inner = innerOf<CLProgram>(this);
    inner.check();
    if (!this.#refusal) return inner;
    const why = 'the program has not been built successfully';
    throw new WebCLException('INVALID_PROGRAM_EXECUTABLE', why, CL.INVALID_PROGRAM_EXECUTABLE);
  }

  #refuseKernels(inner: CLProgram, targets: readonly CLDevice[]): void {
    for (const device of targets) {
      const program = inner.builtFor(device);
      this.#refusal ??= program ? refuseKernels(program) : undefined;
    }
  }

  #fail({ log, extension }: Refusal, whenFinished: WebCLCallback<WebCLProgram>): void {
    if (whenFinished) {
      queueMicrotask(() => whenFinished(this));
      return;
    }
    if (extension) throw notEnabled(extension);
    throw new WebCLException('BUILD_PROGRAM_FAILURE', log, CL.BUILD_PROGRAM_FAILURE);
  }
}
