/**
 * Kernels as programs in IL, as brcc kept them with -k: a program whose main part reads the input streams at the thread's position and
 * calls the kernel, which is a function; subkernels are functions, too, one for each set of arrays that they are called with.
 * Behind the program stands what the runtime has to know, the trailer that begins with ##!!BRCC.
 *
 * What a launch gives a program, docs/brook.md says under *IL*: resources are streams and gather arrays, outputs o# output streams,
 * constants cb0[i] values, each in the order of the parameters and one for each leaf of a structure; behind the values stand
 * the sizes that the program needs. The global buffer is the array that is scattered to.
 */
import type { CheckedKernel, Formal, Typed } from '../check/tree.ts';
import type { ElementType } from '../types.ts';
import { numberOf } from './arithmetic.ts';
import { Code, NoIl, type Operand, read } from './code.ts';
import { sampled, toResource } from './elements.ts';
import { emit, emitAll } from './expressions.ts';
import type { Binding, Group, Scope } from './scope.ts';
import { emitStatements } from './statements.ts';
import { trailer } from './trailer.ts';
import { joined, laneCount, lanesFor, leavesOf, whole, writeLanes } from './values.ts';

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
  readonly #group: Group | undefined;
  /** Constants and resources so far. */
  #constants = 0;
  #resources = 0;

  constructor(kernel: CheckedKernel) {
    this.#kernel = kernel;
    this.#at = this.#code.fresh();
    const { shared, groupSize } = kernel;
    if (shared && groupSize !== undefined) this.#group = { share: Math.ceil(shared.size / groupSize) };
  }

  text(): string {
    const { groupSize, form } = this.#kernel;
    if (form === 'reduce') this.#reduction();
    else if (groupSize === undefined) this.#map();
    else this.#threadGroup();
    const code = this.#code;
    const header = groupSize === undefined ? 'il_ps_2_0' : 'il_cs_2_0';
    return code.text(header, this.#declarations()) + trailer(this.#kernel);
  }

  #declarations(): readonly string[] {
    const { groupSize } = this.#kernel;
    const outputs = groupSize === undefined ? this.#outputs() : [];
    const list = (count: number, line: (index: number) => string): string[] =>
      Array.from({ length: count }, (_, index) => line(index));
    return [
      ...list(outputs.length, (index) => `dcl_output_usage(generic) o${index}.xyzw`),
      ...list(
        this.#resources,
        (index) =>
          `dcl_resource_id(${index})_type(2d,unnorm)_fmtx(float)_fmty(float)_fmtz(float)_fmtw(float)`,
      ),
      ...(groupSize === undefined
        ? ['dcl_input_position_interp(linear_noperspective) v0.xy__']
        : [`dcl_num_thread_per_group ${groupSize}`]),
      ...(this.#group
        ? [`dcl_lds_size_per_thread ${4 * this.#group.share}`, 'dcl_lds_sharing_mode _wavefrontRel']
        : []),
      ...(this.#constants > 0 ? [`dcl_cb cb0[${this.#constants}]`] : []),
    ];
  }

  /** Output streams, a reduction's among them, each leaf one. */
  #outputs(): readonly { readonly formal: Formal; readonly leaf: number }[] {
    return this.#kernel.formals
      .filter(({ role }) => role === 'out' || role === 'reduce')
      .flatMap((formal) => leavesOf(formal.type).map((_, leaf) => ({ formal, leaf })));
  }

  #constant(): string {
    this.#constants += 1;
    return `cb0[${this.#constants - 1}]`;
  }

  // -------------------------------------------------------------------------------- pixel programs, one thread an element

  #map(): void {
    const outputs = this.#outputs();
    if (outputs.length > mostOutputs) throw new NoIl(`there is no IL for more than ${mostOutputs} outputs`);
    this.#pixel();
    const values = this.#callKernel({ register: 'v0', lanes: 'xy' });
    for (const [index, { formal, leaf }] of outputs.entries()) this.#output(index, formal, leaf, values);
  }

  #output(
    index: number,
    formal: Formal,
    leaf: number,
    values: ReadonlyMap<Formal, readonly Operand[]>,
  ): void {
    const code = this.#code;
    const { type } = leavesOf(formal.type)[leaf]!;
    code.add(`mov o${index}.xyzw,${read(toResource(code, type, values.get(formal)![leaf]!))}`);
  }

  /** Where the thread is, from the pixel's place. Pixels have their middles at a half. */
  #pixel(): void {
    const code = this.#code;
    const half = code.float(0.5);
    const corner = code.compute('sub', 2, { register: 'v0', lanes: 'xy' }, half);
    code.move(this.#at, code.compute('ftoi', 2, corner));
    writeLanes(code, this.#at, 'zw', { register: code.bits(0).register, lanes: 'xx' });
  }

  // --------------------------------------------------------------------------------------------- programs of thread groups

  /**
   * Threads are counted along the rows of the domain, whose sizes are the last constant; what those behind its end scatter arrives
   * nowhere.
   */
  #threadGroup(): void {
    const code = this.#code;
    const { formals } = this.#kernel;
    const thread: Operand = { register: 'vAbsTidFlat', lanes: 'x' };
    const sizes = `cb0[${formals.flatMap(constantsOf).length}]`;
    const column = code.compute('umod', 1, thread, { register: sizes, lanes: 'x' });
    const row = code.compute('udiv', 1, thread, { register: sizes, lanes: 'x' });
    const isInside = code.compute('ult', 1, row, { register: sizes, lanes: 'y' });
    const nowhere = code.bits(-1);
    const place = [column, row].map((one) => code.compute('cmov_logical', 1, isInside, one, nowhere));
    code.move(this.#at, joined(code, place));
    writeLanes(code, this.#at, 'zw', { register: code.bits(0).register, lanes: 'xx' });
    this.#callKernel(code.compute('itof', 2, { register: this.#at, lanes: 'xy' }));
    this.#constant();
  }

  // ------------------------------------------------------------------------------------------------------------ reductions

  /**
   * Each thread folds a block of the input, row by row: the constant has the block's width and height, and those of the input, at
   * whose end blocks end, too. The first element is where folding begins.
   */
  #reduction(): void {
    const code = this.#code;
    const { formals } = this.#kernel;
    const outputs = this.#outputs();
    if (outputs.length > mostOutputs) throw new NoIl(`there is no IL for more than ${mostOutputs} outputs`);
    this.#pixel();
    const constant = this.#constant();
    const size = code.compute('mov', 2, { register: constant, lanes: 'xy' });
    const all = code.compute('mov', 2, { register: constant, lanes: 'zw' });
    const begin = code.compute('imul', 2, { register: this.#at, lanes: 'xy' }, size);
    const end = code.compute('imin', 2, code.compute('iadd', 2, begin, size), all);
    const input = formals.find(({ role }) => role !== 'reduce')!;
    const resources = leavesOf(input.type).map(() => this.#resource());
    const elementAt = (place: Operand): Operand[] => {
      const at = code.compute('itof', 2, place);
      return leavesOf(input.type).map(({ type }, leaf) => sampled(code, resources[leaf]!, type, at));
    };
    const bindings = new Map<Formal, Binding>();
    for (const formal of formals) bindings.set(formal, { kind: 'value', registers: [] });
    const { number, parameters } = this.#functionOf(this.#kernel, bindings);
    const reduced = formals.find(({ role }) => role === 'reduce')!;
    const registers = parameters.get(reduced)!;
    const move = (to: readonly string[], from: readonly Operand[]): void => {
      for (const [leaf, value] of from.entries()) code.move(to[leaf]!, value);
    };
    move(registers, elementAt(begin));
    const place = code.fresh();
    code.move(place, begin);
    writeLanes(code, place, 'x', code.compute('iadd', 1, { ...begin, lanes: 'x' }, code.bits(1)));
    const [x, y] = ['x', 'y'].map((lanes) => ({ register: place, lanes })) as [Operand, Operand];
    const lane = (of: Operand, at: number): Operand => ({ ...of, lanes: of.lanes.charAt(at) });
    code.add('whileloop');
    code.add(`break_logicalz ${read(code.compute('ilt', 1, y, lane(end, 1)))}`);
    code.add('whileloop');
    code.add(`break_logicalz ${read(code.compute('ilt', 1, x, lane(end, 0)))}`);
    move(parameters.get(input)!, elementAt({ register: place, lanes: 'xy' }));
    code.add(`call ${number}`);
    writeLanes(code, place, 'x', code.compute('iadd', 1, x, code.bits(1)));
    code.add('endloop');
    writeLanes(code, place, 'x', lane(begin, 0));
    writeLanes(code, place, 'y', code.compute('iadd', 1, y, code.bits(1)));
    code.add('endloop');
    const values = new Map([[reduced, this.#wholes(reduced, registers)]]);
    for (const [index, { formal, leaf }] of outputs.entries()) this.#output(index, formal, leaf, values);
  }

  // ------------------------------------------------------------------------------------------------- parameters, functions

  #resource(): number {
    this.#resources += 1;
    return this.#resources - 1;
  }

  #wholes({ type }: Formal, registers: readonly string[]): readonly Operand[] {
    return leavesOf(type).map((leaf, index) => whole(registers[index]!, leaf.type));
  }

  /**
   * Binds the parameters of the launched kernel, calls its function and gives what its outputs have.
   * @param place of input streams, in pixels
   */
  #callKernel(place: Operand): ReadonlyMap<Formal, readonly Operand[]> {
    const code = this.#code;
    const { formals } = this.#kernel;
    const bindings = new Map<Formal, Binding>();
    // Sizes of arrays stand behind all values.
    for (const formal of formals)
      if (formal.role !== 'scatter') bindings.set(formal, this.#bind(formal, place));
    for (const formal of formals.filter(isSized)) {
      const sizes = code.fresh();
      code.move(sizes, { register: this.#constant(), lanes: 'xyzw' });
      const known = bindings.get(formal);
      bindings.set(formal, known?.kind === 'gather' ? { ...known, sizes } : { kind: 'scatter', sizes });
    }
    const { number, parameters } = this.#functionOf(this.#kernel, bindings);
    for (const [formal, registers] of parameters) {
      const binding = bindings.get(formal);
      if (binding?.kind !== 'value') continue;
      for (const [leaf, value] of this.#wholes(formal, binding.registers).entries())
        code.move(registers[leaf]!, value);
    }
    code.add(`call ${number}`);
    return new Map([...parameters].map(([formal, registers]) => [formal, this.#wholes(formal, registers)]));
  }

  /** What a parameter of the launched kernel is, in the main part. */
  #bind({ role, type }: Formal, place: Operand): Binding {
    const code = this.#code;
    const leaves = leavesOf(type);
    switch (role) {
      case 'gather':
        return { kind: 'gather', resources: leaves.map(() => this.#resource()), sizes: undefined };
      case 'stream': {
        const registers = leaves.map((leaf) => sampled(code, this.#resource(), leaf.type, place).register);
        return { kind: 'value', registers };
      }
      case 'value': {
        const registers = leaves.map((leaf) => {
          const register = code.fresh();
          code.move(register, { register: this.#constant(), lanes: lanesFor(leaf.type) });
          return register;
        });
        return { kind: 'value', registers };
      }
      default: {
        // What a kernel does not write is 0.
        const registers = leaves.map((leaf) => {
          const register = code.fresh();
          const { register: zero } = numberOf(code, leaf.type, 0);
          code.move(register, { register: zero, lanes: 'x'.repeat(laneCount(leaf.type)) });
          return register;
        });
        return { kind: 'value', registers };
      }
    }
  }

  /** The function of a kernel with arrays that are bound so; added when it is first asked for. */
  #functionOf(kernel: CheckedKernel, bindings: ReadonlyMap<Formal, Binding>): KernelFunction {
    const arrays = kernel.formals.map((formal) => {
      const binding = bindings.get(formal);
      return binding?.kind === 'gather' ? binding.resources[0] : '';
    });
    const key = `${kernel.name} ${arrays.join(' ')}`;
    const known = this.#functions.get(key);
    if (known) return known;
    const code = this.#code;
    const own = new Map<Formal, Binding>();
    const parameters = new Map<Formal, readonly string[]>();
    const fresh = (type: ElementType): string[] => leavesOf(type).map(() => code.fresh());
    for (const formal of kernel.formals) {
      const binding = bindings.get(formal)!;
      if (binding.kind !== 'value') {
        own.set(formal, binding);
        continue;
      }
      const registers = fresh(formal.type);
      own.set(formal, { kind: 'value', registers });
      parameters.set(formal, registers);
    }
    const result = kernel.result.kind === 'void' ? [] : fresh(kernel.result);
    const scope: Scope = {
      code,
      at: this.#at,
      bindings: own,
      locals: new Map(),
      group: this.#group,
      call: (callee, args, from) => this.#call(callee, args, from),
    };
    const number = code.addFunction(() => emitStatements(scope, kernel.body, result));
    const made = { number, parameters, result };
    this.#functions.set(key, made);
    return made;
  }

  /** Calls a subkernel: arguments to its registers, outputs back; registers of its own for what it returns. */
  #call(kernel: CheckedKernel, args: readonly Typed[], scope: Scope): readonly Operand[] {
    const code = this.#code;
    const bindings = new Map<Formal, Binding>();
    const given: [Formal, readonly Operand[]][] = [];
    for (const [index, formal] of kernel.formals.entries()) {
      const arg = args[index]!;
      if (arg.kind === 'array') {
        bindings.set(formal, scope.bindings.get(arg.formal)!);
        continue;
      }
      given.push([formal, formal.role === 'out' ? emitAll(scope, arg) : this.#values(scope, arg)]);
      bindings.set(formal, { kind: 'value', registers: [] });
    }
    const { number, parameters, result } = this.#functionOf(kernel, bindings);
    for (const [formal, values] of given) {
      const registers = parameters.get(formal)!;
      for (const [leaf, value] of values.entries()) code.move(registers[leaf]!, value);
    }
    code.add(`call ${number}`);
    for (const [formal, targets] of given) {
      if (formal.role !== 'out') continue;
      const found = this.#wholes(formal, parameters.get(formal)!);
      for (const [leaf, { register, lanes }] of targets.entries())
        writeLanes(code, register, lanes, found[leaf]!);
    }
    if (kernel.result.kind === 'void') return [];
    return leavesOf(kernel.result).map(({ type }, leaf) => {
      const register = code.fresh();
      code.move(register, whole(result[leaf]!, type));
      return whole(register, type);
    });
  }

  #values(scope: Scope, arg: Typed): readonly Operand[] {
    return arg.type.kind === 'struct' ? emitAll(scope, arg) : [emit(scope, arg)];
  }
}

/** Whether a program needs the sizes of an array: those of gathers in two dimensions the sampler knows. */
function isSized({ role, rank }: Formal): boolean {
  return role === 'scatter' || (role === 'gather' && rank > 2);
}

/** What a parameter needs constants for. */
function constantsOf(formal: Formal): readonly string[] {
  if (formal.role === 'value') return leavesOf(formal.type).map(({ path }) => path);
  return isSized(formal) ? ['sizes'] : [];
}

/** A kernel as a function. */
interface KernelFunction {
  readonly number: number;
  /** The registers of its parameters, one a leaf, but for arrays. */
  readonly parameters: ReadonlyMap<Formal, readonly string[]>;
  /** The registers of what it returns. */
  readonly result: readonly string[];
}
