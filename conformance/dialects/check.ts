/** One generated program in every language on every device: all must compute what JavaScript does (evaluate.ts). */
import type { Device } from 'millrace';
import { evaluateCommon } from './evaluate.ts';
import type { Language } from './languages.ts';
import { languages } from './languages.ts';
import { reduceCommon } from './reduce.ts';
import type { CommonProgram } from './tree.ts';

export interface Failure {
  readonly language: Language;
  readonly device: Device | undefined;
  readonly reason: string;
}

/** Every pair of a language and a device; some languages run on none. */
export function pairsOf(devices: readonly Device[]): [Language, Device | undefined][] {
  return languages.flatMap((language): [Language, Device | undefined][] =>
    language.runsOn
      ? devices.filter(language.runsOn).map((device) => [language, device])
      : [[language, undefined]],
  );
}

/** What goes wrong in one language on one device; undefined if nothing does. */
export async function faultIn(
  program: CommonProgram,
  language: Language,
  device: Device | undefined,
): Promise<string | undefined> {
  const expected = evaluateCommon(program);
  try {
    const found = await language.run(program, language.source(program), device);
    const wrong = expected.findIndex((value, item) => value !== found[item]);
    if (wrong < 0 && found.length === expected.length) return undefined;
    return `work-item ${wrong} is ${found[wrong]}, not ${expected[wrong]}`;
  } catch (error) {
    return (error as Error).message || String(error);
  }
}

export async function checkCommon(
  program: CommonProgram,
  devices: readonly Device[],
): Promise<Failure | undefined> {
  for (const [language, device] of pairsOf(devices)) {
    const reason = await faultIn(program, language, device);
    if (reason !== undefined) return { language, device, reason };
  }
  return undefined;
}

/** A failure in its smallest form, with what it needs to be seen again. */
export async function reportOf(
  program: CommonProgram,
  { language, device, reason }: Failure,
  milliseconds: number,
): Promise<string> {
  const kind = (text: string | undefined): string | undefined => text?.replaceAll(/-?\d+/g, '').slice(0, 60);
  const smallest =
    milliseconds > 0
      ? await reduceCommon(
          program,
          async (candidate) => kind(await faultIn(candidate, language, device)) === kind(reason),
          milliseconds,
        )
      : program;
  const why = smallest === program ? reason : await faultIn(smallest, language, device);
  const inputs = smallest.main.parameters.map(
    (name, index) => `// ${name}: ${smallest.inputs[index]!.join(', ')}`,
  );
  return [
    `${language.name}${device ? ` on ${device.id}` : ''}: ${why}`,
    `// ${language.file}; expected: ${evaluateCommon(smallest).join(', ')}`,
    ...inputs,
    language.source(smallest),
  ].join('\n');
}
