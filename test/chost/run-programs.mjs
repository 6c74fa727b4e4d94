/**
 * Compiles and runs programs in C in a process of its own, for programs.test.ts: they write to standard output as they please. What
 * each wrote stands after a line with its number and is followed by its exit code. Arguments: the folder of the programs,
 * and a list of [sources, arguments] as JSON.
 */
import { readFileSync, writeSync } from 'node:fs';
import { compileHost, runProgram } from '../../dist/c-host.js';

const [folder, text] = process.argv.slice(2);
const read = (path) => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
};

JSON.parse(text).forEach(([sources, args], index) => {
  writeSync(1, `\n### ${index}\n`);
  const paths = sources.map((name) => `${folder}/${name}.c`);
  const program = compileHost(
    paths.map((name) => ({ name, text: readFileSync(name, 'utf8') })),
    { files: { read }, warningsAreErrors: true },
  );
  if (!program.bytes) {
    writeSync(1, program.log);
    return;
  }
  const code = runProgram(program.bytes, { args: [sources[0], ...args], folders: { '.': '.' } });
  writeSync(1, `\n### ended with ${code}\n`);
});
process.exit();
