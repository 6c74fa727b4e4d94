/** A dedicated worker of the test page, which runs scenarios where a thread may block. */
import { scenarios } from './scenarios.ts';

type Call = (...args: readonly unknown[]) => unknown;

globalThis.onmessage = async ({ data }: MessageEvent<{ name: string; args: readonly unknown[] }>) => {
  try {
    const result = await (scenarios as unknown as Record<string, Call>)[data.name]!(...data.args);
    globalThis.postMessage({ result });
  } catch (error) {
    globalThis.postMessage({
      error: error instanceof Error ? (error.stack ?? error.message) : String(error),
    });
  }
};
