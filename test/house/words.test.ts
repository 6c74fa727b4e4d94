/**
 * Words that have been retired: the field has another one (docs/glossary.md). They come back with a habit, so this reads the
 * identifiers, comments and documents of the compiler and refuses them.
 *
 * Three lists: names of passes and files, refused everywhere; words of the compiler, refused where the compiler is, in code,
 * comments and tests; and plain words, refused in all documents too. Good English with the same letters stays: 'in turn', 'turns
 * values into', 'stands for', 'stands still'; and so do the field's own words elsewhere: slots of events, launches and VLIW bundles,
 * packed pixels and structs, walks of the IR, exchanged operands of a comparison (`swapped`).
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/** What is refused, and what to write instead. */
const retired: readonly (readonly [RegExp, string])[] = [
  [/split-aggregates|splitAggregates/, 'sroa'],
  [/variables-to-values|variablesToValues/, 'mem2reg'],
  [/number-values|numberValues/, 'gvn'],
  [/hoist-invariants|hoistInvariants/, 'licm'],
  [/remove-dead-code|removeDeadCode/, 'dce'],
  [/prune-results|pruneResults/, 'simplify-block-arguments'],
  [/flatten-control|flattenControl/, 'simplify-cfg'],
  [/regroup-terms|regroupTerms/, 'reassociate'],
  [/resolve-spaces|resolveSpaces/, 'infer-address-spaces'],
  [/turn-loops|turnLoops/, 'loop-rotate'],
  [/walk-pointers|walkPointers/, 'strength-reduction'],
  [/repeat-turns|repeatTurns/, 'runtime-unroll'],
  [/cut-loops|cutLoops/, 'tile-loops'],
  [/cut-strides|cutStrides/, 'tile-grid-stride-loops'],
  [/drop-clamps|dropClamps/, 'range-check-elimination'],
  [/swap-dimensions|swapDimensions/, 'interchange-dimensions'],
  [/barrier-regions|barrierRegions/, 'form-work-item-loops'],
  [/coarsen-rows|coarsenRows/, 'thread-coarsening'],
  [/jam-rows|jamRows/, 'unroll-and-jam'],
  [/pack-items|packItems/, 'vectorise'],
  [/lanes-apart|lanesApart/, 'scalarise'],
  [/common-turns|commonTurns/, 'unmasked main loop'],
  [/last-lanes|lastLanes/, 'scalar tail'],
  [/row-walks|rowWalks/, 'transposed access'],
  [/row-sums|rowSums/, 'reduction privatisation'],
  [/spread-guards|spreadGuards/, 'distribute-guards'],
  [/turn-order|turnEnd/, 'iteration-order'],
  [/part-order|part-runs/, 'instruction-order, part-scheduling'],
  [/packed-memory/, 'vector-memory'],
  [/\bitems-(ids|rows|bound|clip)\b|emitItems|ItemsPlan/, 'work-item loop'],
  [/combined-slots/, 'combined-context-arrays'],
  [/findLockstep|[gG]roups (run )?in lockstep/, 'work-group fusion'],
  [/slot_read|slot_write/, 'context_read, context_write'],
  [/MILLRACE_PACK\b/, 'MILLRACE_VECTORISE'],
  [/better_swapped|maySwap|isSwappedKernel/, 'interchange'],
  [/RegionPacker|isOfPack\b|packedType|packedForm|compile-packs/, 'vectorise'],
  [
    /turnDistance|RowWalk|BandedGroups|bandHeight|runsInBands/,
    'iteration stride, transposed loop, work-group swizzle',
  ],
];

/** Words of the compiler, in code and comments. */
const ofCompiler: readonly (readonly [RegExp, string])[] = [
  [
    /\b[Pp]ack(s|ed|er|ing)?\b(?! (pixel|format|type|struct))(?!['"]?\)\))/,
    'vector, vectorise, vectorisation factor',
  ],
  [/\b(pack|packed)[A-Z]\w*|[a-z](Packs?|Packed|Packing|Packer)\b/, 'vector, vectorise'],
  [
    /\b(an?|each|every|the|one|two|four|eight|128|several|many|few|last|next|first|other|more|so many|all|this|per) turns?\b(?! (of the event|at the host|into))/i,
    'iteration',
  ],
  [/\bturns? (of (a|the|several|all|this) (loop|strip)|by turn|to turn)\b/, 'iteration'],
  [/\bturn[A-Z]\w*|(?<!\b[iI])[a-z]Turns?\b/, 'iteration'],
  [/\bslots?\b|\bslot[A-Z]\w*/i, 'context array'],
  [/\b[Ss]tretch(es)?\b|[a-z]Stretch\b/, 'strip, tile, range'],
  [/\b(in )?lockstep\b/i, 'together, work-group fusion'],
  [/\bband(s|ed)?\b|[a-z]Band(s|ed)?\b/, 'strip, work-group swizzle'],
  [/\b[Ll]eap(s|ing)?\b|#leaps/, 'a new cache line in each iteration'],
  [/`items`|\bitems (region|instruction)s?\b/, 'work-item loop'],
  [/\b(Row|row)Walks?\b|\bwalks along (a |their )?rows?\b|isWalking|findWalks/, 'transposed access'],
  [/\bdimensions (are|may be|were) swapped\b|\bSwapping\b|\bswapped kernel/, 'interchange'],
  [/\b[Ll]eaves? one by one\b|lanes that leave one/, 'divergent exit'],
];

/** Plain words, in code, comments and documents. */
const plain: readonly (readonly [RegExp, string])[] = [
  [/\b[Dd]ear(er|est|ly)?\b/, 'expensive'],
  [/\b[Hh]angs? (up)?on\b/, 'depend on'],
  [/\b[Bb]eside\b/, 'next to, besides'],
  [/\b([Ss]tands?|STANDS?)\b(?! (for|still)\b)(?!-)/, 'is'],
  [/\b(come|comes|coming|came) by\b/, 'reach'],
  [/\bt(ake|akes|aken|aking) \w* ?apart\b/, 'split'],
  [/\bpacks of (work-items|neighbours)|\b(in|of|whole|without) packs\b|\ba pack of (W|work)/, 'vectors'],
  [/\bturns? of (a|the) loop/, 'iteration'],
];

const files = execFileSync('git', ['ls-files', 'src', 'test', 'docs', 'bench', 'conformance', '*.md'], {
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => /\.(ts|tsx|md)$/.test(file) && !file.endsWith('words.test.ts'));

/** Where the compiler is. */
const compiler = /^(src|test)\/(passes|target|ir|codegen\/wasm)\//;
/** Documents that the compiler is described in. */
const documents = /^(docs\/|(README|ARCHITECTURE|CONTRIBUTING)\.md$)/;
const compilerDocuments = /^(docs\/(passes|ir|glossary)|ARCHITECTURE|CONTRIBUTING)(\.md)?/;

/** Lines that may have such a word, and why. */
const exceptions: readonly (readonly [file: RegExp, line: RegExp, why: string])[] = [
  [/./, /\/walk\.ts|walkRegion|walkFunction/, 'a walk of the IR is what the field calls it'],
  [/^src\/ir\/interpreter\/pixel-formats|image/, /[Pp]acked/, 'packed pixels, as OpenCL says'],
  [/^src\/ir\/whole-program/, /Prefix\}slots?`/, "slots of pipes' packets"],
  [/^test\//, /attribute__|typedef/, 'C'],
  [
    /^docs\/(r600|cal|performance-model|pipes|runtime|testing|il)/,
    /[Ss]lots?/,
    'of VLIW bundles, pipes, events, launches',
  ],
  [/README/, /npm pack/, "npm's command"],
  [
    /^(docs\/glossary|src\/devices\/wasm\/vector-wish|test\/devices\/wasm\/vector-wish|docs\/environment)/,
    /MILLRACE_PACK/,
    'the older name still works',
  ],
];

const texts = files.map((file) => ({ file, text: readFileSync(file, 'utf8') }));

/** Each place of a retired word, with what to write instead. */
function found(words: readonly (readonly [RegExp, string])[], isMeant: (file: string) => boolean): string[] {
  return texts
    .filter(({ file }) => isMeant(file))
    .flatMap(({ file, text }) => {
      // Most files have none.
      const present = words.filter(([word]) => word.test(text));
      if (present.length === 0) return [];
      const excused = exceptions.filter(([where]) => where.test(file));
      return text.split('\n').flatMap((line, index) => {
        if (excused.some(([, what]) => what.test(line))) return [];
        return present.flatMap(([word, instead]) => {
          const match = word.exec(line);
          return match ? [`${file}:${index + 1}: '${match[0]}', write ${instead}`] : [];
        });
      });
    });
}

it('retired names stay retired', () => {
  expect(found(retired, () => true)).toEqual([]);
});

it('the compiler has the words of the field', () => {
  expect(found(ofCompiler, (file) => compiler.test(file) || compilerDocuments.test(file))).toEqual([]);
});

it('so have documents', () => {
  const rooms = /^src\/(passes|target|ir|codegen\/wasm|devices|build)\//;
  expect(found(plain, (file) => rooms.test(file) || compiler.test(file) || documents.test(file))).toEqual([]);
});

it('knows a retired word when it sees one', () => {
  const all = [...retired, ...ofCompiler, ...plain];
  const isRefused = (line: string): boolean => all.some(([word]) => word.test(line));
  const refused = [
    'each turn of the loop',
    'a pack of W lanes',
    'packedForm()',
    'what hangs on the row',
    'iterations are dear',
    'a slot',
  ];
  expect(refused.filter((line) => !isRefused(line))).toEqual([]);
  const fine = [
    'runs the regions in turn',
    'turns variables into values',
    'what stands for it',
    'returns',
    'an iteration',
  ];
  expect(fine.filter(isRefused)).toEqual([]);
});
