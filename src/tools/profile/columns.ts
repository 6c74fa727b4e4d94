/** Text in columns: the first to the left, the others, which are numbers, to the right. */

/** Lines of a table; columns in which every cell but the heading is empty are left out. */
export function columns(heading: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const used = heading.flatMap((_, index) =>
    index === 0 || rows.some((row) => row[index] !== '') ? [index] : [],
  );
  const all = [heading, ...rows].map((row) => used.map((index) => row[index]!));
  const widths = used.map((_, place) => Math.max(...all.map((row) => row[place]!.length)));
  return all.map((row) =>
    row
      .map((cell, place) => (place === 0 ? cell.padEnd(widths[place]!) : cell.padStart(widths[place]!)))
      .join('  ')
      .trimEnd(),
  );
}
