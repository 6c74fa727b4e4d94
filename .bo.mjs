import { build } from 'esbuild';

await build({
  entryPoints: ['conformance/binaries/child.ts'],
  bundle: true,
  platform: 'node',
  format: 'esm',
  outdir: 'dist/conformance/binaries',
  external: ['koffi'],
  sourcemap: 'inline',
});
