/**
 * The device that a host program runs on when one of its launches is to be debugged: kernels run as on the WebAssembly device, on
 * the host thread, and of the launch that is wanted everything is copied just before it runs. Hosts see the same facts as always.
 */
import { compileForWasm } from '../../devices/wasm/compile-kernels.ts';
import { LocalWasmDevice } from '../../devices/wasm/local-wasm-device.ts';
import { WasmDevice } from '../../devices/wasm/wasm-device.ts';
import type { WasmKernel } from '../../devices/wasm/wasm-program.ts';
import type { LaunchArgument, SharedRegion } from '../../ir/interpreter.ts';
import type * as ir from '../../ir/ir.ts';
import { keepDebugInfo } from '../../opencl/debug-info.ts';
import type { KernelArgument, MemoryObject, MemoryRange } from '../../runtime/command.ts';
import type { DeviceHost, DeviceKernel, DeviceProgram, ProgramInput } from '../../runtime/device.ts';
import type { LaunchBody, LocalLaunch } from '../../runtime/local-engine.ts';
import { plainKernelName } from './brook-names.ts';
import type { DebugLaunch } from './launch.ts';

export interface CaptureRequest {
  /** Which launch, from 1 on; default the first. */
  readonly launch?: number | undefined;
  /** Counts launches of this kernel only. */
  readonly kernel?: string | undefined;
  /** Whether that launch runs for the host too; default true. Without it the host gets its arguments back as they were. */
  readonly runs?: boolean | undefined;
  /** Whether the launch can be debugged, not only run again; default true. */
  readonly keepsDebugInfo?: boolean | undefined;
}

export class CapturingDevice extends WasmDevice {
  readonly namesPlaces = true;
  readonly startsThreads = false;
  readonly request: CaptureRequest;
  /** How many launches there were that count. */
  launches = 0;
  captured: DebugLaunch | undefined;

  constructor(request: CaptureRequest) {
    super({ compile: compileForWasm });
    this.request = request;
    if (request.keepsDebugInfo !== false) keepDebugInfo();
  }

  override open(host: DeviceHost): LocalWasmDevice {
    return new OpenCapturingDevice(this, host);
  }
}

class OpenCapturingDevice extends LocalWasmDevice {
  readonly #capturing: CapturingDevice;
  /** Gives the modules of programs before any pass. */
  readonly #modules = new WeakMap<DeviceProgram, () => ir.Module>();

  constructor(device: CapturingDevice, host: DeviceHost) {
    super(device, host);
    this.#capturing = device;
  }

  override build(input: ProgramInput): DeviceProgram {
    const program = super.build(input);
    this.#modules.set(program, () => input.lower());
    return program;
  }

  /** Also that of a form that a kernel has for images of some kind. */
  #moduleOf(kernel: DeviceKernel): ir.Module {
    return this.#modules.get((kernel as WasmKernel).program)!();
  }

  protected override launch(body: LaunchBody, event: number): LocalLaunch {
    const { request } = this.#capturing;
    const counts =
      request.kernel === undefined ||
      request.kernel === body.kernel.name ||
      request.kernel === plainKernelName(this.#moduleOf(body.kernel), body.kernel.name);
    if (counts) this.#capturing.launches += 1;
    if (counts && this.#capturing.launches === (request.launch ?? 1)) {
      this.#capturing.captured = this.#capture(body);
      if (request.runs === false) return { slice: () => true };
    }
    return super.launch(body, event);
  }

  #capture(body: LaunchBody): DebugLaunch {
    const { kernel, dimensions, global, local, offset, print } = body;
    const copies = new Map<MemoryObject, Uint8Array>();
    const bytesOf = ({ memory, offset: from }: MemoryRange): Uint8Array => {
      // Parts of one buffer stay parts of one copy.
      const whole = memory.parent ?? memory;
      let copy = copies.get(whole);
      if (!copy) {
        copy = this.host.memory.bytes.slice(whole.address, whole.address + whole.size);
        copies.set(whole, copy);
      }
      const start = memory.address - whole.address;
      return copy.subarray(start + from, start + memory.size);
    };
    const args = body.arguments.map((argument, index) => {
      const parameter = kernel.parameters[index]!;
      const name = parameter.info?.name ?? `argument ${index}`;
      return captured(argument, name, parameter.kind === 'constant' ? 'constant' : 'global', bytesOf);
    });
    const shared = [...this.host.svm].map((memory): SharedRegion => {
      const bytes = bytesOf({ memory, offset: 0 });
      const name = `shared memory at 0x${memory.address.toString(16)}`;
      return { address: memory.address, name, bytes: () => bytes };
    });
    return {
      module: this.#moduleOf(kernel),
      kernel: kernel.name,
      range: {
        globalSize: global.slice(0, dimensions),
        localSize: local.slice(0, dimensions),
        globalOffset: offset.slice(0, dimensions),
      },
      args,
      shared,
      print: print && ((text) => print(text)),
    };
  }
}

function captured(
  argument: KernelArgument,
  name: string,
  space: 'global' | 'constant',
  bytesOf: (range: MemoryRange) => Uint8Array,
): LaunchArgument {
  const buffer = (range: MemoryRange, of: 'global' | 'constant') => {
    const bytes = bytesOf(range);
    return { kind: 'buffer', space: of, name, bytes: () => bytes } as const;
  };
  switch (argument.kind) {
    case 'value':
      return { kind: 'bytes', bytes: argument.bytes.slice() };
    case 'local':
      return { kind: 'local', size: argument.bytes };
    case 'sampler':
      return argument;
    case 'image':
      return {
        kind: 'image',
        pixels: buffer(argument.pixels, 'global'),
        descriptor: bytesOf(argument.descriptor).slice(),
      };
    case 'memory': {
      const { range } = argument;
      if (!range) return { kind: 'address', address: 0 };
      const { memory, offset } = range;
      return memory.isSvm ? { kind: 'address', address: memory.address + offset } : buffer(range, space);
    }
  }
}
