// Stands in for conformance/dialects/lost-child.ts in crashes.test.ts: `^` ends the process, `|` never ends, everything else lives.
const operators = (part) => {
  if (ArrayBuffer.isView(part) || typeof part !== 'object' || part === null) return [];
  return [...(part.kind === 'binary' ? [part.op] : []), ...Object.values(part).flatMap(operators)];
};
process.on('message', ({ program, pair }) => {
  const found = pair.device === 'bad' ? operators(program) : [];
  if (found.includes('^')) process.kill(process.pid, 'SIGSEGV');
  else if (!found.includes('|')) process.send('survived');
});
process.on('disconnect', () => process.exit());
process.send({ hello: 'here' });
