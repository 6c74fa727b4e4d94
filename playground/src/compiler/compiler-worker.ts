/** The compiler on a thread of its own: looks at the source while it is written, prints what it becomes. */
import { type Diagnostic, examine } from 'millrace/examine';
import { endings, type Language } from '../document.ts';
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
  const { id, source, options } = request;
  if (request.ask === 'listing') {
    // Most never look.
    const { inspect } = await import('millrace');
    const { output, log } = inspect(source, {
      name: 'kernel.cl',
      buildOptions: options,
      emit: request.stage,
    });
    return { id, listing: typeof output === 'string' ? output : log };
  }
  if (request.ask === 'analysis') return analysis(request);
  return { id, examined: await examineAs(request.language, source, options) };
}

async function analysis(request: Extract<Request, { ask: 'analysis' }>): Promise<Reply> {
  const { analyze, occupancySvg } = await import('millrace/analyze');
  const { id, source, options, width, height, args } = request;
  const found = analyze(source, { name: 'kernel.cl', buildOptions: options, width, height, args });
  const charts = found.kernels.map(({ name, chips }): [string, string] => {
    const program = chips.findLast((one) => one.program)?.program;
    return [name, program ? occupancySvg(program.registers, name) : ''];
  });
  return { id, analysis: found, charts: new Map(charts) };
}

async function examineAs(language: Language, source: string, options: string): Promise<Examined> {
  const name = `main${endings[language]}`;
  if (language === 'opencl') {
    const { diagnostics, kernels } = examine(source, { name, buildOptions: options });
    return {
      remarks: diagnostics.flatMap((diagnostic) => remarksOf(diagnostic, name)),
      kernels: kernels.map(({ name: kernel, parameters }) => ({ name: kernel, parameters })),
    };
  }
  const { compileHost } = await import('millrace/c-host');
  const { diagnostics } = compileHost([{ name, text: source }], {});
  return { remarks: diagnostics.flatMap((diagnostic) => remarksOf(diagnostic, name)), kernels: [] };
}

function remarksOf({ severity, message, span, notes }: Diagnostic, name: string): Remark[] {
  const all = [{ severity, message, span }, ...notes.map((note) => ({ severity: 'note' as const, ...note }))];
  return all.map(({ severity: kind, message: text, span: { file, start, end } }) =>
    file.name === name
      ? { severity: kind, message: text, start, end }
      : { severity: kind, message: text, start: 0, end: 0 },
  );
}
