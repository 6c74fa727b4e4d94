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
    server: { deps: { external: [/\/dist\//] } },
  },
});
