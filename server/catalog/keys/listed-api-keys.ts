import type { Kysely } from "kysely";
import type { ApiKeyRecord, Key } from "../../domain/records.ts";
import { chunks } from "../engine/chunks.ts";
import type { Schema } from "../engine/schema.ts";
import type { ListedApiKey } from "../port/credentials.ts";
import { selectFolders } from "../records/select-records.ts";

/** The current keys of those of the folders that exist, by id. */
export async function folderKeys(
  db: Kysely<Schema>,
  ids: readonly string[],
): Promise<Map<string, Key>> {
  const keys = new Map<string, Key>();
  for (const chunk of chunks([...new Set(ids)])) {
    const folders = await selectFolders(db).where("folders.id", "in", chunk).execute();
    for (const { id, key } of folders) keys.set(id, key);
  }
  return keys;
}

/** API keys with the current keys of their folders. */
export async function withFolderKeys(
  db: Kysely<Schema>,
  apiKeys: readonly ApiKeyRecord[],
): Promise<ListedApiKey[]> {
  const keys = await folderKeys(
    db,
    apiKeys.flatMap(({ folderIds }) => folderIds),
  );
  return apiKeys.map((apiKey) => ({
    ...apiKey,
    folderKeys: apiKey.folderIds.map((id) => keys.get(id) ?? null),
  }));
}
