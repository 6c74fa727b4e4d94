/** What the compiler makes of the source, stage by stage; lines that name a place in the source point to it. */
import { useState } from 'preact/hooks';
import { listDocument } from '../compiler/compiler.ts';
import { document, pointedLine } from '../state.ts';
import { useSettled } from './use-settled.ts';

/** With what one has to know to read it. */
const stages = [
  [
    'vectors',
    'What runs together',
    'Work-items that run side by side, and how: masked, some of them at a time; consecutive, elements beside each other; scattered, each element by itself; uniform, the same for all.',
  ],
  [
    'plan',
    'Plan',
    'The ways to run work-items that the compiler looked at, what each would take, and why it was not taken. The sign > marks the one that was.',
  ],
  ['ir', 'IR', 'What the kernel is after all passes, before it becomes code.'],
  ['wat', 'WebAssembly', 'The code that the device’s threads run.'],
  [
    'wgsl',
    'WGSL',
    'The shaders that a graphics card runs, through WebGPU: of each kernel one over all memory, and one with a binding for each buffer.',
  ],
  ['ast', 'Syntax tree', 'What the front end has read.'],
] as const;

/** `  15:5  load  consecutive`, `let a_9 = ...;  // 15:5`: the line in the source. */
const place = /^\s+(\d+):\d+\s|\/\/ (\d+):\d+$/;

export function CompilerPanel() {
  const [stage, setStage] = useState<(typeof stages)[number][0]>('vectors');
  const [listing, setListing] = useState('');
  const current = document.value;
  // Brook+ becomes OpenCL C first, and a host program's kernels are text in it.
  const isKernel = current.language === 'opencl' || current.language === 'il';
  useSettled(isKernel ? () => listDocument(current, stage) : undefined, setListing, [
    stage,
    current.source,
    current.options,
    isKernel,
  ]);
  if (!isKernel) return <p class="hint">Listings are for kernels in OpenCL C and AMD IL.</p>;
  return (
    <>
      <div class="choices" role="group" aria-label="Stage">
        {stages.map(([name, title]) => (
          <button type="button" key={name} aria-pressed={name === stage} onClick={() => setStage(name)}>
            {title}
          </button>
        ))}
      </div>
      <p class="hint">{stages.find(([name]) => name === stage)![2]} Lines that name a place point to it.</p>
      <pre class="listing" tabIndex={0} role="region" aria-label="Listing">
        {listing.split('\n').map((line, index) => (
          // A listing is made anew as a whole, so that its lines have no other name than their place.
          <ListingLine key={index} line={line} />
        ))}
      </pre>
    </>
  );
}

function ListingLine({ line }: { line: string }) {
  const found = place.exec(line);
  if (!found) return <>{`${line}\n`}</>;
  const number = Number(found[1] ?? found[2]);
  const point = () => {
    pointedLine.value = number;
  };
  return (
    <button type="button" class="listing-line" onFocus={point} onMouseEnter={point} onClick={point}>
      {`${line}\n`}
    </button>
  );
}
