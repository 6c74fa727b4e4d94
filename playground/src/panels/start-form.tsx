/** What a program is started with, and what it finds. */
import { type DeviceType, deviceTypes, plainSurroundings } from '../document.ts';
import { changeOptions, changeSurroundings, document } from '../state.ts';
import { FilePicker } from './file-picker.tsx';

/** What the device says that it is. */
const deviceWords: Readonly<Record<DeviceType, string>> = {
  cpu: 'CPU',
  gpu: 'GPU',
  accelerator: 'accelerator',
};

export function StartForm() {
  const { options, language, surroundings = plainSurroundings } = document.value;
  const { input, deviceType } = surroundings;
  return (
    <form class="launch" onSubmit={(event) => event.preventDefault()}>
      <label class="wide">
        Environment and arguments
        <input
          value={options}
          placeholder="NAME=VALUE argument 'another one'"
          spellcheck={false}
          onInput={({ currentTarget }) => changeOptions(currentTarget.value)}
        />
      </label>
      <label class="wide">
        Standard input
        <textarea
          rows={Math.min(6, input.split('\n').length)}
          value={input}
          placeholder="what scanf and getchar read"
          spellcheck={false}
          onInput={({ currentTarget }) => changeSurroundings({ input: currentTarget.value })}
        />
      </label>
      {language === 'c' && (
        <label>
          Device type
          <select
            value={deviceType}
            onChange={({ currentTarget }) =>
              changeSurroundings({ deviceType: currentTarget.value as DeviceType })
            }
          >
            {deviceTypes.map((type) => (
              <option key={type} value={type}>
                {deviceWords[type]}
              </option>
            ))}
          </select>
        </label>
      )}
      <FilePicker use={(names) => `The program finds: ${names}`} />
    </form>
  );
}
