/** The headers of the project's samples, which programs of the page may include as if they lay beside them. */
import calCheck from '../../../samples/cal-support/check.h?raw';

const headers: Readonly<Record<string, string>> = { 'cal-support/check.h': calCheck };

export const sampleHeaders = {
  read(path: string): string | undefined {
    const name = Object.keys(headers).find((one) => path === one || path.endsWith(`/${one}`));
    return name === undefined ? undefined : headers[name];
  },
};
