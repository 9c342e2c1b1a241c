import type { Access } from "../access/access.ts";
import type { Config } from "../config/config.ts";

/** Creates the API key and the administrator given in the environment. */
export async function createInitialAccess(
  { accounts, keys }: Pick<Access, "accounts" | "keys">,
  { initialApiKey, administrator }: Pick<Config, "initialApiKey" | "administrator">,
): Promise<void> {
  if (initialApiKey !== null) await keys.install(initialApiKey, "initial");
  if (administrator !== null) {
    await accounts.ensureAccount(administrator.email, administrator.password);
  }
}
