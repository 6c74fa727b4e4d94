/** The errors of WebCL 1.0 (section 3.13): the names of OpenCL's without `CL_`. */
import { OpenCLError } from '../../runtime/status.ts';

/** What failing calls throw. `name` is such as `INVALID_VALUE`, `code` OpenCL's number; extensions' errors have none, 0. */
export class WebCLException extends Error {
  readonly code: number;

  constructor(name: string, message: string, code = 0, options?: ErrorOptions) {
    super(message, options);
    this.name = name;
    this.code = code;
  }
}

/** Does something of the OpenCL API. @throws WebCLException for its OpenCLErrors */
export function attempt<T>(action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw translated(error);
  }
}

/** An OpenCLError in WebCL's words; anything else as it is. */
function translated(error: unknown): unknown {
  if (!(error instanceof OpenCLError)) return error;
  return new WebCLException(error.name.replace(/^CL_/, ''), error.message, error.code, { cause: error });
}

/** The error of a call that needs an extension. */
export function notEnabled(extension: string): WebCLException {
  return new WebCLException('WEBCL_EXTENSION_NOT_ENABLED', `the extension ${extension} is not enabled`);
}
