/**
 * MPI for programs in C and C++ that run as WebAssembly: the functions of include/mpi.h as the imports of the module "MPI". Data is not copied:
 * the engine works in the program's own memory. Numbers and handles are translated by the table of signatures; what that cannot say is here.
 */
import { handles, numbers as standard } from '../constants.ts';
import { prepareEnd } from '../current.ts';
import { type Library, loadLibrary } from '../library.ts';
import { abort, checkLauncher, watchEnd } from '../process.ts';
import { signatures } from '../signatures.ts';
import { Converted, toEngine, toProgram } from './convert.ts';
import { Operations } from './operations.ts';
import { Program, type ProgramHost } from './program.ts';
import { messagesFit, packedFits } from './ranges.ts';

export type { ProgramHost } from './program.ts';

/** The module that programs import. */
export const mpiModule = 'MPI';

export type MPIFunction = (...args: number[]) => number;

/** The program of the first call, which opens the library. */
type Opened = () => Program;

export interface ProgramFunctions {
  readonly functions: Readonly<Record<string, MPIFunction>>;
  /** For programs with threads, whose calls that wait are asked for again and again (begun.ts). */
  readonly program: Opened;
}

/** All functions of the module, for one program. */
export function mpiFunctions(host: ProgramHost): ProgramFunctions {
  let program: Program | undefined;
  const opened: Opened = () => {
    if (program) return program;
    const library = loadLibrary();
    if (typeof library === 'string') host.fail(library);
    program = new Program(library as Library, host);
    return program;
  };
  const functions: Record<string, MPIFunction> = {};
  for (const name of signatures.keys()) functions[name] = (...args) => callEngine(opened(), name, args);
  return { functions: { ...functions, ...special(opened, functions) }, program: opened };
}

/** A call as the table has it. */
export function callEngine(program: Program, name: string, args: readonly number[]): number {
  if (!messagesFit(program, name, args)) return refuse(program, name, args);
  const call = new Converted(program, name, args);
  const code = program.library.function(name)(...call.values);
  call.finish();
  throwEscaped(program);
  if (code !== 0) return program.errors.raise(name, commOf(name, args), code);
  const made = signatures.get(name)!.indexOf('+comm');
  if (made >= 0) program.errors.inherit(program.int(args[made]!), commOf(name, args)!);
  return 0;
}

/** The communicator that a call is about, by the program's number. */
function commOf(name: string, args: readonly number[]): number | undefined {
  const at = signatures.get(name)!.indexOf('comm');
  return at < 0 ? undefined : args[at]! >>> 0;
}

/** @throws what a function of the program threw inside of the engine: its end, say */
export function throwEscaped(program: Program): void {
  const thrown = program.escaped;
  if (!thrown) return;
  program.escaped = undefined;
  throw thrown.error;
}

/** What an engine would do about a buffer that is none. */
function refuse(program: Program, name: string, args: readonly number[]): number {
  const code = program.library.table.errorClasses.indexOf('MPI_ERR_BUFFER');
  return program.errors.raise(name, commOf(name, args), code);
}

function special(
  opened: Opened,
  plain: Readonly<Record<string, MPIFunction>>,
): Readonly<Record<string, MPIFunction>> {
  const operations = new Operations(opened);
  const begin = (program: Program, level: number, place: number): number => {
    const { library } = program;
    const provided = new Int32Array(1);
    const code = library.function('MPI_Init_thread')(0, 0, level, library.addressOf(provided));
    if (code === 0) {
      watchEnd(library);
      checkLauncher(library);
      program.errors.begin();
    }
    if (place !== 0) program.setInt(place, toProgram('level', provided[0]!, library.table.numbers));
    return program.codes.number(code);
  };
  return {
    MPI_Init() {
      const program = opened();
      return begin(program, program.library.table.numbers.MPI_THREAD_FUNNELED, 0);
    },
    MPI_Init_thread(_argc, _argv, level, provided) {
      const program = opened();
      program.check(provided!, 4);
      return begin(program, toEngine('level', level!, program.library.table.numbers), provided!);
    },
    MPI_Query_thread(place) {
      const program = opened();
      const code = plain['MPI_Query_thread']!(place!);
      if (code === 0)
        program.setInt(place!, toProgram('level', program.int(place!), program.library.table.numbers));
      return code;
    },
    MPI_Finalize() {
      const program = opened();
      prepareEnd();
      return program.codes.number(program.library.function('MPI_Finalize')());
    },
    MPI_Abort(_comm, code) {
      abort(opened().library, code!);
      return 0;
    },
    MPI_Error_string(code, text, length) {
      return plain['MPI_Error_string']!(opened().codes.engine(code!), text!, length!);
    },
    MPI_Error_class(code, place) {
      const program = opened();
      program.setInt(place!, program.codes.classOf(code!));
      return 0;
    },
    MPI_Comm_call_errhandler(comm, code) {
      const program = opened();
      program.errors.raise('MPI_Comm_call_errhandler', comm! >>> 0, program.codes.engine(code!));
      return 0;
    },
    MPI_Comm_set_errhandler(comm, handler) {
      // The engine says whether both are what they should be.
      const program = opened();
      const { MPI_ERRORS_ARE_FATAL, MPI_ERRORS_RETURN } = handles;
      const isKnown = handler === MPI_ERRORS_ARE_FATAL || handler === MPI_ERRORS_RETURN;
      const code = plain['MPI_Comm_set_errhandler']!(comm!, isKnown ? MPI_ERRORS_RETURN : handler!);
      if (code === 0) program.errors.set(comm! >>> 0, handler!);
      return code;
    },
    MPI_Comm_get_errhandler(comm, place) {
      const program = opened();
      const code = plain['MPI_Comm_get_errhandler']!(comm!, place!);
      if (code === 0) program.setInt(place!, program.errors.of(comm! >>> 0));
      return code;
    },
    MPI_Buffer_detach(pointerPlace, sizePlace) {
      const program = opened();
      program.check(pointerPlace!, 4);
      program.check(sizePlace!, 4);
      const place = new BigUint64Array(1);
      const { library } = program;
      const code = library.function('MPI_Buffer_detach')(
        library.addressOf(place),
        program.address(sizePlace!),
      );
      if (code === 0) program.setInt(pointerPlace!, Number(place[0]) - program.base);
      return program.codes.number(code);
    },
    MPI_Pack(...args) {
      const program = opened();
      if (!packedFits(program, 'MPI_Pack', args)) return refuse(program, 'MPI_Pack', args);
      return plain['MPI_Pack']!(...args);
    },
    MPI_Unpack(...args) {
      const program = opened();
      if (!packedFits(program, 'MPI_Unpack', args)) return refuse(program, 'MPI_Unpack', args);
      return plain['MPI_Unpack']!(...args);
    },
    MPI_Comm_get_attr(comm, keyval, place, flag) {
      return attribute(opened(), comm!, keyval!, place!, flag!);
    },
    MPI_Op_create: (pointer, commutes, place) => operations.create(pointer!, commutes!, place!),
    MPI_Op_free: (place) => operations.free(place!, plain['MPI_Op_free']!),
    MPI_Wtime: () => opened().library.clock('MPI_Wtime'),
    MPI_Wtick: () => opened().library.clock('MPI_Wtick'),
  };
}

/** Where attributes are copied to: the engine gives pointers to its own memory. */
const attributes = new WeakMap<Program, number>();
/** Their numbers follow each other. */
const attributeNumbers = 7;

function attribute(program: Program, comm: number, keyval: number, place: number, flag: number): number {
  const { library, host } = program;
  program.check(place, 4);
  program.check(flag, 4);
  const [found, wide] = [new Int32Array(1), new BigUint64Array(1)];
  const number = toEngine('keyval', keyval, library.table.numbers);
  const code = library.function('MPI_Comm_get_attr')(
    program.handles.engine('comm', comm >>> 0),
    number,
    library.addressOf(wide),
    library.addressOf(found),
  );
  if (code !== 0) return program.codes.number(code);
  program.setInt(flag, found[0]!);
  if (found[0] === 0) return 0;
  const [value] = new Int32Array(library.view(Number(wide[0]), 4));
  let block = attributes.get(program);
  if (block === undefined) {
    block = host.take(4 * attributeNumbers)?.start;
    if (block === undefined)
      return program.codes.number(library.table.errorClasses.indexOf('MPI_ERR_NO_MEM'));
    attributes.set(program, block);
  }
  const at = block + 4 * (keyval - standard.MPI_TAG_UB);
  program.setInt(at, value!);
  program.setInt(place, at);
  return 0;
}
