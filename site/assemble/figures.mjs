// The tables of docs/benchmarks.md that compare a kernel's times with PoCL's, as data for the charts of the page of figures: what
// is drawn is what the document says.

/**
 * @returns for each table its heading and its rows, with times in milliseconds
 * @throws Error if the document has no such table any more
 */
export function measuredTables(text) {
  const tables = [];
  let heading = '';
  let rows;
  for (const line of text.split('\n')) {
    const title = /^#+ (.*)/.exec(line) ?? /^\*\*(.+?)\*\*/.exec(line);
    if (title) heading = title[1];
    const cells = line.startsWith('|')
      ? line
          .split('|')
          .slice(1, -1)
          .map((cell) => cell.trim())
      : undefined;
    if (cells === undefined) rows = undefined;
    else if (/^kernel$/.test(cells[0]) && /ours/.test(cells[3] ?? '')) {
      rows = [];
      tables.push({ heading, rows });
    } else if (rows && !/^:?-/.test(cells[0])) {
      const [kernel, ours, theirs, ratio] = cells;
      rows.push({ kernel, ours: Number(ours), theirs: Number(theirs), ratio: Number(ratio) });
    }
  }
  if (tables.length === 0) throw new Error('docs/benchmarks.md has no table of kernels to draw');
  const wrong = tables.flatMap(({ rows: all }) => all).find((row) => !(row.ratio > 0));
  if (wrong) throw new Error(`docs/benchmarks.md: the ratio of ${wrong.kernel} is not a number`);
  return tables;
}
