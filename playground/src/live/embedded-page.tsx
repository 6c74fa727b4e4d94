/** What other pages show of a document: its picture, its sliders, and the way to its source. */

import { framesIn, SliderInput, slidersIn } from '../panels/slider.tsx';
import { changeLaunch, compiled, document, notice } from '../state.ts';
import { LiveView } from './live-view.tsx';
import { play, player } from './player.ts';

export function EmbeddedPage() {
  const { name, launch, source } = document.value;
  const sliders = slidersIn(source);
  const names = framesIn(source);
  const kernels = compiled.value?.kernels ?? [];
  const shown =
    names.length > 0 ? kernels.filter((kernel) => names.includes(kernel.name)) : kernels.slice(0, 1);
  const parameters = new Map(
    shown.flatMap((kernel) => kernel.parameters).map((parameter) => [parameter.name, parameter]),
  );
  const address = new URL(location.href);
  address.search = '';
  return (
    <main class="embedded">
      <h1>{name}</h1>
      {notice.value !== '' && <p class="failure">{notice.value}</p>}
      <LiveView />
      {!player.value && (
        <button type="button" class="go" onClick={play}>
          Live
        </button>
      )}
      <div class="launch">
        {[...parameters.values()].map((parameter) => {
          const words = launch.args[parameter.name] ?? '';
          const change = (next: string) =>
            changeLaunch({ args: { ...document.value.launch.args, [parameter.name]: next } });
          return sliders.has(parameter.name) ? (
            <div key={parameter.name} class="argument">
              <code>{parameter.name}</code>
              <SliderInput
                parameter={parameter}
                words={words}
                said={sliders.get(parameter.name)}
                change={change}
              />
            </div>
          ) : null;
        })}
      </div>
      <p>
        <a href={address.href} target="_blank" rel="noreferrer">
          Open in the playground
        </a>
      </p>
    </main>
  );
}
