import { sql } from "kysely";
import { limitsOf, type SeenBy } from "../../domain/callers/caller.ts";
import type { VersionRecord } from "../../domain/trash.ts";
import type { Engine } from "../engine/engine.ts";
import type { VersionPage, VersionQuery } from "../port/versions.ts";
import { isInFolders } from "../records/is-in-folders.ts";
import { isLasting, isLive } from "../records/outside-tree.ts";
import { selectVersions, toVersion } from "../records/select-versions.ts";

export function createVersionQueries({ db }: Pick<Engine, "db">) {
  /** The versions of files in the tree. */
  const ofLiveFiles = ({ within }: SeenBy) =>
    selectVersions(db)
      .innerJoin("files", "files.id", "versions.file_id")
      .innerJoin("folders", "folders.id", "files.folder_id")
      .where(isLive)
      .where(isLasting)
      .where(isInFolders(limitsOf(within)));

  return {
    async listVersions(caller: SeenBy, query: VersionQuery): Promise<VersionPage> {
      const { fileId, after, limit } = query;
      const rows = await ofLiveFiles(caller)
        .where("versions.file_id", "=", fileId)
        .$if(after !== undefined, (past) => past.where("versions.id", "<", after ?? ""))
        // An id begins with the moment of the replacement: see `ids.ts`.
        .orderBy("versions.id", "desc")
        .limit(limit + 1)
        .execute();
      const versions = rows.slice(0, limit).map(toVersion);
      return { versions, next: rows.length > limit ? versions.at(-1)?.id : undefined };
    },
    async versionById(caller: SeenBy, id: string): Promise<VersionRecord | undefined> {
      const row = await ofLiveFiles(caller).where("versions.id", "=", id).executeTakeFirst();
      return row && toVersion(row);
    },
    async versionTotals(): Promise<{ versions: number; bytes: number }> {
      const row = await db
        .selectFrom("versions")
        .select([
          sql<number>`count(*)`.as("versions"),
          sql<number>`coalesce(sum(versions.size), 0)`.as("bytes"),
        ])
        .executeTakeFirstOrThrow();
      return { versions: Number(row.versions), bytes: Number(row.bytes) };
    },
  };
}
