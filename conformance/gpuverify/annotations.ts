/**
 * GPUVerify's annotations, which are calls in the source. Those that a run can look at are kept, as conditions of an access
 * past the end of a variable that the report then names; of the rest, which speak of any two work-items or of the verifier's own
 * record of accesses, a 0 is left. Lines stay where they are.
 */

/** Variables whose names in a report say that an annotation does not hold. */
export const assertion = 'gpuverify_assertion';
export const precondition = 'gpuverify_precondition';

const prelude = [
  `__constant int ${assertion}[1] = {0}, ${precondition}[1] = {0};`,
  '\n#define __implies(a, b) (!(a) || (b))',
  '\n#define __enabled() 1',
  `\n#define gpuverify_hold(e, name) ((e) ? 0 : *(volatile __constant int *)(name + 1))`,
  '\n#line 1\n',
].join('');

/** The names by which annotations are called; a first group for those that may be looked at. */
const annotation = new RegExp(
  `\\b__(?:(assert|invariant|requires|assume)|${[
    'ensures',
    'requires_fresh_array',
    '(?:global|candidate|function_wide)_\\w+',
    'barrier_invariant\\w*',
    'reads_from\\w*',
    'writes_to\\w*',
    '(?:read|write)_permission',
    'array_snapshot',
  ].join('|')})\\s*\\(`,
  'g',
);
/** What an annotation may call and still be looked at. */
const plain = new Set(['__implies', '__enabled', '__local', '__global', '__private', '__constant']);

/** A test's source with what our compiler takes in the place of annotations; GPUVerify's options say which of them count. */
export function withChecks(source: string, options: ReadonlySet<string>): string {
  const ignored = new Set<string>();
  if (options.has('--invariants-as-candidates')) ignored.add('invariant');
  if (options.has('--only-requires')) ignored.add('invariant').add('assert').add('assume');
  if (options.has('--no-annotations')) ignored.add('invariant').add('assert').add('assume').add('requires');
  const text = withoutComments(source);
  let out = prelude;
  let done = 0;
  for (const match of text.matchAll(annotation)) {
    if (match.index < done) continue;
    const open = match.index + match[0].length - 1;
    const close = closing(text, open);
    const inner = text.slice(open + 1, close);
    out += text.slice(done, match.index);
    const [, kept] = match;
    const isCounted = kept !== undefined && !ignored.has(kept);
    const isPlain = (inner.match(/\b__\w+/g) ?? []).every((word) => plain.has(word));
    const name = kept === 'requires' || kept === 'assume' ? precondition : assertion;
    out += isCounted && isPlain ? `gpuverify_hold((${inner}), ${name})` : `0${inner.replace(/[^\n]/g, '')}`;
    done = close + 1;
  }
  return out + text.slice(done);
}

function closing(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at < text.length; at += 1) {
    if (text[at] === '(') depth += 1;
    else if (text[at] === ')' && --depth === 0) return at;
  }
  return text.length;
}

/** Blanks in the place of comments, in which parentheses need not match. */
function withoutComments(source: string): string {
  return source.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, (comment) => comment.replace(/[^\n]/g, ' '));
}
