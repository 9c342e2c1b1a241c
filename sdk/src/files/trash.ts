import type { RestoreResult, TrashItem } from "../../../contract/api.ts";
import { type Data, lists, sends } from "../connection/call.ts";
import { eachItem } from "../connection/each-page.ts";
import type { CallOptions } from "../connection/options.ts";
import type { Transport } from "../connection/transport.ts";

/** `items` has the latest deletion first; `totals` are those of all pages. */
export type TrashPage = Data<"listTrash">;

export interface TrashOptions extends CallOptions {
  /** Only what this deletion moved to the trash. */
  readonly undoId?: string | undefined;
  readonly limit?: number | undefined;
  /** The `nextCursor` of the previous page. Default: the first page. */
  readonly cursor?: string | undefined;
}

/** Everything of one deletion, or single items. */
export type TrashSelection = { readonly undoId: string } | { readonly ids: readonly string[] };

/** Deleted files and folders that can be restored. Every method throws a `HoldallError` if the request fails. */
export interface Trash {
  /** One page, latest deletion first. Default limit: 50. */
  list(options?: TrashOptions): Promise<TrashPage>;
  /** All items, requested in pages of `limit`. */
  each(options?: TrashOptions): AsyncGenerator<TrashItem, void>;
  /**
   * Puts files and folders back to where they were, with their ids, URLs and visibility. 404: the trash
   * has none of them.
   */
  restore(selection: TrashSelection, options?: CallOptions): Promise<RestoreResult>;
  /** Deletes permanently. Returns the ids. 404: the trash has none of them. */
  delete(
    selection: TrashSelection | { readonly all: true },
    options?: CallOptions,
  ): Promise<string[]>;
}

export function createTrash(transport: Transport): Trash {
  const list: Trash["list"] = lists(transport, "listTrash");
  return {
    list,
    each: (options = {}) => eachItem("items", list, options),
    restore: sends(transport, "restoreTrash"),
    delete: sends(transport, "emptyTrash", "deleted"),
  };
}
