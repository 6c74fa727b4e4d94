/** Objects whose keys are options: one that nobody knows is one that was misspelt, and would silently do nothing. */
import { OpenCLError, type StatusName } from '../../runtime/status.ts';

/** That all keys are among those that there are; `what` begins the message. @throws OpenCLError with `code` */
export function checkKeys(given: object, known: readonly string[], code: StatusName, what: string): void {
  for (const key in given) {
    if (!known.includes(key)) {
      throw new OpenCLError(code, `${what} no '${key}', only ${known.join(', ')}`);
    }
  }
}
