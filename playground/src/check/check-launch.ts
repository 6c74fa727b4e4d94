/** Runs a launch on the checking device, which is for a whole thread: hence one of its own, for each check. */
import { startChecking } from 'millrace';
import type { Document } from '../document.ts';
import { runKernel } from '../run/run-kernel.ts';
import type { CheckReply, Finding } from './messages.ts';

export async function checkLaunch(document: Document): Promise<CheckReply> {
  const findings: Finding[] = [];
  startChecking({
    report: (found) => findings.push({ kind: found.kind, line: found.place?.line, text: found.text() }),
  });
  const outcome = await runKernel(document);
  if (outcome.kind === 'kernel') return { findings, milliseconds: outcome.milliseconds };
  // A launch that was stopped may have been found wrong before.
  if (findings.length > 0) return { findings, milliseconds: 0 };
  return { failure: outcome.kind === 'failed' ? (outcome.log ?? outcome.message) : 'It did not run.' };
}
