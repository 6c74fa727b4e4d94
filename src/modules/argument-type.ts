/** The types of kernels' arguments in TypeScript: what src/api/javascript/arguments.ts takes, as types of `millrace/kernels`. */
import type { HostLayout, KernelParameter } from 'millrace';
import { scalarOf } from '../api/javascript/array-kinds.ts';

type StructLayout = Extract<HostLayout, { kind: 'struct' }>;

/** Writes types, and gathers the structures that they name and what they import. */
export class ArgumentTypes {
  /** The names that are imported from millrace/kernels. */
  readonly imports = new Set<string>();
  readonly #structs = new Map<string, StructLayout>();
  /** Names that parameters give to structures without one of their own, by these. */
  readonly #typedefs = new Map<string, string>();

  /** @param parameters all that types are written of */
  constructor(parameters: readonly KernelParameter[]) {
    for (const { layout, pointee, typeName } of parameters) {
      const struct = layout ?? pointee;
      const name = structName(typeName.replace(/\*$/, ''));
      if (struct?.kind === 'struct' && name !== undefined) this.#typedefs.set(JSON.stringify(struct), name);
    }
  }

  /** The structures that types name, as types of their own. */
  structs(): string[] {
    const texts: string[] = [];
    // Fields may name further ones, which are added meanwhile.
    for (const [name, layout] of this.#structs) texts.push(this.#interface(name, layout));
    return texts;
  }

  of({ kind, layout, pointee }: KernelParameter): string {
    switch (kind) {
      case 'global':
      case 'constant':
        return `${this.#named('Pointer')}<${elementsOf(pointee).join(' | ')}>`;
      case 'local':
        return this.#named('LocalMemory');
      case 'image':
        return this.#named('ImageArgument');
      case 'sampler':
        return this.#named('Sampler');
      case 'pipe':
        return this.#named('DevicePipe');
      case 'queue':
        // A queue of the device is nothing that the short form can set.
        return 'never';
      default:
        return layout ? this.#value(layout) : 'ArrayBufferView';
    }
  }

  #named(name: string): string {
    this.imports.add(name);
    return name;
  }

  #value(layout: HostLayout): string {
    switch (layout.kind) {
      case 'integer':
      case 'float':
        return this.#named('Scalar');
      case 'vector':
        return `${this.#named('Vector')}<${layout.lanes}>`;
      case 'array': {
        const element = this.#value(layout.element);
        const isShort = layout.length <= 64;
        // TypeScript counts no further than that in a type.
        if (!isShort)
          return `readonly ${element.includes('|') ? `(${element})` : element}[] | ArrayBufferView`;
        return `${this.#named('Vector')}<${layout.length}${element === 'Scalar' ? '' : `, ${element}`}>`;
      }
      case 'struct':
        return `${this.#named('Struct')}<${this.#struct(layout)}>`;
    }
  }

  #struct(layout: StructLayout): string {
    const name = structName(layout.name) ?? this.#typedefs.get(JSON.stringify(layout));
    const known = name === undefined ? undefined : this.#structs.get(name);
    if (name === undefined || (known !== undefined && JSON.stringify(known) !== JSON.stringify(layout)))
      return `{ ${this.#fields(layout).join('; ')} }`;
    this.#structs.set(name, layout);
    return name;
  }

  #interface(name: string, layout: StructLayout): string {
    const fields = this.#fields(layout).map((field) => `  ${field};\n`);
    return `/** ${layout.size} bytes. */\nexport type ${name} = {\n${fields.join('')}};\n`;
  }

  #fields({ fields }: StructLayout): string[] {
    return fields.map((field) => `readonly ${field.name}: ${this.#value(field.layout)}`);
  }
}

/** A structure's name as that of a type; undefined if it has none. */
function structName(name: string): string | undefined {
  const [, word] = /^(?:struct |union )?([A-Za-z_$][\w$]*)$/.exec(name) ?? [];
  if (word === undefined) return undefined;
  const isTaken =
    /^(?:any|bigint|boolean|never|null|number|object|string|symbol|undefined|unknown|void|Array|ArrayBufferView|DevicePipe|ImageArgument|Kernel|KernelParameter|LaunchRange|LaunchTimes|LocalMemory|Pointer|Program|ProgramOptions|Promise|Sampler|Scalar|Struct|Vector|\w+Array)$/.test(
      word,
    ) || reserved.has(word);
  return isTaken ? `${word}Struct` : word;
}

const reserved = new Set(
  'break case catch class const continue debugger default delete do else enum export extends false finally for function if import in instanceof new null return super switch this throw true try typeof var void while with yield let static implements interface package private protected public await arguments eval'.split(
    ' ',
  ),
);

/** Whether nothing in JavaScript may be called so. */
export function isReserved(word: string): boolean {
  return reserved.has(word);
}

/** The name that a kernel is exported by: kernels may be called what nothing in JavaScript may. */
export function exportedName(kernel: string): string {
  return reserved.has(kernel) || /^(?:program|load|loadProgram|hotProgram|binary)$/.test(kernel)
    ? `${kernel}Kernel`
    : kernel;
}

/** The typed arrays that stand for what a pointer points to, but for bytes, which always do (src/api/javascript/array-kinds.ts). */
function elementsOf(pointee: HostLayout | undefined): string[] {
  const scalar = pointee && scalarOf(pointee);
  if (!pointee || !scalar) return ['ArrayBufferView'];
  const { size } = scalar;
  const array = (kind: string, bytes: number): string =>
    `${bytes === 8 && kind !== 'Float' ? 'Big' : ''}${kind}${bytes * 8}Array`;
  const kinds: string[] = [];
  if (size > 1) {
    // Arrays of unsigned integers may hold any bits.
    const [signed, unsigned] = [array('Int', size), array('Uint', size)];
    if (scalar.kind === 'float') kinds.push(...(size === 2 ? [unsigned] : [array('Float', size), unsigned]));
    else kinds.push(...(scalar.signed ? [signed, unsigned] : [unsigned, signed]));
  } else if ([2, 4, 8].includes(pointee.size)) {
    // One for each uchar4, as in a picture's pixels.
    kinds.push(array('Uint', pointee.size));
  }
  // Bytes are in Pointer itself.
  return kinds.length === 0 ? ['Uint8Array'] : kinds;
}
