import type { QueryClient } from "@tanstack/react-query";
import type { TrashItem } from "../../../sdk/src/holdall.ts";
import { holdallWithoutRetries, isStatus } from "../app/connection/client.ts";
import { batchesOf } from "../operations/batches-of.ts";
import { operate, type Work } from "../operations/operate.ts";
import type { Outcome } from "../operations/operations.ts";
import { formatCount } from "../text/format-count.ts";
import { readDeletedAtOnce } from "./read-deleted-at-once.ts";
import { trashKey } from "./trash-key.ts";

/** Items of the trash, or everything in it with its totals. */
export type Doomed =
  | { readonly items: readonly TrashItem[] }
  | { readonly all: { readonly items: number; readonly files: number; readonly bytes: number } };

/** Deletes from the trash, permanently. */
export async function deletePermanently(client: QueryClient, doomed: Doomed): Promise<void> {
  const work = async ({ run, signal }: Work): Promise<Outcome> => {
    let deleted = 0;
    const { failure } = await run(
      await requestsFor(client, doomed),
      async ({ selection }) => {
        try {
          deleted += (await holdallWithoutRetries.trash.delete(selection)).length;
        } catch (error) {
          // A repeated request finds what the first one has left, which may be nothing.
          if (!isStatus(error, 404)) throw error;
        }
      },
      { sizeOf: ({ size }) => size },
    );
    if (deleted > 0) {
      return { failure, text: `Deleted ${formatCount(deleted, "item")} permanently.` };
    }
    if (failure !== undefined || signal.aborted) return { failure };
    return { text: "Nothing was left to delete." };
  };
  await operate(titleOf(doomed), work);
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

async function requestsFor(client: QueryClient, doomed: Doomed): Promise<Request[]> {
  if ("all" in doomed) return [{ selection: { all: true }, size: doomed.all.items }];
  const all = doomed.items.map(({ id }) => id);
  const atOnce = await readDeletedAtOnce(client, all.length);
  return batchesOf(all, atOnce).map((ids) => ({ selection: { ids }, size: ids.length }));
}
