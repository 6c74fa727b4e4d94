/** The tree as it is printed, which is also how its conversions are looked at. */
import { describe, expect, it } from 'vitest';
import { printAst } from '../../src/c/print-ast.ts';
import { dialect } from '../opencl/dialect/builtins.ts';
import { compile } from './diagnose.ts';

function print(source: string): string {
  const { unit, lines } = compile(source, dialect);
  expect(lines).toEqual([]);
  return printAst(unit, dialect);
}

describe('the printed tree', () => {
  it('a kernel', () => {
    expect(
      print('kernel void f(global float *y, float a) { size_t i = get_global_id(0); y[i] += a * 2; }'),
    ).toMatchInlineSnapshot(`
      "TranslationUnit
      \`-FunctionDecl f 'void (__global float *, float)' kernel
        |-ParmVarDecl y '__global float *'
        |-ParmVarDecl a 'float'
        \`-CompoundStmt
          |-DeclStmt
          | \`-VarDecl i 'size_t'
          |   \`-BuiltinCallExpr 'uint' 'get_global_id'
          |     \`-ImplicitCastExpr 'uint' <integral>
          |       \`-IntegerLiteral 'int' 0
          \`-CompoundAssignOperator 'float' '+=' in 'float'
            |-ArraySubscriptExpr '__global float' lvalue
            | |-ImplicitCastExpr '__global float *' <load>
            | | \`-DeclRefExpr '__global float *' lvalue 'y'
            | \`-ImplicitCastExpr 'size_t' <load>
            |   \`-DeclRefExpr 'size_t' lvalue 'i'
            \`-BinaryOperator 'float' '*'
              |-ImplicitCastExpr 'float' <load>
              | \`-DeclRefExpr 'float' lvalue 'a'
              \`-ImplicitCastExpr 'float' <integral-to-floating>
                \`-IntegerLiteral 'int' 2
      "
    `);
  });

  it('vectors', () => {
    expect(
      print('void f(float4 a, global int4 *p) { a.xy = a.wz.yx; *p = a < 1.0f ? *p : 3; }'),
    ).toMatchInlineSnapshot(`
      "TranslationUnit
      \`-FunctionDecl f 'void (float4, __global int4 *)'
        |-ParmVarDecl a 'float4'
        |-ParmVarDecl p '__global int4 *'
        \`-CompoundStmt
          |-BinaryOperator 'float2' '='
          | |-ExtVectorElementExpr 'float2' lvalue .s01
          | | \`-DeclRefExpr 'float4' lvalue 'a'
          | \`-ImplicitCastExpr 'float2' <load>
          |   \`-ExtVectorElementExpr 'float2' lvalue .s23
          |     \`-DeclRefExpr 'float4' lvalue 'a'
          \`-BinaryOperator 'int4' '='
            |-UnaryOperator '__global int4' lvalue '*'
            | \`-ImplicitCastExpr '__global int4 *' <load>
            |   \`-DeclRefExpr '__global int4 *' lvalue 'p'
            \`-ConditionalOperator 'int4'
              |-BinaryOperator 'int4' '<'
              | |-ImplicitCastExpr 'float4' <load>
              | | \`-DeclRefExpr 'float4' lvalue 'a'
              | \`-ImplicitCastExpr 'float4' <splat>
              |   \`-FloatingLiteral 'float' 1
              |-ImplicitCastExpr 'int4' <load>
              | \`-UnaryOperator '__global int4' lvalue '*'
              |   \`-ImplicitCastExpr '__global int4 *' <load>
              |     \`-DeclRefExpr '__global int4 *' lvalue 'p'
              \`-ImplicitCastExpr 'int4' <splat>
                \`-IntegerLiteral 'int' 3
      "
    `);
  });

  it('records, initializers and control', () => {
    expect(
      print(
        'struct S { char c; int n[2]; union { int i; float f; }; }; int g(int x) { struct S s = {.n[1] = 7, .f = 1}; for (;;) switch (x) { case 1 ... 2: return s.i; default: break; } }',
      ),
    ).toMatchInlineSnapshot(`
      "TranslationUnit
      |-RecordDecl struct S size 16 align 4
      | |-FieldDecl c 'char' offset 0
      | |-FieldDecl n 'int[2]' offset 4
      | \`-FieldDecl <anonymous> 'union (unnamed)' offset 12
      \`-FunctionDecl g 'int (int)'
        |-ParmVarDecl x 'int'
        \`-CompoundStmt
          |-DeclStmt
          | \`-VarDecl s 'struct S'
          |   \`-InitListExpr 'struct S'
          |     |-at 8 'int'
          |     | \`-IntegerLiteral 'int' 7
          |     \`-at 12 'float'
          |       \`-ImplicitCastExpr 'float' <integral-to-floating>
          |         \`-IntegerLiteral 'int' 1
          \`-ForStmt
            |-<<<NULL>>>
            |-<<<NULL>>>
            |-<<<NULL>>>
            \`-SwitchStmt
              |-ImplicitCastExpr 'int' <load>
              | \`-DeclRefExpr 'int' lvalue 'x'
              \`-CompoundStmt
                |-CaseStmt 1 ... 2
                | \`-ReturnStmt
                |   \`-ImplicitCastExpr 'int' <load>
                |     \`-MemberExpr 'int' lvalue .i
                |       \`-MemberExpr 'union (unnamed)' lvalue .<anonymous>
                |         \`-DeclRefExpr 'struct S' lvalue 's'
                \`-DefaultStmt
                  \`-BreakStmt
      "
    `);
  });
});
