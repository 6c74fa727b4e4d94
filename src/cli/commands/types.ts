/** `millrace types`: the declarations of files with kernels as modules, and the maps that lead editors into the files. */
import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Command } from 'commander';
import { kernelModule, type ModuleOptions, readRequest, writeDeclarations } from 'millrace/modules';
import { FailureError, UsageError } from '../errors.ts';
import { mostSourceBytes, readBytes, reason, textOf } from '../files.ts';
import { buildOptionsText, collect } from './source.ts';

interface TypesOptions {
  readonly D?: readonly string[];
  readonly I?: readonly string[];
  readonly options?: string;
  readonly load?: true;
  readonly check?: true;
}

/** Declares arguments, options and action of the subcommand. */
export function typesCommand(command: Command): void {
  command
    .argument('<files...>', "OpenCL C, Brook+ or AMD IL; with a query, if one is imported: 'saxpy.cl?load'")
    .option('-D <name[=value]>', 'define a macro', collect)
    .option('-I <folder>', 'look for included files here too', collect)
    .option('--options <text>', "options as for clBuildProgram: '-cl-std=CL1.2'")
    .option('--load', 'of modules that export nothing but load: as the plugin with { load: true }')
    .option('--check', 'write nothing; exit code 1 if a file is not there as it would be written')
    .addHelpText(
      'after',
      `
TypeScript finds the types with "allowArbitraryExtensions": true. The plugins for
bundlers write them, too. See docs/modules.md.`,
    )
    .action(types);
}

function types(files: readonly string[], given: TypesOptions): void {
  const words = buildOptionsText(given);
  const defaults: ModuleOptions = { options: words === '' ? undefined : words, load: given.load };
  let failed = false;
  for (const file of files) {
    const request = readRequest(file, defaults);
    if (!request) throw new UsageError(`${file}: kernels are in files that end in .cl, .br or .il`);
    const text = textOf(request.path, readBytes(request.path, mostSourceBytes));
    const { declarations, log } = kernelModule(request, text);
    if (log !== '') process.stderr.write(log);
    if (declarations.size === 0) {
      failed = true;
      continue;
    }
    const shown = (path: string): string => relative(process.cwd(), path);
    if (given.check) {
      for (const [path, content] of declarations) {
        if (existsSync(path) && readFileSync(path, 'utf8') === content) continue;
        console.log(`${shown(path)}: ${existsSync(path) ? 'not up to date' : 'missing'}`);
        failed = true;
      }
      continue;
    }
    try {
      writeDeclarations(declarations);
    } catch (error) {
      throw new FailureError(`cannot write the declarations of ${file}: ${reason(error)}`);
    }
    console.log([...declarations.keys()].map(shown).join('\n'));
  }
  if (failed) process.exitCode = 1;
}
