/**
 * Reads the folded text form of WebAssembly in which the runtime functions are written: `(op immediates operands)`,
 * where `$x` alone means `(local.get $x)`. Only our own texts come here, so a mistake in one is a bug and throws.
 */
import { CodeWriter, type Label } from './code-writer.ts';
import type { EncodedFunction, FunctionSignature, WasmType } from './encoder.ts';
import { asOpName, immediateOf } from './opcodes.ts';

/** A function in text: parameters and locals as `name:type`, separated by spaces. */
export interface AssemblyFunction {
  readonly name: string;
  readonly parameters: string;
  /** Left out if there is none. */
  readonly result?: WasmType;
  readonly locals?: string;
  readonly body: string;
}

type Node = string | Node[];

/** @param functionIndex finds the index of another runtime function that the text calls as `(call $name ...)` */
export function assemble(source: AssemblyFunction, functionIndex: (name: string) => number): EncodedFunction {
  const parameters = declarations(source.parameters);
  const signature: FunctionSignature = {
    parameters: parameters.map((one) => one.type),
    results: source.result === undefined ? [] : [source.result],
  };
  const writer = new CodeWriter(
    source.name,
    signature,
    parameters.map((one) => one.name),
  );
  const assembly = new Assembly(writer, functionIndex);
  parameters.forEach((one, index) => {
    assembly.locals.set(one.name, index);
  });
  for (const { name, type } of declarations(source.locals ?? ''))
    assembly.locals.set(name, writer.allocate(type, name));
  for (const node of parse(source.body)) assembly.emit(node);
  return writer.finish();
}

/**
 * Writes a function's body where it is used: arguments are taken from the stack and the result is left there. The body
 * must set its locals before it reads them, and neither call nor return.
 */
export function assembleInline(source: AssemblyFunction, writer: CodeWriter): void {
  const assembly = new Assembly(writer, (name) => {
    throw new Error(`assembler: ${source.name} calls ${name}, so it cannot be written inline`);
  });
  const locals: number[] = [];
  const take = (name: string, local: number): void => {
    assembly.locals.set(name, local);
    locals.push(local);
  };
  for (const { name, type } of declarations(source.parameters).reverse())
    take(name, writer.toTemporary(type));
  for (const { name, type } of declarations(source.locals ?? '')) take(name, writer.allocate(type, name));
  for (const node of parse(source.body)) assembly.emit(node);
  for (const local of locals) writer.release(local);
}

function declarations(text: string): { name: string; type: WasmType }[] {
  return text
    .split(' ')
    .filter((one) => one !== '')
    .map((one) => {
      const [name, type] = one.split(':');
      return { name: name ?? '', type: type as WasmType };
    });
}

function parse(text: string): Node[] {
  const tokens = text.match(/[()]|[^\s()]+/g) ?? [];
  const root: Node[] = [];
  const stack: Node[][] = [root];
  for (const token of tokens) {
    if (token === '(') {
      const list: Node[] = [];
      stack.at(-1)!.push(list);
      stack.push(list);
    } else if (token === ')') stack.pop();
    else stack.at(-1)!.push(token);
  }
  return root;
}

class Assembly {
  readonly writer: CodeWriter;
  readonly locals = new Map<string, number>();
  readonly functionIndex: (name: string) => number;
  readonly labels = new Map<string, Label>();

  constructor(writer: CodeWriter, functionIndex: (name: string) => number) {
    this.writer = writer;
    this.functionIndex = functionIndex;
  }

  emit(node: Node): void {
    const { writer } = this;
    if (typeof node === 'string') {
      writer.get(this.#local(node));
      return;
    }
    const [head, ...rest] = node;
    if (typeof head !== 'string') throw new Error('assembler: an instruction expected');
    switch (head) {
      case 'if': {
        const [condition, then, otherwise] = rest as Node[][];
        this.emit(condition!);
        writer.open('if');
        for (const one of then!.slice(1)) this.emit(one);
        if (otherwise) {
          writer.else();
          for (const one of otherwise.slice(1)) this.emit(one);
        }
        writer.end();
        return;
      }
      case 'v128.const':
        // The same integer in four lanes, which is all that is needed here.
        writer.v128(new Uint8Array(Int32Array.from({ length: 4 }, () => Number(rest[0])).buffer));
        return;
      case 'i8x16.shuffle':
        for (const one of rest.slice(16)) this.emit(one);
        writer.shuffle(rest.slice(0, 16).map(Number));
        return;
      case 'block':
      case 'loop': {
        const label = writer.open(head);
        this.labels.set(rest[0] as string, label);
        for (const one of rest.slice(1)) this.emit(one);
        writer.end();
        return;
      }
      case 'br':
      case 'br_if': {
        for (const one of rest.slice(1)) this.emit(one);
        const label = this.labels.get(rest[0] as string)!;
        if (head === 'br') writer.branch(label);
        else writer.branchIf(label);
        return;
      }
    }
    this.#plain(head, rest);
  }

  #plain(head: string, rest: Node[]): void {
    const { writer } = this;
    const name = asOpName(head);
    if (name === undefined) throw new Error(`assembler: no instruction ${head}`);
    const kind = immediateOf(name);
    const operands = kind === 'none' ? rest : rest.slice(1);
    const immediate = rest[0] as string;
    if (kind !== 'memory') for (const one of operands) this.emit(one);
    switch (kind) {
      case 'none':
        writer.op(name);
        return;
      case 'i32':
        writer.i32(Number(immediate));
        return;
      case 'i64':
        writer.i64(BigInt(immediate));
        return;
      case 'f32':
        writer.f32(Number(immediate));
        return;
      case 'f64':
        writer.f64(Number(immediate));
        return;
      case 'local':
        if (name === 'local.set') writer.set(this.#local(immediate));
        else writer.tee(this.#local(immediate));
        return;
      case 'lane':
        writer.lane(name, Number(immediate));
        return;
      case 'function':
        writer.call(this.functionIndex(immediate.slice(1)));
        return;
      case 'memory':
        for (const one of rest) this.emit(one);
        writer.memory(name, 0, name.startsWith('i64') ? 8 : 4);
        return;
      case 'memory-lane':
        writer.memoryLane(name, 0, 1, Number(immediate));
        return;
      default:
        throw new Error(`assembler: ${head} is not supported`);
    }
  }

  #local(name: string): number {
    const index = this.locals.get(name.slice(1));
    if (index === undefined) throw new Error(`assembler: no local ${name}`);
    return index;
  }
}
