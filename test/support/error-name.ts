/** What a call of the OpenCL API answers to a mistake, for tests. */
import { OpenCLError } from 'millrace/opencl';
import { expect } from 'vitest';

/** The name of the OpenCLError that an action throws, such as `CL_INVALID_VALUE`; 'no error' if it throws nothing. */
export function errorName(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    expect(error).toBeInstanceOf(OpenCLError);
    const { name, message } = error as OpenCLError;
    expect(message).not.toBe('');
    return name;
  }
  return 'no error';
}
