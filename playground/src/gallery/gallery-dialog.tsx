/** The gallery: everything that can be opened, in groups. */
import { useEffect, useRef } from 'preact/hooks';
import { galleryIsOpen, open } from '../state.ts';
import { type Entry, entries, groups } from './entries.ts';
import { thumbnails } from './thumbnails.ts';

export function GalleryDialog() {
  const dialog = useRef<HTMLDialogElement>(null);
  const isOpen = galleryIsOpen.value;
  useEffect(() => {
    if (isOpen) dialog.current!.showModal();
    else dialog.current!.close();
  }, [isOpen]);
  const choose = async (entry: Entry) => {
    open(await entry.load());
    history.replaceState(null, '', `#sample=${entry.id}`);
    galleryIsOpen.value = false;
  };
  const close = () => {
    galleryIsOpen.value = false;
  };
  return (
    <dialog ref={dialog} class="gallery" aria-labelledby="gallery-title" onClose={close}>
      <header>
        <h2 id="gallery-title">Samples</h2>
        <button type="button" onClick={close}>
          Close
        </button>
      </header>
      {groups.map((group) => (
        <section key={group} aria-label={group}>
          <h3>{group}</h3>
          <ul>
            {entries
              .filter((entry) => entry.group === group)
              .map((entry) => (
                <li key={entry.id}>
                  <button type="button" data-entry={entry.id} onClick={() => void choose(entry)}>
                    {thumbnails[entry.id] && <img src={thumbnails[entry.id]} alt="" loading="lazy" />}
                    <strong>{entry.title}</strong>
                    <span>{entry.about}</span>
                  </button>
                </li>
              ))}
          </ul>
        </section>
      ))}
    </dialog>
  );
}
