import { describe, expect, it } from 'vitest';
import type * as ir from '../../src/ir/ir.ts';
import { parseModule } from '../../src/ir/parse.ts';
import { f32, i32, pointerType } from '../../src/ir/types.ts';
import { assertValid, verifyModule } from '../../src/ir/verify.ts';

function problemsOf(text: string): string[] {
  return verifyModule(parseModule(`module address=32\n${text}`));
}

/** Values of many types to write wrong instructions with. */
const header = `
  %i = constant 1 : i32
  %l = constant 1 : i64
  %f = constant 1.0 : f32
  %d = constant 1.0 : f64
  %t = constant true : bool
  %v = constant [1, 2, 3, 4] : i32x4
  %w = constant [1.0, 2.0] : f32x2
  %z = constant [1, 2] : i32x2
  %b = constant [true, false] : boolx2`;

function body(lines: string): string {
  return `kernel @k(%p: ptr<global>, %c: ptr<constant>, %m: opaque<image2d_ro_t>, %o: opaque<image2d_wo_t>, %s: opaque<sampler_t>) {${header}\n${lines}\nreturn\n}`;
}

describe('types of operands and results', () => {
  it.each([
    // instruction, complaint
    ['%r = iadd %i, %l : i32', 'operand 2 has type i64, expected i32'],
    ['%r = iadd %i, %i : i64', 'the result has type i64, expected i32'],
    ['%r = iadd %f, %f : f32', 'iadd of f32'],
    ['%r = fadd %i, %i : i32', 'fadd of i32'],
    ['%r = fdiv contract %f, %f : f32', 'fdiv cannot be contracted'],
    ['%r = fmul reassociate %f, %f : f32', 'fmul cannot be reassociated'],
    ['%r = iadd %t, %t : bool', 'iadd of bool'],
    ['%r = iadd %i : i32', '1 operands, expected 2'],
    ['%r = fneg %i : i32', 'fneg of i32'],
    ['%r = clz %f : f32', 'clz of f32'],
    ['%r = not %f : f32', 'not of f32'],
    ['%r = fma %i, %i, %i : i32', 'fma of i32'],
    ['%r = fma %f, %f, %d : f32', 'operand 3 has type f64, expected f32'],
    ['%r = slt %i, %i : i32', 'the result has type i32, expected bool'],
    ['%r = slt %v, %v : bool', 'the result has type bool, expected boolx4'],
    ['%r = slt %p, %p : bool', 'slt of ptr<global>'],
    ['%r = flt %i, %i : bool', 'flt of i32'],
    ['%r = select %i, %i, %i : i32', 'a condition of type i32'],
    ['%r = select %b, %v, %v : i32x4', 'a condition of type boolx2'],
    ['%r = select %t, %i, %f : i32', 'operand 3 has type f32, expected i32'],
    ['%r = sext %l : i32', 'sext from i64 to i32'],
    ['%r = trunc %i : i32', 'trunc from i32 to i32'],
    ['%r = stof %f : f32', 'stof from f32 to f32'],
    ['%r = ftos %v : i32x4', 'ftos from i32x4 to i32x4'],
    ['%r = ftos %w : i32', 'ftos from f32x2 to i32'],
    ['%r = fwiden %d : f32', 'fwiden from f64 to f32'],
    ['%r = fnarrow %f : f64', 'fnarrow from f32 to f64'],
    ['%r = bitcast %v : i64', 'bitcast from i32x4 to i64'],
    ['%r = bitcast %b : i16', 'bitcast from boolx2 to i16'],
    ['%r = ptoi %p : i64', 'ptoi from ptr<global> to i64'],
    ['%r = itop %l : ptr<global>', 'itop from i64 to ptr<global>'],
    ['%r = space %i : ptr<global>', 'space from i32 to ptr<global>'],
    ['%r = sext saturate %i : i64', 'sext cannot saturate'],
    ['%r = zext rtz %i : i64', 'zext does not round'],
    ['%r = splat %f : i32x4', 'operand 1 has type f32, expected i32'],
    ['%r = splat %i : i32', 'a result of type i32, expected a vector'],
    ['%r = build %i, %i, %i : i32x4', '3 operands, expected 4'],
    ['%r = build %i, %f : i32x2', 'operand 2 has type f32, expected i32'],
    ['%r = extract %v, 4 : i32', 'lane 4 of i32x4'],
    ['%r = extract %i, 0 : i32', 'operand 1 has type i32, expected a vector'],
    ['%r = insert %v, %f, 0 : i32x4', 'operand 2 has type f32, expected i32'],
    ['%r = shuffle %w, %w [0, 4] : f32x2', 'lane 4 of two f32x2'],
    ['%r = shuffle %w, %w [0, 1, 2] : f32x2', 'a result of type f32x2, expected 3 lanes of f32'],
    ['%r = shuffle %v, %w [0, 1] : i32x2', 'operand 2 has type f32x2, expected i32x4'],
    ['%r = variable private "a" size=4 align=3 : ptr<private>', 'alignment 3 is not a power of two'],
    ['%r = variable local "a" size=4 align=4 : ptr<private>', 'type ptr<private>, expected ptr<local>'],
    ['%r = image_read float %i, %i : f32x4', 'operand 1 has type i32, expected an image'],
    ['%r = image_read float %m, %i : f32x4', 'coordinates of type i32 for an image2d_t'],
    ['%r = image_read float %m, %w : f32x4', 'coordinates of type f32x2 for an image2d_t'],
    ['%r = image_read float %m, %i, %z : f32x4', 'operand 2 has type i32, expected a sampler'],
    ['%r = image_read float %o, %z : f32x4', 'image_read of opaque<image2d_wo_t>'],
    ['%r = image_read signed %m, %s, %w : f32x4', 'the result has type f32x4, expected i32x4'],
    ['image_write float %m, %z, %v', 'image_write of opaque<image2d_ro_t>'],
    ['image_write float %o, %z, %v', 'operand 3 has type i32x4, expected f32x4'],
    ['%r = image_query depth %m : i32', 'an image2d_t has no depth'],
    ['%r = image_query array_size %m : i32', 'an image2d_t has no array_size'],
    ['%r = load %p align=4 : opaque<sampler_t>', 'values of type opaque<sampler_t> are not stored'],
    ['%r = constant 1 : opaque<image2d_ro_t>', 'number 1 is no canonical constant of opaque<image2d_ro_t>'],
    ['%r = offset %p, %l : ptr<global>', 'operand 2 has type i64, expected i32'],
    ['%r = offset %i, %i : i32', 'operand has type i32, expected a pointer'],
    ['%r = load %i align=4 : i32', 'operand has type i32, expected a pointer'],
    ['%r = load %p align=0 : i32', 'alignment 0 is not a power of two'],
    ['%r = load %p align=4294967296 : i32', 'alignment 4294967296 is more than 4096'],
    ['%r = load %p align=1 : bool', 'truth values are not stored'],
    ['store %p, %b align=1', 'truth values are not stored'],
    ['store %c, %i align=4', 'writes to constant memory'],
    ['store %i, %i align=4', 'operand 1 has type i32, expected a pointer'],
    ['copy %p, %c, %l align=4', 'operand 3 has type i64, expected i32'],
    ['copy %c, %p, %i align=4', 'writes to constant memory'],
    ['fill %p, %i byte=256 align=4', 'byte 256 is not of 0 to 255'],
    ['%r = atomic add %p, %f relaxed device : f32', 'atomic add of f32'],
    ['%r = atomic compare_exchange %p, %i, %l relaxed device : i32', 'operand 3 has type i64, expected i32'],
    ['%r = atomic load %p, %i relaxed device : i32', '2 operands, expected 1'],
    ['%r = atomic store %p, %i relaxed device : i32', '1 results, expected 0'],
    ['atomic store %c, %i relaxed device', 'writes to constant memory'],
    ['%r = query global_id 3 : i32', 'dimension 3'],
    ['%r = query global_id 0 : i64', 'the result has type i64, expected i32'],
    ['barrier (local)\n%r = query work_dim : f32', 'the result has type f32, expected i32'],
    ['if %i {\nyield\n} else {\nyield\n}', 'operand 1 has type i32, expected bool'],
    ['switch %t {\ndefault {\nyield\n}\n}', 'switch on bool'],
    ['switch %i {\ncase 1 {\nyield\n}\ncase 1 {\nyield\n}\ndefault {\nyield\n}\n}', 'case 1 occurs twice'],
    ['loop @L (%x: f32 = %i) {\nbreak @L\n}', 'operand 1 has type i32, expected f32'],
  ])('%s', (instruction, complaint) => {
    const problems = problemsOf(body(instruction));
    expect(problems.length).toBeGreaterThan(0);
    expect(problems[0]).toContain(complaint);
  });

  it('names function and instruction', () => {
    expect(problemsOf(body('%r = iadd %i, %l : i32'))).toEqual([
      'kernel @k: %r = iadd %i, %l : i32: operand 2 has type i64, expected i32',
    ]);
  });
});

describe('constants', () => {
  it.each([
    ['128 : i8', 'number 128 is no canonical constant of i8'],
    ['255 : i8', 'number 255 is no canonical constant of i8'],
    ['2147483648 : i32', 'number 2147483648 is no canonical constant of i32'],
    ['9223372036854775808 : i64', 'is no canonical constant of i64'],
    ['true : i32', 'boolean true is no canonical constant of i32'],
    ['1 : bool', 'number 1 is no canonical constant of bool'],
    ['0.1 : f16', 'is no canonical constant of f16'],
    ['65520.0 : f16', 'is no canonical constant of f16'],
    ['1 : ptr<global>', 'number 1 is no canonical constant of ptr<global>'],
    ['[1, 2] : i32x4', '2 lanes, expected 4'],
    ['1 : i32x4', 'one value for a vector'],
    ['[1, 2] : i32', 'lanes for a scalar'],
  ])('%s', (constant, complaint) => {
    expect(problemsOf(body(`%r = constant ${constant}`))[0]).toContain(complaint);
  });

  it('are rounded to f32', () => {
    const module = parseModule('module address=32\nkernel @k() {\n%0 = constant 1.0 : f32\nreturn\n}');
    Object.assign(module.functions[0]!.body!.instructions[0]!, { value: 0.1 });
    expect(verifyModule(module)[0]).toContain('number 0.1 is no canonical constant of f32');
  });
});

describe('structure', () => {
  const k = (lines: string) => `kernel @k(%n: i32, %t: bool) {\n${lines}\n}`;
  it.each([
    ['an empty body', k(''), 'an empty region'],
    ['no terminator', k('%0 = iadd %n, %n : i32'), 'a region must end in a terminator'],
    ['a terminator in the middle', k('return\nreturn'), 'a terminator in the middle of a region'],
    ['a yield from the body', k('yield'), 'a body ends in return, not in yield'],
    [
      'a yield from a loop',
      k('loop @L () {\nyield\n}\nreturn'),
      'the body of a loop ends in break or continue',
    ],
    [
      'too few values yielded',
      k('%0 = block @B : i32 {\nyield\n}\nreturn'),
      '0 operands, but 1 results of block',
    ],
    [
      'a yielded value of the wrong type',
      k('%0 = block @B : i32 {\nyield %t\n}\nreturn'),
      'operand 1 has type bool, expected i32',
    ],
    [
      'a break with the wrong value',
      k('%0 = loop @L () : i32 {\nbreak @L %t\n}\nreturn'),
      'operand 1 has type bool, expected i32',
    ],
    [
      'a continue without values',
      k('loop @L (%i: i32 = %n) {\ncontinue @L\n}\nreturn'),
      '0 operands, but 1 parameters of its loop',
    ],
    [
      'a break out of its target',
      k('block @B {\nyield\n}\nblock @C {\nbreak @B\n}\nreturn'),
      'the target does not enclose it',
    ],
    ['a kernel that returns a value', k('return %n'), '1 operands, but 0 results of the function'],
    [
      'a value used outside its region',
      k('block @B {\n%0 = iadd %n, %n : i32\nyield\n}\n%1 = iadd %0, %0 : i32\nreturn'),
      'operand 1 is not visible here',
    ],
    [
      'a value of the other branch',
      k('if %t {\n%0 = iadd %n, %n : i32\nyield\n} else {\n%1 = iadd %0, %n : i32\nyield\n}\nreturn'),
      'operand 1 is not visible here',
    ],
    ['a kernel with a result', 'kernel @k() -> i32 {\nunreachable\n}', 'a kernel returns i32'],
    [
      'a function in work-group form',
      'function @f() work-group {\nreturn\n}',
      'only kernels have work-group form',
    ],
    [
      'an argument of the wrong type',
      `function @f(%x: f32) {\nreturn\n}\n${k('call @f(%n)\nreturn')}`,
      'argument 1 has type i32, expected f32',
    ],
    [
      'too many arguments',
      `function @f() {\nreturn\n}\n${k('call @f(%n)\nreturn')}`,
      '1 arguments, but 0 parameters',
    ],
    [
      'a result that the callee lacks',
      `function @f() {\nreturn\n}\n${k('%0 = call @f() : i32\nreturn')}`,
      '1 results, unlike the function called',
    ],
    [
      'a result of the wrong type',
      `function @f() -> f32 {\nunreachable\n}\n${k('%0 = call @f() : i32\nreturn')}`,
      'the result has type i32, expected f32',
    ],
    [
      'a function that calls itself',
      'function @f() {\ncall @f()\nreturn\n}',
      'calls @f, which comes back here',
    ],
    [
      'functions that call each other',
      'function @f() {\ncall @g()\nreturn\n}\nfunction @g() {\ncall @f()\nreturn\n}',
      'calls @g, which comes back here',
    ],
    [
      'a struct parameter that is no pointer',
      'function @f(%s: i32 aggregate(8, 4)) {\nreturn\n}',
      'a parameter for a struct has type i32',
    ],
    [
      'a struct of odd alignment',
      'function @f(%s: ptr<private> aggregate(8, 3)) {\nreturn\n}',
      'alignment 3 is not a power of two',
    ],
    [
      'an info on a function',
      'function @f(%s: i32 info("s", "int")) {\nreturn\n}',
      'only parameters of kernels have an info',
    ],
    ['a global of odd alignment', 'global @g size=4 align=6 = zero', 'alignment 6 is not a power of two'],
    ['a relocation outside', 'global @g size=4 align=4 = zero reloc(2: @g)', 'a relocation at 2, outside it'],
  ])('%s', (_, text, complaint) => {
    const problems = problemsOf(text);
    expect(problems.length).toBeGreaterThan(0);
    expect(problems[0]).toContain(complaint);
  });
});

describe('what text cannot say', () => {
  const simple = () =>
    parseModule(
      'module address=32\nkernel @k(%n: i32) {\n%0 = iadd %n, %n : i32\n%1 = iadd %0, %n : i32\nreturn\n}',
    );
  const bodyOf = (module: ir.Module) => module.functions[0]!.body!;

  it('a use before the definition', () => {
    const module = simple();
    bodyOf(module).instructions[0]!.operands[0] = bodyOf(module).instructions[1]!.results[0]!;
    expect(verifyModule(module)).toEqual([
      'kernel @k: %0 = iadd %1, %n : i32: operand 1 is used before its definition',
    ]);
  });

  it('a value of nobody', () => {
    const module = simple();
    bodyOf(module).instructions[0]!.operands[0] = { type: i32 };
    expect(verifyModule(module)[0]).toContain('%0 = iadd %?, %n : i32: operand 1 is used before');
  });

  it('two definitions of a value', () => {
    const module = simple();
    bodyOf(module).instructions[1]!.results = bodyOf(module).instructions[0]!.results;
    expect(verifyModule(module)[0]).toContain('a result is defined twice');
  });

  it('an instruction in two places', () => {
    const module = simple();
    const { instructions } = bodyOf(module);
    instructions.splice(1, 0, instructions[0]!);
    expect(verifyModule(module)[0]).toContain('the instruction occurs twice');
  });

  it('a list of operands that two instructions share', () => {
    const module = parseModule(
      'module address=32\nkernel @k(%a: i32) {\n%0 = iadd %a, %a : i32\n%1 = isub %a, %a : i32\nreturn\n}',
    );
    const [first, second] = module.functions[0]!.body!.instructions;
    second!.operands = first!.operands;
    expect(verifyModule(module)[0]).toContain('the list of operands is also that of another instruction');
  });

  it('wrong numbers of regions', () => {
    const module = parseModule(
      'module address=32\nkernel @k(%t: bool) {\nif %t {\nyield\n} else {\nyield\n}\nreturn\n}',
    );
    bodyOf(module).instructions[0]!.regions.pop();
    expect(verifyModule(module)[0]).toContain('1 regions, expected 2');
  });

  it('parameters on a region of no loop', () => {
    const module = parseModule('module address=32\nkernel @k() {\nblock @B {\nyield\n}\nreturn\n}');
    bodyOf(module).instructions[0]!.regions[0]!.parameters.push({ type: f32 });
    expect(verifyModule(module)[0]).toContain('only bodies of loops have parameters');
    bodyOf(module).parameters.push({ type: f32 });
    expect(verifyModule(module)[0]).toContain('the body has parameters');
  });

  it('functions and globals of other modules', () => {
    const text =
      'global @g size=4 align=4 = zero\nfunction @f() {\nreturn\n}\nkernel @k() {\ncall @f()\n%0 = global_address @g : ptr<global>\nreturn\n}';
    const { functions, globals } = parseModule(`module address=32\n${text}`);
    const problems = verifyModule({ addressBits: 32, globals: [], functions: [functions[1]!] });
    expect(problems[0]).toContain('calls a function that is not in the module');
    expect(problems[1]).toContain('a global that is not in the module');
    expect(verifyModule({ addressBits: 32, globals: [], functions: [functions[0]!, functions[0]!] })).toEqual(
      ['function @f occurs twice'],
    );
    const [global] = globals;
    expect(verifyModule({ addressBits: 32, functions: [], globals: [{ ...global!, size: 8 }] })).toEqual([
      'global @g: 4 bytes, expected 8',
    ]);
  });

  it('a parameter twice', () => {
    const value: ir.Value = { type: pointerType('global') };
    const fn: ir.Function = {
      name: 'f',
      kind: 'function',
      parameters: [{ value }, { value }],
      result: undefined,
      body: undefined,
      form: 'work-item',
      attributes: {},
    };
    expect(verifyModule({ addressBits: 32, globals: [], functions: [fn] })).toEqual([
      'function @f: only kernels have attributes',
      'function @f: a parameter occurs twice',
    ]);
  });
});

describe('work-group form', () => {
  const group = (lines: string) => `kernel @k(%p: ptr<global>) work-group {\n${lines}\nreturn\n}`;
  const item = (lines: string) => `kernel @k(%p: ptr<global>) {\n${lines}\nreturn\n}`;
  const items = (lines: string) => `work_item_loop {\n${lines}\nyield\n}`;
  const variable = '%v = variable private "v" size=4 align=4 per_item : ptr<private>';
  it.each([
    ['work_item_loop in work-item form', item(items('')), 'work_item_loop outside work-group form'],
    ['work_item_loop inside work_item_loop', group(items(items(''))), 'work_item_loop inside work_item_loop'],
    [
      'a contextArray in work-item form',
      item('context_array $s : i32'),
      'a context array outside work-group form',
    ],
    [
      'a contextArray not at the top',
      group('block @B {\ncontext_array $s : i32\nyield\n}'),
      'a context array belongs at the top of the body',
    ],
    [
      'context_read outside work_item_loop',
      group('context_array $s : i32\n%0 = context_read $s : i32'),
      'context_read outside work_item_loop',
    ],
    [
      'a scan in cells of their own',
      group(
        `context_array $s : i32\n%0 = constant 1 : i32\n${items('%1 = context_write $s, %0 inclusive : i32')}`,
      ),
      'a scan in cells of single work-items',
    ],
    [
      'a scan of another type',
      group(
        `context_array $s : f32 combine fadd\n%0 = constant 1 : i32\n${items('%1 = context_write $s, %0 exclusive : i32')}`,
      ),
      'a scan of values that are no f32',
    ],
    [
      'a contextArray of another type',
      group(`context_array $s : i32\n${items('%0 = context_read $s : f32')}`),
      'the result has type f32, expected i32',
    ],
    [
      'a value of another type',
      group(`context_array $s : i32\n${items('context_write $s, %p')}`),
      'operand 1 has type ptr<global>, expected i32',
    ],
    ['a per-item variable in work-item form', item(variable), 'a per-item variable outside work-group form'],
    [
      'a per-item variable inside work_item_loop',
      group(items(variable)),
      'a per-item variable inside work_item_loop',
    ],
    [
      'a local per-item variable',
      group('%v = variable local "v" size=4 align=4 per_item : ptr<local>'),
      'only private variables are per item',
    ],
    [
      'elements of a variable that is not per item',
      group('%v = variable private "v" size=4 align=4 element=4 : ptr<private>'),
      'only per-item variables lie by elements',
    ],
    [
      'elements that do not fill the variable',
      group('%v = variable private "v" size=6 align=4 per_item element=4 : ptr<private>'),
      'elements that do not fill the variable',
    ],
    [
      'item_address outside work_item_loop',
      group(`${variable}\n%0 = item_address %v : ptr<private>`),
      'item_address outside work_item_loop',
    ],
    [
      'item_address of something else',
      group(
        `%v = variable private "v" size=4 align=4 : ptr<private>\n${items('%0 = item_address %v : ptr<private>')}`,
      ),
      'the operand is no per-item variable',
    ],
    [
      'a per-item variable used directly',
      group(`${variable}\n${items('%0 = load %v align=4 : i32')}`),
      'a per-item variable is only reached by item_address',
    ],
    ['a barrier inside work_item_loop', group(items('barrier (local)')), 'a barrier inside work_item_loop'],
    [
      'a local id outside work_item_loop',
      group('%0 = query local_id 0 : i32'),
      'local_id outside work_item_loop',
    ],
    [
      'a global id outside work_item_loop',
      group('%0 = query global_id 0 : i32'),
      'global_id outside work_item_loop',
    ],
    [
      'a linear id outside work_item_loop',
      group('%0 = query linear_local_id : i32'),
      'linear_local_id outside work_item_loop',
    ],
    [
      'a return inside work_item_loop',
      group('work_item_loop {\nreturn\n}'),
      'a return inside work_item_loop',
    ],
    [
      'a break out of items',
      group('block @B {\nwork_item_loop {\nbreak @B\n}\nyield\n}'),
      'the target does not enclose it within items',
    ],
    [
      'a call with a barrier inside work_item_loop',
      `function @f() {\nbarrier (local)\nreturn\n}\n${group(items('call @f()'))}`,
      'calls @f, which has a barrier, inside work_item_loop',
    ],
    [
      'a call that asks for ids outside work_item_loop',
      `function @f() {\n%0 = query local_id 0 : i32\nreturn\n}\n${group('call @f()')}`,
      'calls @f, which asks for ids of a work-item, outside work_item_loop',
    ],
    [
      'a call of a work-group',
      `kernel @g() work-group {\nreturn\n}\n${item('call @g()')}`,
      'calls @g, which is in work-group form',
    ],
  ])('%s', (_, text, complaint) => {
    const problems = problemsOf(text);
    expect(problems.length).toBeGreaterThan(0);
    expect(problems[0]).toContain(complaint);
  });

  it('knows contextArrays of the same function only', () => {
    const module = parseModule(
      `module address=32\nkernel @a() work-group {\ncontext_array $s : i32\nwork_item_loop {\n%0 = context_read $s : i32\nyield\n}\nreturn\n}`,
    );
    module.functions[0]!.body!.instructions.shift();
    expect(verifyModule(module)[0]).toContain('a context array that is not defined before');
  });
});

it('assertValid names the stage', () => {
  const module = parseModule('module address=32\nkernel @k() {\nyield\n}');
  expect(() => assertValid(module, 'nothing')).toThrow(
    'invalid IR after nothing:\nkernel @k: yield: a body ends in return, not in yield',
  );
});
