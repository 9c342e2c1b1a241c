import type { QueryClient } from "@tanstack/react-query";
import type { TrashItem } from "../../../sdk/src/holdall.ts";
import { holdallWithoutRetries, isStatus } from "../app/client.ts";
import { batchesOf } from "../operations/batches-of.ts";
import { operate } from "../operations/operate.ts";
import { formatCount } from "../text/format-count.ts";
import { readDeletedAtOnce } from "./read-deleted-at-once.ts";
import { trashKey } from "./trash-key.ts";

/** Items of the trash, or everything in it with its totals. */
export type Doomed =
  | { readonly items: readonly TrashItem[] }
  | { readonly all: { readonly items: number; readonly files: number; readonly bytes: number } };

/** Deletes from the trash, permanently. */
export async function deleteForGood(client: QueryClient, doomed: Doomed): Promise<void> {
  await operate(titleOf(doomed), async ({ run }) => {
    let deleted = 0;
    const { failure } = await run(
      requestsFor(doomed, await readDeletedAtOnce(client)),
      async ({ selection }, signal) => {
        try {
          deleted += (await holdallWithoutRetries.trash.delete(selection, { signal })).length;
        } catch (error) {
          // A repeated request finds what the first one has left, which may be nothing.
          if (!isStatus(error, 404)) throw error;
        }
      },
      ({ size }) => size,
    );
    if (deleted === 0 && failure !== undefined) return { failure };
    return { failure, text: `Deleted ${formatCount(deleted, "item")} permanently.` };
  });
  await client.invalidateQueries({ queryKey: trashKey });
}

const titleOf = (doomed: Doomed): string =>
  "all" in doomed
    ? "Emptying the trash"
    : `Deleting ${formatCount(doomed.items.length, "item")} permanently`;

interface Request {
  readonly selection: { readonly all: true } | { readonly ids: readonly string[] };
  readonly size: number;
}

function requestsFor(doomed: Doomed, deletedAtOnce: number): Request[] {
  if ("all" in doomed) return [{ selection: { all: true }, size: doomed.all.items }];
  const all = doomed.items.map(({ id }) => id);
  return batchesOf(all, deletedAtOnce).map((ids) => ({ selection: { ids }, size: ids.length }));
}
