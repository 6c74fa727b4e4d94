/**
 * Compiles and runs the samples of CAL in C in a process of its own, for cal.test.ts. What each wrote stands after a line with its
 * name. Arguments: their names.
 */
import { readFileSync, writeSync } from 'node:fs';
import { compileHost, runProgram } from '../../dist/c-host.js';

const [devices, ...names] = process.argv.slice(2);
const read = (path) => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
};

for (const name of names) {
  writeSync(1, `### ${name}\n`);
  const path = `samples/cal-${name}/${name}.c`;
  const program = compileHost([{ name: path, text: readFileSync(path, 'utf8') }], {
    files: { read },
    warningsAreErrors: true,
  });
  if (program.bytes) runProgram(program.bytes, { env: { MILLRACE_CAL_DEVICES: devices } });
  else writeSync(1, program.log);
}
process.exit();
