/**
 * Runs a program in AMD IL on the threads of the page, through CAL: its symbols get resources of four floats an element, which
 * are made of the same words as the arguments of kernels. Outputs of pixel programs are as large as the domain.
 */
import * as cal from 'millrace/cal';
import { examineIl, type IlExamination } from 'millrace/examine-il';
import { bind, check, given, load } from '../../../samples/cal-support/cal-steps.ts';
import { type BoundArgument, bindArguments, elementsOf } from '../../../src/cli/arguments/bind.ts';
import { describeBuffer } from '../../../src/cli/arguments/describe.ts';
import type { Elements } from '../../../src/cli/arguments/elements.ts';
import { elementsToPicture } from '../../../src/cli/arguments/pixels.ts';
import {
  type PictureSize,
  readNamedSpecification,
  readSizes,
} from '../../../src/cli/arguments/specification.ts';
import type { Document } from '../document.ts';
import { argumentHelpPlace, loadPhoto, pageFiles, photoName } from './files.ts';
import type { ResultBuffer, RunOutcome } from './outcome.ts';

const summaryWidth = 110;
/** Smaller domains are numbers rather than pictures. */
const leastPicture = 16;

/** Never throws: what goes wrong is an outcome, too. */
export async function runIl(document: Document): Promise<RunOutcome> {
  try {
    check(cal.calInit());
  } catch (error) {
    return { kind: 'failed', message: (error as Error).message };
  }
  try {
    return await launch(document);
  } catch (error) {
    const { message } = error as Error;
    return message.includes('\n')
      ? { kind: 'failed', message: 'The source has errors.', log: message }
      : { kind: 'failed', message };
  } finally {
    cal.calShutdown();
  }
}

async function launch({ source, launch: { global, args } }: Document): Promise<RunOutcome> {
  const began = performance.now();
  const device = given(cal.calDeviceOpen(0));
  const context = given(cal.calCtxCreate(device));
  const { target } = given(cal.calDeviceGetInfo(0))!;
  // Mistakes are told by the compiler.
  const module = load(context, target, source);
  const built = performance.now();
  const program = examineIl(source);
  if (Object.values(args).some((text) => text === photoName)) await loadPhoto();
  const { bound, domain } = bindSymbols(program, global, args);
  const resources: { argument: BoundArgument; resource: cal.CALresource; size: PictureSize }[] = [];
  for (const argument of bound)
    resources.push({ argument, ...(await resourceFor(device, argument, domain)) });
  for (const { argument, resource } of resources) bind(context, module, argument.parameter.name, resource);
  const started = performance.now();
  await runOver(context, module, program, domain);
  const milliseconds = performance.now() - started;
  const results: ResultBuffer[] = [];
  for (const { argument, resource, size } of resources) {
    if (!argument.parameter.isConst) results.push(await resultOf(argument, resource, size));
  }
  return {
    kind: 'kernel',
    kernel: 'main',
    global: [domain.width, domain.height],
    milliseconds,
    buildMilliseconds: built - began,
    guesses: bound.flatMap(({ parameter, guess }) => (guess ? [`${parameter.name}=${guess}`] : [])),
    results,
    printed: '',
    log: '',
  };
}

/** The symbols as arguments, and the domain: what was asked for, or the size of the first input. */
function bindSymbols(
  { kernels, shader }: IlExamination,
  global: string,
  args: Document['launch']['args'],
): { bound: readonly BoundArgument[]; domain: PictureSize } {
  const parameters = kernels[0]?.parameters ?? [];
  const asked = global.trim() ? readSizes(global, 'Work-items', 1) : undefined;
  const ofLaunch = asked && { width: asked[0]!, height: (asked[1] ?? 1) * (asked[2] ?? 1) };
  const bindAll = (size: PictureSize | undefined, which: typeof parameters) =>
    bindArguments(
      which,
      which.flatMap(({ name, isConst }) => {
        // What nobody said about an output is that it is empty.
        const words = args[name]?.trim() || (isConst ? '' : 'zeros');
        return words ? [readNamedSpecification(`${name}=${words}`)] : [];
      }),
      {
        workItems: size && size.width * size.height,
        launchSize: size,
        largestBuffer: 2 ** 30,
        files: pageFiles,
        help: argumentHelpPlace,
      },
    );
  const isOutput = ({ name }: { name: string }) => shader === 'ps' && /^o\d/.test(name);
  const inputs = bindAll(
    ofLaunch,
    parameters.filter((one) => !isOutput(one)),
  );
  const first = inputs.find(({ parameter }) => /^i\d/.test(parameter.name));
  const count = first && elementsOf(first)?.count;
  const domain = ofLaunch ?? first?.picture ?? (count ? { width: count, height: 1 } : undefined);
  if (!domain) throw new Error('Say how large the domain is under Work-items, as in 640,480.');
  return { bound: [...inputs, ...bindAll(domain, parameters.filter(isOutput))], domain };
}

async function resourceFor(
  device: cal.CALdevice,
  { parameter, picture, ...argument }: BoundArgument,
  domain: PictureSize,
): Promise<{ resource: cal.CALresource; size: PictureSize }> {
  const elements = elementsOf({ parameter, ...argument });
  if (!elements) throw new Error(`'${parameter.name}' takes a buffer, as in zeros:640x480`);
  const isOutput = /^o\d/.test(parameter.name) && elements.count === domain.width * domain.height;
  const size = picture ?? (isOutput ? domain : { width: elements.count, height: 1 });
  const { width, height } = size;
  const flags = /^(g|uav)/.test(parameter.name) ? cal.CAL_RESALLOC_GLOBAL_BUFFER : 0;
  const resource =
    parameter.kind === 'constant'
      ? given(cal.calResAllocRemote1D([device], 1, width * height, cal.CAL_FORMAT_FLOAT_4, 0))
      : height === 1
        ? given(cal.calResAllocLocal1D(device, width, cal.CAL_FORMAT_FLOAT_4, flags))
        : given(cal.calResAllocLocal2D(device, width, height, cal.CAL_FORMAT_FLOAT_4, flags));
  const numbers = new Float32Array(elements.bytes.buffer);
  await mapped(resource, (data, pitch) => {
    for (let y = 0; y < height; y++)
      data.set(numbers.subarray(4 * y * width, 4 * (y + 1) * width), 4 * y * pitch);
  });
  return { resource, size };
}

/** A resource in this thread's hands. To sleep until it is would keep the device's threads from starting. */
async function mapped(
  resource: cal.CALresource,
  use: (data: Float32Array, pitch: number) => void,
): Promise<void> {
  const [result, data, pitch] = await cal.calAwaitMap(resource, 0);
  check(result);
  use(data as Float32Array, pitch);
  check(cal.calResUnmap(resource));
}

async function runOver(
  context: cal.CALcontext,
  module: cal.CALmodule,
  { groupSize }: IlExamination,
  { width, height }: PictureSize,
): Promise<void> {
  const func = given(cal.calModuleGetEntry(context, module, 'main'));
  if (!groupSize) {
    const event = given(cal.calCtxRunProgram(context, func, { x: 0, y: 0, width, height }));
    check(await cal.calAwaitEvent(context, event));
    return;
  }
  const [x, y, z] = groupSize;
  const groups = { width: Math.ceil(width / x), height: Math.ceil(height / y), depth: 1 };
  const gridBlock = { width: x, height: y, depth: z };
  const event = given(cal.calCtxRunProgramGrid(context, { func, gridBlock, gridSize: groups }));
  check(await cal.calAwaitEvent(context, event));
}

async function resultOf(
  argument: BoundArgument,
  resource: cal.CALresource,
  { width, height }: PictureSize,
): Promise<ResultBuffer> {
  const elements = elementsOf(argument) as Elements;
  const numbers = new Float32Array(elements.bytes.buffer);
  await mapped(resource, (data, pitch) => {
    for (let y = 0; y < height; y++) {
      const row = data.subarray(4 * y * pitch, 4 * (y * pitch + width));
      numbers.set(row, 4 * y * width);
    }
  });
  const { name, typeName } = argument.parameter;
  return {
    name,
    typeName,
    summary: describeBuffer(name, elements, summaryWidth, undefined),
    picture: Math.min(width, height) >= leastPicture ? elementsToPicture(elements, width, height) : undefined,
    numbers,
    lanes: elements.shape.places.length,
  };
}
