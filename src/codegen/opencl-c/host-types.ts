/**
 * The types of kernel parameters, under the names that the source gave them: a host that asks for a parameter's type
 * gets the same answer, and arguments have the same size. What a struct holds is nobody's business but its size and
 * alignment, so it is an array of words.
 */
import type { HostLayout, Parameter, ParameterInfo } from '../../ir/ir.ts';
import {
  type FloatType,
  floatType,
  intType,
  type Type,
  type VectorType,
  vectorType,
} from '../../ir/types.ts';
import { typeText } from './c-types.ts';
import { isReserved, type NameScope } from './names.ts';

const builtinType = /^(bool|half|float|double|void|size_t|ptrdiff_t|u?(char|short|int|long))\d*$/;

export class HostTypes {
  readonly #scope: NameScope;
  /** The C names of the types of the source, by name and size. */
  readonly #names = new Map<string, string>();
  readonly #texts: string[] = [];

  constructor(scope: NameScope) {
    this.#scope = scope;
  }

  /** The declarations of all types that were asked for. */
  get texts(): readonly string[] {
    return this.#texts;
  }

  /** The type of a struct that is passed by value. */
  aggregate(info: ParameterInfo | undefined, aggregate: NonNullable<Parameter['aggregate']>): string {
    return this.#struct(info?.typeName ?? 'struct argument', aggregate.size, aggregate.align);
  }

  /** The name of a type with a layout; undefined if the source's name cannot be used. */
  named(typeName: string, layout: HostLayout | undefined): string | undefined {
    if (builtinType.test(typeName)) return typeName;
    if (!/^((struct|union|enum) )?[A-Za-z_]\w*$/.test(typeName)) return undefined;
    if (layout?.kind === 'struct') return this.#struct(typeName, layout.size, layout.align);
    const type = layout && typeOfLayout(layout);
    if (!type || typeName.includes(' ')) return undefined;
    const text = typeText(type.type, type.signed);
    return this.#declared(typeName, text, (name) => `typedef ${text} ${name};`);
  }

  #struct(typeName: string, size: number, align: number): string {
    const word = { 1: 'uchar', 2: 'ushort', 4: 'uint', 8: 'ulong' }[align] ?? `ulong${align / 8}`;
    const body = `{ ${word} words[${Math.max(1, size / align)}]; }`;
    const [, keyword, tag] = /^(?:(struct|union|enum) ?)?(\w*)$/.exec(typeName) ?? [];
    const key = `${size}:${align}`;
    if (keyword === undefined && tag) {
      return this.#declared(tag, key, (name) => `typedef struct ${body} ${name};`);
    }
    const kind = keyword === 'union' ? 'union' : 'struct';
    return this.#declared(
      tag || 'argument',
      `${kind} ${key}`,
      (name) => `${kind} ${name} ${body};`,
      `${kind} `,
    );
  }

  /** A name is declared once for each meaning; a second meaning gets a name next to it. */
  #declared(wish: string, meaning: string, declare: (name: string) => string, prefix = ''): string {
    const key = `${wish}:${meaning}`;
    let name = this.#names.get(key);
    if (name === undefined) {
      const own = isReserved(wish) || this.#scope.has(wish) ? this.#scope.unique(wish) : wish;
      this.#scope.take(own);
      name = prefix + own;
      this.#names.set(key, name);
      this.#texts.push(declare(own));
    }
    return name;
  }
}

/** The IR type that a host layout is, for scalars and vectors. */
export function typeOfLayout(layout: HostLayout): { type: Type; signed: boolean } | undefined {
  switch (layout.kind) {
    case 'integer':
      return { type: intType((layout.size * 8) as 8 | 16 | 32 | 64), signed: layout.signed };
    case 'float':
      return { type: floatType((layout.size * 8) as FloatType['bits']), signed: false };
    case 'vector': {
      const element = typeOfLayout(layout.element);
      if (element?.type.kind !== 'int' && element?.type.kind !== 'float') return undefined;
      return { type: vectorType(element.type, layout.lanes as VectorType['lanes']), signed: element.signed };
    }
    default:
      return undefined;
  }
}
