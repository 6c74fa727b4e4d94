/**
 * The last form: marks become the instructions of control flow, clauses get their types and addresses, registers their numbers. A
 * condition is an ALU clause that keeps the threads that run, switches some off, and a JUMP over what nobody does; a loop lies between
 * LOOP_DX10 and ENDLOOP, and threads leave it in an ALU_BREAK clause.
 */
import { giveAddresses, wordsOfBundles } from './addresses.ts';
import { type Allocation, keptReads } from './allocate.ts';
import { type Bundle, knownNumbers, type Lock, locked } from './bundles.ts';
import type { Channel, Fetch, Register, Source, Write } from './operations.ts';
import type {
  AluBundle,
  AluClauseName,
  AluInstruction,
  ControlFlow,
  FetchInstruction,
  Operand,
  Place,
  WriteInstruction,
} from './program.ts';
import { giveChannel, type ScheduledClause, type ScheduledItem } from './schedule.ts';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
type Draft = Mutable<ControlFlow>;
type Branch = Mutable<Extract<ControlFlow, { kind: 'branch' }>>;

export function formClauses(
  items: readonly ScheduledItem[],
  { locations }: Allocation,
): readonly ControlFlow[] {
  return new ClauseWriter(locations).write(items);
}

class ClauseWriter {
  readonly #locations: Allocation['locations'];
  readonly #out: Draft[] = [];
  #number = 0;

  constructor(locations: Allocation['locations']) {
    this.#locations = locations;
  }

  write(items: readonly ScheduledItem[]): readonly ControlFlow[] {
    const open: { opened: Branch; elseBranch?: Branch; leaving: Branch[] }[] = [];
    const loops = (): number => open.filter(({ opened }) => opened.name === 'LOOP_DX10').length;
    const branch = (name: Branch['name'], span: Branch['span'], depth = 0): Branch => {
      const made: Branch = { kind: 'branch', name, to: 0, pops: 0, depth, span };
      this.#out.push(made);
      return made;
    };
    for (const [index, item] of items.entries()) {
      switch (item.kind) {
        case 'block': {
          const next = items[index + 1]?.kind;
          const last =
            next === 'if' && item.hasPredicate
              ? 'ALU_PUSH_BEFORE'
              : next === 'break-if' && item.hasPredicate
                ? 'ALU_BREAK'
                : 'ALU';
          this.#block(item.clauses, last);
          break;
        }
        case 'if':
          open.push({ opened: branch('JUMP', item.span), leaving: [] });
          break;
        case 'else': {
          const opened = open.at(-1)!;
          opened.elseBranch = branch('ELSE', item.span);
          opened.opened.to = this.#out.length - 1;
          break;
        }
        case 'end-if': {
          const { opened, elseBranch } = open.pop()!;
          const skipping = elseBranch ?? opened;
          const last = this.#out.at(-1)!;
          // The last clause of the branch can switch the threads on again by itself.
          if (last.kind === 'alu' && last.name === 'ALU') {
            last.name = 'ALU_POP_AFTER';
            skipping.pops = 1;
            skipping.to = this.#out.length;
          } else {
            const pop = branch('POP', item.span);
            pop.pops = 1;
            pop.to = this.#out.length;
            skipping.to = this.#out.length - 1;
          }
          break;
        }
        case 'loop':
          open.push({ opened: branch('LOOP_DX10', item.span, loops()), leaving: [] });
          break;
        case 'break-if':
          break;
        case 'break':
        case 'continue':
          open
            .findLast(({ opened }) => opened.name === 'LOOP_DX10')!
            .leaving.push(branch(item.kind === 'break' ? 'BREAK' : 'CONTINUE', item.span));
          break;
        case 'end-loop': {
          const { opened, leaving } = open.pop()!;
          const end = branch('ENDLOOP', item.span, loops());
          end.to = this.#out.indexOf(opened) + 1;
          opened.to = this.#out.length;
          for (const one of leaving) one.to = this.#out.length - 1;
          break;
        }
      }
    }
    this.#finishExports();
    return giveAddresses(this.#out);
  }

  #block(clauses: readonly ScheduledClause[], lastName: AluClauseName): void {
    for (const [index, clause] of clauses.entries()) {
      switch (clause.kind) {
        case 'alu': {
          const name = index === clauses.length - 1 ? lastName : 'ALU';
          const bundles = clause.bundles.map((bundle, at) =>
            this.#bundle(bundle, clause.bundles[at - 1], name !== 'ALU' && at === clause.bundles.length - 1),
          );
          const words = wordsOfBundles(bundles);
          this.#out.push({ kind: 'alu', name, address: 0, words, locks: locksOf(clause.bundles), bundles });
          break;
        }
        case 'fetch':
          this.#out.push({
            kind: 'fetch',
            name: clause.unit,
            address: 0,
            fetches: clause.fetches.map((fetch) => this.#fetch(fetch)),
          });
          break;
        case 'write':
          this.#out.push({ kind: 'write', write: this.#write(clause.write) });
      }
    }
  }

  #bundle(bundle: Bundle, previous: Bundle | undefined, isLast: boolean): AluBundle {
    const kept = new Set(keptReads(bundle, previous));
    const instructions = bundle.slots.map(
      ({ slot, alu, target, sources, swizzle }): AluInstruction => ({
        slot,
        opcode: alu.opcode,
        target: target && this.#place(target),
        sources: sources.map((source) => this.#operand(source, bundle, kept, previous)),
        swizzle,
        setsMask: isLast && alu.opcode.isPredicate && alu.targets.length === 0,
        span: alu.span,
      }),
    );
    this.#number += 1;
    return { number: this.#number - 1, instructions, literals: bundle.literals };
  }

  #operand(
    source: Source,
    { literals }: Bundle,
    kept: ReadonlySet<Register>,
    previous: Bundle | undefined,
  ): Operand {
    switch (source.kind) {
      case 'literal': {
        const { bits } = source;
        const literal = knownNumbers.has(bits) ? undefined : (literals.indexOf(bits) as Channel);
        return { kind: 'number', bits, literal };
      }
      case 'constant':
        return source;
      case 'register': {
        const { register, negate, absolute } = source;
        if (!kept.has(register)) {
          const { slot } = previous!.slots.find(({ target }) => target === register)!;
          return { kind: 'previous', slot, negate, absolute };
        }
        return { kind: 'place', ...this.#place(register)!, negate, absolute };
      }
    }
  }

  #place(register: Register): Place | undefined {
    const location = this.#locations.get(register) ?? { file: 'general', index: 0 };
    if (location.file === 'none') return undefined;
    return { file: location.file, index: location.index, channel: giveChannel(register) };
  }

  #fetch(fetch: Fetch): FetchInstruction {
    const { name, targets, address, resource, sampler, offset, format, bytes, isConstant, span } = fetch;
    const components: (number | undefined)[] = [undefined, undefined, undefined, undefined];
    let target = 0;
    for (const [component, register] of targets.entries()) {
      const place = register && this.#place(register);
      if (!place) continue;
      target = place.index;
      components[place.channel] = component;
    }
    const places = address.map((register) => this.#place(register)!);
    this.#number += 1;
    return {
      number: this.#number - 1,
      name,
      target,
      components,
      address: places[0]?.index ?? 0,
      coordinates: places.map(({ channel }) => channel),
      resource,
      sampler,
      offset,
      format,
      bytes,
      isNormalised: fetch.isNormalised === true,
      isConstant,
      span,
    };
  }

  #write({ name, data, index, base, span }: Write): WriteInstruction {
    const places = data.map((register) => register && this.#place(register));
    return {
      name,
      source: places.find((place) => place !== undefined)?.index ?? 0,
      channels: places.map((place) => place?.channel),
      index: index && this.#place(index),
      base,
      isLast: false,
      span,
    };
  }

  /** The last export says that it is. */
  #finishExports(): void {
    const last = this.#out.findLast((one) => one.kind === 'write' && one.write.name === 'EXP');
    if (last?.kind === 'write') last.write = { ...last.write, isLast: true };
  }
}

function locksOf(bundles: readonly Bundle[]): readonly Lock[] {
  let locks: readonly Lock[] = [];
  for (const { slots } of bundles) {
    for (const { sources } of slots) {
      for (const source of sources) {
        if (source.kind === 'constant') locks = locked(locks, source.buffer, source.index) ?? locks;
      }
    }
  }
  return locks;
}
