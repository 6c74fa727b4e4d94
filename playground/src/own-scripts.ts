/**
 * The page's policy of Trusted Types: the one way from an address to a worker or a service worker, and only for files that lie with the
 * page. It makes no HTML and no scripts from text; nothing in the page does.
 */

/** As the Content-Security-Policy names it. */
export const ownScripts = 'millrace-playground';

/** TypeScript's own types have none of this yet. A trusted address stands for a text wherever one is taken. */
interface AddressPolicy {
  createScriptURL(address: string): string;
}
interface TrustedTypes {
  createPolicy(name: string, rules: AddressPolicy): AddressPolicy;
}

/** @throws TypeError if the address is not in the page's folder: what else is at its origin may be somebody else's */
function createScriptURL(address: string): string {
  const folder = new URL('.', document.baseURI).href;
  const { href } = new URL(address, folder);
  if (!href.startsWith(folder)) throw new TypeError(`${href} is no script of this page`);
  return href;
}

let policy: AddressPolicy | undefined;

/** Browsers that know no Trusted Types have the same check. */
function makePolicy(): AddressPolicy {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  const rules = { createScriptURL };
  return trustedTypes?.createPolicy(ownScripts, rules) ?? rules;
}

function trusted(address: string): string {
  policy ??= makePolicy();
  return policy.createScriptURL(address);
}

/** Starts a module of the page's as a worker. */
export function startWorker(address: string): Worker {
  return new Worker(trusted(address), { type: 'module' });
}

export function registerServiceWorker(address: string): Promise<ServiceWorkerRegistration> {
  return navigator.serviceWorker.register(trusted(address));
}
