/** The page: bar, source, and beside it the panels. */
import { useEffect, useState } from 'preact/hooks';
import { watchDocument } from './compiler/watch.ts';
import { canMove, hasDevices } from './document.ts';
import { Editor } from './editor/editor.tsx';
import { GalleryDialog } from './gallery/gallery-dialog.tsx';
import { embedCode, fork, isEmbedded } from './live/embed.ts';
import { EmbeddedPage } from './live/embedded-page.tsx';
import { endFrames, play, player, watchOpened } from './live/player.ts';
import { AnalyzerPanel } from './panels/analyzer-panel.tsx';
import { CheckPanel } from './panels/check-panel.tsx';
import { CompilerPanel } from './panels/compiler-panel.tsx';
import { DebuggerPanel } from './panels/debugger-panel.tsx';
import { ProfilePanel } from './panels/profile-panel.tsx';
import { Remarks } from './panels/remarks.tsx';
import { RunPanel } from './panels/run-panel.tsx';
import { run, stop } from './run/run.ts';
import { encodeDocument } from './share.ts';
import {
  announcement,
  changeDevice,
  document as current,
  examined,
  galleryIsOpen,
  isRunning,
  notice,
  runs,
} from './state.ts';

const panels = [
  { id: 'run', title: 'Run', view: RunPanel },
  { id: 'compiler', title: 'Compiler', view: CompilerPanel },
  { id: 'analyzer', title: 'Analyzer', view: AnalyzerPanel },
  { id: 'check', title: 'Check', view: CheckPanel },
  { id: 'debugger', title: 'Debugger', view: DebuggerPanel },
  { id: 'profile', title: 'Profile', view: ProfilePanel },
] as const;

export function App() {
  useEffect(() => watchDocument(), []);
  useEffect(() => watchOpened(), []);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      event.stopPropagation();
      void run();
    };
    // Before the editor, which takes the keys for a new line.
    addEventListener('keydown', onKey, { capture: true });
    return () => removeEventListener('keydown', onKey, { capture: true });
  }, []);
  if (isEmbedded) return <EmbeddedPage />;
  return (
    <>
      <Bar />
      {notice.value !== '' && <Notice />}
      <main>
        <section class="source" aria-label="Program" aria-busy={examined.value === undefined}>
          <Editor />
          <Remarks />
        </section>
        <Panels />
      </main>
      <GalleryDialog />
      <p class="unseen" role="status">
        {announcement.value}
      </p>
    </>
  );
}

function Bar() {
  const share = async () => {
    const address = new URL(location.href);
    try {
      address.hash = await encodeDocument(current.value);
    } catch (error) {
      notice.value = `There is no link: ${(error as Error).message}.`;
      return;
    }
    history.replaceState(null, '', address);
    try {
      await navigator.clipboard.writeText(address.href);
      announcement.value = 'The link is copied';
    } catch {
      announcement.value = 'The link is in the address bar';
    }
  };
  const embed = async () => {
    try {
      await navigator.clipboard.writeText(await embedCode(current.value));
      announcement.value = 'What embeds it is copied';
    } catch (error) {
      notice.value = `Nothing was copied: ${(error as Error).message}.`;
    }
  };
  const openGallery = () => {
    galleryIsOpen.value = true;
  };
  return (
    <header class="bar">
      <h1>
        Millrace <span>playground</span>
      </h1>
      <span class="name">{current.value.name}</span>
      <button type="button" onClick={openGallery}>
        Samples
      </button>
      <button type="button" onClick={() => void share()}>
        {announcement.value.startsWith('The link') ? announcement.value : 'Share'}
      </button>
      <button type="button" onClick={fork} title="A copy of your own, with another name">
        Fork
      </button>
      {canMove(current.value) && (
        <button type="button" onClick={() => void embed()}>
          {announcement.value.startsWith('What embeds') ? 'Copied' : 'Embed'}
        </button>
      )}
      {hasDevices(current.value) && (
        <select
          aria-label="Device"
          value={current.value.device ?? ''}
          onChange={({ currentTarget }) =>
            changeDevice(currentTarget.value === 'webgpu' ? 'webgpu' : undefined)
          }
        >
          <option value="">WebAssembly</option>
          <option value="webgpu">WebGPU</option>
        </select>
      )}
      {canMove(current.value) && !isRunning.value && (
        <button
          type="button"
          aria-pressed={player.value !== undefined}
          onClick={player.value ? endFrames : play}
          title="Frame after frame, while you type and drag"
        >
          Live
        </button>
      )}
      {isRunning.value && (
        <button type="button" onClick={stop}>
          Stop
        </button>
      )}
      <button
        type="button"
        class="go"
        disabled={isRunning.value}
        onClick={() => void run()}
        title="Ctrl+Enter"
      >
        Run
      </button>
    </header>
  );
}

function Notice() {
  const close = () => {
    notice.value = '';
  };
  return (
    <div class="notice" role="alert">
      <p>{notice.value}</p>
      <button type="button" onClick={close}>
        Close
      </button>
    </div>
  );
}

function Panels() {
  const [chosen, choose] = useState<(typeof panels)[number]['id']>('run');
  const running = isRunning.value || player.value !== undefined;
  useEffect(() => {
    // Who runs something wants to see what comes of it.
    if (running) choose('run');
  }, [running]);
  const { view: View } = panels.find(({ id }) => id === chosen)!;
  const onKey = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0) return;
    const at = panels.findIndex(({ id }) => id === chosen);
    const next = panels[(at + step + panels.length) % panels.length]!;
    choose(next.id);
    document.getElementById(`tab-${next.id}`)?.focus();
  };
  return (
    <section class="panels" aria-label="Results">
      <div class="tabs" role="tablist" aria-label="Panels" onKeyDown={onKey}>
        {panels.map(({ id, title }) => (
          <button
            type="button"
            key={id}
            id={`tab-${id}`}
            role="tab"
            aria-selected={id === chosen}
            aria-controls="panel"
            tabIndex={id === chosen ? 0 : -1}
            onClick={() => choose(id)}
          >
            {title}
          </button>
        ))}
      </div>
      <div id="panel" class="panel" data-runs={runs.value} role="tabpanel" aria-labelledby={`tab-${chosen}`}>
        <View />
      </div>
    </section>
  );
}
