/** A line on the terminal while a kernel runs long, so that nobody wonders. Nothing where messages go elsewhere. */
import { messages } from './terminal.ts';

/** Counts seconds, from the second on, until it is ended. */
export function showWaiting(name: string): { end(): void } {
  if (!process.stderr.isTTY) return { end() {} };
  const started = performance.now();
  let shown = false;
  const timer = setInterval(() => {
    const seconds = Math.round((performance.now() - started) / 1000);
    process.stderr.write(`\r\x1b[K${messages.dim(`${name} runs, ${seconds} s (Ctrl-C stops it)`)}`);
    shown = true;
  }, 1000);
  return {
    end() {
      clearInterval(timer);
      if (shown) process.stderr.write('\r\x1b[K');
    },
  };
}
