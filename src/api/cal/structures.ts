/** CAL's structures as objects, with the names of their members in C. */
import type { CALtarget } from './constants.ts';

/** Objects are numbers, as in C; 0 is none. */
export type CALdevice = number;
export type CALcontext = number;
export type CALresource = number;
export type CALmem = number;
export type CALfunc = number;
export type CALname = number;
export type CALmodule = number;
export type CALevent = number;
export type CALobject = number;
export type CALimage = number;
export type CALcounter = number;

/** The positions of the output that a program runs for. */
export interface CALdomain {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface CALdomain3D {
  readonly width: number;
  readonly height: number;
  readonly depth: number;
}

export interface CALprogramGrid {
  readonly func: CALfunc;
  /** Threads of a group. */
  readonly gridBlock: CALdomain3D;
  /** Groups. */
  readonly gridSize: CALdomain3D;
  readonly flags?: number | undefined;
}

export interface CALprogramGridArray {
  readonly gridArray: readonly CALprogramGrid[];
  readonly flags?: number | undefined;
}

export interface CALdeviceinfo {
  readonly target: CALtarget;
  /** In elements. */
  readonly maxResource1DWidth: number;
  readonly maxResource2DWidth: number;
  readonly maxResource2DHeight: number;
}

/** `struct_size` is 112, that of C. Memory in megabytes, clocks in megahertz. */
export interface CALdeviceattribs {
  readonly struct_size: number;
  readonly target: CALtarget;
  readonly localRAM: number;
  readonly uncachedRemoteRAM: number;
  readonly cachedRemoteRAM: number;
  readonly engineClock: number;
  readonly memoryClock: number;
  readonly wavefrontSize: number;
  readonly numberOfSIMD: number;
  readonly doublePrecision: boolean;
  readonly localDataShare: boolean;
  readonly globalDataShare: boolean;
  readonly globalGPR: boolean;
  readonly computeShader: boolean;
  readonly memExport: boolean;
  /** Of calResCreate1D and 2D: in elements, and in bytes. */
  readonly pitch_alignment: number;
  readonly surface_alignment: number;
  /** Buffers that a program may read and write (uav#). */
  readonly numberOfUAVs: number;
  /** There is one at most, the global buffer in other words. */
  readonly bUAVMemExport: boolean;
  /** Grids may have more than one dimension. */
  readonly b3dProgramGrid: boolean;
  readonly numberOfShaderEngines: number;
  readonly targetRevision: number;
  /** Local memory that the host sees, and what it does not; the other heaps are those of OpenCL and empty. */
  readonly totalVisibleHeap: number;
  readonly totalInvisibleHeap: number;
  readonly totalDirectHeap: number;
  readonly totalCoherentHeap: number;
  readonly totalRemoteSharedHeap: number;
  readonly totalCachedRemoteSharedHeap: number;
}

/** `struct_size` is 72, that of C. Memory that is left, in megabytes. */
export interface CALdevicestatus {
  readonly struct_size: number;
  readonly availLocalRAM: number;
  readonly availUncachedRemoteRAM: number;
  readonly availCachedRemoteRAM: number;
  readonly availVisibleHeap: number;
  readonly availInvisibleHeap: number;
  readonly availDirectHeap: number;
  readonly availCoherentHeap: number;
  readonly availRemoteSharedHeap: number;
  readonly availCachedRemoteSharedHeap: number;
  readonly largestBlockVisibleHeap: number;
  readonly largestBlockInvisibleHeap: number;
  readonly largestBlockRemoteHeap: number;
  readonly largestBlockCachedRemoteHeap: number;
  readonly largestBlockDirectHeap: number;
  readonly largestBlockCoherentHeap: number;
  readonly largestBlockRemoteSharedHeap: number;
  readonly largestBlockCachedRemoteSharedHeap: number;
}

/** What a program needs of the device's registers and threads. */
export interface CALfuncInfo {
  readonly maxScratchRegsNeeded: number;
  readonly numSharedGPRUser: number;
  readonly numSharedGPRTotal: number;
  readonly eCsSetupMode: boolean;
  readonly numThreadPerGroup: number;
  readonly totalNumThreadGroup: number;
  readonly wavefrontPerSIMD: number;
  readonly numWavefrontPerSIMD: number;
  readonly isMaxNumWavePerSIMD: boolean;
  readonly setBufferForNumGroup: boolean;
}

export const attribsBytes = 112;
export const statusBytes = 72;
