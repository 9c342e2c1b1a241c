import type { QueryClient } from "@tanstack/react-query";
import { type Undone, undoOf } from "../../../../sdk/src/undo.ts";
import { holdall } from "../../app/connection/client.ts";
import { showErrorToast, showToast } from "../../components/toast-store.ts";
import { formatCount } from "../../text/format-count.ts";

/** Says what an undo did, and offers to take it back. `account`: the id of who asked for it; undefined: it is not known yet. */
export function showUndone(
  client: QueryClient,
  account: string | undefined,
  { at, total, conflicts }: Undone,
): void {
  const left = conflicts.length > 0 ? `, left ${formatCount(conflicts.length, "conflict")}` : "";
  const text = `Undid ${formatCount(total, "change")}${left}.`;
  const takeBack = async () => {
    if (account === undefined) return;
    try {
      const undone = await undoOf(holdall).run({ by: account, since: at, until: at });
      showUndone(client, account, undone);
      await client.invalidateQueries();
    } catch (error) {
      showErrorToast(error);
    }
  };
  const canTakeBack = account !== undefined && total > 0;
  showToast(
    text,
    canTakeBack ? { label: "Undo", undoes: true, run: () => void takeBack() } : undefined,
  );
}
