/** From IR to machine code in a module (native-module.ts): the passes and then codegen/x64. */

import { CodegenError } from '../../codegen/wasm/module/error.ts';
import { compileKernelX64 } from '../../codegen/x64/compile-kernel.ts';
import { queueModule } from '../../ir/device-queues.ts';
import { environment } from '../../runtime/host.ts';
import { x64, x64Avx512 } from '../../target/x64.ts';
import { type BackEnd, compileForWasm } from '../wasm/compile-kernels.ts';
import type { WasmDeviceOptions } from '../wasm/wasm-device.ts';
import { encodeNative } from './native-module.ts';
import type { ProcessorFeatures } from './processor-features.ts';

/** What compiles programs for a processor. */
export function nativeCompiler({ avx512 }: ProcessorFeatures): WasmDeviceOptions['compile'] {
  const backEnd: BackEnd = {
    target: avx512 ? x64Avx512 : x64,
    emit: (module, options) => {
      const {
        code,
        entries,
        imports,
        listing: _listing,
        ...facts
      } = compileKernelX64(module, {
        ...options,
        // Here they always can be, whatever engines have.
        fuses: environment('MILLRACE_FUSE') !== '0',
        avx512,
      });
      for (const one of imports) {
        if (one.module !== queueModule)
          throw new CodegenError(`there is no function '${one.name}' for kernels`);
      }
      const bytes = encodeNative({
        bytes: code,
        entries,
        imports: imports.map(({ name, signature }) => ({ name, parameters: signature.parameters.length })),
      });
      return { ...facts, bytes };
    },
  };
  return (module, options, buildOptions, vectorise, known) =>
    compileForWasm(module, options, buildOptions, vectorise, known, backEnd);
}
