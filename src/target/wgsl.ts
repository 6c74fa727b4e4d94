/** WGSL, the language of WebGPU's shaders: work-items run as they are, with barriers. Images are functions over memory. */
import { builtinFunctions } from '../codegen/wgsl/builtins.ts';
import { writeWgsl } from '../codegen/wgsl/write-wgsl.ts';
import type { Target } from './target.ts';

export const wgsl: Target = {
  name: 'wgsl',
  description: "WGSL, WebGPU's shaders, one for each kernel",
  addressBits: [32],
  vectors: undefined,
  costs: undefined,
  cache: { line: 64, ways: 8 },
  wants: {
    form: 'work-item',
    images: false,
    calls: true,
    singles: true,
    runtimeUnroll: 1,
    carriedPointers: 0,
  },
  functions: builtinFunctions,
  // WGSL's limit is 127 braces.
  deepestNesting: 100,
  emit: (module) =>
    module.functions
      .filter(({ kind, body }) => kind === 'kernel' && body)
      .map(({ name }) => `// kernel ${name}\n${writeWgsl(module, name).code}`)
      .join('\n'),
};
