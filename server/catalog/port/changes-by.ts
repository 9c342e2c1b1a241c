import type { Actor } from "../../domain/activity.ts";
import type { TreeCopies } from "./copies.ts";
import type { FileChanges } from "./file-tree.ts";
import type { MultipartLedger } from "./multiparts.ts";
import type { ObjectChanges } from "./objects.ts";
import type { TrashChanges } from "./trash.ts";
import type { VersionChanges } from "./versions.ts";

/** The changes of the tree, which have an actor in the change feed. */
export type TreeChanges = FileChanges &
  TreeCopies &
  ObjectChanges &
  TrashChanges &
  VersionChanges &
  Pick<MultipartLedger, "completeMultipart">;

export interface TreeChangesBy {
  /** Makes changes for an actor. The methods of the catalog itself make them for a command. */
  by(actor: Actor): TreeChanges;
}
