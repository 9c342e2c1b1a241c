import { sql } from "kysely";
import type { Engine } from "../engine/engine.ts";
import { NOW } from "../engine/prepared-statement.ts";
import type { EndedFiles, EndedPosition } from "../port/trash.ts";
import { outsideMark } from "../records/outside-tree.ts";

/** Walks along the index of files that end, past those of folders outside the tree. */
export function createEndedFiles({ db }: Pick<Engine, "db">) {
  return async (after: EndedPosition | undefined, limit: number): Promise<EndedFiles> => {
    const rows = await db
      .selectFrom("files")
      .innerJoin("folders", "folders.id", "files.folder_id")
      .select(["files.id", outsideMark.as("outside")])
      .select(sql<number>`files.expires_at`.as("expiresAt"))
      .where("files.expires_at", "<=", sql<number>`${NOW}`)
      .$if(after !== undefined, (past) =>
        past.where(
          sql<boolean>`(files.expires_at, files.id) > (${after?.expiresAt ?? 0}, ${after?.id ?? ""})`,
        ),
      )
      .orderBy("files.expires_at")
      .orderBy("files.id")
      .limit(limit)
      .execute();
    return {
      ids: rows.filter(({ outside }) => outside === 0).map(({ id }) => id),
      next: rows.length < limit ? undefined : rows.at(-1),
    };
  };
}
