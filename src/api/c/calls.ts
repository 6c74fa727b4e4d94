/**
 * The frame of every function of the C ABI. Arguments come as WebAssembly has them and are made plain numbers; what the
 * function throws becomes an error code; and before it returns, callbacks of the program are called.
 */
import { OpenCLError, statusCodes } from '../../runtime/status.ts';
import { LinkError } from '../opencl/link-programs.ts';
import type { CHost } from './host.ts';
import type { Named } from './objects.ts';

/** A function as it is imported: pointers, size_t, handles and cl_int are numbers, cl_bitfield and its like are bigints. */
export type ImportedFunction = (...args: (number | bigint)[]) => number | undefined;

export type ImportedFunctions = Record<string, ImportedFunction>;

/** Functions of one kind by their names, with arguments as unsigned numbers. */
export type Functions<Result> = Record<string, (...args: number[]) => Result>;

/** One that returns an error code. */
export type StatusFunction = Functions<void>[string];

/** Functions that return an error code: CL_SUCCESS unless they throw. */
export function returningStatus(host: CHost, functions: Functions<void>): ImportedFunctions {
  return framed(host, functions, (name, call, args) => {
    try {
      call(...args);
      return statusCodes.CL_SUCCESS;
    } catch (error) {
      return codeOf(host, name, error);
    }
  });
}

/** Functions that return a pointer: NULL if they throw. */
export function returningPointer(host: CHost, functions: Functions<number>): ImportedFunctions {
  return framed(host, functions, (name, call, args) => {
    try {
      return call(...args);
    } catch (error) {
      codeOf(host, name, error);
      return 0;
    }
  });
}

/**
 * Functions that return an object, or a pointer, and write the error code to their last argument, if that is not NULL. With an
 * error they return NULL, but for a program that could not be linked: its log can be asked for.
 */
export function returningObject(host: CHost, functions: Functions<Named | number>): ImportedFunctions {
  return framed(host, functions, (name, call, args) => {
    const errorPointer = args.pop() ?? 0;
    let result = 0;
    let code: number = statusCodes.CL_SUCCESS;
    try {
      if (errorPointer !== 0) host.memory.check(errorPointer, 4);
      const made = call(...args);
      result = typeof made === 'number' ? made : host.objects.number(made);
    } catch (error) {
      code = codeOf(host, name, error);
      if (error instanceof LinkError) result = host.objects.number(error.program);
    }
    host.memory.refresh();
    if (errorPointer !== 0) setIfInside(host, errorPointer, code);
    return result;
  });
}

function framed<Result>(
  host: CHost,
  functions: Functions<Result>,
  perform: (name: string, call: (...args: number[]) => Result, args: number[]) => number,
): ImportedFunctions {
  const imports: ImportedFunctions = {};
  for (const [name, call] of Object.entries(functions)) {
    imports[name] = (...args) => {
      host.memory.refresh();
      for (let index = 0; index < args.length; index += 1) args[index] = unsigned(args[index]!);
      const result = perform(name, call, args as number[]);
      host.attend();
      return result;
    };
  }
  return imports;
}

function unsigned(value: number | bigint): number {
  return typeof value === 'bigint' ? Number(BigInt.asUintN(64, value)) : value >>> 0;
}

function codeOf(host: CHost, name: string, error: unknown): number {
  if (!(error instanceof OpenCLError)) throw error;
  host.onError?.(name, error);
  return error.code;
}

function setIfInside(host: CHost, pointer: number, code: number): void {
  try {
    host.memory.setU32(pointer, code);
  } catch (error) {
    // A pointer outside of the program: there is nowhere to write the code to.
    if (!(error instanceof OpenCLError)) throw error;
  }
}
