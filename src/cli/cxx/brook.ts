/** Sources in Brook+ of a program with others in C++. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { brcc } from 'millrace/brook';
import { sourceFiles } from '../commands/source.ts';
import { mostSourceBytes, readBytes, textOf } from '../files.ts';
import { type CxxWords, isBrook } from './words.ts';

/** The sources with what brcc makes of .br files in their place; undefined if one has errors, which were printed. */
export function brookAsCpp({ sources, compile }: CxxWords, folder: string): readonly string[] | undefined {
  const values = (option: string): string[] =>
    compile.flatMap((word, index) => {
      if (word === option) return compile[index + 1] ?? [];
      return word.startsWith(option) && word !== option ? word.slice(option.length) : [];
    });
  let isGood = true;
  const made = sources.map((source) => {
    if (!isBrook(source)) return source;
    const prefix = join(folder, basename(source, '.br'));
    const { cpp, log } = brcc(source, textOf(source, readBytes(source, mostSourceBytes)), {
      definitions: values('-D'),
      includePaths: values('-I'),
      files: sourceFiles(),
      lineDirectives: true,
      cpp: { prefix },
    });
    process.stderr.write(log);
    if (!cpp) {
      isGood = false;
      return source;
    }
    // As samples of Brook+ include what brcc wrote.
    mkdirSync(join(folder, 'brookgenfiles'), { recursive: true });
    const header = `${basename(prefix)}.h`;
    writeFileSync(join(folder, header), cpp.header);
    writeFileSync(join(folder, 'brookgenfiles', header), `#include "../${header}"\n`);
    writeFileSync(`${prefix}.cpp`, cpp.source);
    return `${prefix}.cpp`;
  });
  return isGood ? made : undefined;
}
