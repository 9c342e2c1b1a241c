import type { Actor } from "../../domain/activity.ts";
import { type Caller, COMMAND_EVERYWHERE, callerWith } from "../../domain/callers/caller.ts";
import { FULL_SCOPE } from "../../domain/callers/scope.ts";
import type { FileRecord } from "../../domain/records.ts";
import type { Catalog } from "../port/catalog.ts";
import type { WantedUndo } from "../port/undo.ts";
import { createUploader, DAY } from "./catalog.fixture.ts";

const key = (id: string): Actor => ({ kind: "key", id, name: id });
/** A caller with an API key of this id, which may do everything. */
export const by = (id: string): Caller => callerWith(key(id), FULL_SCOPE);
/** The caller whose changes `undo` takes back by default. */
export const AGENT = by("agent");
export const OTHER = by("other");

/** Stores files and undoes changes in a catalog. */
export function undoing(catalog: Catalog) {
  const uploader = createUploader(catalog);
  return {
    catalog,
    uploader,
    /** Stores a file, or replaces it. `keepReplacedMs` null: without a version. */
    add(
      path: string,
      caller = COMMAND_EVERYWHERE,
      size = 1,
      keepReplacedMs: number | null = DAY,
    ): Promise<FileRecord> {
      const names = path.split("/");
      return uploader.addOne(names.at(-1) ?? "", {
        folder: names.slice(0, -1).join("/"),
        size,
        caller,
        onConflict: "replace",
        ...(keepReplacedMs === null ? {} : { keepReplacedMs }),
      });
    },
    undo: (wanted: Partial<WantedUndo> = {}, caller = COMMAND_EVERYWHERE) =>
      catalog.undoChanges(caller, {
        by: "agent",
        maker: undefined,
        since: 0,
        onlyDeletions: false,
        keepMs: DAY,
        ...wanted,
      }),
  };
}
