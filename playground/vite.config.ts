// The playground: a page that needs no server but one for files. `npm run playground` shows it while it is written,
// `npm run playground:build` puts it into playground/dist.
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { studiesPlugin } from './studies-plugin.ts';

const fromHere = (path: string) => fileURLToPath(new URL(path, import.meta.url));
/** What gives a page threads; from static hosts public/isolate.js does it. */
const headers = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};

export default defineConfig({
  root: fromHere('.'),
  // Wherever it is put, next to what else.
  base: './',
  plugins: [studiesPlugin()],
  resolve: {
    alias: [
      { find: /^millrace$/, replacement: fromHere('../dist/index.js') },
      {
        find: /^millrace\/(opencl|examine|language-service|examine-brook|examine-il|analyze|roofline|debug|threads|brook|cal|c-host)$/,
        replacement: fromHere('../dist/$1.js'),
      },
    ],
  },
  esbuild: { jsx: 'automatic', jsxImportSource: 'preact' },
  worker: { format: 'es' },
  build: { target: 'es2022', emptyOutDir: true, chunkSizeWarningLimit: 2000, assetsInlineLimit: 2048 },
  server: { headers, fs: { allow: [fromHere('..')] } },
  preview: { headers },
});
