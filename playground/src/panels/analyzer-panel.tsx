/** What kernels would cost on the cards that the Stream KernelAnalyzer knew: estimates, advice, registers, listing. Or on this machine. */

import { signal } from '@preact/signals';
import type { KernelAnalysis } from 'millrace/analyze';
import { lazy, Suspense } from 'preact/compat';
import { useState } from 'preact/hooks';
import { type AnalysisReply, analyzeDocument } from '../compiler/compiler.ts';
import { document, pointedLine } from '../state.ts';
import { AnalyzerListing } from './analyzer-listing.tsx';
import { MachineSection } from './machine-section.tsx';
import { useSettled } from './use-settled.ts';

const OccupancyCharts = lazy(async () => ({
  default: (await import('./occupancy-charts.tsx')).OccupancyCharts,
}));

/** The domain where the launch says none. */
const usualDomain = [1024, 1024] as const;

/** The launch's work-items as a domain. */
function domainOf(global: string): readonly [number, number] {
  const sizes = global.split(/[,x]/).map(Number);
  if (sizes.some((size) => !Number.isInteger(size) || size < 1)) return usualDomain;
  return [sizes[0]!, (sizes[1] ?? 1) * (sizes[2] ?? 1)];
}

const views = [
  { id: 'cards', title: 'R600 cards' },
  { id: 'machine', title: 'This machine' },
] as const;

/** Which is chosen outlives the panel. */
const chosenView = signal<(typeof views)[number]['id']>('cards');

export function AnalyzerPanel() {
  return (
    <>
      <div class="choices" role="group" aria-label="What to analyze for">
        {views.map(({ id, title }) => (
          <button
            type="button"
            key={id}
            aria-pressed={id === chosenView.value}
            onClick={() => {
              chosenView.value = id;
            }}
          >
            {title}
          </button>
        ))}
      </div>
      {chosenView.value === 'cards' ? <CardsSection /> : <MachineSection />}
    </>
  );
}

function CardsSection() {
  const [reply, setReply] = useState<AnalysisReply | string | undefined>(undefined);
  const current = document.value;
  const { language, source, options, launch } = current;
  const isKernel = language !== 'c';
  const analyze = () => {
    const [width, height] = domainOf(launch.global);
    return analyzeDocument(current, width, height).catch((error: Error) => error.message);
  };
  useSettled<AnalysisReply | string>(isKernel ? analyze : undefined, setReply, [
    isKernel,
    language,
    source,
    options,
    launch,
  ]);
  if (!isKernel) return <p class="hint">The analyzer is for kernels.</p>;
  if (reply === undefined) return <progress aria-label="Analyzing" />;
  if (typeof reply === 'string') return <p class="failure">{reply}</p>;
  const { analysis, occupancies } = reply;
  const kernel = analysis.kernels.find(({ name }) => name === launch.kernel) ?? analysis.kernels[0];
  if (!kernel) return <pre tabIndex={0}>{analysis.log || 'The source has no kernel.'}</pre>;
  const occupancy = occupancies.get(kernel.name);
  return (
    <>
      <p class="hint">
        <b>{kernel.name}</b> on AMD’s R600 family, over a domain of {analysis.width} × {analysis.height}:
        estimates by the Stream Computing guide’s formula.
      </p>
      <Estimates kernel={kernel} />
      <AdviceList kernel={kernel} />
      <AnalyzerListing kernel={kernel} />
      {occupancy && (
        <Suspense fallback={null}>
          <OccupancyCharts found={occupancy} />
        </Suspense>
      )}
    </>
  );
}

function Estimates({ kernel }: { kernel: KernelAnalysis }) {
  const known = kernel.cards.flatMap(({ card, chip, run }) => (run ? [{ card, chip, run }] : []));
  const milliseconds = (seconds: number) => (seconds * 1e3).toPrecision(3);
  if (known.length === 0) return null;
  return (
    <div class="table" role="region" aria-label="Estimates for each card" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {['card', 'ALU ms', 'fetch ms', 'memory ms', 'bound by', 'with waits'].map((title) => (
              <th scope="col" key={title} class={title === 'card' ? 'words' : ''}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {known.map(({ card, chip, run: { estimate, seconds } }) => (
            <tr key={card}>
              <th scope="row">
                {card} <small>{chip}</small>
              </th>
              <td>{milliseconds(estimate.alu)}</td>
              <td>{milliseconds(estimate.fetch)}</td>
              <td>{milliseconds(estimate.memory)}</td>
              <td>{estimate.bound}</td>
              <td>{milliseconds(seconds)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function AdviceList({ kernel }: { kernel: KernelAnalysis }) {
  if (kernel.advice.length === 0) return null;
  return (
    <section aria-label="Advice">
      <h2 class="heading">Advice</h2>
      <ul class="advice">
        {kernel.advice.map(({ line, topic, text, rule }) => (
          <li key={topic + text}>
            <b>{topic}</b>: {text} <small>{rule}</small>{' '}
            {line !== undefined && (
              <button
                type="button"
                class="quiet"
                onClick={() => {
                  pointedLine.value = line;
                }}
              >
                line {line}
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
