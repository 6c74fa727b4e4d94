/**
 * Whatever is typed, the language service answers: damaged copies of the samples and of the tests' kernels are read, and every
 * question is asked at random places. Answers must lie in the text, and what is renamed must be the name that was asked about.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'vitest';
import {
  type Reading,
  readText,
  type TextLanguage,
  type TextRange,
} from '../../src/tools/language-service/index.ts';
import { Random } from '../support/random.ts';
import { mutate } from './mutate.ts';

// MILLRACE_MUTATIONS and MILLRACE_SEED make longer runs of other texts.
const rounds = Number(process.env['MILLRACE_MUTATIONS'] ?? 100);
const seed = Number(process.env['MILLRACE_SEED'] ?? 1);

function filesUnder(folder: string, ending: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.name.endsWith(ending))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
}

const il = [
  'il_ps_2_0\ndcl_literal l0, 1.0, 2.0, 0x3f, 4.0\ndcl_cb cb0[4]\nwhileloop\n  mad_ieee r0, l0, cb0[r1.x+1], r1\n  break_logicalnz r0.x\nendloop\nmov g[r0.x], r0\nend\n',
];
const corpora: Readonly<Record<TextLanguage, readonly string[]>> = {
  opencl: [...filesUnder('samples', '.cl'), ...filesUnder('test', '.cl')],
  brook: filesUnder('samples', '.br'),
  il,
};

function askEverything(reading: Reading, text: string, random: Random): void {
  // Asked a million times: `expect` would take longer than all answers.
  const within = ({ start, end }: TextRange): void => {
    if (start < 0 || end < start || end > text.length)
      throw new Error(`[${start}, ${end}) of ${text.length}`);
  };
  reading.diagnostics();
  for (let time = 0; time < 6; time += 1) {
    const offset = random.below(text.length + 1);
    const hover = reading.hover(offset);
    if (hover) within(hover);
    within(reading.completions(offset).range);
    reading.signatureHelp(offset);
    reading.definition(offset);
    const answer = reading.renameable(offset);
    if (!answer || 'refusal' in answer) continue;
    answer.ranges.forEach(within);
    const names = new Set(answer.ranges.map(({ start, end }) => text.slice(start, end)));
    if (names.size > 1) throw new Error(`one name: ${[...names].join(' and ')}`);
  }
  for (const symbol of reading.symbols()) within(symbol.range);
  reading.semanticTokens().forEach(within);
  reading.folding().forEach(within);
}

describe('the language service, of damaged texts', () => {
  for (const language of ['opencl', 'brook', 'il'] as const) {
    it(`in ${language} answers all the same`, { timeout: 3_600_000 }, () => {
      const corpus = corpora[language];
      const random = new Random(seed);
      for (let round = 0; round < rounds; round += 1) {
        const lines = random.pick(corpus).split('\n');
        const first = random.below(Math.max(1, lines.length - 40));
        const text = mutate(lines.slice(first, first + 60).join('\n'), corpus, random);
        try {
          askEverything(readText(language, text), text, random);
        } catch (error) {
          throw new Error(`round ${round}: ${(error as Error).stack}\n--- text ---\n${text}`);
        }
      }
    });
  }
});
