/** The extension for VS Code in its parts: grammars, what is above kernels, its manifest, and the file that it is installed from. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import oniguruma from 'vscode-oniguruma';
import textmate from 'vscode-textmate';
import { findCommand } from '../../editors/vscode/src/command.ts';
import {
  debugConfiguration,
  lensesIn,
  runnablesIn,
  splitWords,
  wordsFor,
} from '../../editors/vscode/src/kernels.ts';

const folder = 'editors/vscode';
interface Manifest {
  readonly version: string;
  readonly main: string;
  readonly contributes: {
    readonly languages: readonly { id: string; extensions: string[]; configuration: string }[];
    readonly grammars: readonly { language: string; scopeName: string; path: string }[];
    readonly commands: readonly { command: string }[];
    readonly debuggers: readonly {
      type: string;
      languages: string[];
      configurationAttributes: { launch: { properties: Record<string, unknown> } };
    }[];
    readonly breakpoints: readonly { language: string }[];
  };
}
const manifest = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')) as Manifest;

describe('grammars', () => {
  let registry: textmate.Registry;
  beforeAll(async () => {
    const wasm = createRequire(import.meta.url).resolve('vscode-oniguruma/release/onig.wasm');
    await oniguruma.loadWASM(readFileSync(wasm).buffer as ArrayBuffer);
    const { OnigScanner, OnigString } = oniguruma;
    registry = new textmate.Registry({
      onigLib: Promise.resolve({
        createOnigScanner: (patterns) => new OnigScanner(patterns),
        createOnigString: (text) => new OnigString(text),
      }),
      loadGrammar: async (scope) => {
        const { path } = manifest.contributes.grammars.find(({ scopeName }) => scopeName === scope)!;
        return textmate.parseRawGrammar(readFileSync(join(folder, path), 'utf8'), path);
      },
    });
  });

  /** Words with their innermost scope, without the language's name. */
  async function scopes(scope: string, text: string): Promise<string[]> {
    const grammar = (await registry.loadGrammar(scope))!;
    let state = textmate.INITIAL;
    return text.split('\n').flatMap((line) => {
      const { tokens, ruleStack } = grammar.tokenizeLine(line, state);
      state = ruleStack;
      return tokens.flatMap(({ startIndex, endIndex, scopes: all }) => {
        const word = line.slice(startIndex, endIndex).trim();
        return word === '' || all.length === 1
          ? []
          : [`${word} ${all.at(-1)!.replace(/\.(opencl|brook|amdil)$/, '')}`];
      });
    });
  }

  it('of OpenCL C', async () => {
    const text = `kernel void f(global const float4 *x, read_only image2d_array_t p) {
  x[0].xyz = native_sin(0x1p-3f) + g(1.5e3f, .5f) * M_PI_F; // @slider 0..1
  if (a) printf("%v4hlf\\n", x); /* int
  int */ uchar16 c;
}
#define N 4
#include <a.h>
size_type size_t;`;
    const found = await scopes('source.opencl', text);
    for (const expected of [
      'kernel storage.modifier',
      'void storage.type',
      'f entity.name.function',
      'global storage.modifier',
      'float4 storage.type',
      'image2d_array_t storage.type',
      'xyz variable.other.property',
      'native_sin support.function',
      '0x1p-3f constant.numeric',
      'g entity.name.function',
      '1.5e3f constant.numeric',
      '.5f constant.numeric',
      'M_PI_F constant.language',
      '@slider keyword.other.documentation',
      'if keyword.control',
      '%v4hlf constant.other.placeholder',
      '\\n constant.character.escape',
      'uchar16 storage.type',
      'define keyword.control.directive',
      'N entity.name.function.preprocessor',
      '<a.h> string.quoted.include',
      'size_t storage.type',
    ])
      expect.soft(found).toContain(expected);
    // Both lines of the comment are one.
    expect(found.filter((one) => one.startsWith('int '))).toEqual(['int comment.block', 'int comment.block']);
    expect(found.some((one) => one.startsWith('size_type '))).toBe(false);
  });

  it('of Brook+', async () => {
    const found = await scopes(
      'source.brook',
      'reduce void sum(float a<>, reduce float b<>) { b += a; }\nkernel void k(out float2 o<10, 20>, float g[]) { float2 i = indexof(o).xy; }',
    );
    for (const expected of [
      'reduce storage.modifier',
      'sum entity.name.function',
      '< punctuation.definition.stream.begin',
      '> punctuation.definition.stream.end',
      '10 constant.numeric',
      'out storage.modifier',
      'float2 storage.type',
      'indexof support.function',
    ])
      expect.soft(found).toContain(expected);
  });

  it('of AMD IL', async () => {
    const found = await scopes(
      'source.amdil',
      'il_ps_2_0\ndcl_literal l0, 0.5, 0x10, 1.0, -2\nwhileloop\n  mad r1.xy__, r0.x, l0_neg(x), vWinCoord0.y ; more\n  break_logicalnz r1.x\nendloop\nend',
    );
    for (const expected of [
      'il_ps_2_0 keyword.control.directive',
      'dcl_literal storage.type',
      'l0 variable.language',
      '0.5 constant.numeric',
      '0x10 constant.numeric',
      '-2 constant.numeric',
      'whileloop keyword.control',
      'mad entity.name.function',
      'r1 variable.language',
      'xy__ variable.other.property',
      '_neg(x) storage.modifier',
      '; more comment.line.semicolon',
      'break_logicalnz keyword.control',
      'end keyword.control',
    ])
      expect.soft(found).toContain(expected);
  });

  it('know each keyword of the samples', async () => {
    const found = await scopes('source.opencl', readFileSync('samples/histogram/histogram.cl', 'utf8'));
    const kernels = found.filter((one) => /^(__)?kernel storage.modifier/.test(one)).length;
    expect(kernels).toBe(
      runnablesIn(readFileSync('samples/histogram/histogram.cl', 'utf8'), 'opencl').length,
    );
  });
});

describe('above kernels', () => {
  it('are run, check and debug', () => {
    const text = `// kernel void no(int a) {}
/* kernel void
   neither() */
constant char s[] = "kernel void nor()";
__kernel
void one(global int *a) {}
__attribute__((reqd_work_group_size(8, 1, 1)))
kernel __attribute__((vec_type_hint(float4))) void two() {}
void kernels(int kernel_void) {}
`;
    expect(runnablesIn(text, 'opencl')).toEqual([
      { kernel: 'one', line: 4 },
      { kernel: 'two', line: 7 },
    ]);
    expect(lensesIn(text, 'opencl').map(({ title }) => title)).toEqual([
      'Run',
      'Check',
      'Debug',
      'Run',
      'Check',
      'Debug',
    ]);
    expect(lensesIn('kernel void k(float a<>) {}\n\nint main(void) {}', 'brook')).toEqual([
      { title: 'Run', command: 'millrace.run', runnable: { kernel: undefined, line: 2 } },
      { title: 'Debug', command: 'millrace.debug', runnable: { kernel: undefined, line: 2 } },
    ]);
    expect(lensesIn('; a\nil_cs_2_0\nend\n', 'amdil').map(({ title }) => title)).toEqual(['Debug']);
    for (const { command } of lensesIn(text, 'opencl'))
      expect(manifest.contributes.commands.map((one) => one.command)).toContain(command);
  });

  it('start the command with words that it takes', () => {
    const options = splitWords(`--global 4 --arg "a=(1, 2,3,4)" --arg b='x'`);
    expect(options).toEqual(['--global', '4', '--arg', 'a=(1, 2,3,4)', '--arg', 'b=x']);
    const place = mkdtempSync(join(tmpdir(), 'millrace-lens-'));
    const file = join(place, 'two kernels.cl');
    execFileSync('sh', ['-c', 'cat > "$0"', file], {
      input: 'kernel void a(global int *x) {}\nkernel void b(global int *a) { a[get_global_id(0)] *= 2; }\n',
    });
    const words = wordsFor('run', file, { kernel: 'b', line: 1 }, ['--arg', 'a=(1,2,3)']);
    const said = execFileSync(process.execPath, ['dist/millrace.js', ...words], { encoding: 'utf8' });
    rmSync(place, { recursive: true });
    expect(said).toContain('a: int[3] = 2, 4, 6');
    expect(debugConfiguration('/k.cl', { kernel: 'b', line: 1 }, ['--global', '3'])).toMatchObject({
      type: manifest.contributes.debuggers[0]!.type,
      args: ['--kernel', 'b', '--global', '3'],
    });
  });

  it('find the command of the settings, the workspace or the PATH', () => {
    const exists = (path: string) => path.startsWith('/b/');
    expect(findCommand('/own/millrace', ['/b'], { exists })).toEqual({ command: '/own/millrace', args: [] });
    expect(findCommand('', ['/a', '/b'], { exists })).toEqual({
      command: 'node',
      args: ['/b/node_modules/millrace/dist/millrace.js'],
    });
    expect(findCommand('', ['/a'], { exists, windows: false })).toEqual({ command: 'millrace', args: [] });
    expect(findCommand('', [], { exists, windows: true })).toEqual({ command: 'millrace.cmd', args: [] });
  });
});

describe('the file that is installed', () => {
  const place = mkdtempSync(join(tmpdir(), 'millrace-vsix-'));
  afterAll(() => rmSync(place, { recursive: true }));
  let files: ReadonlyMap<string, Buffer>;
  beforeAll(() => {
    const path = join(place, 'millrace.vsix');
    execFileSync(process.execPath, ['scripts/vscode-extension.mjs', path]);
    files = unzip(readFileSync(path));
  }, 60_000);

  it('has all that its manifest names', () => {
    const packed = JSON.parse(files.get('extension/package.json')!.toString()) as Manifest;
    const { languages, grammars } = packed.contributes;
    for (const path of [
      packed.main,
      ...grammars.map((one) => one.path),
      ...languages.map((one) => one.configuration),
    ])
      expect(files.has(`extension/${path.replace('./', '')}`), path).toBe(true);
    expect(packed.version).toBe((JSON.parse(readFileSync('package.json', 'utf8')) as Manifest).version);
    expect(files.get('extension.vsixmanifest')!.toString()).toContain(`Version="${packed.version}"`);
    expect(files.has('[Content_Types].xml')).toBe(true);
    const types = files.get('[Content_Types].xml')!.toString();
    for (const name of files.keys())
      if (name.startsWith('extension/')) expect(types).toContain(`"${/\.\w+$/.exec(name)![0]}"`);
  });

  it('has languages for all grammars, and the debugger’s fields', () => {
    const ids = manifest.contributes.languages.map(({ id }) => id);
    expect(manifest.contributes.grammars.map(({ language }) => language)).toEqual(ids);
    const [debug] = manifest.contributes.debuggers;
    expect(debug!.languages).toEqual(ids);
    // docs/debugger.md is what the adapter is tested against.
    const documented = readFileSync('docs/debugger.md', 'utf8');
    for (const field of Object.keys(debug!.configurationAttributes.launch.properties))
      expect(documented, field).toMatch(new RegExp(`^\\| .*\`${field}\``, 'm'));
  });

  it('has a program that begins where VS Code is', () => {
    // With an editor in which nothing is open: what it registers, and what the server is started with.
    const program = files.get('extension/dist/extension.cjs')!.toString();
    expect(program).toContain('require("vscode")');
    expect(program).not.toMatch(/require\("vscode-languageclient/);
    expect(existsSync(`${folder}/dist/extension.cjs`)).toBe(true);
  });
});

/** By the central directory, as unzip reads it; sums are compared. */
function unzip(bytes: Buffer): Map<string, Buffer> {
  const files = new Map<string, Buffer>();
  const end = bytes.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  let at = bytes.readUInt32LE(end + 16);
  for (let count = bytes.readUInt16LE(end + 10); count > 0; count--) {
    expect(bytes.toString('latin1', at, at + 4)).toBe('PK\x01\x02');
    const [size, whole, length] = [
      bytes.readUInt32LE(at + 20),
      bytes.readUInt32LE(at + 24),
      bytes.readUInt16LE(at + 28),
    ];
    const name = bytes.toString('utf8', at + 46, at + 46 + length);
    const local = bytes.readUInt32LE(at + 42);
    const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
    const data = inflateRawSync(bytes.subarray(start, start + size));
    expect(data.length).toBe(whole);
    files.set(name, data);
    at += 46 + length;
  }
  return files;
}
