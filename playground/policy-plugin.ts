// Puts the Content-Security-Policy into the page itself, first of all, for hosts that send none, and into the service worker
// (isolate.js), which sends it with the workers too: these have the policy that they come with, not the page's.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { contentSecurityPolicy } from './policy.ts';

const serviceWorker = 'isolate.js';
const template = fileURLToPath(new URL(serviceWorker, import.meta.url));
const written = () => readFileSync(template, 'utf8').replace('POLICY', JSON.stringify(contentSecurityPolicy));

export function policyPlugin(): Plugin {
  return {
    name: 'millrace-policy',
    transformIndexHtml: () => [
      {
        tag: 'meta',
        attrs: { 'http-equiv': 'Content-Security-Policy', content: contentSecurityPolicy },
        injectTo: 'head-prepend',
      },
    ],
    configureServer: ({ middlewares }) => {
      middlewares.use(`/${serviceWorker}`, (_, response) => {
        response.setHeader('Content-Type', 'text/javascript');
        response.end(written());
      });
    },
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: serviceWorker, source: written() });
    },
  };
}
