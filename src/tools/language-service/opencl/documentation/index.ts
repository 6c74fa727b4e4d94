/** Texts about the built-in functions of OpenCL C, in our own words; what their forms are comes from the compiler's table. */
import { type Documented, documented } from './entry.ts';
import { mathLines } from './math.ts';
import { memoryLines } from './memory.ts';
import { objectLines } from './objects.ts';

export type { Documented } from './entry.ts';

let all: Map<string, Documented> | undefined;

const conversion = /^convert_([a-z]+)(\d*)(_sat)?(?:_(rte|rtz|rtp|rtn))?$/;
const roundings: Readonly<Record<string, string>> = {
  rte: 'to nearest, ties to even',
  rtz: 'towards zero',
  rtp: 'upwards',
  rtn: 'downwards',
};

/** What there is to say of a built-in function. */
export function documentationOf(name: string): Documented | undefined {
  all ??= documented([...mathLines, ...memoryLines, ...objectLines]);
  const known = all.get(name);
  if (known) return known;
  if (name.startsWith('as_')) {
    const text = `The same bytes as a \`${name.slice(3)}\`. The sizes must be equal; three components count as four.`;
    return { parameters: ['x'], text };
  }
  const match = conversion.exec(name);
  if (!match) return undefined;
  const held = match[3] ? ' Values outside its range become the nearest that it has.' : '';
  const rounded = match[4] ? ` Rounded ${roundings[match[4]]}.` : '';
  return { parameters: ['x'], text: `The value as a \`${match[1]}${match[2]}\`.${held}${rounded}` };
}
