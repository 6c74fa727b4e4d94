// The site's pages, their order in the side bar, the search. The pages themselves are gathered by ../assemble.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type DefaultTheme, defineConfig } from 'vitepress';
import { headingSlug } from '../assemble/heading-slug.mjs';
import { guideSidebar, projectSidebar, sampleSidebar } from '../assemble/sidebar.mjs';
import { irLanguage } from './ir-language.ts';

const fromHere = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** What TypeDoc wrote of its pages, an entry for each that has one, by the name that programs import; none while it has not run. */
function referenceSidebar(): DefaultTheme.SidebarItem[] {
  const file = fromHere('../pages/reference/typedoc-sidebar.json');
  if (!existsSync(file)) return [];
  const flat = (items: readonly DefaultTheme.SidebarItem[], above = ''): DefaultTheme.SidebarItem[] =>
    items.flatMap(({ text, link, items: below = [] }) => {
      const name = `${above}${text}`;
      return [...(link ? [{ text: name, link }] : []), ...flat(below, `${name}/`)];
    });
  // The entry that most programs import has the shortest name, and so comes first.
  return flat(JSON.parse(readFileSync(file, 'utf8')) as DefaultTheme.SidebarItem[]).sort((a, b) =>
    a.text!.localeCompare(b.text!),
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
  // Browsers ask for a favicon.ico else, which is not there.
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  lastUpdated: false,
  cleanUrls: false,
  ignoreDeadLinks: [/playground/],
  markdown: {
    html: true,
    anchor: { slugify: headingSlug },
    languages: [irLanguage],
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config: ({ renderer, core, options }) => {
      // Pages are rendered once more for the search: colouring their code is most of that.
      const highlight = options.highlight!;
      const coloured = new Map<string, string>();
      options.highlight = (code, language, attributes) => {
        const key = JSON.stringify([code, language, attributes]);
        const known = coloured.get(key);
        if (known !== undefined) return known;
        const html = highlight(code, language, attributes);
        coloured.set(key, html);
        return html;
      };
      // Code that is indented, not fenced, is shown as other code is: the theme lets it run over what lies next to it.
      renderer.rules.code_block = (tokens, index, ...rest) => {
        tokens[index]!.info = '';
        return renderer.rules.fence!(tokens, index, ...rest);
      };
      // A head of a column without words is none.
      core.ruler.push('empty-heads', ({ tokens }) => {
        for (const [index, token] of tokens.entries()) {
          if (token.type !== 'th_open' || tokens[index + 1]!.content.trim() !== '') continue;
          token.tag = 'td';
          tokens[index + 2]!.tag = 'td';
        }
      });
    },
  },
  themeConfig: {
    nav: [
      { text: 'Guide', link: '/guide/start', activeMatch: '/guide/(?!figures)' },
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
    search: {
      provider: 'local',
      options: {
        miniSearch: {
          // Who looks for a word wants to read about it first.
          searchOptions: { boostDocument: (id: string) => (id.includes('/reference/') ? 0.25 : 1) },
        },
      },
    },
    notFound: {
      quote: 'There is no such page here. The search finds pages by their words.',
      linkLabel: 'Take me home',
    },
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
