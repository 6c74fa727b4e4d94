/**
 * The device of machine code, `native`: the wasm device with another code generator, whose workers call what it makes (native-kernels.ts). Loaded
 * when somebody asks for the device by name.
 */
import { environment } from '../../runtime/host.ts';
import { fileBeside } from '../../runtime/thread-file.ts';
import { onMachines } from '../wasm/on-machines.ts';
import { threadFiles } from '../wasm/thread-files.ts';
import { WasmDevice } from '../wasm/wasm-device.ts';
import { openKeeper } from './code-keeper.ts';
import { nativeCompiler } from './compile-native.ts';
import { openGuard } from './memory-guard.ts';
import { processorFault, processorFeatures } from './processor-features.ts';
import { wasmTierOf } from './wasm-tier.ts';

/** CL_DEVICE_SVM_COARSE_GRAIN_BUFFER, _FINE_GRAIN_BUFFER, _FINE_GRAIN_SYSTEM, _ATOMICS, as on the wasm device. */
const allSvm = 0b1111;

let device: WasmDevice | undefined;

/** The device, the same at every call; or why there is none, in a sentence. */
export async function findNativeDevice(): Promise<WasmDevice | string> {
  if (device) return device;
  const features = processorFeatures();
  const fault = typeof features === 'string' ? features : (processorFault(features) ?? memoryFault());
  if (typeof features === 'string' || fault !== undefined) return fault!;
  device = new WasmDevice({
    compile: nativeCompiler(features),
    onMachines: () => ({ ...onMachines, tierOf: wasmTierOf }),
    files: {
      processor: threadFiles().processor,
      worker: fileBeside('native-worker.js', () => new URL('./native-worker.js', import.meta.url)),
    },
    machine: {
      id: 'native',
      who: { name: 'Millrace x86-64', type: 'cpu', svmCapabilities: allSvm, vectorBits: 256 },
      variant: `x64 ${features.avx512 ? 'avx512' : 'avx2'}${environment('MILLRACE_FUSE') === '0' ? ' plain' : ''}`,
      open: openKeeper,
    },
  });
  return device;
}

/** Whether memories here are such that machine code can be kept inside them. */
function memoryFault(): string | undefined {
  try {
    return openGuard(new WebAssembly.Memory({ initial: 1, maximum: 65536, shared: true }));
  } catch {
    return 'machine code needs address space for memories of 4 GiB';
  }
}
