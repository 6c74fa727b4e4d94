import { build } from 'esbuild';

await build({
  entryPoints: ['/tmp/one.ts'],
  bundle: true,
  platform: 'node',
  format: 'esm',
  outfile: 'dist/one.mjs',
  external: ['koffi'],
  sourcemap: 'inline',
});
