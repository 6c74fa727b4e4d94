// The site's pages, their order in the side bar, the search. The pages themselves are gathered by ../assemble.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type DefaultTheme, defineConfig } from 'vitepress';

const fromHere = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const guide = (text: string, names: readonly [string, string][]): DefaultTheme.SidebarItem => ({
  text,
  items: names.map(([name, title]) => ({ text: title, link: `/guide/${name}` })),
});

const guideSidebar: DefaultTheme.SidebarItem[] = [
  guide('Start', [
    ['start', 'Your first kernel'],
    ['javascript', 'Kernels from JavaScript'],
    ['modules', 'Kernels as modules'],
    ['browser', 'In a page'],
    ['book', 'The book, chapter by chapter'],
    ['glossary', 'Glossary'],
  ]),
  guide('OpenCL', [
    ['opencl-api', 'The host API'],
    ['opencl-2', 'OpenCL 2.0'],
    ['pipes', 'Pipes'],
    ['images', 'Images'],
    ['printf', 'printf'],
    ['built-in-kernels', 'Built-in kernels'],
    ['gl-sharing', 'Sharing with WebGL'],
    ['binaries', 'Binaries'],
    ['build-options', 'Build options'],
    ['webcl', 'WebCL'],
    ['c-hosts', 'Host programs in C'],
  ]),
  guide('Devices', [
    ['runtime', 'The device of compute threads'],
    ['webgpu', 'WebGPU'],
    ['native-drivers', 'Native drivers'],
  ]),
  guide('ATI Stream', [
    ['brook', 'Brook+'],
    ['brook-decisions', 'Brook+: decisions'],
    ['cal', 'CAL'],
    ['cal-decisions', 'CAL: decisions'],
    ['il', 'AMD IL'],
    ['r600', 'R600 code'],
  ]),
  guide('Tools', [
    ['command-line', 'The command line'],
    ['playground', 'The playground'],
    ['checker', 'The checker'],
    ['debugger', 'The debugger'],
    ['profiler', 'The profiler'],
    ['performance-model', 'The performance model'],
    ['language-server', 'The language server'],
    ['build-cache', 'The build cache'],
  ]),
  guide('How good it is', [
    ['figures', 'Figures as charts'],
    ['benchmarks', 'Measuring'],
    ['accuracy', 'Accuracy'],
    ['conformance', 'Conformance'],
    ['testing', 'Testing'],
    ['versioning', 'Versions'],
  ]),
  guide('How it works', [
    ['ir', 'The intermediate representation'],
    ['passes', 'The passes'],
  ]),
];

/** What TypeDoc wrote of its pages; none while it has not run. */
function referenceSidebar(): DefaultTheme.SidebarItem[] {
  const file = fromHere('../pages/reference/typedoc-sidebar.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as DefaultTheme.SidebarItem[]) : [];
}

/** What gives a page threads, where it is shown from here; isolate.js does it on hosts of files. */
const headers = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};

export default defineConfig({
  title: 'Millrace',
  description: 'OpenCL C, Brook+ and AMD IL, compiled to WebAssembly and WebGPU, wherever JavaScript runs',
  srcDir: 'pages',
  outDir: 'dist',
  cacheDir: '.vitepress/cache',
  // Wherever it is put: a host of files gives a project a folder of its own.
  base: process.env['SITE_BASE'] ?? '/',
  lastUpdated: false,
  cleanUrls: false,
  ignoreDeadLinks: [/playground/],
  markdown: { html: true, theme: { light: 'github-light-high-contrast', dark: 'github-dark' } },
  themeConfig: {
    nav: [
      { text: 'Guide', link: '/guide/start', activeMatch: '/guide/' },
      { text: 'Samples', link: '/samples/', activeMatch: '/samples/' },
      { text: 'Reference', link: '/reference/', activeMatch: '/reference/' },
      { text: 'Figures', link: '/guide/figures' },
      { text: 'Playground', link: '/playground/', target: '_self' },
    ],
    sidebar: {
      '/guide/': guideSidebar,
      '/reference/': [{ text: 'Reference', items: referenceSidebar() }],
      '/project/': [
        {
          text: 'The project',
          items: [
            { text: 'Overview', link: '/project/overview' },
            { text: 'Architecture', link: '/project/architecture' },
            { text: 'Contributing', link: '/project/contributing' },
            { text: 'Changes', link: '/project/changelog' },
          ],
        },
      ],
    },
    outline: { level: [2, 3] },
    search: { provider: 'local' },
    footer: { message: '<a href="/project/overview">The project</a>, under the MIT licence' },
  },
  vite: {
    publicDir: fromHere('../pages/public'),
    resolve: {
      alias: [
        { find: /^millrace$/, replacement: fromHere('../../dist/index.js') },
        // As the package's `browser` field says to those who install it.
        { find: /^\.\/(drivers|machine)\.js$/, replacement: './no-$1.js' },
      ],
    },
    worker: { format: 'es' },
    build: { target: 'es2022', chunkSizeWarningLimit: 2000 },
    server: { headers, fs: { allow: [fromHere('../..')] } },
    preview: { headers },
  },
});
