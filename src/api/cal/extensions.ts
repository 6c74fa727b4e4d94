/** Extensions: which there are, their versions, and the names of their functions (guide, B.4). */
import * as C from './constants.ts';
import { CalError } from './error.ts';

interface Extension {
  /** Undefined: the functions are there, and answer CAL_RESULT_NOT_SUPPORTED. */
  readonly version: readonly [major: number, minor: number] | undefined;
  readonly functions: readonly string[];
}

const extensions: ReadonlyMap<C.CALextid, Extension> = new Map<C.CALextid, Extension>([
  [C.CAL_EXT_D3D9, { version: undefined, functions: ['calD3D9Associate', 'calD3D9MapSurface'] }],
  [C.CAL_EXT_OPENGL, { version: undefined, functions: [] }],
  [C.CAL_EXT_D3D10, { version: undefined, functions: ['calD3D10Associate', 'calD3D10MapResource'] }],
  [
    C.CAL_EXT_COUNTERS,
    {
      version: [1, 0],
      functions: [
        'calCtxCreateCounter',
        'calCtxDestroyCounter',
        'calCtxBeginCounter',
        'calCtxEndCounter',
        'calCtxGetCounter',
      ],
    },
  ],
  [C.CAL_EXT_DOMAIN_PARAMS, { version: undefined, functions: ['calCtxRunProgramParams'] }],
  [C.CAL_EXT_RES_CREATE, { version: [1, 0], functions: ['calResCreate1D', 'calResCreate2D'] }],
  [
    C.CAL_EXT_COMPUTE_SHADER,
    {
      version: [1, 0],
      functions: ['calCtxRunProgramGrid', 'calCtxRunProgramGridArray', 'calModuleGetFuncInfo'],
    },
  ],
  [
    C.CAL_EXT_SAMPLER_PARAM,
    { version: [1, 0], functions: ['calCtxSetSamplerParams', 'calCtxGetSamplerParams'] },
  ],
  [C.CAL_EXT_WAIT_FOR_EVENTS, { version: [1, 0], functions: ['calCtxWaitForEvents'] }],
]);

/** @throws CalError CAL_RESULT_NOT_SUPPORTED */
export function supportedExtension(
  id: C.CALextid,
): Required<Extension> & { version: readonly [number, number] } {
  const extension = extensions.get(id);
  if (!extension?.version) throw notSupported(`the extension 0x${Number(id).toString(16)}`);
  return { ...extension, version: extension.version };
}

/** @throws CalError CAL_RESULT_NOT_SUPPORTED if the extension or the function is not there */
export function checkProcedure(id: C.CALextid, name: string): void {
  if (!supportedExtension(id).functions.includes(name)) throw notSupported(`'${name}' of the extension`);
}

/** The place of a function among all of the extensions that there are, from 1: include/cal_ext.h has them in this order. */
export function placeOfProcedure(id: C.CALextid, name: string): number {
  checkProcedure(id, name);
  const all = [...extensions.values()].flatMap(({ version, functions }) => (version ? functions : []));
  return all.indexOf(name) + 1;
}

export function notSupported(what: string): CalError {
  return new CalError(C.CAL_RESULT_NOT_SUPPORTED, `${what} is not supported`);
}
