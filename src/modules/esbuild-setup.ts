/** The plugin as esbuild takes it: its messages have the line that they are about, and all of them are told at once. */
import { resolve } from 'node:path';
import type { Message, PartialMessage, PluginBuild } from 'esbuild';
import type { ModuleDiagnostic } from './index.ts';
import { readRequest } from './index.ts';
import { makeModule } from './plugin.ts';
import type { PluginOptions } from './plugin-options.ts';

const filter = /\.(?:cl|br|il)$/;

export function esbuildSetup(build: PluginBuild, options: PluginOptions): void {
  // What the bundle's format is if nobody says.
  const { platform, format = platform === 'node' ? 'cjs' : 'iife', bundle } = build.initialOptions;
  build.onLoad({ filter }, ({ path, suffix }) => {
    const request = readRequest(path + suffix, options);
    if (!request) return undefined;
    const warnings: PartialMessage[] = [];
    const made = makeModule(request, options, false, (text) => warnings.push({ text }));
    const of = (severity: ModuleDiagnostic['severity']) =>
      made.diagnostics.filter((one) => one.severity === severity).map(messageOf);
    const errors: PartialMessage[] = of('error');
    if (errors.length === 0 && bundle && format !== 'esm' && / await loadProgram\(/.test(made.code ?? '')) {
      const load = path.endsWith('.cl') && !request.options.load;
      if (load || path.endsWith('.il'))
        errors.push({
          text: `a module with kernels awaits its program, which the format '${format}' cannot: set format: 'esm'${load ? `, or import '${path.replace(/^.*[\\/]/, './')}?load'` : ''}`,
        });
    }
    return {
      contents: made.code ?? '',
      loader: 'js',
      errors,
      warnings: [...warnings, ...of('warning')],
      watchFiles: [path, ...made.headers],
    };
  });
}

function messageOf({ message, file, line, column, length, lineText }: ModuleDiagnostic): PartialMessage {
  if (file === undefined) return { text: message };
  const bytes = (text: string): number => Buffer.byteLength(text);
  const location: Partial<NonNullable<Message['location']>> = {
    file: resolve(file),
    line,
    // In bytes.
    column: bytes(lineText.slice(0, column - 1)),
    length: bytes(lineText.slice(column - 1, column - 1 + length)),
    lineText,
  };
  return { text: message, location };
}
