// The site's pages, their order in the side bar, the search. The pages themselves are gathered by ../assemble.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type DefaultTheme, defineConfig } from 'vitepress';
import { guideSidebar, projectSidebar, sampleSidebar } from '../assemble/sidebar.mjs';

const fromHere = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** What TypeDoc wrote of its pages; none while it has not run. */
function referenceSidebar(): DefaultTheme.SidebarItem[] {
  const file = fromHere('../pages/reference/typedoc-sidebar.json');
  if (!existsSync(file)) return [];
  const items = JSON.parse(readFileSync(file, 'utf8')) as DefaultTheme.SidebarItem[];
  // The entry that most programs import comes first.
  return items.sort((a, b) =>
    a.text === 'millrace' ? -1 : b.text === 'millrace' ? 1 : a.text!.localeCompare(b.text!),
  );
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
  markdown: {
    html: true,
    // The text form of the intermediate representation has no grammar of its own.
    languageAlias: { ir: 'llvm' },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark' },
  },
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
      '/samples/': sampleSidebar(),
      '/project/': projectSidebar,
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
