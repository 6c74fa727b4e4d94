import { build } from 'esbuild';

await build({
  entryPoints: ['/tmp/p2.ts'],
  bundle: true,
  platform: 'node',
  format: 'esm',
  outfile: 'dist/p2.mjs',
  external: ['koffi'],
  sourcemap: 'inline',
});
