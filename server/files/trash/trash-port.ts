import type { Trash, TrashChanges } from "../../catalog/port/trash.ts";
import type { VersionChanges, Versions } from "../../catalog/port/versions.ts";

/** What the services of the trash and of versions need of the catalog. */
export type TrashPort = Pick<Trash, "listTrash" | "trashTotals" | "purgeTrash"> &
  TrashChanges &
  Pick<Versions, "listVersions" | "versionById" | "versionTotals" | "removeVersions"> &
  VersionChanges;
