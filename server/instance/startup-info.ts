import type { Access } from "../access/access.ts";
import type { Config } from "../config/config.ts";

/** What the operator needs to know once the server is listening. */
export interface StartupInfo {
  /** The address that it listens on. */
  readonly localUrl: string;
  /** The address that users open. */
  readonly url: string;
  /** The page that creates the administrator account; null once an account exists. */
  readonly setupUrl: string | null;
  readonly hasKeys: boolean;
}

/** Issues a setup link if the instance has no account yet. */
export async function startupInfo(
  { host, publicUrl }: Pick<Config, "host" | "publicUrl">,
  port: number,
  { accounts, keys }: Pick<Access, "accounts" | "keys">,
): Promise<StartupInfo> {
  const localUrl = `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
  const url = publicUrl ?? localUrl;
  const token = await accounts.issueSetupToken();
  return {
    localUrl,
    url,
    setupUrl: token === null ? null : `${url}/setup#${token}`,
    hasKeys: (await keys.list()).length > 0,
  };
}
