/**
 * Runs a document with every access to memory by kernels checked. The checking device takes the place of all others in its thread:
 * hence one of its own, for each check.
 */
import { type CheckReport, startChecking } from 'millrace';
import { type Document, runKindOf } from '../document.ts';
import type { TaskStep } from '../run/messages.ts';
import type { RunOutcome } from '../run/outcome.ts';
import type { CheckReply, Finding } from './messages.ts';

/** Never throws. */
export async function checkDocument(document: Document, tell: (step: TaskStep) => void): Promise<CheckReply> {
  const findings: Finding[] = [];
  const report = (found: CheckReport, text: string) =>
    findings.push({ kind: found.kind, line: lineOf(found, document), text });
  const outcome = await runChecked(document, report, (soFar) => {
    if (soFar.kind === 'running') tell({ text: soFar.text, done: soFar.fraction });
  });
  switch (outcome.kind) {
    case 'kernel':
      return { findings, ended: '', printed: outcome.printed };
    case 'study': {
      const wrong = outcome.runs.filter(({ check }) => !check.ok).map(({ kernel }) => kernel);
      const ended = wrong.length > 0 ? `Not right: ${wrong.join(', ')}.` : '';
      return { findings, ended, printed: '' };
    }
    case 'program': {
      const { stopped, exitCode } = outcome;
      if (stopped) {
        const place = stopped.functions.length > 0 ? `, in ${stopped.functions[0]}` : '';
        const text = `The program was stopped: ${stopped.reason}${place}.`;
        findings.push({ kind: 'stopped', line: undefined, text });
      }
      const ended = `The program ended with exit code ${exitCode}.`;
      return { findings, ended, printed: outcome.text };
    }
    case 'failed':
      // What was stopped may have been found wrong before.
      return findings.length > 0
        ? { findings, ended: outcome.message, printed: '' }
        : { failure: outcome.log ?? outcome.message };
    default:
      return { failure: 'It did not run.' };
  }
}

async function runChecked(
  document: Document,
  report: (found: CheckReport, text: string) => void,
  show: (soFar: RunOutcome) => void,
): Promise<RunOutcome> {
  const kind = runKindOf(document);
  if (kind === 'program') {
    // It has a thread of its own, and the checker there.
    const { runProgram } = await import('../run/run-program.ts');
    return runProgram(document, show, (found) => report(found, found.text));
  }
  startChecking({ report: (found) => report(found, found.text()) });
  if (kind === 'study') {
    const { runStudy } = await import('../run/run-study.ts');
    return runStudy(document, show);
  }
  if (document.language === 'il') {
    const { runIl } = await import('../run/run-il.ts');
    return runIl(document);
  }
  const { runKernel } = await import('../run/run-kernel.ts');
  return runKernel(document);
}

/** The line in the document: kernels of programs are texts in these, or are made of Brook+. */
function lineOf({ place }: CheckReport, document: Document): number | undefined {
  const isDocument = runKindOf(document) !== 'program' && document.language !== 'brook';
  return isDocument ? place?.line : undefined;
}
