// Stands in for conformance/fuzz/child.ts: the seed says what becomes of a kernel.
const verdicts = {
  1: { status: 'passed' },
  2: { status: 'failed', reason: 'argument 0 differs' },
  3: { status: 'skipped', reason: 'no launch means one thing only' },
};
process.on('message', ({ seed }) => {
  if (seed === 4) for (;;);
  if (seed === 5) process.kill(process.pid, 'SIGSEGV');
  if (seed === 6) process.exit(3);
  if (!verdicts[seed]) return;
  process.send({ what: 'verdict', verdict: verdicts[seed] });
  if (seed === 2) process.send({ what: 'report', text: 'the report' });
});
process.send({ what: 'ready' });
