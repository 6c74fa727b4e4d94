/** Where the machine's own Chromium is. */
import { existsSync } from 'node:fs';

const places = [
  process.env['MILLRACE_CHROMIUM'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** The program, or undefined; MILLRACE_CHROMIUM says it. */
export const chromiumPath = places.find((place) => place !== undefined && existsSync(place));
