/**
 * Kernels as programs in IL, as brcc kept them with -k: a pixel program whose main part reads the input streams at the thread's
 * position and calls the kernel, which is a function; subkernels are functions, too, one for each set of arrays that they
 * are called with. Behind the program stands what the runtime has to know, the trailer that begins with ##!!BRCC.
 *
 * Resources i are streams and gather arrays, outputs o# output streams, each in the order of the parameters; constants cb0[i] are
 * values in their order, behind them the sizes of the array that is scattered to, which is the global buffer.
 */
import type { CheckedKernel, Formal, Typed } from '../check/tree.ts';
import { scalarBytes } from '../types.ts';
import { Code, lanesOf, NoIl, type Operand, read, written } from './code.ts';
import { type Binding, emit, type Scope, valueType, writeLanes } from './expressions.ts';
import { emitStatements } from './statements.ts';

/** Outputs of a pixel program. */
const mostOutputs = 8;

/** The program with its trailer, or why there is none. */
export type IlText = { readonly text: string } | { readonly reason: string };

/** Writes a kernel that is launched. */
export function emitIl(kernel: CheckedKernel): IlText {
  try {
    return { text: new IlKernel(kernel).text() };
  } catch (failure) {
    if (!(failure instanceof NoIl)) throw failure;
    return { reason: failure.message };
  }
}

class IlKernel {
  readonly #kernel: CheckedKernel;
  readonly #code = new Code();
  readonly #at: string;
  readonly #functions = new Map<string, KernelFunction>();

  constructor(kernel: CheckedKernel) {
    this.#kernel = kernel;
    this.#at = this.#code.fresh();
  }

  text(): string {
    const code = this.#code;
    const { form, groupSize, formals } = this.#kernel;
    if (form === 'reduce') throw new NoIl('reductions are not written as IL yet');
    if (groupSize !== undefined) throw new NoIl('thread groups are not written as IL yet');
    for (const { role, type } of formals) {
      const value = valueType(type);
      if (role !== 'value' && scalarBytes(value.scalar) !== 4)
        throw new NoIl('streams of 8 and 16 bits are not written as IL yet');
    }
    const outputs = formals.filter(({ role }) => role === 'out');
    if (outputs.length > mostOutputs) throw new NoIl(`more than ${mostOutputs} outputs`);
    const resources = formals.filter(({ role }) => role === 'stream' || role === 'gather');
    const values = formals.filter(({ role }) => role === 'value');
    this.#position();
    const bindings = new Map<Formal, Binding>();
    for (const formal of formals) bindings.set(formal, this.#bind(formal, resources, values));
    const { number, parameters } = this.#functionOf(this.#kernel, bindings);
    for (const [formal, register] of parameters) {
      const binding = bindings.get(formal);
      if (binding?.kind === 'value') code.move(register, this.#whole(formal, binding.register));
    }
    code.add(`call ${number}`);
    for (const [index, formal] of outputs.entries()) {
      const value = this.#whole(formal, parameters.get(formal)!);
      code.add(`mov o${index}.xyzw,${read(value)}`);
    }
    const constants = values.length + (form === 'scatter' ? 1 : 0);
    const declarations = [
      ...outputs.map((_, index) => `dcl_output_usage(generic) o${index}.xyzw`),
      ...resources.map(
        (_, index) =>
          `dcl_resource_id(${index})_type(2d,unnorm)_fmtx(float)_fmty(float)_fmtz(float)_fmtw(float)`,
      ),
      'dcl_input_position_interp(linear_noperspective) v0.xy__',
      ...(constants > 0 ? [`dcl_cb cb0[${constants}]`] : []),
    ];
    return code.text('il_ps_2_0', declarations) + this.#trailer();
  }

  /** Pixels have their middles at a half. */
  #position(): void {
    const code = this.#code;
    const half = code.float(0.5);
    const corner = code.compute('sub', 2, { register: 'v0', lanes: 'xy' }, half);
    code.move(this.#at, code.compute('ftoi', 2, corner));
    const zero = code.bits(0);
    writeLanes(code, this.#at, 'zw', { register: zero.register, lanes: 'xx' });
  }

  #whole({ type }: Formal, register: string): Operand {
    return { register, lanes: lanesOf(valueType(type).width) };
  }

  /** What a parameter of the launched kernel is, in the main part. */
  #bind(formal: Formal, resources: readonly Formal[], values: readonly Formal[]): Binding {
    const code = this.#code;
    const { role, type } = formal;
    const { width } = valueType(type);
    const resource = resources.indexOf(formal);
    const register = role === 'gather' ? '' : code.fresh();
    switch (role) {
      case 'gather':
        return { kind: 'gather', resource };
      case 'stream':
        code.add(`sample_resource(${resource})_sampler(${resource}) ${written(register, width)},v0.xy00`);
        return { kind: 'value', register };
      case 'value': {
        const constant = { register: `cb0[${values.indexOf(formal)}]`, lanes: lanesOf(width) };
        code.move(register, constant);
        return { kind: 'value', register };
      }
      case 'scatter':
        code.move(register, { register: `cb0[${values.length}]`, lanes: 'xy' });
        return { kind: 'scatter', sizes: register };
      default: {
        // What a kernel does not write is 0.
        const zero = code.bits(0);
        code.move(register, { register: zero.register, lanes: 'x'.repeat(width) });
        return { kind: 'value', register };
      }
    }
  }

  /** The function of a kernel with arrays that are bound so; added when it is first asked for. */
  #functionOf(kernel: CheckedKernel, bindings: ReadonlyMap<Formal, Binding>): KernelFunction {
    const arrays = kernel.formals.map((formal) => {
      const binding = bindings.get(formal);
      return binding?.kind === 'gather' ? binding.resource : '';
    });
    const key = `${kernel.name} ${arrays.join(' ')}`;
    const known = this.#functions.get(key);
    if (known) return known;
    const code = this.#code;
    const own = new Map<Formal, Binding>();
    const parameters = new Map<Formal, string>();
    for (const formal of kernel.formals) {
      const binding = bindings.get(formal)!;
      if (binding.kind !== 'value') {
        own.set(formal, binding);
        continue;
      }
      const register = code.fresh();
      own.set(formal, { kind: 'value', register });
      parameters.set(formal, register);
    }
    const result = code.fresh();
    const scope: Scope = {
      code,
      at: this.#at,
      bindings: own,
      locals: new Map(),
      call: (callee, args, from) => this.#call(callee, args, from),
    };
    const number = code.addFunction(() => emitStatements(scope, kernel.body, result));
    const made = { number, parameters, result };
    this.#functions.set(key, made);
    return made;
  }

  /** Calls a subkernel: arguments to its registers, outputs back; a register of its own for what it returns. */
  #call(kernel: CheckedKernel, args: readonly Typed[], scope: Scope): string {
    const code = this.#code;
    const bindings = new Map<Formal, Binding>();
    const given: [Formal, Operand][] = [];
    for (const [index, formal] of kernel.formals.entries()) {
      const arg = args[index]!;
      if (arg.kind === 'array') {
        bindings.set(formal, scope.bindings.get(arg.formal)!);
        continue;
      }
      given.push([formal, emit(scope, arg)]);
      bindings.set(formal, { kind: 'value', register: '' });
    }
    const { number, parameters, result } = this.#functionOf(kernel, bindings);
    for (const [formal, value] of given) code.move(parameters.get(formal)!, value);
    code.add(`call ${number}`);
    for (const [formal, target] of given) {
      if (formal.role !== 'out') continue;
      writeLanes(code, target.register, target.lanes, this.#whole(formal, parameters.get(formal)!));
    }
    const register = code.fresh();
    const { result: type } = kernel;
    if (type.kind !== 'void')
      code.move(register, { register: result, lanes: lanesOf(valueType(type).width) });
    return register;
  }

  /** What the runtime has to know: arguments with their components, and of which outputs this pass writes which. */
  #trailer(): string {
    const { formals } = this.#kernel;
    const letters = { value: 'c', stream: 's', gather: 's', out: 'o', scatter: 'o', reduce: 'o' } as const;
    const list = formals.map(({ role, type, name }) => `##${letters[role]}:${valueType(type).width}:${name}`);
    const outputs = formals.filter(({ role }) => role === 'out' || role === 'scatter').length;
    const lines = [
      ' ',
      '##!!BRCC',
      `##narg:${formals.length}`,
      ...list,
      '##workspace:1024',
      `##!!multipleOutputInfo:0:${outputs}:`,
      '##!!fullAddressTrans:0:',
      '##!!reductionFactor:0:',
    ];
    return lines.map((line) => `${line}\n`).join('');
  }
}

/** A kernel as a function. */
interface KernelFunction {
  readonly number: number;
  /** The registers of its parameters, but for arrays. */
  readonly parameters: ReadonlyMap<Formal, string>;
  /** The register of what it returns. */
  readonly result: string;
}
