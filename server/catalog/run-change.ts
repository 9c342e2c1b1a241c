import type { ChangedBy } from "../domain/callers/caller.ts";
import { DryRun } from "../domain/dry-run.ts";
import { type ChangeInputs, type ChangeName, type ChangeResults, changes } from "./changes.ts";
import { lostLinks, reportOf } from "./dry-run-report.ts";
import type { DryRunLog, Tx } from "./engine/tx.ts";

/**
 * Makes a change in a transaction, for its caller. If the caller only tries it, it is taken back, and a `DryRun` is
 * thrown with what it has done.
 */
export async function runChange<N extends ChangeName>(
  transaction: Omit<Tx, keyof ChangedBy | "dryRun" | "usage">,
  name: N,
  input: ChangeInputs[N],
  { actor, within, isDryRun, keepsUploads }: ChangedBy,
): Promise<ChangeResults[N]> {
  const tx: Omit<Tx, "usage"> = { ...transaction, actor, within, keepsUploads };
  if (isDryRun !== true) return changes[name].run(tx, ...input);
  const log: DryRunLog = { changes: [], condemned: [], removedFolders: [], conflicts: [] };
  let result: unknown;
  let lost: ReadonlySet<string> = new Set();
  const done = new Error("The change was made.");
  await tx
    .nested(async () => {
      result = await changes[name].run({ ...tx, dryRun: log }, ...input);
      lost = await lostLinks(tx);
      throw done;
    })
    .catch((cause: unknown) => {
      if (cause !== done) throw cause;
    });
  throw new DryRun(await reportOf(tx, log, lost), result);
}
