/**
 * Reads tests in the format of piglit's OpenCL program tester: a block of settings (`[config]`, then a `[test]` for
 * each launch) in the comment that opens a .cl file, or a .program_test file that has or names its source.
 */

/** What `[config]` or a `[test]` says, by key; the arguments in the order in which they stand. */
export interface Section {
  readonly settings: ReadonlyMap<string, string>;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
}

export interface TestFile {
  readonly config: Section;
  readonly tests: readonly Section[];
  /** The program, or the file (relative to this one) that holds it. */
  readonly source: { readonly text: string } | { readonly file: string };
}

interface OpenSection {
  readonly settings: Map<string, string>;
  readonly inputs: string[];
  readonly outputs: string[];
}

function newSection(): OpenSection {
  return { settings: new Map(), inputs: [], outputs: [] };
}

/** Reads a file's text; undefined if it has no such tests. */
export function readTestFile(name: string, text: string): TestFile | undefined {
  if (name.endsWith('.program_test')) {
    const [head = '', source] = text.split(/^\[program source\].*$/m);
    return readSections(head, source);
  }
  const block = /^\s*\/\*!([\s\S]*?)!?\*\//.exec(text);
  return block?.[1] === undefined ? undefined : readSections(block[1], text);
}

function readSections(block: string, source: string | undefined): TestFile | undefined {
  let config: OpenSection | undefined;
  let current: OpenSection | undefined;
  const tests: OpenSection[] = [];
  for (const line of logicalLines(block)) {
    if (line === '[config]') {
      config = newSection();
      current = config;
    } else if (line === '[test]') {
      current = newSection();
      tests.push(current);
    } else {
      addLine(current, line);
    }
  }
  // The format's own template has an empty name.
  if (!config || config.settings.get('name') === '') return undefined;
  const file = config.settings.get('program_source_file')?.replace(/^"(.*)"$/, '$1');
  if (file) return { config, tests, source: { file } };
  return source === undefined ? undefined : { config, tests, source: { text: source } };
}

function addLine(section: OpenSection | undefined, line: string): void {
  const colon = line.indexOf(':');
  if (!section || colon < 0) return;
  const key = line.slice(0, colon).trim();
  const value = line.slice(colon + 1).trim();
  if (key === 'arg_in') section.inputs.push(value);
  else if (key === 'arg_out') section.outputs.push(value);
  else section.settings.set(key, value);
}

/** Lines without comments, joined where one ends in a backslash. */
function logicalLines(block: string): string[] {
  const lines: string[] = [];
  let joined = '';
  for (const raw of block.split('\n')) {
    const line = raw.replace(/#.*$/, '').trim();
    if (line.endsWith('\\')) {
      joined += `${line.slice(0, -1)} `;
      continue;
    }
    const whole = (joined + line).trim();
    joined = '';
    if (whole !== '') lines.push(whole);
  }
  return lines;
}
