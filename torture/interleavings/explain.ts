import type { Act, AuditDetails } from "./act.ts";
import { foretell } from "./model.ts";
import { isSame, type Tree } from "./tree.ts";

export interface Witnessed {
  readonly act: Act;
  readonly told: AuditDetails;
}

/**
 * Some order in which the acts, one after another, give every answer that came and lead from one
 * tree to the other; undefined: there is none, so they did not happen one after another.
 */
export function explain(
  before: Tree,
  acts: readonly Witnessed[],
  after: Tree,
): Witnessed[] | undefined {
  if (acts.length === 0) return isSame(before, after) ? [] : undefined;
  for (const first of acts) {
    const { told, tree } = foretell(before, first.act);
    if (told.status !== first.told.status || told.told !== first.told.told) continue;
    const rest = explain(
      tree,
      acts.filter((act) => act !== first),
      after,
    );
    if (rest !== undefined) return [first, ...rest];
  }
  return undefined;
}
