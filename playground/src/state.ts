/** What the parts of the page share: the document, what the compiler says of it, what its last run gave. */
import { signal } from '@preact/signals';
import type { Examined } from './compiler/messages.ts';
import { type Document, type Launch, plainSurroundings, type Surroundings } from './document.ts';
import { entries, firstDocument } from './gallery/entries.ts';
import type { Profiled } from './run/messages.ts';
import type { RunOutcome } from './run/outcome.ts';
import { decodeDocument } from './share.ts';

/** Changed by typing; `opened` counts the times that another one was put in its place. */
export const document = signal<Document>(firstDocument);
export const opened = signal(0);

/** Of the source as it was a moment ago; undefined until the compiler is there. */
export const examined = signal<Examined | undefined>(undefined);

/** What was said of the last source of this document that had no errors: the launch form is made of it while there are some. */
export const compiled = signal<Examined | undefined>(undefined);

export const outcome = signal<RunOutcome>({ kind: 'none' });
/** What the profiler saw of the last run that it could see. */
export const profiled = signal<Profiled | undefined>(undefined);

/** The run that the next ones are compared with: its trace, and what it is called. */
export const comparedWith = signal<{ readonly trace: string; readonly name: string } | undefined>(undefined);

/** From the Run button to the end; programs have output before. */
export const isRunning = signal(false);

/** Runs that have ended. */
export const runs = signal(0);

/** A place in the source that something else on the page points to, 1-based. */
export const pointedLine = signal<number | undefined>(undefined);

/** Whether the list of samples is open. */
export const galleryIsOpen = signal(false);

/** One line for people who do not see the page change. */
export const announcement = signal('');

export function open(next: Document): void {
  document.value = next;
  examined.value = undefined;
  compiled.value = undefined;
  outcome.value = { kind: 'none' };
  profiled.value = undefined;
  opened.value += 1;
}

export function changeSource(source: string): void {
  document.value = { ...document.value, source };
}

export function changeOptions(options: string): void {
  document.value = { ...document.value, options };
}

export function changeDevice(device: Document['device']): void {
  const { device: _before, ...rest } = document.value;
  document.value = device ? { ...rest, device } : rest;
}

export function changeLaunch(change: Partial<Launch>): void {
  const { launch } = document.value;
  document.value = { ...document.value, launch: { ...launch, ...change } };
}

export function changeSurroundings(change: Partial<Surroundings>): void {
  const { surroundings = plainSurroundings } = document.value;
  document.value = { ...document.value, surroundings: { ...surroundings, ...change } };
}

/** Something that the page could not do before anybody pressed a button; empty for nothing. */
export const notice = signal('');

/** Opens what the address names: `#sample=NAME`, or a shared document. */
export async function openAddress(): Promise<void> {
  const hash = location.hash.slice(1);
  if (hash === '') return;
  if (hash.startsWith('sample=')) {
    const entry = entries.find(({ id }) => id === hash.slice('sample='.length));
    if (entry) open(await entry.load());
    else notice.value = 'There is no sample of the name in the link.';
    return;
  }
  const shared = await decodeDocument(hash);
  if ('document' in shared) open(shared.document);
  else notice.value = `The link cannot be opened: ${shared.problem}.`;
}
