/** Kernels: the attribute, the words in front, the parameters, the body. */
import type { Expression, Kernel, KernelAttribute, Parameter } from './ast.ts';
import { parseAssignment } from './expressions.ts';
import type { Reader } from './reader.ts';
import { parseBlock, parseDeclarator } from './statements.ts';
import { readType } from './type-names.ts';

/** Whether a kernel begins here: `kernel`, `reduce` or `Attribute` among the words before the name. */
export function startsKernel(reader: Reader): boolean {
  if (reader.at('Attribute') && reader.at('[', 1)) return true;
  for (let distance = 0; distance < 8; distance += 1) {
    const token = reader.peek(distance);
    if (token.kind !== 'identifier') return false;
    if (token.text === 'kernel' || token.text === 'reduce') return true;
  }
  return false;
}

// kernel = attribute* ('kernel' | 'reduce' | type)+ name '(' parameters ')' (block | ';')
export function parseKernel(reader: Reader): Kernel {
  const start = reader.token.span;
  const attributes: KernelAttribute[] = [];
  while (reader.at('Attribute')) attributes.push(parseAttribute(reader));
  let isReduce = false;
  let result: Kernel['result'];
  for (;;) {
    if (reader.accept('kernel')) continue;
    if (reader.accept('reduce')) {
      isReduce = true;
      continue;
    }
    if (result || reader.at('(', 1)) break;
    const specifier = readType(reader);
    if (!specifier) break;
    if (specifier.qualifiers.has('reduce')) isReduce = true;
    result = specifier.type;
  }
  const name = reader.identifier('the name of a kernel');
  const parameters = parseParameters(reader);
  const body = reader.accept(';') ? undefined : parseBlock(reader);
  return {
    name: name.text,
    nameSpan: name.span,
    result,
    isReduce,
    attributes,
    parameters,
    body,
    span: reader.spanFrom(start),
  };
}

// attribute = 'Attribute' '[' name '(' expression, ... ')' ']'
function parseAttribute(reader: Reader): KernelAttribute {
  const start = reader.next().span;
  reader.expect('[');
  const name = reader.identifier('the name of an attribute').text;
  const values: Expression[] = [];
  if (reader.accept('(') && !reader.accept(')')) {
    do values.push(parseAssignment(reader));
    while (reader.accept(','));
    reader.expect(')');
  }
  reader.expect(']');
  return { name, values, span: reader.spanFrom(start) };
}

function parseParameters(reader: Reader): Parameter[] {
  const parameters: Parameter[] = [];
  reader.expect('(');
  if (reader.accept(')')) return parameters;
  if (reader.at('void') && reader.at(')', 1)) {
    reader.next();
    reader.next();
    return parameters;
  }
  do parameters.push(parseParameter(reader));
  while (reader.accept(','));
  reader.expect(')');
  return parameters;
}

// parameter = qualifier* type name ('<' sizes? '>' | ('[' size? ']')*)
function parseParameter(reader: Reader): Parameter {
  const specifier = readType(reader);
  if (!specifier) throw reader.failure('expected the type of a parameter');
  const variable = parseDeclarator(reader, specifier);
  if (!reader.at('<')) return { ...variable, isStream: false };
  // The sizes of a formal stream say nothing that its argument does not say.
  while (!reader.accept('>')) {
    if (reader.atEnd || reader.at(')')) throw reader.failure("expected '>'");
    reader.next();
  }
  return { ...variable, isStream: true, span: reader.spanFrom(variable.span) };
}
