/** The thread of one debugging session: it takes the document's launch, and moves and shows it as the page asks. */
import {
  type DebugSession,
  type DebugValue,
  ExpressionError,
  type Stop,
  startDebugging,
} from 'millrace/debug';
import { delegateThreadsTo } from 'millrace/threads';
import { type Document, runKindOf } from '../document.ts';
import { addFile } from '../run/files.ts';
import type { RunOutcome } from '../run/outcome.ts';
import { runKernel } from '../run/run-kernel.ts';
import type { DebugReply, DebugRequest, DebugView, LineStop, ShownValue, WantedLaunch } from './messages.ts';

/** Parts of a value that are shown, and pixels of a picture. */
const mostParts = 64;
const mostPixels = 512 * 512;

let session: DebugSession | undefined;
let last: Stop | undefined;
let expressions: readonly string[] = [];
let printed = '';

const reply = (message: DebugReply) => postMessage(message);

addEventListener('message', ({ data }: MessageEvent<DebugRequest>) => {
  answer(data).catch((error: Error) => {
    reply({ failure: error.message, isOver: !(error instanceof ExpressionError) });
  });
});

async function answer(request: DebugRequest): Promise<void> {
  if (request.ask === 'start') {
    await delegateThreadsTo(request.threads);
    for (const [name, blob] of request.files) await addFile(name, blob);
    session = await begin(request.document, request.wanted);
    await show(session, session.start());
    setStops(session, request.stops);
    return;
  }
  if (!session) return;
  switch (request.ask) {
    case 'stops':
      setStops(session, request.stops);
      return;
    case 'pause':
      session.pause();
      return;
    case 'move':
      if (!session.isMoving) await show(session, session[request.move]());
      return;
    case 'select':
      if (session.isMoving) return;
      session.select(request.index);
      break;
    case 'watch':
      expressions = request.expressions;
      break;
    case 'guard':
      for (const { id } of session.watches) session.remove(id);
      if (request.expression !== '') session.watch(request.expression);
      break;
  }
  if (!session.isMoving) reply({ view: viewOf(session) });
}

/** @throws Error if the source or the arguments are wrong, with what the compiler says */
async function begin(document: Document, wanted: WantedLaunch): Promise<DebugSession> {
  const isProgram = runKindOf(document) === 'program';
  const debugging = startDebugging(
    isProgram ? { launch: wanted.launch, kernel: wanted.kernel || undefined } : { runs: false },
  );
  if (isProgram) {
    const { runBrookProgram } = await import('./brook-launch.ts');
    runBrookProgram(document);
  } else {
    const outcome = await launch(document);
    if (!debugging.isCaptured) {
      const said = outcome.kind === 'failed' ? (outcome.log ?? outcome.message) : 'It did not run.';
      throw new Error(said);
    }
  }
  return debugging.session((text) => {
    printed += text;
  });
}

async function launch(document: Document): Promise<RunOutcome> {
  if (document.language !== 'il') return runKernel(document);
  const { runIl } = await import('../run/run-il.ts');
  return runIl(document);
}

async function show(of: DebugSession, moving: Promise<Stop>): Promise<void> {
  last = await moving;
  reply({ view: viewOf(of) });
}

/** A wrong condition is told, and the line then has no stop. */
function setStops(of: DebugSession, stops: readonly LineStop[]): void {
  for (const { id } of of.breakpoints) of.remove(id);
  for (const { line, condition } of stops) {
    try {
      of.addBreakpoint({ line, condition: condition || undefined });
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      reply({ failure: `Line ${line}: ${error.message}`, isOver: false });
    }
  }
}

const reasons: Readonly<Record<Stop['reason'], string>> = {
  entry: 'At the beginning',
  step: 'Stepped',
  breakpoint: 'Breakpoint',
  watch: 'Written',
  fault: 'About to go wrong',
  pause: 'Paused',
  ended: 'The launch has ended. Step back to look into it again.',
};

function viewOf(of: DebugSession): DebugView {
  const { reason = 'entry', message } = last ?? {};
  const { selected } = of;
  const hasEnded = reason === 'ended';
  const { private: own, local, arguments: given, program } = of.variables();
  const groups = [
    ['Private variables', own],
    ['Local memory of the group', local],
    ['Arguments', given],
    ['Program scope', program],
  ] as const;
  return {
    why: message ? `${reasons[reason]}: ${message}` : reasons[reason],
    isWrong: reason === 'fault',
    hasEnded,
    line: hasEnded ? undefined : selected.place?.line,
    kernel: of.kernel,
    group: selected.group,
    groupSize: of.groupSize,
    selected: selected.index,
    items: of.items().map(({ index, global, local: at, state, place }) => {
      return { index, global, local: at, state, line: place?.line };
    }),
    calls: hasEnded ? [] : of.calls().map(({ function: name, place }) => ({ name, line: place?.line })),
    variables: groups
      .filter(([, values]) => values.length > 0)
      .map(([title, values]) => ({ title, values: values.map((value) => shown(value, 2)) })),
    watched: expressions.map((text) => watchedValue(of, text)),
    pictures: pictures(of, given),
    printed,
  };
}

function shown(value: DebugValue, depth: number): ShownValue {
  const { name, type, text } = value;
  const parts = depth === 0 ? [] : value.children(0, mostParts);
  return { name, type, text, parts: parts.map((part) => shown(part, depth - 1)) };
}

function watchedValue(of: DebugSession, text: string): ShownValue {
  try {
    return shown(of.evaluate(text), 2);
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return { name: text, type: '', text: error.message.split('\n')[0]!, parts: [] };
  }
}

/** Images, and in launches of two dimensions what holds an element a work-item. */
function pictures(of: DebugSession, given: readonly DebugValue[]): DebugView['pictures'] {
  const [width = 0, height = 0] = of.range.globalSize;
  return given.flatMap(({ name, text, count }) => {
    const isImage = text.startsWith('image of ');
    if (!isImage && (height < 2 || count !== width * height || count > mostPixels)) return [];
    try {
      const picture = of.picture(name, { width });
      if (picture.width * picture.height > mostPixels) return [];
      return [{ name, picture: { ...picture, data: new Uint8Array(picture.data) } }];
    } catch (error) {
      // Elements that are no pixels.
      if (!(error instanceof ExpressionError)) throw error;
      return [];
    }
  });
}
