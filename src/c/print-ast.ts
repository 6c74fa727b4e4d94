/** The checked syntax tree as text, a node a line, in the manner of clang's -ast-dump: for `--emit ast` and tests. */
import type {
  Attribute,
  Declaration,
  Expression,
  FunctionDeclaration,
  Statement,
  TranslationUnit,
  VariableDeclaration,
} from './ast.ts';
import { printType, type TypeSpelling } from './type-printer.ts';
import type { QualifiedType } from './types.ts';
import { unqualified } from './types.ts';

/** A node in words, and its parts. */
interface Line {
  readonly text: string;
  readonly children: readonly Line[];
}

/** Prints a tree; `spelling` is the dialect it was read in. */
export function printAst(unit: TranslationUnit, spelling: TypeSpelling): string {
  const printer = new Printer(spelling);
  const root: Line = {
    text: 'TranslationUnit',
    children: unit.declarations.map((declaration) => printer.declaration(declaration)),
  };
  const lines: string[] = [];
  layOut(root, '', '', lines);
  return `${lines.join('\n')}\n`;
}

function layOut(line: Line, head: string, indent: string, lines: string[]): void {
  lines.push(head + line.text);
  line.children.forEach((child, index) => {
    const isLast = index === line.children.length - 1;
    layOut(child, `${indent}${isLast ? '`-' : '|-'}`, `${indent}${isLast ? '  ' : '| '}`, lines);
  });
}

class Printer {
  readonly #spelling: TypeSpelling;

  constructor(spelling: TypeSpelling) {
    this.#spelling = spelling;
  }

  declaration(declaration: Declaration): Line {
    switch (declaration.kind) {
      case 'variable':
        return this.#variable(declaration);
      case 'function':
        return this.#function(declaration);
      case 'typedef': {
        const type: QualifiedType = { ...declaration.type, alias: undefined };
        return leaf(`TypedefDecl ${declaration.name} ${this.#type(type)}`);
      }
      case 'tag': {
        const { type } = declaration;
        if (type.kind === 'enum') return leaf(`EnumDecl ${type.tag ?? ''}`.trimEnd());
        const fields = (type.fields ?? []).map((field) =>
          leaf(`FieldDecl ${field.name ?? '<anonymous>'} ${this.#type(field.type)} offset ${field.offset}`),
        );
        const kind = type.union ? 'union' : 'struct';
        const name = type.tag === undefined ? kind : `${kind} ${type.tag}`;
        return { text: `RecordDecl ${name} size ${type.size} align ${type.align}`, children: fields };
      }
    }
  }

  #type(type: QualifiedType): string {
    return `'${printType(type, this.#spelling)}'`;
  }

  #variable(variable: VariableDeclaration): Line {
    const kind = variable.scope === 'parameter' ? 'ParmVarDecl' : 'VarDecl';
    let text = `${kind} ${variable.name} ${this.#type(variable.type)}`;
    if (variable.storage !== 'none') text += ` ${variable.storage}`;
    if (variable.type.space === 'local' || variable.type.space === 'constant')
      text += ` ${variable.type.space}`;
    if (variable.accessQualifier !== undefined) text += ` ${variable.accessQualifier}`;
    const children = variable.initializer ? [this.#expression(variable.initializer)] : [];
    return { text, children };
  }

  #function(declaration: FunctionDeclaration): Line {
    let text = `FunctionDecl ${declaration.name} ${this.#type(declaration.type)}`;
    if (declaration.isKernel) text += ' kernel';
    if (declaration.isInline) text += ' inline';
    if (declaration.storage !== 'none') text += ` ${declaration.storage}`;
    const children = declaration.parameters.map((parameter) => this.#variable(parameter));
    for (const attribute of declaration.attributes) children.push(this.#attribute(attribute));
    if (declaration.body) children.push(this.#statement(declaration.body));
    return { text, children };
  }

  #attribute(attribute: Attribute): Line {
    const values = attribute.arguments.map((value) =>
      typeof value === 'object' ? this.#type(value) : `${value}`,
    );
    return leaf(`Attribute ${attribute.name}${values.length === 0 ? '' : `(${values.join(', ')})`}`);
  }

  #statement(statement: Statement): Line {
    switch (statement.kind) {
      case 'compound':
        return node(
          'CompoundStmt',
          statement.statements.map((inner) => this.#statement(inner)),
        );
      case 'declaration':
        return node(
          'DeclStmt',
          statement.variables.map((variable) => this.#variable(variable)),
        );
      case 'expression':
        return statement.expression ? this.#expression(statement.expression) : leaf('NullStmt');
      case 'if': {
        const children = [this.#expression(statement.condition), this.#statement(statement.then)];
        for (const { condition, then } of statement.elseIfs) {
          children.push(node('ElseIf', [this.#expression(condition), this.#statement(then)]));
        }
        if (statement.else) children.push(this.#statement(statement.else));
        const hasElse = statement.else !== undefined || statement.elseIfs.length > 0;
        return node(hasElse ? 'IfStmt has_else' : 'IfStmt', children);
      }
      case 'while': {
        const children = [this.#expression(statement.condition), this.#statement(statement.body)];
        return node(`WhileStmt${unroll(statement.unroll)}`, children);
      }
      case 'do': {
        const children = [this.#statement(statement.body), this.#expression(statement.condition)];
        return node(`DoStmt${unroll(statement.unroll)}`, children);
      }
      case 'for':
        return node(`ForStmt${unroll(statement.unroll)}`, [
          statement.initial ? this.#statement(statement.initial) : missing,
          statement.condition ? this.#expression(statement.condition) : missing,
          statement.step ? this.#expression(statement.step) : missing,
          this.#statement(statement.body),
        ]);
      case 'switch':
        return node('SwitchStmt', [this.#expression(statement.value), this.#statement(statement.body)]);
      case 'case': {
        const range = statement.low === statement.high ? '' : ` ... ${statement.high}`;
        return node(`CaseStmt ${statement.low}${range}`, [this.#statement(statement.body)]);
      }
      case 'default':
        return node('DefaultStmt', [this.#statement(statement.body)]);
      case 'break':
        return leaf('BreakStmt');
      case 'continue':
        return leaf('ContinueStmt');
      case 'return':
        return node('ReturnStmt', statement.value ? [this.#expression(statement.value)] : []);
      case 'goto':
        return leaf(`GotoStmt ${statement.label}`);
      case 'label':
        return node(`LabelStmt ${statement.label}`, [this.#statement(statement.body)]);
    }
  }

  /** A node with its type, and whether it is an lvalue. */
  #typed(name: string, expression: Expression, detail: string, children: readonly Line[]): Line {
    const place = expression.lvalue ? ' lvalue' : '';
    return {
      text: `${name} ${this.#type(expression.type)}${place}${detail === '' ? '' : ` ${detail}`}`,
      children,
    };
  }

  #expression(expression: Expression): Line {
    const parts = (...inner: Expression[]): Line[] => inner.map((part) => this.#expression(part));
    switch (expression.kind) {
      case 'integer-literal':
        return this.#typed('IntegerLiteral', expression, `${expression.value}`, []);
      case 'float-literal':
        return this.#typed('FloatingLiteral', expression, `${expression.value}`, []);
      case 'string-literal':
        return this.#typed('StringLiteral', expression, quoted(expression.bytes), []);
      case 'name':
        return this.#typed('DeclRefExpr', expression, `'${expression.declaration.name}'`, []);
      case 'unary':
        return this.#typed(
          'UnaryOperator',
          expression,
          `'${expression.operator}'`,
          parts(expression.operand),
        );
      case 'dereference':
        return this.#typed('UnaryOperator', expression, "'*'", parts(expression.operand));
      case 'address-of':
        return this.#typed('UnaryOperator', expression, "'&'", parts(expression.operand));
      case 'increment': {
        const detail = `${expression.prefix ? 'prefix' : 'postfix'} '${expression.operator}'`;
        return this.#typed('UnaryOperator', expression, detail, parts(expression.operand));
      }
      case 'binary': {
        const children = parts(expression.left, expression.right);
        return this.#typed('BinaryOperator', expression, `'${expression.operator}'`, children);
      }
      case 'comma':
        return this.#typed('BinaryOperator', expression, "','", parts(expression.left, expression.right));
      case 'assignment': {
        const children = parts(expression.target, expression.value);
        if (expression.operator === undefined)
          return this.#typed('BinaryOperator', expression, "'='", children);
        const computed = expression.computation
          ? ` in ${this.#type(unqualified(expression.computation))}`
          : '';
        const detail = `'${expression.operator}='${computed}`;
        return this.#typed('CompoundAssignOperator', expression, detail, children);
      }
      case 'conditional': {
        if (expression.shared) {
          const children = parts(expression.shared.operand, expression.else);
          return this.#typed('BinaryConditionalOperator', expression, '', children);
        }
        const children = parts(expression.condition, expression.then, expression.else);
        return this.#typed('ConditionalOperator', expression, '', children);
      }
      case 'shared':
        return this.#typed('OpaqueValueExpr', expression, '', parts(expression.operand));
      case 'statement-expression': {
        const children = [this.#statement(expression.body)];
        if (expression.result) children.push(this.#expression(expression.result));
        return this.#typed('StmtExpr', expression, '', children);
      }
      case 'cast': {
        const name = expression.isWritten ? 'CStyleCastExpr' : 'ImplicitCastExpr';
        return this.#typed(name, expression, `<${expression.cast}>`, parts(expression.operand));
      }
      case 'call': {
        const { callee } = expression;
        const children = parts(...expression.arguments);
        if (callee.kind === 'function')
          return this.#typed('CallExpr', expression, `'${callee.name}'`, children);
        return this.#typed('CallExpr', expression, '', [this.#expression(callee), ...children]);
      }
      case 'builtin-call': {
        const children = parts(...expression.arguments);
        return this.#typed('BuiltinCallExpr', expression, `'${expression.builtin.name}'`, children);
      }
      case 'member': {
        const name = expression.field.name ?? '<anonymous>';
        return this.#typed('MemberExpr', expression, `.${name}`, parts(expression.object));
      }
      case 'swizzle': {
        const lanes = expression.lanes.map((lane) => lane.toString(16)).join('');
        return this.#typed('ExtVectorElementExpr', expression, `.s${lanes}`, parts(expression.vector));
      }
      case 'subscript':
        return this.#typed('ArraySubscriptExpr', expression, '', parts(expression.base, expression.index));
      case 'compound-literal':
        return this.#typed('CompoundLiteralExpr', expression, '', parts(expression.initializer));
      case 'vector-literal':
        return this.#typed('VectorLiteral', expression, '', parts(...expression.elements));
      case 'initializer-list': {
        const entries = expression.entries.map((entry) =>
          node(`at ${entry.offset} ${this.#type(entry.type)}`, [this.#expression(entry.value)]),
        );
        return this.#typed('InitListExpr', expression, '', entries);
      }
      case 'block-literal': {
        const { captures, declaration } = expression;
        const children = captures.map(({ parameter, value }) =>
          node(`capture '${parameter.name}'`, [this.#expression(value)]),
        );
        if (declaration.body) children.push(this.#statement(declaration.body));
        return this.#typed('BlockExpr', expression, `'${declaration.name}'`, children);
      }
      case 'error':
        return leaf('RecoveryExpr');
    }
  }
}

const missing: Line = { text: '<<<NULL>>>', children: [] };

function leaf(text: string): Line {
  return { text, children: [] };
}

function node(text: string, children: readonly Line[]): Line {
  return { text, children };
}

function unroll(count: number | undefined): string {
  if (count === undefined) return '';
  return count === 0 ? ' unroll' : ` unroll ${count}`;
}

/** The bytes of a string without its closing zero, escaped. */
function quoted(bytes: Uint8Array): string {
  let text = '"';
  for (const byte of bytes.subarray(0, -1)) {
    const isPlain = byte >= 32 && byte < 127 && byte !== 34 && byte !== 92;
    text += isPlain ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, '0')}`;
  }
  return `${text}"`;
}
