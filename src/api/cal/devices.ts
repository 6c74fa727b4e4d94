/**
 * What CAL lists as devices: those of Millrace, our own first, and the cards of cards.ts, which run on that first device with
 * the limits and features of the card.
 */
import type { Device } from '../../runtime/device.ts';
import { type Card, cards } from './cards.ts';
import * as C from './constants.ts';
import { attribsBytes, type CALdeviceattribs, type CALdeviceinfo } from './structures.ts';

/** A device before it is opened. */
export interface DeviceKind {
  readonly name: string;
  /** What runs its programs. */
  readonly device: Device;
  /** The card that it pretends to be. */
  readonly card: Card | undefined;
  readonly info: CALdeviceinfo;
  readonly attribs: CALdeviceattribs;
}

const mebibyte = 1 << 20;

/** Elements of a row begin at multiples of so many (guide, 3.7.3.1: the buffers that are padded are padded to 64). */
export const pitchAlignment = 64;
/** Bytes; that of Windows XP and Linux (guide, B.4.5). */
export const surfaceAlignment = 256;

/** The largest resources of R600 and its followers (guide, 1.2.4). */
const cardWidth = 8192;
/** Of our devices: as many elements as the largest resources of two dimensions have, and rows as long as images'. */
const ownWidth1D = cardWidth * cardWidth;
const ownWidth2D = 16384;

/** Remote memory of a card, in megabytes: what a page table of the time could map, and a part of it for the CPU's cache. */
const uncachedRemote = 1024;
const cachedRemote = 256;

/** As many as the cards after those of the guide have (Evergreen). */
const ownUAVs = 12;

/** What later headers ask of the hardware: one engine, and memory that the host sees. */
const heaps = (megabytes: number) => ({
  numberOfShaderEngines: 1,
  targetRevision: 0,
  totalVisibleHeap: megabytes,
  totalInvisibleHeap: 0,
  totalDirectHeap: 0,
  totalCoherentHeap: 0,
  totalRemoteSharedHeap: 0,
  totalCachedRemoteSharedHeap: 0,
});

/** What a device looks like that computes what the newest card of the guide does. */
function ownKind(device: Device): DeviceKind {
  const { info } = device;
  const megabytes = Math.max(1, Math.floor(info.globalMemSize / mebibyte));
  return {
    name: info.name,
    device,
    card: undefined,
    info: {
      target: C.CAL_TARGET_770,
      maxResource1DWidth: ownWidth1D,
      maxResource2DWidth: ownWidth2D,
      maxResource2DHeight: ownWidth2D,
    },
    attribs: {
      struct_size: attribsBytes,
      target: C.CAL_TARGET_770,
      localRAM: megabytes,
      uncachedRemoteRAM: megabytes,
      cachedRemoteRAM: megabytes,
      // Asked for only when somebody wants to know.
      get engineClock() {
        return info.maxClockFrequency;
      },
      memoryClock: 0,
      wavefrontSize: info.preferredWorkGroupMultiple,
      numberOfSIMD: info.maxComputeUnits,
      doublePrecision: info.doubleFpConfig !== 0,
      localDataShare: info.localMemSize > 0,
      globalDataShare: false,
      globalGPR: false,
      computeShader: true,
      memExport: true,
      pitch_alignment: pitchAlignment,
      surface_alignment: surfaceAlignment,
      numberOfUAVs: ownUAVs,
      bUAVMemExport: false,
      b3dProgramGrid: true,
      ...heaps(megabytes),
    },
  };
}

function cardKind(card: Card, device: Device): DeviceKind {
  const { name, chip, simds, engineClock, memoryClock } = card.model;
  return {
    name,
    device,
    card,
    info: {
      target: card.target,
      maxResource1DWidth: cardWidth,
      maxResource2DWidth: cardWidth,
      maxResource2DHeight: cardWidth,
    },
    attribs: {
      struct_size: attribsBytes,
      target: card.target,
      localRAM: card.localRAM,
      uncachedRemoteRAM: uncachedRemote,
      cachedRemoteRAM: cachedRemote,
      engineClock,
      memoryClock,
      wavefrontSize: chip.wavefront,
      numberOfSIMD: simds,
      doublePrecision: chip.hasDoubles,
      localDataShare: chip.hasCompute,
      globalDataShare: false,
      globalGPR: chip.hasCompute,
      computeShader: chip.hasCompute,
      memExport: chip.hasGlobalBuffer,
      pitch_alignment: pitchAlignment,
      surface_alignment: surfaceAlignment,
      numberOfUAVs: chip.hasCompute ? 1 : 0,
      bUAVMemExport: chip.hasCompute,
      b3dProgramGrid: false,
      ...heaps(card.localRAM),
    },
  };
}

/** The devices for what runs programs: the first of those, the cards on it, and the others. */
export function deviceKinds(devices: readonly Device[]): DeviceKind[] {
  const [first, ...others] = devices;
  if (!first) return [];
  return [ownKind(first), ...cards.map((card) => cardKind(card, first)), ...others.map(ownKind)];
}

/** Those whose names contain one of the words of a list (`hd 4870, interpreter`), in its order; all of them without a list. */
export function chosenKinds(kinds: readonly DeviceKind[], list: string | undefined): readonly DeviceKind[] {
  if (list === undefined) return kinds;
  const words = list.toLowerCase().split(',');
  return words.flatMap((word) => {
    const wanted = word.trim();
    return wanted === '' ? [] : kinds.filter(({ name }) => name.toLowerCase().includes(wanted));
  });
}
