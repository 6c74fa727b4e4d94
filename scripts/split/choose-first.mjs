// Which statements of the split modules are needed first, and which are of the rest. A function that was called is needed, and a variable
// that something needed refers to; what is referred to but was not called becomes a stub.
import { originOf, originOfLocal } from './modules.mjs';

/** A function of fewer characters is shorter than what a stub takes. */
const shortest = 80;

/**
 * @param split the paths of the modules that are split
 * @param users the paths of those that need no stubs
 * @param calls see trace-calls.mjs
 * @returns `isRest`, which tells of an item, and for each path the `stubbed` names
 */
export function chooseFirst(modules, split, users, { evaluated, compiled }) {
  const first = new Set();
  const stubbed = new Map();
  const work = [];
  const need = (item) => {
    if (!item || !split.has(item.module) || first.has(item)) return;
    first.add(item);
    work.push(item);
  };
  const itemsOf = (path) => modules.get(path).items;
  const allSplit = [...split].flatMap(itemsOf);

  for (const item of allSplit) {
    if (item.kind === 'other' || wasCalled(item, compiled)) need(item);
  }
  // Those who are not split see what they import as it was: all but functions that they only call, and classes that they only construct.
  for (const [path, module] of modules) {
    if (split.has(path) || users.has(path)) continue;
    for (const item of module.items) seenFrom(item);
  }
  for (;;) {
    for (let item = work.pop(); item; item = work.pop()) {
      seenFrom(item);
      if (item.kind === 'variable' || item.kind === 'other') neededToEvaluate(item);
    }
    for (const item of allSplit) if (!first.has(item) && mustStay(item)) need(item);
    if (work.length > 0) continue;
    listStubs();
    for (const item of allSplit) {
      if (!first.has(item) && isShort(item) && stubbed.get(item.module)?.includes(item.names[0])) need(item);
    }
    if (work.length === 0) return { isRest: (item) => !first.has(item), stubbed };
  }

  function seenFrom(item) {
    for (const name of item.references) {
      const target = originOfLocal(modules, item.module, name)?.item;
      if (!target) needWholeModule(item, name);
      else if (target.kind === 'variable') need(target);
      else if (target.kind === 'class' && (item.compared.has(name) || item.identities.has(name)))
        need(target);
      else if (item.identities.has(name)) need(target);
    }
  }

  /** A module as a whole: its variables. */
  function needWholeModule(item, name) {
    for (const { to, specifiers } of modules.get(item.module).imports) {
      if (!to || !specifiers.some(({ local, imported }) => local === name && imported === undefined))
        continue;
      for (const exported of modules.get(to).exports.keys()) {
        const target = originOf(modules, to, exported)?.item;
        if (target && target.kind !== 'function') need(target);
      }
    }
  }

  /** What was called to evaluate a variable. */
  function neededToEvaluate(item, seen = new Set()) {
    for (const name of item.references) {
      const target = originOfLocal(modules, item.module, name)?.item;
      if (!target || seen.has(target) || !wasCalled(target, evaluated)) continue;
      seen.add(target);
      need(target);
      neededToEvaluate(target, seen);
    }
  }

  /** A module's variable can only be assigned to where it stands. */
  function mustStay(item) {
    return [...item.assigned].some((name) => {
      const target = originOfLocal(modules, item.module, name);
      return target && target.path === item.module && first.has(target.item);
    });
  }

  function listStubs() {
    stubbed.clear();
    const note = (origin) => {
      if (!origin || !split.has(origin.path) || first.has(origin.item)) return;
      const names = stubbed.get(origin.path) ?? [];
      if (!names.includes(origin.name)) stubbed.set(origin.path, [...names, origin.name]);
    };
    for (const item of first) {
      for (const name of item.references) note(originOfLocal(modules, item.module, name));
    }
    for (const [path, { imports, exports }] of modules) {
      if (users.has(path)) continue;
      for (const { to, specifiers, isAll } of imports) {
        if (!to) continue;
        const isWhole = isAll || specifiers.some(({ imported }) => imported === undefined);
        // Re-exported, by whomever.
        const list = isWhole
          ? [...modules.get(to).exports.keys()]
          : specifiers
              .filter(({ exported }) => exported !== undefined || !split.has(path))
              .map(({ imported }) => imported);
        for (const name of list) note(originOf(modules, to, name));
      }
      for (const local of exports.values()) {
        const origin = originOfLocal(modules, path, local);
        if (origin && origin.path !== path) note(origin);
      }
    }
  }
}

function wasCalled({ module, start, end, node }, calls) {
  const ranges = calls.get(module) ?? [];
  if (node.type === 'FunctionDeclaration')
    return ranges.some(([from, to]) => from === node.start && to === node.end);
  return ranges.some(([from, to]) => from >= start && to <= end);
}

function isShort({ kind, start, end }) {
  return kind === 'function' && end - start < shortest;
}
