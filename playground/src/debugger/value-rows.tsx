/** Variables as rows of a table: name, value, type; what is made of parts opens. */
import { useState } from 'preact/hooks';
import type { ShownValue } from './messages.ts';

export function ValueRows({ values, depth = 0 }: { values: readonly ShownValue[]; depth?: number }) {
  return (
    <>
      {values.map((value) => (
        <ValueRow key={value.name} value={value} depth={depth} />
      ))}
    </>
  );
}

function ValueRow({ value, depth }: { value: ShownValue; depth: number }) {
  const [isOpen, open] = useState(false);
  const { name, type, text, parts } = value;
  return (
    <>
      <tr>
        <th scope="row" style={{ paddingLeft: `${0.5 + depth}rem` }}>
          {parts.length > 0 ? (
            <button type="button" class="opens" aria-expanded={isOpen} onClick={() => open(!isOpen)}>
              {name}
            </button>
          ) : (
            name
          )}
        </th>
        <td class="value" title={text}>
          {text}
        </td>
        <td class="type">{type}</td>
      </tr>
      {isOpen && <ValueRows values={parts} depth={depth + 1} />}
    </>
  );
}
