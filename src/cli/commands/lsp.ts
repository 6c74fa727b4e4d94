/** `millrace lsp`: the language server, for editors. */
import type { Command } from 'commander';

/** Declares arguments, options and action of the subcommand. */
export function lspCommand(command: Command): void {
  command
    .option('--stdio', 'over standard input and output, which is the only way and the default')
    .addHelpText(
      'after',
      `
Editors start this command themselves; docs/language-server.md says how to set
up VS Code, Neovim, Helix and Emacs. Files: .cl (OpenCL C), .br (Brook+), .il
(AMD IL). Build options and folders of headers come from the editor's settings
or from a file millrace.json in a folder around the source:

  { "buildOptions": "-cl-std=CL2.0 -DN=16", "includePaths": ["include"] }`,
    )
    .action(async () => {
      // What it needs is loaded by nobody else.
      const { serve } = await import('../lsp/server.ts');
      serve();
    });
}
