/** The gallery: everything that can be opened, in groups. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Document } from '../document.ts';
import { galleryIsOpen, open } from '../state.ts';
import { type Entry, entries, groups } from './entries.ts';
import { templates } from './templates.ts';
import { thumbnails } from './thumbnails.ts';

export function GalleryDialog() {
  const dialog = useRef<HTMLDialogElement>(null);
  const [words, setWords] = useState('');
  const isOpen = galleryIsOpen.value;
  useEffect(() => {
    if (isOpen) dialog.current!.showModal();
    else dialog.current!.close();
  }, [isOpen]);
  const close = () => {
    galleryIsOpen.value = false;
  };
  const show = (document: Document, hash: string) => {
    open(document);
    history.replaceState(null, '', hash);
    close();
  };
  const choose = async (entry: Entry) => show(await entry.load(), `#sample=${entry.id}`);
  const found = entries.filter((entry) => matches(entry, words));
  return (
    <dialog ref={dialog} class="gallery" aria-labelledby="gallery-title" onClose={close}>
      <header>
        <h2 id="gallery-title">Samples</h2>
        <input
          type="search"
          aria-label="Find samples"
          placeholder="Find"
          value={words}
          onInput={({ currentTarget }) => setWords(currentTarget.value)}
        />
        <button type="button" onClick={close}>
          Close
        </button>
      </header>
      <p class="anew">
        Begin anew:
        {templates.map((template) => (
          <button type="button" key={template.language} onClick={() => show(template, location.pathname)}>
            {template.name}
          </button>
        ))}
      </p>
      {found.length === 0 && <p role="status">There is no sample with these words.</p>}
      {groups
        .filter((group) => found.some((entry) => entry.group === group))
        .map((group) => (
          <section key={group} aria-label={group}>
            <h3>{group}</h3>
            <ul>
              {found
                .filter((entry) => entry.group === group)
                .map((entry) => (
                  <Card key={entry.id} entry={entry} choose={() => void choose(entry)} />
                ))}
            </ul>
          </section>
        ))}
    </dialog>
  );
}

/** All words, each anywhere. */
function matches({ title, about, group, id }: Entry, words: string): boolean {
  const text = `${title} ${about} ${group} ${id}`.toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

function Card({ entry, choose }: { entry: Entry; choose: () => void }) {
  return (
    <li>
      <button type="button" data-entry={entry.id} onClick={choose}>
        {thumbnails[entry.id] && <img src={thumbnails[entry.id]} alt="" loading="lazy" />}
        <strong>{entry.title}</strong>
        <span>{entry.about}</span>
      </button>
    </li>
  );
}
