import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';

/**
 * Tests of functions from values to values: they leave nothing behind, so one process runs many of their files and reads src/ once. Half
 * of their processor time was reading it again for each file. Not here are files that start threads, run machine code, replace
 * modules, or set variables of the environment.
 */
const together = [
  'test/{c,il,ir,library,model,opencl,passes,source}/**/*.test.ts',
  'test/codegen/{il,r600,wasm,wgsl}/**/*.test.ts',
  'test/codegen/x64/{machine,stack-code,widen}/**/*.test.ts',
  'test/codegen/x64/allocate/{ranges,segments,spill,upper-registers}.test.ts',
  'test/codegen/opencl-c/text.test.ts',
  'test/api/brook/pack-program.test.ts',
  'test/brook/{diagnostics,messages}.test.ts',
  'test/devices/wasm/launch-{chunks,costs}.test.ts',
  'test/devices/webgpu/launch-parts.test.ts',
  'test/playground/{kept-output,netpbm}.test.ts',
  'test/runtime/{image-format,range-allocator}.test.ts',
  'test/tools/profile/{profile,timeline}.test.ts',
  'test/tools/{analyze,check,debug,language-service,roofline}/**/*.test.ts',
];
/** Files of those folders that import what is built, which starts threads, or set variables. */
const alone = [
  'test/codegen/wasm/vector/{fused-products,lane-constants}.test.ts',
  'test/passes/assumed-neighbours.test.ts',
];

// Unit tests import src/ directly. Tests that start threads import 'millrace', which is dist/
// (npm test builds it first), because a worker thread needs a JavaScript file to start from.
export default defineConfig({
  test: {
    setupFiles: ['test/setup.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: 'forks',
    // Whether files share what is imported is a setting of the pool, not of the project: these are the threads of `together` alone.
    poolOptions: { threads: { isolate: false } },
    // One fewer than cores is vitest's choice, which is one at a time on two cores; but many files wait for a page, a process or
    // a driver, and each starts for a second before its first test.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // Tests see what compilers do, not what they did last time; the cache's own tests turn it on. Results are compared with
    // the interpreter's, which never fuses operations: newer engines are not to either. Launches of tests are so small that none would
    // run optimised code.
    env: { MILLRACE_CACHE: '0', MILLRACE_FUSE: '0', MILLRACE_TIERS: '0' },
    server: { deps: { external: [/\/dist\//] } },
    projects: [
      {
        extends: true,
        test: {
          name: 'together',
          include: together,
          exclude: [...configDefaults.exclude, ...alone],
          pool: 'threads',
          // One after the other, or there were as many workers for each pool.
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: { name: 'alone', include: ['samples/**/*.test.ts', ...alone], exclude: configDefaults.exclude },
      },
      {
        extends: true,
        test: {
          name: 'apart',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...together],
        },
      },
    ],
  },
});
