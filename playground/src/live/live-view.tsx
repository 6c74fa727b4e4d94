/** The picture that moves, how fast it does, and the buttons below it. */
import { useEffect, useRef } from 'preact/hooks';
import { BufferView } from '../results/buffer-view.tsx';
import { milliseconds } from '../results/milliseconds.ts';
import { document } from '../state.ts';
import { pauseOrGoOn, player, restart, useCamera } from './player.ts';

export function LiveView() {
  const place = useRef<HTMLDivElement>(null);
  const shown = player.value;
  const canvas = shown?.canvas;
  useEffect(() => {
    if (canvas) place.current!.replaceChildren(canvas);
  }, [canvas]);
  if (!shown) return null;
  const { report, results, problem, isPlaying, camera } = shown;
  return (
    <section class="live" aria-label="Live">
      <div ref={place} class={report?.size ? 'screen' : 'unseen'} />
      <div class="live-bar">
        {report?.moves && (
          <button type="button" onClick={pauseOrGoOn}>
            {isPlaying ? 'Pause' : 'Go on'}
          </button>
        )}
        <button type="button" onClick={restart}>
          Restart
        </button>
        {report?.camera && camera !== 'on' && (
          <button type="button" onClick={() => void useCamera()}>
            Use the camera
          </button>
        )}
        <span class="rate">{rateText()}</span>
      </div>
      {camera === 'refused' && (
        <p class="hint">There is no camera, or it may not be used: this scene is drawn.</p>
      )}
      {problem !== '' && (
        <div class="failure">
          <pre tabIndex={0}>{problem}</pre>
        </div>
      )}
      {results.map((result) => (
        <BufferView key={result.name} result={result} />
      ))}
    </section>
  );
}

function rateText(): string {
  const report = player.value?.report;
  if (!report) return 'Compiling…';
  const { framesPerSecond: rate, size, frame } = report;
  const what = size ? `${size.width} × ${size.height}, ` : '';
  const device = document.value.device === 'webgpu' ? 'WebGPU' : 'WebAssembly';
  const where = report.isDirect ? `${device}, drawn from its memory` : device;
  const time = `${milliseconds(report.milliseconds)} in kernels, ${where}`;
  if (rate === undefined) return what + time;
  return `${Math.round(rate)} frames a second, ${what}${time}, frame ${frame}`;
}
