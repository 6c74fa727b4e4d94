/** What an import of a file with kernels asks for: `./saxpy.cl?options=-DN=8&device=webgpu`. */

/** How files with kernels become modules: what a plugin's options say of all of them, and a query of one. */
export interface ModuleOptions {
  /** Build options, as for clBuildProgram: `-D N=8 -cl-fast-relaxed-math`; of a .br file macros alone. */
  readonly options?: string | undefined;
  /** The id of the device that the kernels run on: `webgpu`, `native`, `interpreter`, that of a driver; default WebAssembly. */
  readonly device?: string | undefined;
  /** A graphics card, if there is one that takes the program; `program.fallback` says why not. Not together with `device`. */
  readonly prefer?: 'gpu' | undefined;
  /** Milliseconds that one launch may run before it is stopped. */
  readonly timeout?: number | undefined;
  /** Whether the program is there for devices of drivers, too, whose addresses have 64 bits. Default: if `device` is one. */
  readonly drivers?: boolean | undefined;
  /** Whether the module exports nothing but `load(options)`, which gives the program and its kernels. */
  readonly load?: boolean | undefined;
  /** Of an .il file: the formats of resources by their names, such as `{ i0: 'unorm8x4' }`; default `float32x4`. */
  readonly formats?: Readonly<Record<string, string>> | undefined;
}

export interface ModuleRequest {
  /** The file. */
  readonly path: string;
  /** With its question mark; empty if there is none. What bundlers add for themselves is not in it. */
  readonly query: string;
  readonly options: ModuleOptions;
  /** What is wrong with the query, for people. */
  readonly problems: readonly string[];
}

export type ModuleLanguage = 'cl' | 'br' | 'il';

/** What requests have that are for files with kernels. */
export const moduleFilter: RegExp = /\.(?:cl|br|il)(?:\?|$)/;

/** What bundlers' own queries ask: the text of a file, or its address. */
const others = new Set(['raw', 'url', 'inline', 'no-inline', 'worker', 'sharedworker']);
/** What bundlers add to tell versions of a module apart. */
const bundlers = /^(?:t|v|import|used|lang|commonjs-.*|html-proxy|direct)$/;

/** The language of a file by its name. */
export function languageOf(path: string): ModuleLanguage | undefined {
  const [, ending] = /\.(cl|br|il)$/.exec(path) ?? [];
  return ending as ModuleLanguage | undefined;
}

/**
 * What an import asks for, as bundlers resolve it: the path of the file and a query.
 * @param defaults what holds where the query says nothing
 * @returns undefined if it is no file with kernels, or somebody else's matter
 */
export function readRequest(id: string, defaults: ModuleOptions = {}): ModuleRequest | undefined {
  const [path = '', ...rest] = id.split('?');
  if (languageOf(path) === undefined || path.startsWith('\0')) return undefined;
  const words = rest.join('?');
  // Ends in a fragment only where somebody writes one.
  const parameters = new URLSearchParams(words.replace(/#.*$/, ''));
  if ([...parameters.keys()].some((key) => others.has(key))) return undefined;
  const options: { -readonly [Key in keyof ModuleOptions]: ModuleOptions[Key] } = { ...defaults };
  const problems: string[] = [];
  const kept: string[] = [];
  const given: string[] = [];
  for (const [key, value] of parameters) {
    if (bundlers.test(key)) continue;
    kept.push(value === '' ? key : `${key}=${value}`);
    switch (key) {
      case 'options':
        given.push(value);
        break;
      case 'device':
        options.device = value;
        options.prefer = undefined;
        break;
      case 'prefer':
        if (value !== 'gpu') problems.push(`prefer=${value}: only prefer=gpu is possible`);
        options.prefer = 'gpu';
        options.device = undefined;
        break;
      case 'timeout':
        if (!(Number(value) >= 0) || value === '')
          problems.push(`timeout=${value}: it is a number of milliseconds`);
        options.timeout = Number(value);
        break;
      case 'drivers':
      case 'load':
        options[key] = value !== 'false';
        break;
      default:
        if (/^[io]\d+$/.test(key) && path.endsWith('.il')) {
          options.formats = { ...options.formats, [key]: value };
          break;
        }
        problems.push(
          `a query has no '${key}' (it has options, device, prefer, timeout, drivers and load; a plus sign is a space)`,
        );
    }
  }
  // Those of the query come last, so that they count.
  if (given.length > 0) options.options = [defaults.options ?? '', ...given].join(' ').trim();
  return { path, query: kept.length === 0 ? '' : `?${kept.join('&')}`, options, problems };
}
