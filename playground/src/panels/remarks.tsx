/** The compiler's remarks below the source, for those who do not hover over squiggles. */
import { document, examined, pointedLine } from '../state.ts';

const most = 8;

export function Remarks() {
  const remarks = (examined.value?.remarks ?? []).filter(({ severity }) => severity !== 'note');
  if (remarks.length === 0) return null;
  const { source } = document.value;
  return (
    <ul class="remarks" aria-label="What the compiler says">
      {remarks.slice(0, most).map(({ severity, message, start }) => {
        const line = source.slice(0, start).split('\n').length;
        const point = () => {
          pointedLine.value = line;
        };
        return (
          <li key={`${start} ${message}`} class={severity}>
            <button type="button" onClick={point}>
              Line {line}: {severity}: {message}
            </button>
          </li>
        );
      })}
      {remarks.length > most && <li>and {remarks.length - most} more</li>}
    </ul>
  );
}
