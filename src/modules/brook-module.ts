/** A .br file as a module: what `millrace brcc` makes of it. Its kernels are compiled when they are called. */
import type { FileSystem } from 'millrace';
import { brcc } from 'millrace/brook';
import { moduleDiagnostic, plainDiagnostic } from './diagnostic.ts';
import type { ModuleTexts } from './opencl-module.ts';
import type { ModuleOptions } from './request.ts';

export function brookModule(
  name: string,
  text: string,
  { options = '', ...rest }: ModuleOptions,
  files: FileSystem,
): ModuleTexts & { readonly log: string } {
  const none = { code: undefined, declared: undefined };
  const refused = (problem: string) => {
    const diagnostic = plainDiagnostic('error', problem, name);
    return { ...none, diagnostics: [diagnostic], log: `${diagnostic.text}\n` };
  };
  const [unfit] = (['device', 'prefer', 'timeout', 'load', 'formats'] as const).filter((key) => rest[key]);
  if (unfit !== undefined)
    return refused(`'${unfit}' is not for Brook+: useDevices of millrace/brook says where its kernels run`);
  const words = options.split(/\s+/).filter((word) => word !== '');
  const definitions: string[] = [];
  const includePaths: string[] = [];
  for (let index = 0; index < words.length; index += 1) {
    const [, option, value] = /^(-D|-I)(.*)$/.exec(words[index]!) ?? [];
    if (option === undefined)
      return refused(`the option '${words[index]}' is not for Brook+: only -D and -I are`);
    (option === '-D' ? definitions : includePaths).push(value || (words[++index] ?? ''));
  }
  const { script, declarations, exports, diagnostics, log } = brcc(name, text, {
    files,
    definitions,
    includePaths,
  });
  // The kernels come last.
  const head = declarations?.split(/\n(?=\/\*\* `)/)[0];
  return {
    code: script,
    declared:
      head === undefined
        ? undefined
        : {
            head,
            exported: exports.map(({ signature, exported, type, span }) => ({
              comment: signature,
              name: exported,
              type,
              span,
            })),
          },
    diagnostics: diagnostics.map(moduleDiagnostic),
    log,
  };
}
