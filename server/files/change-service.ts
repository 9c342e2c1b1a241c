import type {
  ChangedFile,
  FailedItem,
  FileChange,
  FilesChange,
  FilesChanged,
  FileTree,
  OnConflictOptions,
} from "../catalog/port/file-tree.ts";
import type { TrashChanges } from "../catalog/port/trash.ts";
import { type Authorized, authorize } from "../domain/callers/authorize.ts";
import { type Caller, type ChangedBy, SYSTEM } from "../domain/callers/caller.ts";
import { type Ref, textOf, uniqueRefs } from "../domain/callers/ref.ts";
import { checkResult } from "../domain/dry-run.ts";
import { type KeepSettings, keepDeletedMs } from "../domain/keep-time.ts";
import { noSuchFile } from "./find.ts";
import { createTreeLookups } from "./lookups.ts";
import type { Reaper } from "./reaper.ts";
import { type NotDone, notDone, type Removal, removeFiles, trashFiles } from "./remove.ts";

/** Changes and deletions of files. Faults: see `FileService`. */
export interface ChangeService {
  /** `trash`: as for `remove`, for the file that it replaces. */
  change(
    caller: Authorized<"write">,
    change: Requested<FileChange>,
    trash?: boolean,
  ): Promise<ChangedFile>;
  /**
   * Ids without a file are in `failed`. `trash`: as for `remove`, for replaced files. Faults "not_found": none
   * of the files exists, or the target.
   */
  changeMany(
    caller: Authorized<"write">,
    change: Requested<FilesChange>,
    trash?: boolean,
  ): Promise<ManyChanged>;
  /**
   * `trash`: whether to the trash; undefined: as the settings say. Fault "invalid": the trash is
   * disabled.
   */
  remove(caller: Authorized<"discard">, files: readonly Ref[], trash?: boolean): Promise<Removal>;
}

/** The result of several changes. The lists follow the order given. */
export interface ManyChanged extends Omit<FilesChanged, "failed" | "missing"> {
  readonly failed: readonly (NotDone & Pick<FailedItem, "takenBy">)[];
}

/** A change as a caller asks for it: the settings add how long the trash keeps replaced files. */
type Requested<Change extends OnConflictOptions> = Omit<Change, "trashReplacedMs">;

export interface ChangeServiceDeps {
  readonly catalog: FileTree & Pick<TrashChanges, "trashFiles">;
  readonly reaper: Reaper;
  readonly settings: () => KeepSettings;
  /** Called when files were replaced, so that their old blobs can be removed. */
  readonly onReplaced: () => void;
}

export function createChangeService(deps: ChangeServiceDeps): ChangeService {
  const { catalog, reaper, settings } = deps;
  const look = createTreeLookups(catalog);

  /** A caller that replaces nothing needs no right to delete. */
  const keepMovedOntoMs = (
    caller: Caller,
    { onConflict }: OnConflictOptions,
    wanted: boolean | undefined,
  ): number | undefined =>
    keepDeletedMs(onConflict === "replace" ? caller : SYSTEM, settings(), wanted);

  return {
    async change(caller, change, wanted) {
      await authorizeDeletion(caller, change, () => look.allFiles(caller, [change.id]));
      const trashReplacedMs = keepMovedOntoMs(caller, change, wanted);
      const changed = await catalog.changeFile(caller, { ...change, trashReplacedMs });
      if (change.onConflict === "replace") deps.onReplaced();
      return changed;
    },
    async changeMany(caller, change, wanted) {
      await authorizeDeletion(caller, change, () => look.anyFile(caller, change.ids));
      const trashReplacedMs = keepMovedOntoMs(caller, change, wanted);
      const changed = await changeFiles(caller, catalog, { ...change, trashReplacedMs });
      if (change.onConflict === "replace") deps.onReplaced();
      return changed;
    },
    async remove(caller, ids, wanted) {
      const time = keepDeletedMs(caller, settings(), wanted);
      return time === undefined
        ? removeFiles(caller, catalog, reaper, ids)
        : trashFiles(caller, catalog, ids, time);
    },
  };
}

/**
 * Fault "forbidden": the change deletes a file that it replaces, or gives files an end, and the caller may not delete.
 */
async function authorizeDeletion(
  caller: Caller,
  { onConflict, lifetime = "never" }: OnConflictOptions & Pick<FileChange, "lifetime">,
  find: () => Promise<void>,
): Promise<void> {
  if (lifetime !== "never") await authorize(caller, "delete", find);
  else if (onConflict === "replace") await authorize(caller, "discard", find);
}

/**
 * Changes files in one transaction. Ids without a file are in `failed`, like the files that cannot be
 * moved. Faults "not_found": none of the files exists, or the folder to move to does not.
 */
async function changeFiles(
  caller: ChangedBy,
  names: Pick<FileTree, "changeFiles">,
  change: FilesChange,
): Promise<ManyChanged> {
  const refs = uniqueRefs(change.ids);
  const result = await checkResult(names.changeFiles(caller, { ...change, ids: refs }), (done) => {
    if (done.changed.length + done.failed.length === 0) throw noSuchFile();
  });
  const { changed, failed, missing, ...rest } = result;
  const reasons = new Map(
    failed.flatMap((reason) => [
      [textOf(reason.id), reason],
      [textOf({ key: reason.key }), reason],
    ]),
  );
  const unknown = new Set(missing.map(textOf));
  return {
    changed,
    ...rest,
    failed: refs.flatMap((ref) => {
      if (unknown.has(textOf(ref))) return [notDone(ref, noSuchFile())];
      const reason = reasons.get(textOf(ref));
      if (reason === undefined) return [];
      const { takenBy } = reason;
      return [{ ...notDone(ref, reason), ...(takenBy === undefined ? {} : { takenBy }) }];
    }),
  };
}
