import type { GrantAction, Grantee, GrantRecord } from "../../domain/accounts.ts";
import { Fault } from "../../domain/faults/fault.ts";
import type { FolderRecord, Millis } from "../../domain/records.ts";
import type { Tx } from "../engine/tx.ts";
import { lockFolderRef } from "../folders/lock-folder-refs.ts";
import { lockAccount } from "../keys/accounts.ts";
import { setImplicit } from "../objects/put-object.ts";
import type { NewGrant } from "../port/people.ts";
import { selectGrants, toGrant } from "./select-people.ts";

/** Grants of the whole instance. */
const MAX_GRANTS = 10_000;
/** Grants of one account or group, so that a list of spaces stays short. */
const MAX_GRANTS_EACH = 100;

export async function addGrant(tx: Tx, { folder, ...grant }: NewGrant): Promise<GrantRecord> {
  await tx.lockName("grants");
  if (grant.accountId !== null) await lockAccount(tx, grant.accountId, undefined);
  const all = await selectGrants(tx.db).execute();
  const others = all.filter(
    ({ accountId, group }) => accountId === grant.accountId && group === grant.group,
  );
  if (all.length >= MAX_GRANTS || others.length >= MAX_GRANTS_EACH) {
    throw new Fault(
      "conflict",
      `There are at most ${MAX_GRANTS_EACH} grants of an account or group, and ${MAX_GRANTS} of all: remove one.`,
    );
  }
  const folderId = requireFolder(await lockFolderRef(tx, folder));
  await insertGrant(tx, { ...grant, folderId });
  return findGrant(tx, grant.id);
}

type StoredGrant = Grantee & {
  readonly id: string;
  readonly folderId: string;
  readonly actions: readonly GrantAction[];
  readonly createdAt: Millis;
};

export async function insertGrant(tx: Tx, grant: StoredGrant): Promise<void> {
  // The grant would lose its folder with the last object in it.
  await tx.all(setImplicit, { id: grant.folderId, implicit: 0 });
  await tx.db
    .insertInto("grants")
    .values({
      id: grant.id,
      account_id: grant.accountId,
      group_name: grant.group,
      folder_id: grant.folderId,
      actions: grant.actions.join(","),
      created_at: grant.createdAt,
    })
    .execute();
}

/** The id of a folder that was found. Fault "not_found". */
export function requireFolder(found: FolderRecord | undefined): string {
  if (found === undefined) throw new Fault("not_found", "Folder not found.");
  return found.id;
}

export async function changeGrant(
  tx: Tx,
  { id, actions }: { id: string; actions: readonly GrantAction[] },
): Promise<GrantRecord> {
  await tx.db
    .updateTable("grants")
    .set({ actions: actions.join(",") })
    .where("id", "=", id)
    .execute();
  return findGrant(tx, id);
}

export async function removeGrant(tx: Tx, id: string): Promise<GrantRecord | undefined> {
  const row = await selectGrants(tx.db).where("grants.id", "=", id).executeTakeFirst();
  if (row === undefined) return undefined;
  await tx.db.deleteFrom("grants").where("id", "=", id).execute();
  return toGrant(row);
}

async function findGrant(tx: Tx, id: string): Promise<GrantRecord> {
  const row = await selectGrants(tx.db).where("grants.id", "=", id).executeTakeFirst();
  if (row === undefined) throw new Fault("not_found", "Grant not found.");
  return toGrant(row);
}
