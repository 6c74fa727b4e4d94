/** Has the compiler look at the document a moment after its last change, once the page has settled. */
import { effect } from '@preact/signals';
import { compiled, document, examined, opened } from '../state.ts';
import { examineDocument } from './compiler.ts';
import { hasErrors } from './messages.ts';

/** Milliseconds without a change. */
const pause = 250;

export function watchDocument(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let looks = 0;
  let settled = false;
  const look = async () => {
    looks += 1;
    const own = looks;
    const seen = document.value;
    try {
      const found = await examineDocument(seen);
      // A later look knows better.
      if (own !== looks) return;
      examined.value = found;
      if (!hasErrors(found)) compiled.value = found;
    } catch (error) {
      const message = (error as Error).message;
      if (own === looks)
        examined.value = { remarks: [{ severity: 'error', message, start: 0, end: 0 }], kernels: [] };
    }
  };
  const whenIdle = globalThis.requestIdleCallback ?? ((run: () => void) => setTimeout(run, 300));
  whenIdle(() => {
    settled = true;
    void look();
  });
  return effect(() => {
    const { source, language, options } = document.value;
    // A document that is opened again is looked at again, though nothing in it has changed.
    void [source, language, options, opened.value];
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (settled) void look();
    }, pause);
  });
}
