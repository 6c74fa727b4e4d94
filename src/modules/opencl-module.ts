/** A file in OpenCL C as a module: its program as a binary, which is made here, and a function for each of its kernels. */
import { buildBinary, type FileSystem, type KernelParameter, type KernelSignature } from 'millrace';
import { examine } from 'millrace/examine';
import { ArgumentTypes, exportedName, isReserved } from './argument-type.ts';
import type { DeclarationTexts } from './declarations.ts';
import { type ModuleDiagnostic, moduleDiagnostic, plainDiagnostic } from './diagnostic.ts';
import { commentBefore } from './doc-comment.ts';
import { moduleName } from './module-name.ts';
import type { ModuleOptions } from './request.ts';

/** A module, or why there is none. */
export interface ModuleTexts {
  /** JavaScript; undefined if there were errors. */
  readonly code: string | undefined;
  readonly declared: DeclarationTexts | undefined;
  readonly diagnostics: readonly ModuleDiagnostic[];
  /** The diagnostics in another form than the usual one: brcc's. */
  readonly log?: string | undefined;
}

/** Millrace's own devices: their addresses have 32 bits. */
const own = new Set(['wasm', 'interpreter', 'webgpu', 'native']);

/**
 * Compiles a file.
 * @param isHot whether a development server may replace the module while the application runs
 */
export function openclModule(
  name: string,
  text: string,
  { options: buildOptions = '', ...options }: ModuleOptions,
  files: FileSystem,
  isHot: boolean,
): ModuleTexts {
  const { kernels, diagnostics: found } = examine(text, { name, buildOptions, files });
  const diagnostics = found.map(moduleDiagnostic);
  const none = { code: undefined, declared: undefined };
  if (diagnostics.some(({ severity }) => severity === 'error')) return { ...none, diagnostics };
  const needsDrivers = options.drivers ?? (options.device !== undefined && !own.has(options.device));
  const built = buildBinary([{ name, content: text }], {
    options: buildOptions,
    files,
    addressBits: needsDrivers ? undefined : 32,
  });
  if (!built.binary) {
    const errors = built.diagnostics.map(moduleDiagnostic);
    // Wrong build options have no place.
    if (errors.length === 0) errors.push(plainDiagnostic('error', built.log.trim(), name));
    return { ...none, diagnostics: errors };
  }
  const binary = Buffer.from(built.binary).toString('base64');
  const parts = { file: moduleName(name), kernels, binary, options };
  return {
    code: options.load ? loadCode(parts) : programCode(parts, isHot),
    declared: declarations(parts),
    diagnostics,
  };
}

interface Parts {
  readonly file: string;
  readonly kernels: readonly KernelSignature[];
  readonly binary: string;
  readonly options: ModuleOptions;
}

/** What loadProgram is given. */
function loadOptions({ file, options: { device, prefer, timeout } }: Parts): string {
  const words = [`name: ${JSON.stringify(file)}`];
  if (device !== undefined) words.push(`device: ${deviceWord(device)}`);
  if (prefer !== undefined) words.push(`prefer: '${prefer}'`);
  if (timeout !== undefined) words.push(`timeout: ${timeout}`);
  return words.join(', ');
}

/** A device by its id alone, which is all that is asked of one. */
function deviceWord(id: string): string {
  return id === 'webgpu' ? "'webgpu'" : `{ id: ${JSON.stringify(id)} }`;
}

function programCode(parts: Parts, isHot: boolean): string {
  const { file, binary, kernels } = parts;
  const loaded = `await loadProgram('${binary}', { ${loadOptions(parts)} })`;
  const lines = [`// Made by Millrace from ${file}.`, "import { loadProgram } from 'millrace/kernels';"];
  if (isHot) lines.push("import { hotProgram } from 'millrace/hot';");
  lines.push(
    '',
    `export const program = ${isHot ? `hotProgram(${loaded}, import.meta.hot)` : loaded};`,
    ...kernels.map(({ name }) => `export const ${exportedName(name)} = program.kernel('${name}');`),
  );
  // Where parameters have changed, those who call the kernels run anew.
  if (isHot)
    lines.push(
      '',
      'if (import.meta.hot)',
      '  import.meta.hot.accept((fresh) => {',
      '    if (fresh && fresh.program !== program) import.meta.hot.invalidate();',
      '  });',
    );
  return `${lines.join('\n')}\n`;
}

function loadCode(parts: Parts): string {
  const { file, binary, kernels } = parts;
  const list = kernels.map(({ name }) => `    ${exportedName(name)}: program.kernel('${name}'),\n`);
  return `// Made by Millrace from ${file}.
import { loadProgram } from 'millrace/kernels';

const binary = '${binary}';

export async function load(options) {
  const program = await loadProgram(binary, { ${loadOptions(parts)}, ...options });
  return {
    program,
${list.join('')}  };
}
`;
}

const programComment = 'The program: its device, `program.buffer`, `program.image`, `program.finish`.';

function declarations({ file, kernels, options }: Parts): DeclarationTexts {
  const types = new ArgumentTypes(kernels.flatMap(({ parameters }) => parameters));
  const declared = kernels.map((kernel) => {
    const parameters = kernel.parameters
      .map((parameter, index) => `${label(parameter, index)}: ${types.of(parameter)}`)
      .join(', ');
    return {
      comment: commentOf(kernel),
      name: exportedName(kernel.name),
      type: `Kernel<[${parameters}]>`,
      call: `(range: LaunchRange${parameters && ', '}${parameters}): Promise<LaunchTimes>`,
      span: kernel.span,
    };
  });
  const structs = types.structs();
  const program = { comment: programComment, name: 'program', type: 'Program', span: undefined };
  const others = options.load
    ? ['Kernel', 'ProgramOptions']
    : ['KernelParameter', 'LaunchRange', 'LaunchTimes'];
  const used =
    kernels.length === 0 ? ['Program', ...(options.load ? ['ProgramOptions'] : [])] : ['Program', ...others];
  const imports = [...types.imports, ...used].sort();
  const head = [
    `// Made by Millrace from ${file}.`,
    `import type { ${imports.join(', ')} } from 'millrace/kernels';`,
    '',
    ...structs,
  ].join('\n');
  if (!options.load) return { head, exported: [program, ...declared] };
  const members = declared.map(({ name, type }) => `readonly ${name}: ${type}`);
  return {
    head,
    exported: [
      {
        comment: 'Loads the program, on the device and with the other options that the caller gives.',
        name: 'load',
        type: `(options?: ProgramOptions) => Promise<{ ${['readonly program: Program', ...members].join('; ')} }>`,
        span: undefined,
      },
    ],
  };
}

function label({ name }: KernelParameter, index: number): string {
  if (!/^[A-Za-z_$][\w$]*$/.test(name)) return `argument${index}`;
  return name === 'range' || isReserved(name) ? `${name}_` : name;
}

/** The kernel's own comment, and how it is declared. */
function commentOf({ name, parameters, span }: KernelSignature): string {
  const written = parameters.map(({ kind, isConst, typeName, image, name: parameter }) => {
    const space = /^(?:global|constant|local)$/.test(kind) ? `${kind} ` : '';
    const access = image ? `${image.access} ` : '';
    const constant = isConst && kind !== 'constant' ? 'const ' : '';
    return `${space}${access}${constant}${typeName.replace(/\*$/, ' *')}${typeName.endsWith('*') ? '' : ' '}${parameter}`;
  });
  const signature = `\`kernel void ${name}(${written.join(', ')})\``;
  const comment = span && commentBefore(span);
  return comment === undefined ? signature : `${comment}\n\n${signature}`;
}
