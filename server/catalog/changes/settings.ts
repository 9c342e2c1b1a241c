import type { Tx } from "../tx.ts";

/** Returns the value that it has, whoever claimed it first. */
export async function claimSetting(tx: Tx, name: string, value: string): Promise<string> {
  // Waits for whoever does the same at this moment.
  await tx.db
    .insertInto("settings")
    .values({ name, value })
    .onConflict((conflict) => conflict.column("name").doNothing())
    .execute();
  const kept = await tx.db
    .selectFrom("settings")
    .select("value")
    .where("name", "=", name)
    .executeTakeFirstOrThrow();
  return kept.value;
}

export const putSetting = (tx: Tx, name: string, value: string | null): Promise<void> =>
  putSettings(tx, { [name]: value });

export async function putSettings(
  tx: Tx,
  values: Readonly<Record<string, string | null>>,
): Promise<void> {
  // In one order, so that two changes at the same time never wait for each other.
  for (const [name, value] of Object.entries(values).sort()) {
    if (value === null) {
      await tx.db.deleteFrom("settings").where("name", "=", name).execute();
      continue;
    }
    await tx.db
      .insertInto("settings")
      .values({ name, value })
      .onConflict((conflict) => conflict.column("name").doUpdateSet({ value }))
      .execute();
  }
}
