// The two texts of a split module. What is not in one is blank there, so that lines and columns are the same in both; imports are written
// anew, at the end.
import { posix } from 'node:path';
import { originOf } from './modules.mjs';

/** What is needed first. */
export function firstText(modules, path, { isRest }, stubs) {
  const module = modules.get(path);
  const items = module.items.filter((item) => !isRest(item));
  const handedOn = [...module.exports.values()].filter((local) => !isDeclared(module, local));
  const used = new Set([...handedOn, ...items.flatMap(({ references }) => [...references])]);
  const lines = [];
  for (const { from, specifiers, isAll } of module.imports) {
    if (isAll) lines.push(`export * from ${quoted(from)};`);
    const again = specifiers.filter(({ exported }) => exported !== undefined);
    if (again.length > 0)
      lines.push(
        `export { ${again.map(({ imported, exported }) => `${imported} as ${exported}`).join(', ')} } from ${quoted(from)};`,
      );
    lines.push(
      ...importLines(
        specifiers.filter(({ local }) => used.has(local)),
        from,
      ),
    );
  }
  const names = stubs?.names ?? [];
  const declared = new Set([...items.flatMap((item) => item.names), ...names]);
  const exported = [...module.exports].filter(
    ([, local]) => declared.has(local) || !isDeclared(module, local),
  );
  // The rest refers to what is here, whether it was exported or not.
  const all = new Map(exported.map(([name, local]) => [name, local]));
  for (const name of declared) if (![...all.values()].includes(name)) all.set(name, name);
  const inline = new Set(items.filter(isExportedInline).flatMap((item) => item.names));
  const listed = [...all].filter(([name, local]) => !(name === local && inline.has(local)));
  if (listed.length > 0)
    lines.push(`export { ${listed.map(([name, local]) => `${local} as ${name}`).join(', ')} };`);
  let head = '';
  if (names.length > 0) {
    lines.push(`import { stubs as $stubs } from ${quoted(relative(path, 'parts/stubs.ts'))};`);
    head = `var [${names.join(', ')}] = $stubs(${quoted(stubs.part)}, ${stubs.first}); `;
  }
  return withMap(module, head + blanked(module, items), lines);
}

/**
 * A module that is not split and has the rest of what it calls from the start: it imports that without stubs.
 * @param rests pairs of a part's name and the file with its functions
 */
export function userText(modules, path, split, rest, rests) {
  const module = modules.get(path);
  const used = new Set(module.imports.flatMap(({ specifiers }) => specifiers.map(({ local }) => local)));
  let text = module.text;
  for (const { start, end, isAll } of module.imports) {
    if (!isAll) text = text.slice(0, start) + blank(text.slice(start, end)) + text.slice(end);
  }
  const lines = directImports(modules, module, used, split, rest);
  lines.push(`import { rest as $rest } from ${quoted(relative(path, 'parts/rest.ts'))};`);
  for (const [part, file] of rests) {
    lines.push(
      `import { functions as $${part} } from ${quoted(relative(path, file))};`,
      `$rest.${part}.provide($${part});`,
    );
  }
  return withMap(module, text, lines);
}

/** The imports of a module for which nothing is a stub. */
function directImports(modules, { path, imports }, used, split, { isRest }) {
  const lines = [];
  const isSplitOff = (origin) => origin && split.has(origin.path) && isRest(origin.item);
  for (const { from, specifiers, to } of imports) {
    const needed = specifiers.filter(({ local }) => used.has(local));
    const kept = needed.filter(
      ({ imported }) => !to || imported === undefined || !isSplitOff(originOf(modules, to, imported)),
    );
    lines.push(...importLines(kept, from));
    for (const specifier of needed) {
      if (kept.includes(specifier)) continue;
      const { path: source, name } = originOf(modules, to, specifier.imported);
      lines.push(
        `import { ${name} as ${specifier.local} } from ${quoted(`${relative(path, source)}?rest`)};`,
      );
    }
  }
  return lines;
}

/** The rest. */
export function restText(modules, path, split, rest) {
  const { isRest } = rest;
  const module = modules.get(path);
  const items = module.items.filter(isRest);
  const used = new Set(items.flatMap(({ references }) => [...references]));
  const lines = directImports(modules, module, used, split, rest);
  const own = module.items.filter((item) => !isRest(item)).flatMap((item) => item.names);
  const wanted = own.filter((name) => used.has(name));
  if (wanted.length > 0) {
    // By the names it has outside.
    const outside = new Map([...module.exports].map(([name, local]) => [local, name]));
    const list = wanted.map((name) => `${outside.get(name) ?? name} as ${name}`);
    lines.push(`import { ${list.join(', ')} } from ${quoted(`./${posix.basename(path)}`)};`);
  }
  const inline = new Set(items.filter(isExportedInline).flatMap((item) => item.names));
  const names = items.flatMap((item) => item.names).filter((name) => !inline.has(name));
  if (names.length > 0) lines.push(`export { ${names.join(', ')} };`);
  return withMap(module, blanked(module, items), lines);
}

function isDeclared(module, local) {
  return module.items.some(({ names }) => names.includes(local));
}

/** Whether `export` stands before it. */
function isExportedInline({ node, start }) {
  return node.start !== start;
}

function importLines(specifiers, from) {
  const whole = specifiers.filter(({ imported }) => imported === undefined);
  const named = specifiers.filter(({ imported }) => imported !== undefined);
  const lines = whole.map(({ local }) => `import * as ${local} from ${quoted(from)};`);
  if (named.length > 0)
    lines.push(
      `import { ${named.map(({ imported, local }) => `${imported} as ${local}`).join(', ')} } from ${quoted(from)};`,
    );
  return lines;
}

/** The text with nothing but these items. */
function blanked({ text }, items) {
  const kept = [...items].sort((a, b) => a.start - b.start);
  let result = '';
  let at = 0;
  for (const { start, end } of kept) {
    result += blank(text.slice(at, start)) + text.slice(start, end);
    at = end;
  }
  return result + blank(text.slice(at));
}

function blank(text) {
  return text.replace(/[^\n]/g, ' ');
}

function withMap({ map }, text, lines) {
  const encoded = Buffer.from(map).toString('base64');
  return `${text}\n${lines.join('\n')}\n//# sourceMappingURL=data:application/json;base64,${encoded}\n`;
}

function relative(from, to) {
  const path = posix.relative(posix.dirname(from), to);
  return path.startsWith('.') ? path : `./${path}`;
}

function quoted(text) {
  return JSON.stringify(text);
}
