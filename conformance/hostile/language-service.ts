/** Texts being typed: every question that an editor asks, at random places. */
import {
  type Reading,
  readText,
  type TextLanguage,
  type TextRange,
} from '../../src/tools/language-service/index.ts';
import type { Random } from '../../test/support/random.ts';
import { type HostileKind, hostileText, textsUnder } from './kind.ts';

export function languageServiceKind(): HostileKind {
  const corpora: Readonly<Record<TextLanguage, readonly string[]>> = {
    opencl: [...textsUnder('samples', '.cl'), ...textsUnder('test', '.cl')],
    brook: textsUnder('samples', '.br'),
    il: ['il_ps_2_0\ndcl_literal l0, 1.0, 2.0, 0x3f, 4.0\ndcl_cb cb0[4]\nmov g[r0.x], cb0[r1.x+1]\nend\n'],
  };
  const languages = Object.keys(corpora) as TextLanguage[];
  return {
    originals: Object.values(corpora).flat().length,
    make: (random) => {
      const language = random.pick(languages);
      return `${language}\n${hostileText(corpora[language], [], random)}`;
    },
    run: (input, random) => {
      const [language = '', ...lines] = String(input).split('\n');
      const text = lines.join('\n');
      const reading = readText(language as TextLanguage, text);
      askAbout(reading, text, random);
      return reading.diagnostics().length > 0 ? 'read with diagnostics' : 'read';
    },
  };
}

/**
 * Asks every question, those about a place at six random ones.
 * @throws Error if an answer lies outside of the text, or a name is more than one
 */
export function askAbout(reading: Reading, text: string, random: Random): void {
  const within = ({ start, end }: TextRange): void => {
    if (start < 0 || end < start || end > text.length)
      throw new Error(`[${start}, ${end}) of ${text.length}`);
  };
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
