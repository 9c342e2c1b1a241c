import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Catalog } from "../catalog/port/catalog.ts";

const opened: (() => Promise<void>)[] = [];

/** Call it after each test: hooks registered by an imported file only apply to its first importer. */
export async function dropCredentials(): Promise<void> {
  for (const end of opened.splice(0)) await end();
}

type Open = (options: { path: string; exclusive: boolean }) => Promise<Catalog>;

/** Credentials in a new catalog, which `dropCredentials` removes. */
export async function emptyCredentials(open: Open): Promise<Catalog> {
  const folder = mkdtempSync(join(tmpdir(), "holdall-access-"));
  const catalog = await open({ path: join(folder, "catalog.sqlite"), exclusive: false });
  opened.push(async () => {
    await catalog.close();
    rmSync(folder, { recursive: true });
  });
  return catalog;
}

/** A clock that only advances by `pass`. */
export function createClock(start = Date.UTC(2026, 0, 31)) {
  let time = start;
  return {
    now: () => time,
    pass(ms: number): void {
      time += ms;
    },
  };
}

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const DAY = 24 * 60 * MINUTE;

/** The fields of accounts that were made before there were members. */
export const OWNER = {
  role: "owner",
  disabledAt: null,
  groups: [],
  hasSecondFactor: false,
} as const;
/** The fields of sessions that a password has started. */
export const BY_PASSWORD = { method: "password", groups: [] } as const;
