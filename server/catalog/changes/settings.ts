import type { Tx } from "../tx.ts";

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
