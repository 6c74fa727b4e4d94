/** Contexts (OpenCL 1.2, 4.4). */
import { OpenCLError } from '../../runtime/status.ts';
import { CL } from '../opencl/constants.ts';
import type { CLContext, ContextExtras } from '../opencl/context.ts';
import type { ContextProperty } from '../opencl/context-properties.ts';
import { createContext } from '../opencl/create-context.ts';
import { writeAnswer } from './answers.ts';
import { type ImportedFunctions, returningObject, returningStatus } from './calls.ts';
import type { CHost } from './host.ts';
import { encodeText } from './host-memory.ts';

export function contextFunctions(host: CHost): ImportedFunctions {
  const { objects } = host;
  const extrasFor = (properties: number, notify: number, userData: number): ContextExtras => {
    if (notify === 0 && userData !== 0) {
      throw new OpenCLError('CL_INVALID_VALUE', 'user data without a function that takes it');
    }
    return {
      ...host.contextExtras,
      properties: readProperties(host, properties),
      notify: notify === 0 ? null : notifier(host, notify, userData),
    };
  };

  const made = (context: CLContext): CLContext => {
    host.addContext(context);
    return context;
  };

  return {
    ...returningObject(host, {
      clCreateContext(properties, count, devices, notify, userData) {
        const extras = extrasFor(properties, notify, userData);
        const list = host.list(count, devices, objects.device);
        return made(createContext(list, extras));
      },

      clCreateContextFromType(properties, type, notify, userData) {
        const extras = extrasFor(properties, notify, userData);
        const asked = extras.properties?.indexOf(CL.CONTEXT_PLATFORM) ?? -1;
        // Without a platform it is for the implementation to choose.
        if (asked >= 0) return made(createContext(host.ownType(type), extras));
        return made(createContext(host.platforms[0]!.getDevices(host.ownType(type)), extras));
      },
    }),

    ...returningStatus(host, {
      clRetainContext(context) {
        objects.context(context).retain();
      },

      clReleaseContext(context) {
        objects.release(objects.context(context));
      },

      clSetContextDestructorCallback(context, notify, userData) {
        const owner = objects.context(context);
        const call = host.callback(notify);
        owner.setDestructorCallback(() => call(context, userData));
      },

      clGetContextInfo(context, name, size, pointer, sizePointer) {
        const answer = objects.context(context).getInfo(name);
        writeAnswer(host, name, answer, size, pointer, sizePointer);
      },
    }),
  };
}

/** Names and values up to a 0. Values of 32 bits; that of CL_CONTEXT_PLATFORM is a platform. */
function readProperties(host: CHost, pointer: number): ContextProperty[] | null {
  if (pointer === 0) return null;
  const { memory, objects } = host;
  const list: ContextProperty[] = [];
  for (let at = pointer; ; at += 8) {
    const name = memory.u32(at);
    list.push(name);
    if (name === 0) return list;
    const value = memory.u32(at + 4);
    list.push(name === CL.CONTEXT_PLATFORM ? objects.platform(value) : value);
  }
}

/** pfn_notify: gets the error's text, and no private information. */
function notifier(host: CHost, pointer: number, userData: number): (error: OpenCLError) => void {
  const call = host.callback(pointer);
  return (error) => {
    const text = encodeText(error.message);
    const block = host.memory.pool.take(text.length);
    if (!block) return;
    host.memory.refresh();
    host.memory.bytes(block.start, text.length).set(text);
    call(block.start, 0, 0, userData);
    host.memory.pool.giveBack(block);
  };
}
