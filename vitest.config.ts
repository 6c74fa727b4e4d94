import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

// Unit tests import src/ directly. Tests that start threads import 'millrace', which is dist/
// (npm test builds it first), because a worker thread needs a JavaScript file to start from.
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts', 'samples/**/*.test.ts'],
    setupFiles: ['test/setup.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: 'forks',
    // One fewer than cores is vitest's choice, which is one at a time on two cores; but many files wait for a page, a process or
    // a driver, and each starts for a second before its first test.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // Tests see what compilers do, not what they did last time; the cache's own tests turn it on. Results are compared with
    // the interpreter's, which never fuses operations: newer engines are not to either. Launches of tests are so small that none would
    // run optimised code.
    env: { MILLRACE_CACHE: '0', MILLRACE_FUSE: '0', MILLRACE_TIERS: '0' },
    server: { deps: { external: [/\/dist\//] } },
  },
});
