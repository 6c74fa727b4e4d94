/**
 * The Debug Adapter Protocol over standard input and output. The program that is debugged writes to standard output too, in ways
 * that nobody can catch; so the adapter is a process of its own, which has two other pipes for the protocol and whose
 * output goes where messages go.
 */
import { spawn } from 'node:child_process';
import { Socket } from 'node:net';

/** Set in the environment of the adapter's process. */
const marker = 'MILLRACE_DEBUG_ADAPTER';
const pipes = { in: 3, out: 4 } as const;

/** Serves until the editor hangs up. */
export async function serveEditor(): Promise<void> {
  if (process.env[marker] === '1') {
    const { MillraceAdapter } = await import('./adapter.ts');
    const input = new Socket({ fd: pipes.in, readable: true, writable: false });
    const output = new Socket({ fd: pipes.out, readable: false, writable: true });
    new MillraceAdapter().start(input, output);
    await new Promise<void>((done) => input.once('close', () => done()));
    process.exit(0);
  }
  const adapter = spawn(process.execPath, [...process.execArgv, process.argv[1]!, 'debug', '--dap'], {
    stdio: ['ignore', process.stderr, process.stderr, 'pipe', 'pipe'],
    env: { ...process.env, [marker]: '1' },
  });
  const [input, output] = [adapter.stdio[pipes.in], adapter.stdio[pipes.out]] as [Socket, Socket];
  process.stdin.pipe(input);
  output.pipe(process.stdout);
  // An adapter that has gone reads no more.
  input.on('error', () => {});
  process.exitCode = await new Promise<number>((done) => adapter.once('exit', (code) => done(code ?? 1)));
  process.stdin.destroy();
}
