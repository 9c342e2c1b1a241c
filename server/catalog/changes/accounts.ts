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

export async function setEmail(
  tx: Tx,
  { accountId, email }: { accountId: string; email: string },
): Promise<void> {
  const holder = await tx.db
    .selectFrom("accounts")
    .select("id")
    .where("email", "=", email)
    .executeTakeFirst();
  if (holder !== undefined && holder.id !== accountId) {
    throw new Fault("conflict", "Another account has this email address.");
  }
  const set = await tx.db
    .updateTable("accounts")
    .set({ email })
    .where("id", "=", accountId)
    .executeTakeFirst();
  if (set.numUpdatedRows === 0n) throw new Fault("missing", "No such account.");
}

export async function setPassword(
  tx: Tx,
  input: { accountId: string; passwordHash: string; exceptSession?: string },
): Promise<void> {
  const { accountId, passwordHash, exceptSession } = input;
  const set = await tx.db
    .updateTable("accounts")
    .set({ password_hash: passwordHash })
    .where("id", "=", accountId)
    .executeTakeFirst();
  if (set.numUpdatedRows === 0n) throw new Fault("missing", "No such account.");
  await tx.db
    .deleteFrom("sessions")
    .where("account_id", "=", accountId)
    .$if(exceptSession !== undefined, (query) => query.where("id", "<>", exceptSession ?? ""))
    .execute();
}
