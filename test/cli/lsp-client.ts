/** An editor as `millrace lsp` sees it: starts the real process and speaks JSON-RPC with it. */
import { type ChildProcess, spawn } from 'node:child_process';

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

export class LspClient {
  readonly #process: ChildProcess;
  #buffer = Buffer.alloc(0);
  #nextId = 1;
  readonly #answers = new Map<number, (message: Message) => void>();
  readonly #notifications: Message[] = [];
  readonly #awaited: {
    method: string;
    accepts: (params: never) => boolean;
    tell: (params: unknown) => void;
  }[] = [];
  /** Text on standard error: there should be none. */
  complaints = '';
  readonly ended: Promise<number | null>;

  constructor() {
    this.#process = spawn(process.execPath, ['dist/millrace.js', 'lsp', '--stdio']);
    this.#process.stdout!.on('data', (data: Buffer) => this.#receive(data));
    this.#process.stderr!.on('data', (data: Buffer) => {
      this.complaints += data.toString();
    });
    this.ended = new Promise((resolve) => this.#process.on('exit', resolve));
  }

  async initialize(options: unknown = {}, rootUri: string | null = null): Promise<unknown> {
    const result = await this.request('initialize', {
      processId: process.pid,
      rootUri,
      capabilities: {},
      initializationOptions: options,
    });
    this.notify('initialized', {});
    return result;
  }

  open(uri: string, text: string, languageId = 'opencl'): void {
    this.notify('textDocument/didOpen', { textDocument: { uri, languageId, version: 1, text } });
  }

  change(uri: string, version: number, contentChanges: readonly unknown[]): void {
    this.notify('textDocument/didChange', { textDocument: { uri, version }, contentChanges });
  }

  /** @throws Error with the server's message if it refuses */
  request<T>(method: string, params: unknown): Promise<T> {
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#answers.set(id, ({ result, error }) =>
        error ? reject(new Error(error.message)) : resolve(result as T),
      );
      this.#send({ id, method, params });
    });
  }

  notify(method: string, params: unknown): void {
    this.#send({ method, params });
  }

  /** The next notification of a kind, or the first that came and was not asked for. */
  notification<T>(method: string, accepts: (params: T) => boolean = () => true): Promise<T> {
    const index = this.#notifications.findIndex((one) => one.method === method && accepts(one.params as T));
    if (index >= 0) return Promise.resolve(this.#notifications.splice(index, 1)[0]!.params as T);
    return new Promise((resolve) => {
      this.#awaited.push({ method, accepts, tell: (params) => resolve(params as T) });
    });
  }

  async close(): Promise<number | null> {
    await this.request('shutdown', undefined);
    this.notify('exit', undefined);
    return this.ended;
  }

  #send(message: object): void {
    const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }));
    this.#process.stdin!.write(`Content-Length: ${body.length}\r\n\r\n`);
    this.#process.stdin!.write(body);
  }

  #receive(data: Buffer): void {
    this.#buffer = Buffer.concat([this.#buffer, data]);
    for (;;) {
      const head = this.#buffer.indexOf('\r\n\r\n');
      if (head < 0) return;
      const length = Number(/Content-Length: (\d+)/i.exec(this.#buffer.toString('latin1', 0, head))![1]);
      if (this.#buffer.length < head + 4 + length) return;
      const body = this.#buffer.toString('utf8', head + 4, head + 4 + length);
      this.#buffer = this.#buffer.subarray(head + 4 + length);
      this.#take(JSON.parse(body) as Message);
    }
  }

  #take(message: Message): void {
    if (message.id !== undefined && message.method === undefined) {
      this.#answers.get(message.id)?.(message);
      this.#answers.delete(message.id);
      return;
    }
    if (message.method === undefined) return;
    const index = this.#awaited.findIndex(
      ({ method, accepts }) => method === message.method && accepts(message.params as never),
    );
    if (index < 0) this.#notifications.push(message);
    else this.#awaited.splice(index, 1)[0]!.tell(message.params);
  }
}
