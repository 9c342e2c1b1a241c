import type { ListedApiKey } from "../access/api-keys.ts";
import { commandLine } from "../config/command-line.ts";
import type { Config } from "../config/config.ts";
import type { Key } from "../domain/records.ts";
import { timestamp } from "../domain/timestamp.ts";
import { escapeControlCharacters } from "../terminal/escape-control-characters.ts";
import { printTable } from "./print-table.ts";

const COLUMNS = [
  "ID",
  "KEY",
  "CREATED",
  "LAST USED",
  "EXPIRES",
  "ACTIONS",
  "FOLDER",
  "PARENT",
  "NAME",
] as const;

/** Prints API keys as a table. */
export function printKeys(keys: readonly ListedApiKey[], config: Pick<Config, "dataPath">): void {
  if (keys.length === 0) {
    console.log(`No API keys yet: create one with \`${commandLine(config, "keys create NAME")}\`.`);
    return;
  }
  const rows = keys.map((key) => [
    key.id,
    `${key.prefix}…`,
    timeText(key.createdAt),
    timeText(key.lastUsedAt),
    timeText(key.expiresAt),
    key.actions.join(","),
    folderText(key.folderKeys),
    key.parentId ?? "-",
    escapeControlCharacters(key.name),
  ]);
  printTable(COLUMNS, rows);
}

const timeText = (time: number | null): string => (time === null ? "never" : timestamp(time));

/** Relative to the root, which is "/". */
function folderText([own]: readonly (Key | null)[]): string {
  if (own === undefined) return "/";
  return own === null ? "(deleted)" : `/${escapeControlCharacters(own)}`;
}
