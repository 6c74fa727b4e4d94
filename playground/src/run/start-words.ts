/** What a program is started with, as a shell has it: `NAME=VALUE` in front are its environment, the rest its arguments. */

export interface StartWords {
  readonly env: Readonly<Record<string, string>>;
  readonly args: readonly string[];
}

const variable = /^[A-Za-z_]\w*=/;
/** A word: characters, and parts in quotes. */
const word = /(?:[^\s'"]|'[^']*'|"[^"]*")+/g;

export function readStartWords(text: string): StartWords {
  const words = (text.match(word) ?? []).map((one) =>
    one.replace(/'([^']*)'|"([^"]*)"/g, (_, single?: string, double?: string) => single ?? double ?? ''),
  );
  const first = words.findIndex((one) => !variable.test(one));
  const count = first < 0 ? words.length : first;
  const env = words.slice(0, count).map((one): [string, string] => {
    const equals = one.indexOf('=');
    return [one.slice(0, equals), one.slice(equals + 1)];
  });
  return { env: Object.fromEntries(env), args: words.slice(count) };
}
