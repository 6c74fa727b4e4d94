/** Threads for the page on hosts that send no headers: a service worker sends them from the second load on. */

import { registerServiceWorker } from './own-scripts.ts';

const tried = 'millrace-isolation-tried';

/** Resolves when the page may go on; never, if it loads itself again. A page that cannot be isolated has one thread. */
export async function isolate(): Promise<void> {
  if (crossOriginIsolated || !('serviceWorker' in navigator)) return;
  try {
    await registerServiceWorker('isolate.js');
    await navigator.serviceWorker.ready;
    if (sessionStorage.getItem(tried)) return;
    // Once only: no endless loading where it does not help.
    sessionStorage.setItem(tried, 'yes');
    location.reload();
    await new Promise(() => {});
  } catch {
    // Private windows and old browsers: one thread.
  }
}
