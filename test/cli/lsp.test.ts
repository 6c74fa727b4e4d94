/** The language server as a process: what an editor sends and what it gets. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mutate } from '../fuzz/mutate.ts';
import { Random } from '../support/random.ts';
import { LspClient } from './lsp-client.ts';

interface Position {
  readonly line: number;
  readonly character: number;
}
interface Range {
  readonly start: Position;
  readonly end: Position;
}
interface Diagnostics {
  readonly uri: string;
  readonly version?: number;
  readonly diagnostics: readonly {
    readonly range: Range;
    readonly message: string;
    readonly severity: number;
    readonly code?: string;
    readonly relatedInformation?: readonly {
      readonly message: string;
      readonly location: { uri: string; range: Range };
    }[];
  }[];
}

const folder = mkdtempSync(join(tmpdir(), 'millrace-lsp-'));
const uriOf = (name: string): string => pathToFileURL(join(folder, name)).href;

let client: LspClient;
let capabilities: Record<string, unknown>;

beforeAll(async () => {
  writeFileSync(
    join(folder, 'sums.h'),
    '// Adds what lies side by side.\nfloat side(float2 pair) { return pair.x + pair.y; }\n',
  );
  writeFileSync(join(folder, 'broken.h'), 'int twice(int x) { return y; }\n');
  client = new LspClient();
  const answer = (await client.initialize({ buildOptions: '-DWIDTH=8' }, pathToFileURL(folder).href)) as {
    capabilities: Record<string, unknown>;
  };
  capabilities = answer.capabilities;
});

afterAll(async () => {
  expect(await client.close()).toBe(0);
  expect(client.complaints).toBe('');
  rmSync(folder, { recursive: true });
});

/** Where the n-th `needle` begins. */
function place(text: string, needle: string, plus = 0): Position {
  const offset = text.indexOf(needle) + plus;
  const before = text.slice(0, offset).split('\n');
  return { line: before.length - 1, character: before.at(-1)!.length };
}

const kernel = `#include "sums.h"
#define SCALE(v) ((v) * WIDTH)
typedef struct { float4 colour; int count; } Cell;
kernel void fill(global float *out, local float *scratch, Cell cell) {
  size_t i = get_global_id(0);
  float total = side(cell.colour.xy);
  out[i] = SCALE(total) + native_sin(2.0f);
}
`;

describe('millrace lsp', () => {
  it('says what it can', () => {
    expect(Object.keys(capabilities).sort()).toEqual([
      'completionProvider',
      'definitionProvider',
      'documentHighlightProvider',
      'documentSymbolProvider',
      'foldingRangeProvider',
      'hoverProvider',
      'referencesProvider',
      'renameProvider',
      'semanticTokensProvider',
      'signatureHelpProvider',
      'textDocumentSync',
    ]);
  });

  it('sends diagnostics as text changes, with notes and the names of warnings', async () => {
    const uri = uriOf('typing.cl');
    client.open(uri, 'kernel void f(global int *p) {\n  p[0] == 1;\n  p[0] = 1;\n}\n');
    const first = await client.notification<Diagnostics>(
      'textDocument/publishDiagnostics',
      (one) => one.uri === uri,
    );
    expect(first.diagnostics.map(({ message, code, severity }) => [message, code, severity])).toEqual([
      ['equality comparison result unused', '-Wunused-comparison', 2],
    ]);
    // The call lacks an argument; the note shows the function.
    const position = { line: 2, character: 0 };
    client.change(uri, 2, [
      { range: { start: position, end: position }, text: '  g(p);\n' },
      {
        range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } },
        text: 'void g(global int *q, int n);\n',
      },
    ]);
    const second = await client.notification<Diagnostics>(
      'textDocument/publishDiagnostics',
      (one) => one.uri === uri && one.version === 2,
    );
    const [error] = second.diagnostics.filter(({ severity }) => severity === 1);
    expect(error!.message).toBe('too few arguments to function call, expected 2, have 1');
    expect(error!.range.start.line).toBe(3);
    expect(error!.relatedInformation).toEqual([
      {
        message: "'g' declared here",
        location: { uri, range: { start: { line: 0, character: 5 }, end: { line: 0, character: 6 } } },
      },
    ]);
  });

  it('shows mistakes in headers where these are included', async () => {
    const uri = uriOf('including.cl');
    client.open(uri, '\n#include "broken.h"\nkernel void f(global int *p) { *p = twice(2); }\n');
    const { diagnostics } = await client.notification<Diagnostics>(
      'textDocument/publishDiagnostics',
      (one) => one.uri === uri,
    );
    expect(diagnostics).toHaveLength(1);
    expect(diagnostics[0]!.message).toContain("broken.h: use of undeclared identifier 'y'");
    expect(diagnostics[0]!.range.start.line).toBe(1);
    expect(diagnostics[0]!.relatedInformation![0]!.location).toEqual({
      uri: uriOf('broken.h'),
      range: { start: { line: 0, character: 26 }, end: { line: 0, character: 27 } },
    });
    // Mended in the editor, and not saved yet.
    client.open(uriOf('broken.h'), 'int twice(int x) { return 2 * x; }\n', 'c');
    const mended = await client.notification<Diagnostics>(
      'textDocument/publishDiagnostics',
      (one) => one.uri === uri,
    );
    expect(mended.diagnostics).toEqual([]);
  });

  it('answers about names: hovers, definitions, references, signatures, completions', async () => {
    const uri = uriOf('names.cl');
    client.open(uri, kernel);
    const ask = <T>(method: string, position: Position, more: object = {}): Promise<T> =>
      client.request(`textDocument/${method}`, { textDocument: { uri }, position, ...more });
    const hover = async (needle: string, plus = 0): Promise<string> =>
      (await ask<{ contents: { value: string } }>('hover', place(kernel, needle, plus))).contents.value;

    expect(await hover('cell.colour')).toContain('Cell cell');
    expect(await hover('colour.xy', 7)).toContain('Components 0, 1 of a `float4`');
    expect(await hover('side(')).toMatch(
      /float side\(float2 pair\)[\s\S]*Adds what lies side by side[\s\S]*sums\.h:2/,
    );
    expect(await hover('SCALE(total')).toContain('((total) * 8)');
    expect(await hover('native_sin')).toMatch(
      /gentype native_sin\(gentype x\)[\s\S]*sine[\s\S]*OpenCL C 1\.0/,
    );
    expect(await ask('hover', { line: 6, character: 0 })).toBeNull();

    expect(await ask('definition', place(kernel, 'side('))).toEqual({
      uri: uriOf('sums.h'),
      range: { start: { line: 1, character: 6 }, end: { line: 1, character: 10 } },
    });
    expect(await ask('definition', place(kernel, 'sums.h'))).toMatchObject({ uri: uriOf('sums.h') });
    expect(await ask('definition', place(kernel, 'SCALE(total'))).toMatchObject({
      range: { start: { line: 1, character: 8 } },
    });
    const references = await ask<{ range: Range }[]>('references', place(kernel, 'colour.xy'), {
      context: { includeDeclaration: true },
    });
    expect(references.map(({ range }) => range.start)).toEqual([
      { line: 2, character: 24 },
      { line: 5, character: 26 },
    ]);

    const help = await ask<{ signatures: { label: string }[]; activeParameter: number }>(
      'signatureHelp',
      place(kernel, 'side(', 5),
    );
    expect(help).toMatchObject({ signatures: [{ label: 'float side(float2 pair)' }], activeParameter: 0 });

    const labels = async (position: Position): Promise<string[]> =>
      (await ask<{ items: { label: string }[] }>('completion', position)).items.map(({ label }) => label);
    expect(await labels(place(kernel, 'cell.colour', 5))).toEqual(['colour', 'count']);
    expect(await labels(place(kernel, 'native_sin', 8))).toEqual(
      expect.arrayContaining(['native_sin', 'native_sqrt']),
    );
    const item = await client.request<{ documentation: { value: string } }>('completionItem/resolve', {
      label: 'dot',
      data: uri,
    });
    expect(item.documentation.value).toContain(
      'gentype dot(gentype p0, gentype p1)'.replace('gentype dot', 'element dot'),
    );
  });

  it('renames what the text declares and nothing else', async () => {
    const uri = uriOf('names.cl');
    const rename = (
      needle: string,
      newName: string,
    ): Promise<{ changes: Record<string, { range: Range; newText: string }[]> }> =>
      client.request('textDocument/rename', {
        textDocument: { uri },
        position: place(kernel, needle),
        newName,
      });
    const { changes } = await rename('total)', 'sum');
    expect(changes[uri]!.map(({ range }) => range.start.line)).toEqual([5, 6]);
    await expect(rename('native_sin', 'x')).rejects.toThrow("'native_sin' is a name of the language");
    await expect(rename('side(', 'x')).rejects.toThrow('declared in');
    await expect(rename('total)', '2x')).rejects.toThrow("'2x' is no name");
  });

  it('outlines, folds and colours', async () => {
    const uri = uriOf('names.cl');
    const all = <T>(method: string): Promise<T> =>
      client.request(`textDocument/${method}`, { textDocument: { uri } });
    const symbols = await all<{ name: string; detail: string }[]>('documentSymbol');
    expect(symbols.map(({ name }) => name)).toEqual(['SCALE', 'Cell', 'fill']);
    expect(await all('foldingRange')).toEqual([{ startLine: 3, endLine: 6 }]);
    const { data } = await all<{ data: number[] }>('semanticTokens/full');
    // Ten words before it, in order: `out` is a parameter (1) in global memory (bit 4), declared here (bit 0).
    const line = place(kernel, 'out,').line;
    let at = 0;
    const starts = new Map<string, number[]>();
    let character = 0;
    for (let index = 0; index < data.length; index += 5) {
      if (data[index]! > 0) character = 0;
      at += data[index]!;
      character += data[index + 1]!;
      starts.set(`${at}:${character}`, data.slice(index + 2, index + 5));
    }
    expect(starts.get(`${line}:${place(kernel, 'out,').character}`)).toEqual([3, 1, 1 | (1 << 4)]);
    expect(starts.get(`${line}:${place(kernel, 'fill').character}`)).toEqual([4, 2, 1 | (1 << 3)]);
  });

  it('reads Brook+ and AMD IL', async () => {
    const brook = 'kernel void scale(float a<>, float k, out float b<>) {\n  b = a * k + sqrt(;\n}\n';
    client.open(uriOf('scale.br'), brook, 'brook');
    const said = await client.notification<Diagnostics>(
      'textDocument/publishDiagnostics',
      (one) => one.uri === uriOf('scale.br'),
    );
    expect(said.diagnostics[0]!.range.start.line).toBe(1);
    const hover = await client.request<{ contents: { value: string } }>('textDocument/hover', {
      textDocument: { uri: uriOf('scale.br') },
      position: place(brook, 'a * k'),
    });
    expect(hover.contents.value).toContain('float a<>');

    const il = 'il_ps_2_0\ndcl_literal l0, 1.0, 2.0, 3.0, 4.0\nmad_ieee r0, l0, l0, r1\nnonsense r0\nend\n';
    client.open(uriOf('program.il'), il, 'il');
    const found = await client.notification<Diagnostics>(
      'textDocument/publishDiagnostics',
      (one) => one.uri === uriOf('program.il'),
    );
    expect(found.diagnostics[0]!.range.start.line).toBe(3);
    const definition = await client.request('textDocument/definition', {
      textDocument: { uri: uriOf('program.il') },
      position: place(il, 'l0, l0'),
    });
    expect(definition).toMatchObject({ range: { start: { line: 1, character: 12 } } });
  });

  it('survives three hundred edits of public kernels, one after another', async () => {
    const random = new Random(2026);
    const kernels = ['samples/histogram', 'samples/nearest-neighbours', 'samples/image-filters'].flatMap(
      (path) =>
        readdirSync(path)
          .filter((name) => name.endsWith('.cl'))
          .map((name) => readFileSync(join(path, name), 'utf8')),
    );
    const uri = uriOf('edited.cl');
    let text = random.pick(kernels);
    client.open(uri, text);
    const methods = [
      'hover',
      'completion',
      'signatureHelp',
      'definition',
      'documentHighlight',
      'prepareRename',
    ];
    const whole = ['documentSymbol', 'semanticTokens/full', 'foldingRange'];
    const answers: Promise<unknown>[] = [];
    for (let version = 2; version < 302; version += 1) {
      // Now and then the user opens another kernel's text; otherwise some words come, go or move.
      const next = version % 60 === 0 ? random.pick(kernels) : mutate(text, kernels, random);
      let start = 0;
      while (start < next.length && next[start] === text[start]) start += 1;
      let tail = 0;
      while (tail < Math.min(next.length, text.length) - start && next.at(-1 - tail) === text.at(-1 - tail))
        tail += 1;
      const range = { start: place(text, '', start), end: place(text, '', text.length - tail) };
      client.change(uri, version, [{ range, text: next.slice(start, next.length - tail) }]);
      text = next;
      const position = place(text, '', Math.max(0, Math.min(text.length, start + random.below(80))));
      const params = { textDocument: { uri }, position };
      const refusable = (method: string) =>
        client.request(`textDocument/${method}`, params).catch((error: Error) => {
          // A rename may be refused in words; anything else is a fault.
          expect(method).toBe('prepareRename');
          expect(error.message).toMatch(/^'.+' (is a name|is declared|are components)|^a macro makes/);
        });
      answers.push(refusable(random.pick(methods)));
      if (version % 10 === 0)
        answers.push(client.request(`textDocument/${random.pick(whole)}`, { textDocument: { uri } }));
      if (version % 25 === 0) await Promise.all(answers);
    }
    await Promise.all(answers);
    // It still reads what it is given, and has kept up with every edit.
    const probe = `kernel void probe(global int *p) { *p = ${text.length}; }\n`;
    client.change(uri, 1000, [{ text: probe }]);
    const hover = await client.request<{ contents: { value: string } }>('textDocument/hover', {
      textDocument: { uri },
      position: place(probe, 'probe'),
    });
    expect(hover.contents.value).toContain('__kernel void probe(__global int *p)');
  });

  it('takes its options from millrace.json', async () => {
    writeFileSync(join(folder, 'millrace.json'), '{ "buildOptions": "-DWIDTH=8 -cl-std=CL2.0" }');
    const uri = uriOf('options.cl');
    client.open(uri, 'kernel void f(global int *p) { *p = work_group_reduce_add(WIDTH); }\n');
    const { diagnostics } = await client.notification<Diagnostics>(
      'textDocument/publishDiagnostics',
      (one) => one.uri === uri,
    );
    expect(diagnostics).toEqual([]);
    rmSync(join(folder, 'millrace.json'));
  });
});
