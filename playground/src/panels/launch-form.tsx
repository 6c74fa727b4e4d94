/** The form of a launch: kernel, sizes, and an argument for each parameter in the words of the command line. */
import type { KernelParameter } from 'millrace';
import { argumentHelp } from '../../../src/cli/arguments/specification.ts';
import type { ExaminedKernel } from '../compiler/messages.ts';
import { hasErrors } from '../compiler/messages.ts';
import { canMove } from '../document.ts';
import { liveWordOf } from '../live/words.ts';
import { fileNames } from '../run/files.ts';
import { changeLaunch, changeOptions, compiled, document, examined } from '../state.ts';
import { FilePicker } from './file-picker.tsx';
import { framesIn, SliderInput, slidersIn } from './slider.tsx';

/** Without the line that tells of the command's option. */
const argumentKinds = argumentHelp.slice(argumentHelp.indexOf('\n') + 1);

export function LaunchForm() {
  const { launch, language, options, source } = document.value;
  const isBroken = examined.value !== undefined && hasErrors(examined.value);
  const kernels = (isBroken ? compiled.value : examined.value)?.kernels ?? [];
  const kernel = kernels.find(({ name }) => name === launch.kernel) ?? kernels[0];
  const moves = canMove(document.value);
  const sliders = slidersIn(moves ? source : '');
  const parameters = kernel && parametersOf(kernels, kernel, moves ? source : '');
  // Of a source that nothing is known of, those that have an argument.
  const rows =
    (parameters && slidersFirst(parameters, sliders)) ??
    Object.keys(launch.args).map((name) => ({ name, typeName: '', kind: undefined }));
  return (
    <form class="launch" onSubmit={(event) => event.preventDefault()}>
      {isBroken && <p class="wide hint">{brokenHint(kernel?.name)}</p>}
      {kernels.length > 1 && (
        <label>
          Kernel
          <select
            value={kernel?.name ?? ''}
            onChange={({ currentTarget }) => changeLaunch({ kernel: currentTarget.value })}
          >
            {kernels.map(({ name }) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
      )}
      <div class="sizes">
        <Field
          label="Work-items"
          value={launch.global}
          placeholder="one an element"
          change={(global) => changeLaunch({ global })}
        />
        {language === 'opencl' && (
          <Field
            label="Work-group"
            value={launch.local}
            placeholder="chosen"
            change={(local) => changeLaunch({ local })}
          />
        )}
      </div>
      {rows.map(({ name, typeName, kind }) => {
        const change = (words: string) =>
          changeLaunch({ args: { ...document.value.launch.args, [name]: words } });
        const words = launch.args[name] ?? '';
        return (
          <div key={name} class="argument">
            <label>
              <span>
                <code>{name}</code> <small>{typeName}</small>
              </span>
              <input
                value={words}
                placeholder={placeholder(name, typeName, kind, moves)}
                list="argument-words"
                spellcheck={false}
                onInput={({ currentTarget }) => change(currentTarget.value)}
              />
            </label>
            {kind && moves && (
              <SliderInput
                parameter={{ name, typeName, kind }}
                words={words}
                said={sliders.get(name)}
                change={change}
              />
            )}
          </div>
        );
      })}
      {language === 'opencl' && (
        <Field
          label="Build options"
          value={options}
          placeholder="-cl-std=CL2.0 -D N=4"
          change={changeOptions}
        />
      )}
      <datalist id="argument-words">
        {[
          ...fileNames.value,
          'zeros:1024',
          'ones:1024',
          'range:1024',
          'random:1024:0:1',
          'zeros:640x480',
          ...(moves ? ['time', 'frame', 'mouse', 'camera:320x240'] : []),
        ].map((words) => (
          <option key={words} value={words} />
        ))}
      </datalist>
      <FilePicker
        accept=".png,.jpg,.jpeg,.bmp,.pgm,.ppm,.pnm,.npy,.bin,image/*"
        use={(names) => `As arguments: ${names}`}
      />
      <details class="wide">
        <summary>What an argument can be</summary>
        <pre tabIndex={0}>{argumentKinds}</pre>
      </details>
    </form>
  );
}

interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly placeholder: string;
  readonly change: (text: string) => void;
}

function Field({ label, value, placeholder, change }: FieldProps) {
  return (
    <label>
      {label}
      <input
        value={value}
        placeholder={placeholder}
        spellcheck={false}
        onInput={({ currentTarget }) => change(currentTarget.value)}
      />
    </label>
  );
}

/** @param kernel of the last source that compiled, if one did */
function brokenHint(kernel: string | undefined): string {
  return kernel === undefined
    ? 'The source has errors, so that its parameters are not known.'
    : `The source has errors: this form is for ‘${kernel}’ of the last source that compiled.`;
}

/** What can be dragged is next to what it changes. */
function slidersFirst<T extends { readonly name: string }>(
  all: readonly T[],
  sliders: ReadonlyMap<string, unknown>,
): T[] {
  return [...all].sort((one, other) => Number(sliders.has(other.name)) - Number(sliders.has(one.name)));
}

/** Of the chosen kernel, and of the others that a frame runs. */
function parametersOf(kernels: readonly ExaminedKernel[], chosen: ExaminedKernel, source: string) {
  const names = framesIn(source);
  const shown = names.length === 0 ? [chosen] : kernels.filter(({ name }) => names.includes(name));
  const all = new Map<string, Pick<KernelParameter, 'name' | 'typeName' | 'kind'>>();
  for (const { parameters } of shown) {
    for (const { name, typeName, kind } of parameters) {
      if (!all.has(name)) all.set(name, { name, typeName, kind });
    }
  }
  return [...all.values()];
}

function placeholder(
  name: string,
  typeName: string,
  kind: KernelParameter['kind'] | undefined,
  moves: boolean,
): string {
  const word = moves && kind && liveWordOf({ name, typeName, kind }, {});
  if (word) return `guessed: ${word.kind}`;
  switch (kind) {
    case 'value':
    case 'aggregate':
      return 'a number, or (1,2,3,4)';
    case 'local':
      return 'local:BYTES';
    case 'image':
      return 'photo.jpg, zeros:640x480';
    case 'sampler':
      return 'sampler:linear';
    default:
      return 'guessed; zeros:1024, range, random, a file';
  }
}
