/** The machine's own Firefox, or the one that MILLRACE_FIREFOX names. */
import { existsSync } from 'node:fs';

const places = [process.env['MILLRACE_FIREFOX'], '/usr/bin/firefox-esr', '/usr/bin/firefox'];

export const firefoxPath = places.find((place) => place !== undefined && existsSync(place));

if (firefoxPath === undefined) {
  console.warn(
    'No Firefox here (apt-get install firefox-esr, or set MILLRACE_FIREFOX): its tests are skipped.',
  );
}
