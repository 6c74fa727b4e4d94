/** Pipes (OpenCL 2.0, 5.4). */
import { OpenCLError } from '../../runtime/status.ts';
import { writeAnswer } from './answers.ts';
import { type ImportedFunctions, returningObject, returningStatus } from './calls.ts';
import type { CHost } from './host.ts';

export function pipeFunctions(host: CHost): ImportedFunctions {
  const { objects } = host;
  return {
    ...returningObject(host, {
      clCreatePipe(context, flags, packetSize, maxPackets, properties) {
        const owner = objects.context(context);
        if (properties !== 0) {
          throw new OpenCLError('CL_INVALID_VALUE', 'pipes have no properties: the list must be NULL');
        }
        return owner.createPipe(flags, packetSize, maxPackets);
      },
    }),

    ...returningStatus(host, {
      clGetPipeInfo(pipe, name, size, pointer, sizePointer) {
        writeAnswer(host, name, objects.pipe(pipe).getPipeInfo(name), size, pointer, sizePointer);
      },
    }),
  };
}
