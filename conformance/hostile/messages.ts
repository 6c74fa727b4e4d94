/**
 * Messages to the language server and to the debug adapter, with something wrong in them: the real process gets them, must answer each request with a
 * result or an error, may not fall, and answers a right one at the end.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Random } from '../../test/support/random.ts';
import type { HostileKind } from './kind.ts';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

interface Talk {
  /** The command's words. */
  readonly words: readonly string[];
  /** What is said first, unchanged. */
  readonly begin: readonly Json[];
  /** What is said with damage: requests and notices. */
  readonly messages: readonly Json[];
  /** The last request, unchanged, and the number by which its answer is known. */
  readonly end: Json;
  /** Whether a message from the process answers the request with a number. */
  readonly answers: (message: { [key: string]: Json }, number: number) => boolean;
}

/** Numbers of requests begin here; the last request has `lastNumber`. */
const lastNumber = 1_000_000;
/** Seconds until the last answer must be there, on a machine however busy. */
const longest = 50;

const uri = 'file:///hostile.cl';
const text =
  'kernel void k(global int *p, int n) {\n  int i = get_global_id(0);\n  if (i < n) p[i] += i;\n}\n';
const position = { line: 1, character: 6 };
const document = { uri };

const languageServer: Talk = {
  words: ['lsp', '--stdio'],
  begin: [
    { id: 1, method: 'initialize', params: { processId: null, rootUri: null, capabilities: {} } },
    { method: 'initialized', params: {} },
    {
      method: 'textDocument/didOpen',
      params: { textDocument: { uri, languageId: 'opencl', version: 1, text } },
    },
  ],
  messages: [
    { id: 0, method: 'textDocument/hover', params: { textDocument: document, position } },
    { id: 0, method: 'textDocument/completion', params: { textDocument: document, position } },
    { id: 0, method: 'textDocument/definition', params: { textDocument: document, position } },
    { id: 0, method: 'textDocument/signatureHelp', params: { textDocument: document, position } },
    { id: 0, method: 'textDocument/prepareRename', params: { textDocument: document, position } },
    { id: 0, method: 'textDocument/rename', params: { textDocument: document, position, newName: 'other' } },
    { id: 0, method: 'textDocument/documentSymbol', params: { textDocument: document } },
    { id: 0, method: 'textDocument/foldingRange', params: { textDocument: document } },
    { id: 0, method: 'textDocument/semanticTokens/full', params: { textDocument: document } },
    {
      id: 0,
      method: 'textDocument/references',
      params: { textDocument: document, position, context: { includeDeclaration: true } },
    },
    {
      method: 'textDocument/didChange',
      params: {
        textDocument: { uri, version: 2 },
        contentChanges: [{ range: { start: position, end: position }, text: 'x' }],
      },
    },
    {
      method: 'textDocument/didOpen',
      params: { textDocument: { uri, languageId: 'il', version: 1, text: 'il_ps_2_0\nend\n' } },
    },
    { method: 'textDocument/didClose', params: { textDocument: document } },
    { method: 'workspace/didChangeConfiguration', params: { settings: { millrace: { options: '-D N=1' } } } },
  ],
  end: {
    id: lastNumber,
    method: 'textDocument/hover',
    params: { textDocument: { uri: 'file:///none.cl' }, position },
  },
  answers: (message, number) => message['id'] === number && !('method' in message),
};

const debugAdapter = (kernels: string): Talk => ({
  words: ['debug', '--dap'],
  begin: [
    {
      seq: 1,
      type: 'request',
      command: 'initialize',
      arguments: { adapterID: 'millrace', pathFormat: 'path' },
    },
  ],
  messages: [
    {
      seq: 0,
      type: 'request',
      command: 'launch',
      arguments: { program: kernels, global: [8], args: ['p=zeros:8', 'n=8'] },
    },
    {
      seq: 0,
      type: 'request',
      command: 'setBreakpoints',
      arguments: { source: { path: kernels }, breakpoints: [{ line: 3 }] },
    },
    { seq: 0, type: 'request', command: 'configurationDone', arguments: {} },
    { seq: 0, type: 'request', command: 'threads', arguments: {} },
    { seq: 0, type: 'request', command: 'stackTrace', arguments: { threadId: 1, startFrame: 0, levels: 5 } },
    { seq: 0, type: 'request', command: 'scopes', arguments: { frameId: 1 } },
    {
      seq: 0,
      type: 'request',
      command: 'variables',
      arguments: { variablesReference: 1, start: 0, count: 10 },
    },
    {
      seq: 0,
      type: 'request',
      command: 'evaluate',
      arguments: { expression: 'p[i] + 1', frameId: 1, context: 'watch' },
    },
    { seq: 0, type: 'request', command: 'next', arguments: { threadId: 1 } },
    { seq: 0, type: 'request', command: 'stepBack', arguments: { threadId: 1 } },
    { seq: 0, type: 'request', command: 'continue', arguments: { threadId: 1 } },
  ],
  end: { seq: lastNumber, type: 'request', command: 'threads', arguments: {} },
  answers: (message, number) => message['type'] === 'response' && message['request_seq'] === number,
});

export function languageServerKind(): HostileKind {
  return kindOf(languageServer);
}

export function debugAdapterKind(): HostileKind {
  const kernels = join(mkdtempSync(join(tmpdir(), 'millrace-campaign-')), 'hostile.cl');
  writeFileSync(kernels, text);
  return kindOf(debugAdapter(kernels));
}

function kindOf(talk: Talk): HostileKind {
  return {
    originals: talk.messages.length,
    make: (random) =>
      JSON.stringify(
        Array.from({ length: 1 + random.below(30) }, (_, index) =>
          numbered(damaged(random.pick(talk.messages), random, 0), 10 + index),
        ),
      ),
    run: (input) => told(talk, JSON.parse(String(input)) as Json[]),
  };
}

/** The same with the number of its place, if it is a request. */
function numbered(message: Json, number: number): Json {
  if (typeof message !== 'object' || message === null || Array.isArray(message)) return message;
  if ('id' in message) return { ...message, id: number };
  return 'seq' in message ? { ...message, seq: number } : message;
}

const strange: readonly Json[] = [
  null,
  true,
  -1,
  0,
  1e300,
  2 ** 31,
  0.5,
  '',
  'x'.repeat(5000),
  '\u0000\ud800',
  [],
  {},
  [[[[]]]],
  { a: null },
];

/** With one in eight of its values in another's place, or gone; what says which request it is stays at the outermost level. */
function damaged(value: Json, random: Random, depth: number): Json {
  if (depth > 1 && random.below(8) === 0) return random.pick(strange);
  if (typeof value === 'number' && random.below(3) === 0) return random.below(20) - 3;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => damaged(one, random, depth + 1));
  const entries = Object.entries(value).filter(() => depth === 0 || random.below(12) > 0);
  return Object.fromEntries(
    entries.map(([key, part]) => {
      if (depth === 0 && (key === 'params' || key === 'arguments') && random.below(12) === 0)
        return [key, random.pick(strange)];
      return [key, damaged(part, random, depth + 1)];
    }),
  );
}

async function told(talk: Talk, messages: readonly Json[]): Promise<string> {
  const child = spawn(process.execPath, ['dist/millrace.js', ...talk.words], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (data) => {
    errors += data;
  });
  // It may be gone while something is said to it.
  child.stdin.on('error', () => {});
  const due = new Set<number>([lastNumber]);
  const all = [...talk.begin, ...messages, talk.end];
  for (const message of all) {
    if (typeof message !== 'object' || message === null || Array.isArray(message)) continue;
    const number = message['id'] ?? (message['type'] === 'request' ? message['seq'] : undefined);
    if (typeof number === 'number') due.add(number);
    const body = Buffer.from(JSON.stringify('method' in message ? { jsonrpc: '2.0', ...message } : message));
    child.stdin.write(`Content-Length: ${body.length}\r\n\r\n`);
    child.stdin.write(body);
  }
  try {
    await answered(talk, child, due, () => errors);
    return `${messages.length > 15 ? 'many' : 'few'} messages answered`;
  } finally {
    child.kill('SIGKILL');
  }
}

/** Resolves once all numbers that are due have been answered. */
function answered(talk: Talk, child: ChildProcess, due: Set<number>, errors: () => string): Promise<void> {
  let buffer = Buffer.alloc(0);
  return new Promise((resolve, reject) => {
    const fail = (text: string): void =>
      reject(new Error(`${text}; not answered: ${[...due].join(', ')}; it said ${errors().slice(0, 1500)}`));
    const alarm = setTimeout(() => fail('it does not answer'), longest * 1000);
    child.on('exit', (code, signal) => {
      clearTimeout(alarm);
      fail(`it ended with ${signal ?? code}`);
    });
    child.stdout!.on('data', (data: Buffer) => {
      buffer = Buffer.concat([buffer, data]);
      for (;;) {
        const head = buffer.indexOf('\r\n\r\n');
        const length =
          head < 0 ? undefined : /Content-Length: (\d+)/i.exec(buffer.toString('latin1', 0, head))?.[1];
        if (length === undefined || buffer.length < head + 4 + Number(length)) break;
        const message = JSON.parse(buffer.toString('utf8', head + 4, head + 4 + Number(length))) as {
          [key: string]: Json;
        };
        buffer = buffer.subarray(head + 4 + Number(length));
        for (const number of due) if (talk.answers(message, number)) due.delete(number);
      }
      if (due.size > 0) return;
      clearTimeout(alarm);
      resolve();
    });
  });
}
