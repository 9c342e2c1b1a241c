import { Fault } from "../../domain/faults/fault.ts";
import { ROOT_KEY } from "../../domain/names/name.ts";
import type { AccountRecord } from "../../domain/records.ts";
import type { Tx } from "../engine/tx.ts";
import { ensureFolder } from "../folders/folder-path.ts";

export async function addFirstAccount(tx: Tx, account: AccountRecord): Promise<void> {
  // Locks the root, so that only one transaction at a time gets past this point.
  await ensureFolder(tx, ROOT_KEY);
  const other = await tx.db.selectFrom("accounts").select("id").limit(1).executeTakeFirst();
  if (other !== undefined) throw new Fault("conflict", "An account already exists.");
  await tx.db
    .insertInto("accounts")
    .values({
      id: account.id,
      email: account.email,
      password_hash: account.passwordHash,
      created_at: account.createdAt,
      role: "owner",
    })
    .execute();
}

interface Condition {
  /** The hash of the password that was verified: it must not have changed. */
  readonly ifPasswordHash?: string;
}

/** Locks the account until the transaction ends. */
export async function lockAccount(
  tx: Tx,
  accountId: string,
  ifPasswordHash: string | undefined,
): Promise<void> {
  const account = await tx.db
    .selectFrom("accounts")
    .select("password_hash")
    .where("id", "=", accountId)
    .forUpdate()
    .executeTakeFirst();
  if (account === undefined) throw new Fault("not_found", "No such account.");
  if (ifPasswordHash !== undefined && account.password_hash !== ifPasswordHash) {
    throw passwordChanged();
  }
}

/** Locks an account that makes something. Faults: "unauthorized": it was removed; "forbidden": it is disabled. */
export async function lockEnabled(tx: Tx, accountId: string): Promise<void> {
  const account = await tx.db
    .selectFrom("accounts")
    .select("disabled_at")
    .where("id", "=", accountId)
    .forUpdate()
    .executeTakeFirst();
  if (account === undefined) throw new Fault("unauthorized", "Unauthorized");
  if (account.disabled_at !== null) throw accountDisabled();
}

/**
 * For what only owners may do, and what takes a while before it is stored. Nobody stops being an owner until the
 * transaction ends. Fault "forbidden": the account is not an owner any more.
 */
export async function requireOwner(tx: Tx, accountId: string): Promise<void> {
  await tx.lockName("owners");
  const owner = await tx.db
    .selectFrom("accounts")
    .select("id")
    .where("id", "=", accountId)
    .where("role", "=", "owner")
    .where("disabled_at", "is", null)
    .executeTakeFirst();
  if (owner === undefined) throw new Fault("forbidden", "Only owners of the instance may do that.");
}

/** The caller verified a password that has changed since. */
export const passwordChanged = (): Fault =>
  new Fault("unauthorized", "The password was changed meanwhile. Sign in with the new one.");

export const accountDisabled = (): Fault =>
  new Fault("forbidden", "This account is disabled. Ask an owner of the instance.", {
    code: "account_disabled",
  });

export async function setEmail(
  tx: Tx,
  { accountId, email, ifPasswordHash }: { accountId: string; email: string } & Condition,
): Promise<void> {
  const holder = await tx.db
    .selectFrom("accounts")
    .select("id")
    .where("email", "=", email)
    .executeTakeFirst();
  if (holder !== undefined && holder.id !== accountId) {
    throw new Fault("conflict", "Another account has this email address.");
  }
  await lockAccount(tx, accountId, ifPasswordHash);
  await tx.db.updateTable("accounts").set({ email }).where("id", "=", accountId).execute();
}

/** Sets the password, turns two-step sign-in off, removes the passkeys and ends all sessions. */
export async function resetSignIn(
  tx: Tx,
  { accountId, ...change }: { accountId: string; passwordHash: string; byOwner?: string },
): Promise<void> {
  await setPassword(tx, { accountId, ...change });
  await tx.db
    .updateTable("accounts")
    .set({ totp_secret: null, totp_step: null, totp_enabled_at: null, recovery_hashes: null })
    .where("id", "=", accountId)
    .execute();
  await tx.db.deleteFrom("passkeys").where("account_id", "=", accountId).execute();
}

export async function setPassword(
  tx: Tx,
  input: {
    accountId: string;
    passwordHash: string;
    exceptSession?: string;
    byOwner?: string;
  } & Condition,
): Promise<void> {
  const { accountId, passwordHash, exceptSession, ifPasswordHash, byOwner } = input;
  if (byOwner !== undefined) await requireOwner(tx, byOwner);
  await lockAccount(tx, accountId, ifPasswordHash);
  await tx.db
    .updateTable("accounts")
    .set({ password_hash: passwordHash })
    .where("id", "=", accountId)
    .execute();
  await tx.db
    .deleteFrom("sessions")
    .where("account_id", "=", accountId)
    .$if(exceptSession !== undefined, (query) => query.where("id", "<>", exceptSession ?? ""))
    .execute();
}
