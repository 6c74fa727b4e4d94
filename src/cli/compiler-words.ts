/**
 * What stands in everybody's makefiles for gcc and clang and changes nothing here: how much to optimise, what to warn of, which C it
 * is, what to link. Such words are taken without one of ours, so that a line for another compiler works as it is.
 */

/** `-Werror` alone is meant: it is our `--Werror`. */
const harmless =
  /^-(?:O(?:[0-3sgz]|fast)?|g\w*|W(?!error$).*|pthread|pedantic(?:-errors)?|ansi|std=(?:c|gnu|iso9899:)\d\w+|[lL].+|m(?:arch|tune)=.+)$/;

/** These stand also before a word of their own: `-L /usr/lib -l OpenCL`. */
const harmlessPair = /^-[lL]$/;

/**
 * The arguments of `millrace run` or `millrace compile` for a program in C without them.
 * @param isSource whether a word is the file of a source; in a run what follows the sources is the program's
 */
export function withoutCompilerWords(
  args: readonly string[],
  isSource: (word: string) => boolean,
): readonly string[] {
  const [command] = args;
  const first = args.findIndex(isSource);
  let end = args.length;
  if (command === 'run') {
    end = first;
    while (end < args.length && isSource(args[end]!)) end += 1;
  }
  const isHarmless = (word: string, at: number) =>
    harmless.test(word) || harmlessPair.test(word) || (at > 0 && harmlessPair.test(args[at - 1]!));
  const ours = args.slice(0, end).filter((word, at) => !isHarmless(word, at));
  return [...ours.map((word) => (word === '-Werror' ? '--Werror' : word)), ...args.slice(end)];
}
