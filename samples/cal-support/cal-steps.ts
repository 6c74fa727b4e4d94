// What the CAL samples share. CAL's functions give results instead of throwing; a sample that gets anything but OK ends here.
import * as cal from 'millrace/cal';

/** Takes a line of what a sample prints. */
export type Print = (line: string) => void;

/** Ends the sample unless the call was right. */
export function check(result: cal.CALresult): void {
  if (result !== cal.CAL_RESULT_OK) throw new Error(`${result}: ${cal.calGetErrorString()}`);
}

/** What a call gives beside its result. */
export function given<T>([result, value]: readonly [cal.CALresult, T, ...unknown[]]): T {
  check(result);
  return value;
}

/** Compiles a program for a device and loads it into a context. */
export function load(context: cal.CALcontext, target: cal.CALtarget, source: string): cal.CALmodule {
  const [compiled, object] = cal.calclCompile(cal.CAL_LANGUAGE_IL, source, target);
  if (compiled !== cal.CAL_RESULT_OK) throw new Error(cal.calclGetErrorString());
  const image = given(cal.calclLink([object], 1));
  const module = given(cal.calModuleLoad(context, image));
  cal.calclFreeImage(image);
  cal.calclFreeObject(object);
  return module;
}

/** Binds a resource to a symbol of a program, and gives its memory handle. */
export function bind(
  context: cal.CALcontext,
  module: cal.CALmodule,
  symbol: string,
  resource: cal.CALresource,
): cal.CALmem {
  const mem = given(cal.calCtxGetMem(context, resource));
  check(cal.calCtxSetMem(context, given(cal.calModuleGetName(context, module, symbol)), mem));
  return mem;
}

/** Runs a program over a rectangle that begins at the origin, and waits for its end. */
export async function run(
  context: cal.CALcontext,
  module: cal.CALmodule,
  width: number,
  height: number,
): Promise<void> {
  const func = given(cal.calModuleGetEntry(context, module, 'main'));
  const event = given(cal.calCtxRunProgram(context, func, { x: 0, y: 0, width, height }));
  // A loop over calCtxIsEventDone does it, too, where the thread may be kept busy.
  check(await cal.calAwaitEvent(context, event));
}

/** A mapped resource, which `use` may read and write. */
export function mapped(
  resource: cal.CALresource,
  use: (data: cal.ResourceData, pitch: number) => void,
): void {
  const [result, data, pitch] = cal.calResMap(resource, 0);
  check(result);
  use(data!, pitch);
  check(cal.calResUnmap(resource));
}
