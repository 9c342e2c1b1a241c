import type { Engine } from "../engine/engine.ts";
import type { FetchRecord } from "../port/fetches.ts";

export function createFetchQueries({ db }: Pick<Engine, "db">) {
  return {
    async fetchOf(uploadId: string): Promise<FetchRecord | undefined> {
      const row = await db
        .selectFrom("fetches")
        .selectAll()
        .where("upload_id", "=", uploadId)
        .executeTakeFirst();
      return row && { uploadId, state: row.state, error: row.error, at: row.at };
    },
  };
}
