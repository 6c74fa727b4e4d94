/** Finds and starts the machine's own Chromium, so that nothing is downloaded by a test run. */
import { type Browser, chromium, type Page } from 'playwright-core';
import { chromiumPath } from './chromium-path.ts';

export { chromiumPath };

if (chromiumPath === undefined) {
  console.warn(
    'Browser tests are skipped: no Chromium here (apt-get install chromium, or set MILLRACE_CHROMIUM).',
  );
}

/** A headless Chromium that leaves the network alone; `more` are arguments of its own. */
export function startChromium(more: readonly string[] = []): Promise<Browser> {
  return start(['--disable-gpu', ...more]);
}

/**
 * One that has WebGPU, by SwiftShader in the place of a graphics card. What WebGPU draws is seen on the page only where the page is put
 * together by Vulkan, too.
 */
export function startChromiumWithGpu(): Promise<Browser> {
  return start([
    '--enable-unsafe-webgpu',
    '--use-webgpu-adapter=swiftshader',
    '--enable-features=Vulkan',
    '--use-vulkan=swiftshader',
    '--use-gl=angle',
    '--use-angle=swiftshader',
  ]);
}

function start(more: readonly string[]): Promise<Browser> {
  return chromium.launch({
    executablePath: chromiumPath!,
    args: [
      '--no-sandbox',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      ...more,
    ],
  });
}

/**
 * Waits until an expression holds in a page. Playwright's own waitForFunction evaluates text inside the page, which
 * a Content-Security-Policy may forbid; asking from outside it may not.
 * @throws Error after 30 seconds
 */
export async function waitUntil(page: Page, condition: string): Promise<void> {
  const deadline = Date.now() + 30_000;
  // A page that loads itself again takes the question with it.
  const holds = () => page.evaluate(`Boolean(${condition})`).catch(() => false);
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`after 30 seconds it does not hold that ${condition}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
