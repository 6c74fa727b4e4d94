/** Numbers and layouts of WASI preview 1, as far as the system of memory-system.ts speaks of them. */

/** `errno`. */
export const errno = {
  success: 0,
  noAccess: 2,
  again: 6,
  badFile: 8,
  busy: 10,
  noQuota: 19,
  exists: 20,
  fault: 21,
  tooBig: 22,
  interrupted: 27,
  invalid: 28,
  inputOutput: 29,
  isFolder: 31,
  loop: 32,
  tooMany: 33,
  tooManyLinks: 34,
  nameTooLong: 37,
  systemFull: 41,
  noDevice: 43,
  noEntry: 44,
  noSpace: 51,
  notFolder: 54,
  notEmpty: 55,
  notSupported: 58,
  noSuchDevice: 60,
  notPermitted: 63,
  brokenPipe: 64,
  readOnly: 69,
  noSeek: 70,
  textBusy: 74,
  otherDevice: 75,
  notCapable: 76,
} as const;

/** A call that fails, with what it returns. */
export class SystemError extends Error {
  readonly code: number;

  constructor(code: keyof typeof errno) {
    super(code);
    this.code = errno[code];
  }
}

/** `filetype`. */
export const fileType = {
  unknown: 0,
  blockDevice: 1,
  characterDevice: 2,
  folder: 3,
  file: 4,
  socket: 6,
  link: 7,
} as const;

/** `oflags` of path_open. */
export const openFlag = { create: 1, folder: 2, exclusive: 4, truncate: 8 } as const;

/** `fdflags`. */
export const descriptorFlag = { append: 1, dataSync: 2, nonBlocking: 4, readSync: 8, sync: 16 } as const;

/** `lookupflags`: a link at the end of a path is followed. */
export const followLinks = 1;

/** `fstflags`. */
export const timeFlag = { accessed: 1, accessedNow: 2, modified: 4, modifiedNow: 8 } as const;

/** `rights`, of which these decide what a descriptor can be used for. */
export const right = { read: 1n << 1n, write: 1n << 6n } as const;

/** Those of streams. C libraries take what can neither be sought nor told for a terminal, to which lines go at once. */
export const streamRights = right.read | right.write;

/** All rights that there are: what is not a matter of reading and writing is not refused here. */
export const allRights = (1n << 29n) - 1n;

/** Bytes of the structures. */
export const size = { descriptor: 24, fileStatus: 64, folderEntry: 24, subscription: 48, event: 32 } as const;

/** `clockid`; processor times are not to be had, so the others are the time since the program's start. */
export const clock = { realtime: 0, monotonic: 1, mostKnown: 3 } as const;

/** Tags of subscriptions and events. */
export const eventType = { clock: 0, read: 1, write: 2 } as const;

/** `subclockflags`: the time is a moment, not a span. */
export const absoluteTime = 1;
