/**
 * The addresses that workers are started from, as a page with Trusted Types takes them: there a text is none, but only what a policy
 * has looked at that the page's Content-Security-Policy names. This one lets pass what Millrace starts threads from, files of the
 * page's own origin and blobs that it has made itself, and makes nothing else: no HTML and no scripts.
 */

/** What a page has to name in `trusted-types`. */
const policyName = 'millrace';

/** TypeScript's own types have none of this yet. A trusted address stands for a text wherever one is taken. */
interface AddressPolicy {
  createScriptURL(address: string): string;
}
interface TrustedTypes {
  createPolicy(name: string, rules: AddressPolicy): AddressPolicy;
}

/** Blobs by their text: they are few, and the same for all threads. */
const blobs = new Map<string, string>();

/** The address of a blob with a script. */
export function blobOf(text: string): string {
  let address = blobs.get(text);
  if (address === undefined) {
    address = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));
    blobs.set(text, address);
  }
  return address;
}

function check(address: string): string {
  if ([...blobs.values()].includes(address)) return address;
  const { origin, protocol } = new URL(address);
  // A blob of somebody else has this origin, too.
  if (protocol !== 'blob:' && origin !== 'null' && origin === globalThis.origin) return address;
  throw new TypeError(`${address} is not of this page's origin`);
}

let policy: AddressPolicy | undefined;
/** In the browser's words, why the page gets no policy. */
let refusal = '';

function makePolicy(): AddressPolicy {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  try {
    if (trustedTypes) return trustedTypes.createPolicy(policyName, { createScriptURL: check });
  } catch (error) {
    // A text may do all the same: where Trusted Types are not enforced, or the page's default policy lets it pass.
    refusal = (error as Error).message;
  }
  return { createScriptURL: (address) => address };
}

/**
 * An address for `new Worker`.
 * @throws TypeError if it is none that threads start from
 */
export function workerAddress(address: string): string {
  policy ??= makePolicy();
  return policy.createScriptURL(address);
}

/** What to do about it, if an error of `new Worker` comes from a page that takes no text and does not let the policy be. */
export function policyMissing(error: unknown): string | undefined {
  if (refusal === '' || !(error instanceof TypeError)) return undefined;
  return `the page's Content-Security-Policy needs '${policyName}' in trusted-types, and 'allow-duplicates' if Millrace is there more than once (${refusal})`;
}
