/** Finds functions that call themselves, directly or through others (forbidden by OpenCL 1.2, 6.9 i). */
import type { FunctionDeclaration } from '../../c/ast.ts';
import type { CallSite } from '../../c/dialect.ts';

/** One call for each circle of calls: the one that closes it. Walks without recursion of its own. */
export function findRecursion(calls: readonly CallSite[]): CallSite[] {
  const callees = new Map<FunctionDeclaration, CallSite[]>();
  for (const site of calls) {
    const list = callees.get(site.caller);
    if (list === undefined) callees.set(site.caller, [site]);
    else list.push(site);
  }
  const finished = new Set<FunctionDeclaration>();
  const found: CallSite[] = [];
  for (const start of callees.keys()) {
    if (finished.has(start)) continue;
    const path: { readonly at: FunctionDeclaration; next: number }[] = [{ at: start, next: 0 }];
    const onPath = new Set([start]);
    while (path.length > 0) {
      const step = path[path.length - 1];
      if (step === undefined) break;
      const site = callees.get(step.at)?.[step.next];
      step.next += 1;
      if (site === undefined) {
        path.pop();
        onPath.delete(step.at);
        finished.add(step.at);
      } else if (onPath.has(site.callee)) {
        if (!found.some((other) => other.caller === site.caller && other.callee === site.callee))
          found.push(site);
      } else if (!finished.has(site.callee)) {
        path.push({ at: site.callee, next: 0 });
        onPath.add(site.callee);
      }
    }
  }
  return found;
}
