/**
 * Compiling programs in C and Brook+ with the build cache before it, where there is one: the same sources, options and included files give
 * the same module at once. docs/build-cache.md says what counts as the same.
 */
import { canPackProgram, packProgram, unpackProgram } from '../api/brook/pack-program.ts';
import { buildCache, producer } from '../build/cache/build-cache.ts';
import type { CacheFolder } from '../build/cache/cache-folder.ts';
import { keyOf } from '../build/cache/hash.ts';
import { areUnchanged, isTimeDependent, RecordedFiles, type SeenFiles } from '../build/cache/seen-files.ts';
import {
  type CompileHostOptions,
  type CompileHostResult,
  compileHost as compile,
  type HostSource,
  type SourceResult,
} from '../hosted/compile.ts';
import { type PackedDiagnostics, packDiagnostics, unpackDiagnostics } from '../source/pack-diagnostics.ts';

/** What is kept of a program beside its module. */
interface Head {
  readonly files: SeenFiles;
  readonly sources: readonly SourceResult[];
  readonly log: string;
  readonly diagnostics: PackedDiagnostics;
  /** The kernels of its .br files. */
  readonly brook?: string | undefined;
}

/** Compiles a program. Nothing that a user writes makes this throw. */
export function compileHost(
  sources: readonly HostSource[],
  options: CompileHostOptions = {},
): CompileHostResult {
  const cache = options.verify || !canPackProgram() ? undefined : buildCache();
  const isKept = !sources.some((source) => isTimeDependent(source.text));
  if (!cache || !isKept) return compile(sources, options);
  const { files, ...others } = options;
  const key = keyOf([producer(), 'program', JSON.stringify([others, sources]), files ? 'files' : '']);
  const known = find(cache, key, options);
  if (known) {
    return {
      sources: known.head.sources,
      bytes: known.bytes,
      brook: known.head.brook === undefined ? undefined : unpackProgram(known.head.brook),
      log: known.head.log,
      // Whoever wants to see the stages has them made again.
      show: (stage) => compile(sources, options).show(stage),
      diagnostics: unpackDiagnostics(known.head.diagnostics),
    };
  }
  const recorded = files && new RecordedFiles(files);
  const result = compile(sources, { ...others, files: recorded });
  if (result.bytes && !recorded?.isTimeDependent) {
    const { bytes, log, brook, sources: results } = result;
    const head: Head = {
      files: recorded?.seen ?? [],
      sources: results,
      log,
      diagnostics: packDiagnostics(result.diagnostics),
      brook: brook && packProgram(brook),
    };
    cache.write(key, encode(head, bytes));
  }
  return result;
}

/** The entry of a key, if all included files are still as they were. */
function find(
  cache: CacheFolder,
  key: string,
  { files }: CompileHostOptions,
): { readonly head: Head; readonly bytes: Uint8Array } | undefined {
  const bytes = cache.read(key);
  const entry = bytes && decode(bytes);
  return entry && areUnchanged(entry.head.files, files) ? entry : undefined;
}

/** The length of the head, the head as JSON, the module. */
function encode(head: Head, module: Uint8Array): Uint8Array {
  const text = new TextEncoder().encode(JSON.stringify(head));
  const bytes = new Uint8Array(4 + text.length + module.length);
  new DataView(bytes.buffer).setUint32(0, text.length, true);
  bytes.set(text, 4);
  bytes.set(module, 4 + text.length);
  return bytes;
}

/** Undefined if the bytes are no entry. */
function decode(entry: Uint8Array): { readonly head: Head; readonly bytes: Uint8Array } | undefined {
  try {
    const length = new DataView(entry.buffer, entry.byteOffset, entry.byteLength).getUint32(0, true);
    const text = new TextDecoder().decode(entry.subarray(4, 4 + length));
    return { head: JSON.parse(text) as Head, bytes: entry.slice(4 + length) };
  } catch {
    return undefined;
  }
}
