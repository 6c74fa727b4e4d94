/** Runs a program of Brook+ to its end on this thread, beside a device that copies the launch which is to be debugged. */
import { compileHost, MemoryFiles, runProgram, stoppedBy } from 'millrace/c-host';
import type { Document } from '../document.ts';
import { sampleHeaders } from '../run/headers.ts';
import { readStartWords } from '../run/start-words.ts';

const ignore = () => {};

/**
 * What it prints is not shown: that is what Run is for. Where it is stopped, the launch may have come before.
 * @throws Error with what the compiler says if the source has errors
 */
export function runBrookProgram({ source, options }: Document): void {
  const name = 'main.br';
  const { bytes, brook, log } = compileHost([{ name, text: source }], { files: sampleHeaders });
  if (!bytes) throw new Error(log);
  const { env, args } = readStartWords(options);
  const inMemory = { files: new MemoryFiles({}), stdout: ignore, stderr: ignore };
  try {
    runProgram(bytes, { args: [name, ...args], env, brook, inMemory });
  } catch (error) {
    if (!stoppedBy(error)) throw error;
  }
}
