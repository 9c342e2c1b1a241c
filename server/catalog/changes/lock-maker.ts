import type { Actor } from "../../rules/activity.ts";
import type { Tx } from "../tx.ts";

/** Keeps the number of open uploads and batches of a maker from growing until the transaction ends. */
export const lockMaker = (tx: Tx, { kind, id }: Pick<Actor, "kind" | "id">): Promise<void> =>
  tx.lockName(`maker ${kind} ${id ?? ""}`);
