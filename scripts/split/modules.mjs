// The modules under src as split-rest.mjs looks at them: JavaScript as esbuild makes it of each, with its statements at the top level.
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { transform } from 'esbuild';
import { parseAst } from 'rollup/parseAst';

/**
 * Reads all modules under a folder.
 * @returns by its path there for each: its `text`, the source `map` behind it, its `imports` and re-exports, its `exports` (the names in the
 *   module by those outside), and its `items`: the statements at the top level, each with what it declares and refers to
 */
export async function listItems(src) {
  const paths = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.d.ts'))
    .sort();
  const entries = await Promise.all(paths.map(async (path) => [path, await readModule(src, path)]));
  return new Map(entries);
}

async function readModule(src, path) {
  const { code, map } = await transform(readFileSync(join(src, path), 'utf8'), {
    loader: 'ts',
    format: 'esm',
    target: 'es2022',
    sourcemap: 'external',
    sourcefile: posix.basename(path),
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
  });
  const module = { path, text: code, map, imports: [], exports: new Map(), items: [] };
  for (const node of parseAst(code).body) addStatement(module, node);
  const declared = new Set(module.items.flatMap(({ names }) => names));
  for (const { specifiers } of module.imports)
    for (const { local } of specifiers) if (local) declared.add(local);
  for (const item of module.items) Object.assign(item, referencesOf(item.node, declared));
  return module;
}

function addStatement(module, node) {
  const { start, end } = node;
  switch (node.type) {
    case 'ImportDeclaration':
      module.imports.push({
        start,
        end,
        from: node.source.value,
        specifiers: node.specifiers.map(specifierOf),
      });
      return;
    case 'ExportAllDeclaration':
      module.imports.push({ start, end, from: node.source.value, specifiers: [], isAll: true });
      return;
    case 'ExportNamedDeclaration': {
      if (node.declaration) {
        addItem(module, node.declaration, start, end);
        for (const name of module.items.at(-1).names) module.exports.set(name, name);
        return;
      }
      const names = node.specifiers.map(({ local, exported }) => [exported.name, local.name]);
      if (node.source) {
        const specifiers = names.map(([exported, imported]) => ({ imported, exported }));
        module.imports.push({ start, end, from: node.source.value, specifiers });
      } else {
        for (const [exported, local] of names) module.exports.set(exported, local);
        module.exportLists = [...(module.exportLists ?? []), { start, end }];
      }
      return;
    }
    default:
      addItem(module, node, start, end);
  }
}

/** `imported` is undefined where the whole module is. */
function specifierOf({ type, imported, local }) {
  return { imported: type === 'ImportSpecifier' ? imported.name : undefined, local: local.name };
}

function addItem(module, node, start, end) {
  module.items.push({ module: module.path, node, start, end, names: namesOf(node), kind: kindOf(node) });
}

function namesOf(node) {
  if (node.type === 'VariableDeclaration') return node.declarations.flatMap(({ id }) => [...boundNames(id)]);
  return node.id ? [node.id.name] : [];
}

function* boundNames(pattern) {
  if (pattern.type === 'Identifier') yield pattern.name;
  else if (pattern.type === 'ObjectPattern')
    for (const property of pattern.properties) yield* boundNames(property.value ?? property.argument);
  else if (pattern.type === 'ArrayPattern') {
    for (const element of pattern.elements) if (element) yield* boundNames(element);
  } else if (pattern.type === 'AssignmentPattern') yield* boundNames(pattern.left);
  else if (pattern.type === 'RestElement') yield* boundNames(pattern.argument);
}

function kindOf(node) {
  if (node.type === 'FunctionDeclaration') return 'function';
  if (node.type === 'ClassDeclaration') return 'class';
  if (node.type !== 'VariableDeclaration') return 'other';
  const [{ init }] = node.declarations;
  const isFunction = node.declarations.length === 1 && /^(Arrow)?FunctionExpression$/.test(init?.type ?? '');
  return isFunction ? 'function' : 'variable';
}

/**
 * The names of the module that stand in a statement: all of them, those that it assigns to, and those that are more than called or
 * constructed, so that it matters which function or class they are. A local variable of the same name counts, which does no harm.
 */
function referencesOf(root, declared) {
  const references = new Set();
  const assigned = new Set();
  const called = new Set();
  const compared = new Set();
  const visit = (node, parent, key) => {
    if (!node || typeof node.type !== 'string') return;
    if (node.type === 'Identifier') {
      if (!declared.has(node.name) || isLabel(parent, key)) return;
      references.add(node.name);
      if (parent.type === 'NewExpression' && key === 'callee') called.add(node.name);
      else if (parent.type !== 'CallExpression' || key !== 'callee') compared.add(node.name);
      return;
    }
    if (node.type === 'AssignmentExpression' || node.type === 'UpdateExpression') {
      for (const name of boundNames(node.left ?? node.argument)) assigned.add(name);
    }
    for (const [name, child] of Object.entries(node)) {
      if (Array.isArray(child)) for (const each of child) visit(each, node, name);
      else if (child && typeof child === 'object') visit(child, node, name);
    }
  };
  visit(root, { type: 'Program' }, 'body');
  const identities = new Set();
  findIdentities(root, identities);
  return { references, assigned, compared, identities };
}

/** The name of a property is none of the module's. */
function isLabel(parent, key) {
  if (parent.type === 'MemberExpression') return key === 'property' && !parent.computed;
  if (/^(Property|MethodDefinition|PropertyDefinition)$/.test(parent.type))
    return key === 'key' && !parent.computed && !parent.shorthand;
  return false;
}

/** Names that are compared with others, as functions seldom are. */
function findIdentities(node, found) {
  if (!node || typeof node !== 'object') return;
  if (node.type === 'BinaryExpression' && /^([!=]==?|instanceof)$/.test(node.operator)) {
    for (const side of [node.left, node.right]) if (side.type === 'Identifier') found.add(side.name);
  }
  for (const child of Object.values(node)) {
    if (Array.isArray(child)) for (const each of child) findIdentities(each, found);
    else if (child && typeof child === 'object') findIdentities(child, found);
  }
}

/** Finds where the imports lead: `to` is undefined for packages and what pages do not load. */
export function resolveImports(modules, isDoor) {
  for (const { path, imports } of modules.values()) {
    for (const each of imports) {
      const to = posix.join(posix.dirname(path), each.from);
      each.to = each.from.startsWith('.') && modules.has(to) && !isDoor(to) ? to : undefined;
    }
  }
}

/** The module and the name there of what a module exports; undefined if it is a whole module or from elsewhere. */
export function originOf(modules, path, name) {
  const module = modules.get(path);
  const local = module.exports.get(name);
  if (local !== undefined) return originOfLocal(modules, path, local);
  for (const { to, specifiers, isAll } of module.imports) {
    if (!to) continue;
    const found = specifiers.find(({ exported }) => exported === name);
    if (found) return originOf(modules, to, found.imported);
    const origin = isAll ? originOf(modules, to, name) : undefined;
    if (origin) return origin;
  }
  return undefined;
}

/** The same for a name in a module. */
export function originOfLocal(modules, path, name) {
  const module = modules.get(path);
  module.byName ??= new Map(module.items.flatMap((item) => item.names.map((each) => [each, item])));
  const item = module.byName.get(name);
  if (item) return { path, name, item };
  for (const { to, specifiers } of module.imports) {
    const found = specifiers.find(({ local }) => local === name);
    if (found) return to && found.imported !== undefined ? originOf(modules, to, found.imported) : undefined;
  }
  return undefined;
}
