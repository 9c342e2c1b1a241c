import { predict } from "./model.ts";
import type { Operation, Outcome } from "./operation.ts";
import { isSame, type Tree } from "./tree.ts";

export interface Observed {
  readonly operation: Operation;
  readonly outcome: Outcome;
}

/**
 * A serial order of the operations that explains every outcome and leads from one tree to the
 * other. undefined: there is none, so the execution was not serializable.
 */
export function findSerialOrder(
  before: Tree,
  observed: readonly Observed[],
  after: Tree,
): Observed[] | undefined {
  if (observed.length === 0) return isSame(before, after) ? [] : undefined;
  for (const first of observed) {
    const { outcome, tree } = predict(before, first.operation);
    if (outcome.status !== first.outcome.status || outcome.result !== first.outcome.result)
      continue;
    const rest = findSerialOrder(
      tree,
      observed.filter((one) => one !== first),
      after,
    );
    if (rest !== undefined) return [first, ...rest];
  }
  return undefined;
}
