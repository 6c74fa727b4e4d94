/** The compiler's functions (guide, 3.2.2, and calcl.h). They need no calInit. */
import { calledByProgram } from '../../runtime/observe-calls.ts';
import type { CALLogFunction } from './compiler.ts';
import { calVersion } from './compiler.ts';
import type * as C from './constants.ts';
import { bytesGiven, listed } from './error.ts';
import { system } from './process-system.ts';
import type * as S from './structures.ts';

type Result = C.CALresult;

function output<T>(none: T, call: () => T): [Result, T] {
  let value = none;
  const result = system.runCompiler(() => {
    value = call();
  });
  return [result, value];
}

/** Major, minor, implementation. */
export function calclGetVersion(): [Result, number, number, number] {
  return calledByProgram('CAL', 'calclGetVersion', [], () => {
    const [result, version] = output(calVersion, () => calVersion);
    return [result, ...version];
  });
}

/** About the last function of the compiler that was called. Warnings of a program that compiled are there, too. */
export function calclGetErrorString(): string {
  return system.compiler.errorText;
}

/** INVALID_PARAMETER for a language or target that there is not; ERROR for a program with mistakes. */
export function calclCompile(
  language: C.CALlanguage,
  source: string,
  target: C.CALtarget,
): [Result, S.CALobject] {
  return calledByProgram('CAL', 'calclCompile', [language, source, target], () =>
    output(0, () => system.compiler.compile(language, source, target)),
  );
}

/** The text of a listing, taken as it is. Results as of {@link calclCompile}. */
export function calclAssembleObject(
  type: C.CALCLprogramType,
  source: string,
  target: C.CALtarget,
): [Result, S.CALobject] {
  return calledByProgram('CAL', 'calclAssembleObject', [type, source, target], () =>
    output(0, () => system.compiler.assemble(type, source, target)),
  );
}

/** One image of `objCount` objects, each for another target. ERROR. */
export function calclLink(objects: readonly S.CALobject[], objCount?: number): [Result, S.CALimage] {
  return calledByProgram('CAL', 'calclLink', [objects, objCount], () =>
    output(0, () => system.compiler.link(listed(objects, objCount))),
  );
}

/** ERROR if it is no object. */
export function calclFreeObject(object: S.CALobject): Result {
  return calledByProgram('CAL', 'calclFreeObject', [object], () =>
    system.runCompiler(() => system.compiler.freeObject(object)),
  );
}

/** ERROR if it is no image. */
export function calclFreeImage(image: S.CALimage): Result {
  return calledByProgram('CAL', 'calclFreeImage', [image], () =>
    system.runCompiler(() => system.compiler.freeImage(image)),
  );
}

/** Calls `log` for each line of a listing; not at all if it is no object. */
export function calclDisassembleObject(object: S.CALobject, log: CALLogFunction): void {
  calledByProgram('CAL', 'calclDisassembleObject', [object, log], () => {
    system.runCompiler(() => system.compiler.disassembleObject(object, log));
  });
}

/** Calls `log` for each line of a listing; not at all if it is no image. */
export function calclDisassembleImage(image: S.CALimage, log: CALLogFunction): void {
  calledByProgram('CAL', 'calclDisassembleImage', [image, log], () => {
    system.runCompiler(() => system.compiler.disassembleImage(image, log));
  });
}

/** The bytes that calclImageWrite needs. ERROR if it is no image. */
export function calclImageGetSize(image: S.CALimage): [Result, number] {
  return calledByProgram('CAL', 'calclImageGetSize', [image], () =>
    output(0, () => system.compiler.imageBytes(image).length),
  );
}

/** Writes an image to a buffer. ERROR if it is none, or `size` is too small. */
export function calclImageWrite(buffer: Uint8Array, size: number, image: S.CALimage): Result {
  return calledByProgram('CAL', 'calclImageWrite', [buffer, size, image], () => {
    return system.runCompiler(() => {
      const bytes = bytesGiven(buffer);
      bytes.set(system.compiler.imageToWrite(image, Math.min(size, bytes.length)));
    });
  });
}
