/** Documents in other pages, and copies of one's own. */
import type { Document } from '../document.ts';
import { encodeDocument } from '../share.ts';
import { announcement, document } from '../state.ts';

/** The address asks for the picture and its sliders alone: `?embed#...`. */
export const isEmbedded = new URLSearchParams(location.search).has('embed');

/** HTML for another page: that document's picture, its sliders, and a link here. */
export async function embedCode(of: Document): Promise<string> {
  const address = new URL(location.href);
  address.search = '?embed';
  address.hash = await encodeDocument({ ...of, live: true });
  const title = of.name.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
  return `<iframe src="${address.href.replaceAll('&', '&amp;')}" title="${title}" width="640" height="560" loading="lazy" allow="cross-origin-isolated; camera" style="border: 0"></iframe>`;
}

/** The document becomes one's own: it has a name of its own, and the address no longer names the sample. */
export function fork(): void {
  const { name } = document.value;
  const again = /^(.*) \(fork(?: (\d+))?\)$/.exec(name);
  document.value = {
    ...document.value,
    name: again ? `${again[1]} (fork ${Number(again[2] ?? 1) + 1})` : `${name} (fork)`,
  };
  history.replaceState(null, '', location.pathname);
  announcement.value = 'Forked';
}
