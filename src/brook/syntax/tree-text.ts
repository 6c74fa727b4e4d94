/** What was read of a .br file as text, for those who debug it or us: brcc's `-b` and `-f`. */
import type { Token } from '../../c/token.ts';
import { outermostUse, type Span } from '../../source/span.ts';
import { typeName } from '../types.ts';
import type { Kernel } from './ast.ts';

/** Tokens, a line each: where it stands, its kind, its text. */
export function tokensText(tokens: readonly Token[]): string {
  return tokens.map((token) => `${placeOf(token.span)}: ${token.kind} '${token.text}'\n`).join('');
}

/** The syntax tree of a kernel, a line a node: its kind, what is in it, what it is called; below and further right its parts. */
export function treeText(kernel: Kernel): string {
  return nodeLines('kernel', kernel, '').join('');
}

type Node = object;

function nodeLines(role: string, node: Node, indent: string): string[] {
  const words: string[] = [];
  const inner: string[] = [];
  const { span, kind } = node as { readonly span?: Span; readonly kind?: string };
  for (const [name, value] of Object.entries(node)) {
    if (name === 'kind' || isSpan(value)) continue;
    if (Array.isArray(value)) {
      for (const [index, one] of value.entries()) {
        if (isNode(one)) inner.push(...nodeLines(`${name}[${index}]`, one, `${indent}  `));
        else inner.push(`${indent}  ${name}[${index}]: none\n`);
      }
    } else if (value instanceof Set) words.push(...(value as ReadonlySet<string>));
    else if (isType(value)) words.push(`${name} ${typeName(value)}`);
    else if (isNode(value)) inner.push(...nodeLines(name, value, `${indent}  `));
    else if (value === true) words.push(name);
    else if (typeof value === 'string') words.push(`${name} '${value}'`);
  }
  const at = span && placeOf(span);
  const line = [role === kind || kind === undefined ? role : `${role}: ${kind}`, ...words, at && `at ${at}`];
  return [`${indent}${line.filter(Boolean).join(', ')}\n`, ...inner];
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null;
}

function isSpan(value: unknown): boolean {
  return isNode(value) && 'file' in value && 'start' in value;
}

function isType(value: unknown): value is Parameters<typeof typeName>[0] {
  return (
    isNode(value) &&
    'kind' in value &&
    /^(?:value|struct|void)$/.test(String(value.kind)) &&
    !('span' in value)
  );
}

/** `file(line):column` */
function placeOf(span: Span): string {
  const { file, start } = outermostUse(span);
  const { name, line } = file.presumed(start);
  return `${name}(${line}):${file.position(start).column}`;
}
