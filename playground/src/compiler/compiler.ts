/** The page's side of the compiler's worker, which is started with the first question. */
import type { Stage } from 'millrace';
import type { Document } from '../document.ts';
import { startWorker } from '../own-scripts.ts';
import compilerWorker from './compiler-worker.ts?worker&url';
import type { CompletionsAnswer, Examined, HoverAnswer, Reply, Request } from './messages.ts';

let worker: Worker | undefined;
let questions = 0;
const waiting = new Map<number, (reply: Reply) => void>();

function start(): Worker {
  const started = startWorker(compilerWorker);
  started.addEventListener('message', ({ data }: MessageEvent<Reply>) => {
    waiting.get(data.id)?.(data);
    waiting.delete(data.id);
  });
  // It could not be loaded, or ended: who waits is told, and the next question starts another.
  started.addEventListener('error', (event) => {
    worker = undefined;
    for (const [id, tell] of waiting)
      tell({ id, failure: event.message || 'the compiler could not be loaded' });
    waiting.clear();
  });
  return started;
}

type Question<T> = T extends unknown ? Omit<T, 'id'> : never;

function ask(question: Question<Request>): Promise<Reply> {
  worker ??= start();
  questions += 1;
  const id = questions;
  return new Promise((resolve) => {
    waiting.set(id, resolve);
    worker!.postMessage({ id, ...question });
  });
}

/** @throws Error if the compiler fails */
export async function examineDocument({ language, source, options, study }: Document): Promise<Examined> {
  const reply = await ask({
    ask: 'examine',
    language,
    source,
    options,
    isStudy: study !== '',
  });
  if ('failure' in reply) throw new Error(reply.failure);
  return (reply as Extract<Reply, { examined: unknown }>).examined;
}

/** What can stand at an offset of a source; nothing where the compiler fails. */
export async function completionsIn(document: Document, offset: number): Promise<CompletionsAnswer> {
  const { language, source, options } = document;
  const reply = await ask({ ask: 'completions', language, source, options, offset });
  return 'completions' in reply ? reply.completions : { from: offset, options: [] };
}

/** What the word at an offset is, if it is one and the compiler knows it. */
export async function hoverIn(document: Document, offset: number): Promise<HoverAnswer | undefined> {
  const { language, source, options } = document;
  const reply = await ask({ ask: 'hover', language, source, options, offset });
  return 'hover' in reply ? reply.hover : undefined;
}

/** What the language supplies under a name, in Markdown. */
export async function explanationIn(document: Document, name: string): Promise<string | undefined> {
  const { language, source, options } = document;
  const reply = await ask({ ask: 'explanation', language, source, options, name });
  return 'explanation' in reply ? reply.explanation : undefined;
}

export type AnalysisReply = Extract<Reply, { analysis: unknown }>;

/**
 * What a document's kernels would cost on the cards of another time, over a domain.
 * @throws Error if the analyzer fails
 */
export async function analyzeDocument(
  { language, source, options, launch }: Document,
  width: number,
  height: number,
): Promise<AnalysisReply> {
  const numbers = Object.entries(launch.args).map(([name, text]): [string, number] => [name, Number(text)]);
  const args = new Map(numbers.filter(([, value]) => Number.isFinite(value)));
  const reply = await ask({ ask: 'analysis', language, source, options, width, height, args });
  if ('failure' in reply) throw new Error(reply.failure);
  return reply as AnalysisReply;
}

/** What a kernel's source becomes at a stage, or the compiler's messages if it has errors. */
export async function listDocument({ language, source, options }: Document, stage: Stage): Promise<string> {
  const reply = await ask({ ask: 'listing', language, source, options, stage });
  if ('failure' in reply) return `error: ${reply.failure}\n`;
  return (reply as Extract<Reply, { listing: unknown }>).listing;
}
