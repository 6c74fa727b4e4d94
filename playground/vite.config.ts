// The playground: a page that needs no server but one for files. `npm run playground` shows it while it is written,
// `npm run playground:build` puts it into playground/dist.
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { contentSecurityPolicy } from './policy.ts';
import { policyPlugin } from './policy-plugin.ts';
import { studiesPlugin } from './studies-plugin.ts';

const fromHere = (path: string) => fileURLToPath(new URL(path, import.meta.url));
/** What gives a page threads, and what it may load; from static hosts isolate.js does both. */
const headers = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Content-Security-Policy': contentSecurityPolicy,
};

export default defineConfig({
  root: fromHere('.'),
  // Wherever it is put, next to what else.
  base: './',
  plugins: [policyPlugin(), studiesPlugin()],
  resolve: {
    alias: [
      { find: /^millrace$/, replacement: fromHere('../dist/index.js') },
      {
        find: /^millrace\/(opencl|examine|language-service|examine-brook|examine-il|analyze|roofline|debug|threads|brook|cal|c-host)$/,
        replacement: fromHere('../dist/$1.js'),
      },
      // As the package's `browser` field says to those who install it: a page has no drivers and no build cache.
      { find: /^\.\/(drivers|machine)\.js$/, replacement: './no-$1.js' },
    ],
  },
  // What the workers import, too: to find a package only when it is asked for loads the page again, and a run is lost.
  optimizeDeps: { entries: ['index.html', 'src/**/*-worker.ts', 'src/**/run-*.ts'] },
  esbuild: { jsx: 'automatic', jsxImportSource: 'preact' },
  worker: { format: 'es' },
  build: { target: 'es2022', emptyOutDir: true, chunkSizeWarningLimit: 2000, assetsInlineLimit: 2048 },
  server: { headers, host: 'localhost', cors: false, fs: { allow: [fromHere('..')] } },
  preview: { headers, host: 'localhost', cors: false },
});
