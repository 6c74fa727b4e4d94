// `npm run pages`: serves the samples that are pages, with the headers that give a page threads.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

const pages = ['vertex-waves'];
const port = Number(process.env['PORT'] ?? 8080);
// This file is built to dist/samples/pages.js.
const root = fileURLToPath(new URL('../..', import.meta.url));
const folders = ['dist', 'samples'];
const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css',
  '.js': 'text/javascript; charset=utf-8',
  '.cl': 'text/plain; charset=utf-8',
};

const server = createServer((request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://localhost');
  const path = normalize(pathname.endsWith('/') ? `${pathname}index.html` : pathname);
  const [, folder = ''] = path.split('/');
  const file = folders.includes(folder) ? readFile(`${root}${path}`) : Promise.reject(new Error('not here'));
  file.then(
    (content) => {
      response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
      response.setHeader('Cross-Origin-Embedder-Policy', 'require-corp');
      response.setHeader('Content-Type', types[extname(path)] ?? 'application/octet-stream');
      response.end(content);
    },
    () => response.writeHead(404).end(),
  );
});
server.listen(port, '127.0.0.1', () => {
  for (const page of pages) console.log(`http://localhost:${port}/samples/${page}/`);
});
