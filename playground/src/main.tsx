/** Starts the page: what its address says is in it, threads where the host's headers give none, then the app. */
import { render } from 'preact';
import { App } from './app.tsx';
import { isolate } from './isolate.ts';
import { openAddress } from './state.ts';

await openAddress();
render(<App />, document.getElementById('app')!);
document.body.dataset['ready'] = 'yes';
void isolate();
