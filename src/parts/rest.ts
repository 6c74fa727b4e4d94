/**
 * The rest of the compiler: functions and classes that plain kernels do not need. When Millrace is built, scripts/split-rest.mjs
 * finds out which they are and moves them to files of their own, one for each of the three below; where they stood remain stubs
 * (stubs.ts). A stub that is called before its file has been loaded throws a PartMissing, so it may be called where withParts
 * (part.ts) does the work anew, or where the functions were provided: the build has modules that may be used at any time do that.
 *
 * In the sources nothing is split, and there are no stubs.
 */
import { Part } from './part.ts';

type Functions = readonly unknown[];

interface File {
  readonly functions: Functions;
}

/** A file that is loaded with another: whoever needs what is special of the front end or the back end soon needs what the IR has. */
function filePart(name: string, load: () => Promise<File>, other?: Part<Functions>): Part<Functions> {
  return new Part(`the rest of the ${name}`, async () => {
    const [file] = await Promise.all([load(), other?.load()]);
    return file.functions;
  });
}

const ir = /* @__PURE__ */ filePart('IR', () => import('./rest-of-ir.ts'));

/**
 * How the rest of the front end is loaded: what reads sources says so. Where programs come from binaries alone nothing leads to it, so
 * that it is not in a bundle either.
 */
export const frontEndFile: { load: () => Promise<File> } = {
  load: () => Promise.reject(new Error('only binaries of executables are compiled here')),
};

/** The files: functions by the numbers that their stubs have. */
export const rest = {
  ir,
  frontEnd: /* @__PURE__ */ filePart('front end', () => frontEndFile.load(), ir),
  backEnd: /* @__PURE__ */ filePart('back end', () => import('./rest-of-back-end.ts'), ir),
};

export type RestName = keyof typeof rest;
