/** Which files are programs, by their names. */
import { isCxxSource } from './cxx/words.ts';
import { UsageError } from './errors.ts';

/** Whether a file is one in C by its name, or one of Brook+. */
export function isCSource(file: string | undefined): boolean {
  return file !== undefined && /\.(?:c|br)$/.test(file);
}

/** Whether a file is a program by its name: a source of one, or one that is compiled. */
export function isProgramFile(file: string | undefined): boolean {
  return file?.endsWith('.wasm') === true || isCSource(file) || isCxxSource(file);
}

/** @throws UsageError for a file in C++, which ours is no compiler of */
export function refuseCPlusPlus(file: string): void {
  if (!isCxxSource(file)) return;
  throw new UsageError(
    `${file} is a program in C++: millrace run ${file} runs it, millrace c++ ${file} -o FILE.wasm compiles it`,
  );
}
