/** A file that a program has left: as a picture or a text where it is one, and to take away. */
import { useEffect, useState } from 'preact/hooks';
import { readNetpbm } from './netpbm.ts';
import { PictureView } from './picture-view.tsx';

/** Longer texts are to be taken away, not read here. */
const mostText = 1 << 16;

/** What the browser shows itself, by the file's name. */
const pictureTypes: Readonly<Record<string, string>> = {
  bmp: 'image/bmp',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
};

export function FileView({ name, bytes }: { name: string; bytes: Uint8Array<ArrayBuffer> }) {
  const save = () => {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([bytes]));
    link.download = name.slice(name.lastIndexOf('/') + 1);
    link.click();
    URL.revokeObjectURL(link.href);
  };
  return (
    <section class="result" aria-label={`The file ${name}`}>
      <p class="file">
        <b>{name}</b> <small>{sizeText(bytes.length)}</small>{' '}
        <button type="button" class="quiet" onClick={save}>
          Save
        </button>
      </p>
      <Content name={name} bytes={bytes} />
    </section>
  );
}

function Content({ name, bytes }: { name: string; bytes: Uint8Array<ArrayBuffer> }) {
  const picture = readNetpbm(bytes);
  if (picture) return <PictureView name={name} picture={picture} />;
  const type = pictureTypes[name.slice(name.lastIndexOf('.') + 1).toLowerCase()];
  if (type !== undefined) return <BrowserPicture name={name} bytes={bytes} type={type} />;
  const text = textOf(bytes);
  if (text === undefined || text === '') return null;
  return (
    <pre class="printed" tabIndex={0} role="region" aria-label={`The text of ${name}`}>
      {text}
    </pre>
  );
}

function BrowserPicture({
  name,
  bytes,
  type,
}: {
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
  type: string;
}) {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([bytes], { type }));
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [bytes, type]);
  if (address === undefined) return null;
  return (
    <figure>
      <img alt={name} src={address} />
    </figure>
  );
}

/** Undefined for what is no text, or too much of it. */
function textOf(bytes: Uint8Array): string | undefined {
  if (bytes.length > mostText || bytes.includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function sizeText(bytes: number): string {
  if (bytes < 1000) return bytes === 1 ? '1 byte' : `${bytes} bytes`;
  return bytes < 1e6 ? `${(bytes / 1000).toPrecision(3)} kB` : `${(bytes / 1e6).toPrecision(3)} MB`;
}
