/** The text in C of a library that stands before the system's OpenCL loader and lets one call fail, as its environment says (drivers.ts). */

/** Signatures as in src/devices/icd/driver.ts: a letter a parameter, `b` for bytes, the last of which tell the error of calls that create. */
export function loaderSource(signatures: Readonly<Record<string, string>>): string {
  return `${head}${Object.entries(signatures)
    .map(([name, letters]) => wrapper(name, letters))
    .join('\n')}\n`;
}

const head = `#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
typedef uintptr_t word;
static int count;
static void *real(const char *name) {
  static void *library;
  if (!library) library = dlopen(getenv("FAILING_LOADER"), RTLD_NOW | RTLD_LOCAL);
  return dlsym(library, name);
}
/* The code that this call is to fail with, or 0. */
static int failure(const char *name) {
  const char *which = getenv("FAILING_CALL");
  if (!which || strcmp(which, name)) return 0;
  int now = __atomic_add_fetch(&count, 1, __ATOMIC_SEQ_CST), at = atoi(getenv("FAILING_AT"));
  int always = atoi(getenv("FAILING_ALWAYS"));
  return now == at || (always && now > at) ? atoi(getenv("FAILING_CODE")) : 0;
}
`;

const creators = /^clCreate(?!SubDevices)/;

function wrapper(name: string, letters: string): string {
  const parameters = [...letters].map((_, index) => `word p${index}`).join(', ');
  const values = [...letters].map((_, index) => `p${index}`).join(', ');
  const types = [...letters].map(() => 'word').join(', ');
  const last = `p${letters.length - 1}`;
  if (creators.test(name))
    return `word ${name}(${parameters}) {
  int code = failure("${name}");
  if (code) { if (${last}) *(int *)${last} = code; return 0; }
  return ((word (*)(${types}))real("${name}"))(${values});
}`;
  // The status of an event's command is what fails, not the question.
  const isStatus = name === 'clGetEventInfo';
  return `int ${name}(${parameters}) {
  int code = failure("${name}");
  ${
    isStatus
      ? `int isStatus = (int)p1 == 0x11D3 && p3;
  int result = ((int (*)(${types}))real("${name}"))(${values});
  if (code && isStatus) { *(int *)p3 = code; return 0; }
  return code ? code : result;`
      : `if (code) return code;
  return ((int (*)(${types}))real("${name}"))(${values});`
  }
}`;
}
