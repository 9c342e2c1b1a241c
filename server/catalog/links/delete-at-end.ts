import type { GrantRecord } from "../../domain/accounts.ts";
import { callerWith, EVERYTHING, type Within } from "../../domain/callers/caller.ts";
import { limitedTo, scopeOfGrant } from "../../domain/callers/grants.ts";
import { allows, type Scope } from "../../domain/callers/scope.ts";
import { EXPIRY } from "../../domain/tree-change.ts";
import { RetryTransaction, type Tx } from "../engine/tx.ts";
import { selectAccounts, selectApiKeys, toAccount, toApiKey } from "../keys/select-credentials.ts";
import { isOfMember, selectGrants, toGrant } from "../people/select-people.ts";
import { areWithin } from "../records/are-within.ts";
import { selectFolders } from "../records/select-records.ts";
import type { LinksTable } from "../tables/links.ts";
import { trashFiles } from "../trash/trash-files.ts";
import { trashFolder } from "../trash/trash-folder.ts";
import { selectLinks } from "./select-links.ts";

export async function deleteAtEndOfLink(tx: Tx, keepMs: number): Promise<boolean> {
  const link = await selectLinks(tx.db)
    .where("delete_at_end", "=", 1)
    .where("expires_at", "<=", tx.now)
    .where("revoked_at", "is", null)
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
  if (link === undefined) return false;
  for (const within of await withinsOf(tx, link)) {
    await moveSubject({ ...tx, actor: EXPIRY, within }, link, keepMs);
  }
  // Its owner may have prolonged it while this transaction waited for locks. Then all of this is undone.
  const { numUpdatedRows } = await tx.db
    .updateTable("links")
    .set({ delete_at_end: null })
    .where("id", "=", link.id)
    .where("delete_at_end", "=", 1)
    .where("expires_at", "<=", tx.now)
    .where("revoked_at", "is", null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new RetryTransaction();
  return true;
}

/**
 * Where the link may delete: as for its visitors, that is where its maker may, which a member may in the folder of each
 * grant. Nowhere if the maker does not exist any more, or was an API key that ended before the link.
 */
async function withinsOf(tx: Tx, link: LinksTable): Promise<Within[]> {
  const { maker_kind: kind, maker_id: makerId, maker_name: name, expires_at: end } = link;
  const id = makerId ?? "";
  const deletesIn = (scopes: readonly Scope[]): Within[] =>
    scopes
      .filter((scope) => allows(scope, "delete"))
      .map((scope) => callerWith({ kind, id, name }, scope).within);
  if (kind === "account") {
    const rights = await rightsOf(tx, id);
    return rights === "all" ? [EVERYTHING] : deletesIn(rights.map(scopeOfGrant));
  }
  if (kind !== "key") return [EVERYTHING];
  const row = await selectApiKeys(tx.db).where("id", "=", id).executeTakeFirst();
  if (row === undefined) return [];
  const key = toApiKey(row);
  const { expiresAt, accountId } = key;
  if (expiresAt !== null && end !== null && expiresAt < end) return [];
  const rights = accountId === undefined ? "all" : await rightsOf(tx, accountId);
  const bound = rights === "all" ? key : limitedTo(key, rights);
  return bound === undefined
    ? []
    : deletesIn([{ actions: new Set(bound.actions), folderIds: bound.folderIds }]);
}

/** The grants of an account; "all": it is an owner's. */
async function rightsOf(tx: Tx, id: string): Promise<readonly GrantRecord[] | "all"> {
  const row = await selectAccounts(tx.db).where("id", "=", id).executeTakeFirst();
  if (row === undefined || row.disabledAt !== null) return [];
  const { role, groups } = toAccount(row);
  if (role === "owner") return "all";
  const grants = await selectGrants(tx.db).where(isOfMember(id, groups)).execute();
  return grants.map(toGrant);
}

/** What is not in the tree any more, or outside the folders of the link's maker, stays where it is. */
async function moveSubject(tx: Tx, link: LinksTable, keepMs: number): Promise<void> {
  const { subject_kind: kind, subject_id: id } = link;
  if (kind === "file") {
    await trashFiles(tx, { ids: [id], keepMs });
    return;
  }
  const folder = await selectFolders(tx.db).where("folders.id", "=", id).executeTakeFirst();
  const parentId = folder?.parentId ?? null;
  if (parentId !== null && (await areWithin(tx, [parentId]))) await trashFolder(tx, { id, keepMs });
}
