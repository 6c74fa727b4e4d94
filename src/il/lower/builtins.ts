/** Registers that tell where a work-item stands: computed at the kernel's start, for those that are read. */
import type * as ir from '../../ir/ir.ts';
import type { Register } from '../tree.ts';
import type { Code, Kind } from './code.ts';
import { floatBits } from './code.ts';
import type { Components } from './context.ts';
import type { Plan } from './plan.ts';

export class Builtins {
  readonly #code: Code;
  /** Where they are computed: before everything else. */
  readonly #entry: ir.Region;
  readonly #plan: Plan;
  /** int4: x, y, width and height; of pixel programs */
  readonly #domain: ir.Value | undefined;
  readonly #keepsRegisters: boolean;
  readonly #known = new Map<string, readonly ir.Value[]>();
  #position: readonly [ir.Value, ir.Value] | undefined;

  constructor(
    code: Code,
    entry: ir.Region,
    plan: Plan,
    domain: ir.Value | undefined,
    keepsRegisters: boolean,
  ) {
    this.#keepsRegisters = keepsRegisters;
    this.#code = code;
    this.#entry = entry;
    this.#plan = plan;
    this.#domain = domain;
  }

  /** The register's components; undefined if it has no value in programs of this kind. */
  of({ kind, number, indices }: Register): Components | undefined {
    if (indices.length > 0) return undefined;
    const code = this.#code;
    let values = this.#known.get(kind);
    if (!values) {
      values = code.within(this.#entry, () =>
        this.#plan.shader === 'ps' ? this.#ofPixel(kind) : this.#ofThread(kind),
      );
      if (!values) return undefined;
      this.#known.set(kind, values);
      if (this.#keepsRegisters) this.#show(`${kind}${number ?? ''}`, values);
    }
    const list = values;
    return (component: number, want: Kind) => code.as(want, list[component]!);
  }

  /** A variable that nothing reads, for debuggers. */
  #show(name: string, values: readonly ir.Value[]): void {
    const code = this.#code;
    code.within(this.#entry, () => {
      const address = code.variable('private', 16, 16, name);
      for (const [component, value] of values.entries())
        code.store(code.moved(address, 4 * component), value, 4);
    });
  }

  /** Where a pixel program stands, in elements. */
  position(): readonly [x: ir.Value, y: ir.Value] {
    const code = this.#code;
    this.#position ??= code.within(this.#entry, () => [
      code.binary('iadd', code.query('global_id', 0), code.extract(this.#domain!, 0)),
      code.binary('iadd', code.query('global_id', 1), code.extract(this.#domain!, 1)),
    ]);
    return this.#position;
  }

  /** Inputs that are interpolated over the domain have the position's value, the middle of an element. */
  #ofPixel(kind: string): ir.Value[] | undefined {
    const code = this.#code;
    if (kind === 'v' || kind === 'vWinCoord') {
      const middles = this.position().map((base) => {
        const middle = code.binary('fadd', code.convert('stof', base, code.float(0).type), code.float(0.5));
        return code.know(middle, { base, scale: 1, offset: 0.5, isSmall: true });
      });
      return [...middles, code.float(0), code.float(1)];
    }
    if (kind === 'vObjIndex') {
      const [x, y] = this.position();
      const index = code.binary('iadd', code.binary('imul', y, code.extract(this.#domain!, 2)), x);
      return [index, code.int(0), code.int(0), code.int(0)];
    }
    // there is one primitive, the domain, and its front is seen
    if (kind === 'vFace') return [1, 1, 1, 1].map((one) => code.bits(floatBits(one), 'float'));
    if (kind === 'vPrim' || kind === 'vInstance') return [0, 0, 0, 0].map((zero) => code.int(zero));
    return undefined;
  }

  #ofThread(kind: string): ir.Value[] | undefined {
    const code = this.#code;
    const zero = code.int(0);
    const of = (fn: ir.QueryFunction): ir.Value[] => [
      ...([0, 1, 2] as const).map((dimension) => code.query(fn, dimension)),
      zero,
    ];
    const flat = (value: ir.Value): ir.Value[] => [value, zero, zero, zero];
    switch (kind) {
      case 'vTid':
      case 'vTidInGrp':
        return of('local_id');
      case 'vaTid':
      case 'vAbsTid':
        return of('global_id');
      case 'vThreadGrpId':
      case 'vTGroupid':
        return of('group_id');
      case 'vTidInGrpFlat':
        return flat(code.query('linear_local_id'));
      case 'vThreadGrpIdFlat':
        return flat(this.#flatGroup());
      case 'vAbsTidFlat': {
        const [x, y, z] = this.#plan.groupSize ?? [1, 1, 1];
        const before = code.binary('imul', this.#flatGroup(), code.int(x * y * z));
        return flat(code.binary('iadd', before, code.query('linear_local_id')));
      }
      default:
        return undefined;
    }
  }

  #flatGroup(): ir.Value {
    const code = this.#code;
    const row = code.binary(
      'iadd',
      code.binary('imul', code.query('group_id', 2), code.query('num_groups', 1)),
      code.query('group_id', 1),
    );
    return code.binary(
      'iadd',
      code.binary('imul', row, code.query('num_groups', 0)),
      code.query('group_id', 0),
    );
  }
}
