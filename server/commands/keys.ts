import type { Config } from "../config/config.ts";
import type { ApiKeyRecord } from "../rules/records.ts";
import { timestamp } from "../rules/timestamp.ts";
import { byCommand } from "./by-command.ts";
import { escapeControlCharacters } from "./escape-control-characters.ts";
import { UsageError } from "./usage-error.ts";
import { withCredentials } from "./with-credentials.ts";

/** `keys create NAME`, `keys list`, `keys revoke ID`: works with or without a running server. */
export async function keysCommand(
  config: Config,
  [verb, ...rest]: readonly string[],
  expiresIn: string | undefined,
): Promise<void> {
  const text = rest.join(" ").trim();
  if (verb === "list")
    return withCredentials(config, async ({ keys }) => printKeys(await keys.list()));
  if (verb === "create") {
    if (text === "" || text.length > 100) {
      throw new UsageError("`keys create` takes a name of 1 to 100 characters.");
    }
    const seconds = lifetime(expiresIn);
    return withCredentials(config, async ({ keys }, activity) => {
      const { record, secret } = await keys.create({ name: text, expiresIn: seconds });
      activity.record(byCommand("createKey", { kind: "key", id: record.id, name: record.name }));
      console.error(`API key "${record.name}" (${record.id}), shown only this once:`);
      console.log(secret);
    });
  }
  if (verb === "revoke") {
    if (text === "")
      throw new UsageError("`keys revoke` takes the id of a key, as in `holdall keys list`.");
    return withCredentials(config, async ({ keys }, activity) => {
      const name = (await keys.list()).find(({ id }) => id === text)?.name ?? null;
      if (!(await keys.revoke(text))) throw new Error(`There is no API key with the id ${text}.`);
      activity.record(byCommand("revokeKey", { kind: "key", id: text, name }));
      console.log(`Revoked ${text}.`);
    });
  }
  throw new UsageError("`keys` takes create, list or revoke.");
}

function lifetime(text: string | undefined): number | null {
  if (text === undefined) return null;
  const seconds = /^\d{1,10}$/.test(text) ? Number(text) : 0;
  if (seconds < 1) throw new UsageError("--expires-in takes a whole number of seconds.");
  return seconds;
}

function printKeys(keys: readonly ApiKeyRecord[]): void {
  if (keys.length === 0) {
    console.log("No API keys yet: create one with `holdall keys create NAME`.");
    return;
  }
  const when = (time: number | null): string => (time === null ? "never" : timestamp(time));
  const rows = keys.map((key) => [
    key.id,
    `${key.prefix}…`,
    when(key.createdAt),
    when(key.lastUsedAt),
    when(key.expiresAt),
    escapeControlCharacters(key.name),
  ]);
  const table = [["ID", "KEY", "CREATED", "LAST USED", "EXPIRES", "NAME"], ...rows];
  const widths = table[0]?.map((_, column) =>
    Math.max(...table.map((row) => row[column]?.length ?? 0)),
  );
  for (const row of table) {
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths?.[column] ?? 0))
        .join("  ")
        .trimEnd(),
    );
  }
}
