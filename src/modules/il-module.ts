/** A program in AMD IL as a module: its binary, and one function that launches it with resources by their names. */
import { type BuildIlResult, buildIl, type ElementFormat, elementBytes } from 'millrace/examine-il';
import { moduleDiagnostic, plainDiagnostic } from './diagnostic.ts';
import { moduleName } from './module-name.ts';
import type { ModuleTexts } from './opencl-module.ts';
import type { ModuleOptions } from './request.ts';

type Parameters = NonNullable<BuildIlResult['program']>['parameters'];

const none = { code: undefined, declared: undefined };

export function ilModule(name: string, text: string, options: ModuleOptions): ModuleTexts {
  const refused = (problem: string): ModuleTexts => ({
    ...none,
    diagnostics: [plainDiagnostic('error', problem, name)],
  });
  if (options.load) return refused("'load' is not for AMD IL");
  if (options.drivers) return refused("'drivers' is not for AMD IL, which millrace/cal runs on them");
  const formats: Record<'i' | 'o', Map<number, ElementFormat>> = { i: new Map(), o: new Map() };
  for (const [symbol, word] of Object.entries(options.formats ?? {})) {
    const format = formatOf(word);
    if (!format) return refused(`${symbol}=${word}: a format is written float32x4, unorm8x4, int32x1, ...`);
    formats[symbol[0] as 'i' | 'o'].set(Number(symbol.slice(1)), format);
  }
  const { binary, program, diagnostics } = buildIl(text, {
    name,
    bindings: { inputs: formats.i, outputs: formats.o },
  });
  const said = diagnostics.map(moduleDiagnostic);
  if (!binary || !program) return { ...none, diagnostics: said };
  const { parameters, groupSize } = program;
  const file = moduleName(name);
  const bytes = Object.fromEntries(
    (['i', 'o'] as const).flatMap((kind) =>
      [...formats[kind]].map(([index, format]): [string, number] => [
        `${kind}${index}`,
        elementBytes(format),
      ]),
    ),
  );
  const words = [`name: ${JSON.stringify(file)}`];
  const { device, prefer, timeout } = options;
  if (device !== undefined)
    words.push(`device: ${JSON.stringify(device === 'webgpu' ? device : { id: device })}`);
  if (prefer !== undefined) words.push(`prefer: '${prefer}'`);
  if (timeout !== undefined) words.push(`timeout: ${timeout}`);
  const how = JSON.stringify({ parameters, groupSize, elementBytes: bytes });
  const code = `// Made by Millrace from ${file}.
import { ilKernel } from 'millrace/il-kernel';
import { loadProgram } from 'millrace/kernels';

export const program = await loadProgram('${Buffer.from(binary).toString('base64')}', { ${words.join(', ')} });
export const main = ilKernel(program, ${how});
`;
  const launch = groupSize ? 'IlGroups' : 'IlDomain';
  return {
    code,
    declared: {
      head: `// Made by Millrace from ${file}.
import type { ${launch}, IlKernel, IlMemory, IlResource } from 'millrace/il-kernel';
import type { Program } from 'millrace/kernels';
`,
      exported: [
        {
          comment: 'The program: its device, `program.buffer`, `program.finish`.',
          name: 'program',
          type: 'Program',
          span: undefined,
        },
        {
          comment: groupSize
            ? `A compute program, in groups of ${groupSize.join(' x ')}.`
            : 'A pixel program, which runs for each position of the domain.',
          name: 'main',
          type: `IlKernel<${launch}, { ${resourceTypes(parameters).join('; ')} }>`,
          span: undefined,
        },
      ],
    },
    diagnostics: said,
  };
}

function resourceTypes(parameters: Parameters): string[] {
  return parameters.flatMap((parameter) => {
    switch (parameter.kind) {
      case 'constants':
        return [`readonly cb${parameter.index}: IlMemory`];
      case 'input':
        return [`readonly i${parameter.index}: IlResource`];
      case 'output':
        return [`readonly o${parameter.index}: IlResource`];
      case 'global':
        return ['readonly g: IlMemory'];
      case 'uav':
        return [`readonly uav${parameter.index}: IlMemory`];
      default:
        return [];
    }
  });
}

const types = new Set(
  'unorm8 snorm8 unorm16 snorm16 uint8 sint8 uint16 sint16 float16 float32 int32 float64 unorm565 unorm555 unorm101010'.split(
    ' ',
  ),
);

/** A format as a query writes it: the type of a component, and how many there are. */
function formatOf(word: string): ElementFormat | undefined {
  const [, type, count] = /^([a-z]+\d+)x([1-4])$/.exec(word) ?? [];
  if (type === undefined || !types.has(type)) return undefined;
  return { type: type as ElementFormat['type'], components: Number(count) as ElementFormat['components'] };
}
