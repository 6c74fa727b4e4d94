/**
 * The subcommands, in the order of the help. What the help needs of them stands here, so that a call loads the module of one command or
 * of none; all else is in that module, under commands/.
 */
import type { Command } from 'commander';

/** Declares arguments, options and action of a command that has its name and its description. */
type Declare = (command: Command) => void;

/** A subcommand before its module is loaded. */
export interface CommandEntry {
  readonly name: string;
  /** What follows the name in the list of commands; test/cli/lazy-commands.test.ts compares it with what the module declares. */
  readonly usage: string;
  readonly description: string;
  /** Loads its module. @param ofProgram in the form for programs, where it has two */
  load(ofProgram: boolean): Promise<Declare>;
}

export const commandTable: readonly CommandEntry[] = [
  {
    name: 'devices',
    usage: '[options]',
    description: 'list the devices that kernels can run on',
    load: async () => (await import('./commands/devices.ts')).devicesCommand,
  },
  {
    name: 'run',
    usage: '[options] <file>',
    description: 'run a kernel, or a program in C or Brook+',
    load: async (ofProgram) =>
      ofProgram
        ? (await import('./commands/run-program.ts')).runProgramCommand
        : (await import('./commands/run.ts')).runCommand,
  },
  {
    name: 'check',
    usage: '[options] <file>',
    description: 'run a kernel with every memory access checked: races, bounds, values never set',
    load: async () => (await import('./commands/check.ts')).checkCommand,
  },
  {
    name: 'debug',
    usage: '[options] [file...]',
    description: 'step through a launch, forwards and backwards: breakpoints, variables, memory',
    load: async () => (await import('./commands/debug.ts')).debugCommand,
  },
  {
    name: 'compile',
    usage: '[options] <files...>',
    description: 'check OpenCL C files, or print a stage of the compilation of one',
    load: async (ofProgram) =>
      ofProgram
        ? (await import('./commands/compile-program.ts')).compileProgramCommand
        : (await import('./commands/compile.ts')).compileCommand,
  },
  {
    name: 'build',
    usage: '[options] <files...>',
    description: 'make a program binary of OpenCL C files and libraries',
    load: async () => (await import('./commands/build.ts')).buildCommand,
  },
  {
    name: 'types',
    usage: '[options] <files...>',
    description: 'write TypeScript declarations of files with kernels (saxpy.d.cl.ts), with their maps',
    load: async () => (await import('./commands/types.ts')).typesCommand,
  },
  {
    name: 'brcc',
    usage: '[options] <file>',
    description: 'compile a Brook+ file: its kernels to a TypeScript module, or all of it to C++',
    load: async () => (await import('./commands/brcc.ts')).brccCommand,
  },
  {
    name: 'c++',
    usage: '[options] [words...]',
    description: 'compile a program in C++ with the clang that is installed',
    load: async () => (await import('./commands/cplusplus.ts')).cplusplusCommand,
  },
  {
    name: 'analyze',
    usage: '[options] <file>',
    description: "show what kernels would cost on AMD's R600 family: listing, estimates, advice",
    load: async () => (await import('./commands/analyze.ts')).analyzeCommand,
  },
  {
    name: 'profile',
    usage: '',
    description: 'look at traces of millrace run --profile, or compare two',
    load: async () => (await import('./commands/profile.ts')).profileCommand,
  },
  {
    name: 'cache',
    usage: '[action]',
    description: 'show or empty the cache of builds on the disk',
    load: async () => (await import('./commands/cache.ts')).cacheCommand,
  },
  {
    name: 'flags',
    usage: '[options]',
    description: 'print compiler flags for programs in C and C++ that use OpenCL',
    load: async () => (await import('./commands/flags.ts')).flagsCommand,
  },
  {
    name: 'lsp',
    usage: '[options]',
    description: 'speak the Language Server Protocol: diagnostics, hovers and completion in editors',
    load: async () => (await import('./commands/lsp.ts')).lspCommand,
  },
  {
    name: 'new',
    usage: '[options] <folder>',
    description: 'write a project to begin with into a new folder',
    load: async () => (await import('./commands/new.ts')).newCommand,
  },
];
