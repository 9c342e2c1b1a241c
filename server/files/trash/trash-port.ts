import type { Within } from "../../catalog/port/file-tree.ts";
import type { Trash, TrashChanges } from "../../catalog/port/trash.ts";
import type { VersionChanges, Versions } from "../../catalog/port/versions.ts";

/** What the services of the trash and of versions need of the catalog. */
export type TrashPort = Pick<Trash, "listTrash" | "trashTotals" | "purgeTrash"> &
  TrashChanges &
  Pick<Versions, "listVersions" | "versionById" | "versionTotals" | "removeVersions"> &
  VersionChanges;

/** The part of the trash, and of the versions, that is in all of some folders. */
export function limitTrash(trash: TrashPort, within: Within): TrashPort {
  return {
    listTrash: (query) => trash.listTrash({ ...query, within }),
    trashTotals: () => trash.trashTotals(within),
    purgeTrash: (selection) => trash.purgeTrash(selection, within),
    trashFiles: (input) => trash.trashFiles({ ...input, within }),
    trashFolder: (input) => trash.trashFolder({ ...input, within }),
    restoreTrash: (selection) => trash.restoreTrash(selection, within),
    listVersions: (query) => trash.listVersions({ ...query, within }),
    versionById: (id) => trash.versionById(id, within),
    versionTotals: () => trash.versionTotals(),
    removeVersions: (ids) => trash.removeVersions(ids, within),
    restoreVersion: (input) => trash.restoreVersion({ ...input, within }),
  };
}
