/**
 * What clang says to a kernel: a file that it refuses is no fault of ours. Its verdicts can be kept in a file, since
 * asking takes longer than compiling here.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { toolNames } from '../../test/support/find-tool.ts';
import { type KernelFile, optionWords } from './kernel-files.ts';

/** OpenCL C 1.2 with clang's own declarations of the built-in functions, only checked. */
const clangArguments = [
  '-cl-std=CL1.2',
  '-Xclang',
  '-finclude-default-header',
  '-fsyntax-only',
  '-target',
  'spir64',
  '-w',
  '-x',
  'cl',
];

export class ClangJudge {
  readonly #path: string | undefined;
  readonly #known: Record<string, string>;

  /** @param path the file of kept verdicts, read now and written by {@link save} */
  constructor(path?: string) {
    this.#path = path;
    this.#known =
      path !== undefined && existsSync(path)
        ? (JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>)
        : {};
  }

  /** Clang's first error, or '' if it accepts the file. Throws if there is no clang. */
  async firstError(file: KernelFile): Promise<string> {
    const key = createHash('sha1')
      .update(`${file.name}\n${file.options}\n${file.source}`)
      .digest('base64url');
    this.#known[key] ??= await ask(file);
    return this.#known[key];
  }

  save(): void {
    if (this.#path !== undefined) writeFileSync(this.#path, JSON.stringify(this.#known));
  }
}

function ask(file: KernelFile): Promise<string> {
  const paths = file.searchFolders.flatMap((folder) => ['-I', folder]);
  const words = [...clangArguments, ...clangOptions(file.options), ...paths, '-'];
  return new Promise((resolve, reject) => {
    const clang = spawn(toolNames('clang')[0] ?? 'clang', words, {
      cwd: file.root,
      stdio: ['pipe', 'ignore', 'pipe'],
    });
    let said = '';
    clang.stderr.setEncoding('latin1');
    clang.stderr.on('data', (text: string) => {
      said += text;
    });
    clang.on('error', reject);
    clang.on('close', (status) => {
      const error = said.split('\n').find((line) => line.includes('error:'));
      resolve(status === 0 ? '' : (error ?? `clang ended with ${status}`));
    });
    // It may have found enough errors before it has read everything.
    clang.stdin.on('error', () => {});
    clang.stdin.end(file.source);
  });
}

/** The options without those that choose a version: the judge's question is OpenCL C 1.2. */
function clangOptions(options: string): string[] {
  return optionWords(options).filter((word) => !word.startsWith('-cl-std='));
}
