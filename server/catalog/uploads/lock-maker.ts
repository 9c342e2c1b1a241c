import type { Actor } from "../../domain/activity.ts";
import type { Tx } from "../engine/tx.ts";

/** Keeps the number of open uploads and batches of a maker from growing until the transaction ends. */
export const lockMaker = (tx: Tx, { kind, id }: Pick<Actor, "kind" | "id">): Promise<void> =>
  tx.lockName(`maker ${kind} ${id ?? ""}`);
