/**
 * The numbers of CAL images: ELF files of 32 bits that hold one or more encodings, as public documents and tools describe
 * those of AMD's compiler. A program header of type {@link dictionarySegment} names the encodings; each has notes and its text.
 */

/** What every image begins with: class 32, little-endian, version 1, ABI 100 version 1. */
export const identification = [0x7f, 0x45, 0x4c, 0x46, 1, 1, 1, 100, 1, 0, 0, 0, 0, 0, 0, 0] as const;
export const executableType = 2;
export const machine = 0x7d;
export const elfVersion = 1;
export const elfFlags = 1;

export const headerBytes = 52;
export const segmentBytes = 32;
export const sectionBytes = 40;
/** Machine, type, offset, size, flags. */
export const entryBytes = 20;

export const dictionarySegment = 0x70000002;
export const noteSegment = 4;
export const loadSegment = 1;
/** A program's text can be read and run. */
export const readAndRun = 5;

export const noSection = 0;
export const bitsSection = 1;
export const namesSection = 3;
export const noteSection = 7;

/** Types of encodings: kinds of programs. */
export const encodingTypes = { ps: 0, cs: 4 } as const;

/** Notes of CAL about a program, by type. */
export const calNotes = 'ATI CAL';
export const noteTypes = { inputs: 2, outputs: 3, globalBuffers: 9, constantBuffers: 10 } as const;

/** The note that only our images have: format version, whether it is optimised, the text's length and its CRC-32. */
export const ownNotes = 'Millrac';
export const ownNoteType = 1;
export const formatVersion = 1;
