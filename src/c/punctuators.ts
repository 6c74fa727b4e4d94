/**
 * The punctuators of C99 (6.4.6) by their characters: the longest one at a place, and its one string.
 */

const spellings = [
  '[',
  ']',
  '(',
  ')',
  '{',
  '}',
  '.',
  '->',
  '++',
  '--',
  '&',
  '*',
  '+',
  '-',
  '~',
  '!',
  '/',
  '%',
  '<<',
  '>>',
  '<',
  '>',
  '<=',
  '>=',
  '==',
  '!=',
  '^',
  '|',
  '&&',
  '||',
  '?',
  ':',
  ';',
  '...',
  '=',
  '*=',
  '/=',
  '%=',
  '+=',
  '-=',
  '<<=',
  '>>=',
  '&=',
  '^=',
  '|=',
  ',',
  '#',
  '##',
];

/** digraphs and the punctuators they mean */
const digraphs: readonly (readonly [string, string])[] = [
  ['<:', '['],
  [':>', ']'],
  ['<%', '{'],
  ['%>', '}'],
  ['%:', '#'],
  ['%:%:', '##'],
];

export interface Punctuator {
  readonly spelling: string;
  /** what it means: the spelling, unless that is a digraph */
  readonly text: string;
}

/** by first character: every punctuator that begins with it, longest first */
const byFirst: Punctuator[][] = Array.from({ length: 128 }, () => []);
for (const [spelling, text] of [...spellings.map((spelling) => [spelling, spelling] as const), ...digraphs]) {
  byFirst[spelling.charCodeAt(0)]?.push({ spelling, text });
}
for (const candidates of byFirst) candidates.sort((a, b) => b.spelling.length - a.spelling.length);

/** by character: 1 if it is the second of some punctuator */
const isSecond = new Uint8Array(128);
/** by first character: the punctuator that is this character alone */
const alone: (Punctuator | undefined)[] = [];
for (const candidates of byFirst) {
  alone.push(candidates.find(({ spelling }) => spelling.length === 1));
  for (const { spelling } of candidates) if (spelling.length > 1) isSecond[spelling.charCodeAt(1)] = 1;
}

/** The longest punctuator at `position`, if one begins there. */
export function punctuatorAt(text: string, position: number): Punctuator | undefined {
  const code = text.charCodeAt(position);
  if (code >= 128) return undefined;
  const second = position + 1 < text.length ? text.charCodeAt(position + 1) : 0;
  if (second >= 128 || isSecond[second] === 0) return alone[code];
  const candidates = byFirst[code] as Punctuator[];
  for (let index = 0; index < candidates.length; index += 1) {
    const candidate = candidates[index] as Punctuator;
    if (candidate.spelling.length === 1 || text.startsWith(candidate.spelling, position)) return candidate;
  }
  return undefined;
}
