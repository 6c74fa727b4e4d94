import { build } from 'esbuild';

await build({
  entryPoints: ['/tmp/phase.ts'],
  bundle: true,
  platform: 'node',
  format: 'esm',
  outfile: 'dist/phase.mjs',
  external: ['koffi'],
  sourcemap: 'inline',
});
