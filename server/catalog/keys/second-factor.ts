import { Fault } from "../../domain/faults/fault.ts";
import type { Tx } from "../engine/tx.ts";
import type { RecoveryCodeChange, SecondFactorChange } from "../port/credentials.ts";
import { lockAccount } from "./accounts.ts";

export async function setSecondFactor(
  tx: Tx,
  { accountId, ifPasswordHash, factor }: SecondFactorChange,
): Promise<void> {
  await lockAccount(tx, accountId, ifPasswordHash);
  const changed = await tx.db
    .updateTable("accounts")
    .set({
      totp_secret: factor?.sealedSecret ?? null,
      totp_step: factor?.lastStep ?? null,
      totp_enabled_at: factor?.enabledAt ?? null,
      recovery_hashes: factor?.recoveryHashes.join(",") ?? null,
    })
    .where("id", "=", accountId)
    .$if(factor !== null, (query) => query.where("totp_secret", "is", null))
    .returning("id")
    .executeTakeFirst();
  if (changed === undefined) throw new Fault("conflict", "Two-step sign-in is on already.");
}

export async function recordTotpStep(
  tx: Tx,
  { accountId, sealedSecret, step }: { accountId: string; sealedSecret: string; step: number },
): Promise<boolean> {
  const used = await tx.db
    .updateTable("accounts")
    .set({ totp_step: step })
    .where("id", "=", accountId)
    .where("totp_secret", "=", sealedSecret)
    .where((eb) => eb.or([eb("totp_step", "is", null), eb("totp_step", "<", step)]))
    .returning("id")
    .executeTakeFirst();
  return used !== undefined;
}

export async function replaceRecoveryCodes(
  tx: Tx,
  { accountId, from, to }: RecoveryCodeChange,
): Promise<boolean> {
  const replaced = await tx.db
    .updateTable("accounts")
    .set({ recovery_hashes: to.join(",") })
    .where("id", "=", accountId)
    .where("recovery_hashes", "=", from.join(","))
    .returning("id")
    .executeTakeFirst();
  return replaced !== undefined;
}
