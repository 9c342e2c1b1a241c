import { expect } from "bun:test";
import { COMMAND_EVERYWHERE } from "../../domain/callers/caller.ts";
import { parseKey } from "../../domain/names/name.ts";
import type { QuotaLimits } from "../../domain/quotas.ts";
import type { Catalog } from "../port/catalog.ts";
import { folderAt } from "./catalog.fixture.ts";

/** Sets a quota as a server does. Returns the id of the folder. */
export async function giveQuota(
  catalog: Catalog,
  folder: string,
  limits: Partial<QuotaLimits>,
): Promise<string> {
  const { id, isCounted } = await catalog.openQuota({ key: parseKey(folder) });
  if (!isCounted) await catalog.recountQuota(id);
  await catalog.setQuota(id, { maxBytes: null, maxFiles: null, ...limits });
  return id;
}

/** Returns the bytes and files that the quota of the folder counts as used. */
export async function usedOf(catalog: Catalog, folder: string): Promise<[number, number]> {
  const { id } = await folderAt(catalog, folder);
  const quotas = await catalog.listQuotas(COMMAND_EVERYWHERE);
  const quota = quotas.find(({ folderId }) => folderId === id) ?? expect.unreachable(folder);
  return [quota.usedBytes, quota.usedFiles];
}

/** Recounts all quotas, which must have been right. */
export async function expectRightQuotas(catalog: Catalog): Promise<void> {
  for (const folderId of await catalog.dueRecounts(Number.MAX_SAFE_INTEGER)) {
    expect(await catalog.recountQuota(folderId)).toEqual({ folderId, bytes: 0, files: 0 });
  }
}
