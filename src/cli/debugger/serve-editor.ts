/**
 * The Debug Adapter Protocol over standard input and output. The program that is debugged writes to standard output too, in ways
 * that nobody can catch, and may never give control back; so the adapter is a process of its own, which has other pipes for
 * the protocol. What is written to its standard output and standard error comes back to it by two more, for the editor's
 * console; and it is ended if it does not hear that the editor has gone.
 */
import { spawn } from 'node:child_process';
import { Socket } from 'node:net';

/** Set in the environment of the adapter's process. */
const marker = 'MILLRACE_DEBUG_ADAPTER';
const pipes = { in: 3, out: 4, printed: 5, complained: 6 } as const;
/** Milliseconds that an adapter has to end by itself. */
const patience = 2000;

/** Serves until the editor hangs up. */
export async function serveEditor(): Promise<void> {
  if (process.env[marker] === '1') {
    const { MillraceAdapter } = await import('./adapter.ts');
    const reading = (fd: number) => new Socket({ fd, readable: true, writable: false });
    const input = reading(pipes.in);
    const adapter = new MillraceAdapter();
    adapter.start(input, new Socket({ fd: pipes.out, readable: false, writable: true }));
    for (const [fd, category] of [
      [pipes.printed, 'stdout'],
      [pipes.complained, 'stderr'],
    ] as const) {
      const text = reading(fd).setEncoding('utf8');
      text.on('data', (chunk: string) => adapter.show(chunk, category));
    }
    await new Promise<void>((done) => input.once('close', () => done()));
    process.exit(0);
  }
  const adapter = spawn(process.execPath, [...process.execArgv, process.argv[1]!, 'debug', '--dap'], {
    stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe', 'pipe', 'pipe'],
    env: { ...process.env, [marker]: '1' },
  });
  // Types know five of them.
  const ends = adapter.stdio as unknown as readonly Socket[];
  const input = ends[pipes.in]!;
  const output = ends[pipes.out]!;
  const printed = ends[pipes.printed]!;
  const complained = ends[pipes.complained]!;
  process.stdin.pipe(input);
  output.pipe(process.stdout);
  adapter.stdout!.pipe(printed);
  adapter.stderr!.pipe(complained);
  // An adapter that has gone reads no more.
  for (const pipe of [input, printed, complained]) pipe.on('error', () => {});
  const end = () => setTimeout(() => adapter.kill('SIGKILL'), patience).unref();
  process.stdin.once('end', end);
  watchForDisconnect(process.stdin, end);
  process.exitCode = await new Promise<number>((done) => adapter.once('exit', (code) => done(code ?? 1)));
  process.stdin.destroy();
}

/** Calls `then` when the editor says that it goes. Quotes in texts are escaped, so that only the request looks like this. */
function watchForDisconnect(input: NodeJS.ReadableStream, then: () => void): void {
  let last = '';
  input.on('data', (chunk: Buffer) => {
    last = last.slice(-100) + chunk.toString('latin1');
    if (/[{,]\s*"command"\s*:\s*"disconnect"/.test(last)) then();
  });
}
