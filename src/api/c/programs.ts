/**
 * Programs (OpenCL 1.2, 5.6). Builds are done when the function returns, with a callback too: it is called before that, as
 * OpenCL allows, and the function says what came of the build.
 */
import { OpenCLError } from '../../runtime/status.ts';
import { CL } from '../opencl/constants.ts';
import { LinkError, linkPrograms } from '../opencl/link-programs.ts';
import type { CLProgram } from '../opencl/program.ts';
import { writeAnswer } from './answers.ts';
import { type ImportedFunctions, returningObject, returningStatus } from './calls.ts';
import type { CHost } from './host.ts';

export function programFunctions(host: CHost): ImportedFunctions {
  const { memory, objects } = host;

  const texts = (count: number, pointers: number): string[] =>
    memory.list(pointers, count).map((pointer) => memory.text(pointer));
  const optionsAt = (pointer: number): string => (pointer === 0 ? '' : memory.text(pointer));

  return {
    ...returningObject(host, {
      clCreateProgramWithSource(context, count, strings, lengths) {
        const owner = objects.context(context);
        if (count === 0) throw new OpenCLError('CL_INVALID_VALUE', 'a program needs a source text');
        const sizes = lengths === 0 ? [] : memory.list(lengths, count);
        const pointers = memory.list(strings, count);
        // A length of 0 says that the text ends with a NUL.
        return owner.createProgram(
          pointers.map((pointer, index) => memory.text(pointer, sizes[index] || undefined)),
        );
      },

      clCreateProgramWithBinary(context, count, devices, lengths, binaries, statuses) {
        const owner = objects.context(context);
        const targets = host.list(count, devices, objects.device);
        const sizes = memory.list(lengths, count);
        const pointers = memory.list(binaries, count);
        if (statuses !== 0) memory.check(statuses, count * 4);
        const read = pointers.map((pointer, index) =>
          pointer === 0 ? new Uint8Array() : memory.bytes(pointer, sizes[index]!).slice(),
        );
        const results: number[] = [];
        try {
          return owner.createProgramWithBinary(targets, read, results);
        } finally {
          if (statuses !== 0 && results.length === count) memory.setList(statuses, results);
        }
      },

      clCreateProgramWithIL(context, il, length) {
        return objects.context(context).createProgramWithIL(il === 0 ? null : memory.bytes(il, length));
      },

      clCreateProgramWithBuiltInKernels(context, count, devices, names) {
        const owner = objects.context(context);
        const targets = host.list(count, devices, objects.device);
        return owner.createProgramWithBuiltInKernels(targets, memory.text(names));
      },

      clLinkProgram(context, count, devices, options, inputCount, inputs, notify, userData) {
        const owner = objects.context(context);
        const targets = host.optionalList(count, devices, objects.device);
        const programs = host.list(inputCount, inputs, (number) => objects.program(number));
        const call = checkNotify(host, notify, userData);
        try {
          const linked = linkPrograms(owner, targets, optionsAt(options), programs, undefined, true);
          call?.(objects.number(linked), userData);
          return linked;
        } catch (error) {
          if (error instanceof LinkError) call?.(objects.number(error.program), userData);
          throw error;
        }
      },
    }),

    ...returningStatus(host, {
      clBuildProgram(program, count, devices, options, notify, userData) {
        const built = objects.program(program);
        const targets = host.optionalList(count, devices, objects.device);
        building(host, notify, program, userData, () => built.build(targets, optionsAt(options)));
      },

      clCompileProgram(program, count, devices, options, headerCount, headers, names, notify, userData) {
        const compiled = objects.program(program);
        const targets = host.optionalList(count, devices, objects.device);
        const included = host.list(headerCount, headers, (number) => objects.program(number));
        if ((headerCount === 0) !== (names === 0)) {
          throw new OpenCLError('CL_INVALID_VALUE', 'there must be as many names of headers as headers');
        }
        const includeNames = headerCount === 0 ? [] : texts(headerCount, names);
        building(host, notify, program, userData, () =>
          compiled.compile(targets, optionsAt(options), included, includeNames),
        );
      },

      clRetainProgram(program) {
        objects.program(program).retain();
      },

      clReleaseProgram(program) {
        objects.release(objects.program(program));
      },

      clSetProgramReleaseCallback(program, notify) {
        objects.program(program).setReleaseCallback(notify === 0 ? null : host.callback(notify));
      },

      clSetProgramSpecializationConstant(program, id, size, pointer) {
        const value = pointer === 0 ? null : memory.bytes(pointer, size);
        objects.program(program).setSpecializationConstant(id, value);
      },

      clGetProgramInfo(program, name, size, pointer, sizePointer) {
        const asked = objects.program(program);
        if (name === CL.PROGRAM_BINARIES) writeBinaries(host, asked, size, pointer, sizePointer);
        else writeAnswer(host, name, asked.getInfo(name), size, pointer, sizePointer);
      },

      clGetProgramBuildInfo(program, device, name, size, pointer, sizePointer) {
        const answer = objects.program(program).getBuildInfo(objects.device(device), name);
        writeAnswer(host, name, answer, size, pointer, sizePointer);
      },
    }),
  };
}

const buildFailures: readonly number[] = [
  CL.BUILD_PROGRAM_FAILURE,
  CL.COMPILE_PROGRAM_FAILURE,
  CL.LINK_PROGRAM_FAILURE,
];

/** Does a build, and calls the program's function when it has ended, well or not; not if it could not begin. */
function building(host: CHost, notify: number, program: number, userData: number, build: () => void): void {
  const call = checkNotify(host, notify, userData);
  try {
    build();
  } catch (error) {
    if (error instanceof OpenCLError && buildFailures.includes(error.code)) call?.(program, userData);
    throw error;
  }
  call?.(program, userData);
}

/** @throws OpenCLError CL_INVALID_VALUE */
function checkNotify(
  host: CHost,
  notify: number,
  userData: number,
): ReturnType<CHost['callback']> | undefined {
  if (notify !== 0) return host.callback(notify);
  if (userData === 0) return undefined;
  throw new OpenCLError('CL_INVALID_VALUE', 'user data without a function that takes it');
}

/** CL_PROGRAM_BINARIES: to where the pointers in the answer's place point; NULL ones are left out. */
function writeBinaries(
  host: CHost,
  program: CLProgram,
  size: number,
  pointer: number,
  sizePointer: number,
): void {
  const { memory } = host;
  const binaries = program.getInfo(CL.PROGRAM_BINARIES) as readonly Uint8Array[];
  const bytes = binaries.length * 4;
  if (pointer !== 0) {
    if (size < bytes) throw new OpenCLError('CL_INVALID_VALUE', `${bytes} bytes do not fit into ${size}`);
    for (const [index, target] of memory.list(pointer, binaries.length).entries()) {
      const binary = binaries[index]!;
      if (target !== 0 && binary.length > 0) memory.bytes(target, binary.length).set(binary);
    }
  }
  if (sizePointer !== 0) memory.setU32(sizePointer, bytes);
}
