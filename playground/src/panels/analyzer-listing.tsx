/** A kernel's program for a chip, its lines tied to those of the source. */
import type { ChipAnalysis, KernelAnalysis, ProgramAnalysis } from 'millrace/analyze';
import { useState } from 'preact/hooks';
import { pointedLine } from '../state.ts';

export function AnalyzerListing({ kernel }: { kernel: KernelAnalysis }) {
  const [chosen, choose] = useState<string | undefined>(undefined);
  const newest = kernel.chips.findLast(({ program }) => program)?.chip ?? kernel.chips.at(-1)!.chip;
  const shown = kernel.chips.find(({ chip }) => chip === (chosen ?? newest)) ?? kernel.chips.at(-1)!;
  return (
    <section aria-label="Listing">
      <h2 class="heading">Listing</h2>
      <div class="choices" role="group" aria-label="Chip">
        {kernel.chips.map(({ chip }) => (
          <button type="button" key={chip} aria-pressed={chip === shown.chip} onClick={() => choose(chip)}>
            {chip}
          </button>
        ))}
      </div>
      <ChipView shown={shown} />
    </section>
  );
}

function ChipView({ shown: { chip, program, problem } }: { shown: ChipAnalysis }) {
  if (!program) {
    const place = problem?.line === undefined ? '' : `, line ${problem.line}`;
    return (
      <p class="hint">
        Not on {chip}
        {place}: {problem?.message}
      </p>
    );
  }
  return (
    <>
      <Facts program={program} />
      <pre class="listing" tabIndex={0} role="region" aria-label={`Program for ${chip}`}>
        {program.listing.map(({ text, line }, index) =>
          line === undefined ? (
            `${text}\n`
          ) : (
            <button
              type="button"
              class="listing-line"
              // Lines may be alike; their places tell them apart.
              key={`${index} ${text}`}
              onFocus={() => {
                pointedLine.value = line;
              }}
              onMouseEnter={() => {
                pointedLine.value = line;
              }}
            >
              {`${text}\n`}
            </button>
          ),
        )}
      </pre>
    </>
  );
}

function Facts({ program: { mix, registers, wavefronts, clauses } }: { program: ProgramAnalysis }) {
  const ratio =
    mix.fetches === 0 ? 'no fetches' : `${(mix.bundles / mix.fetches).toFixed(1)} bundles a fetch`;
  return (
    <p class="hint">
      {clauses} entries of control flow, {mix.bundles} bundles of {mix.slotsPerBundle.toFixed(2)}{' '}
      instructions, {mix.fetches} fetches, {mix.writes} writes; {ratio}; {registers} registers, {wavefronts}{' '}
      wavefronts.
    </p>
  );
}
