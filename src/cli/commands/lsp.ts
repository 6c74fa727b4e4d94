/** `millrace lsp`: the language server, for editors. */
import { Command } from 'commander';

/** Builds the subcommand. */
export function lspCommand(): Command {
  return new Command('lsp')
    .description('speak the Language Server Protocol: diagnostics, hovers and completion in editors')
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
