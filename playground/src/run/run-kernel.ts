/** Runs a kernel on the threads of the page, as `millrace run` does in a terminal. */
import { type CompileOptions, compile, devices, type Kernel, type LaunchRange, type Program } from 'millrace';
import { type BoundArgument, bindArguments } from '../../../src/cli/arguments/bind.ts';
import { guessGlobal, launchOnce, resultsOf } from '../../../src/cli/arguments/launch.ts';
import { readNamedSpecification, readSizes } from '../../../src/cli/arguments/specification.ts';
import type { Document } from '../document.ts';
import { readDirectives } from '../live/directives.ts';
import { drawnPicture } from '../live/drawn-picture.ts';
import { Frames, withSliders } from '../live/frames.ts';
import { cameraFile, stillWords } from '../live/words.ts';
import { failureOf } from './failure.ts';
import { addPicture, argumentHelpPlace, loadPhoto, pageFiles, photoName } from './files.ts';
import type { KernelOutcome, RunOutcome } from './outcome.ts';
import { resultOf } from './result-of.ts';

/** Milliseconds after which a kernel is stopped: a page is for trying things. */
const timeout = 20_000;

/** Never throws: what goes wrong is an outcome, too. */
export async function runKernel(document: Document): Promise<RunOutcome> {
  let printed = '';
  let program: Program | undefined;
  const began = performance.now();
  try {
    if (readDirectives(document.source).frame.length > 0) return await runFrame(document);
    program = await compile(document.source, {
      ...compileOptions(document),
      device: document.device,
      print: (text) => {
        printed += text;
      },
    });
    const buildMilliseconds = performance.now() - began;
    const kernel = chooseKernel(program, document.launch.kernel);
    const outcome = await launch(program, kernel, document);
    return { ...outcome, buildMilliseconds, printed, log: program.log };
  } catch (error) {
    const { message, log } = failureOf(error);
    return { kind: 'failed', message: printed && !log ? `${message}\n${printed}` : message, log };
  } finally {
    program?.release();
  }
}

/** The first frame of a document whose source says what a frame is. */
async function runFrame(document: Document): Promise<KernelOutcome> {
  let printed = '';
  const began = performance.now();
  const frames = await Frames.create(document, {
    print: (text) => {
      printed += text;
    },
  });
  try {
    const buildMilliseconds = performance.now() - began;
    const milliseconds = (await frames.run()) / 1e6;
    const { kernel, global, bound } = await frames.results();
    return {
      kind: 'kernel',
      kernel,
      global,
      milliseconds,
      buildMilliseconds,
      guesses: [],
      results: bound.flatMap((argument) => resultOf(argument, global)),
      printed,
      log: frames.program.log,
    };
  } finally {
    frames.release();
  }
}

export function compileOptions({ options }: Document): CompileOptions {
  return { name: 'kernel.cl', options, timeout };
}

export function chooseKernel(program: Program, name: string): Kernel {
  const names = program.kernelNames;
  const chosen = names.includes(name) ? name : names[0];
  if (chosen === undefined) throw new Error('The source has no kernel.');
  return program.kernel(chosen);
}

/** Binds the arguments that the form has and guesses the others. */
export async function planLaunch(
  kernel: Kernel,
  { source, launch: { global: globalText, local: localText, args: given } }: Document,
): Promise<{ readonly bound: readonly BoundArgument[]; readonly range: LaunchRange }> {
  const sizes = (text: string, what: string) => (text.trim() ? readSizes(text, what, 1) : undefined);
  const asked = sizes(globalText, 'Work-items');
  const local = sizes(localText, 'Work-group');
  const names = kernel.parameters.map(({ name }) => name);
  const { args, cameras } = stillWords(kernel.parameters, withSliders(given, readDirectives(source)));
  for (const [width, height] of cameras)
    addPicture(cameraFile(width, height), drawnPicture(width, height, 0));
  const words = Object.entries(args).filter(([name, text]) => names.includes(name) && text.trim());
  if (words.some(([, text]) => text === photoName)) await loadPhoto();
  const bound = bindArguments(
    kernel.parameters,
    words.map(([name, text]) => readNamedSpecification(`${name}=${text.trim()}`)),
    {
      workItems: asked?.reduce((product, size) => product * size, 1),
      launchSize: asked?.length === 2 ? { width: asked[0]!, height: asked[1]! } : undefined,
      largestBuffer: devices({ drivers: false })[0]!.info.maxMemAllocSize,
      files: pageFiles,
      help: argumentHelpPlace,
    },
  );
  return { bound, range: { global: asked ?? guessGlobal(bound, local, kernel), local } };
}

async function launch(
  program: Program,
  kernel: Kernel,
  document: Document,
): Promise<Omit<KernelOutcome, 'buildMilliseconds' | 'printed' | 'log'>> {
  const { bound, range } = await planLaunch(kernel, document);
  const { global } = range;
  const { started, ended } = await launchOnce(program, kernel, range, bound, true);
  return {
    kind: 'kernel',
    kernel: kernel.name,
    global,
    milliseconds: Number(ended - started) / 1e6,
    guesses: bound.flatMap(({ parameter, guess }) => (guess ? [`${parameter.name}=${guess}`] : [])),
    results: resultsOf(bound).flatMap((argument) => resultOf(argument, global)),
  };
}
