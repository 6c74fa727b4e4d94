/** Turns what checked code reports, in numbers, into reports: who, where, what, and the other party. */
import type { MemoryObject } from '../../runtime/command.ts';
import { groupCounts } from '../../runtime/launch.ts';
import type { LaunchBody } from '../../runtime/local-engine.ts';
import { counted } from '../../source/counted.ts';
import type { CopyOrigin } from './buffer-records.ts';
import { codes } from './codes.ts';
import type { ArgumentRange } from './launch-facts.ts';
import type {
  Access,
  CheckedObject,
  CheckReport,
  FaultKind,
  Ids,
  Party,
  PlacedReport,
  WorkItem,
} from './report.ts';
import { placeOf } from './report.ts';
import { Reservations } from './reservations.ts';
import { groupItself, itemOf, siteOf, stateWords, whoFlags } from './shadow-layout.ts';
import type { Base, Site, SiteKind, Sites } from './sites.ts';
import { nameAt, type StoredUnset, storedUnset } from './undefined-words.ts';

/** What a launch's reports need to know of it. */
export interface LaunchView {
  readonly kernel: string;
  readonly body: LaunchBody;
  readonly sites: Sites;
  readonly ranges: readonly ArgumentRange[];
  /** Whether an address is among those to which accesses are sent that may not be made. */
  isScratch(address: number): boolean;
  /** Words of the state, as of now. */
  state(word: number): number;
  /** The epoch in which a group began, 0 if it has not. */
  groupEpoch(group: number): number;
  /** The number of the barrier that a work-item came to last. */
  arrival(item: number): number;
  /** Whether a byte is marked as undefined. */
  isUndefined(address: number): boolean;
  /** The copy that has stored a byte of a buffer undefined, in a launch before. */
  originOf(memory: MemoryObject, offset: number): CopyOrigin | undefined;
}

const accesses: Partial<Record<SiteKind, Access>> = {
  load: 'read',
  store: 'write',
  atomic: 'atomic operation',
};

export class LaunchReports {
  readonly #view: LaunchView;
  /** By what makes two of them the same to a reader. */
  readonly #found = new Map<string, { placed: PlacedReport; count: number }>();
  readonly #reservations = new Reservations<PlacedReport>();
  #hasParted = false;
  /** Where a value was found that was never set, last. */
  #undefinedAt: string | undefined;

  constructor(view: LaunchView) {
    this.#view = view;
  }

  /** The launch has ended. */
  end(): void {
    for (const placed of this.#reservations.left) {
      const { message, place } = placed.report;
      this.#count(`${message} ${place?.line}:${place?.column}`, () => placed);
    }
  }

  get list(): PlacedReport[] {
    return [...this.#found.values()].map(({ placed, count }) => ({
      ...placed,
      report: { ...placed.report, count },
    }));
  }

  /** What the imported function does, but for looks at the clock. */
  add(seen: number, who: number, address: number, offset: number): void {
    const code = this.#faultOf(seen, who, address, offset);
    if (code === undefined) return;
    const site = siteOf(who);
    if (code === codes.undefinedValue) this.#undefinedAt = this.#lineOf(site);
    // Where an address is made of what was never set, anything may follow.
    else if (code === codes.outOfBounds && this.#undefinedAt === this.#lineOf(site)) return;
    const isRace = code <= codes.writeRead;
    // What may not be made is made to a place that all share.
    if (isRace && this.#view.isScratch(this.#view.state(stateWords.place))) return;
    // When work-items part, others find memory as nobody meant it.
    if (code === codes.copyDivergence || code === codes.copyElsewhere) this.#hasParted = true;
    else if (this.#hasParted && code <= codes.unwritten) return;
    const stored = code === codes.undefinedStored ? this.#stored(who, address >>> 0, offset) : undefined;
    if (code === codes.undefinedStored && !stored) return;
    const otherWho = isRace ? this.#view.state(stateWords.otherWho) : 0;
    // Races of either order are the same to a reader.
    const pair = isRace ? [site, siteOf(otherWho)].sort((a, b) => a - b) : [site];
    const at = code === codes.copyElsewhere ? siteOf(this.#view.state(stateWords.otherWho)) : '';
    // The same members of any element are the same to a reader.
    const members = stored?.text.replace(/\[\d+\]/g, '[]') ?? '';
    const key = `${isRace ? 'race' : code} ${at || pair.join(' ')} ${members}`;
    this.#count(key, () => this.#describe(code, who, address >>> 0, offset >>> 0, stored));
  }

  /** One more of those that are the same to a reader; the first is described. */
  #count(key: string, describe: () => PlacedReport): void {
    const known = this.#found.get(key);
    if (known) known.count += 1;
    else this.#found.set(key, { placed: describe(), count: 1 });
  }

  /** What is wrong, if something is: of what is done with reservations in pipes only those that there are tell. */
  #faultOf(code: number, who: number, pipe: number, number: number): number | undefined {
    if (code !== codes.pipeReserve && code !== codes.pipePacket && code !== codes.pipeCommit) return code;
    const { state } = this.#view;
    const use = { pipe, first: state(stateWords.oldValue), count: state(stateWords.newValue) };
    if (code !== codes.pipeReserve) return this.#reservations.used(code, use, number >>> 0);
    this.#reservations.made(use, this.#describe(codes.pipeUncommitted, who, pipe >>> 0, number));
    return undefined;
  }

  #lineOf(site: number): string {
    const place = placeOf(this.#view.sites.list[site]!.span);
    return `${place?.file}:${place?.line}`;
  }

  /** What a copy to global memory stores that was never set. */
  #stored(who: number, address: number, offset: number): StoredUnset | undefined {
    const { source, bytes } = this.#view.sites.list[siteOf(who)]!;
    if (!source) return undefined;
    return storedUnset(source, offset, bytes, (byte) => this.#view.isUndefined(address + byte - offset));
  }

  #describe(
    code: number,
    who: number,
    address: number,
    offset: number,
    stored?: StoredUnset | undefined,
  ): PlacedReport {
    const view = this.#view;
    const site: Site = view.sites.list[siteOf(who)]!;
    const group = view.state(stateWords.groupNumber);
    const workItem = this.#workItem(itemOf(who), group);
    const party: Party = { workItem, access: accesses[site.kind], place: placeOf(site.span) };
    const make = (kind: FaultKind, message: string, more: Partial<CheckReport> = {}, otherSite?: Site) => ({
      report: {
        ...party,
        kind,
        severity: 'error' as const,
        kernel: view.kernel,
        message,
        other: undefined,
        object: undefined,
        values: undefined,
        count: 1,
        ...more,
      },
      span: site.span,
      otherSpan: otherSite?.span,
    });
    switch (code) {
      case codes.writeWrite:
      case codes.readWrite:
      case codes.writeRead:
        return this.#race(code, site, make);
      case codes.unwritten:
        return this.#unwritten(site, address, offset, make);
      case codes.undefinedStored: {
        const object = this.#object(site.base, address, undefined);
        const into = object ? `'${object.name}' in global memory` : 'global memory';
        const placed = make(
          'uninitialised',
          `${stored?.text ?? 'a value was'} never set, and ${stored?.isSeveral ? 'are' : 'is'} copied to ${into}`,
          {
            severity: stored?.isWhole === false ? 'warning' : 'error',
            object,
          },
        );
        return { ...placed, ...this.#declaration(site.source?.base) };
      }
      case codes.outOfBounds:
        return this.#outOfBounds(site, address, offset, make);
      case codes.undefinedValue: {
        const object = this.#object(site.base, undefined, offset);
        const placed = make(
          'uninitialised',
          `use of '${nameAt(site.base, offset, Math.max(1, site.bytes)) ?? '?'}', which was never set`,
          { object },
        );
        return offset === undefined ? placed : { ...placed, ...this.#declaration(site.base) };
      }
      case codes.divergence: {
        const missing = this.#missing();
        const message =
          'barrier divergence: some work-items of the group pass this barrier, and others do not';
        return make('barrier-divergence', message, {
          other: missing && { workItem: missing, access: undefined, place: undefined },
        });
      }
      case codes.copyDivergence:
      case codes.copyElsewhere: {
        const at = code === codes.copyElsewhere ? view.state(stateWords.otherWho) : who;
        const otherSite = view.sites.list[siteOf(at)]!;
        const what = 'work-items of a group begin different async copies, or wait for different events';
        const placed = make('barrier-divergence', what, { place: placeOf(otherSite.span) });
        return { ...placed, span: otherSite.span };
      }
      case codes.noEvent:
        return make('event-misuse', 'wait for an event that no async copy of the work-item has made');
      case codes.unawaited: {
        const { span } = view.sites.list[siteOf(view.state(stateWords.otherWho))]!;
        const what = 'the work-item ends without waiting for this async copy';
        return { ...make('event-misuse', what, { place: placeOf(span) }), span };
      }
      case codes.divisionByZero:
        return make('division-by-zero', 'integer division by zero');
      case codes.divisionOverflow:
        return make(
          'division-overflow',
          'integer division whose quotient does not fit: the lowest number by -1',
        );
      case codes.pipeLost:
      case codes.pipeNotReserved:
      case codes.pipeCommitted:
      case codes.pipeBeyond:
      case codes.pipeUncommitted:
        return make('pipe-misuse', this.#pipeText(code, site, offset));
      case codes.outsideImage:
        return make(
          'out-of-bounds',
          this.#outsideImage(site, [address, offset, view.state(stateWords.place)]),
        );
      case codes.misaligned: {
        const object = this.#object(site.base, address, undefined);
        const message = `${site.kind} of ${site.bytes} bytes at ${placeText(object)}, address ${hex(address)}, which is not aligned`;
        return make('misaligned', message, { object });
      }
      case codes.constantWritten: {
        const object = this.#object(site.base, address, undefined);
        return make('constant-written', `write to '${object?.name}' in constant memory`, { object });
      }
      default:
        return make('other', `fault ${code}`);
    }
  }

  /** The place where a variable should have been set, at the latest. */
  #declaration(base: Base | undefined): Pick<PlacedReport, 'otherSpan' | 'otherNote'> {
    const declared = base?.kind === 'variable' ? base.declared : undefined;
    const kind = declared?.layout?.kind;
    if (!declared?.span || (kind !== 'struct' && kind !== 'array')) return { otherSpan: undefined };
    return { otherSpan: declared.span, otherNote: `'${base?.name}' is declared here` };
  }

  #unwritten(
    site: Site,
    address: number,
    offset: number,
    make: (kind: FaultKind, message: string, more: Partial<CheckReport>) => PlacedReport,
  ): PlacedReport {
    const view = this.#view;
    const place = view.state(stateWords.place);
    const at = site.base ? (offset + place - address) >>> 0 : undefined;
    const object = this.#object(site.base, place, at);
    const name = nameAt(site.base, object?.offset, 1);
    const what =
      name === undefined || name === object?.name
        ? `read of ${placeText(object)}`
        : `read of '${name}', ${placeText(object)}`;
    const otherWho = view.state(stateWords.otherWho);
    if (otherWho !== 0) {
      const group = this.#groupOf(view.state(stateWords.otherEpoch));
      const { span } = view.sites.list[siteOf(otherWho)]!;
      const workItem = this.#workItem(itemOf(otherWho), group);
      const placed = make('uninitialised', `${what}, which was copied there without having been set`, {
        object,
        other: { workItem, access: 'write', place: placeOf(span) },
      });
      return { ...placed, otherSpan: span };
    }
    const origin = this.#originOf(site.base, object);
    if (!origin) return make('uninitialised', `${what}, which nobody has written`, { object });
    const placed = make('uninitialised', `${what}, which was copied there without having been set`, {
      object,
      other: { workItem: undefined, access: 'write', place: placeOf(origin.site.span) },
    });
    return {
      ...placed,
      otherSpan: origin.site.span,
      otherNote: `the copy, in a launch of kernel '${origin.kernel}' before`,
    };
  }

  /** Of a byte of an argument. */
  #originOf(base: Base | undefined, object: CheckedObject | undefined): CopyOrigin | undefined {
    const argument = base?.kind === 'parameter' ? this.#view.body.arguments[base.index] : undefined;
    if (argument?.kind !== 'memory' || !argument.range || object?.offset === undefined) return undefined;
    const { memory, offset } = argument.range;
    const whole = memory.parent ?? memory;
    return this.#view.originOf(memory, memory.address - whole.address + offset + object.offset);
  }

  /** @param number the packet that is meant, or 0 for writes and 1 for reads */
  #pipeText(code: number, { base }: Site, number: number): string {
    const pipe = `pipe '${base?.kind === 'parameter' ? base.name : '?'}'`;
    const packets = counted(this.#view.state(stateWords.newValue), 'packet');
    switch (code) {
      case codes.pipeLost: {
        const what = number === 0 ? `write to ${pipe}, which is full` : `read of ${pipe}, which is empty`;
        return `${what}, and nobody looks at the result`;
      }
      case codes.pipeNotReserved:
        return `use of a reservation in ${pipe} that was not made, as is_valid_reserve_id would say`;
      case codes.pipeCommitted:
        return `use of a reservation in ${pipe} that has been committed`;
      case codes.pipeBeyond:
        return `packet ${number} of a reservation in ${pipe} of ${packets}`;
      default:
        return `reservation of ${packets} in ${pipe} that nobody commits`;
    }
  }

  #race(
    code: number,
    site: Site,
    make: (kind: FaultKind, message: string, more: Partial<CheckReport>, other?: Site) => PlacedReport,
  ): PlacedReport {
    const view = this.#view;
    const otherWho = view.state(stateWords.otherWho);
    const otherSite = view.sites.list[siteOf(otherWho)]!;
    const place = view.state(stateWords.place);
    const object = this.#object(site.base, place, undefined);
    const otherGroup = this.#groupOf(view.state(stateWords.otherEpoch));
    const isAtomic = (otherWho & whoFlags.atomic) !== 0 && code !== codes.readWrite;
    const otherAccess: Access = isAtomic ? 'atomic operation' : code === codes.readWrite ? 'read' : 'write';
    const access = accesses[site.kind] ?? 'write';
    const inGroup = otherGroup === view.state(stateWords.groupNumber);
    const sort = code === codes.writeWrite ? 'write-write' : 'read-write';
    const space = object?.space === 'local' ? 'local' : 'global';
    const isCopy = itemOf(otherWho) === groupItself;
    const why = !inGroup
      ? 'in another work-group'
      : isCopy
        ? 'with no wait for its event between them'
        : view.state(stateWords.otherEpoch) < view.state(stateWords.epoch)
          ? `with a barrier between them that does not fence ${space} memory`
          : 'with no barrier between them';
    const message = `${sort} data race on ${placeText(object)}: ${access} after ${article(otherAccess)} of ${isCopy ? 'an async copy' : 'another work-item'} ${why}`;
    const isStore = code === codes.writeWrite && site.kind === 'store' && site.bytes <= 4;
    return make(
      'data-race',
      message,
      {
        object,
        access,
        other: {
          workItem: this.#workItem(itemOf(otherWho), otherGroup),
          access: otherAccess,
          place: placeOf(otherSite.span),
        },
        values: isStore
          ? { before: view.state(stateWords.oldValue), after: view.state(stateWords.newValue) }
          : undefined,
      },
      otherSite,
    );
  }

  #outOfBounds(
    site: Site,
    address: number,
    offset: number,
    make: (kind: FaultKind, message: string, more: Partial<CheckReport>) => PlacedReport,
  ): PlacedReport {
    const { base } = site;
    const access = accesses[site.kind] ?? 'access';
    const what = site.bytes === 0 ? access : `${access} of ${counted(site.bytes, 'byte')}`;
    if (!base) {
      if (address < 1024) return make('null-pointer', `${what} through a null pointer`, {});
      return make(
        'out-of-bounds',
        `${what} at address ${hex(address)}, which is in no object of the kernel`,
        {},
      );
    }
    const object = this.#object(base, undefined, offset)!;
    const range = base.kind === 'parameter' ? this.#rangeOf(base.index) : undefined;
    if (range && range.bytes === 0) {
      return make('null-pointer', `${what} through the null pointer '${base.name}'`, { object });
    }
    const size = object.size ?? 0;
    if (range && offset + site.bytes <= size) {
      if (range.access === 'read-only') {
        return make('read-only-written', `${what} to '${base.name}', a buffer that kernels may only read`, {
          object,
        });
      }
      return make('write-only-read', `${what} of '${base.name}', a buffer that kernels may only write`, {
        object,
      });
    }
    const signed = offset | 0;
    const where =
      signed < 0
        ? `${counted(-signed, 'byte')} before '${base.name}'`
        : `at byte ${offset} of '${base.name}', which has ${size}`;
    return make('out-of-bounds', `${what} ${where}`, { object: { ...object, offset: signed } });
  }

  #outsideImage({ base, kind }: Site, place: readonly number[]): string {
    const { name, sides } = base?.kind === 'image' ? base : { name: '?', sides: [] };
    const { arguments: args, kernel } = this.#view.body;
    const argument = args[kernel.parameters.findIndex(({ info }) => info?.name === name)];
    const at = place.slice(0, sides.length).map((number) => number | 0);
    const sizes = argument?.kind === 'image' ? sides.map((side) => argument.shape[side]) : [];
    return `${accesses[kind]} of pixel (${at.join(', ')}) of '${name}', which has ${sizes.join(' x ')}`;
  }

  #rangeOf(index: number): ArgumentRange | undefined {
    return this.#view.ranges.find((range) => range.index === index);
  }

  /** What an address or an offset is about. */
  #object(
    base: Base | undefined,
    address: number | undefined,
    offset: number | undefined,
  ): CheckedObject | undefined {
    const range =
      base?.kind === 'parameter'
        ? this.#rangeOf(base.index)
        : this.#view.ranges.find(
            (one) => address !== undefined && address >= one.address && address < one.address + one.bytes,
          );
    if (base?.kind === 'image') return undefined;
    if (base?.kind === 'variable') {
      const { name, space, size } = base;
      return { name, space, size, offset };
    }
    if (!range) return undefined;
    const argument = this.#view.body.arguments[range.index]!;
    const parameter = this.#view.body.kernel.parameters[range.index]!;
    const name = base?.name ?? parameter.info?.name ?? `argument ${range.index}`;
    const isGlobal = argument.kind === 'memory';
    const at = offset ?? (isGlobal && address !== undefined ? address - range.address : undefined);
    return { name, space: isGlobal ? 'global' : 'local', size: range.bytes, offset: at };
  }

  /** The group whose epochs an epoch is among. */
  #groupOf(epoch: number): number {
    const { body } = this.#view;
    const [x, y, z] = groupCounts(body.global, body.local);
    let found = 0;
    let latest = -1;
    for (let group = 0; group < x * y * z; group += 1) {
      const began = this.#view.groupEpoch(group);
      if (began <= epoch && began > latest) {
        latest = began;
        found = group;
      }
    }
    return found;
  }

  /** Undefined for the group itself, which copies. */
  #workItem(item: number, group: number): WorkItem | undefined {
    if (item === groupItself) return undefined;
    const { global, local, offset } = this.#view.body;
    const [columns, rows] = groupCounts(global, local);
    const ids = [group % columns, Math.floor(group / columns) % rows, Math.floor(group / (columns * rows))];
    const sizes = [0, 1, 2].map((axis) => Math.min(local[axis]!, global[axis]! - ids[axis]! * local[axis]!));
    const inGroup = [
      item % sizes[0]!,
      Math.floor(item / sizes[0]!) % sizes[1]!,
      Math.floor(item / (sizes[0]! * sizes[1]!)),
    ];
    const globalIds = [0, 1, 2].map((axis) => offset[axis]! + ids[axis]! * local[axis]! + inGroup[axis]!);
    return {
      global: globalIds as unknown as Ids,
      local: inGroup as unknown as Ids,
      group: ids as unknown as Ids,
    };
  }

  /** A work-item that did not come to the barrier that others have just passed. */
  #missing(): WorkItem | undefined {
    const view = this.#view;
    const passed = view.state(stateWords.barriers) - 1;
    const items = view.state(stateWords.items);
    for (let item = 0; item < items; item += 1) {
      if (view.arrival(item) !== passed) return this.#workItem(item, view.state(stateWords.groupNumber));
    }
    return undefined;
  }
}

function placeText(object: CheckedObject | undefined): string {
  if (!object) return 'memory';
  const at = object.offset === undefined ? '' : `byte ${object.offset} of `;
  return `${at}'${object.name}'`;
}

function article(access: Access): string {
  return access === 'atomic operation' ? 'an atomic operation' : `a ${access}`;
}

function hex(address: number): string {
  return `0x${address.toString(16)}`;
}
