/** What only programs for the host have: pointers to functions, calls that recur, variables of private space. */
import { expect, it } from 'vitest';
import { PartsReader } from '../../src/ir/binary/module-reader.ts';
import { readModule } from '../../src/ir/binary/read.ts';
import { writeModule, writeParts } from '../../src/ir/binary/write.ts';
import { cloneModule } from '../../src/ir/clone.ts';
import { Interpreter } from '../../src/ir/interpreter.ts';
import { keepReachable, linkModules } from '../../src/ir/link.ts';
import { parseModule } from '../../src/ir/parse.ts';
import { printModule } from '../../src/ir/print.ts';
import { assertValid, verifyModule } from '../../src/ir/verify.ts';
import { optimiseHost } from '../../src/passes/pipeline.ts';
import { Diagnostics } from '../../src/source/diagnostics.ts';

/** The kernel stands for whoever calls: the interpreter runs nothing else. */
const text = `module address=32 hosted

private @table size=8 align=4 = zero function_at(0: @factorial) function_at(4: @twice)

function @puts(%text: ptr<private>) -> i32 imported("env", "puts")

function @factorial(%n: i32) -> i32 {
  %own = variable private "own" size=4 align=4 : ptr<private>
  store %own, %n align=4
  %0 = constant 1 : i32
  %1 = sle %n, %0 : bool
  if %1 {
    return %0
  } else {
    yield
  }
  %2 = isub %n, %0 : i32
  %3 = call @factorial(%2) : i32
  %4 = load %own align=4 : i32
  %5 = imul %3, %4 : i32
  return %5
}

function @twice(%n: i32) -> i32 {
  %0 = iadd %n, %n : i32
  return %0
}

function @apply(%f: ptr<private>, %n: i32) -> i32 {
  %0 = call_indirect %f, %n : i32
  return %0
}

kernel @run(%out: ptr<global>, %which: i32) {
  %0 = constant 6 : i32
  %1 = global_address @table : ptr<private>
  %2 = offset %1, %which : ptr<private>
  %3 = load %2 align=4 : ptr<private>
  %4 = call @apply(%3, %0) : i32
  %5 = function_address @twice : ptr<private>
  %6 = call @apply(%5, %4) : i32
  store %out, %6 align=4
  return
}
`;

function run(module: ReturnType<typeof parseModule>, which: number): number {
  const interpreter = new Interpreter(module, { checkUninitialised: true });
  const bytes = new Uint8Array(4);
  const address = interpreter.allocate('global', bytes);
  interpreter.launch('run', { globalSize: [1], localSize: [1] }, [
    { kind: 'address', address },
    { kind: 'bytes', bytes: new Uint8Array(Int32Array.of(which).buffer) },
  ]);
  return new DataView(bytes.buffer).getInt32(0, true);
}

it('is read, printed, copied and valid', () => {
  const module = parseModule(text);
  expect(printModule(module)).toBe(text);
  expect(verifyModule(module)).toEqual([]);
  expect(printModule(cloneModule(module))).toBe(text);
});

it('means what the interpreter does, each call with variables of its own', () => {
  expect(run(parseModule(text), 0)).toBe(1440);
  expect(run(parseModule(text), 4)).toBe(24);
});

it('means the same after all passes', () => {
  const module = parseModule(text);
  optimiseHost(module, { verify: assertValid });
  expect(run(module, 0)).toBe(1440);
});

it('stops where a pointer leads to no function, or to one of other types', () => {
  expect(() => run(parseModule(text.replace('function_at(0: @factorial) ', '')), 0)).toThrow(
    'leads to no function',
  );
  const other = text.replace('function_at(0: @factorial)', 'function_at(0: @apply)');
  expect(() => run(parseModule(other), 0)).toThrow("'apply' is called through a pointer");
});

it('is linked with a library, whose definitions give way, and loses what nothing reaches', () => {
  const library = parseModule(`module address=32 hosted
private @unused size=4 align=4 = zero
function @twice(%n: i32) -> i32 {
  unreachable
}
function @called() -> i32 {
  %0 = call @called() : i32
  return %0
}
`);
  const diagnostics = new Diagnostics();
  const module = linkModules([parseModule(text)], diagnostics, [library]);
  expect(diagnostics.list).toEqual([]);
  expect(module.functions.map(({ name }) => name)).toContain('called');
  keepReachable(module);
  expect(module.functions.map(({ name }) => name).sort()).toEqual(['apply', 'factorial', 'run', 'twice']);
  expect(module.globals.map(({ name }) => name)).toEqual(['table']);
  expect(run(module, 0)).toBe(1440);
});

it('is nothing for kernels', () => {
  expect(verifyModule(parseModule(text.replace(' hosted', '')))).toEqual([
    'global @table: in private space',
    'global @table: a pointer to a function outside a program for the host',
    'global @table: a pointer to a function outside a program for the host',
    'function @puts is imported, and nothing that a device supplies',
    'function @factorial: %3 = call @factorial(%2) : i32: calls @factorial, which comes back here',
    'function @apply: %0 = call_indirect %f, %n : i32: a call through a pointer outside a program for the host',
    'kernel @run: %5 = function_address @twice : ptr<private>: a pointer to a function outside a program for the host',
  ]);
});

it('is stored in parts, each body apart, and as no binary of kernels', () => {
  const module = parseModule(text);
  const { head, bodies } = writeParts(module);
  const reader = new PartsReader(head);
  const read = reader.module;
  for (const [index, fn] of read.functions.entries()) {
    if (bodies[index]!.length > 0) fn.body = reader.body(fn, bodies[index]!);
  }
  expect(read.functions.map(({ name, body }) => (body ? name : ''))).toEqual(
    module.functions.map(({ name, body }) => (body ? name : '')),
  );
  expect(verifyModule(read)).toEqual([]);
  // Names of values are not stored.
  expect(printModule(read).replace(/%\d+|%[a-z]\w*/g, '%')).toBe(
    printModule(module).replace(/%\d+|%[a-z]\w*/g, '%'),
  );
  expect(run(read, 0)).toBe(run(module, 0));
  expect(() => writeModule(module)).toThrow('stored in parts');
  const whole = Uint8Array.from([...head, ...bodies.flatMap((body) => [...body])]);
  expect(() => readModule(whole)).toThrow('a program for the host');
});
