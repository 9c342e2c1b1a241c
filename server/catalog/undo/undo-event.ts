import type { BlobId } from "../../domain/records.ts";
import type { TrashItemsTable } from "../tables/trash.ts";
import type { TakenBack } from "../tables/undo.ts";
import type { UndoStep } from "./undo-steps.ts";

/** Something that can be undone. */
export type UndoEvent = { readonly at: number; readonly id: string } & (
  | ({ readonly kind: "deleted"; readonly item: TrashItemsTable } & TakenBack)
  | ReplacedEvent
  | { readonly kind: "changed"; readonly by: string; readonly step: UndoStep }
);

export interface ReplacedEvent extends TakenBack {
  readonly id: string;
  readonly kind: "replaced";
  readonly fileId: string;
  readonly isContested: boolean;
  /** The contents that came after the first. */
  readonly later: readonly string[];
  /** The blob of the last content that the file got. undefined: it is not recorded any more. */
  readonly blobId: BlobId | undefined;
}

/**
 * An event with only what its place among the others depends on: an undo may find very many. `loadEvents` reads the
 * rest.
 */
export type FoundEvent = FoundDeletion | ReplacedEvent | FoundStep;

export interface FoundDeletion extends TakenBack {
  readonly kind: "deleted";
  /** The id of the item in the trash. */
  readonly id: string;
  readonly undoId: string;
  readonly of: "file" | "folder";
  /** The key of a folder; "": a file. */
  readonly folderKey: string;
}

export interface FoundStep extends TakenBack {
  readonly kind: "changed";
  /** The id of the step. */
  readonly id: string;
  readonly stepKind: UndoStep["kind"];
  readonly of: "file" | "folder";
}
