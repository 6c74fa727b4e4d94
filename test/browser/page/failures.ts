/** Errors as plain data, which a page can hand to the test. */
import { BuildError, OpenCLError } from 'millrace';

export function described(error: unknown): { name: string; message: string } {
  if (error instanceof OpenCLError) return { name: error.name, message: error.message };
  if (error instanceof BuildError) return { name: 'BuildError', message: error.log };
  return { name: 'unexpected', message: String(error) };
}

export async function failure(
  action: () => unknown,
): Promise<{ name: string; message: string } | 'no error'> {
  try {
    await action();
    return 'no error';
  } catch (error) {
    return described(error);
  }
}

/** The name alone. */
export async function failureName(action: () => unknown): Promise<string> {
  const found = await failure(action);
  return found === 'no error' ? found : found.name;
}
