/**
 * Words that have been retired: the field has another one (docs/glossary.md). They come back with a habit, so this reads the
 * identifiers, comments and documents of the compiler and refuses them.
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
];

const files = execFileSync('git', ['ls-files', 'src', 'test', 'docs', 'bench', 'conformance', '*.md'], {
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => /\.(ts|tsx|md)$/.test(file) && !file.endsWith('words.test.ts'));

it('retired words stay retired', () => {
  const found = files.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line, index) =>
        retired.flatMap(([word, instead]) =>
          word.test(line) ? [`${file}:${index + 1}: '${word.exec(line)![0]}', write ${instead}`] : [],
        ),
      ),
  );
  expect(found).toEqual([]);
});
