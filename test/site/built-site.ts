/** The site as `npm run site` builds it, for tests that look at it. Its packages are its own: where npm cannot bring them, tests are skipped. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { builtPlayground } from '../browser/built-playground.ts';
import { chromiumPath } from '../browser/chromium-path.ts';

const run = promisify(execFile);

/** Why VitePress and TypeDoc cannot be had here; undefined if they are there. */
export const missingPackages = await install();

async function install(): Promise<string | undefined> {
  // Without a browser nobody asks for them.
  if (chromiumPath === undefined || existsSync('site/node_modules/vitepress/package.json')) return undefined;
  try {
    await run('npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts'], {
      cwd: 'site',
      timeout: 300_000,
    });
    return undefined;
  } catch (error) {
    const why = (error instanceof Error ? error.message : String(error)).trim().split('\n')[0]!;
    console.warn(`Skipped is what looks at the site: its packages are not to be had here: ${why}`);
    return why;
  }
}

/** @returns the folder of the built site; MILLRACE_SITE names one that has been built already */
export async function builtSite(): Promise<string> {
  const built = process.env['MILLRACE_SITE'];
  if (built !== undefined) return built;
  const playground = await builtPlayground();
  const words = ['site/build.mjs', '--playground', playground];
  await run(process.execPath, words, { timeout: 600_000, maxBuffer: 1 << 26 });
  return 'site/dist';
}
