import { Fault } from "../../rules/fault.ts";
import { ROOT_KEY } from "../../rules/name.ts";
import type { AccountRecord } from "../../rules/records.ts";
import type { Tx } from "../tx.ts";
import { ensureFolder } from "./folder-path.ts";

export async function addFirstAccount(tx: Tx, account: AccountRecord): Promise<void> {
  // The root's lock keeps two first accounts from passing this point together.
  await ensureFolder(tx, ROOT_KEY);
  const other = await tx.db.selectFrom("accounts").select("id").limit(1).executeTakeFirst();
  if (other !== undefined) throw new Fault("conflict", "An account exists already.");
  await tx.db
    .insertInto("accounts")
    .values({
      id: account.id,
      email: account.email,
      password_hash: account.passwordHash,
      created_at: account.createdAt,
    })
    .execute();
}

interface Condition {
  /** Of the password that was checked: it must still be this one. */
  readonly ifPasswordHash?: string;
}

/** Nobody else changes the account until the transaction ends. */
async function holdAccount(
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

/** For who knew the password of before. */
export const passwordChanged = (): Fault =>
  new Fault("unauthorized", "The password was changed meanwhile. Sign in with the new one.");

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
  await holdAccount(tx, accountId, ifPasswordHash);
  await tx.db.updateTable("accounts").set({ email }).where("id", "=", accountId).execute();
}

export async function setPassword(
  tx: Tx,
  input: { accountId: string; passwordHash: string; exceptSession?: string } & Condition,
): Promise<void> {
  const { accountId, passwordHash, exceptSession, ifPasswordHash } = input;
  await holdAccount(tx, accountId, ifPasswordHash);
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
