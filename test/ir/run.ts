/** Runs IR text on the interpreter, for tests. */
import {
  Interpreter,
  type InterpreterOptions,
  type LaunchArgument,
  type LaunchRange,
} from '../../src/ir/interpreter.ts';
import type * as ir from '../../src/ir/ir.ts';
import { parseModule } from '../../src/ir/parse.ts';
import { assertValid } from '../../src/ir/verify.ts';

/** A buffer (changed in place), a by-value argument's bytes, or a size of local memory. */
export type Argument = ArrayBufferView | { value: ArrayBufferView } | { local: number };

export function bytesOf(view: ArrayBufferView): Uint8Array {
  return new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
}

/** Reads a module and checks it. */
export function moduleOf(text: string, addressBits: 32 | 64 = 32): ir.Module {
  const module = parseModule(`module address=${addressBits}\n${text}`, 'test.ir');
  assertValid(module, 'parsing');
  return module;
}

/** Runs the module's only kernel; one work-item unless told otherwise. */
export function run(
  module: ir.Module | string,
  args: readonly Argument[],
  range: LaunchRange = { globalSize: [1], localSize: [1] },
  options: InterpreterOptions = {},
): void {
  const loaded = typeof module === 'string' ? moduleOf(module) : module;
  const machine = new Interpreter(loaded, options);
  const kernel = loaded.functions.find((fn) => fn.kind === 'kernel')!;
  const launchArguments = args.map((argument, index): LaunchArgument => {
    if ('local' in argument) return { kind: 'local', size: argument.local };
    if ('value' in argument) return { kind: 'bytes', bytes: bytesOf(argument.value) };
    const name = kernel.parameters[index]?.value.name ?? `${index}`;
    return { kind: 'address', address: machine.allocate('global', bytesOf(argument), name) };
  });
  machine.launch(kernel.name, range, launchArguments);
}
