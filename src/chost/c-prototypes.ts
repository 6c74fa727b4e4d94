/** What the headers of OpenCL and CAL say of each function: its result, and its parameters by type and name. */
import { headers } from '../hosted/embedded.ts';

export interface Prototype {
  readonly result: string;
  readonly parameters: readonly { readonly type: string; readonly name: string }[];
}

const declaring = /\bC(?:A)?L_FUNCTION\(\s*([^,()]+?)\s*,\s*(\w+)\s*\)\s*\(/g;

let known: ReadonlyMap<string, Prototype> | undefined;

/** The prototype of a function; undefined for one that no header declares. */
export function prototypeOf(name: string): Prototype | undefined {
  known ??= readPrototypes(Object.values(headers));
  return known.get(name);
}

function readPrototypes(texts: readonly string[]): ReadonlyMap<string, Prototype> {
  const found = new Map<string, Prototype>();
  for (const text of texts) {
    for (const match of text.matchAll(declaring)) {
      const [whole, result, name] = match as unknown as [string, string, string];
      const list = upToClosing(text, match.index + whole.length);
      found.set(name, { result, parameters: list.map(readParameter) });
    }
  }
  return found;
}

/** What stands between commas up to the parenthesis that closes; `start` is behind the one that opens. */
function upToClosing(text: string, start: number): string[] {
  const parts = [''];
  for (let at = start, depth = 0; at < text.length; at += 1) {
    const letter = text[at]!;
    if (letter === ')' && depth === 0) break;
    if (letter === '(') depth += 1;
    else if (letter === ')') depth -= 1;
    if (letter === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += letter;
  }
  const trimmed = parts.map((part) => part.replace(/\s+/g, ' ').trim());
  return trimmed.length === 1 && (trimmed[0] === 'void' || trimmed[0] === '') ? [] : trimmed;
}

function readParameter(text: string): Prototype['parameters'][number] {
  const callback = /\(\s*(?:\w+\s*)?\*\s*(\w+)\s*\)/.exec(text);
  if (callback) return { type: 'function *', name: callback[1]! };
  const [, type = text, name = '', brackets = ''] = /^(.*?)\s*(\w+)\s*((?:\[\w*\])*)$/.exec(text) ?? [];
  return { type: brackets === '' ? type : `${type} *`, name };
}
