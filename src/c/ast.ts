/**
 * The syntax tree of C and its dialects, after checking: the parser calls the checker at every node, so what
 * is in the tree is typed, names are resolved, and every conversion C makes silently stands as a {@link Cast}
 * without `isWritten`. Lowering needs no rule of C's type system; it only follows the tree.
 *
 * Node kinds are named by `kind`. Every node has the `span` it was written at.
 */
import type { Span } from '../source/span.ts';
import type { AddressSpace, CType, EnumType, Field, QualifiedType, RecordType } from './types.ts';

// -------------------------------------------------------------------------------------------- expressions

interface ExpressionBase {
  readonly span: Span;
  /** For an lvalue, the qualified type of the object; for a value, unqualified. */
  readonly type: QualifiedType;
  /** The expression names an object in memory (C99, 6.3.2.1), or lanes of one (a swizzle). Absent on values, which most are. */
  readonly lvalue?: true | undefined;
}

/** Integer, character and enumeration constants, and folded sizeof. */
export interface IntegerLiteral extends ExpressionBase {
  readonly kind: 'integer-literal';
  /** Wrapped to the type: signed types hold negative values. */
  readonly value: bigint;
}

export interface FloatLiteral extends ExpressionBase {
  readonly kind: 'float-literal';
  /** Already rounded to the type. */
  readonly value: number;
}

/** An lvalue of array type in constant space (private in plain C). */
export interface StringLiteral extends ExpressionBase {
  readonly kind: 'string-literal';
  /** With the closing zero byte. */
  readonly bytes: Uint8Array;
}

export interface NameReference extends ExpressionBase {
  readonly kind: 'name';
  readonly declaration: VariableDeclaration | FunctionDeclaration;
}

export type UnaryOperator = '+' | '-' | '~' | '!';

/** Operand converted to the result type; on `!`, the operand keeps its own type. */
export interface Unary extends ExpressionBase {
  readonly kind: 'unary';
  readonly operator: UnaryOperator;
  readonly operand: Expression;
}

/** `*p`: an lvalue. The operand is a pointer value. */
export interface Dereference extends ExpressionBase {
  readonly kind: 'dereference';
  readonly operand: Expression;
}

/** `&x`: the operand is an lvalue or a function. */
export interface AddressOf extends ExpressionBase {
  readonly kind: 'address-of';
  readonly operand: Expression;
}

/** `++x`, `x--` and their like. The operand is an lvalue; the result is a value (old one for postfix). */
export interface Increment extends ExpressionBase {
  readonly kind: 'increment';
  readonly operator: '++' | '--';
  readonly prefix: boolean;
  readonly operand: Expression;
}

export type ArithmeticOperator = '+' | '-' | '*' | '/' | '%' | '<<' | '>>' | '&' | '|' | '^';
export type ComparisonOperator = '<' | '>' | '<=' | '>=' | '==' | '!=';
export type LogicalOperator = '&&' | '||';

/**
 * Both operands have one common type already, with these exceptions: shifts (each its own), pointer `+` and `-`
 * (a pointer and an integer, in either order for `+`; two pointers for a difference), and comparisons of pointers.
 * `&&` and `||` on scalars: each operand its own scalar type, evaluated only as needed, result int; on vectors: lane by
 * lane, both evaluated. Comparisons of vectors give -1 or 0 in a signed integer vector of the operand's element size.
 */
export interface Binary extends ExpressionBase {
  readonly kind: 'binary';
  readonly operator: ArithmeticOperator | ComparisonOperator | LogicalOperator;
  readonly left: Expression;
  readonly right: Expression;
  /** Where the operator stands, for messages; undefined where a rule made the node. */
  readonly operatorSpan?: Span;
}

/** `a, b` */
export interface Comma extends ExpressionBase {
  readonly kind: 'comma';
  readonly left: Expression;
  readonly right: Expression;
}

/** `target = value`, or with an operator `target = (T)((C)target op value)`. The result is the value stored. */
export interface Assignment extends ExpressionBase {
  readonly kind: 'assignment';
  readonly operator?: ArithmeticOperator;
  readonly target: Expression;
  /** For `=`, of the target's type. With an operator, of `computation` (shift: its own; pointer += integer: integer). */
  readonly value: Expression;
  /** With an operator: the type C the operation is done in. */
  readonly computation?: CType;
}

/**
 * `c ? a : b`. With a scalar condition only one of a, b is evaluated. With a vector condition (OpenCL 1.2, 6.3 i)
 * both are, and each lane is a's where the condition's lane has its sign bit set.
 */
export interface Conditional extends ExpressionBase {
  readonly kind: 'conditional';
  readonly condition: Expression;
  readonly then: Expression;
  readonly else: Expression;
  /** Of `a ?: b` (GNU): the value of a, which stands in `condition` and in `then`. */
  readonly shared?: SharedValue | undefined;
}

/** A value that stands in two places of the tree and is computed once, by the {@link Conditional} that has it. */
export interface SharedValue extends ExpressionBase {
  readonly kind: 'shared';
  readonly operand: Expression;
}

/** `({ ... })` (GNU): the statements run, then `result`, the last expression in the braces, gives the value. */
export interface StatementExpression extends ExpressionBase {
  readonly kind: 'statement-expression';
  readonly body: CompoundStatement;
  /** Undefined where the last statement is no expression: then the type is void. */
  readonly result: Expression | undefined;
}

/** `^int(int x) { ... }` (OpenCL 2.0, 6.12.5). */
export interface BlockLiteral extends ExpressionBase {
  readonly kind: 'block-literal';
  /** Its body as a function, whose first parameters are the variables that it captures. */
  readonly declaration: FunctionDeclaration;
  readonly captures: readonly Capture[];
}

/** A variable around a block that its body uses. */
export interface Capture {
  /** What stands for it in the body: a constant copy, or of an array the address of its first element. */
  readonly parameter: VariableDeclaration;
  /** What is copied, when control comes to the literal. */
  readonly value: Expression;
}

export type CastKind =
  | 'load' // lvalue to the value it holds
  | 'decay' // array lvalue to pointer to its first element
  | 'function' // function to pointer to it
  | 'same' // nothing changes but qualifiers or names
  | 'integral' // integer (or enum, bool) to integer; vectors lane by lane
  | 'integral-to-floating'
  | 'floating-to-integral'
  | 'floating'
  | 'to-bool' // any scalar to bool: is it unequal to zero
  | 'splat' // scalar, already of the element type, to vector
  | 'bool-splat' // bool to integer vector: all bits set where true (OpenCL 1.2, 6.2.2)
  | 'reinterpret' // as_type: same bytes
  | 'null' // constant zero to pointer
  | 'pointer' // pointer to pointer, same space
  | 'space' // pointer to pointer of another address space
  | 'pointer-to-integral'
  | 'integral-to-pointer'
  | 'void'; // value dropped

export interface Cast extends ExpressionBase {
  readonly kind: 'cast';
  readonly cast: CastKind;
  readonly operand: Expression;
  /** It stands in the source; absent on conversions that C makes silently. */
  readonly isWritten?: true;
}

/** A call of a function of the program. */
export interface Call extends ExpressionBase {
  readonly kind: 'call';
  /** A function declaration, an expression of block type, or in plain C one of pointer-to-function type. */
  readonly callee: FunctionDeclaration | Expression;
  readonly arguments: readonly Expression[];
}

/** A call of a function the dialect supplies, its overload already chosen. */
export interface BuiltinCall extends ExpressionBase {
  readonly kind: 'builtin-call';
  readonly builtin: Builtin;
  /** Converted to `parameters`. */
  readonly arguments: readonly Expression[];
  readonly parameters: readonly QualifiedType[];
}

/** A dialect's function. Dialects extend this with what their lowering needs. */
export interface Builtin {
  readonly name: string;
  /** Its value for constant arguments, where it is a constant then. */
  readonly fold?: ((operands: readonly (bigint | number)[]) => bigint | number | undefined) | undefined;
}

/** `sizeof` an array of variable length. */
export interface VariableSize extends Builtin {
  readonly variable: VariableDeclaration;
}
export const variableSizeName = 'sizeof variable';

/** `object.field`; `->` has been rewritten to a dereference. */
export interface Member extends ExpressionBase {
  readonly kind: 'member';
  readonly object: Expression;
  readonly field: Field;
}

/** Lanes of a vector: `.xy`, `.s03`, `.hi`. An lvalue if the vector is one. One lane gives a scalar. */
export interface Swizzle extends ExpressionBase {
  readonly kind: 'swizzle';
  readonly vector: Expression;
  readonly lanes: readonly number[];
}

/** `base[index]` with base a pointer value (arrays have decayed): an lvalue. */
export interface Subscript extends ExpressionBase {
  readonly kind: 'subscript';
  readonly base: Expression;
  readonly index: Expression;
}

/** `(T){...}`: an lvalue. */
export interface CompoundLiteral extends ExpressionBase {
  readonly kind: 'compound-literal';
  readonly initializer: InitializerList;
  /** True at program scope: lives as long as the program. */
  readonly isStatic: boolean;
}

/** `(float4)(a, b.xy, 1)`: scalars (of the element type) and vectors, whose lanes add up to the type's. */
export interface VectorLiteral extends ExpressionBase {
  readonly kind: 'vector-literal';
  readonly elements: readonly Expression[];
}

/**
 * A braced initializer, flattened: what is stored where, in order of evaluation; a later entry may overwrite an
 * earlier one. Bytes no entry covers are zero. Stands only as an initializer or in a compound literal.
 */
export interface InitializerList extends ExpressionBase {
  readonly kind: 'initializer-list';
  readonly entries: readonly InitializerEntry[];
}

export interface InitializerEntry {
  /** Bytes from the start of the object. */
  readonly offset: number;
  /** Set where a bit-field is stored (plain C only): see {@link Field}. */
  readonly bits?: Field['bits'];
  /** What is stored: a scalar, vector or record type, or a char array (value: a string literal). */
  readonly type: QualifiedType;
  readonly value: Expression;
}

/** Stands where the source was wrong and a diagnostic has been given. Never reaches lowering. */
export interface ErrorExpression extends ExpressionBase {
  readonly kind: 'error';
}

export type Expression =
  | IntegerLiteral
  | FloatLiteral
  | StringLiteral
  | NameReference
  | Unary
  | Dereference
  | AddressOf
  | Increment
  | Binary
  | Comma
  | Assignment
  | Conditional
  | SharedValue
  | StatementExpression
  | Cast
  | Call
  | BuiltinCall
  | Member
  | Swizzle
  | Subscript
  | CompoundLiteral
  | VectorLiteral
  | InitializerList
  | BlockLiteral
  | ErrorExpression;

// --------------------------------------------------------------------------------------------- statements

interface StatementBase {
  readonly span: Span;
}

export interface CompoundStatement extends StatementBase {
  readonly kind: 'compound';
  readonly statements: readonly Statement[];
  /** True where an FP_CONTRACT pragma forbids fusing operations (C99, 6.5; OpenCL 1.2, 6.12.2). */
  readonly forbidsContraction?: true;
}

/** Local declarations that matter to lowering: variables. */
export interface DeclarationStatement extends StatementBase {
  readonly kind: 'declaration';
  readonly variables: readonly VariableDeclaration[];
}

/** `expression;` or, without one, `;` */
export interface ExpressionStatement extends StatementBase {
  readonly kind: 'expression';
  readonly expression: Expression | undefined;
}

/** Conditions are scalar values of any type, true if unequal to zero. */
export interface IfStatement extends StatementBase {
  readonly kind: 'if';
  readonly condition: Expression;
  readonly then: Statement;
  /** In order. An `else` with an `if` right behind it nests no deeper, for such chains may be long. */
  readonly elseIfs: readonly ElseIf[];
  readonly else: Statement | undefined;
}

/** `else if (condition) then` */
export interface ElseIf {
  readonly span: Span;
  readonly condition: Expression;
  readonly then: Statement;
}

export interface WhileStatement extends StatementBase {
  readonly kind: 'while';
  readonly condition: Expression;
  readonly body: Statement;
  /** The hint of a pragma or attribute: how often to unroll; 0 is as far as possible, 1 not at all. */
  readonly unroll?: number | undefined;
}

export interface DoStatement extends StatementBase {
  readonly kind: 'do';
  readonly body: Statement;
  readonly condition: Expression;
  readonly unroll?: number | undefined;
}

export interface ForStatement extends StatementBase {
  readonly kind: 'for';
  readonly initial: DeclarationStatement | ExpressionStatement | undefined;
  readonly condition: Expression | undefined;
  readonly step: Expression | undefined;
  readonly body: Statement;
  readonly unroll?: number | undefined;
}

/** The value is promoted; the labels of its `case`s are folded and unique. */
export interface SwitchStatement extends StatementBase {
  readonly kind: 'switch';
  readonly value: Expression;
  readonly body: Statement;
}

/** `case value:` or `case low ... high:`; belongs to the innermost switch, however deeply nested in its body. */
export interface CaseStatement extends StatementBase {
  readonly kind: 'case';
  readonly low: bigint;
  readonly high: bigint;
  readonly body: Statement;
}

export interface DefaultStatement extends StatementBase {
  readonly kind: 'default';
  readonly body: Statement;
}

export interface BreakStatement extends StatementBase {
  readonly kind: 'break';
}

export interface ContinueStatement extends StatementBase {
  readonly kind: 'continue';
}

export interface ReturnStatement extends StatementBase {
  readonly kind: 'return';
  readonly value: Expression | undefined;
}

export interface GotoStatement extends StatementBase {
  readonly kind: 'goto';
  readonly label: string;
}

export interface LabelStatement extends StatementBase {
  readonly kind: 'label';
  readonly label: string;
  readonly body: Statement;
}

export type Statement =
  | CompoundStatement
  | DeclarationStatement
  | ExpressionStatement
  | IfStatement
  | WhileStatement
  | DoStatement
  | ForStatement
  | SwitchStatement
  | CaseStatement
  | DefaultStatement
  | BreakStatement
  | ContinueStatement
  | ReturnStatement
  | GotoStatement
  | LabelStatement;

// ------------------------------------------------------------------------------------------- declarations

export type StorageClass = 'none' | 'static' | 'extern' | 'typedef' | 'auto' | 'register';

/** A variable or parameter. Objects are compared by identity: two scopes may have variables of one name. */
export interface VariableDeclaration {
  readonly kind: 'variable';
  readonly name: string;
  /** `type.space` says where it lives: private, local, constant or global. */
  readonly type: QualifiedType;
  readonly storage: StorageClass;
  readonly scope: 'program' | 'function' | 'parameter';
  /** Bytes; the type's own unless an attribute says more. */
  readonly align: number;
  initializer: Expression | undefined;
  readonly accessQualifier?: 'read_only' | 'write_only' | 'read_write' | undefined;
  /** Each thread has one of its own (C11, 6.7.1). */
  readonly isThreadLocal?: boolean | undefined;
  readonly span: Span;
}

/** `__attribute__((name(arguments)))`, arguments folded where they are integer constants. */
export interface Attribute {
  readonly name: string;
  readonly arguments: readonly (bigint | QualifiedType | string)[];
  readonly span: Span;
}

export interface FunctionDeclaration {
  readonly kind: 'function';
  readonly name: string;
  readonly type: QualifiedType;
  readonly isKernel: boolean;
  readonly isInline: boolean;
  readonly storage: StorageClass;
  attributes: readonly Attribute[];
  /** Of the definition once there is one. */
  parameters: readonly VariableDeclaration[];
  /** Undefined while only declared. */
  body: CompoundStatement | undefined;
  readonly span: Span;
}

export interface TypedefDeclaration {
  readonly kind: 'typedef';
  readonly name: string;
  readonly type: QualifiedType;
  readonly span: Span;
}

/** `struct s { ... };` or `enum e { ... };` standing as a declaration, for people who look at the tree. */
export interface TagDeclaration {
  readonly kind: 'tag';
  readonly type: RecordType | EnumType;
  readonly span: Span;
}

export type Declaration = VariableDeclaration | FunctionDeclaration | TypedefDeclaration | TagDeclaration;

/** A whole program source, in order of declaration. A function stands once, where first declared. */
export interface TranslationUnit {
  readonly declarations: readonly Declaration[];
}

export type { AddressSpace };
