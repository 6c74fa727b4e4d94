/** The page's side of the debugger: what it knows of the launch, and what can be asked. */
import { effect, signal } from '@preact/signals';
import { type KeptThreads, keepThreads } from 'millrace/threads';
import { startWorker } from '../own-scripts.ts';
import { givenFiles } from '../run/files.ts';
import { announcement, document, opened, pointedLine } from '../state.ts';
import debugWorker from './debug-worker.ts?worker&url';
import type { DebugReply, DebugRequest, DebugView, LineStop, Move, WantedLaunch } from './messages.ts';

/** Where it is to stop. They belong to the text in the editor and move with it. */
export const stops = signal<readonly LineStop[]>([]);

export type DebuggerState =
  | { readonly kind: 'none' }
  | { readonly kind: 'starting' }
  | { readonly kind: 'stopped'; readonly view: DebugView }
  | { readonly kind: 'moving'; readonly view: DebugView };

export const state = signal<DebuggerState>({ kind: 'none' });
/** What went wrong last; empty if nothing did. */
export const complaint = signal('');
/** Expressions that are shown at every stop. */
export const watched = signal<readonly string[]>([]);

const firstLaunch: WantedLaunch = { launch: 1, kernel: '' };
/** Of a program: the launch that is debugged. */
export const wanted = signal(firstLaunch);

let worker: Worker | undefined;
let threads: KeptThreads | undefined;

function ask(request: DebugRequest, transferred: readonly Transferable[] = []): void {
  worker?.postMessage(request, [...transferred]);
}

/** Takes the launch that the Run panel describes. */
export function start(): void {
  end();
  complaint.value = '';
  state.value = { kind: 'starting' };
  const own = startWorker(debugWorker);
  worker = own;
  threads = keepThreads();
  own.addEventListener('message', ({ data }: MessageEvent<DebugReply>) => {
    if (own === worker) take(data);
  });
  own.addEventListener('error', ({ message }) => {
    if (own === worker) take({ failure: message || 'The debugger could not be loaded.', isOver: true });
  });
  ask({ ask: 'watch', expressions: watched.value });
  const { port } = threads;
  const request: DebugRequest = {
    ask: 'start',
    threads: port,
    document: document.value,
    files: givenFiles(),
    stops: stops.value,
    wanted: wanted.value,
  };
  ask(request, [port]);
}

function take(reply: DebugReply): void {
  if ('failure' in reply) {
    complaint.value = reply.failure;
    announcement.value = 'The debugger says that something is wrong';
    if (reply.isOver) end();
    return;
  }
  const { view } = reply;
  state.value = { kind: 'stopped', view };
  pointedLine.value = view.line;
  announcement.value = view.line === undefined ? view.why : `${view.why}, line ${view.line}`;
}

/** Ends the session, whatever it does. */
export function end(): void {
  worker?.terminate();
  void threads?.close();
  worker = undefined;
  threads = undefined;
  if (state.value.kind !== 'none') pointedLine.value = undefined;
  state.value = { kind: 'none' };
}

export function move(how: Move): void {
  if (state.value.kind !== 'stopped') return;
  complaint.value = '';
  state.value = { kind: 'moving', view: state.value.view };
  ask({ ask: 'move', move: how });
}

export function pause(): void {
  ask({ ask: 'pause' });
}

export function select(index: number): void {
  ask({ ask: 'select', index });
}

export function setWatched(expressions: readonly string[]): void {
  watched.value = expressions;
  ask({ ask: 'watch', expressions });
}

/** Stops when somebody writes there. */
export function guard(expression: string): void {
  complaint.value = '';
  ask({ ask: 'guard', expression });
}

/** Sets a line's stop, or takes it away. */
export function toggleStop(line: number): void {
  const others = stops.value.filter((stop) => stop.line !== line);
  stops.value = others.length < stops.value.length ? others : [...others, { line, condition: '' }];
}

export function setCondition(line: number, condition: string): void {
  stops.value = stops.value.map((stop) => (stop.line === line ? { line, condition } : stop));
}

effect(() => {
  const now = stops.value;
  ask({ ask: 'stops', stops: now });
});

// Of another document nothing of this is true.
let shownDocument = opened.value;
effect(() => {
  if (opened.value === shownDocument) return;
  shownDocument = opened.value;
  end();
  stops.value = [];
  wanted.value = firstLaunch;
  complaint.value = '';
});
