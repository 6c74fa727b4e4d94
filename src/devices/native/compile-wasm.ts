/** From IR to the WebAssembly that the wasm device would run, for launches before there is machine code. */
import { cloneModule } from '../../ir/clone.ts';
import { compileForWasm } from '../wasm/compile-kernels.ts';
import type { OtherCompiler } from '../wasm/wasm-program.ts';

/** Programs that are built with options or an environment for other passes have no such launches (devices/wasm/open-wasm-device.ts). */
const buildOptions = '';
const vectorise = true;

export const compileWasm: OtherCompiler['compile'] = (module, options, known) =>
  compileForWasm(cloneModule(module), options, buildOptions, vectorise, known);
