import type { IdentityRecord } from "../../domain/accounts.ts";
import { Fault } from "../../domain/faults/fault.ts";
import { newId } from "../engine/ids.ts";
import type { Tx } from "../engine/tx.ts";
import { lockAccount } from "../keys/accounts.ts";

export async function addIdentity(
  tx: Tx,
  { accountId, issuer, subject, createdAt }: IdentityRecord,
): Promise<void> {
  await lockAccount(tx, accountId, undefined);
  const added = await tx.db
    .insertInto("identities")
    .values({
      id: newId(createdAt),
      issuer,
      subject,
      account_id: accountId,
      created_at: createdAt,
    })
    .onConflict((conflict) => conflict.columns(["issuer", "subject"]).doNothing())
    .returning("id")
    .executeTakeFirst();
  if (added === undefined) {
    throw new Fault("conflict", "This account of the provider belongs to an account already.");
  }
}

export async function removeIdentity(
  tx: Tx,
  { accountId, issuer, subject }: Omit<IdentityRecord, "createdAt">,
): Promise<boolean> {
  const removed = await tx.db
    .deleteFrom("identities")
    .where("account_id", "=", accountId)
    .where("issuer", "=", issuer)
    .where("subject", "=", subject)
    .returning("id")
    .executeTakeFirst();
  if (removed === undefined) return false;
  // Nothing refreshes the groups any more, so what was made with them would keep them for good.
  await tx.db
    .updateTable("accounts")
    .set({ groups: "[]" })
    .where("id", "=", accountId)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom("identities").select("id").where("account_id", "=", accountId))),
    )
    .execute();
  return true;
}
