import type { BlobLedger } from "../catalog/port/blob-ledger.ts";
import type { CatalogClock } from "../catalog/port/catalog-clock.ts";
import type {
  ChangedFile,
  FileChange,
  FilesChange,
  FilesChanged,
  FileTree,
  FolderChange,
  Measure,
  MeasuredFolder,
  MeetsTaken,
  VisibilityCounts,
} from "../catalog/port/file-tree.ts";
import { keepDeletedMs, keepMs } from "../domain/keep-time.ts";
import { ROOT_KEY } from "../domain/names/name.ts";
import type { FileRecord, FolderRecord, Key, KeyAction, Page, Sha256 } from "../domain/records.ts";
import type { Signer } from "../domain/signature.ts";
import type { MaybePromise } from "../lib/maybe-promise.ts";
import { type CopyDeps, type CopyService, createCopyService } from "./copy/copy-service.ts";
import {
  browseFolder,
  type FolderSelector,
  type FolderView,
  findFile,
  findFolder,
  listFiles,
  noSuchFile,
  noSuchFolder,
  type Selector,
} from "./find.ts";
import { type FolderVisibility, findFolderVisibility } from "./folder-visibility.ts";
import type { Reaper } from "./reaper.ts";
import { type Removal, removeFiles, removeFolder, trashFiles } from "./remove.ts";
import { type SearchRequest, type SearchResult, searchNames } from "./search.ts";
import { createSign, type LinkSettings, type SignedLink, type SignRequest } from "./sign.ts";
import type { TrashPort } from "./trash/trash-port.ts";
import { createTrashService, type TrashService } from "./trash/trash-service.ts";
import { createVersionService, type VersionService } from "./trash/version-service.ts";
import { type BeginUpload, createBeginUpload, type UploadDeps } from "./upload/begin-upload.ts";
import { type ArchiveDeps, type Archives, createArchives } from "./zip/archive.ts";

/**
 * The operations on files and folders that a caller may use; their files document their contracts.
 * For a caller with a limited scope, what is outside looks missing, and on what is inside an operation
 * without its action has the fault "forbidden".
 */
export interface FileService {
  /** `action`: what the file is found for. Default: "list". */
  find(selector: Selector, action?: KeyAction): Promise<FileRecord>;
  findFolder(selector: FolderSelector): Promise<FolderRecord>;
  /** For delivery. undefined: there is no such file. */
  at(key: Key): MaybePromise<FileRecord | undefined>;
  list(name: string | undefined, page: Page): AsyncIterable<FileRecord[]>;
  /** The files with this content, of those whose digest is known. */
  listByDigest(sha256: Sha256, page: Page): AsyncIterable<FileRecord[]>;
  readonly beginUpload: BeginUpload;
  /** `trash`: as for `remove`, for the file that it replaces. */
  change(change: Requested<FileChange>, trash?: boolean): Promise<ChangedFile>;
  /**
   * Ids without a file are in `failed`. `trash`: as for `remove`, for replaced files. Faults "not_found": none
   * of the files exists, or the target.
   */
  changeMany(change: Requested<FilesChange>, trash?: boolean): Promise<FilesChanged>;
  /**
   * `trash`: whether to the trash; undefined: as the settings say. Fault "invalid": the trash is
   * disabled.
   */
  remove(ids: readonly string[], trash?: boolean): Promise<Removal>;
  readonly copy: CopyService;
  sign(request: SignRequest): Promise<SignedLink>;
  readonly archive: Archives;

  browse(selector: FolderSelector): Promise<FolderView>;
  /**
   * Counts what is below a folder. Faults: same as `browse`; throws `ConnectionClosed` soon after
   * `signal` is aborted.
   */
  measure(selector: FolderSelector, signal?: AbortSignal): Promise<Measure>;
  /** Like `measure`, for several folders together. Fault "not_found": one of them does not exist. */
  measureAll(ids: readonly string[], signal?: AbortSignal): Promise<MeasuredFolders>;
  /** Faults: same as `browse`. */
  folderVisibility(selector: FolderSelector): Promise<FolderVisibility>;
  /** Faults: same as `browse`. */
  countVisibility(selector: FolderSelector): Promise<VisibilityCounts>;
  search(request: SearchRequest): Promise<SearchResult>;
  createFolder(key: Key): Promise<FolderRecord>;
  changeFolder(change: FolderChange): Promise<FolderRecord>;
  /** `trash`: as for `remove`. Returns the `undoId` of a folder that is in the trash. */
  removeFolder(id: string, trash?: boolean): Promise<string | undefined>;
  readonly trash: TrashService;
  readonly versions: VersionService;
}

/** Without what the settings say. */
type Requested<Change extends MeetsTaken> = Omit<Change, "trashReplacedMs">;

export interface FileServiceDeps
  extends ArchiveDeps,
    Omit<UploadDeps, "names" | "settings">,
    Pick<CopyDeps, "inSlot"> {
  readonly catalog: FileTree & BlobLedger & Pick<CatalogClock, "now">;
  readonly reaper: Reaper;
  readonly signer: Signer;
  readonly settings: () => LinkSettings & ReturnType<UploadDeps["settings"]>;
}

/** The operations on the files and folders of `tree` and `trash`, which may be limited parts of the catalog. */
export function createFileService(
  deps: FileServiceDeps,
  tree: FileTree,
  trash: TrashPort,
  isLimited: boolean,
): FileService {
  const { catalog, reaper, signer, settings } = deps;
  const topFolder = async (): Promise<Key> => (await findFolder(tree, "top")).key;
  const beginUpload = createBeginUpload({
    ...deps,
    names: tree,
    ...(isLimited ? { topFolder } : {}),
  });
  const sign = createSign({ names: tree, now: catalog.now, signer, settings });
  const archive = createArchives(isLimited ? { ...deps, catalog: { ...catalog, ...tree } } : deps);

  return {
    find: (selector) => findFile(tree, selector),
    findFolder: (selector) => findFolder(tree, selector),
    at: (key) => tree.fileByKey(key),
    list: (name, page) => listFiles(tree, name, page),
    listByDigest: (sha256, page) => tree.listFiles({ sha256 }, page),
    beginUpload,
    async change(change, wanted) {
      const trashReplacedMs = keepDeletedMs(settings(), wanted);
      const changed = await tree.changeFile({ ...change, trashReplacedMs });
      if (change.onConflict === "replace") deps.onReplaced();
      return changed;
    },
    async changeMany(change, wanted) {
      const trashReplacedMs = keepDeletedMs(settings(), wanted);
      const changed = await changeFiles(tree, { ...change, trashReplacedMs });
      if (change.onConflict === "replace") deps.onReplaced();
      return changed;
    },
    async remove(ids, wanted) {
      const time = keepDeletedMs(settings(), wanted);
      return time === undefined ? removeFiles(tree, reaper, ids) : trashFiles(trash, ids, time);
    },
    copy: createCopyService(deps, tree),
    sign,
    archive,
    browse: (selector) => browseFolder(tree, selector),
    measure: async (selector, signal) =>
      tree.measure((await findFolder(tree, selector)).key, undefined, signal),
    measureAll: (ids, signal) => measureFolders(tree, ids, signal),
    folderVisibility: (selector) =>
      findFolderVisibility(tree, selector, settings().defaultVisibility),
    countVisibility: async (selector) =>
      tree.countVisibility((await findFolder(tree, selector)).key),
    search: (request) => searchNames(tree, request),
    createFolder: (key) => tree.createFolder(key),
    changeFolder: (change) => tree.changeFolder(change),
    async removeFolder(id, wanted) {
      const time = keepDeletedMs(settings(), wanted);
      if (time !== undefined) return (await trash.trashFolder({ id, keepMs: time })).undoId;
      await removeFolder(tree, reaper, id);
      return undefined;
    },
    trash: createTrashService(trash, reaper),
    versions: createVersionService({ tree, trash, reaper, keepMs: () => keepMs(settings()) }),
  };
}

/**
 * Changes files in one transaction. Ids without a file are in `failed`, like the files that cannot be
 * moved. Faults "not_found": none of the files exists, or the folder to move to does not.
 */
async function changeFiles(
  names: Pick<FileTree, "changeFiles">,
  change: FilesChange,
): Promise<FilesChanged> {
  const ids = [...new Set(change.ids)];
  const { changed, failed, ...rest } = await names.changeFiles({ ...change, ids });
  if (changed.length === 0 && failed.length === 0) throw noSuchFile();
  const done = new Set(changed.map(({ id }) => id));
  const reasons = new Map(failed.map((reason) => [reason.id, reason]));
  const { message } = noSuchFile();
  const others = ids.filter((id) => !done.has(id));
  return {
    changed,
    ...rest,
    failed: others.map((id) => reasons.get(id) ?? { id, message }),
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
  tree: FileTree,
  ids: readonly string[],
  signal?: AbortSignal,
): Promise<MeasuredFolders> {
  const wanted = [...new Set(ids)];
  const each = await tree.measureEach(wanted, undefined, signal);
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
