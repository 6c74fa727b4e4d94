/** The compiler on a thread of its own: looks at the source while it is written, prints what it becomes. */
import type { KernelOccupancy } from 'millrace/analyze';
import { type Diagnostic, examine } from 'millrace/examine';
import { endings } from '../document.ts';
import { sampleHeaders } from '../run/headers.ts';
import type { Examined, Remark, Reply, Request } from './messages.ts';

addEventListener('message', ({ data }: MessageEvent<Request>) => {
  const { id } = data;
  const answer = (reply: Reply) => postMessage(reply);
  // One that throws has met a mistake of the compiler's: it is told as any other.
  work(data).then(answer, (error: unknown) =>
    answer({ id, failure: error instanceof Error ? error.message : String(error) }),
  );
});

async function work(request: Request): Promise<Reply> {
  const { id } = request;
  if (request.ask === 'listing') return listing(request);
  if (request.ask === 'analysis') return analysis(request);
  if (request.ask === 'completions' || request.ask === 'hover' || request.ask === 'explanation')
    return languageAnswer(request);
  return { id, examined: await examineAs(request) };
}

async function languageAnswer(
  request: Extract<Request, { ask: 'completions' | 'hover' | 'explanation' }>,
): Promise<Reply> {
  const { completionsAt, explain, hoverAt } = await import('./language-answers.ts');
  const { id, language, source, options } = request;
  switch (request.ask) {
    case 'completions':
      return { id, completions: completionsAt(language, source, options, request.offset) };
    case 'hover':
      return { id, hover: hoverAt(language, source, options, request.offset) };
    case 'explanation':
      return { id, explanation: explain(language, source, options, request.name) };
  }
}

async function listing(request: Extract<Request, { ask: 'listing' }>): Promise<Reply> {
  const { id, language, source, options, stage } = request;
  // Most never look.
  const { inspect } = await import('millrace');
  const { output, log } = inspect(source, {
    name: `kernel${endings[language]}`,
    language: language === 'il' ? 'il' : 'opencl',
    buildOptions: options,
    emit: stage,
  });
  return { id, listing: typeof output === 'string' ? output : log };
}

async function analysis(request: Extract<Request, { ask: 'analysis' }>): Promise<Reply> {
  const { analyze, occupancyOf } = await import('millrace/analyze');
  const { id, language, source, options, width, height, args } = request;
  const name = `kernel${endings[language]}`;
  const found = analyze(source, { name, buildOptions: options, width, height, args });
  const occupancies = found.kernels.flatMap((kernel): [string, KernelOccupancy][] => {
    const occupancy = occupancyOf(kernel);
    return occupancy ? [[kernel.name, occupancy]] : [];
  });
  return { id, analysis: found, occupancies: new Map(occupancies) };
}

/** What reads a language is loaded when a document is in it; OpenCL C is what most are in. */
async function examineAs(request: Extract<Request, { ask: 'examine' }>): Promise<Examined> {
  const { language, source, options, isStudy } = request;
  const name = `main${endings[language]}`;
  const remarks = (diagnostics: readonly Diagnostic[]) =>
    diagnostics.flatMap((diagnostic) => remarksOf(diagnostic, name));
  if (language === 'opencl') {
    const { diagnostics, kernels } = examine(source, { name, buildOptions: options });
    return {
      remarks: remarks(diagnostics),
      kernels: kernels.map(({ name: kernel, parameters }) => ({ name: kernel, parameters })),
    };
  }
  if (language === 'il') {
    const { examineIl } = await import('millrace/examine-il');
    const { diagnostics, kernels, shader } = examineIl(source, { name });
    // Outputs of pixel programs are made as large as the domain.
    const isAsked = (parameter: string) => shader !== 'ps' || !/^o\d/.test(parameter);
    return {
      remarks: remarks(diagnostics),
      kernels: kernels.map(({ name: kernel, parameters }) => ({
        name: kernel,
        parameters: parameters.filter((parameter) => isAsked(parameter.name)),
      })),
    };
  }
  if (language === 'brook' && isStudy) {
    const { examineBrook } = await import('millrace/examine-brook');
    return { remarks: remarks(examineBrook(source, { name })), kernels: [] };
  }
  const { compileHost } = await import('millrace/c-host');
  const { diagnostics } = compileHost([{ name, text: source }], { files: sampleHeaders });
  return { remarks: remarks(diagnostics), kernels: [] };
}

function remarksOf({ severity, message, span, notes }: Diagnostic, name: string): Remark[] {
  const all = [{ severity, message, span }, ...notes.map((note) => ({ severity: 'note' as const, ...note }))];
  return all.map(({ severity: kind, message: text, span: { file, start, end } }) =>
    file.name === name
      ? { severity: kind, message: text, start, end }
      : { severity: kind, message: text, start: 0, end: 0 },
  );
}
