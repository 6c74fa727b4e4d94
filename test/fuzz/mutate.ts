/** Damages sources the way people, editors and bad luck do: tokens and lines lost, doubled, swapped, replaced. */
import type { Random } from '../support/random.ts';

const dictionary = [
  ...'( ) { } [ ] ; , . -> + - * / % & | ^ ~ ! = == != < > <= >= << >> <<= ... ? : # ## \\ " \''.split(' '),
  ...'kernel __kernel global local constant private const volatile restrict struct union enum typedef'.split(
    ' ',
  ),
  ...'int uint float double float4 int16 uchar3 half bool void size_t image2d_t sampler_t event_t'.split(' '),
  ...'if else for while do switch case default break continue return goto sizeof static inline extern'.split(
    ' ',
  ),
  ...'barrier get_global_id get_local_id atomic_add sqrt pow convert_int4_sat as_float4 vload4 select'.split(
    ' ',
  ),
  ...'0 1 -1 0x7fffffff 4294967296 1e39f 0x1.8p3 1.0h 08 0xG \'ab\' "text" .xyzw .s0 .hi .lo .sF x'.split(
    ' ',
  ),
  '#define F(x) x F',
  '#if',
  '#endif',
  '#include "a.h"',
  '#pragma unroll',
  '__attribute__((aligned(3)))',
  '/*',
  '*/',
  '//',
  '\u00e9',
  '\0',
  '\\\n',
];

/** Cuts a text into words, numbers, single signs and runs of white space. */
function splitTokens(text: string): string[] {
  return text.match(/\w+|\s+|[^\w\s]/g) ?? [];
}

/** A damaged copy of `text`; `others` lend pieces. */
export function mutate(text: string, others: readonly string[], random: Random): string {
  const tokens = splitTokens(text);
  const times = 1 + random.below(random.below(4) === 0 ? 12 : 3);
  for (let time = 0; time < times; time++) {
    const at = random.below(tokens.length + 1);
    const length = 1 + random.below(random.below(5) === 0 ? 30 : 3);
    switch (random.below(8)) {
      case 0:
        tokens.splice(at, length);
        break;
      case 1:
        tokens.splice(at, 0, ...tokens.slice(at, at + length));
        break;
      case 2:
        tokens.splice(at, 1, ` ${random.pick(dictionary)} `);
        break;
      case 3:
        tokens.splice(at, 0, ` ${random.pick(dictionary)} `);
        break;
      case 4: {
        const other = random.below(tokens.length + 1);
        const moved = tokens.splice(at, length);
        tokens.splice(other, 0, ...moved);
        break;
      }
      case 5: {
        const donor = splitTokens(random.pick(others));
        const start = random.below(donor.length);
        tokens.splice(at, 0, ...donor.slice(start, start + length * 4));
        break;
      }
      case 6: {
        const token = tokens[at] ?? 'x';
        const index = random.below(token.length);
        const letter = String.fromCharCode(
          random.below(8) === 0 ? random.below(0x10000) : 32 + random.below(95),
        );
        tokens[at] = token.slice(0, index) + letter + token.slice(index + 1);
        break;
      }
      default: {
        const words = tokens.filter((token) => /^\w+$/.test(token));
        tokens[at] = words.length > 0 ? random.pick(words) : '';
      }
    }
  }
  if (random.below(20) === 0) return tokens.join('').slice(0, random.below(text.length));
  return tokens.join('');
}
