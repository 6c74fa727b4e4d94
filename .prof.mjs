import { build } from 'esbuild';

await build({
  entryPoints: ['/tmp/prof.ts'],
  bundle: true,
  platform: 'node',
  format: 'esm',
  outfile: 'dist/prof.mjs',
  external: ['koffi'],
  sourcemap: 'inline',
});
