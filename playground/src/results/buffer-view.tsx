/** One result of a kernel: as a picture, a plot or a table, whichever a person wants to see. */
import { lazy, Suspense } from 'preact/compat';
import { useState } from 'preact/hooks';
import type { ResultBuffer } from '../run/outcome.ts';
import { PictureView } from './picture-view.tsx';
import { TableView } from './table-view.tsx';

/** Not part of the page's first load. */
const PlotView = lazy(async () => ({ default: (await import('./plot-view.tsx')).PlotView }));

type Face = 'picture' | 'plot' | 'table';

export function BufferView({ result }: { result: ResultBuffer }) {
  const { name, picture, numbers, lanes } = result;
  const faces: Face[] = [
    ...(picture ? ['picture' as const] : []),
    ...(lanes === 1 ? ['plot' as const] : []),
    'table',
  ];
  const [chosen, choose] = useState<Face | undefined>(undefined);
  const face = chosen !== undefined && faces.includes(chosen) ? chosen : faces[0]!;
  return (
    <section class="result" aria-label={`Result ${name}`}>
      <div class="choices" role="group" aria-label={`How to see ${name}`}>
        {faces.map((one) => (
          <button type="button" key={one} aria-pressed={one === face} onClick={() => choose(one)}>
            {one === 'picture' ? 'Picture' : one === 'plot' ? 'Plot' : 'Table'}
          </button>
        ))}
      </div>
      {face === 'picture' && <PictureView name={name} picture={picture!} />}
      {face === 'plot' && (
        <Suspense fallback={<p>Loading…</p>}>
          <PlotView name={name} numbers={numbers} />
        </Suspense>
      )}
      {face === 'table' && <TableView name={name} numbers={numbers} lanes={lanes} />}
      <p class="summary">{result.summary}</p>
    </section>
  );
}
