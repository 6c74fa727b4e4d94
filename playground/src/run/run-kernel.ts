/** Runs a kernel on the threads of the page, as `millrace run` does in a terminal. */
import { type CompileOptions, compile, devices, type Kernel, type LaunchRange, type Program } from 'millrace';
import { type BoundArgument, bindArguments, elementsOf } from '../../../src/cli/arguments/bind.ts';
import { describeBuffer, pictureOf } from '../../../src/cli/arguments/describe.ts';
import { guessGlobal, launchOnce, resultsOf } from '../../../src/cli/arguments/launch.ts';
import { pixelForm } from '../../../src/cli/arguments/pixels.ts';
import { readNamedSpecification, readSizes } from '../../../src/cli/arguments/specification.ts';
import type { Document } from '../document.ts';
import { failureOf } from './failure.ts';
import { argumentHelpPlace, loadPhoto, pageFiles, photoName } from './files.ts';
import type { KernelOutcome, ResultBuffer, RunOutcome } from './outcome.ts';

/** Milliseconds after which a kernel is stopped: a page is for trying things. */
const timeout = 20_000;
const summaryWidth = 110;

/** Never throws: what goes wrong is an outcome, too. */
export async function runKernel(document: Document): Promise<RunOutcome> {
  let printed = '';
  let program: Program | undefined;
  const began = performance.now();
  try {
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
  { launch: { global: globalText, local: localText, args } }: Document,
): Promise<{ readonly bound: readonly BoundArgument[]; readonly range: LaunchRange }> {
  const sizes = (text: string, what: string) => (text.trim() ? readSizes(text, what, 1) : undefined);
  const asked = sizes(globalText, 'Work-items');
  const local = sizes(localText, 'Work-group');
  const names = kernel.parameters.map(({ name }) => name);
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

function resultOf(argument: BoundArgument, global: readonly number[]): ResultBuffer[] {
  const elements = elementsOf(argument);
  if (!elements) return [];
  const { name, typeName } = argument.parameter;
  const isPicture = argument.picture !== undefined || pixelForm(elements.shape) === 'bytes';
  return [
    {
      name,
      typeName,
      summary: describeBuffer(name, elements, summaryWidth, undefined),
      picture: isPicture && pixelForm(elements.shape) ? pictureOf(argument, global) : undefined,
      numbers: elements.entries(),
      lanes: elements.shape.places.length,
    },
  ];
}
