/** The call that an offset lies in, and the forms of the function that is called. */
import type { Signature, SignatureHelp, TextRange } from '../reading.ts';
import { formsOf, formText } from './builtin-forms.ts';
import { commentAt, describeFunction, parametersOf } from './describe.ts';
import { documentationOf } from './documentation/index.ts';
import { declarationOf, type Meaning, type OpenCLProgram } from './program.ts';

/** How far back the opening parenthesis is looked for, in tokens. */
const reach = 2000;

export function signatureHelpAt(program: OpenCLProgram, offset: number): SignatureHelp | undefined {
  const { tokens } = program;
  let depth = 0;
  let commas = 0;
  const from = program.firstFrom(offset) - 1;
  for (let index = from; index > 0 && index > from - reach; index -= 1) {
    const { text, kind, end } = tokens[index]!;
    if (kind !== 'punctuator' || end > offset) continue;
    if (text === ')' || text === ']' || text === '}') depth += 1;
    else if (depth > 0 && (text === '(' || text === '[' || text === '{')) depth -= 1;
    else if (depth > 0) continue;
    else if (text === ';' || text === '{') return undefined;
    else if (text === ',') commas += 1;
    else if (text === '[') commas = 0;
    else if (text === '(') {
      const meaning = program.meaningOf(index - 1);
      const signatures = meaning && signaturesOf(program, meaning, tokens[index - 1]!.text);
      if (signatures && signatures.length > 0) return choose(signatures, commas);
      // A parenthesis of an expression: the call is around it.
      commas = 0;
    }
  }
  return undefined;
}

/** The first form that has so many parameters is shown. */
function choose(signatures: readonly Signature[], activeParameter: number): SignatureHelp {
  const active = signatures.findIndex(({ parameters }) => parameters.length > activeParameter);
  return { signatures, active: Math.max(active, 0), activeParameter };
}

function signaturesOf(program: OpenCLProgram, meaning: Meaning, name: string): Signature[] | undefined {
  const { dialect, recording } = program;
  if (meaning.kind === 'binding' && meaning.binding.kind === 'functions') {
    const place = declarationOf(meaning, recording);
    const documentation = place && commentAt(place);
    return meaning.binding.overloads.map((one) =>
      signature(describeFunction(one, dialect), parametersOf(one, dialect), documentation),
    );
  }
  if (meaning.kind === 'builtin') {
    const documentation = documentationOf(name)?.text;
    return formsOf(name).map((form) => signature(formText(name, form), form.parameters, documentation));
  }
  if (meaning.kind === 'macro' && meaning.macro.parameters) {
    const { parameters } = meaning.macro;
    return [signature(`${name}(${parameters.join(', ')})`, parameters, undefined)];
  }
  return undefined;
}

function signature(
  label: string,
  parameters: readonly string[],
  documentation: string | undefined,
): Signature {
  const ranges: TextRange[] = [];
  let from = label.indexOf('(') + 1;
  for (const parameter of parameters) {
    const start = label.indexOf(parameter, from);
    ranges.push({ start, end: start + parameter.length });
    from = start + parameter.length;
  }
  return { label, parameters: ranges, documentation };
}
