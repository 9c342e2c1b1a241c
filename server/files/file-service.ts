import type { BlobLedger } from "../catalog/port/blob-ledger.ts";
import type { CatalogClock } from "../catalog/port/catalog-clock.ts";
import type {
  ChangedFile,
  FailedItem,
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
import type { QuotaLedger } from "../catalog/port/quotas.ts";
import type { UndoChanges } from "../catalog/port/undo.ts";
import type { UploadLedger } from "../catalog/port/uploads.ts";
import { authorize, authorizePlace, noSuchFolder, topKeyOf } from "../domain/callers/authorize.ts";
import { type Caller, type ChangedBy, type SeenBy, SYSTEM } from "../domain/callers/caller.ts";
import { type Ref, selectorOf, textOf, uniqueRefs } from "../domain/callers/ref.ts";
import { allows } from "../domain/callers/scope.ts";
import { checkResult } from "../domain/dry-run.ts";
import { keepDeletedMs } from "../domain/keep-time.ts";
import { ROOT_KEY } from "../domain/names/name.ts";
import type { FileRecord, FolderRecord, Key, KeyAction, Page, Sha256 } from "../domain/records.ts";
import type { Signer } from "../domain/tokens/signature.ts";
import { chain, type MaybePromise } from "../lib/maybe-promise.ts";
import { type CopyDeps, type CopyService, createCopyService } from "./copy/copy-service.ts";
import {
  asSeenBy,
  browseFolder,
  type FolderSelector,
  type FolderView,
  findFile,
  findFolder,
  listFiles,
  noSuchFile,
  type Selector,
} from "./find.ts";
import { type FolderVisibility, findFolderVisibility } from "./folder-visibility.ts";
import type { QuotaGuard } from "./quotas/quota-guard.ts";
import { createQuotaService, type QuotaService } from "./quotas/quota-service.ts";
import type { Reaper } from "./reaper.ts";
import {
  type NotDone,
  notDone,
  type Removal,
  removeFiles,
  removeFolder,
  trashFiles,
} from "./remove.ts";
import { type SearchRequest, type SearchResult, searchNames } from "./search.ts";
import {
  createSigning,
  type LinkSettings,
  type ManySigned,
  type SignedLifetime,
  type SignedLink,
  type SignRequest,
} from "./sign.ts";
import type { TrashPort } from "./trash/trash-port.ts";
import { createTrashService, type TrashService } from "./trash/trash-service.ts";
import { createUndoService, type UndoService } from "./trash/undo-service.ts";
import { createVersionService, type VersionService } from "./trash/version-service.ts";
import {
  createBeginUpload,
  type UploadDeps,
  type UploadDestination,
  type UploadSession,
} from "./upload/begin-upload.ts";
import { type ArchiveDeps, type Archives, createArchives } from "./zip/archive.ts";

/**
 * The operations on files and folders; their files document their contracts. What a caller does not see
 * is missing, and on what it sees an operation without its action has the fault "forbidden".
 */
export interface FileService {
  /** `action`: what the file is found for. Default: "list". */
  find(caller: Caller, selector: Selector, action?: KeyAction): Promise<FileRecord>;
  findFolder(caller: Caller, selector: FolderSelector): Promise<FolderRecord>;
  /** For delivery. undefined: there is no such file. */
  at(caller: Caller, key: Key): MaybePromise<FileRecord | undefined>;
  list(caller: Caller, name: string | undefined, page: Page): AsyncIterable<FileRecord[]>;
  /** The files with this content, of those whose digest is known. */
  listByDigest(caller: Caller, sha256: Sha256, page: Page): AsyncIterable<FileRecord[]>;
  /** `expectedBytes`: as for `BeginUpload`. */
  beginUpload(caller: Caller, expectedBytes: number): Promise<UploadSession>;
  /** By the id with which an upload was remembered. The file is not limited to what the caller sees. */
  rememberedRequest: UploadLedger["rememberedRequest"];
  /** `trash`: as for `remove`, for the file that it replaces. */
  change(caller: Caller, change: Requested<FileChange>, trash?: boolean): Promise<ChangedFile>;
  /**
   * Ids without a file are in `failed`. `trash`: as for `remove`, for replaced files. Faults "not_found": none
   * of the files exists, or the target.
   */
  changeMany(caller: Caller, change: Requested<FilesChange>, trash?: boolean): Promise<ManyChanged>;
  /**
   * `trash`: whether to the trash; undefined: as the settings say. Fault "invalid": the trash is
   * disabled.
   */
  remove(caller: Caller, files: readonly Ref[], trash?: boolean): Promise<Removal>;
  readonly copy: CopyService;
  /** For delivery, by a token of a signed folder. undefined: there is no such file. */
  below(folderId: string, key: Key): MaybePromise<FileRecord | undefined>;
  sign(caller: Caller, request: SignRequest): Promise<SignedLink>;
  signMany(caller: Caller, files: readonly Ref[], lifetime: SignedLifetime): Promise<ManySigned>;
  /** The URL is a prefix that ends with a slash. */
  signFolder(caller: Caller, folder: Ref, lifetime: SignedLifetime): Promise<SignedLink>;
  readonly archive: Archives;

  browse(caller: Caller, selector: FolderSelector): Promise<FolderView>;
  /**
   * Counts what is below a folder. Faults: same as `browse`; throws `ConnectionClosed` soon after
   * `signal` is aborted.
   */
  measure(caller: Caller, selector: FolderSelector, signal?: AbortSignal): Promise<Measure>;
  /** Like `measure`, for several folders together. Fault "not_found": one of them does not exist. */
  measureAll(
    caller: Caller,
    ids: readonly string[],
    signal?: AbortSignal,
  ): Promise<MeasuredFolders>;
  /** Faults: same as `browse`. */
  folderVisibility(caller: Caller, selector: FolderSelector): Promise<FolderVisibility>;
  /** Faults: same as `browse`. */
  countVisibility(caller: Caller, selector: FolderSelector): Promise<VisibilityCounts>;
  search(caller: Caller, request: SearchRequest): Promise<SearchResult>;
  createFolder(caller: Caller, key: Key): Promise<FolderRecord>;
  changeFolder(caller: Caller, change: FolderChange): Promise<FolderRecord>;
  /** `trash`: as for `remove`. `undoId`: of a folder that is in the trash. */
  removeFolder(
    caller: Caller,
    folder: Ref,
    trash?: boolean,
  ): Promise<{ readonly id: string; readonly undoId?: string }>;
  readonly trash: TrashService;
  readonly versions: VersionService;
  readonly undo: UndoService;
  readonly quotas: Pick<QuotaService, "list" | "set">;
}

/** What several changes did. The lists follow the order given. */
export interface ManyChanged extends Omit<FilesChanged, "failed" | "missing"> {
  readonly failed: readonly (NotDone & Pick<FailedItem, "takenBy">)[];
}

/** Without what the settings say. */
type Requested<Change extends MeetsTaken> = Omit<Change, "trashReplacedMs">;

export interface FileServiceDeps
  extends ArchiveDeps,
    Omit<UploadDeps, "settings">,
    Pick<CopyDeps, "inSlot"> {
  readonly catalog: FileTree &
    TrashPort &
    Pick<UndoChanges, "undoChanges"> &
    BlobLedger &
    QuotaLedger &
    Pick<UploadLedger, "rememberedRequest"> &
    Pick<CatalogClock, "now">;
  readonly quotaGuard: QuotaGuard;
  readonly reaper: Reaper;
  readonly signer: Signer;
  readonly settings: () => LinkSettings & ReturnType<UploadDeps["settings"]>;
}

/** An upper bound for the bytes of a form that are no content of files. */
const FORM_BYTES = 256 * 1024;

export function createFileService(deps: FileServiceDeps): FileService {
  const { catalog, reaper, signer, settings } = deps;
  const begin = createBeginUpload(deps);
  const copy = createCopyService(deps, catalog);
  const quotas = createQuotaService(catalog, deps.quotaGuard);
  const signing = createSigning({ names: catalog, now: catalog.now, signer, settings });
  const archive = createArchives(deps);

  const authorizeFolder = (
    caller: Caller,
    actions: KeyAction | readonly KeyAction[],
    selector: FolderSelector,
  ): MaybePromise<void> => authorize(caller, actions, () => findFolder(caller, catalog, selector));

  /** Who replaces nothing needs no right to delete. */
  const keepMovedOntoMs = (
    caller: Caller,
    { onConflict }: MeetsTaken,
    wanted: boolean | undefined,
  ): number | undefined =>
    keepDeletedMs(onConflict === "replace" ? caller : SYSTEM, settings(), wanted);

  return {
    async find(caller, selector, action = "list") {
      const file = await findFile(caller, catalog, selector);
      authorize(caller, action);
      return file;
    },
    async findFolder(caller, selector) {
      const folder = await findFolder(caller, catalog, selector);
      authorize(caller, "list");
      return folder;
    },
    at(caller, key) {
      const found = catalog.fileByKey(caller, key);
      // Public files come this way, so nothing more is made for them.
      if (allows(caller.scope, "read")) return found;
      return chain(found, (file) => {
        if (file !== undefined) authorize(caller, "read");
        return file;
      });
    },
    below: catalog.fileBelow,
    list(caller, name, page) {
      authorize(caller, "list");
      return listFiles(caller, catalog, name, page);
    },
    listByDigest(caller, sha256, page) {
      authorize(caller, "list");
      return catalog.listFiles(caller, { sha256 }, page);
    },
    rememberedRequest: catalog.rememberedRequest,
    async beginUpload(caller, expectedBytes) {
      authorize(caller, "write");
      const upload = await begin(treeFor(caller, catalog), expectedBytes);
      return {
        ...upload,
        async expectTarget(target) {
          await authorizePlace(caller, catalog, target.folder);
          await upload.expectTarget(target);
          // Without knowing the replaced files, the quota cannot be checked before the end of the form.
          const { folder, onConflict, replaces } = target;
          const isKnown = onConflict !== "replace" || replaces !== undefined;
          if (isKnown && expectedBytes > FORM_BYTES) {
            const bytes = expectedBytes - FORM_BYTES;
            await deps.quotaGuard.admit({ folder, bytes, replaces });
          }
        },
      };
    },
    async change(caller, change, wanted) {
      await authorize(caller, actionsOf(change), () =>
        findFile(caller, catalog, selectorOf(change.id)),
      );
      const trashReplacedMs = keepMovedOntoMs(caller, change, wanted);
      const changed = await catalog.changeFile(caller, { ...change, trashReplacedMs });
      if (change.onConflict === "replace") deps.onReplaced();
      return changed;
    },
    async changeMany(caller, change, wanted) {
      await authorize(caller, actionsOf(change), () => findAny(caller, catalog, change.ids));
      const trashReplacedMs = keepMovedOntoMs(caller, change, wanted);
      const changed = await changeFiles(caller, catalog, { ...change, trashReplacedMs });
      if (change.onConflict === "replace") deps.onReplaced();
      return changed;
    },
    async remove(caller, ids, wanted) {
      await authorize(caller, "discard", () => findAny(caller, catalog, ids));
      const time = keepDeletedMs(caller, settings(), wanted);
      return time === undefined
        ? removeFiles(caller, catalog, reaper, ids)
        : trashFiles(caller, catalog, ids, time);
    },
    copy: {
      async files(caller, request, control) {
        await authorize(caller, ["read", "write"], () => findAll(caller, catalog, request.ids));
        return copy.files(caller, request, control);
      },
      async folder(caller, request, control) {
        await authorizeFolder(caller, ["list", "read", "write"], selectorOf(request.id));
        return copy.folder(caller, request, control);
      },
    },
    async sign(caller, request) {
      const link = await signing.file(caller, request);
      // A key that may not read a file must not get a URL that reads it.
      authorize(caller, ["share", "read"]);
      return link;
    },
    async signMany(caller, refs, lifetime) {
      const links = await signing.files(caller, refs, lifetime);
      // Without any, the caller sees none of them.
      if (links.signed.length > 0) authorize(caller, ["share", "read"]);
      return links;
    },
    async signFolder(caller, ref, lifetime) {
      const link = await signing.folder(caller, ref, lifetime);
      authorize(caller, ["share", "read"]);
      return link;
    },
    archive: {
      async folder(caller, selector, signal, name) {
        await authorizeFolder(caller, ["list", "read"], selector);
        return archive.folder(caller, selector, signal, name);
      },
      async selection(caller, selection, signal) {
        // Only permitted archives are planned: a plan takes memory that all archives share.
        await authorize(caller, ["list", "read"], () => archive.checkSelection(caller, selection));
        return archive.selection(caller, selection, signal);
      },
      checkSelection: archive.checkSelection,
    },
    async browse(caller, selector) {
      await authorizeFolder(caller, "list", selector);
      return browseFolder(caller, catalog, selector);
    },
    async measure(caller, selector, signal) {
      const { key } = await findFolder(caller, catalog, selector);
      authorize(caller, "list");
      return catalog.measure(caller, key, signal);
    },
    async measureAll(caller, ids, signal) {
      for (const id of ids) await authorizeFolder(caller, "list", { id });
      return measureFolders(caller, catalog, ids, signal);
    },
    async folderVisibility(caller, selector) {
      await authorizeFolder(caller, "list", selector);
      return findFolderVisibility(caller, catalog, selector, settings().defaultVisibility);
    },
    async countVisibility(caller, selector) {
      const { key } = await findFolder(caller, catalog, selector);
      authorize(caller, "list");
      return catalog.countVisibility(caller, key);
    },
    async search(caller, request) {
      const { folderId } = request;
      if (folderId === undefined) authorize(caller, "list");
      else await authorizeFolder(caller, "list", { id: folderId });
      return searchNames(caller, catalog, request);
    },
    async createFolder(caller, key) {
      await authorizePlace(caller, catalog, key);
      return asSeenBy(caller, await catalog.createFolder(caller, key));
    },
    async changeFolder(caller, change) {
      // Later files of others end too.
      const actions = (change.expireAfter ?? 0) > 0 ? (["write", "delete"] as const) : "write";
      await authorizeFolder(caller, actions, selectorOf(change.id));
      const measured = await quotas.measureMove(caller, change);
      return asSeenBy(caller, await catalog.changeFolder(caller, measured));
    },
    async removeFolder(caller, ref, wanted) {
      await authorizeFolder(caller, "discard", selectorOf(ref));
      const time = keepDeletedMs(caller, settings(), wanted);
      if (time !== undefined) return catalog.trashFolder(caller, { id: ref, keepMs: time });
      return { id: await removeFolder(caller, catalog, reaper, ref) };
    },
    quotas,
    trash: createTrashService(catalog, reaper),
    undo: createUndoService(deps),
    versions: createVersionService({
      tree: catalog,
      trash: catalog,
      reaper,
      settings,
    }),
  };
}

/** The tree, to which a caller uploads. */
const treeFor = (caller: Caller, tree: FileTree): UploadDestination<FileRecord> => ({
  caller,
  topFolder: async () => {
    const top = await topKeyOf(caller, tree);
    if (top === undefined) throw noSuchFolder();
    return top;
  },
  takenName: (folder, names) => tree.takenName(caller, folder, names),
  addFiles: (files) => tree.addFiles(caller, files),
});

/** A file that is replaced by a move is deleted, and so is one that gets an end, when that has come. */
function actionsOf({
  onConflict,
  lifetime = "never",
}: MeetsTaken & Pick<FileChange, "lifetime">): readonly KeyAction[] {
  if (lifetime !== "never") return ["write", "delete"];
  return onConflict === "replace" ? ["write", "discard"] : ["write"];
}

/** Fault "not_found": none of the files exists. */
async function findAny(caller: SeenBy, tree: FileTree, refs: readonly Ref[]): Promise<void> {
  for (const ref of refs) {
    const found =
      typeof ref === "string"
        ? await tree.fileById(caller, ref)
        : await tree.fileByKey(caller, ref.key);
    if (found !== undefined) return;
  }
  throw noSuchFile();
}

/** Fault "not_found": one of the files does not exist. */
async function findAll(caller: SeenBy, tree: FileTree, refs: readonly Ref[]): Promise<void> {
  for (const ref of refs) await findFile(caller, tree, selectorOf(ref));
}

/**
 * Changes files in one transaction. Ids without a file are in `failed`, like the files that cannot be
 * moved. Faults "not_found": none of the files exists, or the folder to move to does not.
 */
async function changeFiles(
  caller: ChangedBy,
  names: Pick<FileTree, "changeFiles">,
  change: FilesChange,
): Promise<ManyChanged> {
  const refs = uniqueRefs(change.ids);
  const result = await checkResult(names.changeFiles(caller, { ...change, ids: refs }), (done) => {
    if (done.changed.length + done.failed.length === 0) throw noSuchFile();
  });
  const { changed, failed, missing, ...rest } = result;
  const reasons = new Map(
    failed.flatMap((reason) => [
      [textOf(reason.id), reason],
      [textOf({ key: reason.key }), reason],
    ]),
  );
  const unknown = new Set(missing.map(textOf));
  return {
    changed,
    ...rest,
    failed: refs.flatMap((ref) => {
      if (unknown.has(textOf(ref))) return [notDone(ref, noSuchFile())];
      const reason = reasons.get(textOf(ref));
      if (reason === undefined) return [];
      const { takenBy } = reason;
      return [{ ...notDone(ref, reason), ...(takenBy === undefined ? {} : { takenBy }) }];
    }),
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
