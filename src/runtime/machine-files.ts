/**
 * The machine's files, where there is Node: what of node:fs is used. Which paths it is given is decided elsewhere
 * (machine-folder.ts).
 */
import { machineModule } from './host.ts';

/** What is known of a file. */
export interface MachineStatus {
  readonly dev: bigint;
  readonly ino: bigint;
  readonly nlink: bigint;
  readonly size: bigint;
  readonly atimeNs: bigint;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
  isCharacterDevice(): boolean;
  isBlockDevice(): boolean;
  isFIFO(): boolean;
  isSocket(): boolean;
}

const exactly = { bigint: true } as const;

interface NodeFiles {
  readonly constants: Readonly<Record<string, number | undefined>>;
  openSync(path: string, flags: number, mode?: number): number;
  closeSync(file: number): void;
  readSync(file: number, to: Uint8Array, offset: number, length: number, position: number | null): number;
  writeSync(file: number, from: Uint8Array, offset: number, length: number, position: number | null): number;
  fstatSync(file: number, options: typeof exactly): MachineStatus;
  lstatSync(path: string, options: typeof exactly): MachineStatus;
  ftruncateSync(file: number, length: number): void;
  fsyncSync(file: number): void;
  futimesSync(file: number, accessed: number, modified: number): void;
  lutimesSync(path: string, accessed: number, modified: number): void;
  readdirSync(path: string): string[];
  readlinkSync(path: string): string;
  realpathSync(path: string): string;
  statSync(path: string): { isFile(): boolean; isDirectory(): boolean };
  mkdirSync(path: string): void;
  rmdirSync(path: string): void;
  unlinkSync(path: string): void;
  renameSync(from: string, to: string): void;
  linkSync(from: string, to: string): void;
  symlinkSync(text: string, path: string): void;
}

/** Node's files. @throws MachineError ENOSYS where there are none, as in a page */
export function files(): NodeFiles {
  const found = machineModule('node:fs') as NodeFiles | undefined;
  if (!found) throw new MachineError('ENOSYS');
  return found;
}

/** An error like those of node:fs, which are told apart by their `code`. */
export class MachineError extends Error {
  readonly code: string;

  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

export function statusAt(path: string): MachineStatus {
  return files().lstatSync(path, exactly);
}

export function statusOfFile(file: number): MachineStatus {
  return files().fstatSync(file, exactly);
}

/** Bits for opening, 0 where the system has no such. */
export function openBit(name: string): number {
  return files().constants[name] ?? 0;
}

/** Node's `code` of an error; undefined for errors that are none of the system's. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error ? (error as { code?: string }).code : undefined;
}
