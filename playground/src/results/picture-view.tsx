/** A picture, pixel by pixel on a canvas, scaled to the width there is. */
import { useEffect, useRef } from 'preact/hooks';
import type { Picture } from '../../../src/cli/arguments/picture.ts';

export function PictureView({ name, picture }: { name: string; picture: Picture }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const { width, height, data } = picture;
  useEffect(() => {
    const pixels = new ImageData(new Uint8ClampedArray(data), width, height);
    canvas.current!.getContext('2d')!.putImageData(pixels, 0, 0);
  }, [data, width, height]);
  const save = () => {
    const link = document.createElement('a');
    link.download = `${name}.png`;
    link.href = canvas.current!.toDataURL('image/png');
    link.click();
  };
  return (
    <figure>
      <canvas ref={canvas} width={width} height={height} role="img" aria-label={`The picture ${name}`} />
      <figcaption>
        {name}, {width} × {height}{' '}
        <button type="button" class="quiet" onClick={save}>
          Save as PNG
        </button>
      </figcaption>
    </figure>
  );
}
