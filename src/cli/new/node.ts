/** A program for Node: a kernel in a file of its own, imported without a bundler, and a test. */
import { gitIgnore, type ProjectFiles, type ProjectOptions, packageJson } from './project.ts';

export function nodeProject(options: ProjectOptions): ProjectFiles {
  return {
    'package.json': packageJson(options, {
      engines: { node: '>=20.19' },
      scripts: {
        start: 'node --import millrace/register src/main.js',
        test: 'node --import millrace/register --test test/saxpy.test.js',
        types: 'millrace types src/saxpy.cl',
      },
    }),
    'src/saxpy.cl': `/** y += a x: one work-item an element. */
kernel void saxpy(float a, global const float *x, global float *y)
{
    size_t i = get_global_id(0);
    y[i] += a * x[i];
}
`,
    'src/main.js': `import { saxpy } from './saxpy.cl';

const count = 1_000_000;
const x = Float32Array.from({ length: count }, (_, i) => i);
const y = new Float32Array(count).fill(1);
const { started, ended } = await saxpy({ global: [count] }, 2, x, y);
console.log(\`y[10] = \${y[10]}, y[\${count - 1}] = \${y[count - 1]}\`);
console.log(\`\${count} elements in \${(Number(ended - started) / 1e6).toFixed(2)} ms\`);
`,
    'test/saxpy.test.js': `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { saxpy } from '../src/saxpy.cl';

test('saxpy adds a x to y', async () => {
  const y = Float32Array.of(1, 1, 1);
  await saxpy({ global: [3] }, 2, Float32Array.of(1, 2, 3), y);
  assert.deepEqual([...y], [3, 5, 7]);
});
`,
    '.gitignore': gitIgnore(),
    'README.md': `# ${options.name}

A program whose kernel in OpenCL C runs on all threads of the machine, by Millrace.

    npm install
    npm start
    npm test

- \`src/saxpy.cl\`: the kernel
- \`src/main.js\`: imports it as a function

\`npm run types\` writes the kernel's types for TypeScript and editors. Millrace's documents are in \`node_modules/millrace/docs\`; begin with
\`modules.md\` and \`javascript.md\`.
`,
  };
}
