/** Runs of programs: what must be bound for them, their arguments, and the commands that they become. */
import type { Bindings, LoweredParameter } from '../../il/lower/interface.ts';
import type { KernelArgument } from '../../runtime/command.ts';
import type { RuntimeEvent } from '../../runtime/event.ts';
import { planLaunch } from '../../runtime/launch.ts';
import { Command, type Use } from './command.ts';
import * as C from './constants.ts';
import type { CalContext } from './context.ts';
import { CalError, failed, invalid } from './error.ts';
import type { Func, Module, Name, Variant } from './module.ts';
import { orFailed, type Resource } from './resource.ts';
import type { CALdomain, CALdomain3D } from './structures.ts';

/** What one launch does; `domain` is that of pixel programs. */
export interface Run {
  readonly module: Module;
  readonly domain: CALdomain;
  /** Of grids: threads along the third dimension. */
  readonly depth?: number | undefined;
  readonly bindings: Bindings;
  readonly uses: readonly Use[];
  readonly issue: (waits: readonly RuntimeEvent[]) => RuntimeEvent;
}

const mostThreads = 2 ** 31 - 1;

/**
 * A pixel program over a rectangle of its output.
 * @throws CalError CAL_RESULT_ERROR if something is not bound, mapped, or not the device's
 */
export function planRun(context: CalContext, func: Func, domain: CALdomain): Run {
  const { module } = func;
  if (module.lowered.shader === 'cs') throw failed('a compute program runs in a grid: calCtxRunProgramGrid');
  const { x, y, width, height } = domain;
  const isCount = (value: number): boolean => Number.isInteger(value) && value >= 0 && value <= mostThreads;
  if (![x, y, width, height, x + width, y + height].every(isCount)) {
    throw failed(`the domain of ${width} x ${height} from (${x}, ${y}) is none`);
  }
  return plan(context, module, domain, [width, height, 1], null);
}

/** A compute program in groups. @throws CalError CAL_RESULT_ERROR as {@link planRun} */
export function planGrid(context: CalContext, func: Func, block: CALdomain3D, size: CALdomain3D): Run {
  const { module } = func;
  const { shader, groupSize } = module.lowered;
  if (shader === 'ps' || groupSize === undefined)
    throw failed('a pixel program runs over a domain: calCtxRunProgram');
  const asked = [block.width, block.height, block.depth];
  if (asked.some((length, axis) => length !== groupSize[axis])) {
    throw failed(
      `the program is for groups of ${groupSize.join(' x ')} threads, the grid for ${asked.join(' x ')}`,
    );
  }
  const counts = [size.width, size.height, size.depth];
  if (
    !counts.every(
      (count, axis) => Number.isInteger(count) && count >= 0 && count * groupSize[axis]! <= mostThreads,
    )
  ) {
    throw failed(`a grid of ${counts.join(' x ')} groups is none`);
  }
  const global = counts.map((count, axis) => count * groupSize[axis]!) as [number, number, number];
  const domain = { x: 0, y: 0, width: global[0], height: global[1] };
  return plan(context, module, domain, global, groupSize);
}

/** The command of runs that follow each other. */
export function commandOf(context: CalContext, runs: readonly Run[]): Command {
  const uses = runs.flatMap((run) => run.uses);
  return new Command(context, context.queue, uses, (waits) => {
    let before: RuntimeEvent | undefined;
    for (const { issue } of runs) {
      const event: RuntimeEvent = issue(before ? [before] : waits);
      before?.release();
      before = event;
    }
    return before!;
  });
}

function plan(
  context: CalContext,
  module: Module,
  domain: CALdomain,
  global: readonly [number, number, number],
  local: readonly [number, number, number] | null,
): Run {
  const uses = usesOf(context, module);
  const variant = orFailed(() => module.variant());
  const { bindings } = variant;
  const depth = global[2];
  const { queue } = context;
  if (global.some((count) => count === 0)) {
    const issue = (waits: readonly RuntimeEvent[]): RuntimeEvent =>
      queue.enqueue(0, { kind: 'marker' }, waits);
    return { module, domain, depth, bindings, uses, issue };
  }
  const values = argumentsOf(module, variant, domain);
  const { info } = queue.device;
  const body = orFailed(() =>
    planLaunch(variant.kernel, info, values, { dimensions: 3, offset: null, global, local }),
  );
  const buffers = uses.map(({ resource }) => resource.buffer);
  return { module, domain, depth, bindings, uses, issue: (waits) => queue.enqueue(0, body, waits, buffers) };
}

/** The resources that a program uses. */
function usesOf(context: CalContext, module: Module): Use[] {
  const uses: Use[] = [];
  for (const name of module.names) {
    // Scratch memory is the device's own.
    if (name.isSampler || name.kind === 'x') continue;
    const { bound, symbol } = name;
    if (!bound) throw failed(`no memory is bound to '${symbol}'`);
    const { resource } = bound;
    if (resource.isMapped) throw failed(`the resource of '${symbol}' is mapped`);
    if (!resource.devices.includes(context.device)) {
      throw failed(`the resource of '${symbol}' is in the memory of another device`);
    }
    if (name.kind === 'g' && !resource.isGlobalBuffer) {
      throw failed(`the resource of '${symbol}' was not made with CAL_RESALLOC_GLOBAL_BUFFER`);
    }
    uses.push({ resource, writes: name.kind !== 'i' && name.kind !== 'cb' });
  }
  return uses;
}

function argumentsOf(module: Module, { lowered }: Variant, domain: CALdomain): KernelArgument[] {
  const resourceOf = (symbol: string): Resource => (module.name(symbol) as Name).bound!.resource;
  const memory = (resource: Resource): KernelArgument => ({
    kind: 'memory',
    range: { memory: resource.buffer, offset: 0 },
  });
  const shape = ({ shape: { width, height, pitch } }: Resource): KernelArgument =>
    words(width, height, pitch, 0);
  const argument = (parameter: LoweredParameter): KernelArgument => {
    switch (parameter.kind) {
      case 'domain':
        return words(domain.x, domain.y, domain.width, domain.height);
      case 'constants': {
        const symbol = `cb${parameter.index}`;
        const resource = resourceOf(symbol);
        checkConstants(symbol, resource, parameter.elements);
        return memory(resource);
      }
      case 'input':
        return memory(resourceOf(`i${parameter.index}`));
      case 'input-shape':
        return shape(resourceOf(`i${parameter.index}`));
      case 'output':
        return memory(resourceOf(`o${parameter.index}`));
      case 'output-shape':
        return shape(resourceOf(`o${parameter.index}`));
      case 'global':
        return memory(resourceOf('g'));
      case 'global-size':
        return words(Math.floor(resourceOf('g').shape.bytes / elementBytes));
      case 'uav':
        return memory(resourceOf(`uav${parameter.index}`));
      case 'uav-shape':
        return shape(resourceOf(`uav${parameter.index}`));
      case 'uav-size':
        return words(resourceOf(`uav${parameter.index}`).shape.bytes);
    }
  };
  return lowered.parameters.map(argument);
}

/** Of constant and global buffers: four components of 32 bits. */
const elementBytes = 16;

function checkConstants(symbol: string, { shape }: Resource, elements: number): void {
  const there = Math.floor(shape.bytes / elementBytes);
  if (there < elements) {
    throw failed(
      `the resource of '${symbol}' has ${there} constants, and the program has ${elements} of them`,
    );
  }
}

function words(...values: number[]): KernelArgument {
  return { kind: 'value', bytes: new Uint8Array(Int32Array.from(values).buffer) };
}

/** @throws CalError CAL_RESULT_NOT_SUPPORTED, CAL_RESULT_INVALID_PARAMETER for flags that say nothing here */
export function checkNoFlags(flags: number | undefined, what: string): void {
  if (flags === undefined || flags === 0) return;
  if (!Number.isInteger(flags)) throw invalid(`the flags of ${what} are no number`);
  throw new CalError(C.CAL_RESULT_INVALID_PARAMETER, `${what} has no flags yet: 0x${flags.toString(16)}`);
}
