import { Fault } from "../../rules/fault.ts";
import type { ApiKeyRecord } from "../../rules/records.ts";
import { selectApiKeys, toApiKey } from "../queries/select-credentials.ts";
import type { Tx } from "../tx.ts";

export async function addApiKey(tx: Tx, key: ApiKeyRecord & { hash: string }): Promise<void> {
  const added = await tx.db
    .insertInto("api_keys")
    .values({
      id: key.id,
      hash: key.hash,
      name: key.name,
      prefix: key.prefix,
      created_at: key.createdAt,
      last_used_at: key.lastUsedAt,
      expires_at: key.expiresAt,
      actions: key.actions.join(","),
      folder_ids: key.folderIds.join(","),
      parent_id: key.parentId,
    })
    .onConflict((conflict) => conflict.column("hash").doNothing())
    .executeTakeFirst();
  if (!added.numInsertedOrUpdatedRows) {
    throw new Fault("conflict", "This API key already exists.");
  }
}

export async function renameApiKey(tx: Tx, id: string, name: string): Promise<ApiKeyRecord> {
  await tx.db.updateTable("api_keys").set({ name }).where("id", "=", id).execute();
  const key = await selectApiKeys(tx.db).where("id", "=", id).executeTakeFirst();
  if (key === undefined) throw new Fault("not_found", "No such API key.");
  return toApiKey(key);
}

export async function removeApiKey(tx: Tx, id: string): Promise<boolean> {
  const gone = await tx.db.deleteFrom("api_keys").where("id", "=", id).executeTakeFirst();
  return gone.numDeletedRows > 0n;
}
