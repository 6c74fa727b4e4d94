// The command that runs the samples of CAL.
import { calSamples, runCalSamples } from './cal.ts';

const names = process.argv.slice(2);
const unknown = names.find((name) => !(name in calSamples));
if (unknown !== undefined) {
  console.error(`there is no sample '${unknown}': ${Object.keys(calSamples).join(', ')}`);
  process.exitCode = 1;
} else {
  await runCalSamples(names, (line) => console.log(line));
}
