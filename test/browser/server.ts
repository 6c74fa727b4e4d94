/**
 * A static file server for the browser tests: dist/ as built, and what a test adds in memory. With `isolated` it sends
 * the two headers that make a page cross-origin isolated, which is what gives it SharedArrayBuffer.
 */
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, normalize } from 'node:path';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.map': 'application/json',
  '.cl': 'text/plain; charset=utf-8',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
};

export interface ServerSettings {
  /** Folders by the first part of the paths they answer, `{ dist: 'dist' }`; the one named '' answers the others. */
  readonly folders: Readonly<Record<string, string>>;
  /** Files in memory by path, `/page.html`. */
  readonly files?: ReadonlyMap<string, string | Uint8Array>;
  /** Whether to send COOP and COEP. */
  readonly isolated: boolean;
  /** Whether other origins may have what is here, as those of a CDN. */
  readonly forAll?: boolean;
  /** A Content-Security-Policy that is sent with everything; what breaks it is kept. */
  readonly policy?: string;
}

export interface StaticServer {
  /** `http://localhost:PORT`, without a slash at the end. */
  readonly origin: string;
  /** Paths that were asked for, in their order. */
  readonly asked: readonly string[];
  /** Those of them that are not there. */
  readonly missing: readonly string[];
  /** What the browser has reported of {@link ServerSettings.policy}: the directive, and what it kept from loading. */
  readonly violations: readonly string[];
  close(): Promise<void>;
}

/** Where browsers tell what a policy kept them from. */
const reportPath = '/policy-violations';

async function reportOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of request) text += part;
  const { 'csp-report': report } = JSON.parse(text) as { 'csp-report': Record<string, string> };
  const { 'violated-directive': directive, 'blocked-uri': blocked, 'source-file': source } = report;
  return `${directive}: ${blocked} in ${source ?? report['document-uri']}`;
}

export async function startServer(settings: ServerSettings): Promise<StaticServer> {
  const asked: string[] = [];
  const missing: string[] = [];
  const violations: string[] = [];
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    if (pathname === reportPath) {
      void reportOf(request).then((report) => {
        violations.push(report);
        response.writeHead(204).end();
      });
      return;
    }
    if (settings.policy !== undefined)
      response.setHeader('Content-Security-Policy', `${settings.policy}; report-uri ${reportPath}`);
    const path = normalize(decodeURIComponent(pathname.endsWith('/') ? `${pathname}index.html` : pathname));
    asked.push(path);
    if (settings.isolated) {
      response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
      response.setHeader('Cross-Origin-Embedder-Policy', 'require-corp');
    }
    if (settings.forAll) response.setHeader('Access-Control-Allow-Origin', '*');
    void content(settings, path).then((found) => {
      if (found === undefined) {
        missing.push(path);
        response.writeHead(404).end();
      } else {
        response.setHeader('Content-Type', types[extname(path)] ?? 'application/octet-stream');
        response.end(found);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://localhost:${port}`,
    asked,
    missing,
    violations,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => {
        server.close(() => resolve());
      });
    },
  };
}

async function content(settings: ServerSettings, path: string): Promise<string | Uint8Array | undefined> {
  const inMemory = settings.files?.get(path);
  if (inMemory !== undefined) return inMemory;
  const [, first = '', ...rest] = path.split('/');
  const folder = settings.folders[first];
  const file = folder !== undefined ? `${folder}/${rest.join('/')}` : `${settings.folders['']}${path}`;
  return readFile(file).catch(() => undefined);
}
