/** What a program is started with. */
import { changeOptions, document } from '../state.ts';

export function StartForm() {
  return (
    <form class="launch" onSubmit={(event) => event.preventDefault()}>
      <label class="wide">
        Environment and arguments
        <input
          value={document.value.options}
          placeholder="NAME=VALUE argument 'another one'"
          spellcheck={false}
          onInput={({ currentTarget }) => changeOptions(currentTarget.value)}
        />
      </label>
    </form>
  );
}
