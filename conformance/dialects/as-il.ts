/** Programs of tree.ts in AMD IL: one word in the x of a register for each value, helpers written out where they are called. */
import type { CommonProgram, Condition, Expression, Routine, Statement, Type } from './tree.ts';

/** A compute program: input N is uav N, and the results are the uav behind them. */
export function asIl(program: CommonProgram): string {
  return new Writer(program).write();
}

class Writer {
  readonly #program: CommonProgram;
  readonly #lines: string[] = [];
  readonly #literals = new Map<number, string>();
  #registers = 0;

  constructor(program: CommonProgram) {
    this.#program = program;
  }

  write(): string {
    const { main, inputs } = this.#program;
    const address = this.#emit('ishl', 'vAbsTidFlat.x', this.#literal(2));
    const args = main.parameters.map((_, index) => this.#emit(`uav_raw_load_id(${index})`, address));
    const result = this.#routine(main, args);
    this.#lines.push(`uav_raw_store_id(${main.parameters.length}) mem.x___, ${address}, ${result}`);
    const uavs = [...main.parameters, ''].map((_, index) => `dcl_raw_uav_id(${index})`);
    const literals = [...this.#literals].map(
      ([value, name]) => `dcl_literal ${name.split('.')[0]}, 0x${(value >>> 0).toString(16)}, 0, 0, 0`,
    );
    const head = ['il_cs_2_0', `dcl_num_thread_per_group ${inputs[0]?.length ?? 1}`, ...uavs, ...literals];
    return `${[...head, ...this.#lines, 'end'].join('\n')}\n`;
  }

  #literal(value: number): string {
    const word = value | 0;
    const known = this.#literals.get(word);
    if (known) return known;
    const name = `l${this.#literals.size}.x`;
    this.#literals.set(word, name);
    return name;
  }

  #float(value: number): string {
    return this.#literal(new Int32Array(Float32Array.of(value).buffer)[0]!);
  }

  #register(): string {
    return `r${this.#registers++}.x`;
  }

  /** Writes an instruction into a register of its own. */
  #emit(mnemonic: string, ...operands: readonly string[]): string {
    const register = this.#register();
    this.#into(register, mnemonic, ...operands);
    return register;
  }

  #into(register: string, mnemonic: string, ...operands: readonly string[]): void {
    this.#lines.push(`${mnemonic} ${register}___, ${operands.join(', ')}`);
  }

  #routine(routine: Routine, args: readonly string[]): string {
    const names = new Map<string, string>();
    for (const { name, type, value } of routine.variables) {
      const constant = type === 'float' ? this.#float(value) : this.#literal(value);
      names.set(name, this.#emit('mov', constant));
    }
    routine.parameters.forEach((name, index) => {
      names.set(name, args[index]!);
    });
    this.#statements(routine.body, names);
    return this.#value(routine.result, names);
  }

  #statements(list: readonly Statement[], names: Map<string, string>): void {
    for (const statement of list) {
      switch (statement.kind) {
        case 'set': {
          const value = this.#value(statement.value, names);
          const { name, type } = statement.variable;
          this.#into(
            names.get(name)!,
            'mov',
            type === 'float' ? this.#lowByte(this.#emit('ftoi', value)) : value,
          );
          break;
        }
        case 'if':
          this.#lines.push(`if_logicalnz ${this.#condition(statement.condition, names)}`);
          this.#statements(statement.then, names);
          if (statement.otherwise.length > 0) {
            this.#lines.push('else');
            this.#statements(statement.otherwise, names);
          }
          this.#lines.push('endif');
          break;
        case 'leave':
          this.#lines.push(`${statement.how}_logicalnz ${this.#condition(statement.condition, names)}`);
          break;
        case 'loop': {
          // It counts at its begin, where `continue` leads.
          const counter = this.#emit('mov', this.#literal(-1));
          names.set(statement.counter, counter);
          this.#lines.push('whileloop');
          this.#into(counter, 'iadd', counter, this.#literal(1));
          this.#lines.push(`break_logicalnz ${this.#emit('ige', counter, this.#literal(statement.times))}`);
          this.#statements(statement.body, names);
          this.#lines.push('endloop');
        }
      }
    }
  }

  /** The low eight bits of an integer, as a float. */
  #lowByte(value: string): string {
    return this.#emit('itof', this.#emit('iand', value, this.#literal(255)));
  }

  /** All bits where it holds, else none. */
  #condition({ op, a, b }: Condition, names: Map<string, string>): string {
    const [x, y] = [this.#value(a, names), this.#value(b, names)];
    const { type } = a;
    const prefix = type === 'float' ? '' : type === 'int' ? 'i' : 'u';
    if (op === '<') return this.#emit(`${prefix}lt`, x, y);
    // Not the other way round.
    if (op === '<=') return this.#emit(`${prefix}ge`, y, x);
    const word = op === '==' ? 'eq' : 'ne';
    return this.#emit(type === 'float' ? word : `i${word}`, x, y);
  }

  #value(expression: Expression, names: Map<string, string>): string {
    const of = (part: Expression): string => this.#value(part, names);
    switch (expression.kind) {
      case 'constant':
        return expression.type === 'float' ? this.#float(expression.value) : this.#literal(expression.value);
      case 'variable':
        return names.get(expression.name)!;
      case 'invert':
        return this.#emit('inot', of(expression.a));
      case 'select': {
        const condition = this.#condition(expression.condition, names);
        return this.#emit('cmov_logical', condition, of(expression.a), of(expression.b));
      }
      case 'convert':
        return this.#converted(expression.type, expression.a.type, of(expression.a));
      case 'call': {
        const routine = this.#program.helpers.find(({ name }) => name === expression.name)!;
        return this.#routine(routine, expression.args.map(of));
      }
      case 'binary':
        return this.#binary(expression, of(expression.a), of(expression.b));
    }
  }

  #converted(to: Type, from: Type, value: string): string {
    if (to === 'float') return this.#lowByte(value);
    return from === 'float' ? this.#emit('ftoi', value) : value;
  }

  #binary({ op, type }: Expression & { kind: 'binary' }, a: string, b: string): string {
    if (type === 'float') return this.#emit(op === '+' ? 'add' : op === '-' ? 'sub' : 'mul_ieee', a, b);
    switch (op) {
      case '-':
        return this.#emit('iadd', a, this.#emit('inegate', b));
      case '/':
      case '%': {
        const divisor = this.#emit('iadd', this.#emit('iand', b, this.#literal(15)), this.#literal(1));
        return this.#emit(op === '/' ? 'udiv' : 'umod', a, divisor);
      }
      case '<<':
      case '>>': {
        const amount = this.#emit('iand', b, this.#literal(31));
        return this.#emit(op === '<<' ? 'ishl' : type === 'int' ? 'ishr' : 'ushr', a, amount);
      }
      default:
        return this.#emit({ '+': 'iadd', '*': 'imul', '&': 'iand', '|': 'ior', '^': 'ixor' }[op], a, b);
    }
  }
}
