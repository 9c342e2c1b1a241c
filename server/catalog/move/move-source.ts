import type { Kysely } from "kysely";
import { ROOT_KEY } from "../../domain/names/name.ts";
import { createBlobQueries } from "../blobs/blobs.ts";
import type { Engine } from "../engine/engine.ts";
import type { Schema } from "../engine/schema.ts";
import { createFileQueries } from "../files-and-folders.ts";
import type { MoveSource } from "../move-port.ts";
import { createCatalogRows } from "./read-rows.ts";

/** The catalog of an instance to be moved, on any engine. Error: it has no root folder. */
export async function createMoveSource(
  engine: Pick<Engine, "db" | "first" | "all" | "close">,
): Promise<MoveSource> {
  return {
    rootId: await readRootId(engine.db),
    ...createCatalogRows(engine.db),
    ...createFileQueries({ ...engine, now: Date.now }),
    ...createBlobQueries(engine),
    close: engine.close,
  };
}

/** The id of the root folder, which identifies the instance. Error: there is none. */
export async function readRootId(db: Kysely<Schema>): Promise<string> {
  const root = await db
    .selectFrom("folders")
    .select("id")
    .where("folders.key", "=", ROOT_KEY)
    .executeTakeFirst();
  if (root === undefined) throw new Error("The catalog has lost its root folder.");
  return root.id;
}
