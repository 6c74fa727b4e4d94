/**
 * Removes results of `if`, `switch`, `block` and `loop`, and parameters of loops, that can only be one value:
 *
 *     %r: i32 = if %c { ... yield %a } else { ... yield %a }        uses of %r become %a
 *     loop @l (%n = %size, %i = %zero) { ... continue @l (%n, %j) }  uses of %n become %size
 *
 * `mem2reg` makes one for every variable stored inside; this is the first half of taking back what was
 * too many (the unused ones go in `dce`). An `undefined` way in agrees with every other.
 *
 * Two counters that begin alike and go on alike are one:
 *
 *     loop @l (%i = %zero, %j = %zero) { ... continue @l (iadd %i, 1), (iadd %j, 1) }  uses of %j become %i
 */
import type * as ir from '../../ir/ir.ts';

/** A structured instruction, the terminators that give its results (and parameters), and its place in the walk. */
interface Junction {
  readonly instruction: ir.Structured;
  /** yields and breaks */
  readonly exits: ir.Instruction[];
  /** continues, for a loop */
  readonly repeats: ir.Instruction[];
  readonly start: number;
  end: number;
}

export function simplifyBlockArguments(fn: ir.Function): void {
  if (!fn.body) return;
  const pruning = new Pruning();
  for (const parameter of fn.parameters) pruning.define(parameter.value);
  pruning.collect(fn.body, undefined);
  if (pruning.findRedundant()) pruning.rewrite(fn.body);
}

class Pruning {
  /** In the order in which they end: inner ones first. */
  readonly #junctions: Junction[] = [];
  readonly #open = new Map<ir.Instruction, Junction>();
  readonly #places = new Map<ir.Value, number>();
  readonly #undefined = new Set<ir.Value>();
  readonly #definitions = new Map<ir.Value, ir.Instruction>();
  readonly #replaced = new Map<ir.Value, ir.Value>();
  #clock = 0;

  define(value: ir.Value): void {
    this.#clock += 1;
    this.#places.set(value, this.#clock);
  }

  collect(region: ir.Region, owner: Junction | undefined): void {
    for (const parameter of region.parameters) this.define(parameter);
    for (const instruction of region.instructions) {
      switch (instruction.op) {
        case 'if':
        case 'switch':
        case 'block':
        case 'loop':
        case 'work_item_loop': {
          this.#clock += 1;
          const junction: Junction = { instruction, exits: [], repeats: [], start: this.#clock, end: 0 };
          this.#open.set(instruction, junction);
          for (const nested of instruction.regions) this.collect(nested, junction);
          this.#clock += 1;
          junction.end = this.#clock;
          this.#junctions.push(junction);
          break;
        }
        case 'yield':
          owner?.exits.push(instruction);
          break;
        case 'break':
          this.#open.get(instruction.target)?.exits.push(instruction);
          break;
        case 'continue':
          this.#open.get(instruction.target)?.repeats.push(instruction);
          break;
        case 'undefined':
          this.#undefined.add(instruction.results[0]!);
          break;
        default:
      }
      for (const result of instruction.results) {
        this.define(result);
        if (instruction.op === 'binary' || instruction.op === 'constant')
          this.#definitions.set(result, instruction);
      }
    }
  }

  /** Fills the replacements; nested loops may need a second look, so it goes on until nothing changes. */
  findRedundant(): boolean {
    for (let changed = true; changed; ) {
      changed = false;
      for (const junction of this.#junctions) {
        const { instruction, exits, repeats } = junction;
        instruction.regions[0]?.parameters.forEach((parameter, index) => {
          if (this.#replaced.has(parameter)) return;
          const value = this.#single(parameter, index, repeats, instruction.operands[index]);
          if (value && this.#isOutside(value, junction)) {
            this.#replaced.set(parameter, value);
            changed = true;
          }
        });
        if (repeats.length > 0 && this.#mergeCounters(junction)) changed = true;
        instruction.results.forEach((result, index) => {
          if (this.#replaced.has(result)) return;
          const value = this.#single(result, index, exits, undefined);
          if (value && this.#isOutside(value, junction)) {
            this.#replaced.set(result, value);
            changed = true;
          }
        });
      }
    }
    return this.#replaced.size > 0;
  }

  /** The one value that all ways in agree on, apart from the value itself and undefined ones. */
  #single(
    self: ir.Value,
    index: number,
    ways: readonly ir.Instruction[],
    initial: ir.Value | undefined,
  ): ir.Value | undefined {
    let single: ir.Value | undefined;
    let anything: ir.Value | undefined;
    for (let way = initial ? -1 : 0; way < ways.length; way += 1) {
      const value = this.#resolve(way < 0 ? initial! : ways[way]!.operands[index]!);
      if (value === self || value === single) continue;
      if (this.#undefined.has(value)) anything = value;
      else if (single) return undefined;
      else single = value;
    }
    return single ?? anything;
  }

  /** Makes one of the parameters of a loop that count alike. */
  #mergeCounters({ instruction, repeats }: Junction): boolean {
    const parameters = instruction.regions[0]!.parameters;
    let found = false;
    const counters = new Map<string, ir.Value>();
    parameters.forEach((parameter, index) => {
      if (parameter.type.kind !== 'int' || this.#replaced.has(parameter)) return;
      const steps = repeats.map(({ operands }) => this.#stepOf(parameter, operands[index]!));
      if (steps.includes(undefined)) return;
      const key = [this.#name(instruction.operands[index]!), ...steps].join();
      const first = counters.get(key);
      if (first?.type === parameter.type) {
        this.#replaced.set(parameter, first);
        found = true;
      } else counters.set(key, parameter);
    });
    return found;
  }

  /** How a counter goes on, as text: by which operation and with what; undefined for what is no counter. */
  #stepOf(parameter: ir.Value, next: ir.Value): string | undefined {
    const step = this.#definitions.get(this.#resolve(next));
    if (step?.op !== 'binary' || this.#resolve(step.operands[0]!) !== parameter) return undefined;
    const by = this.#resolve(step.operands[1]!);
    return by === parameter ? undefined : `${step.fn} ${this.#name(by)}`;
  }

  /** What two values have in common that are the same: constants may be written twice. */
  #name(value: ir.Value): string {
    const resolved = this.#resolve(value);
    const definition = this.#definitions.get(resolved);
    return definition?.op === 'constant' ? `=${String(definition.value)}` : `%${this.#places.get(resolved)}`;
  }

  #isOutside(value: ir.Value, { start, end }: Junction): boolean {
    const place = this.#places.get(value) ?? 0;
    return place < start || place > end;
  }

  #resolve(value: ir.Value): ir.Value {
    let result = value;
    for (let next = this.#replaced.get(result); next; next = this.#replaced.get(result)) result = next;
    return result;
  }

  rewrite(region: ir.Region): void {
    for (const junction of this.#junctions) {
      const { instruction, exits, repeats } = junction;
      const body = instruction.regions[0];
      if (body?.parameters.some((parameter) => this.#replaced.has(parameter))) {
        const keep = body.parameters.map((parameter) => !this.#replaced.has(parameter));
        filterInPlace(body.parameters, keep);
        filterInPlace(instruction.operands, keep);
        for (const { operands } of repeats) filterInPlace(operands, keep);
      }
      if (instruction.results.some((result) => this.#replaced.has(result))) {
        const keep = instruction.results.map((result) => !this.#replaced.has(result));
        filterInPlace(instruction.results, keep);
        for (const { operands } of exits) filterInPlace(operands, keep);
      }
    }
    this.#resolveOperands(region);
  }

  #resolveOperands(region: ir.Region): void {
    for (const { operands, regions } of region.instructions) {
      for (let index = 0; index < operands.length; index += 1) {
        operands[index] = this.#resolve(operands[index]!);
      }
      for (const nested of regions) this.#resolveOperands(nested);
    }
  }
}

function filterInPlace(values: ir.Value[], keep: readonly boolean[]): void {
  let length = 0;
  for (let index = 0; index < keep.length; index += 1) {
    if (keep[index]) {
      values[length] = values[index]!;
      length += 1;
    }
  }
  values.length = length;
}
