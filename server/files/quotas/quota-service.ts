import type { FileTree, FolderChange } from "../../catalog/port/file-tree.ts";
import type { QuotaLedger } from "../../catalog/port/quotas.ts";
import type { Authorized, AuthorizedEverywhere } from "../../domain/callers/authorize.ts";
import { type Caller, SYSTEM } from "../../domain/callers/caller.ts";
import { type Ref, selectorOf } from "../../domain/callers/ref.ts";
import { joinKey, keyNames } from "../../domain/names/name.ts";
import { type QuotaLimits, type QuotaRecord, requireRoom } from "../../domain/quotas.ts";
import type { Key } from "../../domain/records.ts";
import { type FolderSelector, findFolder } from "../find.ts";
import type { QuotaGuard } from "./quota-guard.ts";

/** The quotas of folders; its callers are people and programs, while `QuotaGuard` is for uploads. */
export interface QuotaService {
  /**
   * The quotas of folders that the caller sees. With a selector, only the one that counts what is in this folder.
   */
  list(caller: Authorized<"list">, selector?: FolderSelector): Promise<readonly QuotaRecord[]>;
  /**
   * Sets the limits that are given; without any in the end, removes the quota and returns undefined. Waits until
   * what is in the folder is counted. Faults: "not_found"; "invalid": the folder is not directly below the root.
   */
  set(
    caller: AuthorizedEverywhere<"admin">,
    folder: Ref,
    limits: Partial<QuotaLimits>,
  ): Promise<QuotaRecord | undefined>;
  /**
   * The change of a folder, with what is in it if it moves into a folder with a quota, so that a large one need not
   * be counted while others wait. Fault "quota_exceeded".
   */
  measureMove(caller: Caller, change: FolderChange): Promise<FolderChange>;
}

export function createQuotaService(
  catalog: FileTree & QuotaLedger,
  guard: QuotaGuard,
): QuotaService {
  const topOf = (key: Key): Key => joinKey(keyNames(key).slice(0, 1));

  return {
    async list(caller, selector) {
      if (selector === undefined) return catalog.listQuotas(caller);
      const folder = await findFolder(caller, catalog, selector);
      const top = topOf(folder.key);
      return (await catalog.listQuotas(caller)).filter(({ key }) => key === top);
    },

    async set(caller, ref, limits) {
      const { id } = await findFolder(caller, catalog, selectorOf(ref));
      const isNone = Object.values(limits).every((limit) => limit === null);
      const current = (await catalog.listQuotas(SYSTEM)).find(({ folderId }) => folderId === id);
      // This also refuses a folder that cannot have a quota, when it is given none.
      const { isCounted } = await catalog.openQuota(id);
      // Changes are counted from now on, so nothing is missed or counted twice.
      if (!isCounted && !(isNone && current === undefined)) await catalog.recountQuota(id);
      await catalog.setQuota(id, limits);
      guard.forget();
      return (await catalog.listQuotas(SYSTEM)).find(({ folderId }) => folderId === id);
    },

    async measureMove(caller, change) {
      const { parentId } = change;
      if (parentId === undefined) return change;
      // What is not found is refused by the change.
      const find = (folder: Ref) =>
        findFolder(caller, catalog, selectorOf(folder)).catch(() => undefined);
      const [source, target] = [await find(change.id), await find(parentId)];
      if (source === undefined || target === undefined) return change;
      const quota = await guard.quotaOf(target.key);
      if (quota === undefined || topOf(source.key) === quota.key) return change;
      const measured = await catalog.measureContents(source.key);
      requireRoom(quota, measured);
      return { ...change, measured };
    },
  };
}
