/**
 * Whatever is typed, the language service answers: damaged copies of the samples and of the tests' kernels are read, and every
 * question is asked at random places. Answers must lie in the text, and what is renamed must be the name that was asked about.
 */
import { describe, it } from 'vitest';
import { textsUnder } from '../../conformance/hostile/kind.ts';
import { askAbout } from '../../conformance/hostile/language-service.ts';
import { readText, type TextLanguage } from '../../src/tools/language-service/index.ts';
import { Random } from '../support/random.ts';
import { mutate } from './mutate.ts';

// MILLRACE_MUTATIONS and MILLRACE_SEED make longer runs of other texts.
const rounds = Number(process.env['MILLRACE_MUTATIONS'] ?? 100);
const seed = Number(process.env['MILLRACE_SEED'] ?? 1);

const il = [
  'il_ps_2_0\ndcl_literal l0, 1.0, 2.0, 0x3f, 4.0\ndcl_cb cb0[4]\nwhileloop\n  mad_ieee r0, l0, cb0[r1.x+1], r1\n  break_logicalnz r0.x\nendloop\nmov g[r0.x], r0\nend\n',
];
const corpora: Readonly<Record<TextLanguage, readonly string[]>> = {
  opencl: [...textsUnder('samples', '.cl'), ...textsUnder('test', '.cl')],
  brook: textsUnder('samples', '.br'),
  il,
};

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
          const reading = readText(language, text);
          reading.diagnostics();
          askAbout(reading, text, random);
        } catch (error) {
          throw new Error(`round ${round}: ${(error as Error).stack}\n--- text ---\n${text}`);
        }
      }
    });
  }
});
