/** What a person works on: a source and how it is run. It is what links carry, so its fields are short and plain. */

/** `brook` is a whole program, with the host's part behind the kernels, or the kernels of a case study. */
export type Language = 'opencl' | 'brook' | 'il' | 'c';

/** How a kernel is launched, in the words of the command line; see src/cli/arguments. */
export interface Launch {
  /** Empty: the source's only or first kernel. */
  readonly kernel: string;
  /** `1024`, `640,480`; empty: one work-item an element or pixel. */
  readonly global: string;
  /** Empty: chosen. */
  readonly local: string;
  /** By parameter, `zeros:1024`; what is missing is guessed. */
  readonly args: Readonly<Record<string, string>>;
}

/** What a program finds beside its words. */
export interface Surroundings {
  /** All of its standard input. */
  readonly input: string;
  /** What devices say that they are; programs that look for nothing else find no other. */
  readonly deviceType: DeviceType;
}

export const deviceTypes = ['cpu', 'gpu', 'accelerator'] as const;
export type DeviceType = (typeof deviceTypes)[number];

export const plainSurroundings: Surroundings = { input: '', deviceType: 'cpu' };

export interface Document {
  readonly name: string;
  readonly language: Language;
  readonly source: string;
  /** Of kernels, as for clBuildProgram; of programs what they are started with, `NAME=VALUE ... argument ...`. */
  readonly options: string;
  readonly launch: Launch;
  /** One of the project's case studies, whose host program runs the kernels; empty: one launch of one kernel. */
  readonly study: string;
  /** Of programs; absent where nothing is said, as in links of earlier times. */
  readonly surroundings?: Surroundings | undefined;
  /** Where kernels in OpenCL C run; absent: on WebAssembly. */
  readonly device?: 'webgpu' | undefined;
  /** It moves: frames are drawn as soon as it is opened. */
  readonly live?: true | undefined;
}

/** Whether a person may choose where a document runs. */
export function hasDevices({ language, ...rest }: Document): boolean {
  return language === 'opencl' && runKindOf({ language, ...rest }) !== 'program';
}

/** Whether it can be drawn frame after frame. */
export function canMove(document: Document): boolean {
  return document.language === 'opencl' && runKindOf(document) === 'kernel';
}

/** The file name's ending of a language. */
export const endings: Readonly<Record<Language, string>> = {
  opencl: '.cl',
  brook: '.br',
  il: '.il',
  c: '.c',
};

/** Who has `main`: the page launches kernels, a case study has a host program of its own, and a program is one. */
export type RunKind = 'kernel' | 'study' | 'program';

export function runKindOf({ language, study }: Document): RunKind {
  if (study !== '') return 'study';
  return language === 'c' || language === 'brook' ? 'program' : 'kernel';
}

export const noLaunch: Launch = { kernel: '', global: '', local: '', args: {} };

/** Whether what a link brought is a document. */
export function isDocument(value: unknown): value is Document {
  if (typeof value !== 'object' || value === null) return false;
  const { name, language, source, options, launch, study, surroundings, device, live } = value as Record<
    string,
    unknown
  >;
  if (![name, language, source, options, study].every((text) => typeof text === 'string')) return false;
  if (!Object.hasOwn(endings, language as string) || typeof launch !== 'object' || launch === null)
    return false;
  if (device !== undefined && device !== 'webgpu') return false;
  if (live !== undefined && live !== true) return false;
  if (surroundings !== undefined && !areSurroundings(surroundings)) return false;
  const { kernel, global, local, args } = launch as Record<string, unknown>;
  return (
    [kernel, global, local].every((text) => typeof text === 'string') &&
    typeof args === 'object' &&
    args !== null &&
    Object.values(args).every((text) => typeof text === 'string')
  );
}

function areSurroundings(value: unknown): value is Surroundings {
  if (typeof value !== 'object' || value === null) return false;
  const { input, deviceType } = value as Record<string, unknown>;
  return typeof input === 'string' && deviceTypes.some((one) => one === deviceType);
}
