import type { ChangedBy, SeenBy } from "../../domain/callers/caller.ts";
import type { Ref } from "../../domain/callers/ref.ts";
import type { FileRecord, Key, Millis } from "../../domain/records.ts";
import type { TrashRecord } from "../../domain/trash.ts";

/**
 * The trash. What is in it is outside the tree, where nothing finds it, until it is restored or deleted
 * permanently. Its blobs count as known and in use.
 *
 * An item belongs to the deepest folder that contained it and is still in the tree, wherever that is
 * now. Callers see the items whose folder they see.
 */
export interface Trash {
  /** Latest deletion first. */
  listTrash(caller: SeenBy, query: TrashQuery): Promise<TrashPage>;
  /** Folders that were not counted yet are counted now. */
  trashTotals(caller: SeenBy): Promise<TrashTotals>;
  /**
   * Deletes items permanently. Returns their ids. `emptyRemovedFolders` must be called afterwards, as it
   * is after a removal.
   */
  purgeTrash(caller: ChangedBy, selection: TrashSelection): Promise<string[]>;
  /**
   * Deletes at most `limit` items and versions permanently whose time is over by the catalog's clock.
   * Returns whether there may be more. `emptyRemovedFolders` must be called afterwards.
   */
  expireTrash(limit: number): Promise<boolean>;
  /**
   * At most `limit` files in the tree that have ended by the catalog's clock, from a position on. Reads about as many,
   * and so may find none although there are more.
   */
  endedFiles(after: EndedPosition | undefined, limit: number): Promise<EndedFiles>;
  /**
   * Moves those of the files that have ended to the trash, where they are kept for `keepMs`, which holds for the ended
   * files that other changes move too. Each gets an entry in the change feed, made by `EXPIRY`. Returns how many.
   */
  endFiles(input: { readonly ids: readonly string[]; readonly keepMs: number }): Promise<number>;
  /** Counts the next folder in the trash that was not counted yet. false: there is none. */
  countTrash(): Promise<boolean>;
}

/** The changes of the tree that move into the trash and out of it. */
export interface TrashChanges {
  /**
   * Moves files to the trash for `keepMs` from now. Unknown ids are no error. `undoId` is undefined if
   * none was moved.
   */
  trashFiles(
    caller: ChangedBy,
    input: { readonly ids: readonly Ref[]; readonly keepMs: number },
  ): Promise<{
    readonly undoId: string | undefined;
    readonly files: readonly Pick<FileRecord, "id" | "key">[];
  }>;
  /** Moves a folder and its content to the trash, as fast as `removeFolder` and with the same faults. */
  trashFolder(
    caller: ChangedBy,
    input: { readonly id: Ref; readonly keepMs: number },
  ): Promise<{ readonly id: string; readonly undoId: string }>;
  /**
   * Moves items back. The names between the item's folder and the item are created where they are
   * missing; if the item's own name is taken, it gets a numbered one. Its time grows with the number of
   * folders, not of files. Ids that are not in the trash are among the failed.
   */
  restoreTrash(caller: ChangedBy, selection: TrashSelection): Promise<RestoredTrash>;
}

export type TrashSelection = { readonly undoId: string } | { readonly ids: readonly string[] };

export interface TrashQuery {
  /** Items of this deletion only. */
  readonly undoId?: string | undefined;
  /** The list continues after this. */
  readonly after?: TrashPosition | undefined;
  readonly limit: number;
}

export interface EndedPosition {
  readonly expiresAt: Millis;
  readonly id: string;
}

export interface EndedFiles {
  readonly ids: readonly string[];
  /** undefined: there are no more. */
  readonly next: EndedPosition | undefined;
}

export interface TrashPosition {
  readonly undoId: string;
  readonly id: string;
}

export interface TrashPage {
  readonly items: readonly TrashRecord[];
  /** undefined: there are no more. */
  readonly next: TrashPosition | undefined;
}

export interface TrashTotals {
  readonly items: number;
  readonly files: number;
  readonly bytes: number;
}

export interface RestoredTrash {
  readonly restored: readonly {
    readonly id: string;
    readonly kind: "file" | "folder";
    readonly key: Key;
    /** Whether the name was taken. */
    readonly renamed: boolean;
  }[];
  /** In the trash as before. */
  readonly failed: readonly { readonly id: string; readonly reason: string }[];
}
