/** A page: Vite, TypeScript with its strict rules, and a kernel that draws frame after frame. */
import { gitIgnore, json, type ProjectFiles, type ProjectOptions, packageJson } from './project.ts';

export function viteProject(options: ProjectOptions): ProjectFiles {
  const { name } = options;
  return {
    'package.json': packageJson(options, {
      scripts: {
        dev: 'vite',
        types: 'millrace types src/waves.cl',
        check: 'npm run types && tsc --noEmit',
        build: 'npm run check && vite build',
        preview: 'vite preview',
      },
      devDependencies: { typescript: '>=5.7', vite: '^8.0.0' },
    }),
    'tsconfig.json': json({
      compilerOptions: {
        target: 'es2022',
        module: 'esnext',
        moduleResolution: 'bundler',
        lib: ['es2022', 'dom', 'dom.iterable'],
        types: ['vite/client'],
        strict: true,
        noUncheckedIndexedAccess: true,
        skipLibCheck: true,
        allowArbitraryExtensions: true,
        noEmit: true,
      },
      include: ['src'],
    }),
    'vite.config.js': `import millrace from 'millrace/vite';
import { defineConfig } from 'vite';

// isolated: Vite's servers send the two headers that threads need. The server that you deploy to has to send them, too:
//   Cross-Origin-Opener-Policy: same-origin
//   Cross-Origin-Embedder-Policy: require-corp
export default defineConfig({
  plugins: [millrace({ isolated: true })],
  build: { target: 'es2022' },
});
`,
    'index.html': `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${name}</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="/src/style.css" />
  </head>
  <body>
    <canvas width="480" height="320" role="img" aria-label="Waves"></canvas>
    <p id="rate" role="status"></p>
    <script type="module" src="/src/main.ts"></script>
  </body>
</html>
`,
    'src/style.css': `:root {
  color-scheme: light dark;
}

body {
  margin: 2rem auto;
  max-width: 40rem;
  font-family: system-ui, sans-serif;
}

canvas {
  width: 100%;
}
`,
    'src/waves.cl': `/** One work-item a pixel: rings around two centres. */
kernel void waves(global uchar4 *image, float time)
{
    int x = get_global_id(0), y = get_global_id(1);
    int width = get_global_size(0), height = get_global_size(1);
    float2 place = (float2)(x, y) / height;
    float one = sin(40.0f * distance(place, (float2)(0.4f, 0.5f)) - 3.0f * time);
    float other = sin(40.0f * distance(place, (float2)(1.1f, 0.5f)) - 3.0f * time);
    float3 colour = 0.5f + 0.25f * (one + other) * (float3)(0.4f, 0.8f, 1.0f);
    image[y * width + x] = (uchar4)(convert_uchar3_sat(255.0f * colour), 255);
}
`,
    'src/main.ts': `import { program, waves } from './waves.cl';

const canvas = document.querySelector('canvas')!;
const rate = document.querySelector('#rate')!;
const context = canvas.getContext('2d')!;
const { width, height } = canvas;
const image = context.createImageData(width, height);
// It stays on the device; each frame reads what the kernel wrote.
const pixels = program.buffer(4 * width * height);
let frames = 0;
let since = performance.now();

async function frame(now: number): Promise<void> {
  await waves({ global: [width, height] }, pixels, now / 1000);
  image.data.set(await pixels.read(Uint8Array));
  context.putImageData(image, 0, 0);
  frames += 1;
  if (now - since > 500) {
    rate.textContent = \`\${Math.round((frames * 1000) / (now - since))} frames a second\`;
    frames = 0;
    since = now;
  }
  requestAnimationFrame((next) => void frame(next));
}

requestAnimationFrame((now) => void frame(now));
`,
    '.gitignore': gitIgnore('dist'),
    'README.md': `# ${name}

A page whose pictures are computed by a kernel in OpenCL C, on the threads of the page, by Millrace.

    npm install
    npm run dev        # shows it; a kernel that is saved runs at once
    npm run build      # checks the types and writes dist/
    npm run preview    # shows dist/

- \`src/waves.cl\`: the kernel
- \`src/main.ts\`: imports it as a function, and draws what it computes

Millrace's documents are in \`node_modules/millrace/docs\`; begin with \`modules.md\` and \`javascript.md\`. The server for dist/ has to send the
headers that \`vite.config.js\` names, or everything runs on one thread.
`,
  };
}
