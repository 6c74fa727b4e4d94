/** Numbers as a table, a page of them at a time. */
import { useState } from 'preact/hooks';

const rowsAPage = 64;

interface TableProps {
  readonly name: string;
  readonly numbers: ArrayLike<number | bigint>;
  readonly lanes: number;
}

export function TableView({ name, numbers, lanes }: TableProps) {
  // Single numbers stand eight to a row, elements of several one to a row.
  const columns = lanes === 1 ? 8 : lanes;
  const rows = Math.ceil(numbers.length / columns);
  const [first, setFirst] = useState(0);
  const shown = Array.from({ length: Math.min(rowsAPage, rows - first) }, (_, row) => first + row);
  return (
    <div class="table" role="region" aria-label={`The numbers of ${name}`} tabIndex={0}>
      <table>
        <tbody>
          {shown.map((row) => (
            <tr key={row}>
              <th scope="row">{lanes === 1 ? row * columns : row}</th>
              {Array.from({ length: columns }, (_, column) => row * columns + column).map((at) => (
                <td key={at}>{at < numbers.length ? textOf(numbers[at]!) : ''}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows > rowsAPage && (
        <p>
          <button type="button" disabled={first === 0} onClick={() => setFirst(first - rowsAPage)}>
            Back
          </button>{' '}
          <button
            type="button"
            disabled={first + rowsAPage >= rows}
            onClick={() => setFirst(first + rowsAPage)}
          >
            On
          </button>
        </p>
      )}
    </div>
  );
}

function textOf(value: number | bigint): string {
  return typeof value === 'bigint' || Number.isInteger(value) ? String(value) : value.toPrecision(6);
}
