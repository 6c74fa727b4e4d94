/** Runs a launch on the checking device, which is for a whole thread: hence one of its own, for each check. */
import { startChecking } from 'millrace';
import { addFile } from '../run/files.ts';
import { runKernel } from '../run/run-kernel.ts';
import type { CheckReply, CheckRequest, Finding } from './messages.ts';

addEventListener('message', ({ data }: MessageEvent<CheckRequest>) => {
  void check(data).then((reply) => postMessage(reply));
});

async function check({ document, files }: CheckRequest): Promise<CheckReply> {
  const findings: Finding[] = [];
  startChecking({
    report: (found) => findings.push({ kind: found.kind, line: found.place?.line, text: found.text() }),
  });
  for (const [name, blob] of files) await addFile(name, blob);
  const outcome = await runKernel(document);
  if (outcome.kind === 'kernel') return { findings, milliseconds: outcome.milliseconds };
  // A launch that was stopped may have been found wrong before.
  if (findings.length > 0) return { findings, milliseconds: 0 };
  return { failure: outcome.kind === 'failed' ? (outcome.log ?? outcome.message) : 'It did not run.' };
}
