/**
 * A front end that remembers: what a source was compiled to, the messages, and the machine code that a device made of
 * it. It counts as the same build only if source, name, options, address width, this Millrace and every file that
 * `#include` found, or looked for in vain, are the same.
 */
import type { FileSystem } from '../../c/preprocessor.ts';
import { ByteReader, ByteWriter } from '../../ir/binary/bytes.ts';
import { readModule } from '../../ir/binary/read.ts';
import { writeModule } from '../../ir/binary/write.ts';
import { parseBuildOptions } from '../../opencl/build-options.ts';
import type { CodeStore } from '../../runtime/device.ts';
import type { Diagnostic } from '../../source/diagnostics.ts';
import { type PackedDiagnostics, packDiagnostics, unpackDiagnostics } from '../../source/pack-diagnostics.ts';
import { isMemoryFull } from '../../source/stack-full.ts';
import type { FrontEnd, FrontResult } from '../build-program.ts';
import type { SourceProgram } from '../source-front-end.ts';
import { buildCache, producer } from './build-cache.ts';
import type { CacheFolder } from './cache-folder.ts';
import { keyOf } from './hash.ts';
import { areUnchanged, isTimeDependent, RecordedFiles, type SeenFiles } from './seen-files.ts';

/** What is kept of a build. */
interface Entry {
  readonly files: SeenFiles;
  readonly log: string;
  /** Null where there is nothing to say. */
  readonly diagnostics: PackedDiagnostics | null;
  readonly module: Uint8Array;
  /** Machine code by the device's variant. */
  readonly code: ReadonlyMap<string, Uint8Array>;
}

/**
 * Puts the cache, if there is one, before a front end.
 * @param frontEndWith gives the front end for a file system
 */
export function cachedFrontEnd(
  input: SourceProgram,
  addressBits: 32 | 64,
  frontEndWith: (files: FileSystem | undefined) => FrontEnd,
): FrontEnd {
  const plain = frontEndWith(input.files);
  const cache = buildCache();
  if (!cache || isTimeDependent(input.source)) return plain;
  const { source, name = '', options, files } = input;
  const key = keyOf([producer(), name, options, String(addressBits), files ? 'files' : '', source]);
  return {
    ...plain,
    read() {
      const entry = findEntry(cache, key, files);
      if (entry) return remembered(cache, key, entry);
      const recorded = files && new RecordedFiles(files);
      const places = parseBuildOptions(options).options.debug ? 'all' : 'symbols';
      return fresh(cache, key, frontEndWith(recorded).read(), recorded, places);
    },
  };
}

/** Where the cache, if there is one, keeps the machine code made of a program that is not from a source. */
export function cachedCode(
  program: Uint8Array,
  options: string,
  addressBits: 32 | 64,
): CodeStore | undefined {
  const cache = buildCache();
  if (!cache) return undefined;
  const key = keyOf([producer(), options, String(addressBits)], program);
  const bytes = cache.read(key);
  return codeStore(cache, key, (bytes && decodeEntry(bytes)) ?? codeOnly);
}

const codeOnly: Entry = { files: [], log: '', diagnostics: null, module: new Uint8Array(0), code: new Map() };

function remembered(cache: CacheFolder, key: string, entry: Entry): FrontResult {
  let diagnostics: readonly Diagnostic[] | undefined;
  return {
    lower: () => readModule(entry.module),
    get diagnostics() {
      diagnostics ??= entry.diagnostics ? unpackDiagnostics(entry.diagnostics) : [];
      return diagnostics;
    },
    hasInvalidOptions: false,
    log: entry.log,
    code: codeStore(cache, key, entry),
  };
}

/** A build that is to be kept, when the device first gives something for it. */
function fresh(
  cache: CacheFolder,
  key: string,
  result: FrontResult,
  recorded: RecordedFiles | undefined,
  places: 'symbols' | 'all',
): FrontResult {
  const { lower, diagnostics, log } = result;
  if (!lower || recorded?.isTimeDependent) return result;
  const module = lower();
  let ready: typeof module | undefined = module;
  const read: FrontResult = {
    ...result,
    lower() {
      const next = ready ?? lower();
      ready = undefined;
      return next;
    },
  };
  try {
    const entry: Entry = {
      files: recorded?.seen ?? [],
      log,
      diagnostics: diagnostics.length > 0 ? packDiagnostics(diagnostics) : null,
      // Written before the passes change the module.
      module: writeModule(module, { places }),
      code: new Map(),
    };
    return { ...read, code: codeStore(cache, key, entry) };
  } catch (error) {
    mustBeMemory(error);
    return read;
  }
}

/** There is no memory for an entry: the build is good without. @throws the error if it says something else */
function mustBeMemory(error: unknown): void {
  if (!isMemoryFull(error)) throw error;
}

/** The code of an entry. Devices give it bit by bit, and each time the entry is written with all there is. */
function codeStore(cache: CacheFolder, key: string, entry: Entry): CodeStore {
  const code = new Map(entry.code);
  return {
    find: (variant) => code.get(variant),
    keep(variant, encode) {
      try {
        code.set(variant, encode());
        // What other processes have added meanwhile stays, if they built the same.
        const written = cache.read(key);
        const there = written && decodeEntry(written);
        if (there && JSON.stringify(there.files) === JSON.stringify(entry.files)) {
          for (const [other, its] of there.code) if (!code.has(other)) code.set(other, its);
        }
        cache.write(key, encodeEntry({ ...entry, code }));
      } catch (error) {
        mustBeMemory(error);
      }
    },
  };
}

/** The entry of a key, if all files are still as they were. */
function findEntry(cache: CacheFolder, key: string, files: FileSystem | undefined): Entry | undefined {
  const bytes = cache.read(key);
  const entry = bytes && decodeEntry(bytes);
  return entry && areUnchanged(entry.files, files) ? entry : undefined;
}

function encodeEntry({ files, log, diagnostics, module, code }: Entry): Uint8Array {
  const output = new ByteWriter();
  const part = (bytes: Uint8Array): void => {
    output.count(bytes.length);
    output.bytes(bytes);
  };
  part(new TextEncoder().encode(JSON.stringify({ files, log, diagnostics })));
  part(module);
  output.count(code.size);
  for (const [variant, bytes] of code) {
    output.text(variant);
    part(bytes);
  }
  return output.toBytes();
}

/** Undefined if the bytes are no entry: a file of another version, say. */
function decodeEntry(bytes: Uint8Array): Entry | undefined {
  try {
    const input = new ByteReader(bytes);
    const head = JSON.parse(new TextDecoder().decode(input.bytes(input.length()))) as Omit<
      Entry,
      'module' | 'code'
    >;
    const module = input.bytes(input.length());
    const code = new Map<string, Uint8Array>();
    const count = input.length();
    for (let index = 0; index < count; index += 1) code.set(input.text(), input.bytes(input.length()));
    return { ...head, module, code };
  } catch {
    return undefined;
  }
}
