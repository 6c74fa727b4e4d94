/** Commands on memory objects of any kind: the end of mappings, and migration (OpenCL 1.2, 5.4). */
import type { HostBytes } from '../../../runtime/device-memory.ts';
import { OpenCLError } from '../../../runtime/status.ts';
import { writeBuffer, writeRectangle } from '../../../runtime/transfer.ts';
import { CL } from '../constants.ts';
import type { CLEvent, WaitList } from '../event.ts';
import { isBitsOf, shownBits } from '../handle.ts';
import { CLMemory } from '../memory.ts';
import { QueueState } from '../queue-state.ts';

export abstract class MemoryObjectCommands extends QueueState {
  /** clEnqueueUnmapMemObject: ends a mapping by the array that it gave. */
  enqueueUnmapMemObject(
    memObject: CLMemory,
    mapped: HostBytes,
    eventWaitList?: WaitList,
    event?: CLEvent | null,
  ): CLEvent {
    this.checkMemory(memObject, CLMemory);
    const index = memObject.mappings.findIndex(({ array }) => array === mapped);
    const mapping = memObject.mappings[index];
    if (!mapping)
      throw new OpenCLError('CL_INVALID_VALUE', 'this array is not a mapping of the memory object');
    const waits = this.waits(eventWaitList, event);
    memObject.mappings.splice(index, 1);
    const type = CL.COMMAND_UNMAP_MEM_OBJECT;
    if (!memObject.hostCopy) {
      this.context.runtime.memory.mapped -= 1;
      const writes = { memory: memObject.runtime, offset: mapping.offset };
      return this.give(this.marker(type, { kind: 'marker', writes }, waits, [memObject.runtime]), event);
    }
    if (mapping.flags === CL.MAP_READ) {
      return this.give(this.marker(type, { kind: 'marker' }, waits, [memObject.runtime]), event);
    }
    const options = { type, blocking: false, waits };
    const { array, offset, rectangle } = mapping;
    const { runtime } = memObject;
    if (rectangle) {
      const { device, host, region } = rectangle;
      return this.give(writeRectangle(this.runtime, runtime, device, array, host, region, options), event);
    }
    return this.give(writeBuffer(this.runtime, runtime, offset, array, options), event);
  }

  /** clEnqueueMigrateMemObjects: a hint, and all devices here share the context's memory. */
  enqueueMigrateMemObjects(
    memObjects: readonly CLMemory[],
    flags: number,
    eventWaitList?: WaitList,
    event?: CLEvent | null,
  ): CLEvent {
    this.check();
    if (!Array.isArray(memObjects) || memObjects.length === 0) {
      throw new OpenCLError('CL_INVALID_VALUE', 'no memory objects to migrate');
    }
    for (const memory of memObjects as readonly CLMemory[]) this.checkMemory(memory, CLMemory);
    const known = CL.MIGRATE_MEM_OBJECT_HOST | CL.MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED;
    if (!isBitsOf(flags, known)) {
      throw new OpenCLError('CL_INVALID_VALUE', `migration flags ${shownBits(flags)} are not defined`);
    }
    const waits = this.waits(eventWaitList, event);
    return this.give(this.marker(CL.COMMAND_MIGRATE_MEM_OBJECTS, { kind: 'marker' }, waits, []), event);
  }
}
