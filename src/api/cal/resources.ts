/** Resources in the memories of devices, and in the program's own (guide, B.3.3; calResCreate, B.4). */
import type { HostBytes } from '../../runtime/device-memory.ts';
import * as C from './constants.ts';
import { CalDevice } from './device.ts';
import { pitchAlignment, surfaceAlignment } from './devices.ts';
import { badHandle, CalError, failed, invalid } from './error.ts';
import { formatOf } from './formats.ts';
import type { Registry } from './registry.ts';
import { orFailed, type Place, Resource, shapeOf } from './resource.ts';
import type * as S from './structures.ts';

/** A resource that is asked for. */
interface Wanted {
  readonly dimensions: 1 | 2;
  readonly width: number;
  readonly height: number;
  readonly format: C.CALformat;
  readonly flags: number;
}

export class Resources {
  readonly #registry: Registry;

  constructor(registry: Registry) {
    this.#registry = registry;
  }

  allocateLocal(device: S.CALdevice, wanted: Wanted): S.CALresource {
    const owner = this.#registry.device(device);
    CalDevice.checkFlags(wanted.flags, C.CAL_RESALLOC_GLOBAL_BUFFER);
    return this.#allocate('local', [owner], wanted);
  }

  allocateRemote(devices: readonly S.CALdevice[], wanted: Wanted): S.CALresource {
    this.#registry.ready();
    if (devices.length === 0) throw badHandle('remote memory needs a device');
    const owners = devices.map((handle) => this.#registry.device(handle));
    CalDevice.checkFlags(wanted.flags, C.CAL_RESALLOC_GLOBAL_BUFFER | C.CAL_RESALLOC_CACHEABLE);
    if (owners.some(({ context }) => context !== owners[0]!.context)) {
      throw failed('these devices share no memory');
    }
    const isCached = (wanted.flags & C.CAL_RESALLOC_CACHEABLE) !== 0;
    return this.#allocate(isCached ? 'cached' : 'uncached', owners, wanted);
  }

  #allocate(place: Place, owners: readonly CalDevice[], wanted: Wanted): S.CALresource {
    const { dimensions, width, height, flags } = wanted;
    const format = formatOf(wanted.format);
    const isGlobal = (flags & C.CAL_RESALLOC_GLOBAL_BUFFER) !== 0;
    const shape = shapeOf(dimensions, width, height, format);
    for (const owner of owners) {
      const refused = owner.refusesSize(dimensions, width, height);
      if (refused !== undefined) throw failed(refused);
      owner.checkFormat(format, isGlobal);
    }
    owners[0]!.checkRoom(place, shape.bytes);
    const resource = this.#addResource(orFailed(() => new Resource(shape, place, owners, isGlobal)));
    if (isGlobal && width !== shape.pitch) {
      this.#registry.warning = `the global buffer's width is ${width}: it should be a multiple of ${pitchAlignment}`;
    }
    return resource;
  }

  /** calResCreate1D and 2D: of the program's own memory. `bytes` reaches from its pointer as far as it likes. */
  createResource(device: S.CALdevice, bytes: HostBytes, wanted: Wanted, size: number): S.CALresource {
    const owner = this.#registry.device(device);
    const { dimensions, width, height, flags } = wanted;
    const format = formatOf(wanted.format);
    CalDevice.checkFlags(flags, C.CAL_RESALLOC_GLOBAL_BUFFER);
    const isGlobal = (flags & C.CAL_RESALLOC_GLOBAL_BUFFER) !== 0;
    const refused = owner.refusesSize(dimensions, width, height);
    if (refused !== undefined) throw invalid(refused);
    if (bytes.byteOffset % surfaceAlignment !== 0) {
      throw invalid(`the memory does not begin at a multiple of ${surfaceAlignment} bytes`);
    }
    owner.checkFormat(format, isGlobal);
    const shape = shapeOf(dimensions, width, height, format);
    if (width !== shape.pitch)
      throw failed(`the width is ${width}: it must be a multiple of ${pitchAlignment}`);
    if (!(size >= shape.bytes && bytes.byteLength >= shape.bytes)) {
      throw failed(
        `the resource has ${shape.bytes} bytes, and the memory ${Math.min(size, bytes.byteLength)}`,
      );
    }
    return this.#addResource(orFailed(() => new Resource(shape, 'pinned', [owner], isGlobal, bytes)));
  }

  #addResource(resource: Resource): S.CALresource {
    resource.owner.resources.add(resource);
    return this.#registry.handles.add(resource).handle;
  }

  free(handle: S.CALresource): void {
    const resource = this.#registry.resource(handle);
    if (resource.mems.size > 0) {
      throw new CalError(C.CAL_RESULT_BUSY, 'a context uses the resource: calCtxReleaseMem comes first');
    }
    this.release(resource);
  }

  /** Whoever uses it. */
  release(resource: Resource): void {
    resource.free();
    resource.owner.resources.delete(resource);
    this.#registry.handles.remove(resource);
  }

  /** Hands remote memory of a device that is closed to another one that shares it. */
  passOn(resource: Resource, open: Iterable<CalDevice>): boolean {
    const heir = [...open].find((device) => device !== resource.owner && resource.devices.includes(device));
    if (!heir) return false;
    resource.owner.resources.delete(resource);
    resource.owner = heir;
    heir.resources.add(resource);
    return true;
  }
}
