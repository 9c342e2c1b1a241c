import { Fault } from "../../domain/faults/fault.ts";
import type { AccountRecord } from "../../domain/records.ts";
import type { Tx } from "../engine/tx.ts";
import { lockAccount, requireOwner } from "../keys/accounts.ts";
import { removeApiKey } from "../keys/api-keys.ts";
import { selectAccounts, toAccount } from "../keys/select-credentials.ts";
import type { AccountChange, AddAccountOptions } from "../port/people.ts";
import { removeUploadsOf } from "../uploads/remove-uploads-of.ts";
import { addIdentity } from "./identities.ts";

export async function addAccount(
  tx: Tx,
  account: AccountRecord,
  { identity, byOwner }: AddAccountOptions = {},
): Promise<void> {
  if (byOwner !== undefined) await requireOwner(tx, byOwner);
  const added = await tx.db
    .insertInto("accounts")
    .values({
      id: account.id,
      email: account.email,
      password_hash: account.passwordHash,
      created_at: account.createdAt,
      role: account.role,
      disabled_at: account.disabledAt,
      groups: JSON.stringify(account.groups),
    })
    .onConflict((conflict) => conflict.column("email").doNothing())
    .returning("id")
    .executeTakeFirst();
  if (added === undefined) throw new Fault("conflict", "Another account has this email address.");
  if (identity !== undefined) {
    const { id: accountId, createdAt } = account;
    await addIdentity(tx, { ...identity, accountId, createdAt });
  }
}

export async function changeAccount(tx: Tx, change: AccountChange): Promise<AccountRecord> {
  const account = await lockChanged(tx, change.id);
  const { role = account.role, disabledAt = account.disabledAt } = change;
  const remainsOwner = role === "owner" && disabledAt === null;
  if (isOwner(account) && !remainsOwner) {
    await requireOtherOwner(tx, account.id);
    await removeInvitesOf(tx, account.id);
  }
  await tx.db
    .updateTable("accounts")
    .set({ role, disabled_at: disabledAt })
    .where("id", "=", account.id)
    .execute();
  if (disabledAt !== null) await endSessions(tx, account.id);
  return { ...account, role, disabledAt };
}

export async function removeAccount(
  tx: Tx,
  id: string,
): Promise<{ account: AccountRecord; keys: string[] }> {
  const account = await lockChanged(tx, id);
  if (isOwner(account)) await requireOtherOwner(tx, id);
  const made = await tx.db
    .selectFrom("api_keys")
    .select("id")
    .where("account_id", "=", id)
    .orderBy("id")
    .execute();
  const keys: string[] = [];
  for (const key of made) keys.push(...(await removeApiKey(tx, key)));
  await removeUploadsOf(tx, "account", [id]);
  await removeInvitesOf(tx, id);
  await endSessions(tx, id);
  await tx.db.deleteFrom("passkeys").where("account_id", "=", id).execute();
  await tx.db.deleteFrom("identities").where("account_id", "=", id).execute();
  await tx.db.deleteFrom("grants").where("account_id", "=", id).execute();
  await tx.db.deleteFrom("accounts").where("id", "=", id).execute();
  return { account, keys };
}

export async function resetSecondFactor(
  tx: Tx,
  accountId: string,
  byOwner?: string,
): Promise<void> {
  if (byOwner !== undefined) await requireOwner(tx, byOwner);
  await lockAccount(tx, accountId, undefined);
  await tx.db
    .updateTable("accounts")
    .set({ totp_secret: null, totp_step: null, totp_enabled_at: null, recovery_hashes: null })
    .where("id", "=", accountId)
    .execute();
  await tx.db.deleteFrom("passkeys").where("account_id", "=", accountId).execute();
  await endSessions(tx, accountId);
}

/** The account, locked, while no other transaction changes who is an owner. */
async function lockChanged(tx: Tx, id: string): Promise<AccountRecord> {
  await tx.lockName("owners");
  const row = await selectAccounts(tx.db).where("id", "=", id).forUpdate().executeTakeFirst();
  if (row === undefined) throw new Fault("not_found", "No such account.");
  return toAccount(row);
}

const isOwner = ({ role, disabledAt }: AccountRecord): boolean =>
  role === "owner" && disabledAt === null;

async function requireOtherOwner(tx: Tx, id: string): Promise<void> {
  const other = await tx.db
    .selectFrom("accounts")
    .select("id")
    .where("role", "=", "owner")
    .where("disabled_at", "is", null)
    .where("id", "<>", id)
    .limit(1)
    .executeTakeFirst();
  if (other !== undefined) return;
  throw new Fault(
    "conflict",
    "This is the only owner that is not disabled: make another account an owner first.",
    { code: "last_owner" },
  );
}

/** Otherwise an invitation that nobody noticed would bring back an owner who was removed. */
const removeInvitesOf = (tx: Tx, id: string) =>
  tx.db.deleteFrom("invites").where("maker_id", "=", id).execute();

const endSessions = (tx: Tx, accountId: string) =>
  tx.db.deleteFrom("sessions").where("account_id", "=", accountId).execute();
