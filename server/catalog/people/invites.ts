import { type InviteRecord, newAccount } from "../../domain/accounts.ts";
import { Fault } from "../../domain/faults/fault.ts";
import type { AccountRecord } from "../../domain/records.ts";
import { newId } from "../engine/ids.ts";
import type { Tx } from "../engine/tx.ts";
import { lockFolderRefs } from "../folders/lock-folder-refs.ts";
import { requireOwner } from "../keys/accounts.ts";
import type { Acceptance, NewInvite } from "../port/people.ts";
import { isKept } from "../records/outside-tree.ts";
import { addAccount } from "./accounts.ts";
import { insertGrant, requireFolder } from "./grants.ts";
import { selectInvites, toInvite } from "./select-people.ts";

/** Invitations that are open at once. */
const MAX_INVITES = 1000;

export async function addInvite(
  tx: Tx,
  { grants: wanted, tokenHash, ...invite }: NewInvite,
): Promise<InviteRecord> {
  await tx.lockName("invites");
  if (invite.makerId !== null) await requireOwner(tx, invite.makerId);
  await tx.db.deleteFrom("invites").where("expires_at", "<=", invite.createdAt).execute();
  const others = await tx.db.selectFrom("invites").select("id").limit(MAX_INVITES).execute();
  if (others.length === MAX_INVITES) {
    throw new Fault("conflict", `There are ${MAX_INVITES} open invitations: remove one.`);
  }
  const folders = await lockFolderRefs(
    tx,
    wanted.map(({ folder }) => folder),
  );
  const grants = wanted.map(({ actions }, place) => {
    return { folderId: requireFolder(folders[place]), actions };
  });
  await tx.db
    .insertInto("invites")
    .values({
      id: invite.id,
      token_hash: tokenHash,
      role: invite.role,
      grants: JSON.stringify(grants),
      maker_id: invite.makerId,
      maker_name: invite.makerName,
      created_at: invite.createdAt,
      expires_at: invite.expiresAt,
    })
    .execute();
  return { ...invite, grants };
}

export async function removeInvite(tx: Tx, id: string): Promise<InviteRecord | undefined> {
  const row = await selectInvites(tx.db).where("id", "=", id).executeTakeFirst();
  if (row === undefined) return undefined;
  await tx.db.deleteFrom("invites").where("id", "=", id).execute();
  return toInvite(row);
}

export async function acceptInvite(
  tx: Tx,
  { tokenHash, now, account, identity }: Acceptance,
): Promise<AccountRecord> {
  // One of several acceptances at once deletes it.
  const row = await tx.db
    .deleteFrom("invites")
    .where("token_hash", "=", tokenHash)
    .where("expires_at", ">", now)
    .returning(["role", "grants"])
    .executeTakeFirst();
  if (row === undefined) {
    throw new Fault("gone", "This invitation was accepted or withdrawn, or it has expired.");
  }
  const added = newAccount({ ...account, role: row.role });
  await addAccount(tx, added, { identity });
  const invited: InviteRecord["grants"] = JSON.parse(row.grants);
  for (const { folderId, actions } of invited) {
    const folder = await tx.db
      .selectFrom("folders")
      .select("folders.id")
      .where("folders.id", "=", folderId)
      .where(isKept)
      .executeTakeFirst();
    if (folder === undefined) continue;
    const grant = { id: newId(now), accountId: account.id, group: null, folderId, actions };
    await insertGrant(tx, { ...grant, createdAt: now });
  }
  return added;
}
