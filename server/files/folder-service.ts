import type {
  FileTree,
  FolderChange,
  Measure,
  MeasuredFolder,
  VisibilityCounts,
} from "../catalog/port/file-tree.ts";
import type { QuotaLedger } from "../catalog/port/quotas.ts";
import type { TrashChanges } from "../catalog/port/trash.ts";
import { type Authorized, authorize, noSuchFolder } from "../domain/callers/authorize.ts";
import type { SeenBy } from "../domain/callers/caller.ts";
import { type Ref, selectorOf } from "../domain/callers/ref.ts";
import { type KeepSettings, keepDeletedMs } from "../domain/keep-time.ts";
import { ROOT_KEY } from "../domain/names/name.ts";
import type { FolderRecord, Key, Visibility } from "../domain/records.ts";
import { asSeenBy, browseFolder, type FolderSelector, type FolderView } from "./find.ts";
import { type FolderVisibility, findFolderVisibility } from "./folder-visibility.ts";
import { createTreeLookups } from "./lookups.ts";
import type { QuotaGuard } from "./quotas/quota-guard.ts";
import { createQuotaService, type QuotaService } from "./quotas/quota-service.ts";
import type { Reaper } from "./reaper.ts";
import { removeFolder } from "./remove.ts";

/** The operations on folders. Faults: see `FileService`. */
export interface FolderService {
  findFolder(caller: Authorized<"list">, selector: FolderSelector): Promise<FolderRecord>;
  browse(caller: Authorized<"list">, selector: FolderSelector): Promise<FolderView>;
  /**
   * Counts what is below a folder. Faults: same as `browse`; throws `ConnectionClosed` soon after
   * `signal` is aborted.
   */
  measure(
    caller: Authorized<"list">,
    selector: FolderSelector,
    signal?: AbortSignal,
  ): Promise<Measure>;
  /** Like `measure`, for several folders together. Fault "not_found": one of them does not exist. */
  measureAll(
    caller: Authorized<"list">,
    ids: readonly string[],
    signal?: AbortSignal,
  ): Promise<MeasuredFolders>;
  /** Faults: same as `browse`. */
  folderVisibility(caller: Authorized<"list">, selector: FolderSelector): Promise<FolderVisibility>;
  /** Faults: same as `browse`. */
  countVisibility(caller: Authorized<"list">, selector: FolderSelector): Promise<VisibilityCounts>;
  createFolder(caller: Authorized<"write">, key: Key): Promise<FolderRecord>;
  changeFolder(caller: Authorized<"write">, change: FolderChange): Promise<FolderRecord>;
  /** `trash`: as for `remove` of `ChangeService`. `undoId`: of a folder that is in the trash. */
  removeFolder(
    caller: Authorized<"discard">,
    folder: Ref,
    trash?: boolean,
  ): Promise<{ readonly id: string; readonly undoId?: string }>;
  readonly quotas: Pick<QuotaService, "list" | "set">;
}

export interface FolderServiceDeps {
  readonly catalog: FileTree & Pick<TrashChanges, "trashFolder"> & QuotaLedger;
  readonly quotaGuard: QuotaGuard;
  readonly reaper: Reaper;
  readonly settings: () => KeepSettings & { readonly defaultVisibility: Visibility };
}

export function createFolderService(deps: FolderServiceDeps): FolderService {
  const { catalog, reaper, settings } = deps;
  const look = createTreeLookups(catalog);
  const quotas = createQuotaService(catalog, deps.quotaGuard);

  return {
    findFolder: look.folder,
    browse: (caller, selector) => browseFolder(caller, catalog, selector),
    async measure(caller, selector, signal) {
      const { key } = await look.folder(caller, selector);
      return catalog.measure(caller, key, signal);
    },
    measureAll: (caller, ids, signal) => measureFolders(caller, catalog, ids, signal),
    folderVisibility: (caller, selector) =>
      findFolderVisibility(caller, catalog, selector, settings().defaultVisibility),
    async countVisibility(caller, selector) {
      const { key } = await look.folder(caller, selector);
      return catalog.countVisibility(caller, key);
    },
    async createFolder(caller, key) {
      await look.destination(caller, key);
      return asSeenBy(caller, await catalog.createFolder(caller, key));
    },
    async changeFolder(caller, change) {
      // A lifetime also ends files that others upload later.
      if ((change.expireAfter ?? 0) > 0) {
        await authorize(caller, "delete", () => look.folder(caller, selectorOf(change.id)));
      }
      const measured = await quotas.measureMove(caller, change);
      return asSeenBy(caller, await catalog.changeFolder(caller, measured));
    },
    async removeFolder(caller, ref, wanted) {
      const time = keepDeletedMs(caller, settings(), wanted);
      if (time !== undefined) return catalog.trashFolder(caller, { id: ref, keepMs: time });
      return { id: await removeFolder(caller, catalog, reaper, ref) };
    },
    quotas,
  };
}

interface MeasuredFolders extends Measure {
  /** Each folder, in the order of its first mention. */
  readonly each: readonly MeasuredFolder[];
}

/**
 * The content of several folders, of each and in total. In the total, a folder inside another one
 * counts once, as a part of that. Fault "not_found": one of them does not exist. Throws
 * `ConnectionClosed` soon after `signal` is aborted.
 */
async function measureFolders(
  caller: SeenBy,
  tree: FileTree,
  ids: readonly string[],
  signal?: AbortSignal,
): Promise<MeasuredFolders> {
  const wanted = [...new Set(ids)];
  const each = await tree.measureEach(caller, wanted, signal);
  if (each.length < wanted.length) throw noSuchFolder();
  const sum = { files: 0, folders: 0, bytes: 0 };
  for (const { key, files, folders, bytes } of each) {
    if (each.some((other) => isBelow(key, other.key))) continue;
    sum.files += files;
    sum.folders += folders;
    sum.bytes += bytes;
  }
  return { ...sum, each };
}

const isBelow = (key: Key, other: Key): boolean =>
  key !== other && (other === ROOT_KEY || key.startsWith(`${other}/`));
