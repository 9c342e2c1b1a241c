import { isInFolder, topOf } from "../../domain/callers/scope.ts";
import { Fault } from "../../domain/faults/fault.ts";
import type { ApiKeyRecord, FolderRecord } from "../../domain/records.ts";
import { chunks } from "../engine/chunks.ts";
import type { Tx } from "../engine/tx.ts";
import { lockFolderRef } from "../folders/lock-folder-refs.ts";
import { setImplicit } from "../objects/put-object.ts";
import type { KeyReach, KeyRotation, ListedApiKey, NewApiKeyRecord } from "../port/credentials.ts";
import { removeUploadsOf } from "../uploads/remove-uploads-of.ts";
import { lockEnabled } from "./accounts.ts";
import { folderKeys, withFolderKeys } from "./listed-api-keys.ts";
import { limitedKeyHash, selectApiKeys, toApiKey } from "./select-credentials.ts";

/** A key without a parent has descendants of at most this many generations. */
const MAX_GENERATIONS = 4;

export async function addApiKey(
  tx: Tx,
  { hash, folder: wanted, outerFolderIds, ...key }: NewApiKeyRecord,
): Promise<ListedApiKey> {
  const parent = key.parentId === null ? undefined : await lockParent(tx, key.parentId);
  const accountId = parent?.accountId ?? key.accountId;
  if (accountId !== undefined && parent === undefined) await lockEnabled(tx, accountId);
  const outer = parent?.folderIds ?? outerFolderIds ?? [];
  const folder = wanted === null ? undefined : await findFolder(tx, wanted, outer);
  // The key would lose its folder with the last object in it.
  if (folder !== undefined) await tx.all(setImplicit, { id: folder.id, implicit: 0 });
  // The root contains everything, so it limits nothing.
  const own = folder === undefined || folder.parentId === null ? [] : [folder.id];
  const folderIds = [...new Set([...own, ...outer])];
  const record = {
    ...key,
    ...(accountId === undefined ? {} : { accountId }),
    folderIds,
    secretVersion: 0,
    oldSecretEndsAt: null,
  };
  await rejectKnownHash(tx, hash);
  const added = await tx.db
    .insertInto("api_keys")
    .values({
      id: record.id,
      hash: storedHash(record, hash),
      name: record.name,
      prefix: record.prefix,
      created_at: record.createdAt,
      last_used_at: record.lastUsedAt,
      expires_at: record.expiresAt,
      actions: record.actions.join(","),
      folder_ids: record.folderIds.join(","),
      parent_id: record.parentId,
      account_id: record.accountId ?? null,
    })
    .onConflict((conflict) => conflict.column("hash").doNothing())
    .executeTakeFirst();
  if (!added.numInsertedOrUpdatedRows) throw keyExists();
  return listed(tx, record);
}

const keyExists = (): Fault => new Fault("conflict", "This API key already exists.");

/** Fault "conflict": a key has this secret, or had it before its current one. */
async function rejectKnownHash(tx: Tx, hash: string): Promise<void> {
  const forms = [hash, limitedKeyHash(hash)];
  const same = tx.db
    .selectFrom("api_keys")
    .select("id")
    .where((eb) => eb.or([eb("hash", "in", forms), eb("old_hash", "in", forms)]));
  if ((await same.executeTakeFirst()) !== undefined) throw keyExists();
}

const storedHash = (key: ApiKeyRecord, hash: string): string =>
  isLimited(key) ? limitedKeyHash(hash) : hash;

const isLimited = ({ actions, folderIds }: ApiKeyRecord): boolean =>
  folderIds.length > 0 || !actions.includes("admin");

/** The parent, locked so that it cannot be revoked before its child is stored. */
async function lockParent(tx: Tx, id: string): Promise<ApiKeyRecord> {
  const row = await selectApiKeys(tx.db).where("id", "=", id).forUpdate().executeTakeFirst();
  if (row === undefined) throw new Fault("unauthorized", "Unauthorized");
  const parent = toApiKey(row);
  if ((await ancestorsOf(tx, parent)).length >= MAX_GENERATIONS) {
    throw new Fault(
      "forbidden",
      `This API key may not create API keys: it is ${MAX_GENERATIONS} generations below a key without a parent, which is the limit.`,
    );
  }
  return parent;
}

/** The folder of a new key, locked. Fault "not_found": it does not exist, or is outside one of the outer folders. */
async function findFolder(
  tx: Tx,
  wanted: NonNullable<NewApiKeyRecord["folder"]>,
  outer: readonly string[],
): Promise<FolderRecord> {
  const folder = await lockFolderRef(tx, "id" in wanted ? wanted.id : wanted);
  const keys = await folderKeys(tx.db, outer);
  const top = topOf(outer.map((id) => keys.get(id)));
  if (folder === undefined || top === undefined || !isInFolder(folder.key, top)) {
    throw new Fault("not_found", "No such folder to limit the API key to.");
  }
  return folder;
}

export async function renameApiKey(
  tx: Tx,
  { id, name, ...reach }: { id: string; name: string } & KeyReach,
): Promise<ListedApiKey> {
  const key = await findKey(tx, id, reach);
  if (key === undefined) throw noSuchKey();
  await tx.db.updateTable("api_keys").set({ name }).where("id", "=", id).execute();
  return listed(tx, { ...key, name });
}

export async function rotateApiKey(tx: Tx, rotation: KeyRotation): Promise<ListedApiKey> {
  const { id, hash, prefix, oldSecretEndsAt } = rotation;
  const key = await findKey(tx, id, rotation);
  if (key === undefined) throw noSuchKey();
  await rejectKnownHash(tx, hash);
  const rotated = await tx.db
    .updateTable("api_keys")
    .set((eb) => ({
      old_hash: eb.ref("hash"),
      old_hash_ends_at: oldSecretEndsAt,
      hash: storedHash(key, hash),
      prefix,
      secret_version: eb("secret_version", "+", 1),
    }))
    .where("id", "=", id)
    .returning("secret_version as secretVersion")
    .executeTakeFirst();
  // It may have been revoked since it was found.
  if (rotated === undefined) throw noSuchKey();
  return listed(tx, { ...key, prefix, oldSecretEndsAt, ...rotated });
}

const noSuchKey = (): Fault => new Fault("not_found", "API key not found.");

export async function removeApiKey(
  tx: Tx,
  { id, ...reach }: { id: string } & KeyReach,
): Promise<string[]> {
  if ((await findKey(tx, id, reach)) === undefined) return [];
  const doomed: string[] = [];
  // Each generation is locked before its children are read, so that no child is added meanwhile.
  for (let generation = [id]; generation.length > 0; ) {
    doomed.push(...generation);
    const children: string[] = [];
    for (const chunk of chunks(generation)) {
      await tx.lockRows(selectApiKeys(tx.db).where("id", "in", chunk).orderBy("id"));
      const rows = tx.db.selectFrom("api_keys").select("id").where("parent_id", "in", chunk);
      children.push(...(await rows.execute()).map((row) => row.id));
    }
    generation = children.sort();
  }
  const removed = new Set<string>();
  for (const chunk of chunks(doomed)) {
    await rememberParents(tx, chunk);
    const rows = tx.db.deleteFrom("api_keys").where("id", "in", chunk).returning("id");
    for (const row of await rows.execute()) removed.add(row.id);
    await removeUploadsOf(tx, "key", chunk);
  }
  return doomed.filter((each) => removed.has(each));
}

/** Keeps the parents of removed keys, because an undo of a key includes the keys that it has made. */
async function rememberParents(tx: Tx, ids: readonly string[]): Promise<void> {
  const rows = await tx.db
    .selectFrom("api_keys")
    .select(["id", "parent_id"])
    .where("id", "in", ids)
    .where("parent_id", "is not", null)
    .execute();
  for (const { id, parent_id: parentId } of rows) {
    if (parentId === null) continue;
    const row = { id, parent_id: parentId, ended_at: tx.now };
    await tx.db
      .insertInto("former_keys")
      .values(row)
      .onConflict((conflict) => conflict.column("id").doNothing())
      .execute();
  }
}

/** The key with this id, if it is within the reach. */
async function findKey(
  tx: Tx,
  id: string,
  { ancestorId, accountId }: KeyReach,
): Promise<ApiKeyRecord | undefined> {
  const row = await selectApiKeys(tx.db).where("id", "=", id).executeTakeFirst();
  if (row === undefined) return undefined;
  const key = toApiKey(row);
  if (accountId !== undefined && key.accountId !== accountId) return undefined;
  const isReached =
    ancestorId === undefined || (await ancestorsOf(tx, key)).some((each) => each === ancestorId);
  return isReached ? key : undefined;
}

/** The ids of the key's parent, its parent's parent and so on. */
async function ancestorsOf(tx: Tx, { parentId }: ApiKeyRecord): Promise<string[]> {
  const ids: string[] = [];
  for (let next = parentId; next !== null; ) {
    ids.push(next);
    const row = await tx.db
      .selectFrom("api_keys")
      .select("parent_id")
      .where("id", "=", next)
      .executeTakeFirst();
    next = row?.parent_id ?? null;
  }
  return ids;
}

async function listed(tx: Tx, key: ApiKeyRecord): Promise<ListedApiKey> {
  const [one] = await withFolderKeys(tx.db, [key]);
  if (one === undefined) throw new Error("The API key has no folder keys.");
  return one;
}
